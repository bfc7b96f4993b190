// What the core asks of an object adapter.
#pragma once

#include <memory>
#include <string>

#include <corbel/core/invocation.h>
#include <corbel/core/upcall.h>

#include "orb/core/adapter_policies.h"
#include "orb/core/server_request.h"

namespace corbel::core {

class Binding;
class ClientInvocation;

// Implemented by the adapter's library and given to the ORB once. Functions may be called from any thread.
class Dispatcher {
 public:
  virtual ~Dispatcher() = default;

  // Finds the target of the request's key and runs it; afterwards the reply has been started, with an
  // exception where need be (OBJECT_NOT_EXIST for a key of ours that names nothing, TRANSIENT for a
  // discarding adapter). Must not throw.
  virtual void dispatch(ServerRequest& request) = 0;

  // Forward: `target` says where to. Refused: requests would be answered with `error`.
  enum class Location { Here, Unknown, Forward, Refused };
  // Answers a LocateRequest without running anything.
  virtual Location locate(const char* key, std::uint32_t key_size, ior::Ior& target, SystemError& error) = 0;

  // Whether the adapter of this key has the BidirectionalPolicy BOTH. Only asked of connections that carry
  // requests both ways.
  virtual bool bidirectional(const char* key, std::uint32_t key_size) = 0;

  // A call to an object of this process, on this thread: `invocation` is as read_reply() leaves it. Not for
  // the adapter to change; it stands here because only programs with an adapter have such objects.
  virtual SystemError call(ClientInvocation& invocation, bool& again, ReplyKind& kind);

  // A way to call the object behind `target` as `interface` without messages, which may be decided for later
  // calls, too (collocated.h); null: this one takes a message. The caller has the binding from the reference.
  virtual Collocated* collocate(CollocatedSlot& slot, Reference& target, const Binding& binding,
                                const char* interface) = 0;
  // The calling thread is in an object of the ORB by a direct call.
  virtual bool in_direct_call() const = 0;

  // The most derived repository id of the object whose operation is about to run
  // (ServerRequest::reach_target).
  virtual std::string interface_of(const ServerRequest& request) = 0;

  // What the policies of this key's adapter say of replies; null if nothing.
  virtual std::shared_ptr<const AdapterPolicies> policies_of(const char* key, std::uint32_t key_size) = 0;

  // Ends every adapter: no request starts afterwards; waits for running ones if `wait`.
  virtual void shutdown(bool wait) = 0;
};

}  // namespace corbel::core
