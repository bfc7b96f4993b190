#include <cstring>
#include <mutex>

#include "orb/ior/assigned.h"
#include "orb/poa/adapter.h"

namespace corbel::poa {
namespace {

// Octets of a transient key before the object id: format, incarnation, adapter's index and generation, slot.
constexpr std::size_t kTransientHeader = 1 + 8 + 4 + 4 + 4;

// Format, length and text of the server id, number of names, length and text of each.
std::string path_of(const Adapter& adapter, const std::string& server_id) {
  std::vector<const std::string*> names;
  for (const Adapter* a = &adapter; a->parent(); a = a->parent()) names.push_back(&a->name());
  std::string path(1, kPersistentKey);
  const auto add = [&path](const std::string& text) {
    const auto size = static_cast<std::uint16_t>(text.size());
    path += static_cast<char>(size >> 8);
    path += static_cast<char>(size);
    path += text;
  };
  add(server_id);
  path += static_cast<char>(names.size());
  for (auto i = names.rbegin(); i != names.rend(); ++i) add(**i);
  return path;
}

// Where the path at the front of a persistent key ends; 0 if it is malformed.
std::size_t path_size(const char* key, std::size_t size) {
  std::size_t at = 1;
  const auto skip = [&] {
    if (size - at < 2) return false;
    const std::size_t length = static_cast<std::size_t>(static_cast<unsigned char>(key[at])) << 8 | static_cast<unsigned char>(key[at + 1]);
    if (size - at - 2 < length) return false;
    at += 2 + length;
    return true;
  };
  if (!skip() || at == size) return 0;
  for (int names = static_cast<unsigned char>(key[at++]); names > 0; --names)
    if (!skip()) return 0;
  return at;
}

}  // namespace

AdapterTable::AdapterTable(core::Orb& orb) : orb_(orb) {
  Policies policies;
  policies.implicit_activation = true;
  root_ = base::make_ref<Adapter>(*this, nullptr, "RootPOA", policies, base::make_ref<Manager>());
  add(*root_);
  Policies plain;
  plain.persistent = plain.user_id = true;
  named_ = base::make_ref<Adapter>(*this, nullptr, "omniINSPOA", plain, base::make_ref<Manager>());
  add(*named_);
}

AdapterTable::~AdapterTable() { shutdown(true); }

bool AdapterTable::add(Adapter& adapter) {
  std::lock_guard lock(mutex_);
  auto* const entry = adapters_.allocate();
  if (!entry) return false;
  adapter.slot = entry;
  entry->payload = base::Ref<Adapter>::share(&adapter);
  if (adapter.policies().persistent) {
    adapter.path = path_of(adapter, orb_.options().server_id);
    by_path_[adapter.path] = entry;
  }
  entry->activate();
  return true;
}

void AdapterTable::remove(Adapter& adapter, bool wait) {
  auto* const entry = adapter.slot;
  {
    std::lock_guard lock(mutex_);
    by_path_.erase(adapter.path);
    entry->enter();
    if (!entry->retire()) wait = false;
  }
  // The caller itself is inside if it destroys the adapter of its own upcall; then it does not wait.
  while (wait) {
    const std::uint32_t epoch = left_.epoch();
    if (entry->inside() <= 1) break;
    left_.wait(epoch, base::now() + 10'000'000);
  }
  Target target;
  target.entry = entry;
  leave(target);
}

void AdapterTable::enter(const char* key, std::size_t key_size, Target& target) {
  if (key_size >= kTransientHeader && *key == kTransientKey) [[likely]] {
    const auto incarnation = cdr::load<std::uint64_t>(key + 1, false);
    const auto index = cdr::load<std::uint32_t>(key + 9, false);
    const auto generation = cdr::load<std::uint32_t>(key + 13, false);
    if (incarnation != orb_.incarnation()) return;
    target.entry = adapters_.find(index);
    if (!target.entry) return;
    if (target.entry->enter() && target.entry->generation() == generation) target.adapter = target.entry->payload.get();
    target.hint = cdr::load<std::uint32_t>(key + 17, false);
    target.id = key + kTransientHeader;
    target.id_size = key_size - kTransientHeader;
    return;
  }
  std::size_t path = 0;
  std::lock_guard lock(mutex_);
  if (key_size > 0 && *key == kPersistentKey && (path = path_size(key, key_size)) != 0) {
    const auto i = by_path_.find(std::string_view(key, path));
    if (i == by_path_.end()) return;
    target.entry = i->second;
  } else {
    target.entry = named_->slot;
  }
  if (target.entry->enter()) target.adapter = target.entry->payload.get();
  target.hint = kNoHint;
  target.id = key + path;
  target.id_size = key_size - path;
}

void AdapterTable::leave(Target& target) {
  if (!target.entry) return;
  const bool dying = !target.entry->active();
  const bool last = target.entry->leave();
  if (dying) [[unlikely]] left_.notify_all();
  if (!last) return;
  const base::Ref<Adapter> adapter = std::move(target.entry->payload);
  std::lock_guard lock(mutex_);
  adapters_.free(target.entry);
}

void AdapterTable::dispatch(core::ServerRequest& request) {
  Target target;
  enter(request.key(), request.key_size(), target);
  if (target.adapter) [[likely]]
    target.adapter->dispatch(request, target.hint, target.id, target.id_size);
  else
    request.system_exception({SystemErrorId::OBJECT_NOT_EXIST, Completion::No, assigned::kOmgMinor | 2, nullptr});
  leave(target);
}

core::Dispatcher::Location AdapterTable::locate(const char* key, std::uint32_t key_size) {
  Target target;
  enter(key, key_size, target);
  const bool here = target.adapter && target.adapter->serves(target.hint, target.id, target.id_size);
  leave(target);
  return here ? Location::Here : Location::Unknown;
}

void AdapterTable::shutdown(bool wait) {
  const auto stop = [](Adapter& top) {
    std::vector<base::Ref<Adapter>> all{base::Ref<Adapter>::share(&top)};
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i]->manager().stop_waiting();
      for (auto& child : all[i]->children()) all.push_back(std::move(child));
    }
  };
  stop(*root_);
  stop(*named_);
  root_->destroy(wait);
  named_->destroy(wait);
}

}  // namespace corbel::poa
