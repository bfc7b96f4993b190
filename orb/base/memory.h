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
    swap(o);
    return *this;
  }
  void swap(Memory& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
  }
  // Takes over memory that malloc gave.
  static Memory adopt(char* data, std::size_t size) {
    Memory m;
    m.data_ = data;
    m.size_ = size;
    return m;
  }
  // Keeps what is there. False, and all is as it was, where there is no room. Large blocks are not copied.
  bool resize(std::size_t size) {
    char* const data = static_cast<char*>(std::realloc(data_, size));
    if (!data) return false;
    data_ = data;
    size_ = size;
    return true;
  }
  // Somebody else frees it.
  void disown() {
    data_ = nullptr;
    size_ = 0;
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
