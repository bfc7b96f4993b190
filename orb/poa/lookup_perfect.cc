// Ids that are known beforehand, each in a place of its own.
#include <atomic>
#include <utility>

#include "orb/poa/object_lookup.h"
#include "orb/poa/perfect_ids.h"
#include "orb/poa/zeroed_memory.h"

namespace corbel::poa {
namespace {

class PerfectLookup final : public ObjectLookup {
 public:
  PerfectLookup(const SlotTable& slots, SlotOwner& owner, std::shared_ptr<const PerfectIds> ids)
      : slots_(slots),
        owner_(owner),
        ids_(std::move(ids)),
        places_(static_cast<Place*>(zeroed::allocate(octets()))) {}
  ~PerfectLookup() override { zeroed::free(places_, octets()); }

  ObjectSlot* enter(std::uint32_t, std::string_view id) override {
    ObjectSlot* const object = at(id);
    if (!object) return nullptr;
    presence::enter_object(object);
    if (object->active() && object->marked() && named(*object).is(id)) [[likely]]
      return object;
    owner_.leave(*object);
    return nullptr;
  }

  ObjectSlot* find(std::string_view id) const override {
    ObjectSlot* const object = at(id);
    return object && named(*object).is(id) ? object : nullptr;
  }

  Outcome put(ObjectSlot& slot) override {
    if (!places_) return Outcome::TableFull;
    const std::string_view id = named(slot).id();
    // The second can only be where the id is not among them: the first would have been found.
    if (!ids_->may_be(id) || at(id)) return Outcome::UnknownId;
    places_[ids_->place(id)].store(slot.index() + 1, std::memory_order_release);
    return Outcome::Ok;
  }
  void remove(ObjectSlot& slot) override {
    places_[ids_->place(named(slot).id())].store(0, std::memory_order_release);
  }

 private:
  using Place = std::atomic<std::uint32_t>;  // a slot, from 1; 0 for none
  std::size_t octets() const { return sizeof(Place) * ids_->places(); }
  ObjectSlot* at(std::string_view id) const {
    const std::uint32_t slot = places_ ? places_[ids_->place(id)].load(std::memory_order_acquire) : 0;
    return slot != 0 ? slots_.find(slot - 1) : nullptr;
  }

  const SlotTable& slots_;
  SlotOwner& owner_;
  const std::shared_ptr<const PerfectIds> ids_;
  Place* const places_;
};

}  // namespace

std::unique_ptr<ObjectLookup> make_perfect_lookup(const SlotTable& slots, SlotOwner& owner,
                                                  std::shared_ptr<const PerfectIds> ids) {
  return std::make_unique<PerfectLookup>(slots, owner, std::move(ids));
}

}  // namespace corbel::poa
