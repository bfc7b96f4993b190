// What becomes of a call that does not go as most do: other places, other profiles, another attempt.
#include <algorithm>
#include <utility>

#include "orb/core/client_invocation.h"
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

ClientInvocation::ClientInvocation(const Options& options)
    : Sink(StreamedMessage::limit(options),
           [](Sink& self, cdr::Encoder& out) { return static_cast<ClientInvocation&>(self).stream(out); }) {
  arguments_.set_sink(this);
}
ClientInvocation::~ClientInvocation() = default;

// Nobody can be reached. Hooks see the call all the same, which fails when it is sent.
SystemError ClientInvocation::begin_unbound() {
  begin_ = ServerRequest::kReplyBegin;
  forget_header();
  arguments_.reset(begin_);
  arguments_.allow_externals(false);
  return {};
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
  // Where there is no other one nothing is noted: the binding may stay, for calls that begin where this one
  // did.
  const std::uint64_t failed = failed_profiles_.at(binding_->place) | binding_->profile;
  if ((binding_->profiles & ~failed) == 0) return false;
  failed_profiles_ = {failed | (binding_->protects ? kProtectedOneFailed : 0), binding_->place};
  target_->unbind(*binding_);
  return true;
}

// Once per call a forwarded request may go back to the original address.
bool ClientInvocation::fall_back() {
  const Forward tried = binding_ ? binding_->forward : std::move(tried_);
  if (tried && !may_move(*tried, target_->ior())) return false;
  if (fell_back_ || !target_->forget_forward(tried)) return false;
  failed_profiles_ = {};
  return fell_back_ = true;
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
  if (outcome == ClientConnection::Outcome::NotSent && send_deadline_ != base::kNoDeadline &&
      base::now() >= send_deadline_) {
    drop_binding();
    return timed_out(Completion::No);
  }
  switch (outcome) {
    case ClientConnection::Outcome::NotSent:
      if (binding_->connection && binding_->connection->full())
        return {SystemErrorId::NO_RESOURCES, Completion::No, 0,
                "too many requests of this connection await their replies: take some of those first"};
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
    case ClientConnection::Outcome::NoThread:
      return Orb::no_thread();
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

SystemError ClientInvocation::read_locate_reply(bool& again) {
  const SystemError malformed{SystemErrorId::MARSHAL, Completion::No, 0, "the locate reply is malformed"};
  cdr::Decoder in = reply.decoder();
  std::uint32_t id;
  giop::LocateStatus status;
  if (reply.header.type != giop::MessageType::LocateReply ||
      !giop::decode_locate_reply(in, reply.header.version, id, status))
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
  } else if (resendable && rebinding_ == Rebinding::NoReconnect && was_bound_) {
    return rebind_refused();
  } else if (same_again) {
    ++rebinds_;
    again = true;
  }
  return error;
}

// A reply that is no result.
SystemError ClientInvocation::read_refusal(giop::ReplyStatus status, bool& again) {
  switch (status) {
    case giop::ReplyStatus::SystemException: {
      SystemError error;
      if (!giop::decode_system_exception(results_, error)) return kMalformedReply;
      return refused(error, again);
    }
    case giop::ReplyStatus::LocationForward:
    case giop::ReplyStatus::LocationForwardPerm: {
      ior::Ior target;
      if (!ior::decode(results_, target)) return kMalformedReply;
      return forwarded(std::move(target), status == giop::ReplyStatus::LocationForwardPerm, again);
    }
    default: {  // NeedsAddressingMode
      giop::Addressing addressing;
      if (!giop::decode_addressing(results_, addressing)) return kMalformedReply;
      return asked_for(addressing, again);
    }
  }
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
  const bool for_good = permanent && !target.profiles.empty();  // nothing stays nil
  target_->forward(std::move(target), for_good);
  failed_profiles_ = {};
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
