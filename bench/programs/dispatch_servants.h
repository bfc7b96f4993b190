// Servants with 1, 10, 100, 500 or 1,000 operations whose skeletons find them in different ways;
// dispatch_idl.py makes contract, names and definitions.
#pragma once

#include <corbel/poa.h>

#include <cstdint>
#include <string>

// What servants do: the number of the operation that ran last.
struct Ran {
  std::uint32_t last = 0xffffffff;
};

struct DispatchServant {
  PortableServer::ServantBase* servant = nullptr;  // null: there is none with so many operations
  Ran* ran = nullptr;
};

template <typename T>
DispatchServant made(T* servant) {
  return {servant, servant};
}

// Those of operations 0, 1 ...
extern const char* const kOperationNames[1000];

DispatchServant new_linear_servant(std::uint32_t operations);
DispatchServant new_binary_servant(std::uint32_t operations);
DispatchServant new_hash_servant(std::uint32_t operations);
DispatchServant new_perfect_servant(std::uint32_t operations);
DispatchServant new_words_servant(std::uint32_t operations);
DispatchServant new_active_servant(std::uint32_t operations);

struct DispatchStrategy {
  const char* name;  // as corbel-idl --dispatch has it
  DispatchServant (*new_servant)(std::uint32_t operations);
};
inline constexpr DispatchStrategy kDispatchStrategies[] = {
    {"linear", new_linear_servant},   {"binary", new_binary_servant}, {"hash", new_hash_servant},
    {"perfect", new_perfect_servant}, {"words", new_words_servant},   {"active", new_active_servant},
};
