// The server's end of a connection.
#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "orb/base/pause.h"
#include "orb/core/connection.h"
#include "orb/core/reverse_connection.h"
#include "orb/core/running_requests.h"
#include "orb/core/server.h"
#include "orb/core/server_request.h"
#include "orb/core/standing_offer.h"
#include "orb/core/upcall_lock.h"

namespace corbel::core {

// One thread at a time has the reading role: the event loop while the connection is armed, else the thread
// that serves it. During an upcall the role may be taken from the serving thread by another; whoever wins the
// state word has it.
class ServerConnection final : public Connection, public EventHandler, public ServerLinks {
 public:
  // Upcalls inside of upcalls of one thread: stops peers from exhausting a reactive server's stack.
  static constexpr std::uint32_t kMostNested = 100;

  ServerConnection(Orb& orb, Server& server, std::unique_ptr<transport::Stream> stream);
  ~ServerConnection() override;

  void ready(bool may_linger) override;
  ServerConnection* server_connection() override { return this; }
  // With the reading role: waits, any time, until there is something to read, behind before_wait().
  void wait_for_bytes();
  // What the leader has to watch is noted: a message that is arriving, or that the connection is idle.
  void before_wait();

  // Leader's look, of this number and after so many milliseconds: takes the reading role away from an upcall
  // that has run since the last look. The caller then has the role and must give the connection to the loop
  // (resume()). `soon`: where the upcall may be a long one. Or takes the thread back that rests since then.
  [[gnu::cold]] bool look(std::uint32_t number, int ms, bool& soon);
  // The upcall's own thread gives the role up because it is going to wait.
  void give_up(ServerRequest& request);
  // The same while the request waits for a turn.
  [[gnu::cold]] void give_up_before(ServerRequest& request);
  // Of this connection that run while it is read on.
  RunningRequests& running() { return running_; }
  // ---- bidirectional GIOP: requests that go to this connection's client
  // By whoever has the reading role.
  bool called_back() const { return static_cast<bool>(callbacks_); }
  bool awaits_callbacks();
  Sent send_callback(const iovec* parts, int count, base::Deadline deadline);
  void send_now(char* message, std::size_t size) { send_small(message, size); }
  // Nothing is read any more; those that wait for replies are told so.
  void end_callbacks(ClientConnection::Outcome outcome);

  // Back to the loop, or to the queue where whole messages are in memory.
  void resume();

  // How long a goodbye may wait for room, in nanoseconds: where others wait for this thread, and where the
  // server ends. Clients that hear none are left in doubt.
  static constexpr std::int64_t kGoodbyePatience = 100'000'000, kLastGoodbyePatience = 1'000'000'000;

  // Says goodbye once no request runs; new requests are not taken. Where none runs now, the goodbye waits for
  // room until `deadline`.
  [[gnu::cold]] void close_when_idle(base::Deadline deadline);
  // Closes it because it is idle; once that is said and the peer has not ended it, it is cut off. The goodbye
  // waits for room until `deadline`.
  void close_idle(base::Deadline deadline);
  // When it will have been idle for `period`, as far as is known at `now`.
  base::Deadline idle_until(std::int64_t period, base::Deadline now);
  // A message has been arriving for too long, or the stream is not open yet.
  bool overdue(base::Deadline now) const;
  bool mid_message() const { return message_since_.load(std::memory_order_relaxed) != 0; }
  // The reply that the request holds. False, and it has not been sent, where others write now and this thread
  // keeps a single-threaded adapter from its clients.
  bool try_send_reply(ServerRequest& request);
  // The same by a thread that need not keep it.
  void send_reply(ServerRequest& request);
  // When nobody reads it any more: replies that were kept for a thread that did not come.
  void send_last_replies();
  // The leader's, now and then: writes what was held back, as far as there is room. True when that is done
  // with.
  bool send_held_back();
  // The same when nobody looks after it any more: waits for room.
  void send_held_back_until(base::Deadline deadline);
  // A thread inside a read returns; what was written still reaches the peer.
  void abort_reading() { stream_->stop_reading(); }
  // After close_when_idle(): goodbye has been said and will arrive, or cannot be. Any thread.
  bool goodbye_delivered() const { return goodbye_.load() == Goodbye::Said && stream_->delivered(); }
  // A thread that rests goes on as one that stays for a moment only. By the leader, or where nobody leads and
  // the server's mutex says that nobody will meanwhile.
  void end_rest_soon();
  // In a forked child: nobody there is taking anything back. Inlined in every build: clients link the caller.
  [[gnu::always_inline]] void let_go_of_stream() {
    flags_.fetch_and(static_cast<std::uint8_t>(~TakingBack));
    Connection::let_go_of_stream();
  }
  bool rests() const { return resting_.load(std::memory_order_relaxed) != 0; }
  bool in_upcall() const { return (state_.load(std::memory_order_relaxed) & 3) == InUpcall; }

  // ---- the server's, guarded by its mutex
  std::uint32_t served_by = 0;  // threads inside ready()
  std::unordered_map<std::string, std::uint32_t>::value_type* peer_count =
      nullptr;  // of its peer's connections

 private:
  enum State : std::uint32_t {
    Armed,
    Reading,
    InUpcall,
    Taking
  };  // low bits; above them the upcall's serial

  enum Flag : std::uint8_t { Closing = 1, TakingBack = 2, HoldsBack = 4 };

  enum class Goodbye : std::uint8_t { Unsaid, Begun, Said };

  // How long a thread stays with a silent connection before the loop takes it back.
  static constexpr int kLingerMs = 20;
  // Octets of replies that wait for their reader before no more requests of his are read.
  static constexpr std::size_t kMostHeldBack = 4 * 1024 * 1024;

  // False when the thread no longer has the reading role, or the connection has ended.
  bool handle_buffered(std::unique_ptr<ServerRequest>& request);
  bool handle(Message& message, std::unique_ptr<ServerRequest>& request);
  bool serve(Message& message, std::unique_ptr<ServerRequest>& request);
  void read_and_serve(bool may_linger);
  // To the server's queue.
  void enqueue() { server_.arm(*this, *stream_, false); }
  // Waits for bytes, at most for the linger time.
  transport::IoResult read(const MessageReader::Space& space);
  transport::IoResult read_more(const MessageReader::Space& space);
  [[gnu::cold]] bool locate(Message& message);
  bool cancel(const Message& message);
  bool take_reply(Message& message);
  void learn_listen_points(const giop::RequestHeader& header);
  bool take(std::uint32_t state);
  [[gnu::cold]] bool protocol_error();
  [[gnu::cold]] void count_hand_off(bool was_long);
  // Where requests come often enough a thread that stays with the connection reads without a time limit: a
  // timer for each read takes as long as a good part of what this end does for a call. It rests, until the
  // leader sees that nothing comes. Whoever gives the reading role away ends the rest, be it another
  // thread's.
  void rest();
  void end_rest();
  [[gnu::cold]] void look_at_rest(std::uint32_t state);
  void take_back(int milliseconds);
  void await_taker_back();
  bool serves() const;
  [[gnu::cold]] bool may_serve();
  bool closing() const { return (flags_.load(std::memory_order_seq_cst) & Closing) != 0; }
  [[gnu::cold]] void say_goodbye(base::Deadline deadline);
  // The peer may have ended its own direction only.
  [[gnu::cold]] void end(bool peer_may_read = false);
  // Replies to requests that came together leave together, before more is read. False if the reading role
  // went meanwhile.
  struct Kept {
    std::string octets;
    std::int32_t count;
  };
  bool may_keep() const;
  bool keep_reply(ServerRequest& request);
  Kept take_kept_replies();
  void write_kept_replies(const Kept& kept);
  bool send_kept_replies(ServerRequest& request);
  bool end_upcall(ServerRequest& request);
  [[gnu::cold]] bool taken_away(ServerRequest& request);
  [[gnu::cold]] void let_go(ServerRequest& request);
  void complete_reply(ServerRequest& request);
  bool try_send_parts(const iovec* parts, int count);
  bool try_send_padded(const ServerRequest& request, const iovec* parts, int count);
  [[gnu::cold]] [[gnu::noinline]] bool try_send_special(ServerRequest& request, const iovec* parts,
                                                        int count);
  void requests_done(std::int32_t count);
  [[gnu::cold]] void end_answers();
  void rearm();
  // Reads no more until fewer than so many octets are held back.
  [[gnu::cold]] void park(std::size_t until);
  void unpark();
  // Ends it if the message that is arriving takes too long.
  [[gnu::cold]] void watch_message();
  void fall_idle();
  // A reply is written while its request is served: what comes next waits in the socket.
  bool read_while_writing() override { return false; }
  bool try_begin_reading() override { return false; }
  transport::Readiness wait_to_write(bool read, base::Deadline until) override;
  void begin_waiting_for_writers() override;
  void end_waiting_for_writers() override;
  bool may_wait_for_writers() const override { return !UpcallLock::held_here(); }
  bool should_hold_back() override;
  bool hold_back(const iovec* parts, int count) override;
  bool leave_queue() override;
  transport::Io write_held_back();
  void forget_held_back(std::size_t size);
  void let_go_of_held_back();
  // What was read while nothing could be served.
  struct Ahead {
    MessageReader::Status status;
    Message message;
  };
  void read_ahead();
  bool handle_ahead(std::unique_ptr<ServerRequest>& request);

  Orb& orb_;
  Server& server_;
  std::atomic<std::uint32_t> state_{Armed};
  std::atomic<std::int32_t> active_{0};  // requests being served
  std::atomic<std::uint8_t> flags_{0};   // of Flag
  std::atomic<bool> answers_{false};     // it has ended but for what is still to be answered
  std::atomic<Goodbye> goodbye_{Goodbye::Unsaid};
  RunningRequests running_;
  // What leads to the client's own objects, if it offered that; of whoever has the reading role.
  base::Ref<ReverseConnection> callbacks_;
  std::atomic<std::size_t> listen_points_{0};  // that it was offered and took
  // Some of its upcalls are long: so many of the next ones give the role up at once.
  std::atomic<std::uint32_t> hand_offs_{0};
  std::atomic<std::uint32_t> resting_{0};  // the thread that rests, until somebody takes it back
  bool may_rest_ = true;  // of whoever has the reading role, as what follows: as far as is known
  bool rested_ = false;   // its reads have not the usual limit
  std::uint32_t mid_message_at_rest_ = 0;  // reads_mid_message_ when a rest was thought of last
  std::uint32_t reads_mid_message_ = 0;
  std::size_t watched_size_ = 0;  // octets that were there of the message at message_since_
  std::size_t oneway_ = 0;        // octets of the last message, if it was one-way: more are likely to follow
  base::Pause pause_;             // of whoever has the reading role
  giop::AnnouncedText text_;      // of whoever has the reading role
  StandingOffer offer_;           // of whoever has the reading role
  ServerRequest* current_ = nullptr;  // published by state_
  std::uint32_t serial_ = 0;
  std::uint32_t seen_state_ = 0;     // leader's: state at the last look
  std::uint32_t seen_at_ = 0;        // the number of that
  std::uint32_t seen_at_rest_ = 0;   // the leader's, as what follows: state of a thread that rests
  base::Deadline silent_since_ = 0;  // since when it is that
  bool lingers_ = false;             // of whoever has the reading role, as what follows
  std::string kept_replies_;         // of whoever has the reading role, as what follows
  std::int32_t kept_count_ = 0;
  base::Deadline kept_since_ = 0;
  std::unique_ptr<Ahead> ahead_;  // of whoever has the reading role
  // Replies that their client does not take while others are to be served.
  struct HeldBack {
    std::string octets;
    std::size_t written = 0;
    std::size_t progress = 0;  // octets that were written since `until` was set
    base::Deadline until = 0;
    base::Deadline looked_at = 0;  // when room was looked for last
  };
  HeldBack held_back_;                            // guarded by the write mutex, as holds_back_
  bool others_wait_ = false;                      // of whoever has the write mutex
  std::atomic<std::size_t> held_size_{0};         // octets of replies held back
  std::atomic<std::size_t> parked_until_{0};      // it is not read until fewer than these are left; 0: it is
  std::atomic<base::Deadline> idle_since_{0};     // since when it waits for the next message; 0: it does not
  base::Deadline goodbye_at_ = 0;                 // the leader's: when it was closed because it was idle
  std::atomic<base::Deadline> message_since_{0};  // since when what is arriving makes too little progress
  std::atomic<giop::Version> version_{giop::Version{1, 0}};
};

}  // namespace corbel::core
