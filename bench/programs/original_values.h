// How values stand in the memory of the papers' engine.
#pragma once

#include "original_engine.h"

namespace original {

struct Sequence {
  std::uint32_t maximum, length;
  char* buffer;
};
// As in CDR: up to three units of UTF-16.
struct WideCharacter {
  unsigned char size;
  char octets[6];
};
struct Choice {
  alignas(8) char discriminator[8];
  char* branch;  // null: none
};
struct AnyValue {
  const TypeCode* code = nullptr;  // counted
  Types types;
  const Type* type = nullptr;
  char* value = nullptr;
};

inline std::size_t aligned(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) & ~(alignment - 1);
}

}  // namespace original
