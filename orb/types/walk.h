// What a walk through a value by its TypeCode tells about the valuetypes inside.
#pragma once

#include <corbel/types/type_code.h>

#include <cstddef>
#include <map>

namespace corbel::types {

struct MetValues {
  // Where their tags stand: in the input, and counted from where the walk began; in the output where there is
  // one, at its offset.
  std::map<const char*, std::size_t> tags;
  bool outside = false;     // something refers to a value before the one walked through
  std::size_t phase = 0;    // offset mod 8 of the tag of the first of those
  bool opaque = false;      // something is not described: it can be passed on only as and where it stands
  std::size_t counted = 0;  // octets, about, of the output that ValueInput::may_copy() has counted
};

// As skip() and transcode() of types/type_code.h. Decoder and encoder must stand in scopes of the mapping:
// see values_of().
bool skip(cdr::Decoder& in, const TypeCode& type, MetValues& met);
// What `in` refers to outside is copied, so that `out` is complete. What is opaque is decoded and encoded by
// its class if that is known here, else copied as it stands if byte order and form are the same, else cut off
// where it is truncatable.
bool transcode(cdr::Decoder& in, cdr::Encoder& out, const TypeCode& type, MetValues& met);

// As skip() of a value of its type, which refers to nothing.
class Program;
bool skip(cdr::Decoder& in, const Program& program);

// Whether some part of its values is a char.
bool has_chars(const TypeCode& type);

// As marshal(); what follows begins at `phase` mod 8 if the TypeCode has an encapsulation, which may be
// followed by padding that is counted as its.
void marshal_before(cdr::Encoder& out, const TypeCode& type, std::size_t phase);

}  // namespace corbel::types
