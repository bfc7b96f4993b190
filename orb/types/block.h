// Memory of TypeCodes that are not constants: they, their members and their names, freed together.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <corbel/types/type_code.h>

namespace corbel::types {

class Program;

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
  // Takes over a program of one of the types. Any thread may do so at any time.
  void keep(const Program& program);

 private:
  ~Block();
  void* allocate(std::size_t size);

  std::atomic<std::uint32_t> count_{1};
  std::vector<char*> pieces_;
  std::size_t left_ = 0;  // of the last piece
  char* next_ = nullptr;
  std::atomic<const Program*> programs_{nullptr};
};

}  // namespace corbel::types
