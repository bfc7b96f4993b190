// Who is at the other end of a call, as far as its transport has made sure: a TLS certificate that was
// verified, a process of this host. For every transport; the functions are Corbel's own, because SSLIOP's
// Current would know TLS alone.
#pragma once

#include <corbel/cpp/object.h>
#include <corbel/transport/stream.h>

namespace corbel {

using PeerIdentity = transport::PeerIdentity;

// Who made the request that the calling thread serves. Null outside of requests, for calls from the same
// process, and where the transport knows nothing. Valid until the servant's method returns. Thread-safe.
[[gnu::visibility("default")]] const PeerIdentity* caller();

// Who serves the object, according to the connection that its last call used: false, and `identity`
// untouched, where there is no connection, or nothing is known. Thread-safe.
[[gnu::visibility("default")]] bool server_of(CORBA::Object_ptr object, PeerIdentity& identity);

}  // namespace corbel
