// Sockets of peers that are not trusted, which may have sent descriptors.
#pragma once

#include <sys/socket.h>

#include "orb/transport/descriptor.h"

namespace corbel::transport {

// Nobody can send descriptors to this unix socket, or those that it accepts. Does nothing where Linux is
// older than 6.16.
inline void refuse_descriptors(int socket) {
  constexpr int kPassRights = 83;  // SO_PASSRIGHTS, which the C library may not know
  const int off = 0;
  (void)setsockopt(socket, SOL_SOCKET, kPassRights, &off, sizeof off);
}

// To close a socket closes the descriptors that its peer has sent and nobody has taken, and that may take as
// long as that peer likes: a connection of TCP that lingers. So threads of their own do it, of which there
// are a few. False, and the socket is still the caller's, where too many wait for that.
bool close_aside(Descriptor& socket);

// Closes the file of a number in a thread of its own, if there can be one, and has the number stand for
// another one's. Neither may be closed afterwards, as nobody knows when that is done. False where there
// cannot.
bool replace_aside(int number, int by);

}  // namespace corbel::transport
