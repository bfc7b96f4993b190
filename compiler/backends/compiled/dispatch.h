// How skeletons find the operation that a request names.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "compiler/pres/pres.h"
#include "compiler/source/writer.h"

namespace corbel::idl::compiled {

enum class Dispatch : std::uint8_t {
  Linear,   // one comparison after the other
  Binary,   // binary search in a sorted table
  Hash,     // a hash table that is made when the first request comes
  Perfect,  // a hash function without collisions, found by the compiler
  Active,   // by a number that clients of the same kind send, else as Words
  Words,    // a switch on the length, then on words of the name or, where they are many, on a hash of these
};

struct DispatchChoice {
  Dispatch usual = Dispatch::Words;
  // Of interfaces, and of modules for all that is in them, by scoped name without the first "::".
  std::map<std::string, Dispatch> scopes;

  Dispatch of(const pres::Declaration& declaration) const;
};

// The number of the operation at `index` of the interface's own, which its stub sends where it is found by
// Active; 0 if it has none.
std::uint32_t operation_number(const pres::Interface& interface, std::size_t index);

// Prints _dispatch() of the interface's skeleton.
void print_dispatch(Writer& w, const pres::Interface& interface, Dispatch dispatch);

}  // namespace corbel::idl::compiled
