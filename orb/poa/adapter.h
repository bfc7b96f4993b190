// Object adapters (CORBA 3.4 part 1, chapter "Portable Object Adapter"). No language mapping is known here.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/core/adapter_policies.h"
#include "orb/core/server_request.h"
#include "orb/poa/foreign_key.h"
#include "orb/poa/manager.h"
#include "orb/poa/object_map.h"
#include "orb/poa/outcome.h"
#include "orb/poa/path_table.h"
#include "orb/poa/policies.h"
#include "orb/poa/serial.h"
#include "orb/poa/servant_manager.h"

namespace corbel::poa {

class Adapter;
class AdapterTable;
struct CollocatedTarget;
// Inside of the slot, or with the table's lock while it is active.
inline Adapter& adapter_in(const AdapterSlot& slot);

// The target of a running upcall; ServerRequest::adapter_data points to it.
struct UpcallTarget {
  Adapter* adapter;
  core::Servant* servant;
  std::string_view id;
};
// Says so for as long as it lives.
class TargetOf {
 public:
  TargetOf(core::ServerRequest& request, UpcallTarget& target) : request_(request) {
    request.adapter_data = &target;
  }
  ~TargetOf() { request_.adapter_data = nullptr; }
  TargetOf(const TargetOf&) = delete;
  TargetOf& operator=(const TargetOf&) = delete;

 private:
  core::ServerRequest& request_;
};
// Of the calling thread's innermost upcall; null outside of upcalls.
const UpcallTarget* current_target();

// Thread-safe. Counts a servant while it is active here; never calls one with a lock held.
class Adapter final : public base::RefCounted, private EndedObjects {
 public:
  Adapter(AdapterTable& table, Adapter* parent, std::string name, Policies policies,
          base::Ref<Manager> manager, std::shared_ptr<const core::AdapterPolicies> own = nullptr);
  ~Adapter() override;

  AdapterTable& table() const { return table_; }
  const std::string& name() const { return name_; }
  Adapter* parent() const { return parent_.get(); }
  const Policies& policies() const { return policies_; }
  // Those that concern callers; null if it has none, or is gone and so are its objects.
  std::shared_ptr<const core::AdapterPolicies> own_policies();
  Manager& manager() const { return *manager_; }
  bool destroyed() const { return destroyed_.load(); }
  // The same, and no request runs in it or in what was below: then it is no more, whoever still holds it.
  bool gone() const { return ending_.load(); }
  // Tells this adapter from every other one of the ORB, past ones included.
  std::string id() const;

  // ---- the tree
  // Without a manager the child gets a new one.
  Outcome create_child(const std::string& name, Policies policies, base::Ref<Manager> manager,
                       base::Ref<Adapter>& child, std::shared_ptr<const core::AdapterPolicies> own = nullptr);
  // A name that a child is about to get, and nobody else may give to another meanwhile. Waits, outside of
  // upcalls, for one that is being destroyed.
  class NewName {
   public:
    NewName(Adapter& parent, const char* name);
    ~NewName();
    NewName(const NewName&) = delete;
    NewName& operator=(const NewName&) = delete;
    // Whether the child may be made.
    Outcome outcome() const { return outcome_; }

   private:
    Adapter& parent_;
    const std::string name_;
    Outcome outcome_ = Outcome::Ok;
  };
  base::Ref<Adapter> find_child(const std::string& name);
  // The same, asking the activator for one that is not there if `activate`; waits for one that it is making.
  Outcome find(const std::string& name, bool activate, base::Ref<Adapter>& child);
  base::Ref<AdapterActivator> activator();
  void set_activator_of_children(base::Ref<AdapterActivator> activator);
  std::vector<base::Ref<Adapter>> children();
  // Its children too. Nothing starts here any more. When nothing runs either its name is free, and its
  // objects end, by their servant activator if `etherealize`; with `wait` it returns behind that.
  // WouldWaitForItself in an upcall of the ORB.
  Outcome destroy(bool etherealize, bool wait);

  // ---- objects
  // Makes an id; only for SYSTEM_ID.
  Outcome activate(core::Servant& servant, std::string& id);
  Outcome activate_with_id(core::Servant& servant, const std::string& id);
  // Returns at once; the servant is released when its last request has left.
  Outcome deactivate(const std::string& id);

  // ---- servant managers, of the kind that the policies want; once only
  Outcome set_activator(base::Ref<ServantActivator> activator);
  Outcome set_locator(base::Ref<ServantLocator> locator);
  Outcome servant_manager(base::Ref<ServantManager>& manager);

  // ---- conversions. A servant that is given back has been counted for the caller.
  // Inside an upcall of the servant here the id of the target; else the one it is active under; else, with
  // implicit activation, that of a new object.
  Outcome servant_to_id(core::Servant& servant, std::string& id);
  Outcome id_to_servant(const std::string& id, core::Servant*& servant);
  // As id_to_servant, but only for active objects.
  Outcome active_servant(const std::string& id, core::Servant*& servant);
  Outcome new_id(std::string& id);
  // BadId for one that this adapter cannot have made although it makes its ids.
  Outcome check_id(const std::string& id);
  // The key of references to `id`: the same whether it is active or not.
  Outcome make_key(const std::string& id, std::string& key) const;
  Outcome key_to_id(std::string_view key, std::string& id);

  Outcome set_default_servant(core::Servant* servant);
  Outcome default_servant(core::Servant*& servant);

  // ---- for the table
  // The caller is inside the slot, and the manager was active since.
  void dispatch(core::ServerRequest& request, std::uint32_t hint, std::string_view id);
  bool serves(std::uint32_t hint, std::string_view id);
  // Calls `run` with the servant of an active object, as by a direct call. False: there is none.
  bool call(const CollocatedTarget& target, void (*run)(void* servant, void* call), void* call);
  bool only_looks_up() const { return ordinary_; }
  // Its object, active once, has been left by a direct call.
  void finish_left(ObjectSlot& object);
  std::string id_of(const ObjectSlot& object) const { return objects_.id_of(object); }
  // True with the reply made, if the manager refuses; false if the request is to look again. Not inside the
  // slot.
  bool refused(core::ServerRequest& request) { return !manager_->admit(request, destroyed_); }
  // Without looking for a wait that would never end.
  void end(bool etherealize, bool wait);
  // Nobody is in the slot any more.
  void left();
  bool has_ended() const { return ended_.load(); }
  // Ends all objects by the servant activator, if there is one. Then nothing is left of them behind
  // wait_until_quiet().
  void etherealize_all();
  void wait_until_quiet();
  const std::string& path() const { return path_; }
  // Whether the key, which names this adapter, is of the format that it has.
  bool reads(KeyFormat format, ForeignKey& key) const;
  // Calls the application where and when the policy of threads wants that; false: the ORB is shut down, and
  // it has not been called.
  template <typename Function>
  bool in_turn(Function function) {
    return in_turn([](void* f) { (*static_cast<Function*>(f))(); }, &function);
  }

 private:
  friend class AdapterTable;
  ObjectSlot* enter(std::uint32_t hint, std::string_view id);
  void run(core::ServerRequest& request, core::Servant& servant, std::string_view id);
  void run(core::ServerRequest& request, ObjectSlot& object, std::string_view id);
  // Of the requests that find no active object, or another policy of threads.
  [[gnu::cold]] void dispatch_otherwise(core::ServerRequest& request, std::uint32_t hint,
                                        std::string_view id);
  void dispatch_in_main_thread(core::ServerRequest& request, std::uint32_t hint, std::string_view id);
  void find_and_run(core::ServerRequest& request, std::uint32_t hint, std::string_view id);
  bool in_turn(void (*function)(void* data), void* data);
  // Null if its upcalls may run at the same time, or are the main thread's.
  Serial* serial() { return policies_.thread == Thread::SingleThread ? &serial_ : nullptr; }
  void dispatch_by_activator(core::ServerRequest& request, std::string_view id);
  void incarnate(core::ServerRequest& request, std::string_view id);
  void dispatch_by_locator(core::ServerRequest& request, std::string_view id);
  void ended(ObjectSlot& object) override;
  void etherealize(ObjectSlot& object);
  class Etherealizing;
  void start_etherealizing();
  bool runs(const core::ServerRequest* request, std::string_view id) const;
  bool waits_for_itself(std::string_view id);
  void begin_end(bool etherealize, std::vector<base::Ref<Adapter>>& gone);
  void wait_for_end();
  void leave_parent();
  void end_objects();
  Outcome no_children() const { return gone() ? Outcome::Destroyed : Outcome::BeingDestroyed; }
  void forget_if_gone();
  Outcome set_manager(base::Ref<ServantManager> manager, bool retain);
  base::Ref<ServantManager> servant_manager();
  Outcome share_servant(ObjectSlot* object, core::Servant*& servant, Outcome none);

  AdapterTable& table_;
  const base::Ref<Adapter> parent_;
  const std::string name_;
  const Policies policies_;
  const base::Ref<Manager> manager_;
  // Set by the table before anyone else knows the adapter.
  AdapterSlot* slot_ = nullptr;
  std::uint32_t generation_ = 0;
  std::string path_;          // of a persistent one, in keys
  std::string foreign_path_;  // the same in those of another ORB's format, if it has that
  std::atomic<bool> destroyed_{false};
  std::atomic<bool> ending_{false};  // its objects are, or have; set with the mutex
  std::atomic<bool> ended_{false};
  const bool ordinary_;  // requests look for active objects, in any thread
  ObjectMap objects_;
  Serial serial_;

  base::Mutex mutex_;  // guards what follows
  std::map<std::string, base::Ref<Adapter>> children_;
  std::set<std::string> new_names_;
  std::vector<base::Ref<Adapter>> leaving_;  // children that are gone, until nothing is left of them
  base::Ref<ServantManager> servant_manager_;
  base::Ref<AdapterActivator> activator_;
  std::shared_ptr<const core::AdapterPolicies> own_policies_;
  std::deque<ObjectSlot*> to_etherealize_;
  bool etherealizing_ = false;  // a thread goes through them
  bool etherealize_ = true;     // when it ends
  bool left_ = false;           // nobody is in the slot any more
};

inline Adapter& adapter_in(const AdapterSlot& slot) { return *static_cast<Adapter*>(slot.payload); }

inline void Adapter::run(core::ServerRequest& request, core::Servant& servant, std::string_view id) {
  UpcallTarget target{this, &servant, id};
  const TargetOf here(request, target);
  if (!request.header().reply_early || request.reach_target()) [[likely]]
    servant.functions().dispatch(servant, request);
}

inline void Adapter::run(core::ServerRequest& request, ObjectSlot& object, std::string_view id) {
  const ObjectMap::Inside inside(objects_, object);
  run(request, servant_of(object), id);
}

// In line: it is all between a request's key and its servant.
[[gnu::always_inline]] inline void Adapter::dispatch(core::ServerRequest& request, std::uint32_t hint,
                                                     std::string_view id) {
  ObjectSlot* const object = ordinary_ ? objects_.enter(hint, id) : nullptr;
  if (!object) [[unlikely]]
    return dispatch_otherwise(request, hint, id);
  run(request, *object, id);
}

}  // namespace corbel::poa
