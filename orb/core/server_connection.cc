#include "orb/core/server_connection.h"

#include <corbel/base/copy.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "orb/core/locating.h"
#include "orb/core/orb.h"
#include "orb/core/reply_contexts.h"
#include "orb/giop/bidirectional.h"
#include "orb/giop/code_sets.h"
#include "orb/giop/reply.h"
#include "orb/ior/assigned.h"

namespace corbel::core {
namespace {

// After so many reads that ended no message it is watched how long the one that arrives takes: whoever sends
// a little every few milliseconds must not keep a thread for ever.
constexpr std::uint32_t kReadsUnwatched = 64;
// How often it reads on where no other thread can serve the other connections, or before it rests.
constexpr int kMostReads = 16;
// How often it looks again for the next bytes of bulk data before it sleeps: to be woken costs the sender
// more than its next message does. In between it lets others have the processor.
constexpr int kLooks = 64;
// How many upcalls give the reading role up at once after one that may have been long, and how many more
// after each that was: as long as one in kHandOffs is, all of them do. Those that only the scheduler has made
// long are fewer. A hand-over takes a few microseconds.
constexpr std::uint32_t kFewHandOffs = 16, kHandOffs = 50, kMostHandOffs = 200;
constexpr std::int64_t kLongUpcall = 500'000;  // nanoseconds
// Where upcalls are long enough for that a connection has fewer in a millisecond.
constexpr std::uint32_t kFewUpcalls = 4;
// Octets of a reply that may leave with others, and of these together; and how long the first one may wait.
constexpr std::size_t kMostKept = 4096, kMostKeptTogether = 32 * 1024;
constexpr base::Deadline kKeepNs = 100'000;
constexpr std::size_t kBulk = 16 * 1024;
// Octets that a peer has sent which had the processor for long.
constexpr std::size_t kMuch = 8 * 1024;
// From so many octets on a message's memory may stay with values that stand in it: that is worth what the
// holding takes, and small values do not pin much.
constexpr std::size_t kWorthHolding = 16 * 1024;
// So many of a client's that wait in their threads, whatever their size, count as much.
constexpr std::size_t kWaitingReplies = 16;
// How long a client that was told that its idle connection ends may take to end it.
constexpr std::int64_t kGoodbyeTime = 1'000'000'000;

constexpr const char* kNoMemory = "no memory to find or to run the operation with";
// At the end, with one that may be about to be done.
constexpr base::Deadline kHandshakePatience = 20'000'000;

}  // namespace

ServerConnection::ServerConnection(Orb& orb, Server& server, std::unique_ptr<transport::Stream> stream)
    : Connection(orb.options(), orb.pending_bytes(), std::move(stream)),
      orb_(orb),
      server_(server),
      text_(orb.options().code_sets) {
  reader_.expect_compressed(orb.compression());
  stream_->set_read_timeout(kLingerMs);
  if (stream_->opening_until() != base::kNoDeadline)
    message_since_.store(base::now(), std::memory_order_relaxed);
  else fall_idle();
}

ServerConnection::~ServerConnection() { forget_held_back(held_size_.load()); }

void ServerConnection::ready(bool may_linger) {
  const auto self = base::Ref<ServerConnection>::share(this);
  // Acquires what the thread that armed it has written.
  state_.exchange(Reading, std::memory_order_acquire);
  idle_since_.store(0, std::memory_order_relaxed);
  if (server_.reading_ahead()) [[unlikely]]
    return read_ahead();
  try {
    read_and_serve(may_linger);
  } catch (const std::bad_alloc&) {  // for something else than a request: this thread has the role
    end();
  }
}

[[gnu::always_inline]] inline void ServerConnection::read_and_serve(bool may_linger) {
  std::unique_ptr<ServerRequest> request = orb_.lane().requests.take();
  if (!request) request = std::make_unique<ServerRequest>(orb_);
  lingers_ = may_linger;
  bool first = true, drained = false;
  const bool has_role = !ahead_ || handle_ahead(request);
  for (int reads = 0; has_role; ++reads) {
    if (!handle_buffered(request)) break;
    if (!kept_replies_.empty() && !send_kept_replies(*request)) [[unlikely]]
      break;
    if (held_size_.load(std::memory_order_relaxed) >= kMostHeldBack) [[unlikely]] {
      park(kMostHeldBack);
      break;
    }
    if (!may_linger && drained && !reader_.mid_message()) {  // an event will tell what comes next
      rearm();
      break;
    }
    if (reads == kMostReads) [[unlikely]] {
      if (!may_linger) {
        resume();
        break;
      }
      rest();
      reads = 0;
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
      drained = bytes < space.size;
      continue;
    }
    if (status == transport::Io::WouldBlock && may_linger) continue;
    if (status == transport::Io::TimedOut && server_.stay(*this)) continue;
    if (status == transport::Io::TimedOut || status == transport::Io::WouldBlock) {
      rearm();
    } else if (status == transport::Io::Closed && held_size_.load(std::memory_order_relaxed) != 0) {
      park(1);
    } else {
      end(status == transport::Io::Closed);
    }
    break;
  }
  if (request) orb_.lane().requests.give(std::move(request));
}

// A thread of the reactive model waits for room to write. Peers may wait for this server to read before they
// read themselves, so one message is read; it is served later, by whoever takes it from the queue.
void ServerConnection::read_ahead() {
  if (!ahead_) {
    ahead_.reset(new (std::nothrow) Ahead);
    if (!ahead_) {
      abort();
      return rearm();
    }
    while ((ahead_->status = reader_.next(ahead_->message)) == MessageReader::Status::NeedMore) {
      const auto space = reader_.space();
      const transport::IoResult result =
          space.at ? stream_->try_read(space.at, space.size) : transport::IoResult{transport::Io::Failed};
      if (result.status == transport::Io::Ok) {
        reader_.commit(result.bytes);
        continue;
      }
      ahead_ = nullptr;
      if (result.status == transport::Io::WouldBlock) return rearm();
      break;  // its end is dealt with later
    }
  }
  state_.store(Armed, std::memory_order_release);
  enqueue();
}

bool ServerConnection::handle_ahead(std::unique_ptr<ServerRequest>& request) {
  const std::unique_ptr<Ahead> ahead = std::move(ahead_);
  return ahead->status == MessageReader::Status::Message ? handle(ahead->message, request) : protocol_error();
}

transport::Readiness ServerConnection::wait_to_write(bool read, base::Deadline until) {
  if (server_.reactive()) {
    const bool has_role = (state_.load(std::memory_order_relaxed) & 3) != Armed;
    return server_.wait_to_reply(*stream_, has_role, until, others_wait_);
  }
  begin_waiting_for_writers();
  const transport::Readiness ready = Connection::wait_to_write(read, until);
  end_waiting_for_writers();
  return ready;
}

// A reply that waits in its thread counts as one that is held back.
void ServerConnection::begin_waiting_for_writers() {
  if (server_.reactive()) return;
  held_size_.fetch_add(kMostHeldBack / kWaitingReplies);
  server_.begin_waiting_to_write();
}

void ServerConnection::end_waiting_for_writers() {
  if (server_.reactive()) return;
  server_.end_waiting_to_write();
  held_size_.fetch_sub(kMostHeldBack / kWaitingReplies);
  unpark();
}

// Whoever streams a reply out of a single-threaded adapter keeps others out of that.
bool ServerConnection::should_hold_back() {
  return std::exchange(others_wait_, false) || server_.too_many_wait_to_write() || server_.stopping() ||
         UpcallLock::held_here();
}

void ServerConnection::park(std::size_t until) {
  end_rest();
  reader_.trim();
  message_since_.store(0, std::memory_order_relaxed);
  state_.store(Armed, std::memory_order_release);
  parked_until_.store(until);
  unpark();  // the leader may have written the last of them meanwhile
}

void ServerConnection::unpark() {
  if (held_size_.load() < parked_until_.load() && parked_until_.exchange(0) != 0) enqueue();
}

inline transport::IoResult ServerConnection::read(const MessageReader::Space& space) {
  if (oneway_ != 0 || reader_.mid_large_message()) [[unlikely]]
    return read_more(space);
  return stream_->read(space.at, space.size);
}

// A peer on this processor that has more to send goes on while this thread is not asleep: it need not be
// woken for each message, and finds several.
transport::IoResult ServerConnection::read_more(const MessageReader::Space& space) {
  const bool bulk = oneway_ >= kBulk || reader_.mid_large_message();
  bool others_ran = false;
  for (int i = bulk ? kLooks : 1; i > 0; --i) {
    const transport::IoResult result = stream_->try_read(space.at, space.size);
    if (result.status != transport::Io::WouldBlock) return result;
    if (bulk) sched_yield();
    else others_ran = pause_.take();
  }
  const transport::IoResult result = stream_->read(space.at, space.size);
  if (others_ran && result.bytes < kMuch) pause_.leave_out_next();  // it was not the peer
  return result;
}

void ServerConnection::resume() {
  if (reader_.more_buffered() ||
      !kept_replies_.empty()) {  // perhaps a whole message, which no event would announce
    end_rest();
    state_.store(Armed, std::memory_order_release);
    enqueue();
    return;
  }
  rearm();
}

void ServerConnection::wait_for_bytes() {
  if (stream_->arm()) stream_->wait(true, false, base::kNoDeadline);
  idle_since_.store(0, std::memory_order_relaxed);
}

void ServerConnection::watch_message() {
  base::Deadline since = reader_.pending_since();
  if (since == 0) {
    since = message_since_.load(std::memory_order_relaxed);
    if (since == 0 || reader_.buffered() >= watched_size_ + giop::kLeastProgress) {
      since = base::now();
      watched_size_ = reader_.buffered();
    }
  }
  message_since_.store(since, std::memory_order_relaxed);
  server_.watch_time(*this);
}

void ServerConnection::before_wait() {
  end_rest();
  if (reader_.mid_message()) reader_.drop_abandoned();
  reader_.trim();
  if (reader_.mid_message() || stream_->unfinished()) {
    watch_message();
    idle_since_.store(0, std::memory_order_relaxed);
  } else {
    message_since_.store(0, std::memory_order_relaxed);
    if (active_.load(std::memory_order_relaxed) == 0) fall_idle();
  }
}

void ServerConnection::rearm() {
  before_wait();
  const bool silent = stream_->arm();
  state_.store(Armed, std::memory_order_release);
  server_.arm(*this, *stream_, silent);
}

void ServerConnection::fall_idle() {
  IdleClock& clock = server_.idle_clock();
  if (!clock.enabled() || closing()) return;
  const base::Deadline now = base::now();
  idle_since_.store(now, std::memory_order_relaxed);
  if (clock.watch(now)) server_.set_timer();
}

base::Deadline ServerConnection::idle_until(std::int64_t period, base::Deadline now) {
  if (goodbye_at_ != 0) return goodbye_at_ + kGoodbyeTime;
  // Whoever can be called back on his connection could not be reached without it.
  if (listen_points_.load(std::memory_order_relaxed) != 0) return now + period;
  base::Deadline since = idle_since_.load(std::memory_order_relaxed);
  // A request that ran while the connection waited has ended meanwhile.
  if (since == 0 && state_.load(std::memory_order_relaxed) == Armed && !mid_message() &&
      active_.load(std::memory_order_relaxed) == 0)
    idle_since_.store(since = now, std::memory_order_relaxed);
  return (since != 0 ? since : now) + period;
}

void ServerConnection::close_idle(base::Deadline deadline) {
  if (goodbye_at_ != 0) return abort();
  goodbye_at_ = base::now();
  close_when_idle(deadline);
}

bool ServerConnection::overdue(base::Deadline now) const {
  if (const base::Deadline until = stream_->opening_until(); until != base::kNoDeadline) {
    (void)stream_->try_write(nullptr, 0);  // what there was no room for, on which the peer may wait
    return now > until;
  }
  const base::Deadline since = message_since_.load(std::memory_order_relaxed);
  return since != 0 && now - since > options_.message_timeout_ms * 1'000'000LL;
}

bool ServerConnection::handle_buffered(std::unique_ptr<ServerRequest>& request) {
  Message message;
  if (!reader_.mid_assembly()) [[likely]] {  // otherwise its time is watched
    if (reader_.next_is_all(giop::kCommonRequest, message)) [[likely]]
      return handle(message, request);
    if (reader_.next_is_all<true>(giop::kSwappedRequest, message)) return handle(message, request);
  }
  for (;;) {
    switch (reader_.next(message)) {
      case MessageReader::Status::Message:
        if (!handle(message, request)) return false;
        if (held_size_.load(std::memory_order_relaxed) >= kMostHeldBack) return true;
        break;
      case MessageReader::Status::NeedMore:
        if (!reader_.mid_message()) return true;
        end_rest();  // there is a time for what is left of it
        if (++reads_mid_message_ % kReadsUnwatched == 0) [[unlikely]]
          watch_message();
        return true;
      case MessageReader::Status::Malformed:
      case MessageReader::Status::TooLarge:
        return protocol_error();
    }
  }
}

bool ServerConnection::handle(Message& message, std::unique_ptr<ServerRequest>& request) {
  if (message_since_.load(std::memory_order_relaxed) != 0) [[unlikely]] {
    reader_.drop_abandoned();
    message_since_.store(reader_.pending_since(), std::memory_order_relaxed);
  }
  version_.store(message.header.version, std::memory_order_relaxed);
  switch (message.header.type) {
    case giop::MessageType::Request:
      return serve(message, request);
    case giop::MessageType::LocateRequest:
      return locate(message);
    case giop::MessageType::CancelRequest:
      return cancel(message);
    case giop::MessageType::Reply:
    case giop::MessageType::LocateReply:
      return take_reply(message);
    case giop::MessageType::CloseConnection:
      end_callbacks(ClientConnection::Outcome::NotSent);
      end();
      return false;
    case giop::MessageType::MessageError:
      end_callbacks(ClientConnection::Outcome::Refused);
      end();
      return false;
    default:
      return protocol_error();
  }
}

// True if the reading role is still with this thread.
inline bool ServerConnection::end_upcall(ServerRequest& r) {
  std::uint32_t expected = r.upcall_state;
  return state_.compare_exchange_strong(expected, r.upcall_state - InUpcall + Reading,
                                        std::memory_order_acq_rel);
}

// Its header.
inline void ServerConnection::complete_reply(ServerRequest& r) {
  cdr::Encoder& reply = r.reply();
  giop::write_reply_header(reply.data(), r.version(), r.header().request_id,
                           static_cast<giop::ReplyStatus>(r.reply_kind()));
  giop::set_message_size(reply.data(), reply.wire_size());
}

bool ServerConnection::serve(Message& message, std::unique_ptr<ServerRequest>& request) {
  ServerRequest& r = *request;
  if (!r.start(message)) [[unlikely]]
    return protocol_error();
  const giop::RequestHeader& header = r.header();
  active_.fetch_add(1, std::memory_order_seq_cst);
  if (flags_.load(std::memory_order_seq_cst) != 0 && !may_serve()) [[unlikely]] {
    requests_done(1);
    return true;
  }

  if ((header.contexts.count() | offer_.stands()) != 0) [[unlikely]] {
    text_.take(header.contexts, orb_.options().code_sets);
    if (message.header.version.minor >= 2) {
      learn_listen_points(header);
      offer_.apply(r);
    }
  }
  r.arguments().set_text(text_.text);
  const bool known_sets = text_.known;
  r.connection = this;
  r.taken.store(false, std::memory_order_relaxed);
  r.outer = ServerRequest::current();
  r.depth = r.outer ? r.outer->depth + 1 : 1;
  ServerRequest::set_current(&r);
  current_ = &r;
  const std::uint32_t in_upcall = ++serial_ << 2 | InUpcall;
  r.upcall_state = in_upcall;
  const bool together = (reader_.more_buffered() || !kept_replies_.empty()) && may_keep();
  oneway_ = header.response_expected ? 0 : message.size;
  r.may_hold = message.size >= kWorthHolding && reader_.is_mostly(message) ? message.size : 0;
  const bool has_turn = server_.begin_upcall(r);
  if (!r.taken.load(std::memory_order_relaxed)) [[likely]]
    state_.store(in_upcall, std::memory_order_release);
  base::Deadline handed_off = 0;
  if (hand_offs_.load(std::memory_order_relaxed) != 0) [[unlikely]] {
    give_up(r);
    handed_off = base::now();
  }

  if (!known_sets) [[unlikely]] {
    r.system_exception({SystemErrorId::CODESET_INCOMPATIBLE, Completion::No, assigned::kOmgMinor | 2,
                        "the request is written in a code set that is not known here"});
  } else if (!has_turn) [[unlikely]] {
    r.system_exception({SystemErrorId::TRANSIENT, Completion::No, assigned::kOmgMinor | 1,
                        "too many requests wait for this server's threads; try again later"});
  } else if (r.depth <= kMostNested) [[likely]] {
    try {
      orb_.dispatch(r);
    } catch (const std::bad_alloc&) {
      r.system_exception({SystemErrorId::NO_MEMORY, Completion::Maybe, 0, kNoMemory});
    }
  } else {
    r.system_exception({SystemErrorId::TRANSIENT, Completion::No, 0,
                        "too many upcalls of this reactive server wait inside one another"});
  }
  // With the reading role the reply may wait for those of the requests behind this one.
  const bool answered = header.response_expected && !r.cancelled();
  const bool kept = together && answered && r.reply().wire_size() <= kMostKept && !r.replies_specially() &&
                    r.reply().external_count() == 0 && end_upcall(r) && keep_reply(r);
  if (answered && !kept) send_reply(r);
  if (handed_off != 0) [[unlikely]]
    count_hand_off(base::now() - handed_off >= kLongUpcall);
  r.finish();

  ServerRequest::set_current(r.outer);
  server_.end_upcall();
  if (kept) [[unlikely]] {
    if (r.held) let_go(r);
    return base::now() - kept_since_ < kKeepNs || send_kept_replies(r);
  }
  requests_done(1);
  if (!end_upcall(r)) [[unlikely]]
    return taken_away(r);
  if (r.held) [[unlikely]]
    let_go(r);
  return true;
}

// The request is its own again once whoever has taken the role is done with it.
bool ServerConnection::taken_away(ServerRequest& r) {
  while (!r.taken.load(std::memory_order_acquire)) sched_yield();
  running_.remove(r);
  r.taken.store(false, std::memory_order_relaxed);
  if (r.held) std::exchange(r.held, nullptr)->end(std::move(r.kept_memory));
  r.kept_memory = base::Memory();
  return false;
}

// Of a request whose message is still in the reader.
void ServerConnection::let_go(ServerRequest& r) {
  HeldMessage* const held = std::exchange(r.held, nullptr);
  held->end(held->by_others() ? reader_.release_message() : base::Memory());
}

// Not where upcalls are long: the first reply would wait for the last upcall. Nor where no other thread looks
// after them.
bool ServerConnection::may_keep() const {
  return lingers_ && options_.coalesce_writes && kept_replies_.size() <= kMostKeptTogether &&
         hand_offs_.load(std::memory_order_relaxed) == 0;
}

bool ServerConnection::keep_reply(ServerRequest& r) {
  cdr::Encoder& reply = r.reply();
  if (kept_replies_.empty()) kept_since_ = base::now();
  complete_reply(r);
  ++kept_count_;
  try {
    kept_replies_.append(reply.data(), reply.size());
  } catch (const std::bad_alloc&) {  // the connection ends; what is kept is looked after all the same
    abort();
    if (kept_replies_.empty()) kept_replies_.push_back('\0');
  }
  return true;
}

// As inside of an upcall: while the peer takes no replies the reading role may be taken, so that it is heard.
bool ServerConnection::send_kept_replies(ServerRequest& r) {
  r.taken.store(false, std::memory_order_relaxed);
  current_ = &r;
  r.upcall_state = ++serial_ << 2 | InUpcall;
  const Kept kept = take_kept_replies();
  state_.store(r.upcall_state, std::memory_order_release);
  write_kept_replies(kept);
  if (end_upcall(r)) [[likely]]
    return true;
  return taken_away(r);
}

ServerConnection::Kept ServerConnection::take_kept_replies() {
  Kept kept{std::move(kept_replies_), std::exchange(kept_count_, 0)};
  kept_replies_.clear();
  return kept;
}

void ServerConnection::write_kept_replies(const Kept& kept) {
  bool reading = false;
  lock_writing();
  if (write_together({const_cast<char*>(kept.octets.data()), kept.octets.size()}, reading) != Sent::All)
    abort();  // the reader sees the end
  if (has_queue()) write_queued(reading);
  requests_done(kept.count);
}

void ServerConnection::send_last_replies() {
  if (!kept_replies_.empty()) write_kept_replies(take_kept_replies());
}

void ServerConnection::requests_done(std::int32_t count) {
  if (active_.fetch_sub(count, std::memory_order_seq_cst) == count && closing()) [[unlikely]]
    end_answers();
}

void ServerConnection::end_answers() {
  say_goodbye(base::now() + kLastGoodbyePatience);
  if (answers_.load(std::memory_order_seq_cst)) server_.forget(*this);
}

void ServerRequest::reply_early() {
  if (other_running) return;  // a callback: its answer comes when it is done, which is late, but not too late
  begin_reply(Reply::NoException);
  if (connection) connection->send_reply(*this);
  reply_started_ = response_expected_ = header_.response_expected = false;
}

inline bool ServerConnection::try_send_parts(const iovec* parts, int count) {
  bool reading = false;
  if (!try_lock_writing()) [[unlikely]] {
    // Somebody writes, perhaps a large reply: a small one goes in between.
    if (leave_for_writer(parts, count)) {
      write_queued(reading);
      return true;
    }
    if (!may_wait_for_writers()) return false;
    lock_writing();
  }
  if (write(parts, count, base::kNoDeadline, reading, true) != Sent::All) [[unlikely]]
    abort();  // the reader sees the end
  return true;
}

// The kernel puts a message together from the beginning of a page, as a rule, and large blocks of malloc
// begin 16 octets behind that of one: a sequence of octets that follows the 28 octets of an ordinary reply is
// copied slowly (see base/copy.h). A service context moves it on.
inline bool copied_slowly(const iovec* parts) {
  return base::copied_slowly(parts[0].iov_len - reinterpret_cast<std::uintptr_t>(parts[1].iov_base));
}

void ServerConnection::send_reply(ServerRequest& r) {
  if (try_send_reply(r)) [[likely]]
    return;
  const LetGo let_go;
  (void)try_send_reply(r);
}

bool ServerConnection::try_send_reply(ServerRequest& r) {
  cdr::Encoder& reply = r.reply();
  complete_reply(r);
  iovec parts[kMostParts];
  parts[0] = {reply.data(), reply.size()};
  const int count = reply.external_count() == 0 ? 1 : gather(reply, 0, parts);
  if (r.replies_specially() || (count > 1 && copied_slowly(parts))) [[unlikely]]
    return try_send_special(r, parts, count);
  return try_send_parts(parts, count);
}

bool ServerConnection::try_send_padded(const ServerRequest& r, const iovec* parts, int count) {
  static_assert(giop::kPaddedReplyHeaderSize - giop::kReplyHeaderSize == base::kCopyStep);
  char header[giop::kPaddedReplyHeaderSize];
  giop::write_padded_reply_header(header, r.version(), r.header().request_id,
                                  static_cast<giop::ReplyStatus>(r.reply_kind()));
  iovec padded[kMostParts];  // a reply has one part less
  padded[0] = {header, sizeof header};
  std::copy(parts, parts + count, padded + 1);
  padded[1].iov_base = static_cast<char*>(parts[0].iov_base) + giop::kReplyHeaderSize;
  padded[1].iov_len -= giop::kReplyHeaderSize;
  std::size_t size = 0;
  for (int i = 0; i <= count; ++i) size += padded[i].iov_len;
  giop::set_message_size(header, size);
  return try_send_parts(padded, count + 1);
}

bool ServerConnection::try_send_special(ServerRequest& r, const iovec* parts, int count) try {
  if (!r.replies_specially()) return try_send_padded(r, parts, count);
  if (count > 1 && copied_slowly(parts))
    r.add_reply_context(assigned::kContextPadding, std::string(base::kCopyStep - 8, '\0'));
  const SpecialReply reply(r, parts, count);
  return try_send_parts(reply.parts(), reply.count());
} catch (const std::bad_alloc&) {  // before anything has left
  abort();
  return true;
}

// Fragments of a cancelled request are gone already, with the reader.
bool ServerConnection::cancel(const Message& message) {
  cdr::Decoder in = message.decoder();
  std::uint32_t request_id;
  if (!in.get(request_id)) return protocol_error();
  running_.cancel(request_id);
  return true;
}

bool ServerConnection::locate(Message& message) {
  end_rest();  // adapters may have to be made for it
  std::string reply;
  if (!answer_locate_request(orb_, message, reply)) return protocol_error();
  const iovec part{reply.data(), reply.size()};
  bool reading = false;
  if (write(&part, 1, base::kNoDeadline, reading) == Sent::All) return true;
  end();
  return false;
}

bool ServerConnection::protocol_error() {
  send_last_replies();
  send_control(giop::MessageType::MessageError, version_.load(std::memory_order_relaxed));
  end();
  return false;
}

// ---- bidirectional GIOP

void ServerConnection::learn_listen_points(const giop::RequestHeader& header) try {
  const std::size_t taken = listen_points_.load(std::memory_order_relaxed);
  if (taken == giop::kMostListenPoints) return;
  const std::vector<ior::Address> points = giop::offered_listen_points(header.contexts);
  if (points.empty()) return;
  Dispatcher* const dispatcher = orb_.dispatcher();
  if (!orb_.options().accept_bidirectional &&
      (!dispatcher || !dispatcher->bidirectional(header.key, header.key_size)))
    return;
  if (!callbacks_) {
    callbacks_ = base::make_ref<ReverseConnection>(orb_, *this);
    callbacks_->keep_awaited(reader_);
  }
  listen_points_ += server_.callback_routes().add(points, callbacks_, giop::kMostListenPoints - taken);
} catch (const std::bad_alloc&) {  // it is called elsewhere, if anywhere
}

bool ServerConnection::take_reply(Message& message) {
  if (!callbacks_) return protocol_error();
  callbacks_->deliver_reply(message, reader_);
  return true;
}

Sent ServerConnection::send_callback(const iovec* parts, int count, base::Deadline deadline) {
  bool reading = false;
  return closing() ? Sent::Nothing : write(parts, count, deadline, reading);
}

void ServerConnection::end_callbacks(ClientConnection::Outcome outcome) {
  if (!callbacks_) return;
  reader_.keep_only(nullptr, nullptr);
  const base::Ref<ReverseConnection> callbacks = std::move(callbacks_);
  server_.callback_routes().remove(*callbacks);
  callbacks->carrier_ended(outcome, reader_);
  orb_.idle_invocations_let_go();
}

// Only with the reading role.
void ServerConnection::end(bool peer_may_read) {
  end_rest();
  send_last_replies();
  end_callbacks(ClientConnection::Outcome::Lost);
  state_.store(Reading, std::memory_order_relaxed);
  const bool own_end = (flags_.fetch_or(Closing) & Closing) != 0;
  bool answers = false;
  if (own_end || (peer_may_read && active_.load() != 0)) {
    // Upcalls that still run answer, and the last one says goodbye; the server looks after what there is no
    // room for till then.
    answers = active_.load() != 0;
    if (!answers) say_goodbye(base::now() + kGoodbyePatience);
  } else {
    goodbye_.store(Goodbye::Said);
    stream_->finish_writing();
  }
  discard_input(*stream_);
  reader_.let_go();
  message_since_.store(0, std::memory_order_relaxed);
  if (!answers) return server_.forget(*this);
  server_.leave_unread(*this);
  answers_.store(true, std::memory_order_seq_cst);
  if (active_.load(std::memory_order_seq_cst) == 0) server_.forget(*this);
}

bool ServerConnection::take(std::uint32_t state) {
  if (!state_.compare_exchange_strong(state, Taking, std::memory_order_acq_rel)) return false;
  ServerRequest& request = *current_;
  request.kept_memory = reader_.release_message();
  if (reader_.broken()) [[unlikely]]
    abort();
  running_.add(request);
  state_.store(Reading, std::memory_order_relaxed);
  request.taken.store(true, std::memory_order_release);
  return true;
}

bool ServerConnection::look(std::uint32_t number, int ms, bool& soon) {
  const std::uint32_t state = state_.load(std::memory_order_acquire);
  if (rests() && (state & 3) != InUpcall) {
    look_at_rest(state);
    return false;
  }
  const bool same = state == seen_state_;
  const std::uint32_t served = (state >> 2) - (seen_state_ >> 2);
  const bool again = number - seen_at_ == 1;
  seen_state_ = state;
  seen_at_ = number;
  if ((state & 3) != InUpcall) return false;
  // A few upcalls in this time: they may be long enough to be worth a hand-over each. The next ones show it.
  if (served < kFewUpcalls * static_cast<std::uint32_t>(ms) &&
      hand_offs_.load(std::memory_order_relaxed) < kFewHandOffs)
    hand_offs_.store(kFewHandOffs, std::memory_order_relaxed);
  if (!again || hand_offs_.load(std::memory_order_relaxed) != 0) soon = true;
  return same && take(state);
}

// Several threads may be here; what one of them overwrites does not matter.
void ServerConnection::count_hand_off(bool was_long) {
  const std::uint32_t left = hand_offs_.load(std::memory_order_relaxed);
  hand_offs_.store(was_long ? std::min(left + kHandOffs, kMostHandOffs) : left - (left != 0),
                   std::memory_order_relaxed);
}

void ServerConnection::give_up(ServerRequest& request) {
  if (take(request.upcall_state)) resume();
}

void ServerConnection::give_up_before(ServerRequest& request) {
  state_.store(request.upcall_state, std::memory_order_release);
  give_up(request);
}

bool ServerConnection::awaits_callbacks() { return callbacks_->awaits_replies(); }

void ServerConnection::close_when_idle(base::Deadline deadline) {
  flags_.fetch_or(Closing, std::memory_order_seq_cst);
  if (active_.load(std::memory_order_seq_cst) == 0) say_goodbye(deadline);
}

void ServerConnection::say_goodbye(base::Deadline deadline) {
  Goodbye unsaid = Goodbye::Unsaid;
  if (!goodbye_.compare_exchange_strong(unsaid, Goodbye::Begun)) return;
  if (has_queue() && lock_writing_until(deadline)) {  // replies that were left with somebody who writes still
    unlock_writing();
    bool reading = false;
    write_queued(reading);
  }
  // Behind the last reply there may be no room for a moment; without it clients are left in doubt. One whose
  // handshake is not done has asked for nothing, unless what ends it is on its way, with a request behind.
  const auto opening = [&] { return stream_->opening_until() != base::kNoDeadline; };
  for (const base::Deadline until = std::min(deadline, base::now() + kHandshakePatience);
       opening() && base::now() < until;)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (opening()) {
    stream_->finish_writing();
    return goodbye_.store(Goodbye::Said);
  }
  char message[giop::kHeaderSize];
  giop::write(message, giop::MessageType::CloseConnection, version_.load(std::memory_order_relaxed), 0);
  const iovec part{message, sizeof message};
  bool reading = false;
  (void)write(&part, 1, deadline, reading);
  stream_->finish_writing();
  goodbye_.store(Goodbye::Said);
}

}  // namespace corbel::core
