// From nodes and Anys to octets and back.
#pragma once

#include <corbel/cpp/exception.h>
#include <corbel/cpp/value_scope.h>

#include "orb/cdr/values.h"
#include "orb/dynamic_any/tree.h"

namespace corbel::dynamic_any {

// What is opaque keeps its alignment: it begins at a multiple of 4.
template <typename Put>
SystemError write_to(Octets& octets, Put put) {
  SystemError error;
  for (const std::size_t begin : {0, 4}) {
    cdr::Encoder out;
    out.reset(begin);
    {
      const cpp::WrittenValues scope(out);
      put(out);
    }
    if (!out.error()) return octets = Octets(out, begin), SystemError();
    error = out.error();
  }
  return error;
}

template <typename Put>
Octets written(Put put) {
  Octets octets;
  if (const SystemError error = write_to(octets, put)) cpp::raise(error);
  return octets;
}

// False of what is no value. Memory, limits and characters that cannot be converted are other failures.
template <typename Put>
bool try_written(Put put, Octets& octets) {
  const SystemError error = write_to(octets, put);
  if (error && error.id != SystemErrorId::BAD_PARAM && error.id != SystemErrorId::MARSHAL) cpp::raise(error);
  return !error;
}

// Neither has components that are nodes; both are of equivalent types.
bool equal_leaves(Node& a, Node& b, const Compared& compared);

}  // namespace corbel::dynamic_any
