#include "orb/poa/adapter.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "orb/core/orb.h"
#include "orb/ior/assigned.h"
#include "orb/poa/adapter_table.h"
#include "orb/poa/foreign_key.h"
#include "orb/poa/key.h"

namespace corbel::poa {

// A direct call's object stands in its frame, and what is said of it here until the thread asks again. One
// that has left it may be ending it, which is no upcall of anything.
const UpcallTarget* current_target() {
  if (const core::Frame* const frame = presence::direct_call()) {
    if (!frame->object) return nullptr;
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
      manager_(std::move(manager)),
      ordinary_(policies.retain && policies.thread == Thread::OrbControlled),
      objects_(policies_, table.orb().incarnation(),
               policies_.retain && policies_.servant_manager ? this : nullptr),
      own_policies_(std::move(own)) {
  if (policies_.thread == Thread::MainThread) table.orb().main_thread().need();
}

Adapter::~Adapter() = default;

std::shared_ptr<const core::AdapterPolicies> Adapter::own_policies() {
  std::lock_guard lock(mutex_);
  return own_policies_;
}

std::string Adapter::id() const {
  return TransientKey{table_.orb().incarnation(), slot_->index(), generation_, kNoSlot, {}}.text();
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

namespace {

// A request in the thread that makes the upcalls, which may be in the middle of others.
class InMainThread {
 public:
  explicit InMainThread(core::ServerRequest& request)
      : request_(request), before_(core::ServerRequest::current()) {
    if (before_ != &request) request.below = before_;
    core::ServerRequest::set_current(&request);
  }
  ~InMainThread() {
    core::ServerRequest::set_current(before_);
    request_.below = nullptr;
  }
  InMainThread(const InMainThread&) = delete;
  InMainThread& operator=(const InMainThread&) = delete;

 private:
  core::ServerRequest& request_;
  core::ServerRequest* const before_;
};

}  // namespace

// The thread that has brought the request waits inside of the adapter meanwhile, and answers it.
void Adapter::dispatch_in_main_thread(core::ServerRequest& request, std::uint32_t hint, std::string_view id) {
  const std::uint32_t from = base::thread_id();
  const auto run = [&] {
    const presence::Inside inside(slot_);
    const InMainThread here(request);
    find_and_run(request, hint, id);
  };
  const auto go_on = [&] {
    if (base::thread_id() == from) return run();
    try {
      if (!request.hooks_data) return run();
      const core::ServerHooks* const hooks = request.orb().server_hooks();
      hooks->elsewhere(
          request, [](const void* r) { (*static_cast<const decltype(run)*>(r))(); }, &run);
    } catch (const std::bad_alloc&) {
      request.system_exception(
          {SystemErrorId::NO_MEMORY, Completion::Maybe, 0, "no memory to find or to run the operation with"});
    }
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
  if (gone()) return Outcome::Destroyed;
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
    const AdapterTable::Leaving leaving(table_, target);
    table_.enter(key, target);
    mine = target.adapter == this;
    if (mine) id = target.id;
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
