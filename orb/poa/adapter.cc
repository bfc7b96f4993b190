#include "orb/poa/adapter.h"

#include <cstring>
#include <mutex>

#include <corbel/cdr/bytes.h>

namespace corbel::poa {
namespace {

void append(std::string& key, const auto& value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); }

// System ids of transient objects: slot and generation. Those that were never active have no slot.
std::string system_id(std::uint32_t slot, std::uint32_t generation) {
  std::string id;
  append(id, slot);
  append(id, generation);
  return id;
}

}  // namespace

Adapter::Adapter(AdapterTable& table, Adapter* parent, std::string name, Policies policies, base::Ref<Manager> manager)
    : table_(table), parent_(base::Ref<Adapter>::share(parent)), name_(std::move(name)), policies_(policies), manager_(std::move(manager)) {}

Adapter::~Adapter() = default;

// ---- the tree

Outcome Adapter::create_child(const std::string& name, Policies policies, base::Ref<Manager> manager, base::Ref<Adapter>& child) {
  auto fresh = base::make_ref<Adapter>(table_, this, name, policies, std::move(manager));
  std::lock_guard lock(mutex_);
  if (destroyed()) return Outcome::Destroyed;
  if (children_.contains(name)) return Outcome::AdapterAlreadyExists;
  if (!table_.add(*fresh)) return Outcome::TableFull;
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

void Adapter::destroy(bool wait) {
  for (const auto& child : children()) child->destroy(wait);
  if (destroyed_.exchange(true)) return;
  const auto self = base::Ref<Adapter>::share(this);
  if (parent_) {
    std::lock_guard lock(parent_->mutex_);
    parent_->children_.erase(name_);
  }
  table_.remove(*this, wait);
  std::vector<std::string> ids;
  core::Servant* servant;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [id, object] : by_id_) ids.push_back(id);
    servant = std::exchange(default_servant_, nullptr);
  }
  for (const std::string& id : ids) deactivate(id);
  if (servant) servant->functions().remove_ref(*servant);
}

// ---- active objects

Outcome Adapter::activate_locked(core::Servant& servant, const std::string& id, ObjectSlot* object) {
  object->payload.servant = &servant;
  object->payload.id = id;
  by_id_.emplace(id, object);
  by_servant_.emplace(&servant, object);
  object->activate();
  return Outcome::Ok;
}

Outcome Adapter::activate(core::Servant& servant, std::string& id) {
  if (policies_.user_id || !policies_.retain) return Outcome::WrongPolicy;
  servant.functions().add_ref(servant);
  Outcome outcome = Outcome::Ok;
  {
    std::lock_guard lock(mutex_);
    ObjectSlot* object = nullptr;
    if (destroyed())
      outcome = Outcome::Destroyed;
    else if (!policies_.multiple_id && by_servant_.contains(&servant))
      outcome = Outcome::ServantAlreadyActive;
    else if (!(object = objects_.allocate()))
      outcome = Outcome::TableFull;
    if (outcome == Outcome::Ok) {
      id = system_id(object->index, object->generation());
      if (policies_.persistent) {  // a slot is used again after a restart: its id needs more
        append(id, table_.orb().incarnation());
      }
      return activate_locked(servant, id, object);
    }
  }
  servant.functions().remove_ref(servant);
  return outcome;
}

Outcome Adapter::activate_with_id(core::Servant& servant, const std::string& id) {
  if (!policies_.retain) return Outcome::WrongPolicy;
  if (!policies_.user_id && id.size() != (policies_.persistent ? 16 : 8)) return Outcome::BadId;
  servant.functions().add_ref(servant);
  Outcome outcome = Outcome::Ok;
  {
    std::lock_guard lock(mutex_);
    ObjectSlot* object = nullptr;
    if (destroyed())
      outcome = Outcome::Destroyed;
    else if (by_id_.contains(id))
      outcome = Outcome::ObjectAlreadyActive;
    else if (!policies_.multiple_id && by_servant_.contains(&servant))
      outcome = Outcome::ServantAlreadyActive;
    else if (!(object = objects_.allocate()))
      outcome = Outcome::TableFull;
    else
      return activate_locked(servant, id, object);
  }
  servant.functions().remove_ref(servant);
  return outcome;
}

Outcome Adapter::deactivate(const std::string& id) {
  if (!policies_.retain) return Outcome::WrongPolicy;
  ObjectSlot* object;
  {
    std::lock_guard lock(mutex_);
    const auto i = by_id_.find(id);
    if (i == by_id_.end()) return Outcome::ObjectNotActive;
    object = i->second;
    by_id_.erase(i);
    const auto [first, last] = by_servant_.equal_range(object->payload.servant);
    for (auto j = first; j != last; ++j) {
      if (j->second != object) continue;
      by_servant_.erase(j);
      break;
    }
    object->enter();
    object->retire();
  }
  leave(object);
  return Outcome::Ok;
}

// The last one out of a deactivated object releases its servant, with no lock held.
void Adapter::leave(ObjectSlot* object) {
  if (!object->leave()) [[likely]] return;
  core::Servant* const servant = std::exchange(object->payload.servant, nullptr);
  {
    std::lock_guard lock(mutex_);
    object->payload.id.clear();
    objects_.free(object);
  }
  servant->functions().remove_ref(*servant);
}

// The active object with this id, entered; null if there is none.
ObjectSlot* Adapter::enter(std::uint32_t hint, const char* id, std::size_t id_size) {
  ObjectSlot* object = objects_.find(hint);
  if (object) [[likely]] {
    if (object->enter() && object->payload.id.size() == id_size && std::memcmp(object->payload.id.data(), id, id_size) == 0) [[likely]]
      return object;
    leave(object);
  }
  std::lock_guard lock(mutex_);
  const auto i = by_id_.find(std::string(id, id_size));
  if (i == by_id_.end()) return nullptr;
  i->second->enter();  // it is active: deactivation takes it out of the map first, under this lock
  return i->second;
}

void Adapter::dispatch(core::ServerRequest& request, std::uint32_t hint, const char* id, std::size_t id_size) {
  if (!manager_->admit(request)) return;
  ObjectSlot* const object = policies_.retain ? enter(hint, id, id_size) : nullptr;
  core::Servant* const servant = object ? object->payload.servant : default_servant();
  if (!servant) {
    const bool adapter_fault = policies_.default_servant;
    request.system_exception({adapter_fault ? SystemErrorId::OBJ_ADAPTER : SystemErrorId::OBJECT_NOT_EXIST, Completion::No,
                              0x4f4d0000u | (adapter_fault ? 3u : 2u), nullptr});
    return;
  }
  manager_->enter();
  UpcallTarget target{this, servant, id, id_size};
  request.adapter_data = &target;
  servant->functions().dispatch(*servant, request);
  request.adapter_data = nullptr;
  manager_->leave();
  if (object)
    leave(object);
  else
    servant->functions().remove_ref(*servant);
}

bool Adapter::serves(std::uint32_t hint, const char* id, std::size_t id_size) {
  if (policies_.retain) {
    if (ObjectSlot* const object = enter(hint, id, id_size)) {
      leave(object);
      return true;
    }
  }
  std::lock_guard lock(mutex_);
  return default_servant_ != nullptr;
}

void Adapter::set_default_servant(core::Servant* servant) {
  if (servant) servant->functions().add_ref(*servant);
  core::Servant* old;
  {
    std::lock_guard lock(mutex_);
    old = std::exchange(default_servant_, servant);
  }
  if (old) old->functions().remove_ref(*old);
}

core::Servant* Adapter::default_servant() {
  if (!policies_.default_servant) return nullptr;
  std::lock_guard lock(mutex_);
  if (default_servant_) default_servant_->functions().add_ref(*default_servant_);
  return default_servant_;
}

// ---- ids and keys

Outcome Adapter::servant_to_id(core::Servant& servant, std::string& id) {
  for (const core::ServerRequest* r = core::ServerRequest::current(); r; r = r->outer) {
    const auto* const target = static_cast<const UpcallTarget*>(r->adapter_data);
    if (!target) continue;
    if (target->adapter == this && target->servant == &servant) {
      id.assign(target->id, target->id_size);
      return Outcome::Ok;
    }
    break;
  }
  if (!policies_.retain) return Outcome::WrongPolicy;
  {
    std::lock_guard lock(mutex_);
    if (!policies_.multiple_id) {
      const auto i = by_servant_.find(&servant);
      if (i != by_servant_.end()) {
        id = i->second->payload.id;
        return Outcome::Ok;
      }
    }
  }
  return policies_.implicit_activation ? activate(servant, id) : Outcome::ServantNotActive;
}

Outcome Adapter::id_to_servant(const std::string& id, core::Servant*& servant) {
  {
    std::lock_guard lock(mutex_);
    if (const auto i = by_id_.find(id); i != by_id_.end()) {
      servant = i->second->payload.servant;
      servant->functions().add_ref(*servant);
      return Outcome::Ok;
    }
  }
  servant = default_servant();
  if (servant) return Outcome::Ok;
  return policies_.retain || policies_.default_servant ? Outcome::ObjectNotActive : Outcome::WrongPolicy;
}

Outcome Adapter::new_id(std::string& id) {
  if (policies_.user_id) return Outcome::WrongPolicy;
  std::lock_guard lock(mutex_);
  id = system_id(kNoHint, static_cast<std::uint32_t>(++next_id_));
  if (policies_.persistent) append(id, table_.orb().incarnation() ^ (next_id_ >> 32));
  return Outcome::Ok;
}

std::string Adapter::make_key(const std::string& id) {
  if (this == &table_.named()) return id;
  std::string key;
  if (policies_.persistent) return key.append(path).append(id);
  key += kTransientKey;
  append(key, table_.orb().incarnation());
  append(key, slot->index);
  append(key, slot->generation());
  std::uint32_t hint = kNoHint;
  {
    std::lock_guard lock(mutex_);
    if (const auto i = by_id_.find(id); i != by_id_.end()) hint = i->second->index;
  }
  append(key, hint);
  return key.append(id);
}

Outcome Adapter::key_to_id(std::string_view key, std::string& id) {
  AdapterTable::Target target;
  table_.enter(key.data(), key.size(), target);
  const bool mine = target.adapter == this;
  if (mine) id.assign(target.id, target.id_size);
  table_.leave(target);
  return mine ? Outcome::Ok : Outcome::WrongAdapter;
}

bool Adapter::active(const std::string& id) {
  std::lock_guard lock(mutex_);
  return by_id_.contains(id);
}

}  // namespace corbel::poa
