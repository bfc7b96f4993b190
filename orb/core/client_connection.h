// The client's end of a connection: many requests in flight, replies in any order, read by the threads that
// wait.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "orb/core/abstract_server.h"
#include "orb/core/connection.h"
#include "orb/core/sleepers.h"

namespace corbel::core {

class ClientInvocation;

// Thread-safe.
class ClientConnection : public Connection, public EventHandler {
 public:
  ClientConnection(Orb& orb, std::atomic<std::uint64_t>& pending_bytes,
                   std::unique_ptr<transport::Stream> stream, giop::Version version);

  enum class Outcome {
    Replied,  // the invocation holds the reply message
    SentOneway,
    NotSent,  // safe to send elsewhere: not every byte left, or the peer said that it did not process it
    Lost,     // sent, and the connection ended without a reply
    TimedOut,
    Refused,    // the peer answered MessageError
    Garbled,    // or nothing that can be read
    QueueFull,  // nobody waits for it, and too much waits to be sent already
    NoThread,   // not sent: the calling thread is the last one that could read the reply
    Denied      // the peer does not accept who this end is, and has done nothing; denial() says why
  };
  // Sends the invocation's message and waits for its reply, if one is expected.
  Outcome exchange(ClientInvocation& invocation);
  // The same of a message that takes long to prepare.
  Outcome exchange_apart(ClientInvocation& invocation);

  // ---- requests whose replies are waited for later, or by nobody in particular (client_deferred.cc)
  // Sends the invocation's message. False: it is not under way; `outcome` says what has become of it.
  bool send(ClientInvocation& invocation, Outcome& outcome);
  // Waits for the reply to one that was sent.
  Outcome receive(ClientInvocation& invocation);
  // Takes what has arrived, or what arrives first until then, for whomever it is.
  void take_arrived(ClientInvocation& invocation, base::Deadline until);

  // ---- requests that leave while they are being marshaled (client_streaming.cc)
  // Gives the invocation its request id. False when the connection has ended or is full.
  bool begin_stream(ClientInvocation& invocation);
  // Behind each piece; `reading` tells that it has taken the reading role.
  void sent_piece(bool reading);
  // What has become of a request one piece of which, perhaps the first, has not left.
  Outcome piece_not_sent(ClientInvocation& invocation, Sent sent, bool first, bool reading);
  // The last piece has left if `sent` says so: waits for the reply, if one is expected.
  Outcome end_stream(ClientInvocation& invocation, Sent sent, bool reading);
  // No reply is for it any more.
  void forget(ClientInvocation& invocation);
  // Tells the server that the rest of a request does not come. `stopped`: or it was told, if that has left.
  void cancel_incomplete(std::uint32_t request_id, base::Deadline deadline);
  void stopped(Sent sent, bool reading);
  // Its messages do not go over a connection that the server has made.
  bool has_stream() const { return has_stream_; }
  // Who is at the other end; null where that is not known.
  virtual const transport::PeerIdentity* peer_identity() { return stream().identity(); }

  // Sends a whole message that nobody waits for.
  [[gnu::cold]] virtual void send_posted(const std::string& message);
  // It has been written, or never will be.
  [[gnu::cold]] void end_posted();
  // Ends what that waits for. Any thread.
  [[gnu::cold]] virtual void give_up_posted() { abort(); }

  bool usable() const { return !closed_.load(std::memory_order_acquire); }
  bool awaits_replies();
  // Whether requests are under way for all the ids that it has.
  bool full();
  // As !usable(), but looks whether the server has said goodbye meanwhile.
  [[gnu::cold]] bool ended();
  // Somebody waits for a reply here.
  bool waited_for();
  giop::Version version() const { return version_; }
  const char* denial() const { return denial_.load(std::memory_order_relaxed); }
  // The code set context goes with every request until one that had it has left.
  bool code_sets_sent() const { return code_sets_sent_.load(std::memory_order_relaxed); }
  void set_code_sets_sent() { code_sets_sent_.store(true, std::memory_order_relaxed); }

  // What goes with the first request; empty if callbacks are not offered.
  const std::string& callback_offer() const { return callback_offer_; }
  // A connection carries text in one form: false if others use it already with another one.
  bool claim_text(std::uint32_t text);
  // The server was told that it may answer so.
  void expect_compressed(Compression& compression) { reader_.expect_compressed(&compression); }

  // The reactive server's loop reads this connection while its threads wait.
  void ready(bool may_linger) override;

  // Tells the server that nobody waits for the reply any more.
  [[gnu::cold]] void cancel(std::uint32_t request_id);

  // In a forked child: it was the parent's.
  void cut_off() {
    let_go_of_stream();
    closed_.store(true, std::memory_order_release);
  }

  // Takes no more requests if nobody has used it since this was asked last. True if so, or if it has ended.
  [[gnu::cold]] bool retire_if_idle();
  // Ends connections in good order: CloseConnection where the version lets a client send it, once the
  // callbacks that run have been answered. Not from one of them. Where something may still come for one that
  // has carried what nobody waits for, it is read until the server has ended it, a second at most for all.
  [[gnu::cold]] static void close(ClientConnection* all);
  // One more of these.
  void add_to(ClientConnection*& all) {
    add_ref();
    next_to_close_ = std::exchange(all, this);
  }

 protected:
  static constexpr std::uint32_t kIndexBits = 12;
  static constexpr std::uint32_t kMostInFlight = (1u << kIndexBits) - 1;  // the last index is for one-ways
  // After so many octets of large one-ways a peer that shares the processor may read.
  static constexpr std::size_t kLargeOneway = 32 * 1024;
  static constexpr std::size_t kRunOfOneways = 256 * 1024;
  // So many small ones, with few other requests among them, are a flood.
  static constexpr std::size_t kSmallOneway = 12 * 1024;
  static constexpr std::uint32_t kManyOneways = 64;
  static constexpr std::uint32_t kNoSlot = kMostInFlight;

  // Gives the invocation a slot and its request id. False when the connection has ended or is full. With the
  // mutex, as remove().
  bool add(ClientInvocation& invocation);
  void remove(ClientInvocation& invocation);
  // Sleeps until the reply is there (false) or this thread has the reading role (true).
  bool wait_to_read(ClientInvocation& invocation);
  Outcome wait_in_loop(ClientInvocation& invocation, AbstractServer& loop);
  transport::Readiness wait_to_write(bool read, base::Deadline until) override;
  // Somebody waits for the reply of that id.
  [[gnu::cold]] static bool awaited(void* by, std::uint32_t request_id);
  // Hands a message to the invocation that it answers.
  void deliver(Message& message, MessageReader& reader);
  // Those that were marked wake up; not with the mutex, which they want.
  void wake_marked();
  // The connection has ended: everyone who waits is told. Those whose replies have begun to arrive in
  // `begun`, if it is not null, have lost them.
  [[gnu::cold]] void fail_all(Outcome outcome, const MessageReader* begun = nullptr);
  // The same when reading has failed.
  [[gnu::cold]] void fail_all();
  // The reading role goes to a thread that waits, or nobody has it.
  void pass_on_reading();
  // An event has come. False: close() has taken the loop's role, and this is the last.
  bool take_event();
  // Back to the loop that it is attached to.
  void rearm();
  // Before CloseConnection, which says that what was not answered was not done: no callback begins from here
  // on, and those that run are answered. False if that was not over at the deadline.
  virtual bool end_callbacks(base::Deadline) { return true; }
  // Exchanges where has_stream_ is false.
  virtual Outcome exchange_without_stream(ClientInvocation&) { return Outcome::NotSent; }
  // Their two halves.
  virtual bool send_without_stream(ClientInvocation&, Outcome& outcome) {
    outcome = Outcome::NotSent;
    return false;
  }
  virtual Outcome wait_without_stream(ClientInvocation&) { return Outcome::NotSent; }
  // Of a message half of which has left, and whose rest the peer did not take in time.
  [[gnu::cold]] static Outcome stuck(base::Deadline deadline);
  // The message of an invocation that never waits.
  [[gnu::cold]] Outcome post(ClientInvocation& invocation);
  virtual void send_octets(char* message, std::size_t size) { send_small(message, size); }

 private:
  // The reactive server that reads this connection, null if its callers do.
  AbstractServer* attach(AbstractServer& server);
  bool said_goodbye();
  [[gnu::cold]] bool add_slot();
  // False if it is to be heard out, and ended then.
  [[gnu::cold]] bool close();
  // False if more may come.
  [[gnu::cold]] bool hear_out();
  [[gnu::cold]] void end();
  // For the one event that is still due after hear_out() has taken the loop's role: nobody asks for another.
  [[gnu::cold]] void leave_loop();
  Outcome send_oneway(ClientInvocation& invocation);
  void note_oneway(std::uint32_t serial, std::size_t size);
  void take_turns(std::size_t sent);
  // The rest of exchange(), with the mutex, where others write or are about to: see client_gather.cc.
  Outcome exchange_among_others(ClientInvocation& invocation, AbstractServer* loop);
  Outcome await_reply(ClientInvocation& invocation, AbstractServer* loop, bool reading);
  void gather(base::Deadline deadline);
  void stop_gathering(base::Deadline deadline);
  bool leave_queue() override;
  void queue_lost() override;
  void stop_reading_role() override;
  Outcome sent_oneway(Sent sent, bool reading, base::Deadline deadline);
  // What has become of a two-way request that was not sent whole.
  [[gnu::cold]] Outcome not_sent(ClientInvocation& invocation, Sent sent, bool reading);
  // Reads and hands out messages until `invocation` is complete or the connection ends.
  void read_for(ClientInvocation& invocation);
  // Hands out what is in the reader's memory already. False when the connection has ended.
  bool deliver_buffered(bool writing = false) {
    const bool alive = deliver_all(writing);
    wake_marked();
    return alive;
  }
  // Those who got a reply are only marked, as in deliver(): wake_marked() goes after it.
  bool deliver_all(bool writing = false);
  // The common case of that: nothing is there but the reply to `invocation`. Then the role is given up too.
  bool deliver_to(ClientInvocation& invocation);
  [[gnu::cold]] void give_up(ClientInvocation& invocation);
  void deliver(Message& message) { deliver(message, reader_); }
  bool read_once(base::Deadline deadline);
  transport::IoResult read_until(const MessageReader::Space& space, base::Deadline deadline);
  bool read_while_writing() override;
  bool said_to_be_over() const override { return goodbye_.load(std::memory_order_relaxed); }
  bool try_begin_reading() override;
  // The same as pass_on_reading() with the mutex; who gets it is marked.
  void mark_reader();

 protected:
  Orb& orb_;
  bool has_stream_ = true;
  const giop::Version version_;
  base::Mutex mutex_;  // guards what follows
  // Requests in flight, by the index in their ids; the free slots are a list.
  struct Slot {
    ClientInvocation* invocation;
    std::uint32_t next_free;
  };
  std::vector<Slot> slots_;
  std::uint32_t first_free_ = kNoSlot;
  std::uint32_t in_flight_ = 0;
  bool gave_up_ = false;  // on a reply, which may still come
  std::uint32_t next_serial_ = 0;
  std::uint32_t idle_serial_ = ~0u;  // next_serial_ when idleness was asked for last: a new one is not idle
  std::uint32_t posted_ = 0;         // messages that have not come to end_posted()
  Sleepers::Marks marked_;           // those to wake once the mutex is free
  // Bidirectional connections: ids of their originator are even, those of the other end odd; -1 where it is
  // all the same.
  int parity_ = -1;
  std::uint32_t oneway_index_ = kMostInFlight;
  std::atomic<std::uint32_t> small_oneways_{0}, serial_of_many_{0};  // counted roughly
  std::atomic<std::size_t> oneways_sent_{0};  // octets since the last pause; counted roughly
  bool gathering_ = false;                    // whoever reads next writes what is queued first
  bool reading_ = false;  // some thread, or the reactive server's loop, has the reading role
  Sleepers sleepers_;     // by the index in their ids
  AbstractServer* attached_ = nullptr;
  // Whoever clears it has the loop's role, and sees what the thread that armed it has written.
  std::atomic<bool> armed_{false};
  bool to_hear_out_ = false, hears_out_ = false;  // close()'s
  ClientConnection* next_to_close_ = nullptr;
  bool woke_others_ = false;        // of whoever has the reading role, as what follows
  std::uint32_t no_gathering_ = 0;  // how often it was not worth waiting for others
  std::string callback_offer_;
  std::atomic<std::uint64_t> text_claim_{0};  // 1 more than the form, 0 while there is none
  std::atomic<bool> closed_{false};
  std::atomic<bool> goodbye_{false};  // the peer has said CloseConnection
  std::atomic<bool> code_sets_sent_{false};
  std::atomic<const char*> denial_{nullptr};
  // Coarse seconds: when the last one-way went out; 0 until something has whose sender need not wait for it.
  std::atomic<std::int64_t> oneway_at_{0};
};

// Reads what is there, waiting for it until the deadline. False where nothing was there by then, and when the
// connection ends.
inline bool ClientConnection::read_once(base::Deadline deadline) {
  const auto space = reader_.space();
  const auto [status, bytes] =
      deadline == base::kNoDeadline ? stream_->read(space.at, space.size) : read_until(space, deadline);
  if (status == transport::Io::Ok) [[likely]] {
    reader_.commit(bytes);
    return true;
  }
  if (status == transport::Io::WouldBlock) return true;
  if (status == transport::Io::TimedOut) return deadline == base::kNoDeadline;
  fail_all();
  return false;
}

}  // namespace corbel::core
