// An adapter's place among the others: its children, and its end.
#include <algorithm>
#include <mutex>
#include <utility>

#include "orb/core/orb.h"
#include "orb/poa/adapter.h"
#include "orb/poa/adapter_table.h"

namespace corbel::poa {

Outcome Adapter::create_child(const std::string& name, Policies policies, base::Ref<Manager> manager,
                              base::Ref<Adapter>& child, std::shared_ptr<const core::AdapterPolicies> own) {
  std::lock_guard lock(mutex_);
  if (destroyed()) return no_children();
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
  AdapterTable& table = parent.table_;
  for (;;) {
    const std::uint32_t epoch = table.ended().epoch();
    {
      std::lock_guard lock(parent.mutex_);
      const auto i = parent.children_.find(name_);
      const bool there = i != parent.children_.end();
      if (parent.destroyed()) outcome_ = parent.no_children();
      else if (there ? !i->second->destroyed() || table.orb().in_upcall()
                     : !parent.new_names_.insert(name_).second)
        outcome_ = Outcome::AdapterAlreadyExists;
      if (!there || outcome_ != Outcome::Ok) return;
    }
    table.wait(table.ended(), epoch);
  }
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
    for (const auto& [name, child] : children_) below.push_back(child);
  }
  for (const auto& child : below) child->wait_for_end();
  table_.wait_until_ended(*this);
  wait_until_quiet();
}

// The name is free, although objects may still have to end.
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
    if (!left_ || ending_ || !leaving_.empty() || !children_.empty()) return;
    ending_ = true;
    etherealize = etherealize_;
  }
  leave_parent();
  objects_.close(etherealize);
  ended_.store(true);
  table_.notify_ended();
  forget_if_gone();
}

void Adapter::forget_if_gone() {
  if (!has_ended() || objects_.any_busy()) return;
  // What the application gave may hold this adapter, or the ORB, which holds the root. All of it goes after
  // the locks.
  base::Ref<ServantManager> manager;
  base::Ref<AdapterActivator> activator;
  std::shared_ptr<const core::AdapterPolicies> own;
  {
    std::lock_guard lock(mutex_);
    std::swap(manager, servant_manager_);
    std::swap(activator, activator_);
    std::swap(own, own_policies_);
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

}  // namespace corbel::poa
