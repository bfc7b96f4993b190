#include "orb/core/client_invocation.h"

#include <cstring>
#include <utility>

#include "orb/core/abstract_server.h"
#include "orb/core/orb.h"
#include "orb/core/server_request.h"
#include "orb/giop/code_sets.h"
#include "orb/ior/assigned.h"

namespace corbel::core {
Invocation* Invocation::begin(Reference& target, const Operation& operation, SystemError& error) {
  ClientInvocation* const invocation = target.orb().lane().invocations.take().release();
  if (invocation && invocation->start_again(target, operation)) [[likely]]
    return invocation;
  return ClientInvocation::begin_anew(invocation, target, operation, error);
}

Invocation* ClientInvocation::begin_anew(ClientInvocation* idle, Reference& target,
                                         const Operation& operation, SystemError& error) {
  std::unique_ptr<ClientInvocation> invocation(idle);
  if (!invocation) invocation = std::make_unique<ClientInvocation>(target.orb().options());
  error = invocation->start(target, operation);
  if (!error) return invocation.release();
  invocation->forget_call();
  target.orb().lane().invocations.give(std::move(invocation));
  return nullptr;
}

void Invocation::end() { static_cast<ClientInvocation*>(this)->finish(); }

// True where something is set for calls through `target`.
inline bool ClientInvocation::limited(const Reference& target) {
  return (target.has_call_settings() | target.orb().has_call_settings() | thread_call_settings.set) != 0;
}

// The common case of start(): the same operation of the same binding as the last time, nothing special about
// it. Everything is still as it has to be.
inline bool ClientInvocation::start_again(Reference& target, const Operation& operation) {
  if (written_.operation != operation.name || written_.oneway != operation.oneway ||
      written_.binding != target.bound_serial() || written_.generation != arguments_.generation() ||
      limited(target) || target.orb().is_shut_down() || !binding_->connection->usable())
    return false;
  target_ = base::Ref<Reference>::share(&target);
  operation_ = &operation;
  deadline_ = send_deadline_ = base::kNoDeadline;
  arguments_.rewind(begin_);
  return true;
}

SystemError ClientInvocation::start(Reference& target, const Operation& operation) {
  target_ = base::Ref<Reference>::share(&target);
  operation_ = &operation;
  end_settings();
  if (limited(target)) [[unlikely]] {
    if (SystemError error = apply_settings()) {
      target_ = nullptr;
      return error;
    }
  }
  header_for_ = nullptr;
  hooks_ = target.orb().client_hooks();
  forwards_ = rebinds_ = 0;
  retries_ = 0;
  fell_back_ = false;
  failed_profiles_ = {};
  binding_ = target.bound();
  if (!binding_) [[unlikely]] {
    SystemError error = first_bind();
    while (error && retried(error)) error = first_bind();
    if (error) {
      binding_ = nullptr;
      if (hooks_) return begin_unbound();
      target_ = nullptr;
      return error;
    }
  }
  if (!binding_->connection || !reuse_header()) [[unlikely]]
    begin_arguments();
  return {};
}

// What is written from here on is for the present binding.
void ClientInvocation::begin_arguments() {
  if (!binding_->connection) {
    begin_ = ServerRequest::kReplyBegin;
    written_.binding = 0;
    arguments_.reset(begin_);
    arguments_.allow_externals(false);
    return;
  }
  const giop::RequestParts parts = header_parts();
  begin_ = giop::body_offset(parts);
  arguments_.reset(begin_);
  written_.binding = 0;
  if (arguments_.error()) [[unlikely]]
    return;  // attempt() tells
  if (parts.version.minor < 2) [[unlikely]]
    arguments_.set_older(2u - parts.version.minor);
  if (binding_->code_sets.text != 0) [[unlikely]]
    arguments_.set_text(binding_->code_sets.text);
  arguments_.allow_externals(true);
  header_offset_ = begin_;
  header_end_ = giop::write_request_header(arguments_.data(), parts);
  header_for_ = compresses_ ? nullptr : binding_.get();
  const bool common = parts.version.minor == 2 && parts.contexts_count == 0 && arguments_.text() == 0 &&
                      !hooks_ && !fell_back_ && retries_ == 0 && !out_of_the_ordinary_;
  written_.binding = common ? binding_->serial : 0;
  written_.operation = operation_->name;
  written_.oneway = operation_->oneway;
  written_.generation = arguments_.generation();
  written_.begin = begin_;
  written_.end = header_end_;
}

// Asks whoever handles failures; prepares for another attempt if one is wanted.
bool ClientInvocation::retried(const SystemError& error) {
  base::Ref<RetryHandler> handler = target_->retry_handler();
  if (!handler) handler = target_->orb().retry_handler();
  if (!handler || !handler->retry(*target_, *operation_, retries_, error)) return false;
  ++retries_;
  written_.binding = 0;
  forwards_ = rebinds_ = 0;
  fell_back_ = false;
  failed_profiles_ = {};
  CallSettings settings;
  if (limited(*target_) && target_->orb().options().reset_timeout_on_retries &&
      !settings_of_calls(*target_, settings))
    set_limits(settings, base::now());
  return true;
}

// The invocation's last call was the same operation of the same binding: what it wrote is there still.
bool ClientInvocation::reuse_header() {
  if (written_.binding != binding_->serial || written_.operation != operation_->name ||
      written_.oneway != operation_->oneway)
    return false;
  if (binding_->announces && !binding_->connection->code_sets_sent()) return false;
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

void ClientInvocation::finish() {
  if (local_request_) {
    local_request_->finish_local();
    target_->orb().lane().requests.give(std::unique_ptr<ServerRequest>(local_request_));
    local_request_ = nullptr;
  }
  // An encoder that failed may have written anywhere in its memory.
  if (written_.binding == 0 || !arguments_.was_plain() || !binding_->connection->usable()) [[unlikely]]
    finish_unlike_most();
  if (reply_memory.size() >= cdr::Decoder::kWorthTaking) [[unlikely]]
    finish_large_reply();
  const base::Ref<Reference> target = std::move(target_);
  target->orb().lane().invocations.give(std::unique_ptr<ClientInvocation>(this));
}

inline SystemError ClientInvocation::run(ReplyKind& kind) {
  if (!plain_call()) [[unlikely]]
    return run_any(kind);
  const ClientConnection::Outcome outcome = binding_->connection->exchange(*this);
  if (outcome != ClientConnection::Outcome::Replied || !plain_reply()) [[unlikely]]
    return run_on(outcome, kind);
  kind = ReplyKind::NoException;
  return {};
}

SystemError Invocation::invoke(ReplyKind& kind) { return static_cast<ClientInvocation*>(this)->run(kind); }

// There is nothing to do but to send it and to wait for its reply.
inline bool ClientInvocation::plain_call() const {
  return written_.binding != 0 && !arguments_.error() && !operation_->oneway && !is_worth_locating() &&
         !ServerRequest::current();
}

// The reply is in the common form, and the operation's results follow its header at once.
inline bool ClientInvocation::plain_reply() {
  if (reply.fragments || reply.size < giop::kReplyHeaderSize ||
      std::memcmp(reply.data, giop::kCommonReply, sizeof giop::kCommonReply) != 0 ||
      cdr::load<std::uint32_t>(reply.data + 16, false) !=
          static_cast<std::uint32_t>(giop::ReplyStatus::NoException) ||
      cdr::load<std::uint32_t>(reply.data + 20, false) != 0)  // service contexts
    return false;
  results_ = cdr::Decoder(reply.data, reply.data + giop::kReplyHeaderSize, reply.data + reply.size, false);
  results_.set_context(nullptr, false, &target_->orb());
  if (reply.size >= cdr::Decoder::kWorthTaking) [[unlikely]]
    lend_reply();
  return true;
}

// Who keeps results does not keep several times as much memory.
void ClientInvocation::lend_reply() {
  if (reply.size < reply_memory.size() / 2) return;
  lent_ = reply_memory.data();
  lends_ = true;
  results_.lend(&lent_);
}

SystemError ClientInvocation::run_any(ReplyKind& kind) {
  if (streaming_ || stopped_) return run_streamed(kind);
  if (arguments_.error()) return arguments_.error();
  return retry(run_once(kind), kind);
}

// A plain call that did not end as most do.
SystemError ClientInvocation::run_on(ClientConnection::Outcome outcome, ReplyKind& kind) {
  bool again = false;
  SystemError error = after(outcome, again, kind);
  if (again) error = run_once(kind);
  return retry(error, kind);
}

SystemError ClientInvocation::retry(SystemError error, ReplyKind& kind) {
  while (error && retried(error)) [[unlikely]]
    error = run_once(kind);
  return error;
}

SystemError ClientInvocation::run_once(ReplyKind& kind) {
  SystemError error;
  bool again;
  do {
    again = false;
    if (!binding_ && bind_anew(kind)) [[unlikely]]
      return {};
    if (hooks_) [[unlikely]] {
      reply_contexts_.clear();
      error = hooks_->attempt(hooks_->data, *this, again, kind);
    } else {
      error = attempt(again, kind);
    }
  } while (again);
  return error;
}

// A message whose header says more than most, or that is not in one piece; and LocateRequests.
int ClientInvocation::prepare_any(iovec* parts) {
  if (locating_) {
    cdr::store(locate_request_.data() + giop::kHeaderSize, request_id);
    parts[0] = {locate_request_.data(), locate_request_.size()};
    return 1;
  }
  char* const start = header();
  const std::size_t body = arguments_.wire_size() - begin_;
  const std::size_t header_size = body != 0 ? header_offset_ : header_end_;
  giop::set_request_id(start, binding_->version, header_contexts_, request_id);
  giop::set_message_size(start, header_size + body);
  int count = 1;
  if (header_offset_ > begin_ || arguments_.external_count() != 0) count = gather(parts, header_size);
  else parts[0] = {start, header_size + body};
  return compresses_ ? compress(parts, count) : count;
}

// What the header says for the present binding. The code sets go with every request until one has left.
giop::RequestParts ClientInvocation::header_parts() {
  giop::RequestParts parts{binding_->version,
                           binding_->prefix,
                           operation_->name,
                           operation_->name_length,
                           operation_->oneway ? response_ : giop::Response::Expected,
                           nullptr,
                           0,
                           0,
                           binding_->corbel ? operation_->number : std::uint16_t{0}};
  code_sets_with_it_ = binding_->announces && !binding_->connection->code_sets_sent();
  if (code_sets_with_it_) [[unlikely]]
    announce(parts);
  header_contexts_ = parts.contexts_size;
  return parts;
}

// Writes the header anew: for another binding than the arguments were marshaled for, or with more contexts.
void ClientInvocation::write_header() {
  written_.binding = 0;
  giop::RequestParts parts = header_parts();
  std::string contexts;
  if (contexts_count_ != 0 || compresses_) {
    contexts.assign(parts.contexts ? parts.contexts : "", parts.contexts_size);
    if (contexts_count_ != 0) contexts.resize((contexts.size() + 3) & ~std::size_t{3});
    contexts += contexts_;
    parts.contexts_count += contexts_count_;
    if (compresses_) negotiate_compression(contexts, parts.contexts_count);
    parts.contexts = contexts.data();
    parts.contexts_size = static_cast<std::uint32_t>(contexts.size());
    header_contexts_ = parts.contexts_size;
  }
  header_offset_ = giop::body_offset(parts);
  if (header_offset_ > begin_) header_.resize(header_offset_);
  header_end_ = giop::write_request_header(header(), parts);
  header_for_ = binding_.get();
}

// A message that is not in one piece: its header stands apart, or some of its body with the caller.
int ClientInvocation::gather(iovec* parts, std::size_t header_size) {
  if (header_offset_ <= begin_) return Connection::gather(arguments_, begin_ - header_offset_, parts);
  parts[0] = {header(), header_size};
  return 1 + Connection::gather(arguments_, begin_, parts + 1);
}

// Sends the request, or the LocateRequest, and waits for its reply.
inline ClientConnection::Outcome ClientInvocation::talk() {
  ServerRequest* const upcall = ServerRequest::current();
  AbstractServer* const server = upcall ? upcall->orb().server() : nullptr;
  if (server) {
    if (!expects_reply()) server->begin_wait(*upcall);
    else if (!server->begin_call(*upcall)) return ClientConnection::Outcome::NoThread;
  }
  ClientConnection& connection = *binding_->connection;
  const ClientConnection::Outcome outcome =
      compresses_ ? connection.exchange_apart(*this) : connection.exchange(*this);
  if (server) server->end_wait();
  return outcome;
}

SystemError ClientInvocation::attempt(bool& again, ReplyKind& kind) {
  if (bind_error_) [[unlikely]]
    return lost(std::exchange(bind_error_, {}), false, again);
  if (!binding_->connection) {
    Dispatcher* const dispatcher = target_->orb().dispatcher();
    return dispatcher ? dispatcher->call(*this, again, kind)
                      : SystemError{SystemErrorId::OBJECT_NOT_EXIST, Completion::No, assigned::kOmgMinor | 2,
                                    nullptr};
  }
  if (is_worth_locating() && !never_waits_ && !binding_->located.load(std::memory_order_relaxed))
      [[unlikely]] {
    if (SystemError e = locate(again)) return e;
    if (again) return {};
  }
  if (header_for_ != binding_.get())
    write_header();  // no memory is asked for once locks and a slot are taken
  return after(talk(), again, kind);
}

// Once for all who call it: none of them is in a hurry.
[[gnu::noinline]] SystemError ClientInvocation::after(ClientConnection::Outcome outcome, bool& again,
                                                      ReplyKind& kind) {
  if (code_sets_with_it_) [[unlikely]]
    sent_code_sets(outcome);
  if (outcome == ClientConnection::Outcome::Replied) [[likely]]
    return read_reply(again, kind);
  if (outcome != ClientConnection::Outcome::SentOneway) return failed(outcome, again);
  kind = ReplyKind::NoException;
  return {};
}

// A large request is worth asking first where its object is, so that it is not sent in vain.
SystemError ClientInvocation::locate(bool& again) {
  locate_request_ = giop::make_locate_request(binding_->version, binding_->prefix, 0);
  locating_ = true;
  const base::Deadline whole = std::exchange(deadline_, send_deadline_);  // the request has not left yet
  const ClientConnection::Outcome outcome = talk();
  const SystemError error =
      outcome == ClientConnection::Outcome::Replied ? read_locate_reply(again) : failed(outcome, again);
  deadline_ = whole;
  locating_ = false;
  return error;
}

SystemError ClientInvocation::read_reply(bool& again, ReplyKind& kind) {
  results_ = reply.decoder();
  giop::ReplyHeader header;
  if (reply.header.type != giop::MessageType::Reply ||
      !giop::decode_reply(results_, reply.header.version, header)) [[unlikely]]
    return kMalformedReply;
  if (hooks_) [[unlikely]]
    reply_contexts_ = header.contexts;
  results_.set_context(nullptr, false, &target_->orb());
  if (arguments_.text() != 0) [[unlikely]]
    results_.set_text(arguments_.text());
  switch (header.status) {
    [[likely]] case giop::ReplyStatus::NoException:
      if (reply.size >= cdr::Decoder::kWorthTaking && !reply.fragments && !hooks_ && binding_->connection)
          [[unlikely]]
        lend_reply();
      kind = ReplyKind::NoException;
      return {};
    case giop::ReplyStatus::UserException:
      kind = ReplyKind::UserException;
      return {};
    default:
      return read_refusal(header.status, again);
  }
}

}  // namespace corbel::core
