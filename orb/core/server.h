// The server: listens, waits for events, and runs upcalls in a pool of threads, in a thread for each
// connection or inside run().
#pragma once

#include <atomic>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "orb/base/futex.h"
#include "orb/base/interrupts.h"
#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/core/abstract_server.h"
#include "orb/core/callback_routes.h"
#include "orb/core/idle_connections.h"
#include "orb/core/options.h"
#include "orb/core/server_list.h"
#include "orb/transport/event_loop.h"

namespace corbel::core {

// Pool model: one thread leads, that is, waits for events; the others follow or serve. The thread that takes
// an event first sees to it that another leads, then serves the connection and keeps reading it for a moment.
// While upcalls run the leader looks every few milliseconds whether one of them keeps its connection from
// being read, and takes the reading role away from it. Connection model: the same, but the thread stays with
// the connection for as long as it has the reading role. Reactive model: whoever is inside run(),
// perform_work() or waits for a reply leads.
class Server final : public AbstractServer {
 public:
  explicit Server(Orb& orb);
  ~Server() override;

  SystemError listen();
  bool start() override;

  // ---- connections and events
  void adopt(std::unique_ptr<transport::Stream> stream);
  void forget(ServerConnection& connection);
  // Nobody reads it any more.
  void leave_unread(ServerConnection& connection);
  // A message has begun to arrive and nobody reads on: its time is watched.
  void watch_time(ServerConnection& connection);
  // Replies are held back that have to be written.
  void look_after(ServerConnection& connection);
  // Its threads are to end: no reply is to keep them.
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }
  // Connection model: waits, any time, until there is something to read. False where this thread must not
  // stay with its connection.
  bool stay(ServerConnection& connection);

  // How the leader takes back threads that wait in a read without a time limit.
  const base::Interrupts& interrupts() const { return interrupts_; }
  // Nobody leads, and nobody could be found who does: threads must not rest, they are waited for.
  bool leaderless() const { return leaderless_.load(); }
  // Connections of clients that are called back on them.
  CallbackRoutes& callback_routes() { return callback_routes_; }
  // When connections of clients fall idle.
  IdleClock& idle_clock() { return idle_clock_; }
  // Some part of the server's time has changed: what a foreign event loop waits for follows.
  void set_timer();

  // ---- upcalls
  // False when too many others wait for a turn: the request is to be refused. end_upcall() in either case.
  // Whoever waits may have to let go of the connection from which the request came.
  bool begin_upcall(ServerRequest& request) {
    if (running_.fetch_add(1, std::memory_order_relaxed) >= limit_) [[unlikely]]
      return wait_for_turn(request);
    return true;
  }
  void end_upcall() {
    running_.fetch_sub(1);
    if (turn_waiters_.load() != 0) [[unlikely]]
      turn_.notify_one();
  }
  void begin_wait(ServerRequest& request) override;
  void count_wait(ServerRequest& request) override;
  void let_go_for_wait(ServerRequest& request) override;
  void end_wait() override;
  bool begin_call(ServerRequest& request) override;
  bool begin_dependent(std::int32_t share) override;
  void end_dependent() override;
  // Of a thread's upcalls the one that counts among those that run here; null for threads that are not the
  // server's.
  ServerRequest* counted(ServerRequest* request) const;
  // A thread of the pool is going to wait until a peer reads what is written; another one leads, and the
  // upcall that it is in, if it is in one, is none that runs. Once so many wait that too few would be left to
  // serve, replies are held back.
  void begin_waiting_to_write();
  void end_waiting_to_write();
  bool too_many_wait_to_write() const {
    return writers_.load(std::memory_order_relaxed) >= most_writers_ ||
           dependent_.load(std::memory_order_relaxed) >= most_dependent_ || all_wait();
  }

  // ---- reactive
  bool run_while(const std::atomic<std::uint32_t>& word, std::uint32_t value,
                 base::Deadline deadline) override;
  void run_until_stopped() override;
  bool run_once(int timeout) override;
  bool work_pending() override;
  bool run_ready(unsigned most) override;
  int event_descriptor() override;
  transport::Readiness wait_to_write(transport::Stream& stream, bool read, base::Deadline until) override;
  // For room for a reply; also until others wait to be served, or, where the stream may be read, its peer
  // says more.
  transport::Readiness wait_to_reply(transport::Stream& stream, bool may_be_read, base::Deadline until,
                                     bool& others_wait);

  // ---- connections of this process's calls
  base::Ref<ClientConnection> make_bidirectional(std::unique_ptr<transport::Stream> stream) override;
  base::Ref<ClientConnection> way_back(const ior::IiopProfile& profile) override;
  bool attach(ClientConnection& connection) override;
  void detach(ClientConnection& connection) override;
  void arm(EventHandler& handler, transport::Stream& stream, bool silent) override;
  void notify_progress() override {
    if (progress_waiters_.load() != 0) progress_.notify_all();
  }
  void wake_all() override;
  void finish_replies() override;
  void deliver_goodbyes() override;

  // ---- life
  void close_connections() override;
  void end_reading() override;
  void stop() override;

 private:
  // A request behind a long upcall of its connection is served at the second look after that has begun. Each
  // look costs a call that runs meanwhile more than its own time, so the leader looks less often while it
  // sees no upcall, or only such of connections that it saw so at the last look, too, and that serve many.
  // Threads that rest in a read are back after two looks and a moment.
  static constexpr int kTickMs = 5, kLongTickMs = 16;
  // How soon it looks again for room for a reply that was held back; later where that takes it long.
  static constexpr int kHeldBackMs = 1, kLongHeldBackMs = 100;
  static constexpr long kDeliveryPauseNs = 500'000;  // between looks whether clients have what they were told
  class Listener;
  class Timer;
  bool queue(EventHandler* handler);
  SystemError listen_anywhere();
  bool keep_holding(ServerConnection& connection);
  SystemError listen_at(const EndpointOption& endpoint);
  using Peers = std::unordered_map<std::string, std::uint32_t>;
  static void turn_away(transport::Stream& stream);
  std::vector<base::Ref<ServerConnection>> all_locked();
  bool admit(std::unique_ptr<transport::Stream>& stream, base::Ref<ServerConnection>& connection);
  bool admit_locked(ServerConnection& connection);
  void erase_locked(ServerConnection& connection);
  void begin_service_locked(ServerConnection& connection);
  void end_service_locked(ServerConnection& connection);
  void work();
  // Waits until this thread leads; false when it is to end.
  bool become_leader(base::Ref<ServerConnection>& served);
  // Another thread leads from here on, if there can be one; this one serves `served`, or another handler.
  bool hand_over(const base::Ref<ServerConnection>& served, bool may_be_alone);
  bool serve_alone_locked();
  base::Condition* sleeper_locked();
  void see_to_leader();
  void wait_for_leader_locked();
  // A thread of the pool is going to wait for long, perhaps; another one leads.
  void begin_blocking() {
    // Before it counts: who finds that all wait has patience from here on.
    std::int32_t waiting = waiting_.load();
    do
      if (waiting + 1 >= most_waiting_) came_back_at_.store(base::now());
    while (!waiting_.compare_exchange_weak(waiting, waiting + 1));
    see_to_leader();
  }
  void end_blocking();
  // As many as there may be: one more leads then, and does not wait for replies.
  bool all_wait() const { return most_waiting_ > 1 && waiting_.load() >= most_waiting_; }
  bool reserve_wait();
  void step_in_locked();
  void follow(std::unique_lock<base::Mutex>& lock);
  bool wait_spare(std::unique_lock<base::Mutex>& lock, base::Deadline& until);
  void wake_waiting_threads() {
    followers_.notify_all();
    spares_.notify_all();
  }
  bool many_return() const;
  bool may_spawn_locked() const;
  bool spawn_locked();
  EventHandler* next_event(int timeout);
  EventHandler* take_queued();  // null if there is none
  int tick_time() const;
  int wait_time(base::Deadline deadline) const;
  void look_at(ServerConnection& connection);
  void tick();
  // Events may come so close together that no wait for one ever ends without.
  bool tick_is_due() const { return base::now() - ticked_at_ >= tick_time() * 1'000'000LL; }
  void watch();
  void watch_locked(ServerConnection& connection);
  std::vector<base::Ref<ServerConnection>> take_holding();
  void send_held_back();
  void close_idle();
  bool wait_for_turn(ServerRequest& request);
  void begin_wait_of(ServerRequest& upcall, bool reserved = false);
  void end_wait_of(ServerRequest& upcall);
  // The leader's, while the queue is full: nothing more is read.
  void wait_for_room();
  void take_the_lead_for_ever();
  bool begin_leading(bool& nested);
  void end_leading(bool nested);
  bool lead_once(int timeout, const std::atomic<std::uint32_t>* word, std::uint32_t value);
  // For a thread in a loop that is not the ORB's: others that lead may take the events that tell of it.
  void wake_foreign_loop() {
    if (transport::EventLoop* const loop = foreign_.load(std::memory_order_acquire)) loop->wake();
  }

  Orb& orb_;
  const bool stays_;  // the connection model
  const std::int32_t limit_;
  const std::int32_t queue_limit_;
  const std::int32_t most_writers_, most_dependent_, most_waiting_;
  IdleClock idle_clock_;
  const base::Interrupts interrupts_;
  transport::EventLoop loop_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  // Where somebody else's loop waits; made once, with the mutex, and read by all.
  base::Mutex foreign_mutex_;
  std::unique_ptr<Timer> timer_;
  std::atomic<Timer*> timing_{nullptr};
  std::unique_ptr<transport::EventLoop> foreign_loop_;
  std::atomic<transport::EventLoop*> foreign_{nullptr};
  CallbackRoutes callback_routes_;

  std::atomic<std::int32_t> running_{0};
  std::atomic<std::int32_t> turn_waiters_{0};
  base::Condition turn_;
  base::Condition room_;
  std::atomic<std::int32_t> serving_{0};         // threads inside ready() that do not stay in a wait
  std::atomic<std::int32_t> waiting_{0};         // of them, in calls of their own or for room to write
  std::atomic<base::Deadline> came_back_at_{0};  // one of them did, or the last one began to wait
  base::Condition came_back_;
  std::atomic<std::int32_t> writers_{0};  // of those, for room to write or for others that do
  // Threads of the pool in waits for peers that could last until this server reads: for room to write, for
  // replies to callbacks, for adapters that hold requests.
  std::atomic<std::int32_t> dependent_{0};
  std::atomic<bool> watching_{false};  // some connection is in the middle of a message
  std::atomic<bool> accept_paused_{false};
  std::atomic<bool> replies_held_back_{false};
  std::atomic<int> held_back_ms_{kHeldBackMs};  // the leader's: how long until it looks after them again
  std::atomic<bool> queued_{false};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> closing_{false};
  std::atomic<bool> leaderless_{false};
  base::Condition followers_, spares_;
  std::atomic<bool> alone_{false};          // leaders keep the lead while they serve, where they may
  std::atomic<std::uint32_t> together_{0};  // events to come that they do not do so for
  base::Condition progress_;
  std::atomic<std::int32_t> progress_waiters_{0};

  std::uint32_t events_ = 0;           // the leader's
  bool events_first_ = false;          // the same: whether it looks for events before what is queued
  std::atomic<int> tick_ms_{kTickMs};  // the leader's: how long until it looks again
  std::uint32_t looks_ = 0;            // the leader's
  std::vector<base::Ref<ServerConnection>>
      looked_at_;                 // the leader's, in tick(): kept so that looking allocates nothing
  base::Deadline ticked_at_ = 0;  // the leader's: when it did so last

  base::Mutex mutex_;                          // guards what follows
  ServerList<&ServerLinks::all> connections_;  // each counted
  ServerList<&ServerLinks::serving> served_;
  ServerList<&ServerLinks::watched> watched_;
  ServerList<&ServerLinks::holding> holding_;
  Peers peers_;                           // connections by peer, where their number is bounded
  std::set<ClientConnection*> attached_;  // each counted
  std::deque<EventHandler*> queue_;
  bool leading_ = false;
  std::thread::id leader_;
  std::uint32_t idle_ = 0, spare_ = 0;
  std::uint32_t served_alone_ = 0;  // how many events, and up to when the idle thread stepped in last
  std::uint32_t stepped_in_ = 0;
  std::uint32_t together_long_ = 0;  // how many are handed over after that
  std::uint32_t threads_ = 0;
  std::uint32_t staying_ = 0;  // of them, in stay()
  bool stays_full_ = false;    // staying_ has reached its upper limit, and not yet the lower one
  base::Deadline watch_at_ = 0;
  std::list<std::thread> live_;
  std::list<std::thread> ended_;
};

SystemError make_server(Orb& orb, std::unique_ptr<AbstractServer>& server);

}  // namespace corbel::core
