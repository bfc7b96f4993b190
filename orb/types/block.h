// Memory of TypeCodes that are not constants: they, their members and their names, freed together.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <corbel/types/type_code.h>

#include "orb/types/arena.h"
#include "orb/types/program.h"

namespace corbel::types {

// Counted; the count starts at 1. Filled by one thread, then immutable.
class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  void add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }
  void remove_ref() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  // May throw std::bad_alloc.
  TypeCode* type();
  Member* members(std::uint32_t count);
  const char* text(std::string_view text);
  // Some placeholder in it has no type around that would replace it.
  bool incomplete = false;
  // Those of its types.
  Programs& programs() { return programs_; }

 private:
  ~Block() = default;

  std::atomic<std::uint32_t> count_{1};
  Arena memory_;
  Programs programs_;
};

}  // namespace corbel::types
