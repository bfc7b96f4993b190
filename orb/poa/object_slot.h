// What the slots of an adapter's objects hold.
#pragma once

#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>

#include <corbel/core/upcall.h>

#include "orb/poa/slot_table.h"

namespace corbel::poa {

using ObjectSlot = SlotTable::Entry;

// An object whose id is not what its slot says: the payload of a marked slot. Others have the servant itself.
// The id follows in memory.
struct NamedObject {
  core::Servant* servant;
  std::uint32_t hash;  // of the id
  std::uint32_t size;  // of the id; kNoId for an object that no id leads to
  static constexpr std::uint32_t kNoId = 0xffffffffu;

  const char* text() const { return reinterpret_cast<const char*>(this + 1); }
  std::string_view id() const { return {text(), size == kNoId ? 0 : size}; }
  bool is(std::string_view wanted) const {
    return wanted.size() == size && std::memcmp(text(), wanted.data(), size) == 0;
  }
  static NamedObject* make(core::Servant& servant, std::uint32_t hash, std::string_view id) {
    void* const memory = ::operator new(sizeof(NamedObject) + id.size());
    auto* const object = new (memory) NamedObject{&servant, hash, static_cast<std::uint32_t>(id.size())};
    if (!id.empty()) std::memcpy(object + 1, id.data(), id.size());
    return object;
  }
  static void destroy(NamedObject* object) { ::operator delete(object); }
};

// Inside of the slot, or with its table's lock while it is active.
inline NamedObject& named(const ObjectSlot& slot) { return *static_cast<NamedObject*>(slot.payload); }
inline core::Servant& servant_of(const ObjectSlot& slot) {
  return slot.marked() ? *named(slot).servant : *static_cast<core::Servant*>(slot.payload);
}

}  // namespace corbel::poa
