// What the core knows of an operation when it is called: constant data in the stub.
#pragma once

#include <cstdint>

namespace corbel::core {

// Constant, and outlives its call. Thread-safe by being constant.
struct Operation {
  const char* name;           // as on the wire; nothing else may ever stand where it stands
  std::uint32_t name_length;  // without terminator
  bool oneway;
  // Its arguments may leave while they are being written, and may hold text: whoever calls writes them again
  // where invoke() asks for it.
  bool streams = false;
  // Its place among the operations of its interface, inherited ones first, from 1 on: a hint that servers of
  // Corbel get, and check, to find it sooner. 0 = none is sent.
  std::uint16_t number = 0;
  // They are written again likewise, but leave whole.
  bool rewrites = false;
};

}  // namespace corbel::core
