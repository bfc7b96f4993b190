#include "orb/poa/object_map.h"

#include <mutex>
#include <utility>

namespace corbel::poa {
namespace {

template <typename T>
void append(std::string& id, T value) {
  id.append(reinterpret_cast<const char*>(&value), sizeof value);
}

constexpr std::size_t kTransientId = 8;
constexpr std::size_t kPersistentId = 16;
// Ids that were reserved before they were activated have no slot; they start with a number that is none.
constexpr std::uint32_t kReservedSlots = 0x80000000u;

}  // namespace

ObjectMap::ObjectMap(const Policies& policies, std::uint64_t incarnation)
    : direct_(!policies.user_id && !policies.persistent),
      persistent_(policies.persistent),
      unique_(!policies.multiple_id),
      incarnation_(incarnation) {}

// ---- ids

// A slot is used again after a restart, so a persistent id holds the incarnation that made it.
std::string ObjectMap::system_id(std::uint32_t slot, std::uint32_t number) const {
  std::string id;
  append(id, slot);
  append(id, number);
  if (persistent_) append(id, incarnation_);
  return id;
}

std::string ObjectMap::reserve_id() {
  std::lock_guard lock(mutex_);
  ++reserved_;
  return system_id(kNoSlot - static_cast<std::uint32_t>(reserved_ >> 32),
                   static_cast<std::uint32_t>(reserved_));
}

bool ObjectMap::plausible(std::string_view id) {
  if (id.size() != (persistent_ ? kPersistentId : kTransientId)) return false;
  if (persistent_ && cdr::load<std::uint64_t>(id.data() + 8, false) != incarnation_)
    return true;  // an earlier start's
  const auto slot = cdr::load<std::uint32_t>(id.data(), false);
  const auto number = cdr::load<std::uint32_t>(id.data() + 4, false);
  std::lock_guard lock(mutex_);
  if (const ObjectSlot* const entry = slot < slots_.size() ? slots_.find(slot) : nullptr)
    return number <= entry->generation();
  const std::uint64_t reserved = std::uint64_t{kNoSlot - slot} << 32 | number;
  return reserved != 0 && reserved <= reserved_;
}

std::uint32_t ObjectMap::hint(std::string_view id) const {
  if (!direct_ || id.size() != kTransientId) return hint_of(id);
  const auto slot = cdr::load<std::uint32_t>(id.data(), false);
  return slot < kReservedSlots ? slot : hint_of(id);
}

// ---- activation

Outcome ObjectMap::activate(core::Servant& servant, std::string& id) {
  servant.functions().add_ref(servant);
  const Outcome outcome = add(servant, &id, {});
  if (outcome != Outcome::Ok) servant.functions().remove_ref(servant);
  return outcome;
}

Outcome ObjectMap::activate_with_id(core::Servant& servant, const std::string& id) {
  servant.functions().add_ref(servant);
  const Outcome outcome = add(servant, nullptr, id);
  if (outcome != Outcome::Ok) servant.functions().remove_ref(servant);
  return outcome;
}

// Under the id that its slot gives (told in `made`), or the one that is wanted.
Outcome ObjectMap::add(core::Servant& servant, std::string* made, const std::string& wanted) {
  std::lock_guard lock(mutex_);
  if (closed_) return Outcome::Destroyed;
  if (!made && by_id_.contains(wanted)) return Outcome::ObjectAlreadyActive;
  if (unique_ && by_servant_.contains(&servant)) return Outcome::ServantAlreadyActive;
  ObjectSlot* object = slots_.allocate();
  // An old id that was activated again may be what this slot would give: the slot's next generation is free.
  while (object && made && by_id_.contains(system_id(object->index, object->generation()))) {
    slots_.free(object);
    object = slots_.allocate();
  }
  if (!object) return Outcome::TableFull;
  object->payload.id = made ? system_id(object->index, object->generation()) : wanted;
  object->payload.servant = &servant;
  by_id_.emplace(object->payload.id, object);
  if (unique_) by_servant_.emplace(&servant, object);
  active_.fetch_add(1, std::memory_order_release);
  if (made) *made = object->payload.id;
  remember_locked(*object);
  object->activate();
  return Outcome::Ok;
}

void ObjectMap::remember_locked(const ObjectSlot& object) {
  const std::uint32_t h = hint(object.payload.id);
  if (direct(h, object.payload.id)) return;
  if (!hints_.full(by_id_.size())) return hints_.put(h, object.index);
  hints_.grow();
  for (const auto& [id, other] : by_id_) hints_.put(hint(id), other->index);
}

void ObjectMap::remove_locked(ObjectSlot& object) {
  by_id_.erase(object.payload.id);
  if (unique_) by_servant_.erase(object.payload.servant);
  active_.fetch_sub(1, std::memory_order_release);
}

Outcome ObjectMap::deactivate(std::string_view id) {
  ObjectSlot* object;
  {
    std::lock_guard lock(mutex_);
    const auto i = by_id_.find(id);
    if (i == by_id_.end()) return Outcome::ObjectNotActive;
    object = i->second;
    remove_locked(*object);
  }
  retire(*object);
  return Outcome::Ok;
}

void ObjectMap::retire(ObjectSlot& object) {
  object.enter();
  object.retire();
  leave(object);
}

// The last one out of a retired slot releases the servant, with no lock held.
void ObjectMap::finish(ObjectSlot& object) {
  core::Servant* const servant = std::exchange(object.payload.servant, nullptr);
  {
    std::lock_guard lock(mutex_);
    object.payload.id.clear();
    slots_.free(&object);
  }
  servant->functions().remove_ref(*servant);
}

void ObjectMap::close() {
  std::vector<ObjectSlot*> objects;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    for (const auto& [id, object] : by_id_) objects.push_back(object);
    by_id_.clear();
    by_servant_.clear();
    active_.store(0, std::memory_order_release);
    if (ObjectSlot* const servant = default_.exchange(nullptr)) objects.push_back(servant);
  }
  for (ObjectSlot* const object : objects) retire(*object);
}

// ---- lookup

ObjectSlot* ObjectMap::enter_slow(std::string_view id) {
  std::lock_guard lock(mutex_);
  const auto i = by_id_.find(id);
  if (i == by_id_.end()) return nullptr;
  i->second->enter();  // it is active: deactivation takes it out of the map first, under this lock
  remember_locked(*i->second);
  return i->second;
}

bool ObjectMap::find_id(core::Servant& servant, std::string& id) {
  std::lock_guard lock(mutex_);
  const auto i = by_servant_.find(&servant);
  if (i == by_servant_.end()) return false;
  id = i->second->payload.id;
  return true;
}

// ---- the default servant: in a slot that no id leads to

Outcome ObjectMap::set_default_servant(core::Servant* servant) {
  if (servant) servant->functions().add_ref(*servant);
  Outcome outcome = Outcome::Ok;
  ObjectSlot* old = nullptr;
  {
    std::lock_guard lock(mutex_);
    ObjectSlot* const slot = servant && !closed_ ? slots_.allocate() : nullptr;
    if (closed_) {
      outcome = Outcome::Destroyed;
    } else if (servant && !slot) {
      outcome = Outcome::TableFull;
    } else {
      if (slot) {
        slot->payload.servant = servant;
        slot->activate();
      }
      old = default_.exchange(slot);
    }
  }
  if (old) retire(*old);
  if (servant && outcome != Outcome::Ok) servant->functions().remove_ref(*servant);
  return outcome;
}

// Between reading the pointer and entering, the slot may have become something else: looked at again when
// inside.
ObjectSlot* ObjectMap::enter_default() {
  for (;;) {
    ObjectSlot* const slot = default_.load();
    if (!slot) return nullptr;
    if (slot->enter() && default_.load() == slot) return slot;
    leave(*slot);
  }
}

}  // namespace corbel::poa
