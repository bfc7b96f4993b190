// Shared memory between processes of one host. References carry ID/VERSION/NAME, where ID is the host's
// (host_id.h) and NAME that of an abstract unix-domain socket, through which the client passes the memory.
// Where to listen is such a name, or empty for one that nobody can guess.
#pragma once

#include <corbel/transport/transport.h>

namespace corbel::transport {

// Programs that serve have it; others link Corbel::shm, or they do without.
extern const TransportKind kShm;

}  // namespace corbel::transport
