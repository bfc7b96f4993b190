// Object adapters (CORBA 3.4 part 1, chapter "Portable Object Adapter"). No language mapping is known here.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/core/server_request.h"
#include "orb/poa/manager.h"
#include "orb/poa/object_map.h"
#include "orb/poa/outcome.h"
#include "orb/poa/policies.h"

namespace corbel::poa {

class Adapter;
class AdapterTable;
using AdapterSlot = SlotTable<base::Ref<Adapter>>::Entry;

// The target of a running upcall; ServerRequest::adapter_data points to it.
struct UpcallTarget {
  Adapter* adapter;
  core::Servant* servant;
  std::string_view id;
};
// Of the calling thread's innermost upcall; null outside of upcalls.
const UpcallTarget* current_target();

// Thread-safe. Counts a servant while it is active here; never calls one with a lock held.
class Adapter final : public base::RefCounted {
 public:
  Adapter(AdapterTable& table, Adapter* parent, std::string name, Policies policies,
          base::Ref<Manager> manager);
  ~Adapter() override;

  AdapterTable& table() const { return table_; }
  const std::string& name() const { return name_; }
  Adapter* parent() const { return parent_.get(); }
  const Policies& policies() const { return policies_; }
  Manager& manager() const { return *manager_; }
  bool destroyed() const { return destroyed_.load(); }
  // Tells this adapter from every other one of the ORB, past ones included.
  std::string id() const;

  // ---- the tree
  // Without a manager the child gets a new one.
  Outcome create_child(const std::string& name, Policies policies, base::Ref<Manager> manager,
                       base::Ref<Adapter>& child);
  base::Ref<Adapter> find_child(const std::string& name);
  std::vector<base::Ref<Adapter>> children();
  // Its children too. Nothing starts here any more; with `wait` it returns when nothing runs either.
  // WouldWaitForItself in an upcall of the ORB.
  Outcome destroy(bool wait);

  // ---- objects
  // Makes an id; only for SYSTEM_ID.
  Outcome activate(core::Servant& servant, std::string& id);
  Outcome activate_with_id(core::Servant& servant, const std::string& id);
  // Returns at once; the servant is released when its last request has left.
  Outcome deactivate(const std::string& id);

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
  // True with the reply made, if the manager refuses; false if the request is to look again. Not inside the
  // slot.
  bool refused(core::ServerRequest& request) { return !manager_->admit(request, destroyed_); }
  // Without looking for a wait that would never end.
  void end(bool wait);
  const std::string& path() const { return path_; }

 private:
  friend class AdapterTable;
  ObjectSlot* enter(std::uint32_t hint, std::string_view id);
  Outcome share_servant(ObjectSlot* object, core::Servant*& servant, Outcome none);

  AdapterTable& table_;
  const base::Ref<Adapter> parent_;
  const std::string name_;
  const Policies policies_;
  const base::Ref<Manager> manager_;
  // Set by the table before anyone else knows the adapter.
  AdapterSlot* slot_ = nullptr;
  std::uint32_t generation_ = 0;
  std::string path_;  // of a persistent one, in keys
  std::atomic<bool> destroyed_{false};
  ObjectMap objects_;

  base::Mutex mutex_;
  std::map<std::string, base::Ref<Adapter>> children_;
};

}  // namespace corbel::poa
