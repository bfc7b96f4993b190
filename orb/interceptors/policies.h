// The ProcessingModePolicy, which says what calls an interceptor is for (CORBA 3.4 part 1, "Portable
// Interceptors", "Policies").
#pragma once

#include <corbel/idl/PortableInterceptor.stub.h>

namespace corbel::interceptors {

// ORBs make such policies from now on. Any number of times.
void register_processing_mode();
// What a list for an interceptor says; PolicyError if there is anything else in it.
PortableInterceptor::ProcessingMode processing_mode(const CORBA::PolicyList& policies);

}  // namespace corbel::interceptors
