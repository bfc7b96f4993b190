// The service context of bidirectional GIOP (CORBA 3.4 part 2, "Bi-Directional GIOP").
#pragma once

#include <string>
#include <vector>

#include "orb/giop/service_context.h"
#include "orb/ior/ior.h"

namespace corbel::giop {

// More listen points than this are not read, nor longer names of hosts (RFC 1035: 255 octets): stops a peer
// that claims the whole network, and one that has its claims fill the memory.
inline constexpr std::uint32_t kMostListenPoints = 32;
inline constexpr std::size_t kLongestHost = 255;

// Who sends it offers to serve requests for objects at these addresses on the connection that it goes over.
// Encoded with id and length, as from a multiple of 4.
std::string bidirectional_context(const std::vector<ior::Address>& listen_points);
// What the peer has offered; nothing if it has not, or the context is malformed.
std::vector<ior::Address> offered_listen_points(const ServiceContexts& contexts);

}  // namespace corbel::giop
