// What the core knows of an operation when it is called: constant data in the stub.
#pragma once

#include <cstdint>

namespace corbel::core {

// Constant-initialised by generated code; lives for ever. Thread-safe by being constant.
struct Operation {
  const char* name;           // as on the wire
  std::uint32_t name_length;  // without terminator
  bool oneway;
};

}  // namespace corbel::core
