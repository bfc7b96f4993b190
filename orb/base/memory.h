// A block of raw memory for messages.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <utility>

namespace corbel::base {

// Owns malloc'ed memory, 16-byte aligned, not initialised. Large blocks are fresh address space that costs
// memory only where it is touched. Move-only.
class Memory {
 public:
  Memory() = default;
  explicit Memory(std::size_t size) : data_(static_cast<char*>(std::malloc(size))), size_(data_ ? size : 0) {}
  Memory(Memory&& o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  Memory& operator=(Memory o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  // Takes over memory that malloc gave.
  static Memory adopt(char* data, std::size_t size) {
    Memory m;
    m.data_ = data;
    m.size_ = size;
    return m;
  }
  ~Memory() { std::free(data_); }
  char* data() const { return data_; }
  std::size_t size() const { return size_; }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace corbel::base
