// Memory of one request: allocated piecemeal, freed at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace corbel::cdr {

// Blocks come from malloc; reset() keeps the largest one up to a bound, so a warm arena allocates nothing.
// One thread at a time.
class [[gnu::visibility("default")]] Arena {
 public:
  Arena() = default;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // 16-byte aligned; null when memory is exhausted.
  void* allocate(std::size_t size);
  // Everything allocated so far is gone.
  void reset() {
    if (used_ != 0 || block_next_) reset_slow();
  }

 private:
  struct Block;
  void reset_slow();
  Block* block_ = nullptr;   // current block
  bool block_next_ = false;  // more than one block is chained
  std::size_t used_ = 0;
};

}  // namespace corbel::cdr
