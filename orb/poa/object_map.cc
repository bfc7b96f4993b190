#include "orb/poa/object_map.h"

#include <mutex>
#include <new>
#include <utility>

#include "orb/poa/hint_table.h"

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

// Servants are often made one after the other: those of 512 octets share a line of the table.
std::uint32_t hash_of(const core::Servant& servant) {
  const auto address = reinterpret_cast<std::uintptr_t>(&servant);
  std::uint64_t h = (address >> 9) * 0x9e3779b97f4a7c15u;
  h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
  return static_cast<std::uint32_t>(h >> 32 << 3 | (address >> 6 & 7));
}

}  // namespace

ObjectMap::ObjectMap(const Policies& policies, std::uint64_t incarnation, EndedObjects* ended)
    : persistent_(policies.persistent),
      unique_(!policies.multiple_id),
      own_ids_(!policies.user_id && (policies.demultiplexing == ObjectDemultiplexing::Default ||
                                     policies.demultiplexing == ObjectDemultiplexing::Active ||
                                     policies.demultiplexing == ObjectDemultiplexing::VerifiedActive)),
      own_size_(!own_ids_     ? std::string_view::npos
                : persistent_ ? kPersistentId
                              : kTransientId),
      incarnation_(incarnation),
      ended_(ended),
      by_name_(make_lookup(policies, slots_, *this)) {}

// ---- ids

// A slot is used again after a restart, so a persistent id holds the incarnation that made it.
std::string ObjectMap::system_id(std::uint32_t slot, std::uint32_t number) const {
  std::string id;
  append(id, slot);
  append(id, number);
  if (persistent_) append(id, incarnation_);
  return id;
}

std::string ObjectMap::id_of(const ObjectSlot& object) const {
  return object.marked() ? std::string(named(object).id()) : system_id(object.index(), object.generation());
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
  if (slot < kReservedSlots) return slots_.has(slot) && number <= slots_.generation(slot);
  const std::uint64_t reserved = std::uint64_t{kNoSlot - slot} << 32 | number;
  return reserved != 0 && reserved <= reserved_;
}

std::uint32_t ObjectMap::hint(std::string_view id) const {
  if (persistent_ || !own_ids_ || id.size() != kTransientId) return hint_of(id);
  const auto slot = cdr::load<std::uint32_t>(id.data(), false);
  return slot < kReservedSlots ? slot : hint_of(id);
}

// ---- activation

namespace {

// A count of a servant that is given back unless it is kept, also where memory runs out.
class Counted {
 public:
  explicit Counted(core::Servant& servant) : servant_(&servant) { servant.functions().add_ref(servant); }
  ~Counted() {
    if (servant_) servant_->functions().remove_ref(*servant_);
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  Outcome keep_if_ok(Outcome outcome) {
    if (outcome == Outcome::Ok) servant_ = nullptr;
    return outcome;
  }

 private:
  core::Servant* servant_;
};

}  // namespace

Outcome ObjectMap::activate(core::Servant& servant, std::string& id) {
  Counted count(servant);
  return count.keep_if_ok(add(servant, &id, {}));
}

Outcome ObjectMap::activate_with_id(core::Servant& servant, const std::string& id) {
  Counted count(servant);
  return count.keep_if_ok(add(servant, nullptr, id));
}

// Under the id that its slot gives (told in `made`), or the one that is wanted.
Outcome ObjectMap::add(core::Servant& servant, std::string* made, std::string_view wanted) {
  std::lock_guard lock(mutex_);
  if (sealed_) return Outcome::Destroyed;
  if (!made && busy_.contains(wanted)) return Outcome::Busy;
  ObjectSlot* object = nullptr;
  return add_locked(servant, made, wanted, object);
}

// An old id that was activated again may be what a slot would give: the slot's next generation is free.
ObjectSlot* ObjectMap::allocate_locked(bool own_id) {
  for (;;) {
    ObjectSlot* const object = slots_.allocate();
    if (!object || !own_id || (names_ == 0 && busy_.empty())) return object;
    const std::string id = system_id(object->index(), object->generation());
    if (!by_name_->find(id) && !busy_.contains(id)) return object;
    slots_.free(object);
  }
}

// It has not become active.
void ObjectMap::discard_locked(ObjectSlot& object, bool marked, core::Servant& servant) {
  if (marked && object.payload) NamedObject::destroy(&named(object));
  slots_.free(&object);
  const auto count = activations_.find(&servant);
  if (count != activations_.end() && count->second == 0) activations_.erase(count);
}

// Its object is active then, and nobody is inside yet but, if `object` is set already, the calling thread.
// Where memory runs out everything is as before.
Outcome ObjectMap::add_locked(core::Servant& servant, std::string* made, std::string_view wanted,
                              ObjectSlot*& object) {
  if (!made && find_locked(wanted)) return Outcome::ObjectAlreadyActive;
  if (unique_ && find_locked(servant)) return Outcome::ServantAlreadyActive;
  ObjectSlot* const slot = allocate_locked(made != nullptr);
  if (!slot) return Outcome::TableFull;
  const bool marked = !made || !own_ids_;
  std::string id;
  Outcome outcome = Outcome::Ok;
  try {
    if (made) wanted = id = system_id(slot->index(), slot->generation());
    if (ended_) (void)activations_[&servant];
    if (marked) {
      slot->payload = NamedObject::make(servant, hint_of(wanted), wanted);
      outcome = by_name_->put(*slot);
    } else {
      slot->payload = &servant;
    }
  } catch (const std::bad_alloc&) {
    discard_locked(*slot, marked, servant);
    throw;
  }
  if (outcome == Outcome::Ok && unique_ && !by_servant_.put(hash_of(servant), slot->index())) {
    if (marked) by_name_->remove(*slot);
    outcome = Outcome::TableFull;
  }
  if (outcome != Outcome::Ok) {
    discard_locked(*slot, marked, servant);
    return outcome;
  }
  if (ended_) ++activations_[&servant];
  if (marked) ++names_;
  slot->activate(marked);
  if (made) *made = std::move(id);
  object = slot;
  return Outcome::Ok;
}

// It is active no longer, but for those who are inside.
void ObjectMap::remove_locked(ObjectSlot& object) {
  if (unique_) by_servant_.remove(hash_of(servant_of(object)), object.index());
  if (object.marked()) {
    by_name_->remove(object);
    --names_;
  }
  object.retire();
}

void ObjectMap::free_locked(ObjectSlot& object) {
  if (object.marked()) NamedObject::destroy(&named(object));
  slots_.free(&object);
}

Outcome ObjectMap::deactivate(std::string_view id) {
  ObjectSlot* object;
  {
    std::lock_guard lock(mutex_);
    object = find_locked(id);
    if (!object) return Outcome::ObjectNotActive;
    if (ended_) busy_.emplace(id, Busy());
    remove_locked(*object);
  }
  if (object->settle()) finish(*object);
  return Outcome::Ok;
}

// Of a retired slot, when nobody is inside any more. The default servant has no id, and is never
// etherealized.
void ObjectMap::finish(ObjectSlot& object) {
  if (ended_) return ended_->ended(object);
  core::Servant& servant = servant_of(object);
  {
    std::lock_guard lock(mutex_);
    free_locked(object);
  }
  servant.functions().remove_ref(servant);
}

void ObjectMap::seal() {
  std::lock_guard lock(mutex_);
  sealed_ = true;
}

// So many at a time, from the slot `from` on, that nobody waits long. False if there are no more.
bool ObjectMap::retire_some(std::uint32_t& from, bool etherealize) {
  constexpr std::size_t kSome = 4096;
  std::vector<std::pair<ObjectSlot*, std::uint64_t>> objects;
  {
    std::lock_guard lock(mutex_);
    while (objects.size() < kSome) {
      ObjectSlot* const object = slots_.next_active(from);
      if (!object) break;
      if (object == default_.load()) continue;
      if (ended_) busy_.emplace(id_of(*object), Busy{0, etherealize, true});
      remove_locked(*object);
      objects.emplace_back(object, object->word.load());  // whoever frees it needs the lock
    }
  }
  if (objects.empty()) return false;
  presence::order_all();
  for (const auto& [object, word] : objects)
    if (object->claim(word)) finish(*object);
  return true;
}

void ObjectMap::deactivate_all(bool etherealize) {
  for (std::uint32_t from = 0; retire_some(from, etherealize);) {
  }
}

void ObjectMap::deactivate_all() {
  {
    std::lock_guard lock(mutex_);
    ends_all_ = true;
  }
  deactivate_all(true);
}

void ObjectMap::close(bool etherealize) {
  seal();
  deactivate_all(etherealize);
  (void)set_default_servant(nullptr);
}

// ---- with EndedObjects

ObjectMap::Claim ObjectMap::claim(std::string_view id, ObjectSlot*& object) {
  std::lock_guard lock(mutex_);
  object = find_locked(id);
  if (object) {
    presence::enter_object(object);
    return Claim::Entered;
  }
  if (busy_.contains(id)) return Claim::Busy;
  if (sealed_) return Claim::Sealed;
  busy_.emplace(id, Busy{base::thread_id()});
  return Claim::Yours;
}

// Entered with the lock, so that whoever deactivates it waits for the request that wanted it.
Outcome ObjectMap::supply(std::string_view id, core::Servant& servant, ObjectSlot*& object) {
  {
    std::lock_guard lock(mutex_);
    const Outcome outcome = add_locked(servant, nullptr, id, object);
    if (outcome != Outcome::Ok) return outcome;
    presence::enter_object(object);
    const auto busy = busy_.find(id);
    if (!ends_all_) {
      busy_.erase(busy);
      return Outcome::Ok;
    }
    busy->second = Busy{0, true, true};
    remove_locked(*object);
  }
  presence::order_all();  // whoever leaves it last ends it: the calling thread is inside
  return Outcome::Ok;
}

void ObjectMap::give_up(std::string_view id) {
  {
    std::lock_guard lock(mutex_);
    busy_.erase(busy_.find(id));
  }
}

bool ObjectMap::busy_here(std::string_view id) {
  std::lock_guard lock(mutex_);
  const auto i = busy_.find(id);
  return i != busy_.end() && i->second.thread == base::thread_id();
}

bool ObjectMap::any_busy() {
  std::lock_guard lock(mutex_);
  return !busy_.empty();
}

// Of two ids of one servant that end at once, the second has no others remaining.
ObjectMap::Ending ObjectMap::begin_etherealization(ObjectSlot& object) {
  std::lock_guard lock(mutex_);
  Busy& busy = busy_.find(id_of(object))->second;
  busy.thread = base::thread_id();
  const auto count = activations_.find(&servant_of(object));
  const bool remaining = --count->second != 0;
  if (!remaining) activations_.erase(count);
  return {busy.etherealize, busy.cleanup, remaining};
}

void ObjectMap::end_etherealization(ObjectSlot& object) {
  {
    std::lock_guard lock(mutex_);
    busy_.erase(id_of(object));
    free_locked(object);
  }
}

// ---- lookup

// Objects are activated and retired with the lock: what is active stays so until it is given back.
ObjectSlot* ObjectMap::find_locked(std::string_view id) const {
  if (is_own(id)) {
    const auto number = cdr::load<std::uint32_t>(id.data() + 4, false);
    ObjectSlot* const object = slots_.find(cdr::load<std::uint32_t>(id.data(), false));
    if (object && object->active() && !object->marked() && object->generation() == number) return object;
  }
  return names_ == 0 ? nullptr : by_name_->find(id);
}

ObjectSlot* ObjectMap::find_locked(const core::Servant& servant) const {
  ObjectSlot* found = nullptr;
  by_servant_.find(hash_of(servant), [&](std::uint32_t slot) {
    ObjectSlot* const object = slots_.find(slot);
    if (&servant_of(*object) == &servant) found = object;
    return found != nullptr;
  });
  return found;
}

ObjectSlot* ObjectMap::enter_by_name(std::uint32_t hint, std::string_view id) {
  if (ObjectSlot* const object = by_name_->enter(hint, id)) [[likely]]
    return object;
  std::lock_guard lock(mutex_);
  ObjectSlot* const object = find_locked(id);
  if (object) presence::enter_object(object);
  return object;
}

bool ObjectMap::find_id(core::Servant& servant, std::string& id) {
  std::lock_guard lock(mutex_);
  const ObjectSlot* const object = find_locked(servant);
  if (object) id = id_of(*object);
  return object != nullptr;
}

// ---- the default servant: in a slot that no id leads to

Outcome ObjectMap::set_default_servant(core::Servant* servant) {
  if (servant) servant->functions().add_ref(*servant);
  Outcome outcome = Outcome::Ok;
  ObjectSlot* old = nullptr;
  {
    std::lock_guard lock(mutex_);
    ObjectSlot* const slot = servant && !sealed_ ? slots_.allocate() : nullptr;
    if (servant && sealed_) {
      outcome = Outcome::Destroyed;
    } else if (servant && !slot) {
      outcome = Outcome::TableFull;
    } else {
      if (slot) {
        NamedObject* const object = NamedObject::make(*servant, 0, {});
        object->size = NamedObject::kNoId;
        slot->payload = object;
        slot->activate(true);
      }
      old = default_.exchange(slot);
      if (old) old->retire();
    }
  }
  if (old && old->settle()) finish(*old);
  if (servant && outcome != Outcome::Ok) servant->functions().remove_ref(*servant);
  return outcome;
}

// Between reading the pointer and entering, the slot may have become something else: looked at again when
// inside.
ObjectSlot* ObjectMap::enter_default() {
  for (;;) {
    ObjectSlot* const slot = default_.load();
    if (!slot) return nullptr;
    presence::enter_object(slot);
    if (slot->active() && default_.load() == slot) return slot;
    leave(*slot);
  }
}

}  // namespace corbel::poa
