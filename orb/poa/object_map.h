// The active object map of one adapter (CORBA 3.4 part 1, "Active Object Map"), and its default servant.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <corbel/cdr/bytes.h>
#include <corbel/core/upcall.h>

#include "orb/base/mutex.h"
#include "orb/poa/hint_table.h"
#include "orb/poa/outcome.h"
#include "orb/poa/policies.h"
#include "orb/poa/slot_table.h"

namespace corbel::poa {

struct ActiveObject {
  core::Servant* servant = nullptr;
  std::string id;
};
using ObjectSlot = SlotTable<ActiveObject>::Entry;

// Thread-safe. Counts a servant while it is here; never calls one with its lock held.
class ObjectMap {
 public:
  ObjectMap(const Policies& policies, std::uint64_t incarnation);
  ~ObjectMap() { close(); }

  // Makes an id. BadId, TableFull and the like leave `id` alone.
  Outcome activate(core::Servant& servant, std::string& id);
  Outcome activate_with_id(core::Servant& servant, const std::string& id);
  // Returns at once; the servant is released when its last request has left.
  Outcome deactivate(std::string_view id);
  // Ends all that is here, and the default servant; nothing gets in afterwards.
  void close();

  // An id for an object that is to be activated later; only for system ids.
  std::string reserve_id();
  // False for one that a SYSTEM_ID adapter cannot have made.
  bool plausible(std::string_view id);
  // What a key says about where the id is; the same at any time.
  std::uint32_t hint(std::string_view id) const;

  // The active object with this id, entered, or null. No lock where the hint is right.
  ObjectSlot* enter(std::uint32_t hint, std::string_view id) {
    ObjectSlot* const object = slots_.find(direct(hint, id) ? hint : hints_.find(hint));
    if (object) [[likely]] {
      if (object->enter() && same(object->payload.id, id)) [[likely]]
        return object;
      leave(*object);
    }
    return empty() ? nullptr : enter_slow(id);
  }
  void leave(ObjectSlot& object) {
    if (object.leave() == SlotTable<ActiveObject>::Left::Last) [[unlikely]]
      finish(object);
  }

  // The id under which the servant is active, where ids are unique.
  bool find_id(core::Servant& servant, std::string& id);

  Outcome set_default_servant(core::Servant* servant);
  // Entered, or null.
  ObjectSlot* enter_default();

 private:
  struct Hash {
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  // System ids of transient objects start with their slot.
  bool direct(std::uint32_t hint, std::string_view id) const {
    return direct_ && id.size() == 8 && hint == cdr::load<std::uint32_t>(id.data(), false);
  }
  static bool same(const std::string& a, std::string_view b) {
    if (a.size() != b.size()) return false;
    if (a.size() == 8)
      return cdr::load<std::uint64_t>(a.data(), false) == cdr::load<std::uint64_t>(b.data(), false);
    return a == b;
  }
  bool empty() const { return active_.load(std::memory_order_acquire) == 0; }
  ObjectSlot* enter_slow(std::string_view id);
  std::string system_id(std::uint32_t slot, std::uint32_t number) const;
  Outcome add(core::Servant& servant, std::string* made, const std::string& wanted);
  void remember_locked(const ObjectSlot& object);
  void remove_locked(ObjectSlot& object);
  void retire(ObjectSlot& object);
  void finish(ObjectSlot& object);

  const bool direct_;  // ids are slots and generations
  const bool persistent_;
  const bool unique_;
  const std::uint64_t incarnation_;
  std::atomic<std::uint32_t> active_{0};
  std::atomic<ObjectSlot*> default_{nullptr};
  HintTable hints_;
  SlotTable<ActiveObject> slots_;

  base::Mutex mutex_;  // guards what follows, and changes of the tables
  bool closed_ = false;
  std::uint64_t reserved_ = 0;
  std::unordered_map<std::string_view, ObjectSlot*, Hash> by_id_;  // keys are the payloads' ids
  std::unordered_map<core::Servant*, ObjectSlot*> by_servant_;     // where ids are unique
};

}  // namespace corbel::poa
