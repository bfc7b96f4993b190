// TypeCodes that were received lately, by their octets, so that a peer which sends the same one again and
// again has it read, and its program made, once. Any thread may use it.
//
// What it can hold is bounded: a peer that sends ever new TypeCodes drives others out, no more.
#pragma once

#include <string_view>

#include <corbel/types/type_code.h>

namespace corbel::types {

// Longer ones are read each time.
inline constexpr std::size_t kMostKnownOctets = 8 * 1024;

// The TypeCode that `octets` say: what stands behind kind and size. `form` is the rest that their meaning
// depends on. Counted for the caller; null if it is not known.
TypeCode* known(Kind kind, std::uint32_t form, std::string_view octets);
// Adds one that has been read from them; best effort.
void know(TypeCode& type, std::uint32_t form, std::string_view octets);

}  // namespace corbel::types
