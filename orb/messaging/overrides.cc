#include "orb/messaging/overrides.h"

#include <cstring>
#include <mutex>
#include <vector>

#include <corbel/core/collocated.h>

#include "orb/core/reference.h"
#include "orb/ior/assigned.h"
#include "orb/messaging/exposed.h"

namespace corbel::messaging {
namespace {

constexpr const char* kOrbManager = "ORBPolicyManager";
constexpr const char* kThreadManager = "PolicyCurrent";

[[noreturn]] void raise_invalid(const std::vector<CORBA::UShort>& places) {
  CORBA::InvalidPolicies error;
  error.indices.length(static_cast<CORBA::ULong>(places.size()));
  for (CORBA::ULong i = 0; i < places.size(); ++i) error.indices[i] = places[i];
  throw error;
}

void check(const CORBA::PolicyList& added) {
  std::vector<CORBA::UShort> nil;
  for (CORBA::ULong i = 0; i < added.length(); ++i)
    if (!added[i]) nil.push_back(static_cast<CORBA::UShort>(i));
  if (!nil.empty()) raise_invalid(nil);
  for (CORBA::ULong i = 0; i < added.length(); ++i) {
    const CORBA::PolicyType type = added[i]->policy_type();
    if (!overridable(type))
      cpp::raise({SystemErrorId::NO_PERMISSION, Completion::No, 0,
                  "a policy is in the list that only adapters, or nothing here, can have"});
    for (CORBA::ULong j = 0; j < i; ++j)
      if (added[j]->policy_type() == type)
        cpp::raise({SystemErrorId::BAD_PARAM, Completion::No, assigned::kOmgMinor | 30,
                    "two policies in the list are of one type"});
  }
}

// What the ORB's slot of this name holds.
class OrbPolicies final : public core::LocalSlot {
 public:
  base::Ref<Overrides> get() {
    std::lock_guard lock(mutex_);
    return overrides_;
  }
  // A policy may be the program's: it is asked and released outside of the lock.
  void set(core::Orb& orb, const CORBA::PolicyList& policies, CORBA::SetOverrideType how) {
    for (;;) {
      base::Ref<Overrides> old = get();
      base::Ref<Overrides> fresh = Overrides::make(old.get(), policies, how);
      std::lock_guard lock(mutex_);
      if (overrides_.get() != old.get()) continue;
      orb.set_call_overrides(fresh->settings());
      overrides_ = std::move(fresh);
      return;
    }
  }

 private:
  base::Mutex mutex_;
  base::Ref<Overrides> overrides_;
};

class OrbManager final : public CORBA::PolicyManager {
 public:
  explicit OrbManager(core::Orb& orb) : orb_(base::Ref<core::Orb>::share(&orb)) {}

  CORBA::PolicyList* get_policy_overrides(const CORBA::PolicyTypeSeq& types) override {
    const base::Ref<Overrides> overrides = overrides_of(*orb_);
    return overrides ? overrides->list(types) : new CORBA::PolicyList;
  }
  void set_policy_overrides(const CORBA::PolicyList& policies, CORBA::SetOverrideType how) override {
    if (SystemError e = orb_->check()) cpp::raise(e);
    const auto slot = orb_->set_local_slot(kOrbManager, base::Ref<core::LocalSlot>::adopt(new OrbPolicies));
    static_cast<OrbPolicies*>(slot.get())->set(*orb_, policies, how);
  }
  const void* _corbel_identity() const override { return orb_.get(); }

 private:
  const base::Ref<core::Orb> orb_;
};

thread_local base::Ref<Overrides> thread_overrides;

class ThreadManager final : public CORBA::PolicyCurrent {
 public:
  CORBA::PolicyList* get_policy_overrides(const CORBA::PolicyTypeSeq& types) override {
    return thread_overrides ? thread_overrides->list(types) : new CORBA::PolicyList;
  }
  void set_policy_overrides(const CORBA::PolicyList& policies, CORBA::SetOverrideType how) override {
    base::Ref<Overrides> fresh = Overrides::make(thread_overrides.get(), policies, how);
    core::set_thread_call_settings(core::ThreadPart::Policies, fresh->settings());
    core::calling_thread.limited = fresh->settings().set;
    thread_overrides = std::move(fresh);
  }
};

// The name that resolve_initial_references gave the object for; null for an object that is there already.
const cpp::Placeholder* placeholder(CORBA::Object_ptr object) {
  return object ? static_cast<cpp::Placeholder*>(object->_corbel_widen(cpp::Placeholder::_corbel_id))
                : nullptr;
}

}  // namespace

base::Ref<Overrides> Overrides::make(const Overrides* present, const CORBA::PolicyList& added,
                                     CORBA::SetOverrideType how) {
  check(added);
  CORBA::PolicyList policies(added);
  if (present && how == CORBA::ADD_OVERRIDE) {
    const CORBA::PolicyList& old = present->policies_;
    for (CORBA::ULong i = 0; i < old.length(); ++i) {
      bool replaced = false;
      for (CORBA::ULong j = 0; j < added.length(); ++j)
        replaced = replaced || added[j]->policy_type() == old[i]->policy_type();
      if (replaced) continue;
      policies.length(policies.length() + 1);
      policies[policies.length() - 1] = CORBA::Policy::_duplicate(old[i]);
    }
  }
  core::reconcile_settings.store(reconcile_all, std::memory_order_relaxed);
  core::same_quality.store(same_quality, std::memory_order_relaxed);
  core::CallSettings settings;
  for (CORBA::ULong i = 0; i < policies.length(); ++i) add_setting(*policies[i], settings);
  return base::make_ref<Overrides>(std::move(policies), settings);
}

CORBA::Policy_ptr Overrides::find(CORBA::PolicyType type) const {
  for (CORBA::ULong i = 0; i < policies_.length(); ++i)
    if (policies_[i]->policy_type() == type) return policies_[i];
  return nullptr;
}

CORBA::PolicyList* Overrides::list(const CORBA::PolicyTypeSeq& types) const {
  if (types.length() == 0) return new CORBA::PolicyList(policies_);
  CORBA::PolicyList_var list = new CORBA::PolicyList;
  for (CORBA::ULong i = 0; i < types.length(); ++i) {
    CORBA::Policy_ptr const policy = find(types[i]);
    if (!policy) continue;
    list->length(list->length() + 1);
    list[list->length() - 1] = CORBA::Policy::_duplicate(policy);
  }
  return list._retn();
}

const Overrides* overrides_of_thread() { return thread_overrides.get(); }

base::Ref<Overrides> overrides_of(core::Orb& orb) {
  const auto slot = orb.local_slot(kOrbManager);
  return slot ? static_cast<OrbPolicies*>(slot.get())->get() : nullptr;
}

}  // namespace corbel::messaging

namespace CORBA {

PolicyManager_ptr PolicyManager::_narrow(Object_ptr object) {
  using namespace corbel::messaging;
  const corbel::cpp::Placeholder* const named = placeholder(object);
  if (!named) return corbel::cpp::narrow_local<PolicyManager>(object);
  if (std::strcmp(named->name(), kOrbManager) == 0) return new OrbManager(named->orb());
  return PolicyCurrent::_narrow(object);
}

PolicyCurrent_ptr PolicyCurrent::_narrow(Object_ptr object) {
  using namespace corbel::messaging;
  const corbel::cpp::Placeholder* const named = placeholder(object);
  if (!named) return corbel::cpp::narrow_local<PolicyCurrent>(object);
  return std::strcmp(named->name(), kThreadManager) == 0 ? new ThreadManager : nullptr;
}

}  // namespace CORBA
