#include "orb/core/server_request.h"

#include <cstring>
#include <new>
#include <utility>

#include "orb/core/orb.h"
#include "orb/core/server_connection.h"
#include "orb/giop/reply.h"
#include "orb/ior/assigned.h"

namespace corbel::core {

ServerRequest::ServerRequest(Orb& orb)
    : Sink(StreamedMessage::limit(orb.options()),
           [](Sink& self, cdr::Encoder& out) { return static_cast<ServerRequest&>(self).stream(out); }),
      orb_(orb) {
  reply_.set_sink(this);
  reply_.reset(kReplyBegin);
  if (reply_.error()) throw std::bad_alloc();  // begin_reply() takes its memory as given
}

// ---- replies that leave while they are being marshaled

bool ServerRequest::compression_offer(const char*& data, std::uint32_t& size) const {
  if (header_.contexts.find(assigned::kContextInvocationPolicies, data, size)) return true;
  if ((special_ & kStandingOffer) == 0) return false;
  data = standing_offer_->data();
  size = static_cast<std::uint32_t>(standing_offer_->size());
  return true;
}

bool ServerRequest::may_stream() const {
  const bool may_be_compressed = orb_.compression() && special_ != 0;
  return connection && version_.minor >= 2 && header_.response_expected && !orb_.server_hooks() &&
         !keeps_reply_ && !may_be_compressed && !cancelled();
}

bool ServerRequest::stream(cdr::Encoder& out) {
  if (!streamed_.worth_sending(out)) return false;
  iovec header{};
  if (!streamed_.open()) {
    if (!may_stream() || !connection->reserve_streaming()) return false;
    header_.response_expected = false;  // who dispatches has nothing to send
    reply_kept_ = 0;
    streamed_kind_ = reply_kind_;
    giop::write_reply_header(out.data(), version_, header_.request_id,
                             static_cast<giop::ReplyStatus>(reply_kind_));
    header = {out.data(), kReplyBegin};
  }
  bool reading = false;
  const Sent sent = cancelled()
                        ? Sent::Nothing
                        : streamed_.send(*connection, out, header, kReplyBegin, base::kNoDeadline, reading);
  if (sent == Sent::All) return true;
  if (sent == Sent::TimedOut) {  // it grows, and leaves later
    if (!streamed_.open()) {
      header_.response_expected = true;
      reply_kept_ = kKeepReply;
      connection->release_streaming();
    }
    return false;
  }
  if (!cancelled()) {
    connection->abort();  // the reader sees the end
    if (streamed_.open()) streamed_.abandon();
  }
  out.fail({SystemErrorId::COMM_FAILURE, Completion::Yes, 0, "nobody takes the reply"});
  return true;
}

// A reply that something else has taken the place of, an exception for instance, can only be left unfinished:
// its reader finds it too short, and the connection is as good as before.
bool ServerRequest::end_streamed() {
  if (streamed_.open()) {
    const bool whole = reply_kind_ == streamed_kind_ && !reply_.error() && !cancelled();
    bool reading = false;
    const Sent sent = streamed_.end(*connection, whole ? &reply_ : nullptr, base::kNoDeadline, reading);
    if (sent == Sent::TimedOut) return false;
    if (sent != Sent::All) connection->abort();
  }
  reply_kept_ = kKeepReply;
  connection->release_streaming();
  return true;
}

// When this thread is out of the adapter, and the servant's memory no longer what it was.
void ServerRequest::send_later() {
  if (!reply_.copy_externals())
    system_exception(
        {SystemErrorId::NO_MEMORY, Completion::Yes, 0, "no memory for a reply that has to wait"});
}

void ServerRequest::end_reply() {
  if (reply_kept_ == 0 && !end_streamed()) {
    const LetGo let_go;
    (void)end_streamed();
  }
  if (!reply_.was_plain()) reply_.reset(kReplyBegin);
}

// Another one of the same request, or one whose characters stand in another form.
cdr::Encoder& ServerRequest::begin_other_reply(Reply kind) {
  reply_kind_ = kind;
  reply_started_ = true;
  reply_.reset(kReplyBegin);
  reply_.allow_externals(false);
  if (version_.minor < 2) reply_.set_older(version_.minor == 1 ? 1 : 3);
  if (arguments_.text() != 0) reply_.set_text(arguments_.text());
  return reply_;
}

void ServerRequest::forward(const ior::Ior& target, bool permanent) {
  begin_reply(permanent && version_.minor >= 2 ? Reply::ForwardPerm : Reply::Forward);
  ior::encode(reply_, target);
  if (const SystemError error = reply_.error()) system_exception(error);
}

void Orb::dispatch(ServerRequest& request) {
  Dispatcher* const d = dispatcher();
  if (!d || server_hooks()) [[unlikely]]
    return dispatch_with_hooks(request);
  d->dispatch(request);
}

void Orb::dispatch_to_adapter(ServerRequest& request) {
  if (Dispatcher* const d = dispatcher()) {
    if (profile_) profile_->dispatch(*d, request);
    else d->dispatch(request);
  } else {
    request.system_exception(
        {SystemErrorId::OBJECT_NOT_EXIST, Completion::No, assigned::kOmgMinor | 2, nullptr});
  }
}

void Orb::dispatch_with_hooks(ServerRequest& request) {
  const ServerHooks* const hooks = server_hooks();
  if (!hooks || !hooks->dispatch) return dispatch_to_adapter(request);
  request.clear_reply_contexts();
  hooks->dispatch(hooks->data, request);
  if (!request.header().response_expected) request.clear_reply_contexts();
}

void ServerRequest::stop_at_target() {
  stops_at_target_ = true;
  replies_early_ = header_.reply_early;
  header_.reply_early = true;
}

void ServerRequest::stop_no_more() {
  stops_at_target_ = false;
  header_.reply_early = replies_early_;
}

void ServerRequest::tell_interface(std::string* interface) {
  if (interface) early_when_told_ = std::exchange(header_.reply_early, true);
  else if (interface_) header_.reply_early = early_when_told_;
  interface_ = interface;
}

bool ServerRequest::reach_target() {
  if (run_at_target_) {
    run_at_target_(at_target_data_);
    return false;
  }
  if (interface_) [[unlikely]] {
    *interface_ = orb_.dispatcher()->interface_of(*this);
    tell_interface(nullptr);
  }
  if (stops_at_target_) {
    stop_no_more();
    const ServerHooks* const hooks = orb_.server_hooks();
    if (!hooks->at_target(hooks->data, *this)) return false;
  }
  if (header_.reply_early) reply_early();
  return true;
}

void ServerRequest::ask_for_key() {
  begin_reply(Reply::NeedsAddressing);
  reply_.put(giop::Addressing::Key);
}

RunningRequests* ServerRequest::running() const {
  return connection ? &connection->running() : other_running;
}

cdr::Encoder& Upcall::results() { return static_cast<ServerRequest&>(*this).begin_results(); }

void Upcall::reply_number(std::uint8_t number) { static_cast<ServerRequest&>(*this).reply_number(number); }
void Upcall::reply_number(std::uint16_t number) { static_cast<ServerRequest&>(*this).reply_number(number); }
void Upcall::reply_number(std::uint32_t number) { static_cast<ServerRequest&>(*this).reply_number(number); }
void Upcall::reply_number(std::uint64_t number) { static_cast<ServerRequest&>(*this).reply_number(number); }

cdr::Encoder& Upcall::results_in_place() {
  auto& self = static_cast<ServerRequest&>(*this);
  self.begin_reply(ServerRequest::Reply::NoException);
  self.reply_.allow_externals(self.connection && !self.orb_.server_hooks() && !self.keeps_reply_);
  return self.reply_;
}

void Upcall::send() {
  auto& self = static_cast<ServerRequest&>(*this);
  if (self.reply_.external_count() == 0) return;
  if (self.reply_kept_ == 0) {
    if (!self.end_streamed()) self.send_later();
    return;
  }
  if (self.reply_.error() || !self.header_.response_expected) return;
  if (!self.cancelled() && !self.connection->try_send_reply(self)) return self.send_later();
  self.header_.response_expected = false;
}

cdr::Encoder& Upcall::user_exception(const char* repository_id) {
  auto& self = static_cast<ServerRequest&>(*this);
  self.begin_reply(ServerRequest::Reply::UserException);
  self.reply_.put_string(repository_id);
  return self.reply_;
}

void Upcall::system_exception(const SystemError& error) {
  auto& self = static_cast<ServerRequest&>(*this);
  self.begin_reply(ServerRequest::Reply::SystemException);
  giop::encode_system_exception(self.reply_, error);
}

}  // namespace corbel::core
