// Memory for what is made bit by bit, never moves, needs no destructors and is freed at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace corbel::types {

// Used by one thread at a time.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    while (last_) ::operator delete(std::exchange(last_, last_->before));
  }

  // Aligned to 8; may throw std::bad_alloc.
  void* allocate(std::size_t size) {
    size = (size + 7) & ~std::size_t{7};
    if (size > left_) {
      const std::size_t piece = std::max(size, piece_);
      piece_ = std::min(2 * piece_, kLargestPiece);
      last_ = new (::operator new(sizeof(Piece) + piece)) Piece{last_};
      next_ = reinterpret_cast<char*>(last_ + 1);
      left_ = piece;
    }
    left_ -= size;
    return std::exchange(next_, next_ + size);
  }
  template <typename T>
  T* make(const T& value) {
    return new (allocate(sizeof(T))) T(value);
  }
  template <typename T>
  const T* copy(std::span<const T> values) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 8);
    auto* const to = static_cast<T*>(allocate(values.size_bytes()));
    std::uninitialized_copy(values.begin(), values.end(), to);
    return to;
  }

  // All of it stays for as long as the process does.
  void keep_for_ever() { last_ = nullptr, left_ = 0; }

  struct alignas(8) Piece {
    Piece* before;
  };
  struct Mark {
    Piece* last;
    char* next;
    std::size_t left;
  };
  Mark mark() const { return {last_, next_, left_}; }
  // Frees what has been made since.
  void back_to(const Mark& mark) {
    while (last_ != mark.last) ::operator delete(std::exchange(last_, last_->before));
    next_ = mark.next, left_ = mark.left;
  }

 private:
  // Peers send many that are small.
  static constexpr std::size_t kFirstPiece = 256, kLargestPiece = 2048;
  std::size_t piece_ = kFirstPiece;  // the next one's size
  Piece* last_ = nullptr;
  char* next_ = nullptr;
  std::size_t left_ = 0;  // of the last piece
};

}  // namespace corbel::types
