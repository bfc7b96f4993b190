// All ids one after the other, as the first ORBs did. Looks with the adapter's lock only: the ids stand in
// memory that goes with their objects.
#include <cstring>
#include <vector>

#include "orb/poa/object_lookup.h"

namespace corbel::poa {
namespace {

class LinearLookup final : public ObjectLookup {
 public:
  explicit LinearLookup(const SlotTable& slots) : slots_(slots) {}

  ObjectSlot* enter(std::uint32_t, std::string_view) override { return nullptr; }

  ObjectSlot* find(std::string_view id) const override {
    const char* const text = id.data();
    const std::size_t size = id.size();
    for (const Known& known : known_)
      if (known.size == size && std::memcmp(known.text, text, size) == 0) return slots_.find(known.slot);
    return nullptr;
  }

  Outcome put(ObjectSlot& slot) override {
    known_.push_back({named(slot).text(), named(slot).size, slot.index()});
    return Outcome::Ok;
  }
  // The others keep their order: the first to come is the first to be found.
  void remove(ObjectSlot& slot) override {
    std::erase_if(known_, [&](const Known& known) { return known.slot == slot.index(); });
  }

 private:
  struct Known {
    const char* text;
    std::uint32_t size;
    std::uint32_t slot;
  };
  const SlotTable& slots_;
  std::vector<Known> known_;
};

}  // namespace

std::unique_ptr<ObjectLookup> make_linear_lookup(const SlotTable& slots) {
  return std::make_unique<LinearLookup>(slots);
}

}  // namespace corbel::poa
