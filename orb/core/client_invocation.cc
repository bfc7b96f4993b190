#include "orb/core/client_invocation.h"

#include "orb/core/orb.h"
#include "orb/core/server.h"
#include "orb/core/server_request.h"
#include "orb/giop/code_sets.h"
#include "orb/ior/assigned.h"

namespace corbel::core {
namespace {

constexpr int kMostForwards = 10;  // stops servers that forward in a circle
constexpr int kMostRebinds = 2;
constexpr std::size_t kLocateFirst = 256 * 1024;

SystemError transient(std::uint32_t minor, Completion completed, const char* detail) {
  return {SystemErrorId::TRANSIENT, completed, minor, detail};
}

}  // namespace

Invocation* Invocation::begin(Reference& target, const Operation& operation, SystemError& error) {
  Lane& lane = target.orb().lane();
  std::unique_ptr<ClientInvocation> invocation = lane.invocations.take();
  if (!invocation) invocation = std::make_unique<ClientInvocation>();
  error = invocation->start(target, operation);
  if (error) {
    lane.invocations.give(std::move(invocation));
    return nullptr;
  }
  return invocation.release();
}

void Invocation::end() { static_cast<ClientInvocation*>(this)->finish(); }

SystemError Invocation::invoke(ReplyKind& kind) { return static_cast<ClientInvocation*>(this)->run(kind); }

SystemError ClientInvocation::start(Reference& target, const Operation& operation) {
  target_ = base::Ref<Reference>::share(&target);
  operation_ = &operation;
  const ThreadCallLimit& thread = thread_call_limit;
  const bool limited =
      (target.call_timeout() | target.orb().call_timeout() | thread.timeout | thread.deadline) != 0;
  deadline_ = limited ? deadline_of_call() : base::kNoDeadline;
  if (limited && base::now() >= deadline_) {  // the thread's own has passed before
    SystemError error = timed_out(Completion::No);
    target_ = nullptr;
    return error;
  }
  header_for_ = nullptr;
  hooks_ = target.orb().client_hooks();
  forwards_ = rebinds_ = 0;
  retries_ = 0;
  fell_back_ = false;
  binding_ = target.bound();
  if (!binding_) [[unlikely]] {
    SystemError error = first_bind();
    while (error && retried(error)) error = first_bind();
    if (error) {
      binding_ = nullptr;
      target_ = nullptr;
      return error;
    }
  }
  if (!binding_->connection) {
    begin_ = ServerRequest::kReplyBegin;
    written_.binding = 0;
    arguments_.reset(begin_);
    arguments_.allow_externals(false);
    return {};
  }
  if (reuse_header()) [[likely]]
    return {};
  const giop::RequestParts parts = header_parts();
  begin_ = giop::body_offset(parts);
  arguments_.reset(begin_);
  if (parts.version.minor < 2) [[unlikely]]
    arguments_.set_older(2u - parts.version.minor);
  if (binding_->code_set == giop::CodeSet::Utf8) [[unlikely]]
    arguments_.set_utf8();
  arguments_.allow_externals(true);
  header_offset_ = begin_;
  header_end_ = giop::write_request_header(arguments_.data(), parts);
  header_for_ = binding_.get();
  const bool common = parts.version.minor == 2 && parts.contexts_count == 0 && !arguments_.utf8();
  written_.binding = common ? binding_->serial : 0;
  written_.operation = &operation;
  written_.generation = arguments_.generation();
  written_.begin = begin_;
  written_.end = header_end_;
  return {};
}

base::Deadline ClientInvocation::deadline_of_call() const {
  const ThreadCallLimit& thread = thread_call_limit;
  std::int64_t timeout = target_->call_timeout();
  if (timeout == 0 && thread.deadline != base::kNoDeadline) return thread.deadline;
  if (timeout == 0) timeout = thread.timeout;
  if (timeout == 0) timeout = target_->orb().call_timeout();
  return timeout == 0 ? base::kNoDeadline : base::now() + timeout;
}

// Asks whoever handles failures; prepares for another attempt if one is wanted.
bool ClientInvocation::retried(const SystemError& error) {
  base::Ref<RetryHandler> handler = target_->retry_handler();
  if (!handler) handler = target_->orb().retry_handler();
  if (!handler || !handler->retry(*target_, *operation_, retries_, error)) return false;
  ++retries_;
  forwards_ = rebinds_ = 0;
  fell_back_ = false;
  if (target_->orb().options().reset_timeout_on_retries) deadline_ = deadline_of_call();
  return true;
}

// The invocation's last call was the same operation of the same binding: what it wrote is there still.
bool ClientInvocation::reuse_header() {
  if (written_.binding != binding_->serial || written_.operation != operation_) return false;
  if (binding_->code_set != giop::CodeSet::Default && !binding_->connection->code_sets_sent()) return false;
  begin_ = written_.begin;
  arguments_.reset(begin_);
  if (arguments_.generation() != written_.generation) return false;
  arguments_.allow_externals(true);
  header_offset_ = begin_;
  header_end_ = written_.end;
  header_contexts_ = 0;
  code_sets_with_it_ = false;
  header_for_ = binding_.get();
  return true;
}

SystemError ClientInvocation::first_bind() {
  SystemError error = target_->bind(binding_, deadline_, tried_);
  if (error && fall_back()) error = target_->bind(binding_, deadline_, tried_);
  tried_ = nullptr;
  return error;
}

// Once per call a forwarded request may go back to the original address.
bool ClientInvocation::fall_back() {
  const Forward tried = binding_ ? binding_->forward : std::move(tried_);
  return !fell_back_ && (fell_back_ = target_->forget_forward(tried));
}

void ClientInvocation::finish() {
  if (local_request_) {
    local_request_->finish();
    target_->orb().lane().requests.give(std::unique_ptr<ServerRequest>(local_request_));
    local_request_ = nullptr;
  }
  binding_ = nullptr;
  if (contexts_count_ != 0) [[unlikely]] {
    contexts_.clear();
    contexts_count_ = 0;
  }
  // An encoder that failed may have written anywhere in its memory.
  if (arguments_.error()) [[unlikely]]
    written_.binding = 0;
  const base::Ref<Reference> target = std::move(target_);
  if (reply_memory.size() > 256 * 1024) reply_memory = base::Memory();
  target->orb().lane().invocations.give(std::unique_ptr<ClientInvocation>(this));
}

SystemError ClientInvocation::run(ReplyKind& kind) {
  if (arguments_.error()) return arguments_.error();
  if (hooks_) [[unlikely]]
    if (SystemError e = hooks_->send_request(hooks_->data, *this)) return e;
  SystemError error = run_once(kind);
  while (error && retried(error)) [[unlikely]]
    error = run_once(kind);
  if (hooks_ && !error) [[unlikely]]
    error = hooks_->receive_reply(hooks_->data, *this);
  return error;
}

SystemError ClientInvocation::run_once(ReplyKind& kind) {
  SystemError error;
  bool again;
  do {
    again = false;
    error = attempt(again, kind);
  } while (again);
  return error;
}

// What the header says for the present binding. The code sets go with every request until one has left.
giop::RequestParts ClientInvocation::header_parts() {
  giop::RequestParts parts{binding_->version,
                           binding_->prefix,
                           operation_->name,
                           operation_->name_length,
                           !operation_->oneway,
                           nullptr,
                           0,
                           0};
  code_sets_with_it_ =
      binding_->code_set != giop::CodeSet::Default && !binding_->connection->code_sets_sent();
  if (code_sets_with_it_) [[unlikely]] {
    parts.contexts = giop::code_set_context(binding_->code_set);
    parts.contexts_size = giop::kCodeSetContextSize;
    parts.contexts_count = 1;
  }
  header_contexts_ = parts.contexts_size;
  return parts;
}

// Writes the header anew: for another binding than the arguments were marshaled for, or with more contexts.
void ClientInvocation::write_header() {
  written_.binding = 0;
  giop::RequestParts parts = header_parts();
  std::string contexts;
  if (contexts_count_ != 0) {
    contexts.assign(parts.contexts ? parts.contexts : "", parts.contexts_size).append(contexts_);
    parts.contexts = contexts.data();
    parts.contexts_size = static_cast<std::uint32_t>(contexts.size());
    parts.contexts_count += contexts_count_;
    header_contexts_ = parts.contexts_size;
  }
  header_offset_ = giop::body_offset(parts);
  if (header_offset_ > begin_) header_.resize(header_offset_);
  header_end_ = giop::write_request_header(header(), parts);
  header_for_ = binding_.get();
}

int ClientInvocation::prepare(iovec* parts) {
  if (locating_) [[unlikely]] {
    locate_request_ = giop::make_locate_request(binding_->version, binding_->prefix, request_id);
    parts[0] = {locate_request_.data(), locate_request_.size()};
    return 1;
  }
  if (header_for_ != binding_.get()) [[unlikely]]
    write_header();
  char* const start = header();
  const std::size_t body = arguments_.wire_size() - begin_;
  const std::size_t header_size = body != 0 ? header_offset_ : header_end_;
  giop::set_request_id(start, binding_->version, header_contexts_, request_id);
  giop::set_message_size(start, header_size + body);
  if (header_offset_ > begin_ || arguments_.external_count() != 0) [[unlikely]]
    return gather(parts, header_size);
  parts[0] = {start, header_size + body};
  return 1;
}

// A message that is not in one piece: its header stands apart, or some of its body with the caller.
int ClientInvocation::gather(iovec* parts, std::size_t header_size) {
  int count = 0;
  std::size_t from = begin_ - header_offset_;
  if (header_offset_ > begin_) {
    parts[count++] = {header(), header_size};
    from = begin_;
  }
  for (std::size_t i = 0; i < arguments_.external_count(); ++i) {
    const cdr::External& e = arguments_.externals()[i];
    if (e.at != from) parts[count++] = {arguments_.data() + from, e.at - from};
    parts[count++] = {const_cast<char*>(e.data), e.size};
    from = e.at;
  }
  if (arguments_.size() != from) parts[count++] = {arguments_.data() + from, arguments_.size() - from};
  return count;
}

// Sends the request, or the LocateRequest, and waits for its reply.
inline ClientConnection::Outcome ClientInvocation::talk() {
  ServerRequest* const upcall = ServerRequest::current();
  Server* const server = upcall ? upcall->orb().server() : nullptr;
  if (server) server->begin_wait(*upcall);
  const ClientConnection::Outcome outcome = binding_->connection->exchange(*this);
  if (server) server->end_wait();
  return outcome;
}

// The arguments stay as they were marshaled for the binding before.
SystemError ClientInvocation::rebind() {
  if (SystemError e = target_->bind(binding_, deadline_, tried_)) return e;
  if ((binding_->code_set == giop::CodeSet::Utf8) == arguments_.utf8()) return {};
  return transient(0, Completion::No, "the object has moved to a server of another char set; call it again");
}

SystemError ClientInvocation::attempt(bool& again, ReplyKind& kind) {
  if (!binding_)
    if (SystemError e = rebind()) return lost(e, false, again);
  if (!binding_->connection) return call_local(again, kind);
  if (arguments_.wire_size() >= kLocateFirst && !binding_->located.load(std::memory_order_relaxed))
      [[unlikely]] {
    if (SystemError e = locate(again)) return e;
    if (again) return {};
  }
  const ClientConnection::Outcome outcome = talk();
  if (code_sets_with_it_) [[unlikely]]
    sent_code_sets(outcome);
  if (outcome == ClientConnection::Outcome::Replied) [[likely]]
    return read_reply(again, kind);
  if (outcome != ClientConnection::Outcome::SentOneway) return failed(outcome, again);
  kind = ReplyKind::NoException;
  return {};
}

void ClientInvocation::sent_code_sets(ClientConnection::Outcome outcome) {
  if (outcome == ClientConnection::Outcome::Replied || outcome == ClientConnection::Outcome::SentOneway)
    binding_->connection->set_code_sets_sent();
}

SystemError ClientInvocation::failed(ClientConnection::Outcome outcome, bool& again) {
  const Completion completed = locating_ ? Completion::No : Completion::Maybe;
  if (outcome == ClientConnection::Outcome::TimedOut) {
    binding_->connection->cancel(request_id);
    return timed_out(completed);
  }
  if (deadline_ != base::kNoDeadline && base::now() >= deadline_) {
    drop_binding();
    return timed_out(outcome == ClientConnection::Outcome::NotSent ? Completion::No : completed);
  }
  switch (outcome) {
    case ClientConnection::Outcome::NotSent:
      return lost(transient(assigned::kOmgMinor | 2, Completion::No,
                            "the connection ended before the request was sent; is the server up?"),
                  true, again);
    case ClientConnection::Outcome::Lost:
      return lost({SystemErrorId::COMM_FAILURE, completed, assigned::kMinorReplyLost,
                   "the connection ended while the reply was awaited; the request may have been carried out"},
                  false, again);
    default:  // Refused
      return {SystemErrorId::COMM_FAILURE, completed, 0, "the server answered MessageError"};
  }
}

SystemError ClientInvocation::timed_out(Completion completed) const {
  return target_->orb().timed_out(completed, "the deadline passed before the reply came");
}

// A large request is worth asking first where its object is, so that it is not sent in vain.
SystemError ClientInvocation::locate(bool& again) {
  locating_ = true;
  const ClientConnection::Outcome outcome = talk();
  const SystemError error =
      outcome == ClientConnection::Outcome::Replied ? read_locate_reply(again) : failed(outcome, again);
  locating_ = false;
  return error;
}

SystemError ClientInvocation::read_locate_reply(bool& again) {
  const SystemError malformed{SystemErrorId::MARSHAL, Completion::No, 0, "the locate reply is malformed"};
  cdr::Decoder in = reply.decoder();
  std::uint32_t id;
  giop::LocateStatus status;
  if (reply.header.type != giop::MessageType::LocateReply || !giop::decode_locate_reply(in, id, status))
    return malformed;
  switch (status) {
    case giop::LocateStatus::UnknownObject:
      return refused({SystemErrorId::OBJECT_NOT_EXIST, Completion::No, assigned::kOmgMinor | 2,
                      "the server does not know the object"},
                     again);
    case giop::LocateStatus::ObjectHere:
      binding_->located.store(true, std::memory_order_relaxed);
      return {};
    case giop::LocateStatus::ObjectForward:
    case giop::LocateStatus::ObjectForwardPerm: {
      ior::Ior target;
      if (!giop::decode_locate_body(in, [&](cdr::Decoder& body) { return ior::decode(body, target = {}); }))
        return malformed;
      return forwarded(std::move(target), again);
    }
    case giop::LocateStatus::SystemException: {
      SystemError error;
      if (!giop::decode_locate_body(
              in, [&](cdr::Decoder& body) { return giop::decode_system_exception(body, error); }))
        return malformed;
      return refused(error, again);
    }
    case giop::LocateStatus::NeedsAddressingMode:
      break;
  }
  giop::Addressing addressing;
  if (!giop::decode_locate_body(
          in, [&](cdr::Decoder& body) { return giop::decode_addressing(body, addressing); }))
    return malformed;
  return asked_for(addressing, again);
}

// The target could not be reached. A request that never left may go out again; a forwarded one goes back once
// to the original address, if it cannot have been carried out.
SystemError ClientInvocation::lost(SystemError error, bool resendable, bool& again) {
  const bool not_done = resendable || error.completed == Completion::No;
  const bool back = not_done && fall_back();
  if (binding_) target_->unbind(*binding_);
  drop_binding();
  if (back) {
    again = true;
  } else if (resendable && error.id == SystemErrorId::TRANSIENT && rebinds_ < kMostRebinds) {
    ++rebinds_;
    again = true;
  }
  return error;
}

SystemError ClientInvocation::read_reply(bool& again, ReplyKind& kind) {
  const SystemError malformed{SystemErrorId::MARSHAL, Completion::Maybe, 0, "the reply is malformed"};
  results_ = reply.decoder();
  giop::ReplyHeader header;
  if (reply.header.type != giop::MessageType::Reply ||
      !giop::decode_reply(results_, reply.header.version, header)) [[unlikely]]
    return malformed;
  results_.set_context(nullptr, false, &target_->orb());
  if (arguments_.utf8()) [[unlikely]]
    results_.set_utf8(true);
  switch (header.status) {
    [[likely]] case giop::ReplyStatus::NoException:
      kind = ReplyKind::NoException;
      return {};
    case giop::ReplyStatus::UserException:
      kind = ReplyKind::UserException;
      return {};
    case giop::ReplyStatus::SystemException: {
      SystemError error;
      if (!giop::decode_system_exception(results_, error)) return malformed;
      return refused(error, again);
    }
    case giop::ReplyStatus::LocationForward:
    case giop::ReplyStatus::LocationForwardPerm: {
      ior::Ior target;
      if (!ior::decode(results_, target)) return malformed;
      return forwarded(std::move(target), again);
    }
    case giop::ReplyStatus::NeedsAddressingMode:
      break;
  }
  giop::Addressing addressing;
  if (!giop::decode_addressing(results_, addressing)) return malformed;
  return asked_for(addressing, again);
}

// A system exception. Where a forwarded request cannot have been carried out, the original address is asked
// once.
SystemError ClientInvocation::refused(const SystemError& error, bool& again) {
  const bool target_gone = error.id == SystemErrorId::OBJECT_NOT_EXIST ||
                           error.id == SystemErrorId::TRANSIENT || error.id == SystemErrorId::COMM_FAILURE;
  if (target_gone && error.completed == Completion::No && fall_back()) {
    drop_binding();
    again = true;
  }
  return error;
}

SystemError ClientInvocation::forwarded(ior::Ior target, bool& again) {
  if (++forwards_ > kMostForwards)
    return transient(0, Completion::No, "the servers forward this reference in a circle");
  target_->forward(std::move(target));
  drop_binding();
  again = true;
  return {};
}

SystemError ClientInvocation::asked_for(giop::Addressing addressing, bool& again) {
  if (++forwards_ > kMostForwards)
    return transient(0, Completion::No, "the server asks for one addressing mode after the other");
  target_->use_addressing(addressing);
  drop_binding();
  again = true;
  return {};
}

// The object lives in this process: its adapter is asked directly, on this thread.
SystemError ClientInvocation::call_local(bool& again, ReplyKind& kind) {
  Orb& orb = target_->orb();
  if (!local_request_) {
    local_request_ = orb.lane().requests.take().release();
    if (!local_request_) local_request_ = new ServerRequest(orb);
  }
  giop::RequestHeader header;
  header.response_expected = !operation_->oneway;
  header.key = binding_->key.data();
  header.key_size = static_cast<std::uint32_t>(binding_->key.size());
  header.operation = operation_->name;
  header.operation_length = operation_->name_length;
  const char* const memory = arguments_.data();
  ServerRequest& r = *local_request_;
  r.start(header, cdr::Decoder(memory, memory + begin_, memory + arguments_.size(), false), {1, 2});
  r.connection = nullptr;
  r.outer = ServerRequest::current();
  r.depth = r.outer ? r.outer->depth + 1 : 1;
  ServerRequest::set_current(&r);
  orb.dispatch(r);
  ServerRequest::set_current(r.outer);
  if (operation_->oneway) {
    kind = ReplyKind::NoException;
    return {};
  }
  // Read as the reply message it would have been.
  giop::write_reply_header(r.reply().data(), {1, 2}, 0, static_cast<giop::ReplyStatus>(r.reply_kind()));
  giop::set_message_size(r.reply().data(), r.reply().size());
  reply.data = r.reply().data();
  reply.size = r.reply().size();
  reply.header = {{1, 2}, false, false, giop::MessageType::Reply, 0};
  reply.fragments = nullptr;
  return read_reply(again, kind);
}

}  // namespace corbel::core
