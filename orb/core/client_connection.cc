#include "orb/core/client_connection.h"

#include <mutex>

#include "orb/core/client_invocation.h"
#include "orb/core/orb.h"
#include "orb/core/server.h"
#include "orb/giop/reply.h"
#include "orb/giop/request.h"

namespace corbel::core {

ClientConnection::ClientConnection(Orb& orb, std::atomic<std::uint64_t>& pending_bytes,
                                   std::unique_ptr<transport::Stream> stream, giop::Version version)
    : Connection(orb.options(), pending_bytes, std::move(stream)), orb_(orb), version_(version) {}

// Gives the invocation a slot and its request id. False when the connection has ended or is full.
inline bool ClientConnection::add(ClientInvocation& invocation) {
  if (closed_.load(std::memory_order_relaxed)) return false;
  if (first_free_ == kNoSlot && !add_slot()) [[unlikely]]
    return false;
  const std::uint32_t index = first_free_;
  Slot& slot = slots_[index];
  first_free_ = slot.next_free;
  slot.invocation = &invocation;
  ++in_flight_;
  invocation.request_id = ++next_serial_ << kIndexBits | index;
  return true;
}

bool ClientConnection::add_slot() {
  if (slots_.size() == kMostInFlight) return false;
  first_free_ = static_cast<std::uint32_t>(slots_.size());
  slots_.push_back({nullptr, kNoSlot});
  return true;
}

inline void ClientConnection::remove(ClientInvocation& invocation) {
  const std::uint32_t index = invocation.request_id & kMostInFlight;
  if (index >= slots_.size() || slots_[index].invocation != &invocation) return;
  slots_[index] = {nullptr, first_free_};
  first_free_ = index;
  --in_flight_;
}

// A reactive ORB has one reader, its loop: a thread that waits runs it, so that it can be called back
// meanwhile.
Server* ClientConnection::attach(Server& server) {
  if (!server.reactive()) return nullptr;
  std::lock_guard lock(mutex_);
  if (!attached_ && !reading_) {
    reading_ = true;
    attached_ = &server;  // before the first event
    if (!server.attach(*this)) {
      // The loop has no room: callers read for themselves and cannot be called back meanwhile.
      reading_ = false;
      attached_ = nullptr;
    }
  }
  return attached_;
}

void ClientConnection::ready(bool) {
  const auto self = base::Ref<ClientConnection>::share(this);
  const auto space = reader_.space();
  const auto [status, bytes] = stream_->try_read(space.at, space.size);
  if (status == transport::Io::Ok) reader_.commit(bytes);
  const bool alive = status == transport::Io::Ok || status == transport::Io::WouldBlock;
  if (alive && deliver_buffered()) {
    attached_->loop().arm(stream_->descriptor(), static_cast<EventHandler*>(this));
  } else {
    if (!alive) fail_all(Outcome::Lost);
    attached_->detach(*this);
  }
  attached_->notify_progress();
}

ClientConnection::Outcome ClientConnection::exchange(ClientInvocation& invocation) {
  Server* const server = orb_.server();
  Server* const loop = server ? attach(*server) : nullptr;
  iovec parts[cdr::Encoder::kMaxExternals * 2 + 2];
  if (!invocation.expects_reply()) {
    mutex_.lock();
    invocation.request_id = ++next_serial_ << kIndexBits | kMostInFlight;
    const bool open = !closed_.load(std::memory_order_relaxed);
    mutex_.unlock();
    bool reading = false;
    const Sent sent =
        open ? write(parts, invocation.prepare(parts), invocation.deadline(), reading) : Sent::Nothing;
    if (reading) {
      mutex_.lock();
      pass_on_reading();
      mutex_.unlock();
    }
    if (sent == Sent::All) return Outcome::SentOneway;
    // Those who wait for replies are told by whoever reads.
    closed_.store(true, std::memory_order_release);
    if (sent == Sent::Part) abort();
    return sent == Sent::Nothing ? Outcome::NotSent : Outcome::Lost;
  }

  invocation.state.store(ClientInvocation::Waiting, std::memory_order_relaxed);
  invocation.sleeping = false;
  mutex_.lock();
  if (!add(invocation)) {
    mutex_.unlock();
    return Outcome::NotSent;
  }
  const bool locked = try_lock_writing();
  bool reading = locked && !reading_;
  if (reading) reading_ = true;
  mutex_.unlock();

  const Sent sent = write(parts, invocation.prepare(parts), invocation.deadline(), reading, locked);
  if (sent != Sent::All) [[unlikely]] {
    // Half a message ends the connection. A failure to write may hide a CloseConnection that is waiting to be
    // read.
    if (sent == Sent::Part) abort();
    if (!reading) reading = try_begin_reading();
    if (reading) {
      while (usable() && invocation.state.load(std::memory_order_acquire) != ClientInvocation::Complete &&
             read_once(base::now() + 1'000'000))
        deliver_buffered();
    }
    std::lock_guard lock(mutex_);
    remove(invocation);
    if (reading) pass_on_reading();
    if (invocation.state.load(std::memory_order_acquire) == ClientInvocation::Complete &&
        (invocation.outcome == Outcome::Replied || invocation.outcome == Outcome::NotSent))
      return invocation.outcome;
    closed_.store(true, std::memory_order_release);
    return sent == Sent::Nothing ? Outcome::NotSent : Outcome::Lost;
  }
  if (loop) [[unlikely]] {
    if (loop->run_while(invocation.state, ClientInvocation::Waiting, invocation.deadline()))
      return invocation.outcome;
    std::lock_guard lock(mutex_);
    remove(invocation);
    return invocation.state.load(std::memory_order_acquire) == ClientInvocation::Complete ? invocation.outcome
                                                                                          : Outcome::TimedOut;
  }
  if (reading || wait_to_read(invocation)) read_for(invocation);
  return invocation.outcome;
}

// Sleeps until the reply is there (false) or this thread has the reading role (true).
bool ClientConnection::wait_to_read(ClientInvocation& invocation) {
  {
    std::lock_guard lock(mutex_);
    if (invocation.state.load(std::memory_order_relaxed) == ClientInvocation::Complete) return false;
    if (!reading_) return reading_ = true;
    invocation.sleeping = true;
  }
  for (;;) {
    if (!base::futex_wait(invocation.state, ClientInvocation::Waiting, invocation.deadline())) {
      std::lock_guard lock(mutex_);
      invocation.sleeping = false;
      const std::uint32_t state = invocation.state.load(std::memory_order_acquire);
      if (state == ClientInvocation::Complete) return false;
      remove(invocation);
      if (state == ClientInvocation::MayRead) pass_on_reading();
      invocation.outcome = Outcome::TimedOut;
      return false;
    }
    const std::uint32_t state = invocation.state.load(std::memory_order_acquire);
    if (state != ClientInvocation::Waiting) return state == ClientInvocation::MayRead;
  }
}

void ClientConnection::read_for(ClientInvocation& invocation) {
  if (reader_.more_buffered()) deliver_buffered();
  // A connection that takes no more requests is read on: replies and CloseConnection may still come.
  while (invocation.state.load(std::memory_order_acquire) != ClientInvocation::Complete) {
    if (read_once(invocation.deadline())) [[likely]] {
      if (deliver_to(invocation)) return;
      deliver_buffered();
      continue;
    }
    std::lock_guard lock(mutex_);
    if (invocation.state.load(std::memory_order_acquire) != ClientInvocation::Complete) {
      remove(invocation);
      invocation.outcome = Outcome::TimedOut;
    }
    return pass_on_reading();
  }
  mutex_.lock();
  pass_on_reading();
  mutex_.unlock();
}

// Reads what is there, waiting for it until the deadline. False at the deadline and when the connection ends.
bool ClientConnection::read_once(base::Deadline deadline) {
  if (deadline != base::kNoDeadline) [[unlikely]] {
    if (!transport::wait_ready(stream_->descriptor(), true, false, deadline).readable) return false;
  }
  const auto space = reader_.space();
  const auto [status, bytes] = stream_->read(space.at, space.size);
  if (status == transport::Io::Ok) [[likely]] {
    reader_.commit(bytes);
    return true;
  }
  if (status == transport::Io::WouldBlock || status == transport::Io::TimedOut) return true;
  fail_all(Outcome::Lost);
  return false;
}

bool ClientConnection::ended() {
  if (!usable() || !try_begin_reading()) return !usable();
  const auto space = reader_.space();
  const auto [status, bytes] = stream_->try_read(space.at, space.size);
  if (status == transport::Io::Ok) {
    reader_.commit(bytes);
    deliver_buffered();
  } else if (status != transport::Io::WouldBlock) {
    fail_all(Outcome::Lost);
  }
  std::lock_guard lock(mutex_);
  pass_on_reading();
  return !usable();
}

bool ClientConnection::try_begin_reading() {
  std::lock_guard lock(mutex_);
  return !reading_ && (reading_ = true);
}

bool ClientConnection::read_while_writing() {
  const auto space = reader_.space();
  const auto [status, bytes] = stream_->try_read(space.at, space.size);
  if (status == transport::Io::Ok) {
    reader_.commit(bytes);
    return deliver_buffered(true);
  }
  return status == transport::Io::WouldBlock;
}

// In the middle of writing a request no other message can be sent, and this thread has the write mutex.
bool ClientConnection::deliver_buffered(bool writing) {
  Message message;
  for (;;) {
    switch (reader_.next(message)) {
      case MessageReader::Status::Message:
        deliver(message);
        break;
      case MessageReader::Status::NeedMore:
        return usable();
      case MessageReader::Status::Malformed:
        if (!writing) send_control(giop::MessageType::MessageError, version_);
        [[fallthrough]];
      case MessageReader::Status::TooLarge:
        abort();
        fail_all(Outcome::Lost);
        return false;
    }
  }
}

bool ClientConnection::deliver_to(ClientInvocation& invocation) {
  Message message;
  if (!reader_.next_is_all(giop::kCommonReply, message)) return false;
  if (message.size < giop::kReplyHeaderSize ||
      cdr::load<std::uint32_t>(message.data + giop::kHeaderSize, false) != invocation.request_id) {
    deliver(message);
    return false;
  }
  reader_.extract(message, invocation.reply_memory);
  mutex_.lock();
  remove(invocation);
  invocation.reply = message;
  invocation.outcome = Outcome::Replied;
  pass_on_reading();
  mutex_.unlock();
  return true;
}

// Hands a message to the invocation that it answers.
void ClientConnection::deliver(Message& message) {
  switch (message.header.type) {
    case giop::MessageType::Reply:
    case giop::MessageType::LocateReply:
      break;
    case giop::MessageType::CloseConnection:
      // The peer says that it has processed nothing that it has not answered.
      fail_all(Outcome::NotSent);
      return;
    case giop::MessageType::MessageError:
      fail_all(Outcome::Refused);
      return;
    default:
      return;  // nothing a server may send
  }
  const std::uint32_t request_id = giop::peek_reply_id(message.header, message.data, message.size);
  const std::uint32_t index = request_id & kMostInFlight;
  std::lock_guard lock(mutex_);
  if (index >= slots_.size() || !slots_[index].invocation ||
      slots_[index].invocation->request_id != request_id)
    return;  // the answer to a request that was given up
  ClientInvocation& invocation = *slots_[index].invocation;
  reader_.extract(message, invocation.reply_memory);
  invocation.reply = message;
  invocation.outcome = Outcome::Replied;
  remove(invocation);
  const bool wake = invocation.sleeping;
  invocation.sleeping = false;
  invocation.state.store(ClientInvocation::Complete, std::memory_order_release);
  if (wake) base::futex_wake(invocation.state);
}

// Called with the mutex and the reading role: gives the role to a thread that waits, or drops it.
inline void ClientConnection::pass_on_reading() {
  if (in_flight_ != 0) [[unlikely]] {
    for (const Slot& slot : slots_) {
      ClientInvocation* const other = slot.invocation;
      if (!other || !other->sleeping) continue;
      other->sleeping = false;
      other->state.store(ClientInvocation::MayRead, std::memory_order_release);
      base::futex_wake(other->state);
      return;
    }
  }
  reading_ = false;
}

// The connection has ended: everyone who waits is told.
void ClientConnection::fail_all(Outcome outcome) {
  std::lock_guard lock(mutex_);
  closed_.store(true, std::memory_order_release);
  for (const Slot& slot : slots_) {
    if (!slot.invocation) continue;
    ClientInvocation& invocation = *slot.invocation;
    remove(invocation);
    invocation.outcome = outcome;
    const bool wake = invocation.sleeping;
    invocation.sleeping = false;
    invocation.state.store(ClientInvocation::Complete, std::memory_order_release);
    if (wake) base::futex_wake(invocation.state);
  }
}

void ClientConnection::cancel(std::uint32_t request_id) {
  char message[giop::kCancelRequestSize];
  giop::write_cancel_request(message, version_, request_id);
  send_small(message, sizeof message);
}

void ClientConnection::close() {
  fail_all(Outcome::Lost);
  if (version_.minor >= 2) send_control(giop::MessageType::CloseConnection, version_);
  abort();
}

}  // namespace corbel::core
