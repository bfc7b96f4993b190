#include "orb/poa/adapter_table.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "orb/ior/assigned.h"
#include "orb/poa/key.h"

namespace corbel::poa {
namespace {

// The path of a persistent adapter; false if it is too long.
bool path_of(const Adapter& adapter, const std::string& server_id, std::string& path) {
  std::vector<const std::string*> names;
  for (const Adapter* a = &adapter; a->parent(); a = a->parent()) names.push_back(&a->name());
  names.push_back(&server_id);
  return std::all_of(names.rbegin(), names.rend(),
                     [&](const std::string* name) { return add_to_path(path, *name); });
}

}  // namespace

AdapterTable::AdapterTable(core::Orb& orb) : orb_(orb) {
  starting_ = base::make_ref<Manager>(*this);
  (void)add_to_path(server_path_,
                    orb.options().server_id);  // one that is too long is refused with the adapter
  Policies policies;
  policies.implicit_activation = true;
  root_ = base::make_ref<Adapter>(*this, nullptr, "RootPOA", policies, base::make_ref<Manager>(*this));
  (void)add(*root_);  // an empty table has room
  Policies plain;
  plain.persistent = plain.user_id = true;
  named_ = base::make_ref<Adapter>(*this, nullptr, "omniINSPOA", plain, base::make_ref<Manager>(*this));
  (void)add(*named_);
  named_slot_ = named_->slot_;
}

AdapterTable::~AdapterTable() { shutdown(true); }

Adapter& AdapterTable::named() {
  named_used_.store(true, std::memory_order_relaxed);
  return *named_;
}

// ---- the table

Outcome AdapterTable::add(Adapter& adapter) {
  if (adapter.policies().persistent && !path_of(adapter, orb_.options().server_id, adapter.path_))
    return Outcome::NameTooLong;
  std::lock_guard lock(mutex_);
  AdapterSlot* const slot = adapters_.allocate();
  if (!slot) return Outcome::TableFull;
  adapter.slot_ = slot;
  adapter.generation_ = slot->generation();
  slot->payload = base::Ref<Adapter>::share(&adapter);
  slot->activate();
  if (!adapter.parent() || !adapter.policies().persistent) return Outcome::Ok;
  by_path_[adapter.path_] = &adapter;
  if (paths_.full(by_path_.size())) {
    paths_.grow();
    for (const auto& [path, other] : by_path_) paths_.put(hint_of(path), other->slot_->index);
  } else {
    paths_.put(hint_of(adapter.path_), slot->index);
  }
  return Outcome::Ok;
}

void AdapterTable::retire(Adapter& adapter) {
  Target self;
  self.slot = adapter.slot_;
  const bool active = self.slot->enter(adapter.generation_);
  if (active) {
    std::lock_guard lock(mutex_);
    const auto i = by_path_.find(adapter.path_);
    if (i != by_path_.end() && i->second == &adapter) by_path_.erase(i);
    self.slot->retire();
  }
  leave(self);
}

// The last one out of a retired slot.
void AdapterTable::finish(AdapterSlot& slot) {
  const base::Ref<Adapter> adapter = std::move(slot.payload);
  {
    std::lock_guard lock(mutex_);
    adapters_.free(&slot);
  }
  left_.notify_all();
}

void AdapterTable::wait_until_left(Adapter& adapter) {
  for (;;) {
    const std::uint32_t epoch = left_.epoch();
    if (adapter.slot_->finished(adapter.generation_)) return;
    left_.wait(epoch);
  }
}

// Rare: looked at every millisecond, so that no request pays for waking this up. Whoever enters now sees the
// new state and leaves, so an adapter that was empty once has done with the old one.
void AdapterTable::wait_until_idle(const Manager& manager, Manager::State state) {
  std::vector<base::Ref<Adapter>> adapters;
  {
    std::lock_guard lock(mutex_);
    for (std::uint32_t i = 0; i < adapters_.size(); ++i) {
      AdapterSlot* const slot = adapters_.find(i);
      if (slot->active() && &slot->payload->manager() == &manager) adapters.push_back(slot->payload);
    }
  }
  base::Condition never;
  for (const auto& adapter : adapters) {
    const AdapterSlot& slot = *adapter->slot_;
    while (slot.inside() != 0 && slot.generation() == adapter->generation_ && manager.state() == state)
      never.wait(never.epoch(), base::now() + 1'000'000);
  }
}

// Each held request keeps a thread: half of the threads are left for those that may end the holding.
bool AdapterTable::begin_hold() {
  if (held_.fetch_add(1) < std::max<std::uint32_t>(1, orb_.options().max_threads / 2)) return true;
  held_.fetch_sub(1);
  return false;
}

// ---- keys

void AdapterTable::enter(std::string_view key, Target& target) {
  TransientKey transient;
  if (!transient.parse(key)) [[unlikely]]
    return enter_other(key, target);
  if (transient.incarnation != orb_.incarnation()) return;
  target.slot = adapters_.find(transient.adapter);
  if (!target.slot) return;
  if (target.slot->enter(transient.generation)) [[likely]]
    target.adapter = target.slot->payload.get();
  target.hint = transient.hint;
  target.id = transient.id;
}

void AdapterTable::enter_other(std::string_view key, Target& target) {
  PersistentKey persistent;
  if (!persistent.parse(key)) {
    target.slot = named_slot_;
    if (target.slot->enter()) target.adapter = target.slot->payload.get();
    target.hint = hint_of(key);
    target.id = key;
    return;
  }
  target.hint = persistent.hint;
  target.id = persistent.id;
  if (enter_hinted(persistent.path_hint, persistent.path, target)) [[likely]]
    return;
  std::lock_guard lock(mutex_);
  const auto i = by_path_.find(persistent.path);
  if (i == by_path_.end()) return;
  target.slot = i->second->slot_;
  if (target.slot->enter(i->second->generation_)) target.adapter = i->second;
  paths_.put(hint_of(persistent.path), target.slot->index);
}

bool AdapterTable::enter_hinted(std::uint32_t hint, std::string_view path, Target& target) {
  target.slot = adapters_.find(paths_.find(hint));
  if (!target.slot) return false;
  if (target.slot->enter() && target.slot->payload->path() == path) {
    target.adapter = target.slot->payload.get();
    return true;
  }
  leave(target);
  target.slot = nullptr;
  return false;
}

// ---- start-up

void AdapterTable::started() {
  if (starting_->state() == Manager::State::Holding) (void)starting_->change(Manager::State::Active, false);
}

// A key of an adapter or of a name that this server may still make.
bool AdapterTable::may_come(std::string_view key) const {
  if (starting_->state() != Manager::State::Holding) return false;
  if (TransientKey transient; transient.parse(key)) return false;
  PersistentKey persistent;
  return !persistent.parse(key) || persistent.path.starts_with(server_path_);
}

// A request for what is not there: false if it is worth looking again.
bool AdapterTable::turned_away(core::ServerRequest& request, std::string_view key) {
  static constexpr std::atomic<bool> kNeverGone{false};
  if (request.connection && may_come(key)) return !starting_->admit(request, kNeverGone);
  no_object(request);
  return true;
}

// ---- plain keys that stand for references

void AdapterTable::set_plain_reference(const std::string& key, base::Ref<core::Reference> target) {
  std::lock_guard lock(mutex_);
  auto& place = plain_references_[key];
  std::swap(place, target);  // the former one goes after the lock
  if (!place) plain_references_.erase(key);
  has_plain_references_.store(!plain_references_.empty(), std::memory_order_release);
}

base::Ref<core::Reference> AdapterTable::plain_reference(std::string_view key) {
  if (!has_plain_references_.load(std::memory_order_acquire)) return nullptr;
  std::lock_guard lock(mutex_);
  const auto i = plain_references_.find(key);
  return i == plain_references_.end() ? nullptr : i->second;
}

// ---- core::Dispatcher

// At the ORB's end its objects go before its requests: their callers are not told that they never come back.
void AdapterTable::no_object(core::ServerRequest& request) const {
  if (orb_.is_shut_down())
    request.system_exception({SystemErrorId::TRANSIENT, Completion::No, 0, "the ORB has been shut down"});
  else
    request.system_exception(
        {SystemErrorId::OBJECT_NOT_EXIST, Completion::No, assigned::kOmgMinor | 2, nullptr});
}

void AdapterTable::dispatch(core::ServerRequest& request) {
  const std::string_view key(request.key(), request.key_size());
  for (;;) {
    Target target;
    enter(key, target);
    Adapter* const adapter = target.adapter;
    if (!adapter) [[unlikely]] {
      leave(target);
      if (turned_away(request, key)) return;
      continue;
    }
    if (target.slot == named_slot_) [[unlikely]] {
      if (const auto reference = plain_reference(key)) {
        leave(target);
        return request.forward(reference->ior());
      }
      if (!named_used_.load(std::memory_order_relaxed)) {
        leave(target);
        if (turned_away(request, key)) return;
        continue;
      }
    }
    if (adapter->manager().state() == Manager::State::Active) [[likely]] {
      adapter->dispatch(request, target.hint, target.id);
      return leave(target);
    }
    // A request that waits is not inside: the adapter may be destroyed meanwhile.
    const auto kept = base::Ref<Adapter>::share(adapter);
    leave(target);
    if (kept->refused(request)) return;
  }
}

core::Dispatcher::Location AdapterTable::locate(const char* key, std::uint32_t key_size) {
  Target target;
  enter({key, key_size}, target);
  bool here = target.adapter && target.adapter->serves(target.hint, target.id);
  if (!here && (!target.adapter || target.slot == named_slot_)) here = may_come({key, key_size});
  if (!here && target.slot == named_slot_) here = static_cast<bool>(plain_reference({key, key_size}));
  leave(target);
  return here || orb_.is_shut_down() ? Location::Here : Location::Unknown;  // see no_object()
}

void AdapterTable::shutdown(bool wait) {
  root_->end(wait);
  named_->end(wait);
  starting_->wake();
}

}  // namespace corbel::poa
