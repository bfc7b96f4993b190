#include "orb/interceptors/adapters.h"

#include <corbel/any.h>

#include "orb/cpp/kept_policies.h"

namespace corbel::interceptors {

PortableInterceptor::AdapterName* name_of(const poa::Adapter& adapter) {
  CORBA::ULong depth = 0;
  for (const poa::Adapter* a = &adapter; a; a = a->parent()) ++depth;
  CORBA::StringSeq_var names = new CORBA::StringSeq;
  names->length(depth);
  for (const poa::Adapter* a = &adapter; a; a = a->parent()) names[--depth] = a->name().c_str();
  return names._retn();
}

CORBA::Policy_ptr adapter_policy(core::Orb& orb, const core::ServerRequest& request, CORBA::PolicyType type) {
  core::Dispatcher* const dispatcher = orb.dispatcher();
  if (!dispatcher || !request.key()) return nullptr;
  const auto own = dispatcher->policies_of(request.key(), request.key_size());
  return own ? cpp::find_policy(*own, type) : nullptr;
}

}  // namespace corbel::interceptors
