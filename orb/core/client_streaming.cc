// Requests that leave in fragments while they are being marshaled.
//
// Before the first fragment has left whatever goes wrong is dealt with as for any request, for its arguments
// are all there. Afterwards they are not: who calls has to write them again. Until the last fragment has left
// no server can have carried the request out.
#include <mutex>

#include "orb/core/abstract_server.h"
#include "orb/core/client_connection.h"
#include "orb/core/client_invocation.h"
#include "orb/core/orb.h"
#include "orb/core/wait_in_upcall.h"
#include "orb/giop/request.h"

namespace corbel::core {
namespace {

using Outcome = ClientConnection::Outcome;

// How long a CancelRequest may take to leave where a deadline has passed already.
constexpr std::int64_t kLastPatience = 20'000'000;

}  // namespace

// ---- the connection's part

bool ClientConnection::begin_stream(ClientInvocation& invocation) {
  if (AbstractServer* const server = orb_.server()) attach(*server);
  if (!invocation.expects_reply() && said_goodbye()) return false;
  invocation.state.store(ClientInvocation::Waiting, std::memory_order_relaxed);
  invocation.sleeping = false;
  std::lock_guard lock(mutex_);
  return add(invocation);
}

void ClientConnection::sent_piece(bool reading) {
  if (reading) stop_reading_role();
}

Outcome ClientConnection::piece_not_sent(ClientInvocation& invocation, Sent sent, bool first, bool reading) {
  if (sent != Sent::TimedOut) {
    const Outcome outcome = not_sent(invocation, first ? sent : Sent::Part, reading);
    // To write it all again is worth it where the server has said that it takes it elsewhere.
    return first || outcome != Outcome::NotSent || said_to_be_over() ? outcome
                                                                     : stuck(invocation.send_deadline());
  }
  // Others wrote all the time: the connection is as good as before.
  forget(invocation);
  if (!first) invocation.stop_short(*this, base::now() + kLastPatience);
  return Outcome::NotSent;
}

Outcome ClientConnection::end_stream(ClientInvocation& invocation, Sent sent, bool reading) {
  if (sent != Sent::All) return piece_not_sent(invocation, sent, false, reading);
  if (invocation.expects_reply()) {
    AbstractServer* const server = orb_.server();
    return await_reply(invocation, server ? attach(*server) : nullptr, reading);
  }
  forget(invocation);
  sent_piece(reading);
  return Outcome::SentOneway;
}

void ClientConnection::forget(ClientInvocation& invocation) {
  std::lock_guard lock(mutex_);
  gave_up_ |= invocation.expects_reply() &&
              invocation.state.load(std::memory_order_relaxed) != ClientInvocation::Complete;
  remove(invocation);
}

// No fragment of the request follows it.
void ClientConnection::cancel_incomplete(std::uint32_t request_id, base::Deadline deadline) {
  char message[giop::kCancelRequestSize];
  giop::write_cancel_request(message, version_, request_id);
  const iovec part{message, sizeof message};
  bool reading = false;
  const Sent sent = write(&part, 1, deadline, reading);
  stopped(sent, reading);
}

// A connection that does not take it is of no use any more: its peer would keep what has arrived.
void ClientConnection::stopped(Sent sent, bool reading) {
  sent_piece(reading);
  if (sent == Sent::All) return;
  closed_.store(true, std::memory_order_release);
  abort();
}

// ---- the invocation's

bool ClientInvocation::may_stream() const {
  return operation_->streams && !hooks_ && !never_waits_ && !compresses_ && binding_->connection &&
         binding_->version.minor >= 2 && binding_->connection->has_stream();
}

bool ClientInvocation::stream(cdr::Encoder& out) {
  if (!streamed_.worth_sending(out)) return false;
  if (!streaming_) return begin_streaming();
  if (!send_piece({}, 0)) {
    leave_stream();
    stop_streaming({});
  }
  return true;
}

// False: the request stays whole.
bool ClientInvocation::begin_streaming() {
  if (!binding_ || !may_stream()) return false;
  written_.binding = 0;
  for (;;) {
    bool again = false;
    SystemError error;
    incomplete_ = false;
    if (!binding_) {
      error = rebind();
      if (error) error = lost(error, false, again);
      else if ((to_write_again_ = !fits())) return stop_streaming({}), true;
    } else if (!may_stream()) {
      return false;
    } else if (!binding_->located.load(std::memory_order_relaxed)) {
      error = locate(again);
    } else if (!binding_->connection->reserve_streaming()) {
      return false;
    } else {
      streaming_ = binding_->connection;
      omniorb_ = binding_->omniorb;
      outcome = Outcome::NotSent;
      if (streaming_->begin_stream(*this)) {
        if (header_for_ != binding_.get()) write_header();
        giop::set_request_id(header(), binding_->version, header_contexts_, request_id);
        if (send_piece({header(), header_offset_}, begin_)) return true;
      }
      leave_stream();
      incomplete_ = true;
      if (outcome == Outcome::Replied) {
        stop_streaming({});
        return true;
      }
      error = failed(outcome, again);
    }
    if (!error || again) continue;
    stop_streaming(error);
    return true;
  }
}

// What is settled leaves. False: `outcome` tells why not.
bool ClientInvocation::send_piece(const iovec& header, std::size_t from) {
  const bool first = !streamed_.open();
  incomplete_ = true;
  if (state.load(std::memory_order_acquire) ==
      Complete) {  // before it was asked whole, or the connection has ended
    if (!first && outcome == Outcome::Replied) stop_short(*streaming_, send_deadline_);
    return false;
  }
  const WaitInUpcall wait;
  bool reading = false;
  const Sent sent = streamed_.send(*streaming_, arguments_, header, from, send_deadline_, reading);
  if (sent == Sent::All) streaming_->sent_piece(reading);
  else outcome = streaming_->piece_not_sent(*this, sent, first, reading);
  return sent == Sent::All;
}

// Whatever else is written is in vain.
void ClientInvocation::stop_streaming(const SystemError& error) {
  stopped_ = true;
  stop_error_ = error;
  arguments_.fail(
      {SystemErrorId::TRANSIENT, Completion::No, 0, "the request was given up while it was written"});
}

void ClientInvocation::leave_stream() {
  streamed_.abandon();
  streaming_->release_streaming();
  streaming_ = nullptr;
}

// It cannot be written to its end.
void ClientInvocation::cancel_streaming() {
  streaming_->forget(*this);
  stop_short(*streaming_, send_deadline_);
  leave_stream();
}

// A CancelRequest takes the place of the fragments that do not come. omniORB (4.2) reads it again and again
// without end; it checks each length, so a request that ends early is sure to be refused there. Others might
// take what lies behind it for arguments.
void ClientInvocation::stop_short(ClientConnection& connection, base::Deadline deadline) {
  if (!omniorb_) return connection.cancel_incomplete(request_id, deadline);
  bool reading = false;
  const Sent sent = streamed_.end(connection, nullptr, deadline, reading);
  connection.stopped(sent, reading);
}

Outcome ClientInvocation::end_streaming() {
  const WaitInUpcall wait(expects_reply());
  if (!wait.granted()) {
    cancel_streaming();
    incomplete_ = true;
    return Outcome::NoThread;
  }
  const base::Ref<ClientConnection> connection = streaming_;
  if (state.load(std::memory_order_acquire) == Complete) {
    if (outcome == Outcome::Replied) stop_short(*connection, send_deadline_);
    leave_stream();
    return outcome;
  }
  bool reading = false;
  const Sent sent = streamed_.end(*connection, &arguments_, send_deadline_, reading);
  leave_stream();
  incomplete_ = sent != Sent::All;
  return connection->end_stream(*this, sent, reading);
}

SystemError ClientInvocation::run_streamed(ReplyKind& kind) {
  if (std::exchange(to_write_again_, false)) return write_again(kind);
  bool again = false;
  SystemError error = stop_error_;
  if (!stopped_ && arguments_.error()) {
    error = arguments_.error();
    cancel_streaming();
    return error;
  }
  if (!stopped_) error = after(end_streaming(), again, kind);
  else if (!error) error = after(outcome, again, kind);
  return again || (error && retried(error)) ? write_again(kind) : error;
}

// The arguments are gone, or are not what the present binding wants.
SystemError ClientInvocation::write_again(ReplyKind& kind) {
  stopped_ = incomplete_ = false;
  stop_error_ = {};
  while (!binding_) {
    SystemError error = target_->bind(binding_, send_deadline_, tried_, connect_timeout_, failed_profiles_);
    if (!error) break;
    bool again = false;
    error = lost(error, false, again);
    if (!again && !retried(error)) return error;
  }
  begin_arguments();
  written_.binding = 0;
  kind = ReplyKind::WriteAgain;
  return {};
}

}  // namespace corbel::core
