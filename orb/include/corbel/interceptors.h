// Portable Interceptors and Codecs in the classic C++ mapping (CORBA 3.4 part 1, "Portable Interceptors"):
// the library Corbel::interceptors. Programs that link it have "CodecFactory" and "PICurrent" among the
// initial references of their ORBs; those that do not pay nothing for it.
//
// An interceptor is called by whatever thread calls or serves, several at once. It may make calls, which are
// intercepted as well. What it raises ends the request with that exception; exceptions that are not standard
// ones, ForwardRequest apart, become UNKNOWN. A RequestInfo belongs to the thread and to the time of the call
// that it is handed to: what is asked of it at another point, or afterwards, raises BAD_INV_ORDER, OMG minor
// 14. What static stubs and skeletons do not tell (arguments, results, contexts and exceptions of the
// operation) raises NO_RESOURCES, OMG minor 1; requests without stubs and dynamic servants tell it.
#pragma once

#include <corbel/idl/PortableInterceptor.stub.h>
#include <corbel/messaging.h>

namespace PortableInterceptor {

// ORB_init calls it for each ORB made from now on: pre_init of all, in the order in which they were
// registered, then post_init. What it throws ORB_init throws, and there is no ORB. Thread-safe. BAD_PARAM for
// nil.
[[gnu::visibility("default")]] void register_orb_initializer(ORBInitializer_ptr initializer);

}  // namespace PortableInterceptor
