// The active object map of one adapter (CORBA 3.4 part 1, "Active Object Map"), and its default servant.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include <corbel/cdr/bytes.h>
#include <corbel/core/upcall.h>

#include "orb/base/futex.h"
#include "orb/base/mutex.h"
#include "orb/poa/object_lookup.h"
#include "orb/poa/object_slot.h"
#include "orb/poa/outcome.h"
#include "orb/poa/policies.h"
#include "orb/poa/slot_index.h"

namespace corbel::poa {

// What becomes of the objects of an adapter with a servant manager.
class EndedObjects {
 public:
  // Nothing runs in the object any more, which is no longer active: somebody must call
  // ObjectMap::begin_etherealization() and end_etherealization(). Called with no lock held, by whoever left
  // last.
  virtual void ended(ObjectSlot& object) = 0;

 protected:
  ~EndedObjects() = default;
};

// Thread-safe. Counts a servant while it is here; never calls one with its lock held. Objects are entered in
// the last frame of the calling thread (presence.h), which is in no other object. With EndedObjects an id is
// busy while its servant is being made or etherealized: it can be neither activated nor made meanwhile.
class ObjectMap final : private SlotOwner {
 public:
  ObjectMap(const Policies& policies, std::uint64_t incarnation, EndedObjects* ended = nullptr);
  ~ObjectMap() { close(false); }

  // Makes an id. BadId, TableFull and the like leave `id` alone.
  Outcome activate(core::Servant& servant, std::string& id);
  // Busy: the id may be free when changed() has been notified.
  Outcome activate_with_id(core::Servant& servant, const std::string& id);
  // Returns at once; the servant is released when its last request has left.
  Outcome deactivate(std::string_view id);
  // Deactivates all, and each that is still being made as soon as it is there; their servants are
  // etherealized because the manager ends.
  void deactivate_all();
  // Nothing is activated any more.
  void seal();
  // The same, and ends all that is here, and the default servant; nothing gets in afterwards. Without
  // `etherealize` servants are only released.
  void close(bool etherealize);

  // ---- with EndedObjects
  enum class Claim {
    Entered,  // it is active: `object` is entered
    Yours,    // the caller makes the servant and then calls supply() or, where nothing has come of it,
              // give_up()
    Busy,     // as activate_with_id()
    Sealed,
  };
  Claim claim(std::string_view id, ObjectSlot*& object);
  // Takes over a count of the servant and enters its object; else leaves it alone, and the id is still to be
  // given up. Inside the adapter, so that close() comes later.
  Outcome supply(std::string_view id, core::Servant& servant, ObjectSlot*& object);
  void give_up(std::string_view id);
  // Whether the calling thread itself keeps the id busy, so that waiting would be for ever.
  bool busy_here(std::string_view id);
  // To be notified by whoever has called one of the functions that free an id.
  base::Condition& changed() { return changed_; }
  bool any_busy();
  struct Ending {
    bool etherealize;  // or only release
    bool cleanup;      // the manager or the adapter ends
    bool remaining;    // the servant has other ids here
  };
  Ending begin_etherealization(ObjectSlot& object);
  // The servant's count has been dropped.
  void end_etherealization(ObjectSlot& object);

  // An id for an object that is to be activated later; only for system ids.
  std::string reserve_id();
  // False for one that a SYSTEM_ID adapter cannot have made.
  bool plausible(std::string_view id);
  // What a key says about where the id is; the same at any time.
  std::uint32_t hint(std::string_view id) const;

  // The active object with this id, entered, or null. No lock where the id is its slot's or the hint is
  // right, and the strategy needs none.
  ObjectSlot* enter(std::uint32_t hint, std::string_view id) {
    if (is_own(id)) [[likely]] {
      const auto slot = cdr::load<std::uint32_t>(id.data(), false);
      if (ObjectSlot* const object = slots_.find(slot)) [[likely]] {
        presence::enter_object(object);
        if (object->is(slot, cdr::load<std::uint32_t>(id.data() + 4, false))) [[likely]]
          return object;
        leave(*object);
      }
    }
    return names_.load(std::memory_order_acquire) == 0 ? nullptr : enter_by_name(hint, id);
  }
  using SlotOwner::leave;
  // The same when that has been noted.
  void left(ObjectSlot& object) {
    if (object.was_last()) finish(object);
  }
  // Leaves an object that has been entered, whatever is thrown meanwhile; where there is no memory to end it,
  // this throws, too.
  class Inside {
   public:
    Inside(ObjectMap& objects, ObjectSlot& object) : objects_(objects), object_(object) {}
    [[gnu::always_inline]] ~Inside() noexcept(false) { objects_.leave(object_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    ObjectMap& objects_;
    ObjectSlot& object_;
  };
  // Of an object that is entered.
  std::string id_of(const ObjectSlot& object) const;

  // The id under which the servant is active, where ids are unique.
  bool find_id(core::Servant& servant, std::string& id);

  Outcome set_default_servant(core::Servant* servant);
  // Entered, or null.
  ObjectSlot* enter_default();

 private:
  // Of the form that the slots of this start give; not necessarily one of them.
  bool is_own(std::string_view id) const {
    return id.size() == own_size_ &&
           (!persistent_ || cdr::load<std::uint64_t>(id.data() + 8, false) == incarnation_);
  }
  // An id that is not active, from its retirement or claim until it is free. `thread` is in the application's
  // code meanwhile, 0 for none.
  struct Busy {
    std::uint32_t thread = 0;
    bool etherealize = true;
    bool cleanup = false;
  };
  ObjectSlot* enter_by_name(std::uint32_t hint, std::string_view id);
  std::string system_id(std::uint32_t slot, std::uint32_t number) const;
  Outcome add(core::Servant& servant, std::string* made, std::string_view wanted);
  Outcome add_locked(core::Servant& servant, std::string* made, std::string_view wanted, ObjectSlot*& object);
  void discard_locked(ObjectSlot& object, bool marked, core::Servant& servant);
  ObjectSlot* allocate_locked(bool own_id);
  ObjectSlot* find_locked(std::string_view id) const;
  ObjectSlot* find_locked(const core::Servant& servant) const;
  void remove_locked(ObjectSlot& object);
  void free_locked(ObjectSlot& object);
  bool retire_some(std::uint32_t& from, bool etherealize);
  void deactivate_all(bool etherealize);
  void finish(ObjectSlot& object) override;

  const bool persistent_;
  const bool unique_;
  const bool own_ids_;          // objects with system ids have their slots'
  const std::size_t own_size_;  // of such ids; that of none where there are none
  const std::uint64_t incarnation_;
  EndedObjects* const ended_;
  base::Condition changed_;
  std::atomic<std::uint32_t> names_{0};  // of active objects that are marked
  std::atomic<ObjectSlot*> default_{nullptr};
  SlotTable slots_;

  base::Mutex mutex_;  // guards what follows, and changes of the tables
  bool sealed_ = false;
  bool ends_all_ = false;  // deactivate_all() has been called for the manager
  std::uint64_t reserved_ = 0;
  const std::unique_ptr<ObjectLookup> by_name_;
  SlotIndex by_servant_;  // where ids are unique
  // With EndedObjects only.
  std::map<std::string, Busy, std::less<>> busy_;
  std::unordered_map<core::Servant*, std::uint32_t> activations_;
};

}  // namespace corbel::poa
