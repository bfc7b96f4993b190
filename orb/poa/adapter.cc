#include "orb/poa/adapter.h"

#include <mutex>
#include <utility>

#include "orb/core/orb.h"
#include "orb/ior/assigned.h"
#include "orb/poa/adapter_table.h"
#include "orb/poa/key.h"

namespace corbel::poa {

const UpcallTarget* current_target() {
  const core::ServerRequest* const request = core::ServerRequest::current();
  return request ? static_cast<const UpcallTarget*>(request->adapter_data) : nullptr;
}

Adapter::Adapter(AdapterTable& table, Adapter* parent, std::string name, Policies policies,
                 base::Ref<Manager> manager)
    : table_(table),
      parent_(base::Ref<Adapter>::share(parent)),
      name_(std::move(name)),
      policies_(policies),
      manager_(std::move(manager)),
      objects_(policies, table.orb().incarnation()) {}

Adapter::~Adapter() = default;

std::string Adapter::id() const {
  return TransientKey{table_.orb().incarnation(), slot_->index, generation_, kNoSlot, {}}.text();
}

// ---- the tree

Outcome Adapter::create_child(const std::string& name, Policies policies, base::Ref<Manager> manager,
                              base::Ref<Adapter>& child) {
  if (!manager) manager = base::make_ref<Manager>(table_);
  auto fresh = base::make_ref<Adapter>(table_, this, name, policies, std::move(manager));
  std::lock_guard lock(mutex_);
  if (destroyed()) return Outcome::Destroyed;
  if (children_.contains(name)) return Outcome::AdapterAlreadyExists;
  if (const Outcome outcome = table_.add(*fresh); outcome != Outcome::Ok) return outcome;
  children_[name] = fresh;
  child = std::move(fresh);
  return Outcome::Ok;
}

base::Ref<Adapter> Adapter::find_child(const std::string& name) {
  std::lock_guard lock(mutex_);
  const auto i = children_.find(name);
  return i == children_.end() ? nullptr : i->second;
}

std::vector<base::Ref<Adapter>> Adapter::children() {
  std::lock_guard lock(mutex_);
  std::vector<base::Ref<Adapter>> all;
  for (const auto& [name, child] : children_) all.push_back(child);
  return all;
}

Outcome Adapter::destroy(bool wait) {
  if (wait && table_.orb().in_upcall()) return Outcome::WouldWaitForItself;
  end(wait);
  return Outcome::Ok;
}

// Every step may be done twice: who comes second still waits, if asked to.
void Adapter::end(bool wait) {
  const auto self = base::Ref<Adapter>::share(this);
  std::vector<base::Ref<Adapter>> below;
  {
    std::lock_guard lock(mutex_);
    destroyed_.store(true);  // no child can be made from here on
    for (const auto& [name, child] : children_) below.push_back(child);
  }
  for (const auto& child : below) child->end(wait);
  table_.retire(*this);
  manager_->wake();
  objects_.close();
  if (wait) table_.wait_until_left(*this);
  if (!parent_) return;
  base::Ref<Adapter> removed;
  std::lock_guard lock(parent_->mutex_);
  const auto i = parent_->children_.find(name_);
  if (i == parent_->children_.end() || !(i->second == self)) return;
  removed = std::move(i->second);
  parent_->children_.erase(i);
}

// ---- objects

Outcome Adapter::activate(core::Servant& servant, std::string& id) {
  if (policies_.user_id || !policies_.retain) return Outcome::WrongPolicy;
  return objects_.activate(servant, id);
}

Outcome Adapter::activate_with_id(core::Servant& servant, const std::string& id) {
  if (!policies_.retain) return Outcome::WrongPolicy;
  if (const Outcome outcome = check_id(id); outcome != Outcome::Ok) return outcome;
  return objects_.activate_with_id(servant, id);
}

Outcome Adapter::deactivate(const std::string& id) {
  return policies_.retain ? objects_.deactivate(id) : Outcome::WrongPolicy;
}

// ---- requests

ObjectSlot* Adapter::enter(std::uint32_t hint, std::string_view id) {
  if (policies_.retain) [[likely]]
    if (ObjectSlot* const object = objects_.enter(hint, id)) [[likely]]
      return object;
  return policies_.default_servant ? objects_.enter_default() : nullptr;
}

void Adapter::dispatch(core::ServerRequest& request, std::uint32_t hint, std::string_view id) {
  ObjectSlot* const object = enter(hint, id);
  if (!object) [[unlikely]] {
    if (policies_.default_servant)
      request.system_exception({SystemErrorId::OBJ_ADAPTER, Completion::No, assigned::kOmgMinor | 3,
                                "the adapter has no default servant"});
    else table_.no_object(request);
    return;
  }
  core::Servant& servant = *object->payload.servant;
  UpcallTarget target{this, &servant, id};
  request.adapter_data = &target;
  servant.functions().dispatch(servant, request);
  request.adapter_data = nullptr;
  objects_.leave(*object);
}

bool Adapter::serves(std::uint32_t hint, std::string_view id) {
  ObjectSlot* const object = enter(hint, id);
  if (!object) return false;
  objects_.leave(*object);
  return true;
}

// ---- conversions

Outcome Adapter::servant_to_id(core::Servant& servant, std::string& id) {
  const UpcallTarget* const target = current_target();
  if (target && target->adapter == this && target->servant == &servant) {
    id = target->id;
    return Outcome::Ok;
  }
  const bool found = policies_.retain && !policies_.multiple_id;
  if (!found && !policies_.implicit_activation && !policies_.default_servant) return Outcome::WrongPolicy;
  if (found && objects_.find_id(servant, id)) return Outcome::Ok;
  if (!policies_.implicit_activation) return Outcome::ServantNotActive;
  const Outcome outcome = activate(servant, id);
  // Another thread was faster.
  if (outcome == Outcome::ServantAlreadyActive && objects_.find_id(servant, id)) return Outcome::Ok;
  return outcome;
}

// Gives away what entering the object has borrowed.
Outcome Adapter::share_servant(ObjectSlot* object, core::Servant*& servant, Outcome none) {
  if (!object) return none;
  servant = object->payload.servant;
  servant->functions().add_ref(*servant);
  objects_.leave(*object);
  return Outcome::Ok;
}

Outcome Adapter::id_to_servant(const std::string& id, core::Servant*& servant) {
  return share_servant(enter(objects_.hint(id), id), servant, Outcome::ObjectNotActive);
}

Outcome Adapter::active_servant(const std::string& id, core::Servant*& servant) {
  if (!policies_.retain) return Outcome::WrongPolicy;
  return share_servant(objects_.enter(objects_.hint(id), id), servant, Outcome::ObjectNotActive);
}

Outcome Adapter::new_id(std::string& id) {
  if (policies_.user_id) return Outcome::WrongPolicy;
  id = objects_.reserve_id();
  return Outcome::Ok;
}

Outcome Adapter::check_id(const std::string& id) {
  return policies_.user_id || objects_.plausible(id) ? Outcome::Ok : Outcome::BadId;
}

Outcome Adapter::make_key(const std::string& id, std::string& key) const {
  if (destroyed()) return Outcome::Destroyed;
  if (table_.is_named(*this)) key = id;
  else if (policies_.persistent) key = PersistentKey{hint_of(path_), path_, objects_.hint(id), id}.text();
  else
    key = TransientKey{table_.orb().incarnation(), slot_->index, generation_, objects_.hint(id), id}.text();
  return Outcome::Ok;
}

Outcome Adapter::key_to_id(std::string_view key, std::string& id) {
  AdapterTable::Target target;
  table_.enter(key, target);
  const bool mine = target.adapter == this;
  if (mine) id = target.id;
  table_.leave(target);
  return mine ? Outcome::Ok : Outcome::WrongAdapter;
}

Outcome Adapter::set_default_servant(core::Servant* servant) {
  return policies_.default_servant ? objects_.set_default_servant(servant) : Outcome::WrongPolicy;
}

Outcome Adapter::default_servant(core::Servant*& servant) {
  if (!policies_.default_servant) return Outcome::WrongPolicy;
  return share_servant(objects_.enter_default(), servant, Outcome::NoServant);
}

}  // namespace corbel::poa
