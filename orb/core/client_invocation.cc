#include "orb/core/client_invocation.h"

#include <cstring>

#include "orb/core/abstract_server.h"
#include "orb/core/orb.h"
#include "orb/core/server_request.h"
#include "orb/giop/code_sets.h"
#include "orb/ior/assigned.h"

namespace corbel::core {
namespace {

constexpr int kMostForwards = 10;  // stops servers that forward in a circle
constexpr int kMostRebinds = 2;
constexpr std::size_t kKeepReply = 256 * 1024;

SystemError transient(std::uint32_t minor, Completion completed, const char* detail) {
  return {SystemErrorId::TRANSIENT, completed, minor, detail};
}

}  // namespace

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
  failed_profiles_ = 0;
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

// Nobody can be reached. Hooks see the call all the same, which fails when it is sent.
SystemError ClientInvocation::begin_unbound() {
  begin_ = ServerRequest::kReplyBegin;
  forget_header();
  arguments_.reset(begin_);
  arguments_.allow_externals(false);
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
  failed_profiles_ = 0;
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

SystemError ClientInvocation::first_bind() {
  if (rebinding_ == Rebinding::NoReconnect && was_bound_) return rebind_refused();
  SystemError error = target_->bind(binding_, send_deadline_, tried_, connect_timeout_);
  if (error && fall_back()) error = target_->bind(binding_, send_deadline_, tried_, connect_timeout_);
  tried_ = nullptr;
  return error;
}

// Each other profile of the reference may be tried once per call, if what went wrong says that the request
// was not carried out and that another member of a group may do it.
bool ClientInvocation::fail_over(const SystemError& error) {
  if (!binding_ || binding_->profile == 0 || error.completed != Completion::No) return false;
  if (error.id != SystemErrorId::TRANSIENT && error.id != SystemErrorId::COMM_FAILURE &&
      error.id != SystemErrorId::NO_RESPONSE && error.id != SystemErrorId::OBJ_ADAPTER)
    return false;
  if (rebinding_ != Rebinding::Transparent && was_bound_) return false;
  failed_profiles_ |= binding_->profile;
  if ((binding_->profiles & ~failed_profiles_) == 0) return false;
  target_->unbind(*binding_);
  return true;
}

// Once per call a forwarded request may go back to the original address.
bool ClientInvocation::fall_back() {
  const Forward tried = binding_ ? binding_->forward : std::move(tried_);
  if (tried && !may_move(*tried, target_->ior())) return false;
  if (fell_back_ || !target_->forget_forward(tried)) return false;
  failed_profiles_ = 0;
  return fell_back_ = true;
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

// The next one may be as large: it is read into memory of that size at once.
void ClientInvocation::finish_large_reply() {
  const std::size_t size = reply_memory.size();
  if (lends_ && !lent_) {
    reply_memory.disown();
    if (reply.size <= kKeepReply) reply_memory = base::Memory(reply.size + MessageReader::kSlack);
  } else if (size > kKeepReply) {
    reply_memory = base::Memory();
  }
  lends_ = false;
}

// The connection may have ended with the reply, which nobody else may notice for long.
void ClientInvocation::finish_unlike_most() {
  const bool ended = has_ended();
  if (ended) target_->unbind(*binding_);
  forget_call();
  if (ended) target_->orb().let_go_of_ended_connections();
}

// The next call starts from nothing.
void ClientInvocation::forget_call() {
  if (streaming_) [[unlikely]]
    cancel_streaming();
  stopped_ = incomplete_ = to_write_again_ = false;
  bind_error_ = {};
  written_.binding = 0;
  binding_ = nullptr;
  contexts_.clear();
  contexts_count_ = 0;
  if (!arguments_.was_plain()) arguments_.reset();  // a pool keeps no large memory
  end_settings();
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

// A message whose header has to be written, or that is not in one piece; and LocateRequests.
int ClientInvocation::prepare_any(iovec* parts) {
  if (locating_) {
    locate_request_ = giop::make_locate_request(binding_->version, binding_->prefix, request_id);
    parts[0] = {locate_request_.data(), locate_request_.size()};
    return 1;
  }
  if (header_for_ != binding_.get()) write_header();
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

// Code sets, and the offer to be called back on this connection.
void ClientInvocation::announce(giop::RequestParts& parts) {
  announced_.clear();
  if (binding_->code_sets.char_set != 0) {
    announced_.resize(giop::kCodeSetContextSize);
    giop::write_code_set_context(binding_->code_sets, announced_.data());
    ++parts.contexts_count;
  }
  if (const std::string& offer = binding_->connection->callback_offer(); !offer.empty()) {
    announced_ += offer;
    ++parts.contexts_count;
  }
  parts.contexts = announced_.data();
  parts.contexts_size = static_cast<std::uint32_t>(announced_.size());
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
  if (server) server->begin_wait(*upcall);
  ClientConnection& connection = *binding_->connection;
  const ClientConnection::Outcome outcome =
      compresses_ ? connection.exchange_apart(*this) : connection.exchange(*this);
  if (server) server->end_wait();
  return outcome;
}

SystemError ClientInvocation::rebind() {
  return target_->bind(binding_, send_deadline_, tried_, connect_timeout_, failed_profiles_);
}

// Whether the arguments, written for the binding before, are what the present one wants: text may have to be
// in another set, or in the form of another version.
bool ClientInvocation::fits() {
  const std::uint32_t text = binding_->code_sets.text;
  const std::uint32_t older =
      binding_->connection ? 2u - std::min<std::uint32_t>(binding_->version.minor, 2) : 0;
  if (text == arguments_.text() && older == arguments_.older()) return true;
  const bool has_text = operation_->streams || operation_->rewrites;
  if (has_text && arguments_.wire_size() != begin_) return false;
  arguments_.set_older(older);
  arguments_.set_text(text);  // of the results, too
  return true;
}

// An error is left to attempt(), which interceptors see. True: the arguments have to be written again.
bool ClientInvocation::bind_anew(ReplyKind& kind) {
  bind_error_ = rebind();
  if (bind_error_ || fits()) return false;
  begin_arguments();
  written_.binding = 0;
  kind = ReplyKind::WriteAgain;
  return true;
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
  if (is_worth_locating() && !binding_->located.load(std::memory_order_relaxed)) [[unlikely]] {
    if (SystemError e = locate(again)) return e;
    if (again) return {};
  }
  return after(talk(), again, kind);
}

SystemError ClientInvocation::after(ClientConnection::Outcome outcome, bool& again, ReplyKind& kind) {
  if (code_sets_with_it_) [[unlikely]]
    sent_code_sets(outcome);
  if (outcome == ClientConnection::Outcome::Replied) [[likely]]
    return read_reply(again, kind);
  if (outcome != ClientConnection::Outcome::SentOneway) return failed(outcome, again);
  kind = ReplyKind::NoException;
  return {};
}

void ClientInvocation::sent_code_sets(ClientConnection::Outcome outcome) {
  if (never_waits_) return;  // it has not left yet
  if (outcome == ClientConnection::Outcome::Replied || outcome == ClientConnection::Outcome::SentOneway)
    binding_->connection->set_code_sets_sent();
}

SystemError ClientInvocation::failed(ClientConnection::Outcome outcome, bool& again) {
  const Completion completed = locating_ || incomplete_ ? Completion::No : Completion::Maybe;
  if (outcome == ClientConnection::Outcome::TimedOut) {
    binding_->connection->cancel(request_id);
    return timed_out(completed);
  }
  if (send_deadline_ != base::kNoDeadline && base::now() >= send_deadline_) {
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
    case ClientConnection::Outcome::QueueFull:
      return transient(
          assigned::kMinorQueueFull, Completion::No,
          "too many one-ways wait to be sent: does the server read? -ORBmaxUnsentBytes is the bound");
    case ClientConnection::Outcome::Denied:
      return {SystemErrorId::NO_PERMISSION, Completion::No, 0, binding_->connection->denial()};
    case ClientConnection::Outcome::Garbled:
      return {SystemErrorId::COMM_FAILURE, completed, assigned::kMinorReplyLost,
              "the server's answer is no GIOP message, or larger than -ORBgiopMaxMsgSize allows"};
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
      return forwarded(std::move(target), status == giop::LocateStatus::ObjectForwardPerm, again);
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
  // The same address is tried again before another profile.
  const bool same_again = resendable && error.id == SystemErrorId::TRANSIENT && rebinds_ < kMostRebinds;
  const bool next = not_done && !same_again && fail_over(error);
  const bool back = not_done && !next && fall_back();
  const bool ended = has_ended();
  if (binding_) target_->unbind(*binding_);
  drop_binding();
  if (ended) target_->orb().let_go_of_ended_connections();
  if (back || next) {
    again = true;
  } else if (resendable && rebinding_ == Rebinding::NoReconnect) {
    return rebind_refused();
  } else if (same_again) {
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
  if (hooks_) [[unlikely]]
    reply_contexts_ = header.contexts;
  results_.set_context(nullptr, false, &target_->orb());
  if (arguments_.text() != 0) [[unlikely]]
    results_.set_text(arguments_.text());
  switch (header.status) {
    [[likely]] case giop::ReplyStatus::NoException:
      if (reply.size >= cdr::Decoder::kWorthTaking && !reply.fragments && !hooks_) [[unlikely]]
        lend_reply();
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
      return forwarded(std::move(target), header.status == giop::ReplyStatus::LocationForwardPerm, again);
    }
    case giop::ReplyStatus::NeedsAddressingMode:
      break;
  }
  giop::Addressing addressing;
  if (!giop::decode_addressing(results_, addressing)) return malformed;
  return asked_for(addressing, again);
}

// A system exception. Another profile of the reference is tried; where a forwarded request cannot have been
// carried out, the original address is asked once.
SystemError ClientInvocation::refused(const SystemError& error, bool& again) {
  const bool target_gone = error.id == SystemErrorId::OBJECT_NOT_EXIST ||
                           error.id == SystemErrorId::TRANSIENT || error.id == SystemErrorId::COMM_FAILURE;
  if (fail_over(error) || (target_gone && error.completed == Completion::No && fall_back())) {
    drop_binding();
    again = true;
  }
  return error;
}

SystemError ClientInvocation::forwarded(ior::Ior target, bool permanent, bool& again) {
  if (++forwards_ > kMostForwards)
    return transient(0, Completion::No, "the servers forward this reference in a circle");
  const Forward present = binding_ ? binding_->forward : nullptr;
  if (!may_move(present ? *present : target_->ior(), target)) return rebind_refused();
  target_->forward(std::move(target), permanent);
  failed_profiles_ = 0;
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

}  // namespace corbel::core
