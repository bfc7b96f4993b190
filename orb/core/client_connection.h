// The client's end of a connection: many requests in flight, replies in any order, read by the threads that
// wait.
#pragma once

#include <cstdint>
#include <vector>

#include "orb/core/connection.h"
#include "orb/core/server.h"

namespace corbel::core {

class ClientInvocation;

// Thread-safe.
class ClientConnection final : public Connection, public EventHandler {
 public:
  ClientConnection(Orb& orb, std::atomic<std::uint64_t>& pending_bytes,
                   std::unique_ptr<transport::Stream> stream, giop::Version version);

  enum class Outcome {
    Replied,  // the invocation holds the reply message
    SentOneway,
    NotSent,  // safe to send elsewhere: no byte left, or the peer said that it did not process it
    Lost,     // sent, and the connection ended without a reply
    TimedOut,
    Refused  // the peer answered MessageError
  };
  // Sends the invocation's message and waits for its reply, if one is expected.
  Outcome exchange(ClientInvocation& invocation);

  bool usable() const { return !closed_.load(std::memory_order_acquire); }
  // As !usable(), but looks whether the server has said goodbye meanwhile.
  bool ended();
  giop::Version version() const { return version_; }
  // The code set context goes with every request until one that had it has left.
  bool code_sets_sent() const { return code_sets_sent_.load(std::memory_order_relaxed); }
  void set_code_sets_sent() { code_sets_sent_.store(true, std::memory_order_relaxed); }

  // The reactive server's loop reads this connection while its threads wait.
  void ready(bool may_linger) override;

  // Tells the server that nobody waits for the reply any more.
  void cancel(std::uint32_t request_id);

  // Ends the connection in good order: CloseConnection where the version lets a client send it.
  void close();

 private:
  static constexpr std::uint32_t kIndexBits = 12;
  static constexpr std::uint32_t kMostInFlight = (1u << kIndexBits) - 1;  // the last index is for one-ways
  static constexpr std::uint32_t kNoSlot = kMostInFlight;

  // The reactive server that reads this connection, null if its callers do.
  Server* attach(Server& server);
  bool add(ClientInvocation& invocation);
  bool add_slot();
  bool wait_to_read(ClientInvocation& invocation);
  // Reads and hands out messages until `invocation` is complete or the connection ends.
  void read_for(ClientInvocation& invocation);
  // Hands out what is in the reader's memory already. False when the connection has ended.
  bool deliver_buffered(bool writing = false);
  // The common case of that: nothing is there but the reply to `invocation`. Then the role is given up too.
  bool deliver_to(ClientInvocation& invocation);
  void deliver(Message& message);
  bool read_once(base::Deadline deadline);
  bool read_while_writing() override;
  bool try_begin_reading() override;
  void remove(ClientInvocation& invocation);
  void pass_on_reading();
  void fail_all(Outcome outcome);

  Orb& orb_;
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
  std::uint32_t next_serial_ = 0;
  bool reading_ = false;  // some thread, or the reactive server's loop, has the reading role
  Server* attached_ = nullptr;
  std::atomic<bool> closed_{false};
  std::atomic<bool> code_sets_sent_{false};
};

}  // namespace corbel::core
