// What the profile has of a server, apart, so that clients are not linked with one.
#include "orb/core/call_profile.h"
#include "orb/core/dispatcher.h"
#include "orb/core/server_request.h"

namespace corbel::core {

void CallProfile::dispatch(Dispatcher& dispatcher, ServerRequest& request) {
  std::size_t octets = request.arguments().remaining();
  std::string interface;
  request.tell_interface(&interface);
  dispatcher.dispatch(request);
  request.tell_interface(nullptr);
  using Reply = ServerRequest::Reply;
  if (request.reply_started()) {
    if (request.reply_kind() != Reply::NoException && request.reply_kind() != Reply::UserException) return;
    octets += request.reply().wire_size() - ServerRequest::kReplyBegin;
  }
  if (!interface.empty()) count(interface, {request.operation(), request.operation_length()}, octets);
}

}  // namespace corbel::core
