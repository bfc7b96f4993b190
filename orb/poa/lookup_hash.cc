// Ids in a hash table. With hints the hash comes from the key, and the id is only verified.
#include "orb/poa/hint_table.h"
#include "orb/poa/object_lookup.h"
#include "orb/poa/slot_index.h"

namespace corbel::poa {
namespace {

class HashLookup final : public ObjectLookup {
 public:
  HashLookup(const SlotTable& slots, SlotOwner& owner, bool hints)
      : slots_(slots), owner_(owner), hints_(hints) {}

  ObjectSlot* enter(std::uint32_t hint, std::string_view id) override {
    ObjectSlot* found = nullptr;
    index_.find(hints_ ? hint : hint_of(id), [&](std::uint32_t slot) {
      ObjectSlot* const object = slots_.find(slot);
      presence::enter_object(object);
      if (object->active() && object->marked() && named(*object).is(id)) [[likely]]
        found = object;
      else owner_.leave(*object);
      return found != nullptr;
    });
    return found;
  }

  ObjectSlot* find(std::string_view id) const override {
    ObjectSlot* found = nullptr;
    index_.find(hint_of(id), [&](std::uint32_t slot) {
      ObjectSlot* const object = slots_.find(slot);
      if (named(*object).is(id)) found = object;
      return found != nullptr;
    });
    return found;
  }

  Outcome put(ObjectSlot& slot) override {
    return index_.put(named(slot).hash, slot.index()) ? Outcome::Ok : Outcome::TableFull;
  }
  void remove(ObjectSlot& slot) override { index_.remove(named(slot).hash, slot.index()); }

 private:
  const SlotTable& slots_;
  SlotOwner& owner_;
  const bool hints_;
  SlotIndex index_;
};

}  // namespace

std::unique_ptr<ObjectLookup> make_hash_lookup(const SlotTable& slots, SlotOwner& owner, bool hints) {
  return std::make_unique<HashLookup>(slots, owner, hints);
}

}  // namespace corbel::poa
