// Requests and their keys: from a key to the adapter, and what is done where there is none.
#include <mutex>
#include <string>

#include "orb/ior/assigned.h"
#include "orb/poa/adapter_table.h"
#include "orb/poa/foreign_key.h"
#include "orb/poa/key.h"

namespace corbel::poa {

// ---- keys

void AdapterTable::enter(std::string_view key, Target& target) {
  TransientKey transient;
  if (!transient.parse(key)) [[unlikely]]
    return enter_other(key, target);
  if (transient.incarnation != orb_.incarnation()) return;
  target.slot = adapters_.find(transient.adapter);
  if (!target.slot) return;
  target.visit = presence::enter(target.slot);
  if (target.slot->is(transient.adapter, transient.generation)) [[likely]]
    target.adapter = &adapter_in(*target.slot);
  target.hint = transient.hint;
  target.id = transient.id;
}

void AdapterTable::enter_other(std::string_view key, Target& target) {
  PersistentKey persistent;
  if (!persistent.parse(key)) {
    if (formats_.load(std::memory_order_relaxed) != 0 && enter_foreign(key, target)) return;
    target.slot = named_slot_;
    target.visit = presence::enter(target.slot);
    if (target.slot->active()) target.adapter = &adapter_in(*target.slot);
    target.hint = hint_of(key);
    target.id = key;
    return;
  }
  target.hint = persistent.hint;
  target.id = persistent.id;
  if (enter_hinted(paths_, persistent.path_hint, &Adapter::path_, persistent.path, target)) [[likely]]
    return;
  enter_by_path(paths_, persistent.path, target);
}

inline bool AdapterTable::enter_hinted(PathTable& paths, std::uint32_t hint, std::string Adapter::*its_path,
                                       std::string_view path, Target& target) {
  target.slot = adapters_.find(paths.hinted(hint));
  if (!target.slot) return false;
  target.visit = presence::enter(target.slot);
  // An adapter that has no such keys has an empty path, which is nobody's.
  if (target.slot->active() && !path.empty() && adapter_in(*target.slot).*its_path == path) {
    target.adapter = &adapter_in(*target.slot);
    return true;
  }
  leave(target);
  target.slot = nullptr;
  return false;
}

void AdapterTable::enter_by_path(PathTable& paths, std::string_view path, Target& target) {
  std::lock_guard lock(mutex_);
  target.slot = paths.find(path);
  if (!target.slot) return;
  target.visit = presence::enter(target.slot);
  if (target.slot->active()) target.adapter = &adapter_in(*target.slot);
  paths.remember(path, *target.slot);
}

// True if the key is of another ORB's format that is read here, whether its adapter is there or not.
bool AdapterTable::enter_foreign(std::string_view key, Target& target) {
  bool of_format = false;
  for (const KeyFormat format : kForeignFormats) {
    ForeignKey parts;
    if (!reads(format) || !parse_foreign_key(format, key, parts)) continue;
    of_format = true;
    if (!enter_hinted(foreign_paths_, hint_of(parts.path), &Adapter::foreign_path_, parts.path, target))
      enter_by_path(foreign_paths_, parts.path, target);
    if (target.adapter && target.adapter->reads(format, parts)) {
      target.hint = hint_of(parts.id);
      target.id = parts.id;
      return true;
    }
    leave(target);
    target = {};
  }
  return of_format;
}

void AdapterTable::read_format(KeyFormat format) {
  if (format != KeyFormat::Corbel) formats_.fetch_or(1u << static_cast<unsigned>(format));
}

bool AdapterTable::reads(KeyFormat format) const {
  return (formats_.load(std::memory_order_relaxed) >> static_cast<unsigned>(format) & 1) != 0;
}

base::Ref<core::Reference> AdapterTable::plain_reference(std::string_view key) {
  if (!has_plain_references_.load(std::memory_order_acquire)) return nullptr;
  std::lock_guard lock(mutex_);
  const auto i = plain_references_.find(key);
  return i == plain_references_.end() ? nullptr : i->second;
}

// ---- requests

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
  return !make_adapters(request, key);
}

// At the ORB's end its objects go before its requests: their callers are not told that they never come back.
void AdapterTable::no_object(core::ServerRequest& request) const {
  if (!request.key()) return request.ask_for_key();
  if (orb_.is_shut_down())
    request.system_exception({SystemErrorId::TRANSIENT, Completion::No, 0, "the ORB has been shut down"});
  else
    request.system_exception(
        {SystemErrorId::OBJECT_NOT_EXIST, Completion::No, assigned::kOmgMinor | 2, nullptr});
}

// What enter() and dispatch_otherwise() do for a transient object whose adapter is there and active.
void AdapterTable::dispatch(core::ServerRequest& request) {
  const std::string_view key(request.key(), request.key_size());
  TransientKey transient;
  if (!transient.parse(key) || transient.incarnation != orb_.incarnation()) [[unlikely]]
    return dispatch_otherwise(request, key);
  AdapterSlot* const slot = adapters_.find(transient.adapter);
  if (!slot) [[unlikely]]
    return dispatch_otherwise(request, key);
  bool done = false;
  {
    const Visit visit(*this, *slot, presence::enter(slot));
    if (slot->is(transient.adapter, transient.generation) && slot != named_slot_) [[likely]] {
      Adapter& adapter = adapter_in(*slot);
      done = adapter.manager().state() == Manager::State::Active;
      if (done) [[likely]]
        adapter.dispatch(request, transient.hint, transient.id);
    }
  }
  if (!done) [[unlikely]]
    dispatch_otherwise(request, key);
}

void AdapterTable::dispatch_otherwise(core::ServerRequest& request, std::string_view key) {
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
      const Visit visit(*this, *target.slot, target.visit);
      return adapter->dispatch(request, target.hint, target.id);
    }
    // A request that waits is not inside: the adapter may be destroyed meanwhile.
    const auto kept = base::Ref<Adapter>::share(adapter);
    leave(target);
    if (kept->refused(request)) return;
  }
}

core::Dispatcher::Location AdapterTable::locate(const char* key, std::uint32_t key_size, ior::Ior& forward,
                                                SystemError& error) {
  Target target;
  const Leaving leaving(*this, target);
  enter({key, key_size}, target);
  bool here = !target.adapter && may_be_made({key, key_size});
  if (!here && !target.adapter) {  // an activator that made it may have returned meanwhile
    leave(target);
    target = {};
    enter({key, key_size}, target);
  }
  if (!here) here = target.adapter && target.adapter->serves(target.hint, target.id);
  if (!here && (!target.adapter || target.slot == named_slot_)) here = may_come({key, key_size});
  base::Ref<core::Reference> elsewhere;
  if (!here && target.slot == named_slot_) elsewhere = plain_reference({key, key_size});
  const bool refused = here && target.adapter && target.adapter->manager().would_refuse(error);
  if (elsewhere) {
    forward = elsewhere->ior();
    return Location::Forward;
  }
  if (refused) return Location::Refused;
  return here || orb_.is_shut_down() ? Location::Here : Location::Unknown;  // see no_object()
}

bool AdapterTable::bidirectional(const char* key, std::uint32_t key_size) {
  Target target;
  enter({key, key_size}, target);
  const bool both = target.adapter && target.adapter->policies().bidirectional;
  leave(target);
  return both;
}

std::string AdapterTable::interface_of(const core::ServerRequest& request) {
  core::Servant& servant = *static_cast<const UpcallTarget*>(request.adapter_data)->servant;
  const char* const id = servant.functions().interface_id(servant);
  return id ? id : "";
}

std::shared_ptr<const core::AdapterPolicies> AdapterTable::policies_of(const char* key,
                                                                       std::uint32_t key_size) {
  Target target;
  enter({key, key_size}, target);
  auto own = target.adapter ? target.adapter->own_policies() : nullptr;
  leave(target);
  return own;
}

void AdapterTable::shutdown(bool wait) {
  ending_.store(true);
  root_->end(true, wait);
  named_->end(true, wait);
  starting_->wake();
}

}  // namespace corbel::poa
