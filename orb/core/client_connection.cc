#include "orb/core/client_connection.h"

#include <time.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "orb/core/client_invocation.h"
#include "orb/core/orb.h"
#include "orb/giop/reply.h"
#include "orb/giop/request.h"

namespace corbel::core {
namespace {

// How long what a server still says is listened to after it could not be written to.
constexpr std::int64_t kLastWordsNs = 100'000'000;

bool is_over(base::Deadline deadline) { return deadline != base::kNoDeadline && base::now() >= deadline; }

}  // namespace

ClientConnection::ClientConnection(Orb& orb, std::atomic<std::uint64_t>& pending_bytes,
                                   std::unique_ptr<transport::Stream> stream, giop::Version version)
    : Connection(orb.options(), pending_bytes, std::move(stream)), orb_(orb), version_(version) {
  reader_.keep_only(awaited, this);
}

bool ClientConnection::awaited(void* by, std::uint32_t request_id) {
  auto& connection = *static_cast<ClientConnection*>(by);
  std::lock_guard lock(connection.mutex_);
  const std::uint32_t index = request_id & kMostInFlight;
  return index < connection.slots_.size() && connection.slots_[index].invocation &&
         connection.slots_[index].invocation->request_id == request_id;
}

bool ClientConnection::add(ClientInvocation& invocation) {
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

bool ClientConnection::add_slot() try {
  if (parity_ >= 0 && static_cast<int>(slots_.size() % 2) != parity_) slots_.push_back({nullptr, kNoSlot});
  if (slots_.size() >= oneway_index_) return false;
  slots_.push_back({nullptr, kNoSlot});
  first_free_ = static_cast<std::uint32_t>(slots_.size()) - 1;
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

bool ClientConnection::awaits_replies() {
  std::lock_guard lock(mutex_);
  return in_flight_ != 0;
}

bool ClientConnection::full() {
  std::lock_guard lock(mutex_);
  return !closed_.load(std::memory_order_relaxed) && first_free_ == kNoSlot &&
         slots_.size() + 1 >= oneway_index_;
}

void ClientConnection::remove(ClientInvocation& invocation) {
  const std::uint32_t index = invocation.request_id & kMostInFlight;
  if (slots_[index].invocation != &invocation) return;
  slots_[index] = {nullptr, first_free_};
  first_free_ = index;
  --in_flight_;
}

// A reactive ORB has one reader, its loop: a thread that waits runs it, so that it can be called back
// meanwhile.
AbstractServer* ClientConnection::attach(AbstractServer& server) {
  if (!server.reactive() && callback_offer_.empty()) return nullptr;
  std::lock_guard lock(mutex_);
  if (!attached_ && !reading_) {
    reading_ = true;
    attached_ = &server;  // before the first event
    gathering_ = false;
    armed_.store(true, std::memory_order_release);
    if (!server.attach(*this)) {
      // The loop has no room: callers read for themselves and cannot be called back meanwhile. A server that
      // was told it can call back would wait for ever.
      if (!callback_offer_.empty()) closed_.store(true, std::memory_order_release);
      armed_.store(false, std::memory_order_relaxed);
      reading_ = false;
      attached_ = nullptr;
    }
  }
  return server.reactive() ? attached_ : nullptr;
}

void ClientConnection::ready(bool) {
  if (!take_event()) return;
  const auto self = base::Ref<ClientConnection>::share(this);
  const auto space = reader_.space();
  const auto [status, bytes] = stream_->try_read(space.at, space.size);
  if (status == transport::Io::Ok) reader_.commit(bytes);
  const bool alive = status == transport::Io::Ok || status == transport::Io::WouldBlock;
  // Another thread may have found that it cannot be written to: what has arrived, and the end, are read all
  // the same.
  if (alive && (deliver_buffered(attached_->reading_ahead()) || waited_for())) {
    rearm();
  } else {
    if (!alive) fail_all();
    attached_->detach(*this);
    pass_on_reading();
    orb_.let_go_of_ended_connections();
  }
  attached_->notify_progress();
}

void ClientConnection::rearm() {
  const bool silent = stream_->arm();
  armed_.store(true, std::memory_order_release);
  attached_->arm(*this, *stream_, silent);
}

ClientConnection::Outcome ClientConnection::exchange(ClientInvocation& invocation) {
  if (!has_stream_) [[unlikely]]
    return exchange_without_stream(invocation);
  if (!invocation.expects_reply()) return send_oneway(invocation);
  AbstractServer* const server = orb_.server();
  AbstractServer* const loop = server ? attach(*server) : nullptr;
  invocation.state.store(ClientInvocation::Waiting, std::memory_order_relaxed);
  invocation.sleeping = false;
  mutex_.lock();
  if (!add(invocation)) [[unlikely]] {
    mutex_.unlock();
    return Outcome::NotSent;
  }
  const bool locked = !gathering_ && try_lock_writing();
  if (!locked) [[unlikely]]
    return exchange_among_others(invocation, loop);
  bool reading = !reading_;
  if (reading) reading_ = true;
  mutex_.unlock();

  iovec parts[kMostParts];
  const Sent sent = write(parts, invocation.prepare(parts), invocation.send_deadline(), reading, true);
  if (sent != Sent::All) [[unlikely]]
    return not_sent(invocation, sent, reading);
  if (loop) [[unlikely]]
    return wait_in_loop(invocation, *loop);
  if (reading || wait_to_read(invocation)) read_for(invocation);
  return invocation.outcome;
}

ClientConnection::Outcome ClientConnection::send_oneway(ClientInvocation& invocation) {
  if (AbstractServer* const server = orb_.server()) attach(*server);
  mutex_.lock();
  const std::uint32_t serial = ++next_serial_;
  invocation.request_id = serial << kIndexBits | oneway_index_;
  bool open = !closed_.load(std::memory_order_relaxed);
  mutex_.unlock();
  if (open && said_goodbye()) open = false;
  if (invocation.never_waits()) [[unlikely]]
    return open ? post(invocation) : Outcome::NotSent;
  if (!open) return sent_oneway(Sent::Nothing, false, base::kNoDeadline);
  bool reading = false;
  iovec parts[kMostParts];
  const int count = invocation.prepare(parts);
  std::size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;
  const Sent sent = write(parts, count, invocation.send_deadline(), reading);
  const Outcome outcome = sent_oneway(sent, reading, invocation.send_deadline());
  if (outcome == Outcome::SentOneway) note_oneway(serial, size);
  return outcome;
}

void ClientConnection::note_oneway(std::uint32_t serial, std::size_t size) {
  if (size >= kLargeOneway) return take_turns(size);
  if (size >= kSmallOneway) return;
  const std::uint32_t count = small_oneways_.load(std::memory_order_relaxed) + 1;
  small_oneways_.store(count, std::memory_order_relaxed);
  if (count % kManyOneways != 0) return;
  const std::uint32_t others =
      serial - serial_of_many_.exchange(serial, std::memory_order_relaxed) - kManyOneways;
  if (others < kManyOneways / 8) stream_->let_messages_gather();
}

// A peer on this processor that reads only when the socket is full finds its bytes gone from the caches.
void ClientConnection::take_turns(std::size_t sent) {
  const std::size_t run = oneways_sent_.load(std::memory_order_relaxed) + sent;
  oneways_sent_.store(run < kRunOfOneways ? run : 0, std::memory_order_relaxed);
  if (run >= kRunOfOneways) stream_->let_peer_read();
}

ClientConnection::Outcome ClientConnection::sent_oneway(Sent sent, bool reading, base::Deadline deadline) {
  if (reading) pass_on_reading();
  if (sent == Sent::All) return Outcome::SentOneway;
  if (sent == Sent::TimedOut) return Outcome::NotSent;
  // Those who wait for replies are told by whoever reads.
  closed_.store(true, std::memory_order_release);
  return sent == Sent::Stuck ? stuck(deadline) : Outcome::NotSent;
}

// Half a message ends the connection, and no server runs half a request; one that does not read is not
// bothered again. A failure to write may hide a reply or a refusal that is waiting to be read.
ClientConnection::Outcome ClientConnection::not_sent(ClientInvocation& invocation, Sent sent, bool reading) {
  if (sent == Sent::TimedOut) {  // the connection is as good as before
    std::lock_guard lock(mutex_);
    remove(invocation);
    return Outcome::NotSent;
  }
  if (!reading) reading = try_begin_reading();
  if (reading) {
    const base::Deadline limit = invocation.send_deadline();
    base::Deadline last = base::now() + kLastWordsNs;
    if (limit != base::kNoDeadline) last = std::min(last, limit);
    while (usable() && invocation.state.load(std::memory_order_acquire) != ClientInvocation::Complete &&
           base::now() < last && read_once(std::min(last, base::now() + 1'000'000)))
      deliver_buffered();
  }
  if (reading) pass_on_reading();
  std::lock_guard lock(mutex_);
  remove(invocation);
  const bool complete = invocation.state.load(std::memory_order_acquire) == ClientInvocation::Complete;
  const bool unreadable = invocation.outcome == Outcome::Refused || invocation.outcome == Outcome::Garbled;
  if (complete && invocation.outcome != Outcome::Lost && (is_half(sent) || !unreadable))
    return invocation.outcome;
  closed_.store(true, std::memory_order_release);
  return sent == Sent::Stuck ? stuck(invocation.send_deadline()) : Outcome::NotSent;
}

ClientConnection::Outcome ClientConnection::stuck(base::Deadline deadline) {
  return is_over(deadline) ? Outcome::TimedOut : Outcome::Lost;
}

// In the reactive model: the loop reads, and this thread may run it.
ClientConnection::Outcome ClientConnection::wait_in_loop(ClientInvocation& invocation, AbstractServer& loop) {
  if (loop.run_while(invocation.state, ClientInvocation::Waiting, invocation.deadline()))
    return invocation.outcome;
  std::lock_guard lock(mutex_);
  remove(invocation);
  return invocation.state.load(std::memory_order_acquire) == ClientInvocation::Complete ? invocation.outcome
                                                                                        : Outcome::TimedOut;
}

bool ClientConnection::wait_to_read(ClientInvocation& invocation) {
  {
    std::lock_guard lock(mutex_);
    if (invocation.state.load(std::memory_order_relaxed) == ClientInvocation::Complete) return false;
    if (!reading_) return reading_ = true;
    invocation.sleeping = true;
  }
  const std::uint32_t index = invocation.request_id & kMostInFlight;
  for (;;) {
    const std::uint32_t epoch = sleepers_.epoch(index);
    const std::uint32_t state = invocation.state.load(std::memory_order_acquire);
    if (state != ClientInvocation::Waiting) return state == ClientInvocation::MayRead;
    if (!sleepers_.wait(index, epoch, invocation.deadline())) break;
  }
  std::unique_lock lock(mutex_);
  invocation.sleeping = false;
  const std::uint32_t state = invocation.state.load(std::memory_order_acquire);
  if (state == ClientInvocation::Complete) return false;
  remove(invocation);
  invocation.outcome = Outcome::TimedOut;
  lock.unlock();
  if (state == ClientInvocation::MayRead) pass_on_reading();
  return false;
}

void ClientConnection::read_for(ClientInvocation& invocation) {
  if (reader_.more_buffered()) [[unlikely]]
    deliver_buffered();
  // Not where the reply is there already, in that memory: it came while the request was written.
  if (invocation.reply_memory.size() > MessageReader::kInitial &&
      invocation.state.load(std::memory_order_acquire) != ClientInvocation::Complete) [[unlikely]]
    reader_.read_into(invocation.reply_memory);
  // A connection that takes no more requests is read on: replies and CloseConnection may still come.
  while (invocation.state.load(std::memory_order_acquire) != ClientInvocation::Complete) {
    if (woke_others_) [[unlikely]]
      gather(invocation.deadline());
    if (!read_once(invocation.deadline())) [[unlikely]]
      return give_up(invocation);
    if (deliver_to(invocation)) [[likely]]
      return;
    deliver_all();
    // Nobody leaves messages with one who may not have the time to write them.
    if (woke_others_ && invocation.deadline() != base::kNoDeadline) [[unlikely]]
      stop_gathering(invocation.deadline());
    // Whoever reads next is woken with those whose replies came.
    if (invocation.state.load(std::memory_order_acquire) == ClientInvocation::Complete) break;
    wake_marked();
    // What keeps coming may be for others, or without end.
    if (is_over(invocation.deadline())) [[unlikely]]
      return give_up(invocation);
  }
  pass_on_reading();
}

// A read that waits would not keep the deadline: what makes a stream readable may hold nothing for the
// reader, as part of a TLS record does.
transport::IoResult ClientConnection::read_until(const MessageReader::Space& space, base::Deadline deadline) {
  if (!stream_->wait(true, false, deadline).readable) return {transport::Io::TimedOut};
  return stream_->try_read(space.at, space.size);
}

// At the deadline, or when the connection has ended.
void ClientConnection::give_up(ClientInvocation& invocation) {
  {
    std::lock_guard lock(mutex_);
    if (invocation.state.load(std::memory_order_acquire) != ClientInvocation::Complete) {
      remove(invocation);
      invocation.outcome = Outcome::TimedOut;
    }
  }
  pass_on_reading();
}

bool ClientConnection::waited_for() {
  std::lock_guard lock(mutex_);
  return in_flight_ != 0;
}

// A oneway's sender never learns that the server had closed an idle connection. So the first in a while
// looks.
bool ClientConnection::said_goodbye() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return oneway_at_.exchange(now.tv_sec, std::memory_order_relaxed) != now.tv_sec && ended();
}

bool ClientConnection::try_begin_reading() {
  std::lock_guard lock(mutex_);
  return !reading_ && (reading_ = true);
}

transport::Readiness ClientConnection::wait_to_write(bool read, base::Deadline until) {
  AbstractServer* const server = orb_.server();
  return server && server->reactive() ? server->wait_to_write(*stream_, read, until)
                                      : Connection::wait_to_write(read, until);
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
bool ClientConnection::deliver_all(bool writing) {
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
        fail_all(Outcome::Garbled);
        return false;
    }
  }
}

inline bool ClientConnection::deliver_to(ClientInvocation& invocation) {
  Message message;
  if (!reader_.next_is_all(giop::kCommonReply, message)) return false;
  if (message.size < giop::kReplyHeaderSize ||
      cdr::load<std::uint32_t>(message.data + giop::kHeaderSize, false) != invocation.request_id) {
    deliver(message);
    return false;
  }
  reader_.extract_all(invocation.reply_memory);
  mutex_.lock();
  remove(invocation);
  invocation.reply = message;
  invocation.outcome = Outcome::Replied;
  if (in_flight_ != 0) [[unlikely]] {
    mark_reader();
    mutex_.unlock();
    wake_marked();
    return true;
  }
  reading_ = false;
  mutex_.unlock();
  return true;
}

void ClientConnection::deliver(Message& message, MessageReader& reader) {
  switch (message.header.type) {
    case giop::MessageType::Reply:
    case giop::MessageType::LocateReply:
      break;
    case giop::MessageType::CloseConnection:
      // The peer says that it has processed nothing that it has not answered.
      goodbye_.store(true, std::memory_order_relaxed);
      fail_all(Outcome::NotSent, &reader);
      return;
    case giop::MessageType::MessageError:
      fail_all(Outcome::Refused);
      return;
    default:
      return;  // nothing a server may send
  }
  const std::uint32_t request_id = giop::peek_reply_id(message.header, message.decoder());
  const std::uint32_t index = request_id & kMostInFlight;
  std::lock_guard lock(mutex_);
  if (index >= slots_.size() || !slots_[index].invocation ||
      slots_[index].invocation->request_id != request_id)
    return;
  ClientInvocation& invocation = *slots_[index].invocation;
  reader.extract(message, invocation.reply_memory);
  if (reader.broken() && has_stream_) [[unlikely]]
    abort();
  invocation.reply = message;
  invocation.outcome = Outcome::Replied;
  remove(invocation);
  const bool mark = invocation.sleeping;
  invocation.sleeping = false;
  invocation.state.store(ClientInvocation::Complete, std::memory_order_release);
  if (!mark) return;
  if (options_.coalesce_writes && !attached_) gathering_ = woke_others_ = true;
  marked_.add(index);
}

void ClientConnection::pass_on_reading() {
  {
    std::lock_guard lock(mutex_);
    mark_reader();
  }
  wake_marked();
}

void ClientConnection::mark_reader() {
  for (std::uint32_t i = 0; in_flight_ != 0 && i < slots_.size(); ++i) {
    ClientInvocation* const other = slots_[i].invocation;
    if (!other || !other->sleeping) continue;
    other->sleeping = false;
    other->state.store(ClientInvocation::MayRead, std::memory_order_release);
    marked_.add(i);
    return;
  }
  reading_ = false;
}

void ClientConnection::wake_marked() {
  Sleepers::Marks marks;
  {
    std::lock_guard lock(mutex_);
    if (!marked_.any()) return;
    marks = std::exchange(marked_, {});
  }
  sleepers_.wake(marks);
}

void ClientConnection::cancel(std::uint32_t request_id) {
  {
    std::lock_guard lock(mutex_);
    gave_up_ = true;
  }
  char message[giop::kCancelRequestSize];
  giop::write_cancel_request(message, version_, request_id);
  send_octets(message, sizeof message);
}

bool ClientConnection::claim_text(std::uint32_t text) {
  std::uint64_t claim = 0;
  const std::uint64_t wanted = std::uint64_t{text} + 1;
  return text_claim_.compare_exchange_strong(claim, wanted) || claim == wanted;
}

bool ClientConnection::take_event() {
  if (armed_.exchange(false, std::memory_order_acquire)) return true;
  leave_loop();
  return false;
}

}  // namespace corbel::core
