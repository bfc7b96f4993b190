// From hashes to slots: open addressing that grows and shrinks a few places with each change, and is read
// without a lock.
#pragma once

#include <atomic>
#include <cstdint>

#include "orb/poa/zeroed_memory.h"

namespace corbel::poa {

// A place holds a hash and a slot. Readers may miss what is just being moved, and see what is no longer
// there: they verify what the slot holds and, where they find nothing, ask again with the owner's lock.
class SlotIndex {
 public:
  SlotIndex() = default;
  ~SlotIndex();
  SlotIndex(const SlotIndex&) = delete;
  SlotIndex& operator=(const SlotIndex&) = delete;

  // Any thread: whether `is_it` says so of one of the slots under the hash.
  template <typename IsIt>
  bool find(std::uint32_t hash, IsIt is_it) const {
    const Array* const newer = current_.load(std::memory_order_acquire);
    if (newer && newer->find(hash, is_it)) return true;
    const Array* const older = former_.load(std::memory_order_acquire);
    return older && older->find(hash, is_it);
  }

  // ---- with the owner's lock
  // False where there is no memory.
  bool put(std::uint32_t hash, std::uint32_t slot);
  void remove(std::uint32_t hash, std::uint32_t slot);
  std::uint32_t size() const { return size_; }

 private:
  using Places = std::atomic<std::uint64_t>;

  // Hash in the high half, the slot, from 1, in the low one; 0 is free.
  struct Array {
    Places* places = nullptr;
    std::uint32_t mask = 0;

    template <typename IsIt>
    bool find(std::uint32_t hash, IsIt is_it) const {
      for (std::uint32_t i = hash & mask;; i = (i + 1) & mask) {
        const std::uint64_t place = places[i].load(std::memory_order_acquire);
        if (place == 0) return false;
        if (place >> 32 == hash && is_it(static_cast<std::uint32_t>(place) - 1)) return true;
      }
    }
    void put(std::uint64_t place);
    bool remove(std::uint64_t place);
    void remove_at(std::uint32_t i);
    std::size_t octets() const { return sizeof(Places) * (std::size_t{mask} + 1); }
  };

  static constexpr int kFirstBits = 6;
  static constexpr int kMostBits = 30;
  // Places that a change moves. A table has twice the places of the former one, or a quarter, and either has
  // room until all have been moved.
  static constexpr int kStep = 16;

  bool change_to(int bits);
  void move_some(int steps);
  void move_all() { move_some(0x7fffffff); }

  // Of each size, once it was needed: readers may still look at it, so its address stays.
  Array arrays_[kMostBits + 1];
  std::atomic<const Array*> current_{nullptr};
  std::atomic<const Array*> former_{nullptr};  // while its places are being moved
  int bits_ = 0;
  int former_bits_ = 0;      // 0: none
  std::uint32_t moved_ = 0;  // places of the former one, from its beginning
  std::uint32_t size_ = 0;
};

}  // namespace corbel::poa
