#include "orb/core/server_request.h"

#include <cstring>

#include "orb/giop/reply.h"

namespace corbel::core {
namespace {
thread_local ServerRequest* current_request [[gnu::tls_model("initial-exec")]] = nullptr;
}

ServerRequest* ServerRequest::current() { return current_request; }
void ServerRequest::set_current(ServerRequest* request) { current_request = request; }

void ServerRequest::start(const giop::RequestHeader& header, const cdr::Decoder& arguments,
                          giop::Version version, bool utf8) {
  header_ = header;
  version_ = version;
  operation_ = header.operation;
  operation_length_ = header.operation_length;
  response_expected_ = header.response_expected;
  arguments_ = arguments;
  arguments_.set_context(&arena_, true, &orb_);
  arguments_.set_utf8(utf8);
  reply_started_ = false;
  adapter_data = nullptr;
}

void ServerRequest::begin_reply(Reply kind) {
  reply_kind_ = kind;
  reply_started_ = true;
  reply_.reset(kReplyBegin);
  if (version_.minor < 2) reply_.set_older(version_.minor == 1 ? 1 : 3);
  if (arguments_.utf8()) [[unlikely]]
    reply_.set_utf8();
}

void ServerRequest::forward(const ior::Ior& target, bool permanent) {
  begin_reply(permanent ? Reply::ForwardPerm : Reply::Forward);
  ior::encode(reply_, target);
}

cdr::Encoder& Upcall::results() {
  auto& self = static_cast<ServerRequest&>(*this);
  self.begin_reply(ServerRequest::Reply::NoException);
  return self.reply_;
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
