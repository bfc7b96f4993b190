// The server: listens, waits for events, and runs upcalls in a pool of threads or inside run().
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "orb/base/futex.h"
#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/core/options.h"
#include "orb/transport/event_loop.h"
#include "orb/transport/tcp.h"

namespace corbel::core {

class ClientConnection;
class Orb;
class ServerConnection;
class ServerRequest;

// What an event of the loop leads to. Called by the thread that took the event, which then has the reading
// role.
class EventHandler {
 public:
  // `may_linger` tells that another thread waits for events, so this one may stay with its connection for a
  // while.
  virtual void ready(bool may_linger) = 0;

 protected:
  ~EventHandler() = default;
};

struct Endpoint {
  std::string host;
  std::uint16_t port;
};

// Pool model: one thread leads, that is, waits for events; the others follow or serve. The thread that takes
// an event first sees to it that another leads, then serves the connection and keeps reading it for a moment.
// While upcalls run the leader looks every few milliseconds whether one of them keeps its connection from
// being read, and takes the reading role away from it. Reactive model: whoever is inside run(),
// perform_work() or waits for a reply leads.
class Server {
 public:
  explicit Server(Orb& orb);
  ~Server();

  SystemError listen();
  const std::vector<Endpoint>& endpoints() const { return endpoints_; }
  bool reactive() const { return reactive_; }

  // Begins to take events: threads in the pool model, nothing until run() in the reactive one.
  void start();

  // ---- connections and events
  transport::EventLoop& loop() { return loop_; }
  // The handler is ready without an event: it has bytes in memory already.
  void queue(EventHandler* handler);
  void adopt(std::unique_ptr<transport::Stream> stream);
  void forget(ServerConnection& connection);
  // A message has begun to arrive and its connection went back to the loop: its time is watched.
  void watch_time() { watching_.store(true, std::memory_order_relaxed); }

  // ---- upcalls
  void begin_upcall() {
    if (running_.fetch_add(1, std::memory_order_relaxed) >= limit_) [[unlikely]]
      wait_for_turn();
  }
  void end_upcall() {
    running_.fetch_sub(1);
    if (turn_waiters_.load() != 0) [[unlikely]]
      turn_.notify_one();
  }
  // The calling thread's upcall waits for something: its place in the pool and its connection are free
  // meanwhile.
  void begin_wait(ServerRequest& request);
  void end_wait();

  // ---- reactive
  // Handles events while `word` is `value`, or lets another thread do it; false when the deadline passes.
  bool run_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, base::Deadline deadline);
  // Handles events until wake_all() after the ORB's shutdown.
  void run_until_stopped();
  // At most one event; false if there was none within the time or another thread leads.
  bool run_once(int timeout);
  bool work_pending();
  // The loop reads this client connection from now on, until detach(); false if it has no room for it.
  bool attach(ClientConnection& connection);
  void detach(ClientConnection& connection);
  // Something that a thread inside run_while() may wait for has happened.
  void notify_progress() {
    if (progress_waiters_.load() != 0) progress_.notify_all();
  }
  void wake_all();

  // ---- life
  // Takes no new requests, answers running ones, says goodbye on every connection.
  void close_connections();
  // Ends the threads. Not from an upcall.
  void stop();

 private:
  class Listener;
  static void turn_away(transport::Stream& stream);
  void work();
  // Waits until this thread leads; false when it is to end.
  bool become_leader();
  // Another thread leads from here on, if there can be one.
  bool hand_over();
  void spawn_locked();
  EventHandler* next_event(int timeout);
  int tick_time() const;
  void tick();
  void wait_for_turn();
  void take_the_lead_for_ever();

  Orb& orb_;
  const bool reactive_;
  const std::int32_t limit_;
  transport::EventLoop loop_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<Endpoint> endpoints_;

  std::atomic<std::int32_t> running_{0};
  std::atomic<std::int32_t> turn_waiters_{0};
  base::Condition turn_;
  std::atomic<std::int32_t> serving_{0};  // threads inside ready()
  std::atomic<bool> watching_{false};     // some connection is in the middle of a message
  std::atomic<bool> accept_paused_{false};
  std::atomic<bool> queued_{false};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> closing_{false};
  base::Condition followers_;
  base::Condition progress_;
  std::atomic<std::int32_t> progress_waiters_{0};

  std::vector<base::Ref<ServerConnection>>
      looked_at_;  // the leader's, in tick(): kept so that looking allocates nothing

  base::Mutex mutex_;                        // guards what follows
  std::set<ServerConnection*> connections_;  // each counted
  std::set<ClientConnection*> attached_;     // each counted
  std::deque<EventHandler*> queue_;
  bool leading_ = false;
  std::thread::id leader_;
  std::uint32_t idle_ = 0;
  std::uint32_t threads_ = 0;
  std::vector<std::thread> live_;
  std::vector<std::thread> ended_;
};

}  // namespace corbel::core
