#include "orb/poa/adapter.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "orb/core/orb.h"
#include "orb/ior/assigned.h"
#include "orb/poa/adapter_table.h"
#include "orb/poa/foreign_key.h"
#include "orb/poa/key.h"

namespace corbel::poa {

// A direct call's object stands in its frame, and what is said of it here until the thread asks again.
const UpcallTarget* current_target() {
  if (const core::Frame* const frame = presence::direct_call()) {
    static thread_local std::string id;
    static thread_local UpcallTarget target;
    Adapter& adapter =
        adapter_in(*reinterpret_cast<const AdapterSlot*>(frame->adapter & ~core::Frame::kDirect));
    const auto& object = *static_cast<const ObjectSlot*>(frame->object);
    id = adapter.id_of(object);
    target = {&adapter, &servant_of(object), id};
    return &target;
  }
  const core::ServerRequest* const request = core::ServerRequest::current();
  return request ? static_cast<const UpcallTarget*>(request->adapter_data) : nullptr;
}

Adapter::Adapter(AdapterTable& table, Adapter* parent, std::string name, Policies policies,
                 base::Ref<Manager> manager, std::shared_ptr<const core::AdapterPolicies> own)
    : table_(table),
      parent_(base::Ref<Adapter>::share(parent)),
      name_(std::move(name)),
      policies_(with_default(policies, table.orb().options().demultiplexing)),
      own_policies_(std::move(own)),
      manager_(std::move(manager)),
      ordinary_(policies.retain && policies.thread == Thread::OrbControlled),
      objects_(policies_, table.orb().incarnation(),
               policies_.retain && policies_.servant_manager ? this : nullptr) {
  if (policies_.thread == Thread::MainThread) table.orb().main_thread().need();
}

Adapter::~Adapter() = default;

std::string Adapter::id() const {
  return TransientKey{table_.orb().incarnation(), slot_->index(), generation_, kNoSlot, {}}.text();
}

// ---- the tree

Outcome Adapter::create_child(const std::string& name, Policies policies, base::Ref<Manager> manager,
                              base::Ref<Adapter>& child, std::shared_ptr<const core::AdapterPolicies> own) {
  std::lock_guard lock(mutex_);
  if (destroyed()) return Outcome::Destroyed;
  if (children_.contains(name)) return Outcome::AdapterAlreadyExists;
  const bool own_manager = !manager;
  if (own_manager) manager = table_.make_manager();
  auto fresh = base::make_ref<Adapter>(table_, this, name, policies, manager, std::move(own));
  if (const Outcome outcome = table_.add(*fresh); outcome != Outcome::Ok) {
    if (own_manager) table_.forget_manager(*manager);
    return outcome;
  }
  children_[name] = fresh;
  if (policies.bidirectional) table_.orb().allow_callbacks();
  child = std::move(fresh);
  return Outcome::Ok;
}

Adapter::NewName::NewName(Adapter& parent, const char* name) : parent_(parent), name_(name) {
  std::lock_guard lock(parent.mutex_);
  if (parent.destroyed()) outcome_ = Outcome::Destroyed;
  else if (parent.children_.contains(name_) || !parent.new_names_.insert(name_).second)
    outcome_ = Outcome::AdapterAlreadyExists;
}

Adapter::NewName::~NewName() {
  std::lock_guard lock(parent_.mutex_);
  if (outcome_ == Outcome::Ok) parent_.new_names_.erase(name_);
}

base::Ref<Adapter> Adapter::find_child(const std::string& name) {
  std::lock_guard lock(mutex_);
  const auto i = children_.find(name);
  return i == children_.end() ? nullptr : i->second;
}

base::Ref<AdapterActivator> Adapter::activator() {
  std::lock_guard lock(mutex_);
  return activator_;
}

void Adapter::set_activator_of_children(base::Ref<AdapterActivator> activator) {
  std::lock_guard lock(mutex_);
  std::swap(activator_, activator);  // the former one goes after the lock
}

std::vector<base::Ref<Adapter>> Adapter::children() {
  std::lock_guard lock(mutex_);
  std::vector<base::Ref<Adapter>> all;
  for (const auto& [name, child] : children_) all.push_back(child);
  return all;
}

Outcome Adapter::destroy(bool etherealize, bool wait) {
  if (wait && table_.orb().in_upcall()) return Outcome::WouldWaitForItself;
  end(etherealize, wait);
  return Outcome::Ok;
}

void Adapter::end(bool etherealize, bool wait) {
  const auto self = base::Ref<Adapter>::share(this);
  std::vector<base::Ref<Adapter>> gone;
  begin_end(etherealize, gone);
  if (wait) wait_for_end();
  table_.tell_gone(gone);
}

// May be done twice: who comes second still waits, if asked to.
void Adapter::begin_end(bool etherealize, std::vector<base::Ref<Adapter>>& gone) {
  std::vector<base::Ref<Adapter>> below;
  {
    std::lock_guard lock(mutex_);
    if (!destroyed_.exchange(true)) {  // no child can be made from here on
      etherealize_ = etherealize;
      if (!table_.is_named(*this)) gone.push_back(base::Ref<Adapter>::share(this));
    }
    for (const auto& [name, child] : children_) below.push_back(child);
  }
  leave_parent();
  for (const auto& child : below) child->begin_end(etherealize, gone);
  objects_.seal();
  table_.retire(*this);
  manager_->wake();
  table_.notify(objects_.changed());
}

void Adapter::wait_for_end() {
  std::vector<base::Ref<Adapter>> below;
  {
    std::lock_guard lock(mutex_);
    below = leaving_;
  }
  for (const auto& child : below) child->wait_for_end();
  table_.wait_until_ended(*this);
  wait_until_quiet();
}

// The name is free, although the adapter may still be running requests.
void Adapter::leave_parent() {
  if (!parent_) return;
  std::lock_guard lock(parent_->mutex_);
  const auto i = parent_->children_.find(name_);
  if (i == parent_->children_.end() || i->second.get() != this) return;
  parent_->leaving_.push_back(std::move(i->second));
  parent_->children_.erase(i);
}

void Adapter::left() {
  {
    std::lock_guard lock(mutex_);
    left_ = true;
  }
  end_objects();
}

// Those of the children end first.
void Adapter::end_objects() {
  bool etherealize;
  {
    std::lock_guard lock(mutex_);
    if (!left_ || ending_ || !leaving_.empty()) return;
    ending_ = true;
    etherealize = etherealize_;
  }
  objects_.close(etherealize);
  ended_.store(true);
  table_.notify_ended();
  forget_if_gone();
}

void Adapter::forget_if_gone() {
  if (!has_ended() || objects_.any_busy()) return;
  // What the application gave may hold this adapter. All of it goes after the locks.
  base::Ref<ServantManager> manager;
  base::Ref<AdapterActivator> activator;
  {
    std::lock_guard lock(mutex_);
    std::swap(manager, servant_manager_);
    std::swap(activator, activator_);
  }
  if (!parent_) return;
  base::Ref<Adapter> self;
  {
    std::lock_guard lock(parent_->mutex_);
    auto& leaving = parent_->leaving_;
    const auto i =
        std::find_if(leaving.begin(), leaving.end(), [this](const auto& a) { return a.get() == this; });
    if (i == leaving.end()) return;
    self = std::move(*i);
    leaving.erase(i);
  }
  parent_->end_objects();
}

// ---- objects

Outcome Adapter::activate(core::Servant& servant, std::string& id) {
  if (policies_.user_id || !policies_.retain) return Outcome::WrongPolicy;
  return objects_.activate(servant, id);
}

Outcome Adapter::activate_with_id(core::Servant& servant, const std::string& id) {
  if (!policies_.retain) return Outcome::WrongPolicy;
  if (const Outcome outcome = check_id(id); outcome != Outcome::Ok) return outcome;
  for (;;) {
    const std::uint32_t epoch = objects_.changed().epoch();
    const Outcome outcome = objects_.activate_with_id(servant, id);
    if (outcome != Outcome::Busy) return outcome;
    if (waits_for_itself(id)) return Outcome::WouldWaitForItself;
    table_.wait(objects_.changed(), epoch);
  }
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
  ObjectSlot* const object = ordinary_ ? objects_.enter(hint, id) : nullptr;
  if (!object) [[unlikely]]
    return dispatch_otherwise(request, hint, id);
  run(request, *object, id);
}

void Adapter::dispatch_otherwise(core::ServerRequest& request, std::uint32_t hint, std::string_view id) {
  if (policies_.thread == Thread::MainThread) return dispatch_in_main_thread(request, hint, id);
  const Serial::Turn turn(serial());
  find_and_run(request, hint, id);
}

bool Adapter::in_turn(void (*function)(void*), void* data) {
  if (policies_.thread == Thread::MainThread) return table_.orb().main_thread().call(function, data);
  const Serial::Turn turn(serial());
  function(data);
  return true;
}

// The thread that has brought the request waits inside of the adapter meanwhile; the other one needs but a
// frame for the object.
void Adapter::dispatch_in_main_thread(core::ServerRequest& request, std::uint32_t hint, std::string_view id) {
  const std::uint32_t from = base::thread_id();
  const auto run = [&] {
    const presence::Alone frame;
    core::ServerRequest* const before = core::ServerRequest::current();
    core::ServerRequest::set_current(&request);
    find_and_run(request, hint, id);
    core::ServerRequest::set_current(before);
  };
  const auto go_on = [&] {
    const bool elsewhere = base::thread_id() != from;
    if (!elsewhere || !request.hooks_data) return run();
    const core::ServerHooks* const hooks = request.orb().server_hooks();
    hooks->elsewhere(
        request, [](const void* r) { (*static_cast<const decltype(run)*>(r))(); }, &run);
  };
  if (!in_turn(go_on))
    request.system_exception(
        {SystemErrorId::TRANSIENT, Completion::No, assigned::kOmgMinor | 1, "the ORB has been shut down"});
}

void Adapter::find_and_run(core::ServerRequest& request, std::uint32_t hint, std::string_view id) {
  if (ObjectSlot* const object = enter(hint, id)) return run(request, *object, id);
  if (policies_.servant_manager)
    return policies_.retain ? dispatch_by_activator(request, id) : dispatch_by_locator(request, id);
  if (policies_.default_servant)
    return request.system_exception({SystemErrorId::OBJ_ADAPTER, Completion::No, assigned::kOmgMinor | 3,
                                     "the adapter has no default servant"});
  table_.no_object(request);
}

// A servant manager is not asked: it may have a servant for any id.
bool Adapter::serves(std::uint32_t hint, std::string_view id) {
  if (policies_.servant_manager) return true;
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
  servant = &servant_of(*object);
  servant->functions().add_ref(*servant);
  objects_.leave(*object);
  return Outcome::Ok;
}

Outcome Adapter::id_to_servant(const std::string& id, core::Servant*& servant) {
  if (!policies_.retain && !policies_.default_servant) return Outcome::WrongPolicy;
  const presence::Alone alone;
  return share_servant(enter(objects_.hint(id), id), servant, Outcome::ObjectNotActive);
}

Outcome Adapter::active_servant(const std::string& id, core::Servant*& servant) {
  if (!policies_.retain) return Outcome::WrongPolicy;
  const presence::Alone alone;
  return share_servant(objects_.enter(objects_.hint(id), id), servant, Outcome::ObjectNotActive);
}

Outcome Adapter::new_id(std::string& id) {
  if (policies_.user_id) return Outcome::WrongPolicy;
  id = objects_.reserve_id();
  return Outcome::Ok;
}

Outcome Adapter::check_id(const std::string& id) {
  return policies_.user_id || is_foreign_system_id(policies_.key_format, id) || objects_.plausible(id)
             ? Outcome::Ok
             : Outcome::BadId;
}

Outcome Adapter::make_key(const std::string& id, std::string& key) const {
  if (destroyed()) return Outcome::Destroyed;
  if (!foreign_path_.empty())
    key = make_foreign_key(policies_.key_format, foreign_path_, id, policies_.user_id, policies_.retain);
  else key.clear();
  if (!key.empty()) return Outcome::Ok;
  if (table_.is_named(*this)) key = id;
  else if (policies_.persistent) key = PersistentKey{hint_of(path_), path_, objects_.hint(id), id}.text();
  else
    key = TransientKey{table_.orb().incarnation(), slot_->index(), generation_, objects_.hint(id), id}.text();
  return Outcome::Ok;
}

// Takes what is no part of the id from it.
bool Adapter::reads(KeyFormat format, ForeignKey& key) const {
  if (format != policies_.key_format) return false;
  if (format != KeyFormat::OmniOrb &&
      (key.user_id != policies_.user_id || (!key.user_id && !policies_.retain)))
    return false;
  return take_id_hint(format, policies_.retain, key);
}

// The key itself tells: requests, and so the table, do not know an adapter that its activator is still
// making.
Outcome Adapter::key_to_id(std::string_view key, std::string& id) {
  TransientKey transient;
  PersistentKey persistent;
  ForeignKey foreign;
  bool mine;
  if (table_.is_named(*this)) {
    AdapterTable::Target target;
    table_.enter(key, target);
    mine = target.adapter == this;
    if (mine) id = target.id;
    table_.leave(target);
  } else if (transient.parse(key)) {
    mine = !policies_.persistent && transient.incarnation == table_.orb().incarnation() &&
           transient.adapter == slot_->index() && transient.generation == generation_;
    if (mine) id = transient.id;
  } else if (persistent.parse(key)) {
    mine = policies_.persistent && persistent.path == path_;
    if (mine) id = persistent.id;
  } else {
    mine = !foreign_path_.empty() && parse_foreign_key(policies_.key_format, key, foreign) &&
           foreign.path == foreign_path_ && reads(policies_.key_format, foreign);
    if (mine) id = foreign.id;
  }
  return mine ? Outcome::Ok : Outcome::WrongAdapter;
}

Outcome Adapter::set_default_servant(core::Servant* servant) {
  return policies_.default_servant ? objects_.set_default_servant(servant) : Outcome::WrongPolicy;
}

Outcome Adapter::default_servant(core::Servant*& servant) {
  if (!policies_.default_servant) return Outcome::WrongPolicy;
  const presence::Alone alone;
  return share_servant(objects_.enter_default(), servant, Outcome::NoServant);
}

}  // namespace corbel::poa
