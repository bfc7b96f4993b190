// Unix-domain sockets. Where to listen is the path of a socket to be made, "@NAME" for a name outside of the
// file system, or empty for a name of the ORB's own choice. References carry ID/PATH, where ID is the host's
// (host_id.h): others do not try.
#pragma once

#include <corbel/transport/transport.h>

namespace corbel::transport {

extern const TransportKind kUnix;

}  // namespace corbel::transport
