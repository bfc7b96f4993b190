// Adapters that adapter activators make (CORBA 3.4 part 1, "AdapterActivator Interface").
#include <algorithm>
#include <mutex>
#include <utility>

#include "orb/core/application_call.h"
#include "orb/core/orb.h"
#include "orb/ior/assigned.h"
#include "orb/poa/adapter.h"
#include "orb/poa/adapter_table.h"
#include "orb/poa/foreign_key.h"
#include "orb/poa/key.h"

namespace corbel::poa {

// ---- creations

// With the lock: the running one that makes this child, or null.
std::shared_ptr<Creation> AdapterTable::creation_locked(const Adapter* parent, std::string_view name) {
  for (const auto& c : creations_)
    if (c->parent == parent && c->name == name) return c;
  return nullptr;
}

// With the lock: the running one that has made the adapter, or null.
std::shared_ptr<Creation> AdapterTable::creator_locked(const Adapter* adapter) {
  for (const auto& c : creations_)
    for (const auto& made : c->made)
      if (made.get() == adapter) return c;
  return nullptr;
}

std::shared_ptr<Creation> AdapterTable::creation_of(const Adapter& parent, std::string_view name) {
  std::lock_guard lock(mutex_);
  return creation_locked(&parent, name);
}

bool AdapterTable::runs(const Creation& creation) {
  std::lock_guard lock(mutex_);
  return creation.result == Creation::Result::Running;
}

// Calls the activator unless another thread does so already, whose call is given then: it may still run.
std::shared_ptr<Creation> AdapterTable::create(Adapter& parent, const std::string& name,
                                               AdapterActivator& activator) {
  std::shared_ptr<Creation> creation;
  {
    std::lock_guard lock(mutex_);
    if (auto running = creation_locked(&parent, name)) return running;
    creation = std::make_shared<Creation>();
    creation->parent = &parent;
    creation->name = name;
    creation->thread.store(base::thread_id());
    creations_.push_back(creation);
  }
  bool made = true;
  const bool there =
      static_cast<bool>(parent.find_child(name));  // by a call that ended before this one began
  SystemError error;
  if (!there && !parent.in_turn([&] {
        const core::ApplicationCall call(orb_);  // find() may be called outside of upcalls
        creation->thread.store(base::thread_id());
        error = activator.unknown_adapter(parent, name, made);
      }))
    made = false;
  std::vector<base::Ref<Adapter>> done;
  {
    std::lock_guard lock(mutex_);
    for (const auto& adapter : creation->made) publish_locked(*adapter);
    done = std::move(creation->made);
    creation->made.clear();
    creation->result = error                                  ? Creation::Result::Failed
                       : made && (there || creation->created) ? Creation::Result::Made
                                                              : Creation::Result::Refused;
    std::erase(creations_, creation);
  }
  notify(created_);
  return creation;
}

// ---- find_POA

Outcome Adapter::find(const std::string& name, bool activate, base::Ref<Adapter>& child) {
  child = find_child(name);
  auto creation = table_.creation_of(*this, name);
  if (!creation) {
    if (child) return Outcome::Ok;
    const auto activator = this->activator();
    if (!activate || !activator) return Outcome::AdapterNonExistent;
    creation = table_.create(*this, name, *activator);
  }
  while (table_.runs(*creation)) {
    // The activator itself looks for what it has made.
    if (creation->thread == base::thread_id()) return child ? Outcome::Ok : Outcome::AdapterNonExistent;
    const std::uint32_t epoch = table_.created().epoch();
    if (table_.runs(*creation)) table_.wait(table_.created(), epoch);
  }
  if (creation->result == Creation::Result::Failed) return Outcome::ActivatorFailed;
  child = find_child(name);
  return child ? Outcome::Ok : Outcome::AdapterNonExistent;
}

// ---- requests

namespace {

bool refuse(core::ServerRequest& request, SystemErrorId id, std::uint32_t minor, const char* detail) {
  request.system_exception({id, Completion::No, minor, detail});
  return false;
}

bool refuse_destroyed(core::ServerRequest& request) {
  return refuse(request, SystemErrorId::TRANSIENT, assigned::kOmgMinor | 4, "the adapter is being destroyed");
}

}  // namespace

// True: it has ended, and the request is to look again. False: the request has been answered.
bool AdapterTable::await(core::ServerRequest& request, const std::shared_ptr<Creation>& creation) {
  while (runs(*creation)) {
    if (creation->thread == base::thread_id()) {
      would_wait_for_itself(request);
      return false;
    }
    const std::uint32_t epoch = created_.epoch();
    if (runs(*creation) && !hold(request, created_, epoch)) return false;
  }
  if (creation->result == Creation::Result::Made) return true;
  if (creation->result == Creation::Result::Failed)
    return refuse(request, SystemErrorId::OBJ_ADAPTER, assigned::kOmgMinor | 1,
                  "an adapter activator raised a system exception");
  no_object(request);
  return false;
}

// False for a key of no persistent adapter that this server may have.
bool AdapterTable::path_in(std::string_view key, AdapterPath& path) const {
  if (PersistentKey persistent; persistent.parse(key)) {
    path.text = persistent.path;
    return path.text.starts_with(server_path_);
  }
  for (const KeyFormat format : kForeignFormats) {
    if (!reads(format) || !parse_foreign_key(format, key, path.key)) continue;
    path.format = format;
    path.text = server_path_;
    const auto names = names_of(path.key.path);
    return std::all_of(names.begin(), names.end(),
                       [&](std::string_view name) { return add_to_path(path.text, name); });
  }
  return false;
}

// Of adapters that requests have made: a key names as many as its octets allow.
constexpr int kDeepest = 256;

// A request for an adapter that is not there: true if it is worth looking again.
bool AdapterTable::make_adapters(core::ServerRequest& request, std::string_view key) {
  AdapterPath wanted;
  if (!path_in(key, wanted)) return await_transient(request, key);
  std::string_view path = wanted.text;
  path.remove_prefix(server_path_.size());
  auto at = base::Ref<Adapter>::share(root_.get());
  std::string_view name;
  for (int depth = 0; take_from_path(path, name); ++depth) {
    const std::string child_name(name);
    if (const auto creation = creation_of(*at, child_name)) return await(request, creation);
    auto child = at->find_child(child_name);
    if (!child) {
      const auto activator = at->activator();
      if (!activator || depth > kDeepest) return no_object(request), false;
      if (at->destroyed()) return refuse_destroyed(request);
      if (at->manager().state() != Manager::State::Active) return !at->refused(request);
      return await(request, create(*at, child_name, *activator));
    }
    if (child->destroyed()) return refuse_destroyed(request);  // when it is gone another may have its name
    at = std::move(child);
  }
  // One of this name that is not persistent, or has no keys of this format, has other ones.
  const bool own = wanted.format == KeyFormat::Corbel;
  if (at->path() == wanted.text && (own || at->reads(wanted.format, wanted.key))) return true;
  return no_object(request), false;
}

// Whether a request would ask an activator, or wait for one. The connection that asks this must be read on,
// so it does not wait itself.
bool AdapterTable::may_be_made(std::string_view key) {
  AdapterPath wanted;
  if (!path_in(key, wanted)) return static_cast<bool>(creation_of_transient(key));
  std::string_view path = wanted.text;
  path.remove_prefix(server_path_.size());
  auto at = base::Ref<Adapter>::share(root_.get());
  for (std::string_view name; take_from_path(path, name);) {
    const std::string child_name(name);
    if (creation_of(*at, child_name)) return true;
    auto child = at->find_child(child_name);
    if (!child) return static_cast<bool>(at->activator());
    if (child->destroyed()) return true;  // another may come
    at = std::move(child);
  }
  return false;
}

// The running one that has made the transient adapter of this key, or null.
std::shared_ptr<Creation> AdapterTable::creation_of_transient(std::string_view key) {
  TransientKey transient;
  if (!transient.parse(key) || transient.incarnation != orb_.incarnation()) return nullptr;
  std::lock_guard lock(mutex_);
  for (const auto& c : creations_)
    for (const auto& made : c->made)
      if (made->slot_->index() == transient.adapter && made->generation_ == transient.generation) return c;
  return nullptr;
}

// Its adapter may be one that an activator is still working on.
bool AdapterTable::await_transient(core::ServerRequest& request, std::string_view key) {
  const auto creation = creation_of_transient(key);
  if (!creation) return no_object(request), false;
  // What is there was made before the activator said whether it had.
  while (runs(*creation)) {
    if (creation->thread == base::thread_id()) return await(request, creation);
    const std::uint32_t epoch = created_.epoch();
    if (runs(*creation) && !hold(request, created_, epoch)) return false;
  }
  return true;
}

}  // namespace corbel::poa
