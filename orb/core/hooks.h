// Points on the way of a request where another room looks in: interceptors, later. Each costs a tested
// pointer.
#pragma once

#include <corbel/base/error.h>

namespace corbel::core {

class ClientInvocation;
class ServerRequest;

// The functions live as long as the ORB they are given to, and are called by any thread at any time, with no
// lock held. An error that one returns ends the request with it.
struct ClientHooks {
  // Before the request is sent for the first time: may add service contexts and set the deadline.
  SystemError (*send_request)(void* data, ClientInvocation& invocation);
  // After the reply has come; not after a system error.
  SystemError (*receive_reply)(void* data, ClientInvocation& invocation);
  void* data;
};

struct ServerHooks {
  // Before the adapter sees the request: may read its service contexts.
  SystemError (*receive_request)(void* data, ServerRequest& request);
  // Before the reply is sent.
  void (*send_reply)(void* data, ServerRequest& request);
  void* data;
};

}  // namespace corbel::core
