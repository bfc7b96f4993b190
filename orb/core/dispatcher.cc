#include "orb/core/dispatcher.h"

#include "orb/core/client_invocation.h"
#include "orb/core/orb.h"
#include "orb/giop/reply.h"

namespace corbel::core {

SystemError Dispatcher::call(ClientInvocation& invocation, bool& again, ReplyKind& kind) {
  return invocation.call_local(again, kind);
}

// The object lives in this process: its adapter is asked directly, on this thread.
SystemError ClientInvocation::call_local(bool& again, ReplyKind& kind) {
  Orb& orb = target_->orb();
  if (!arguments_.copy_externals())  // they were to go elsewhere
    return {SystemErrorId::NO_MEMORY, Completion::No, 0, "no memory for the arguments of a request"};
  if (!local_request_) {
    local_request_ = orb.lane().requests.take().release();
    if (!local_request_) local_request_ = new ServerRequest(orb);
  }
  ServerRequest& r = *local_request_;
  giop::RequestHeader& header = r.header();
  header = {};
  header.response_expected = expects_reply();
  header.reply_early = response_ == giop::Response::Early;
  header.key = binding_->key.data();
  header.key_size = static_cast<std::uint32_t>(binding_->key.size());
  header.operation = operation_->name;
  header.operation_length = operation_->name_length;
  if (contexts_count_ != 0)
    header.contexts.view(contexts_count_, contexts_.data(), contexts_.data() + contexts_.size());
  const char* const memory = arguments_.data();
  r.start(cdr::Decoder(memory, memory + begin_, memory + arguments_.size(), false));
  r.arguments().keep_message();  // it goes elsewhere where the servant sends it there
  r.connection = nullptr;
  {
    const RunsHere here(r);
    orb.dispatch(r);
  }
  if (!expects_reply() || !r.response_expected()) {  // the latter was answered early
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
  const SystemError error = read_reply(again, kind);
  if (!r.reply_contexts().empty()) [[unlikely]] {
    local_contexts_ = giop::encode_contexts(r.reply_contexts());
    reply_contexts_.view(static_cast<std::uint32_t>(r.reply_contexts().size()), local_contexts_.data(),
                         local_contexts_.data() + local_contexts_.size());
    r.clear_reply_contexts();
  }
  return error;
}

}  // namespace corbel::core
