#include "orb/core/server_connection.h"

#include <sched.h>

#include <mutex>

#include "orb/core/orb.h"
#include "orb/giop/code_sets.h"
#include "orb/giop/reply.h"
#include "orb/ior/assigned.h"

namespace corbel::core {
namespace {

// How long a thread stays with a silent connection before the loop takes it back.
constexpr int kLingerMs = 20;
// How often it reads on where no other thread can serve the other connections.
constexpr int kMostReads = 16;
// How often it looks again for the next bytes of bulk data before it sleeps: to be woken costs the sender
// more than its next message does. In between it lets others have the processor.
constexpr int kLooks = 64;
constexpr std::size_t kBulk = 16 * 1024;
// Upcalls inside of upcalls of one thread: stops peers from exhausting a reactive server's stack.
constexpr std::uint32_t kMostNested = 100;

}  // namespace

ServerConnection::ServerConnection(Orb& orb, Server& server, std::unique_ptr<transport::Stream> stream)
    : Connection(orb.options(), orb.pending_bytes(), std::move(stream)), orb_(orb), server_(server) {
  stream_->set_read_timeout(kLingerMs);
}

void ServerConnection::ready(bool may_linger) {
  const auto self = base::Ref<ServerConnection>::share(this);
  // Acquires what the thread that armed it has written.
  state_.exchange(Reading, std::memory_order_acquire);
  std::unique_ptr<ServerRequest> request = orb_.lane().requests.take();
  if (!request) request = std::make_unique<ServerRequest>(orb_);
  bool first = true;
  for (int reads = 0;; ++reads) {
    if (!handle_buffered(request)) break;
    if (!may_linger && reads == kMostReads) {
      resume();
      break;
    }
    const auto space = reader_.space();
    if (!space.at) {
      end();
      break;
    }
    const auto [status, bytes] = may_linger && !first ? read(space) : stream_->try_read(space.at, space.size);
    first = false;
    if (status == transport::Io::Ok) [[likely]] {
      reader_.commit(bytes);
      continue;
    }
    if (status == transport::Io::WouldBlock && may_linger) continue;
    if (status == transport::Io::TimedOut || status == transport::Io::WouldBlock) {
      rearm();
    } else {
      end();
    }
    break;
  }
  if (request) orb_.lane().requests.give(std::move(request));
}

transport::IoResult ServerConnection::read(const MessageReader::Space& space) {
  if (bulk_ || reader_.mid_large_message()) {
    for (int i = 0; i < kLooks; ++i) {
      const transport::IoResult result = stream_->try_read(space.at, space.size);
      if (result.status != transport::Io::WouldBlock) return result;
      sched_yield();
    }
  }
  return stream_->read(space.at, space.size);
}

void ServerConnection::resume() {
  if (reader_.more_buffered()) {  // perhaps a whole message, which no event would announce
    state_.store(Armed, std::memory_order_release);
    server_.queue(this);
    return;
  }
  rearm();
}

void ServerConnection::rearm() {
  if (reader_.mid_message()) {
    if (message_since_.load(std::memory_order_relaxed) == 0)
      message_since_.store(base::now(), std::memory_order_relaxed);
    server_.watch_time();
  } else {
    message_since_.store(0, std::memory_order_relaxed);
    reader_.trim();
  }
  state_.store(Armed, std::memory_order_release);
  server_.loop().arm(stream_->descriptor(), static_cast<EventHandler*>(this));
}

bool ServerConnection::overdue(base::Deadline now) const {
  const base::Deadline since = message_since_.load(std::memory_order_relaxed);
  return since != 0 && now - since > options_.message_timeout_ms * 1'000'000LL;
}

bool ServerConnection::handle_buffered(std::unique_ptr<ServerRequest>& request) {
  Message message;
  for (;;) {
    switch (reader_.next(message)) {
      case MessageReader::Status::Message:
        if (message_since_.load(std::memory_order_relaxed) != 0)
          message_since_.store(0, std::memory_order_relaxed);
        if (!handle(message, request)) return false;
        break;
      case MessageReader::Status::NeedMore:
        return true;
      case MessageReader::Status::Malformed:
      case MessageReader::Status::TooLarge:
        return protocol_error();
    }
  }
}

bool ServerConnection::handle(Message& message, std::unique_ptr<ServerRequest>& request) {
  version_.store(message.header.version, std::memory_order_relaxed);
  switch (message.header.type) {
    case giop::MessageType::Request:
      return serve(message, request);
    case giop::MessageType::LocateRequest:
      return locate(message);
    case giop::MessageType::CancelRequest:
      return true;  // the reply of a cancelled request is ignored by its sender
    case giop::MessageType::CloseConnection:
    case giop::MessageType::MessageError:
      end();
      return false;
    default:
      return protocol_error();
  }
}

bool ServerConnection::serve(Message& message, std::unique_ptr<ServerRequest>& request) {
  cdr::Decoder in = message.decoder();
  giop::RequestHeader header;
  if (!giop::decode_request(in, message.header.version, header)) return protocol_error();
  active_.fetch_add(1, std::memory_order_seq_cst);
  if (closing_.load(std::memory_order_seq_cst))
      [[unlikely]] {  // CloseConnection tells the peer to send it elsewhere
    request_done();
    return true;
  }

  ServerRequest& r = *request;
  giop::CodeSet code_set = giop::CodeSet::Default;
  if (header.contexts.count() != 0) [[unlikely]] {
    code_set = giop::announced_code_set(header.contexts);
    if (code_set != giop::CodeSet::Default) utf8_ = code_set == giop::CodeSet::Utf8;
  }
  r.start(header, in, message.header.version, utf8_);
  r.connection = this;
  r.taken.store(false, std::memory_order_relaxed);
  r.outer = ServerRequest::current();
  r.depth = r.outer ? r.outer->depth + 1 : 1;
  ServerRequest::set_current(&r);
  current_ = &r;
  const std::uint32_t in_upcall = ++serial_ << 2 | InUpcall;
  r.upcall_state = in_upcall;
  server_.begin_upcall();
  bulk_ = !header.response_expected && message.size >= kBulk;
  state_.store(in_upcall, std::memory_order_release);
  if (hand_off_.load(std::memory_order_relaxed)) [[unlikely]]
    give_up(r);

  if (code_set == giop::CodeSet::Incompatible) [[unlikely]] {
    r.system_exception({SystemErrorId::CODESET_INCOMPATIBLE, Completion::No, assigned::kOmgMinor | 1,
                        "the request's char set is neither ISO 8859-1 nor UTF-8"});
  } else if (r.depth <= kMostNested) [[likely]] {
    orb_.dispatch(r);
  } else {
    r.system_exception({SystemErrorId::TRANSIENT, Completion::No, 0,
                        "too many upcalls of this reactive server wait inside one another"});
  }
  if (header.response_expected) send_reply(r);
  r.finish();

  ServerRequest::set_current(r.outer);
  server_.end_upcall();
  request_done();
  std::uint32_t expected = in_upcall;
  if (state_.compare_exchange_strong(expected, Reading, std::memory_order_acq_rel)) [[likely]]
    return true;
  while (!r.taken.load(std::memory_order_acquire)) sched_yield();
  r.kept_memory = base::Memory();
  return false;
}

void ServerConnection::request_done() {
  if (active_.fetch_sub(1, std::memory_order_seq_cst) == 1 && closing_.load(std::memory_order_seq_cst))
      [[unlikely]]
    say_goodbye();
}

bool ServerConnection::send_reply(ServerRequest& r) {
  cdr::Encoder& reply = r.reply();
  giop::write_reply_header(reply.data(), r.version(), r.header().request_id,
                           static_cast<giop::ReplyStatus>(r.reply_kind()));
  giop::set_message_size(reply.data(), reply.size());
  const iovec part{reply.data(), reply.size()};
  bool reading = false;
  if (write(&part, 1, base::kNoDeadline, reading) == Sent::All) [[likely]]
    return true;
  abort();  // the reader sees the end
  return false;
}

bool ServerConnection::locate(Message& message) {
  cdr::Decoder in = message.decoder();
  giop::LocateRequestHeader header;
  if (!giop::decode_locate_request(in, message.header.version, header)) return protocol_error();
  Dispatcher* dispatcher = orb_.dispatcher();
  const bool here =
      dispatcher && dispatcher->locate(header.key, header.key_size) == Dispatcher::Location::Here;
  char reply[giop::kLocateReplySize];
  giop::write_locate_reply(reply, message.header.version, header.request_id,
                           here ? giop::LocateStatus::ObjectHere : giop::LocateStatus::UnknownObject);
  const iovec part{reply, sizeof reply};
  bool reading = false;
  if (write(&part, 1, base::kNoDeadline, reading) == Sent::All) return true;
  end();
  return false;
}

bool ServerConnection::protocol_error() {
  send_control(giop::MessageType::MessageError, version_.load(std::memory_order_relaxed));
  end();
  return false;
}

// Only with the reading role.
void ServerConnection::end() {
  state_.store(Reading, std::memory_order_relaxed);
  if (closing_.exchange(true)) {
    // Our own end: upcalls that still run answer, and the last one says goodbye.
    if (active_.load() == 0) say_goodbye();
  } else {
    goodbye_said_.store(true);
    stream_->finish_writing();
  }
  discard_input(*stream_);
  server_.forget(*this);
}

bool ServerConnection::take(std::uint32_t state) {
  if (!state_.compare_exchange_strong(state, Taking, std::memory_order_acq_rel)) return false;
  ServerRequest& request = *current_;
  request.kept_memory = reader_.release_message();
  state_.store(Reading, std::memory_order_relaxed);
  request.taken.store(true, std::memory_order_release);
  return true;
}

bool ServerConnection::take_from_stuck_upcall() {
  const std::uint32_t state = state_.load(std::memory_order_acquire);
  const std::uint32_t serial = state >> 2;
  const bool same = state == seen_state_;
  const std::uint32_t served = serial - seen_serial_;
  seen_state_ = state;
  seen_serial_ = serial;
  if ((state & 3) != InUpcall) return false;
  // A few upcalls in a whole tick: they are long enough to be worth a hand-over each.
  hand_off_.store(served < 8, std::memory_order_relaxed);
  return same && take(state);
}

void ServerConnection::give_up(ServerRequest& request) {
  if (take(request.upcall_state)) resume();
}

void ServerConnection::close_when_idle() {
  closing_.store(true, std::memory_order_seq_cst);
  if (active_.load(std::memory_order_seq_cst) == 0) say_goodbye();
}

void ServerConnection::say_goodbye() {
  if (goodbye_said_.exchange(true)) return;
  send_control(giop::MessageType::CloseConnection, version_.load(std::memory_order_relaxed));
  stream_->finish_writing();
}

}  // namespace corbel::core
