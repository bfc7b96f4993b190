// From what keys say of an adapter to the adapter.
#pragma once

#include <string_view>
#include <unordered_map>

#include "orb/poa/hint_table.h"
#include "orb/poa/slot_table.h"

namespace corbel::poa {

class Adapter;
using AdapterSlot = SlotTable::Entry;

// Changed and asked with the owner's lock, but for hinted(). Paths are the adapters' own.
class PathTable {
 public:
  // Any thread, without the lock: the slot where the path of this hash probably is, or kNoSlot.
  std::uint32_t hinted(std::uint32_t hash) const { return hints_.find(hash); }

  AdapterSlot* find(std::string_view path) const {
    const auto i = slots_.find(path);
    return i == slots_.end() ? nullptr : i->second;
  }
  // In the place of an adapter of the same path, which is being destroyed.
  void put(std::string_view path, AdapterSlot& slot) {
    slots_.erase(path);  // with the key of the former one
    slots_.emplace(path, &slot);
    if (!hints_.full(slots_.size())) return remember(path, slot);
    hints_.grow();
    for (const auto& [other, its] : slots_) remember(other, *its);
  }
  void remember(std::string_view path, const AdapterSlot& slot) { hints_.put(hint_of(path), slot.index()); }
  void remove(std::string_view path, const AdapterSlot& slot) {
    const auto i = slots_.find(path);
    if (i != slots_.end() && i->second == &slot) slots_.erase(i);
  }

 private:
  std::unordered_map<std::string_view, AdapterSlot*> slots_;
  HintTable hints_;
};

}  // namespace corbel::poa
