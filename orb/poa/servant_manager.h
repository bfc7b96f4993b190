// What applications implement to make servants and adapters when requests want them (CORBA 3.4 part 1,
// "ServantManager Interface", "AdapterActivator Interface").
#pragma once

#include <string>
#include <string_view>

#include <corbel/base/error.h>
#include <corbel/core/upcall.h>

#include "orb/base/ref.h"
#include "orb/core/reference.h"

namespace corbel::poa {

class Adapter;

// What asking for a servant came to: a servant, an error, or where the caller is to go instead.
struct Incarnation {
  core::Servant* servant = nullptr;
  SystemError error;
  base::Ref<core::Reference> forward;
  bool permanent = false;  // `forward` is
};

// Functions are called by any thread, with no lock held, and do not throw.
class ServantManager : public base::RefCounted {};

// For RETAIN. Calls that concern one id never overlap.
class ServantActivator : public ServantManager {
 public:
  // The servant comes with a count, which the adapter keeps until it gives it to etherealize().
  virtual void incarnate(Adapter& adapter, std::string_view id, Incarnation& result) = 0;
  // Takes over the adapter's count of the servant. `cleanup`: because the adapter or its manager ends;
  // `remaining`: the servant serves other ids of the adapter.
  virtual void etherealize(Adapter& adapter, std::string_view id, core::Servant& servant, bool cleanup,
                           bool remaining) = 0;
};

// For NON_RETAIN. Both functions are called by the thread that runs the request.
class ServantLocator : public ServantManager {
 public:
  virtual void preinvoke(Adapter& adapter, std::string_view id, const char* operation, void*& cookie,
                         Incarnation& result) = 0;
  // After every preinvoke() that gave a servant. An error takes the place of the reply.
  virtual SystemError postinvoke(Adapter& adapter, std::string_view id, const char* operation, void* cookie,
                                 core::Servant& servant) = 0;
};

// Called as servant managers are.
class AdapterActivator : public base::RefCounted {
 public:
  // Makes the child of this name and tells whether it has. Requests for it wait until this has returned.
  virtual SystemError unknown_adapter(Adapter& parent, const std::string& name, bool& made) = 0;
};

}  // namespace corbel::poa
