#include "orb/poa/adapter_table.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "orb/core/abstract_server.h"
#include "orb/core/running_requests.h"
#include "orb/core/upcall_lock.h"
#include "orb/ior/assigned.h"
#include "orb/poa/foreign_key.h"
#include "orb/poa/key.h"
#include "orb/transport/shm.h"

namespace corbel::poa {
namespace {

// Whoever serves has shared memory linked.
[[gnu::used]] const transport::TransportKind* const kOfServers = &transport::kShm;

// Those below the root.
std::vector<const std::string*> names_of(const Adapter& adapter) {
  std::vector<const std::string*> names;
  for (const Adapter* a = &adapter; a->parent(); a = a->parent()) names.push_back(&a->name());
  std::reverse(names.begin(), names.end());
  return names;
}

}  // namespace

AdapterTable::AdapterTable(core::Orb& orb, std::shared_ptr<const core::AdapterPolicies> own,
                           TellGone* tell_gone)
    : orb_(orb), tell_gone_(tell_gone) {
  presence::prepare();
  starting_ = base::make_ref<Manager>(*this, "");
  (void)add_to_path(server_path_,
                    orb.options().server_id);  // one that is too long is refused with the adapter
  read_format(orb.options().key_format);
  Policies policies;
  policies.implicit_activation = true;
  root_ = base::make_ref<Adapter>(*this, nullptr, "RootPOA", policies, make_manager_of("RootPOAManager"),
                                  std::move(own));
  (void)add(*root_);  // an empty table has room
  Policies plain;
  plain.persistent = plain.user_id = true;
  named_ = base::make_ref<Adapter>(*this, nullptr, "omniINSPOA", plain, make_manager_of("omniINSPOAManager"));
  (void)add(*named_);
  named_slot_ = named_->slot_;
}

AdapterTable::~AdapterTable() { shutdown(true); }

Adapter& AdapterTable::named() {
  named_used_.store(true, std::memory_order_relaxed);
  return *named_;
}

// ---- the table

Outcome AdapterTable::make_paths(Adapter& adapter) const {
  const auto names = names_of(adapter);
  adapter.path_ = server_path_;
  for (const std::string* name : names)
    if (server_path_.empty() || !add_to_path(adapter.path_, *name)) return Outcome::NameTooLong;
  const KeyFormat format = adapter.policies().key_format;
  const bool foreign = format != KeyFormat::Corbel && adapter.parent();
  return !foreign || foreign_path(format, names, adapter.foreign_path_) ? Outcome::Ok : Outcome::NameUnfit;
}

Outcome AdapterTable::add(Adapter& adapter) {
  if (adapter.policies().persistent)
    if (const Outcome outcome = make_paths(adapter); outcome != Outcome::Ok) return outcome;
  std::lock_guard lock(mutex_);
  AdapterSlot* const slot = adapters_.allocate();
  if (!slot) return Outcome::TableFull;
  adapter.slot_ = slot;
  adapter.generation_ = slot->generation();
  slot->payload = base::Ref<Adapter>::share(&adapter).release();
  if (++adapter.manager().adapters_ == 1)
    managers_.emplace(adapter.manager().id(), base::Ref<Manager>::share(&adapter.manager()));
  auto creation = creation_locked(adapter.parent(), adapter.name());
  if (creation) creation->created = true;
  else creation = creator_locked(adapter.parent());
  if (creation && creation->thread == base::thread_id())
    creation->made.push_back(base::Ref<Adapter>::share(&adapter));
  else publish_locked(adapter);
  return Outcome::Ok;
}

void AdapterTable::publish_locked(Adapter& adapter) {
  AdapterSlot* const slot = adapter.slot_;
  slot->activate();
  if (!adapter.parent() || !adapter.policies().persistent || adapter.destroyed()) return;
  paths_.put(adapter.path_, *slot);
  if (adapter.foreign_path_.empty()) return;
  foreign_paths_.put(adapter.foreign_path_, *slot);
  read_format(adapter.policies().key_format);
}

void AdapterTable::retire(Adapter& adapter) {
  {
    std::lock_guard lock(mutex_);
    if (const auto creation = creator_locked(&adapter)) {
      publish_locked(adapter);
      const bool wanted = adapter.parent() == creation->parent && adapter.name() == creation->name;
      if (wanted && creation->thread == base::thread_id()) creation->created = false;
      std::erase_if(creation->made, [&](const auto& made) { return made.get() == &adapter; });
    }
  }
  AdapterSlot& slot = *adapter.slot_;
  {
    std::lock_guard lock(mutex_);
    if (slot.generation() != adapter.generation_ || !slot.retire()) return;
    paths_.remove(adapter.path_, slot);
    foreign_paths_.remove(adapter.foreign_path_, slot);
  }
  if (slot.settle()) finish(slot);
}

void AdapterTable::finish(AdapterSlot& slot) {
  const auto adapter = base::Ref<Adapter>::adopt(&adapter_in(slot));
  base::Ref<Manager> unused;  // goes after the lock
  {
    std::lock_guard lock(mutex_);
    adapters_.free(&slot);
    if (--adapter->manager().adapters_ == 0) unused = take_manager_locked(adapter->manager());
  }
  adapter->left();
}

void AdapterTable::wait_until_ended(Adapter& adapter) {
  for (;;) {
    const std::uint32_t epoch = ended_.epoch();
    if (adapter.has_ended()) return;
    wait_for_end(ended_, epoch);
  }
}

// Requests may still run in one that is being destroyed. Whoever finishes it needs the lock before it goes.
std::vector<base::Ref<Adapter>> AdapterTable::adapters_of(const Manager& manager) {
  std::vector<base::Ref<Adapter>> adapters;
  std::lock_guard lock(mutex_);
  for (std::uint32_t from = 0; AdapterSlot* const slot = adapters_.next_not_finished(from);)
    if (&adapter_in(*slot).manager() == &manager)
      adapters.push_back(base::Ref<Adapter>::share(&adapter_in(*slot)));
  return adapters;
}

// Rare: looked at every millisecond, so that no request pays for waking this up. Whoever enters now sees the
// new state and leaves, so an adapter that was empty once has done with the old one.
void AdapterTable::wait_until_idle(const Manager& manager, Manager::State state) {
  base::Condition never;
  presence::order_all();
  for (const auto& adapter : adapters_of(manager)) {
    const AdapterSlot& slot = *adapter->slot_;
    while (slot.inside() && slot.generation() == adapter->generation_ && manager.state() == state)
      if (!orb_.main_thread().serve(who_waits_for_end())) never.wait(never.epoch(), base::now() + 1'000'000);
  }
}

void AdapterTable::etherealize_all(const Manager& manager, bool wait) {
  auto adapters = adapters_of(manager);
  std::erase_if(adapters, [](const auto& adapter) { return adapter->destroyed(); });  // as destroy() was told
  for (const auto& adapter : adapters) adapter->etherealize_all();
  if (!wait) return;
  for (const auto& adapter : adapters) adapter->wait_until_quiet();
}

// ---- waiting

// Each held request keeps a thread: half of the threads are left for those that may end the holding, and one
// whatever else they wait for.
bool AdapterTable::begin_hold() {
  core::AbstractServer* const server = orb_.server();
  if (held_.fetch_add(1) < std::max<std::uint32_t>(1, orb_.options().max_threads / 2) &&
      (!server || server->begin_dependent()))
    return true;
  held_.fetch_sub(1);
  return false;
}

void AdapterTable::end_hold() {
  if (core::AbstractServer* const server = orb_.server()) server->end_dependent();
  held_.fetch_sub(1);
}

// A thread of the reactive model serves other requests meanwhile, for one of them may be what ends the wait.
bool AdapterTable::hold(core::ServerRequest& request, base::Condition& condition, std::uint32_t epoch) {
  const auto refuse = [&](std::uint32_t minor, const char* detail) {
    request.system_exception({SystemErrorId::TRANSIENT, Completion::No, minor, detail});
    return false;
  };
  if (!begin_hold())
    return refuse(assigned::kOmgMinor | 1, "the object cannot be called yet, and no more requests can wait");
  core::RunningRequests* const running = request.running();
  if (running) running->set_waiting(request, &condition);
  const bool shut_down = orb_.is_shut_down();
  if (!shut_down && !request.cancelled()) {
    const core::LetGo let_go;
    core::AbstractServer* const server = orb_.server();
    orb_.begin_wait();
    if (server && server->reactive()) server->run_while(condition.word(), epoch, base::kNoDeadline);
    else orb_.main_thread().wait(condition, epoch, core::MainThread::As::Main);
    orb_.end_wait();
  }
  if (running) running->set_waiting(request, nullptr);
  end_hold();
  if (request.cancelled()) return refuse(assigned::kOmgMinor | 1, "the request has been cancelled");
  return shut_down ? refuse(assigned::kOmgMinor | 1, "the ORB has been shut down") : true;
}

// A reactive server's thread that waits reads what others send, too: these may ask again.
void AdapterTable::would_wait_for_itself(core::ServerRequest& request) const {
  if (request.running())
    request.system_exception({SystemErrorId::TRANSIENT, Completion::No, assigned::kOmgMinor | 1,
                              "what is called is being made or etherealized by the server's only thread"});
  else
    request.system_exception({SystemErrorId::BAD_INV_ORDER, Completion::No, assigned::kOmgMinor | 3,
                              "what is called is being made or etherealized by the thread that calls it"});
}

void AdapterTable::wait(base::Condition& condition, std::uint32_t epoch) {
  const core::LetGo let_go;
  orb_.begin_wait();
  orb_.main_thread().wait(condition, epoch, core::MainThread::As::Main);
  orb_.end_wait();
}

// At the ORB's end the main thread may have left run(), and need not be the one that waits.
core::MainThread::As AdapterTable::who_waits_for_end() const {
  return ending_.load() ? core::MainThread::As::Ending : core::MainThread::As::Main;
}

void AdapterTable::wait_for_end(base::Condition& condition, std::uint32_t epoch) {
  orb_.main_thread().wait(condition, epoch, who_waits_for_end());
}

void AdapterTable::notify(base::Condition& condition) {
  condition.notify_all();
  if (held_.load() == 0) return;  // the ORB may be at its end, without a server
  core::AbstractServer* const server = orb_.server();
  if (server && server->reactive()) server->wake_all();
}

// ---- start-up

void AdapterTable::started() {
  if (starting_->state() == Manager::State::Holding) (void)starting_->change(Manager::State::Active, false);
}

// ---- managers

Outcome AdapterTable::make_manager(const std::string& id, base::Ref<Manager>& manager) {
  std::lock_guard lock(mutex_);
  auto& place = managers_[id];
  if (place) return Outcome::ManagerExists;
  manager = place = base::make_ref<Manager>(*this, id);
  return Outcome::Ok;
}

base::Ref<Manager> AdapterTable::make_manager_of(const std::string& id) {
  base::Ref<Manager> manager;
  (void)make_manager(id, manager);
  return manager;
}

// With an id that nobody has chosen.
base::Ref<Manager> AdapterTable::make_manager() {
  for (;;) {
    std::uint64_t number;
    {
      std::lock_guard lock(mutex_);
      number = ++made_managers_;
    }
    if (auto manager = make_manager_of("POAManager" + std::to_string(number))) return manager;
  }
}

void AdapterTable::forget_manager(const Manager& manager) {
  base::Ref<Manager> unused;  // goes after the lock
  std::lock_guard lock(mutex_);
  unused = take_manager_locked(manager);
}

base::Ref<Manager> AdapterTable::take_manager_locked(const Manager& manager) {
  const auto i = managers_.find(manager.id());
  if (i == managers_.end() || i->second.get() != &manager) return nullptr;
  auto taken = std::move(i->second);
  managers_.erase(i);
  return taken;
}

base::Ref<Manager> AdapterTable::find_manager(const std::string& id) {
  std::lock_guard lock(mutex_);
  const auto i = managers_.find(id);
  return i == managers_.end() ? nullptr : i->second;
}

std::vector<base::Ref<Manager>> AdapterTable::managers() {
  std::lock_guard lock(mutex_);
  std::vector<base::Ref<Manager>> all;
  for (const auto& [id, manager] : managers_) all.push_back(manager);
  return all;
}

// ---- plain keys that stand for references

void AdapterTable::set_plain_reference(const std::string& key, base::Ref<core::Reference> target) {
  std::lock_guard lock(mutex_);
  auto& place = plain_references_[key];
  std::swap(place, target);  // the former one goes after the lock
  if (!place) plain_references_.erase(key);
  has_plain_references_.store(!plain_references_.empty(), std::memory_order_release);
}

}  // namespace corbel::poa
