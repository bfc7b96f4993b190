// The server's end of a connection.
#pragma once

#include <atomic>

#include "orb/core/connection.h"
#include "orb/core/server.h"
#include "orb/core/server_request.h"

namespace corbel::core {

// One thread at a time has the reading role: the event loop while the connection is armed, else the thread
// that serves it. During an upcall the role may be taken from the serving thread by another; whoever wins the
// state word has it.
class ServerConnection final : public Connection, public EventHandler {
 public:
  ServerConnection(Orb& orb, Server& server, std::unique_ptr<transport::Stream> stream);

  void ready(bool may_linger) override;

  // Leader's look: takes the reading role away from an upcall that has run since the last look. The caller
  // then has the role and must give the connection to the loop (resume()).
  bool take_from_stuck_upcall();
  // The upcall's own thread gives the role up because it is going to wait.
  void give_up(ServerRequest& request);
  // Back to the loop, or to the queue where whole messages are in memory.
  void resume();

  // Says goodbye once no request runs; new requests are not taken.
  void close_when_idle();
  // A message has been arriving for too long.
  bool overdue(base::Deadline now) const;
  bool mid_message() const { return message_since_.load(std::memory_order_relaxed) != 0; }
  // A thread inside a read returns; what was written still reaches the peer.
  void abort_reading() { stream_->stop_reading(); }
  bool in_upcall() const { return (state_.load(std::memory_order_relaxed) & 3) == InUpcall; }

 private:
  enum State : std::uint32_t {
    Armed,
    Reading,
    InUpcall,
    Taking
  };  // low bits; above them the upcall's serial

  // False when the thread no longer has the reading role, or the connection has ended.
  bool handle_buffered(std::unique_ptr<ServerRequest>& request);
  bool handle(Message& message, std::unique_ptr<ServerRequest>& request);
  bool serve(Message& message, std::unique_ptr<ServerRequest>& request);
  // Waits for bytes, at most for the linger time.
  transport::IoResult read(const MessageReader::Space& space);
  bool locate(Message& message);
  bool take(std::uint32_t state);
  bool protocol_error();
  bool send_reply(ServerRequest& request);
  void request_done();
  void say_goodbye();
  void end();
  void rearm();
  // A reply is written while its request is served: what comes next waits in the socket.
  bool read_while_writing() override { return false; }
  bool try_begin_reading() override { return false; }

  Orb& orb_;
  Server& server_;
  std::atomic<std::uint32_t> state_{Reading};
  std::atomic<std::int32_t> active_{0};  // requests being served
  std::atomic<bool> closing_{false};
  std::atomic<bool> goodbye_said_{false};
  std::atomic<bool> hand_off_{false};  // its upcalls are long: give the role up before each
  bool bulk_ = false;  // the last message was a large one-way: more are likely to follow at once
  bool utf8_ = false;  // what the peer announced last, of whoever has the reading role
  ServerRequest* current_ = nullptr;  // published by state_
  std::uint32_t serial_ = 0;
  std::uint32_t seen_state_ = 0;  // leader's: state at the last look
  std::uint32_t seen_serial_ = 0;
  std::atomic<base::Deadline> message_since_{0};  // when the message that is arriving began
  std::atomic<giop::Version> version_{giop::Version{1, 0}};
};

}  // namespace corbel::core
