// What interceptors learn of adapters.
#pragma once

#include <corbel/idl/PortableInterceptor.stub.h>

#include "orb/core/orb.h"
#include "orb/core/server_request.h"
#include "orb/poa/adapter.h"

namespace corbel::interceptors {

// The names from the root's down; the caller owns the list.
PortableInterceptor::AdapterName* name_of(const poa::Adapter& adapter);

// That of the type, which the adapter of the request's target was given; nil if it was given none. Counted
// for the caller.
CORBA::Policy_ptr adapter_policy(core::Orb& orb, const core::ServerRequest& request, CORBA::PolicyType type);

}  // namespace corbel::interceptors
