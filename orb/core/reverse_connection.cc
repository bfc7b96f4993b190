#include "orb/core/reverse_connection.h"

#include <mutex>

#include "orb/core/client_invocation.h"
#include "orb/core/orb.h"
#include "orb/core/server_connection.h"

namespace corbel::core {

// Its reading role is never to be had: the carrier reads.
ReverseConnection::ReverseConnection(Orb& orb, ServerConnection& carrier)
    : ClientConnection(orb, orb.pending_bytes(), nullptr, {1, 2}),
      carrier_(base::Ref<ServerConnection>::share(&carrier)) {
  has_stream_ = false;
  parity_ = 1;
  reading_ = true;
}

ReverseConnection::~ReverseConnection() = default;

const transport::PeerIdentity* ReverseConnection::peer_identity() { return carrier_->stream().identity(); }

ClientConnection::Outcome ReverseConnection::exchange_without_stream(ClientInvocation& invocation) {
  Outcome outcome = Outcome::SentOneway;
  const bool waits = invocation.expects_reply();
  AbstractServer& server = *orb_.server();
  if (waits && !server.begin_dependent()) return Outcome::NoThread;
  if (send_without_stream(invocation, outcome) && waits) outcome = wait(invocation);
  if (waits) server.end_dependent();
  return outcome;
}

bool ReverseConnection::send_without_stream(ClientInvocation& invocation, Outcome& outcome) {
  iovec parts[kMostParts];
  const bool expected = invocation.expects_reply();
  outcome = Outcome::NotSent;
  {
    std::lock_guard lock(mutex_);
    if (closed_.load(std::memory_order_relaxed)) return false;
    if (expected) {
      invocation.state.store(ClientInvocation::Waiting, std::memory_order_relaxed);
      invocation.sleeping = false;
      if (!add(invocation)) return false;
    } else {
      invocation.request_id = ++next_serial_ << kIndexBits | oneway_index_;
    }
  }
  if (invocation.never_waits()) {
    outcome = post(invocation);
    return false;
  }
  const Sent sent = carrier_->send_callback(parts, invocation.prepare(parts), invocation.send_deadline());
  if (sent == Sent::All) {
    outcome = Outcome::SentOneway;
    return true;
  }
  std::lock_guard lock(mutex_);
  if (expected) remove(invocation);
  if (sent == Sent::TimedOut) return false;  // the connection is as good as before
  closed_.store(true, std::memory_order_release);
  if (sent == Sent::Stuck) outcome = stuck(invocation.send_deadline());
  return false;
}

// For the reply to a deferred one, which has left.
ClientConnection::Outcome ReverseConnection::wait_without_stream(ClientInvocation& invocation) {
  AbstractServer& server = *orb_.server();
  if (!server.begin_dependent()) {
    forget(invocation);
    return Outcome::Lost;
  }
  const Outcome outcome = wait(invocation);
  server.end_dependent();
  return outcome;
}

ClientConnection::Outcome ReverseConnection::wait(ClientInvocation& invocation) {
  AbstractServer& server = *orb_.server();
  if (server.reactive()) return wait_in_loop(invocation, server);
  wait_to_read(invocation);
  return invocation.outcome;
}

void ReverseConnection::send_posted(const std::string& message) {
  const iovec part{const_cast<char*>(message.data()), message.size()};
  if (usable() && carrier_->send_callback(&part, 1, base::kNoDeadline) != Sent::All)
    closed_.store(true, std::memory_order_release);
}

void ReverseConnection::give_up_posted() { carrier_->abort(); }

void ReverseConnection::send_octets(char* message, std::size_t size) { carrier_->send_now(message, size); }

}  // namespace corbel::core
