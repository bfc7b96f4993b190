#include "orb/core/bidirectional_connection.h"

#include <new>

#include "orb/core/locating.h"
#include "orb/core/orb.h"
#include "orb/core/reply_contexts.h"
#include "orb/core/server.h"
#include "orb/core/server_connection.h"
#include "orb/giop/code_sets.h"
#include "orb/giop/reply.h"
#include "orb/ior/assigned.h"

namespace corbel::core {
namespace {

// Of a server's last thread, with a peer that makes no room for the reply to a callback.
constexpr base::Deadline kPatience = 1'000'000'000;

}  // namespace

BidirectionalConnection::BidirectionalConnection(Orb& orb, Server& server,
                                                 std::unique_ptr<transport::Stream> stream, std::string offer)
    : ClientConnection(orb, orb.pending_bytes(), std::move(stream), {1, 2}),
      server_(server),
      peer_text_(orb.options().code_sets) {
  callback_offer_ = std::move(offer);
  parity_ = 0;
  oneway_index_ = kMostInFlight - 1;
  reader_.expect_compressed(orb.compression());
}

// The server's loop reads, and gets the role back before anything is served here: so that whatever the
// servant waits for can arrive.
void BidirectionalConnection::ready(bool) {
  if (!take_event()) return;
  const auto self = base::Ref<ClientConnection>::share(this);
  Message message;
  base::Memory memory;
  bool alive = true;
  const std::unique_ptr<Inbound> waiting = std::move(waiting_);
  if (waiting) {
    message = waiting->message;
    memory = std::move(waiting->memory);
  }
  bool serving = waiting != nullptr || next_inbound(message, memory, alive);
  if (alive && !serving) {
    const auto space = reader_.space();
    const auto [status, bytes] = stream_->try_read(space.at, space.size);
    if (status == transport::Io::Ok) reader_.commit(bytes);
    alive = status == transport::Io::Ok || status == transport::Io::WouldBlock;
    serving = alive && next_inbound(message, memory, alive);
  }
  if (serving && server_.reading_ahead()) {  // inside of a write: it is served behind that
    waiting_.reset(new (std::nothrow) Inbound{message, std::move(memory)});
    if (waiting_) return queue_again();
    abort();
    alive = serving = false;
  }
  const bool is_request = serving && message.header.type == giop::MessageType::Request;
  std::unique_ptr<ServerRequest> request;
  bool known_sets = true;
  if (is_request) {  // announces what is behind it, so before another thread reads that
    try {
      request = take_request(message, known_sets);
    } catch (const std::bad_alloc&) {
      abort();
      alive = serving = false;
    }
  }
  if (!alive) {
    fail_all();
    server_.detach(*this);
    pass_on_reading();
    orb_.let_go_of_ended_connections();
  } else if (!park()) {
    if (serving && reader_.more_buffered()) queue_again();
    else rearm();
  }
  try {
    if (request) serve(std::move(request), known_sets);
    else if (is_request && serving) refuse_message();
    else if (serving) serve_locate(message);
  } catch (const std::bad_alloc&) {
    abort();
  }
  server_.notify_progress();
}

void BidirectionalConnection::queue_again() {
  armed_.store(true, std::memory_order_release);
  server_.arm(*this, *stream_, false);
}

bool BidirectionalConnection::next_inbound(Message& message, base::Memory& memory, bool& alive) {
  std::uint32_t request_id;
  for (;;) {
    switch (reader_.next(message)) {
      case MessageReader::Status::Message:
        break;
      case MessageReader::Status::NeedMore:
        return false;
      case MessageReader::Status::Malformed:
        send_control(giop::MessageType::MessageError, version());
        [[fallthrough]];
      case MessageReader::Status::TooLarge:
        abort();
        alive = false;
        return false;
    }
    switch (message.header.type) {
      case giop::MessageType::Request:
      case giop::MessageType::LocateRequest:
        reader_.extract(message, memory);
        return true;
      case giop::MessageType::CancelRequest:
        if (cdr::Decoder in = message.decoder(); in.get(request_id)) callbacks_.cancel(request_id);
        break;
      default:
        deliver(message, reader_);
        wake_marked();
    }
  }
}

void BidirectionalConnection::serve_locate(Message& message) {
  std::string reply;
  if (!answer_locate_request(orb_, message, reply, true)) return refuse_message();
  const iovec part{reply.data(), reply.size()};
  bool reading = false;
  if (!server_.reactive()) begin_waiting();  // perhaps: no upcall says that this is a thread of the server
  if (write(&part, 1, base::kNoDeadline, reading) != Sent::All) abort();
  if (!server_.reactive()) end_waiting();
}

std::unique_ptr<ServerRequest> BidirectionalConnection::take_request(const Message& message,
                                                                     bool& known_sets) {
  std::unique_ptr<ServerRequest> request = orb_.lane().requests.take();
  if (!request) request = std::make_unique<ServerRequest>(orb_);
  if (!request->start(message)) return nullptr;
  peer_text_.take(request->header().contexts, orb_.options().code_sets);
  request->arguments().set_text(peer_text_.text);
  known_sets = peer_text_.known;
  return request;
}

void BidirectionalConnection::serve(std::unique_ptr<ServerRequest> request, bool known_sets) {
  ServerRequest& r = *request;
  const giop::RequestHeader& header = r.header();
  r.connection = nullptr;
  r.callback_stream = &stream();
  r.other_running = &callbacks_;
  r.taken.store(true, std::memory_order_relaxed);  // the connection does not wait for it
  callbacks_.add(r);
  if (ending_.load()) [[unlikely]] {  // looked at after add(), so that end_callbacks() misses nobody
    end_callback(std::move(request));
    return;
  }
  r.outer = ServerRequest::current();
  r.depth = r.outer ? r.outer->depth + 1 : 1;
  ServerRequest::set_current(&r);
  const bool has_turn = server_.begin_upcall(r);
  if (!known_sets)
    r.system_exception({SystemErrorId::CODESET_INCOMPATIBLE, Completion::No, assigned::kOmgMinor | 2,
                        "the request is written in a code set that is not known here"});
  else if (!has_turn)
    r.system_exception({SystemErrorId::TRANSIENT, Completion::No, assigned::kOmgMinor | 1,
                        "too many requests wait for this server's threads; try again later"});
  else if (r.depth > ServerConnection::kMostNested)
    r.system_exception({SystemErrorId::TRANSIENT, Completion::No, 0,
                        "too many upcalls of this reactive server wait inside one another"});
  else if (const SystemError refused = may_be_called_back(orb_, header.key, header.key_size))
    r.system_exception(refused);
  else dispatch(r);
  if (header.response_expected && !r.cancelled()) {
    cdr::Encoder& reply = r.reply();
    giop::write_reply_header(reply.data(), r.version(), header.request_id,
                             static_cast<giop::ReplyStatus>(r.reply_kind()));
    giop::set_message_size(reply.data(), reply.size());
    const iovec part{reply.data(), reply.size()};
    bool sent = false;
    try {
      std::optional<SpecialReply> special;
      if (r.replies_specially()) special.emplace(r, &part, 1);
      bool reading = false;
      sent = (special ? write(special->parts(), special->count(), base::kNoDeadline, reading)
                      : write(&part, 1, base::kNoDeadline, reading)) == Sent::All;
    } catch (const std::bad_alloc&) {  // the request still has to leave this thread and the connection
    }
    if (!sent) abort();
  }
  r.finish();
  ServerRequest::set_current(r.outer);
  server_.end_upcall();
  end_callback(std::move(request));
}

// Who does not read the replies to callbacks is not asked for more of them.
bool BidirectionalConnection::park() {
  if (replies_waiting_.load() < kMostWaiting) return false;
  parked_.store(true);
  return replies_waiting_.load() >= kMostWaiting || !parked_.exchange(false);
}

void BidirectionalConnection::unpark() {
  if (replies_waiting_.load() < kMostWaiting && parked_.exchange(false)) queue_again();
}

bool BidirectionalConnection::in_callback() const {
  return !server_.reactive() && server_.counted(ServerRequest::current());
}

transport::Readiness BidirectionalConnection::wait_to_write(bool read, base::Deadline until) {
  if (server_.reactive()) return ClientConnection::wait_to_write(read, until);
  const bool replies = in_callback();
  // No thread is left to wait for this peer for long, be it behind a request that is written here.
  const bool last = server_.too_many_wait_to_write() && (replies || replies_waiting_.load() != 0);
  if (replies) begin_waiting();
  const transport::Readiness ready = ClientConnection::wait_to_write(read, until);
  if (replies) end_waiting();
  const base::Deadline now = base::now();
  if (!last || ready.writable) no_room_since_ = 0;
  else if (no_room_since_ == 0) no_room_since_ = now;
  else if (now - no_room_since_ > kPatience) abort();
  return ready;
}

// Not for long: who writes then either has room, or loses patience.
void BidirectionalConnection::begin_waiting_for_writers() {
  if (in_callback()) begin_waiting();
}

void BidirectionalConnection::end_waiting_for_writers() {
  if (in_callback()) end_waiting();
}

void BidirectionalConnection::begin_waiting() {
  replies_waiting_.fetch_add(1);
  server_.begin_waiting_to_write();
}

void BidirectionalConnection::end_waiting() {
  server_.end_waiting_to_write();
  replies_waiting_.fetch_sub(1);
  unpark();
}

void BidirectionalConnection::dispatch(ServerRequest& r) try {
  orb_.dispatch(r);
} catch (const std::bad_alloc&) {
  r.system_exception({SystemErrorId::NO_MEMORY, Completion::Maybe, 0, "no memory to run the operation with"});
}

void BidirectionalConnection::end_callback(std::unique_ptr<ServerRequest> request) {
  callbacks_.remove(*request);
  request->other_running = nullptr;
  request->callback_stream = nullptr;
  request->taken.store(false, std::memory_order_relaxed);
  orb_.lane().requests.give(std::move(request));
}

bool BidirectionalConnection::end_callbacks(base::Deadline deadline) {
  ending_.store(true);
  return callbacks_.wait_until_empty(deadline);
}

void BidirectionalConnection::refuse_message() {
  send_control(giop::MessageType::MessageError, version());
  abort();
}

}  // namespace corbel::core
