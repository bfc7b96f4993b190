#include "orb/poa/slot_index.h"

namespace corbel::poa {

SlotIndex::~SlotIndex() {
  for (const Array& array : arrays_)
    if (array.places) zeroed::free(array.places, array.octets());
}

void SlotIndex::Array::put(std::uint64_t place) {
  std::uint32_t i = static_cast<std::uint32_t>(place >> 32) & mask;
  while (places[i].load(std::memory_order_relaxed) != 0) i = (i + 1) & mask;
  places[i].store(place, std::memory_order_release);
}

bool SlotIndex::Array::remove(std::uint64_t place) {
  for (std::uint32_t i = static_cast<std::uint32_t>(place >> 32) & mask;; i = (i + 1) & mask) {
    const std::uint64_t there = places[i].load(std::memory_order_relaxed);
    if (there == 0) return false;
    if (there != place) continue;
    remove_at(i);
    return true;
  }
}

// Those behind it that the gap would hide from their hash move up.
void SlotIndex::Array::remove_at(std::uint32_t gap) {
  for (std::uint32_t i = (gap + 1) & mask;; i = (i + 1) & mask) {
    const std::uint64_t place = places[i].load(std::memory_order_relaxed);
    if (place == 0) break;
    const std::uint32_t home = static_cast<std::uint32_t>(place >> 32) & mask;
    if (((i - home) & mask) < ((i - gap) & mask)) continue;
    places[gap].store(place, std::memory_order_release);
    gap = i;
  }
  places[gap].store(0, std::memory_order_release);
}

bool SlotIndex::change_to(int bits) {
  if (bits > kMostBits) return false;
  Array& array = arrays_[bits];
  if (!array.places) {
    const std::size_t octets = sizeof(Places) << bits;
    array.places = static_cast<Places*>(zeroed::allocate(octets));
    if (!array.places) return false;
    array.mask = (std::uint32_t{1} << bits) - 1;
  }
  former_bits_ = bits_;
  bits_ = bits;
  moved_ = 0;
  if (former_bits_ != 0) former_.store(&arrays_[former_bits_], std::memory_order_release);
  current_.store(&array, std::memory_order_release);
  return true;
}

// Into the new array first: a reader looks there first, too, and misses one at most for a moment.
void SlotIndex::move_some(int steps) {
  if (former_bits_ == 0) return;
  Array& from = arrays_[former_bits_];
  Array& to = arrays_[bits_];
  constexpr std::uint32_t kGivenBack = zeroed::kMapped / sizeof(Places);
  for (; steps > 0 && moved_ <= from.mask; --steps) {
    if (const std::uint64_t place = from.places[moved_].load(std::memory_order_relaxed)) {
      to.put(place);
      from.remove_at(moved_);
    } else if (++moved_ % kGivenBack == 0) {
      zeroed::give_back(from.places + (moved_ - kGivenBack), zeroed::kMapped);
    }
  }
  if (moved_ <= from.mask) return;
  former_.store(nullptr, std::memory_order_release);
  former_bits_ = 0;
}

bool SlotIndex::put(std::uint32_t hash, std::uint32_t slot) {
  move_some(kStep);
  const std::uint64_t places = bits_ == 0 ? 0 : std::uint64_t{1} << bits_;
  if (former_bits_ == 0 && (size_ + 1) * std::uint64_t{2} > places)
    if (!change_to(bits_ == 0 ? kFirstBits : bits_ + 1) && size_ + places / 16 + 1 > places) return false;
  arrays_[bits_].put(std::uint64_t{hash} << 32 | (slot + 1));
  ++size_;
  return true;
}

void SlotIndex::remove(std::uint32_t hash, std::uint32_t slot) {
  const std::uint64_t place = std::uint64_t{hash} << 32 | (slot + 1);
  if (bits_ == 0) return;
  if (!arrays_[bits_].remove(place) && (former_bits_ == 0 || !arrays_[former_bits_].remove(place))) return;
  --size_;
  move_some(kStep);
  if (former_bits_ == 0 && bits_ > kFirstBits + 2 && size_ < std::uint64_t{1} << (bits_ - 3))
    (void)change_to(bits_ - 2);
  if (size_ == 0) move_all();
}

}  // namespace corbel::poa
