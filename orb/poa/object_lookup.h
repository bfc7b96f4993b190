// How an adapter finds objects by ids that are not their slots: the strategies that can be chosen for it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "orb/poa/object_slot.h"
#include "orb/poa/outcome.h"
#include "orb/poa/policies.h"

namespace corbel::poa {

// Who takes the payload out of a slot and frees it.
class SlotOwner {
 public:
  // Called by whoever left last, with no lock held.
  virtual void finish(ObjectSlot& slot) = 0;
  // What the thread's last frame is in.
  void leave(ObjectSlot& slot) {
    presence::leave_object();
    if (slot.was_last()) [[unlikely]]
      finish(slot);
  }

 protected:
  ~SlotOwner() = default;
};

// Knows the slots of one adapter's named objects.
class ObjectLookup {
 public:
  virtual ~ObjectLookup() = default;

  // The active object with this id, entered, or null: then there is none, or it has been missed. Without the
  // adapter's lock, in any thread, in whose last frame no object is. `hint` comes from a key and may be
  // anything.
  virtual ObjectSlot* enter(std::uint32_t hint, std::string_view id) = 0;

  // ---- with the adapter's lock
  // The one that is known under this id, or null.
  virtual ObjectSlot* find(std::string_view id) const = 0;
  // `slot` has its payload. Ok, BadId if this adapter cannot have such an object, TableFull.
  virtual Outcome put(ObjectSlot& slot) = 0;
  virtual void remove(ObjectSlot& slot) = 0;
};

// The slots and their owner outlive it.
std::unique_ptr<ObjectLookup> make_lookup(const Policies& policies, const SlotTable& slots, SlotOwner& owner);

// One for each strategy.
std::unique_ptr<ObjectLookup> make_hash_lookup(const SlotTable& slots, SlotOwner& owner, bool hints);
std::unique_ptr<ObjectLookup> make_linear_lookup(const SlotTable& slots);
std::unique_ptr<ObjectLookup> make_perfect_lookup(const SlotTable& slots, SlotOwner& owner,
                                                  std::shared_ptr<const PerfectIds> ids);

}  // namespace corbel::poa
