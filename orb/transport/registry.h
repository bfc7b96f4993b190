// The kinds of transport that the program has.
#pragma once

#include <vector>

#include <corbel/transport/transport.h>

namespace corbel::transport {

// The built-in ones, then those that were registered. Thread-safe.
std::vector<const TransportKind*> transport_kinds();

}  // namespace corbel::transport
