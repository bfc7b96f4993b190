// From a hash to the slot that probably belongs to it, read without a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "orb/poa/slot_table.h"

namespace corbel::poa {

// FNV-1a: the hint in a key that names an id. Keys of persistent objects carry it, so it must never change.
inline std::uint32_t hint_of(std::string_view text) {
  std::uint32_t h = 2166136261u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
  return h;
}

// Direct-mapped: a later entry takes the place of an earlier one. Whoever reads verifies what the slot holds
// and, if it is something else, asks the map that the owner keeps under its lock.
class HintTable {
 public:
  // Any thread. kNoSlot if there is none.
  std::uint32_t find(std::uint32_t hint) const {
    const Array* const array = current_.load(std::memory_order_acquire);
    return array ? array->slots[hint & array->mask].load(std::memory_order_relaxed) : kNoSlot;
  }

  // ---- with the owner's lock
  bool full(std::size_t entries) const {
    return arrays_.empty() || entries > arrays_.back()->mask + std::size_t{1};
  }
  // A larger, empty table. The former ones stay for readers that still look at them; together they are no
  // larger.
  void grow() {
    const std::uint32_t size = arrays_.empty() ? kFirst : 2 * (arrays_.back()->mask + 1);
    auto array = std::make_unique<Array>();
    array->mask = size - 1;
    array->slots = std::make_unique<std::atomic<std::uint32_t>[]>(size);
    for (std::uint32_t i = 0; i < size; ++i) array->slots[i].store(kNoSlot, std::memory_order_relaxed);
    arrays_.push_back(std::move(array));
    current_.store(arrays_.back().get(), std::memory_order_release);
  }
  void put(std::uint32_t hint, std::uint32_t slot) {
    const Array& array = *arrays_.back();
    array.slots[hint & array.mask].store(slot, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint32_t kFirst = 64;
  struct Array {
    std::uint32_t mask;
    std::unique_ptr<std::atomic<std::uint32_t>[]> slots;
  };
  std::atomic<const Array*> current_{nullptr};
  std::vector<std::unique_ptr<Array>> arrays_;
};

}  // namespace corbel::poa
