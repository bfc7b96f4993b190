// Points on the way of a request where another room looks in: interceptors. Each costs a tested pointer or
// flag that is looked at anyway.
#pragma once

#include <corbel/base/error.h>
#include <corbel/core/invocation.h>

namespace corbel::core {

class ClientInvocation;
class ServerRequest;

// The functions live as long as the ORB they are given to, and are called by any thread at any time, with no
// lock held.
struct ClientHooks {
  // In place of ClientInvocation::attempt(), which it calls or not: what that gives is its result.
  SystemError (*attempt)(void* data, ClientInvocation& invocation, bool& again, ReplyKind& kind);
  // The same in two parts, where the reply is waited for later: before the request leaves, and behind the
  // attempt, maybe in another thread. What `begin` gives, `end` takes, once; null: the attempt is over
  // already, and error, again and kind say how. `end` has the error of the attempt, or null where nobody
  // waits for the reply any more; again and kind are the attempt's, and may change.
  void* (*begin)(void* data, ClientInvocation& invocation, SystemError& error, bool& again, ReplyKind& kind);
  SystemError (*end)(void* data, void* begun, ClientInvocation& invocation, const SystemError* error,
                     bool& again, ReplyKind& kind);
  void* data;
};

struct ServerHooks {
  // In place of Orb::dispatch_to_adapter(), which it calls or not: afterwards the reply has been started. May
  // add service contexts to it (ServerRequest::add_reply_context). Null: nothing is in its place.
  void (*dispatch)(void* data, ServerRequest& request);
  // The servant is known, ServerRequest::adapter_data set, and nothing of the operation has run; only of
  // requests that ask for it (ServerRequest::stop_at_target). False: nothing of it is to run, the reply has
  // been started.
  bool (*at_target)(void* data, ServerRequest& request);
  // The request, of which hooks_data is set, goes on in this thread, which is another one: calls `run(what)`
  // with what the first one has for it.
  void (*elsewhere)(ServerRequest& request, void (*run)(const void* what), const void* what);
  void* data;
};

}  // namespace corbel::core
