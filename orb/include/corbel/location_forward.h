// Sending a request elsewhere from where it is served.
#pragma once

#include <corbel/cpp/object.h>

namespace corbel {

// Thrown by an operation of a servant, or by incarnate() and preinvoke() of a servant manager: the caller's
// ORB sends the request to `target` instead, and so it does with later ones through the reference that was
// called: `permanent` ones for good (LOCATION_FORWARD_PERM, which exists from GIOP 1.2 on; older clients are
// told that it is for a while), else, if the client is Corbel's, until `target` cannot be reached. What the
// operation has done by then is not undone, and its caller does not learn of it. For servant managers
// PortableServer::ForwardRequest is the portable way, without a permanent kind.
//
// A target that is nil or local makes the call fail with OBJ_ADAPTER. One-way calls, which nobody waits for,
// are lost (not with SYNC_WITH_TARGET). A caller in the same ORB must hold its reference until the call has
// returned. CORBA 3.3, part 2, 9.4.3.
class [[gnu::visibility("default")]] LocationForward {
 public:
  // Takes a count of the reference.
  explicit LocationForward(CORBA::Object_ptr target, bool permanent = false)
      : target_(CORBA::Object::_duplicate(target)), permanent_(permanent) {}
  // Belongs to the exception.
  CORBA::Object_ptr target() const { return target_.in(); }
  bool permanent() const { return permanent_; }

 private:
  CORBA::Object_var target_;
  bool permanent_;
};

}  // namespace corbel
