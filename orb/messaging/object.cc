// What of CORBA::Object and CORBA::ORB concerns policies.
#include <corbel/cpp/orb.h>

#include "orb/core/client_invocation.h"
#include "orb/core/reference.h"
#include "orb/ior/assigned.h"
#include "orb/messaging/exposed.h"
#include "orb/messaging/overrides.h"

namespace CORBA {
namespace {

using namespace corbel::messaging;
using corbel::Completion;
using corbel::SystemErrorId;
using corbel::assigned::kOmgMinor;
using corbel::core::Reference;

Reference& reference_of(Object* object) {
  if (corbel::cpp::is_null(object)) corbel::cpp::raise_nil();
  if (!object->_corbel_reference())
    corbel::cpp::raise({SystemErrorId::NO_IMPLEMENT, Completion::No, kOmgMinor | 3,
                        "calls of a local object have no policies"});
  return *object->_corbel_reference();
}

const Overrides* overrides_of(const Reference& reference) {
  return static_cast<const Overrides*>(reference.overrides());
}

// What is set here, by whatever level, with a count for the caller; null where that is nothing.
Policy_ptr set_policy(Reference& reference, PolicyType type) {
  if (!overridable(type))
    corbel::cpp::raise(
        {SystemErrorId::INV_POLICY, Completion::No, kOmgMinor | 2, "calls have no policies of this type"});
  const auto of_orb = corbel::messaging::overrides_of(reference.orb());
  const Overrides* const levels[] = {overrides_of(reference), overrides_of_thread(), of_orb.get()};
  for (const Overrides* const level : levels)
    if (Policy_ptr const policy = level ? level->find(type) : nullptr) return Policy::_duplicate(policy);
  return policy_of_setting(type, reference.orb().call_settings());
}

// The same, or what is so where nothing is set.
Policy_ptr client_policy(Reference& reference, PolicyType type) {
  Policy_ptr const set = set_policy(reference, type);
  return set ? set : default_policy(type);
}

}  // namespace

Object_ptr Object::_set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) {
  Reference& reference = reference_of(this);
  auto overrides = Overrides::make(overrides_of(reference), policies, set_add);
  return corbel::cpp::make_object(
      reference.with(corbel::base::Ref<corbel::core::CallOverrides>::adopt(overrides.release())).release());
}

PolicyList* Object::_get_policy_overrides(const PolicyTypeSeq& types) {
  const Overrides* const overrides = overrides_of(reference_of(this));
  return overrides ? overrides->list(types) : new PolicyList;
}

Policy_ptr Object::_get_client_policy(PolicyType type) { return client_policy(reference_of(this), type); }

Policy_ptr Object::_get_policy(PolicyType type) {
  Reference& reference = reference_of(this);
  Policy_var ours = set_policy(reference, type), result = Policy::_duplicate(ours);
  for (const Exposed& exposed : exposed_policies(reference.ior()))
    if (exposed.type == type && !reconcile(ours, exposed, result))
      corbel::cpp::raise({SystemErrorId::INV_POLICY, Completion::No, kOmgMinor | 1,
                          "the policy of the reference excludes that of its server"});
  return result.in() ? result._retn() : default_policy(type);
}

Boolean Object::_validate_connection(PolicyList_out inconsistent_policies) {
  Reference& reference = reference_of(this);
  PolicyList_var inconsistent = new PolicyList;
  for (const Exposed& exposed : exposed_policies(reference.ior())) {
    Policy_var ours = set_policy(reference, exposed.type), both;
    if (reconcile(ours, exposed, both)) continue;
    inconsistent->length(inconsistent->length() + 1);
    inconsistent[inconsistent->length() - 1] = ours;
  }
  const bool consistent = inconsistent->length() == 0;
  inconsistent_policies = inconsistent._retn();
  if (!consistent) return false;
  if (corbel::SystemError e = corbel::core::ClientInvocation::validate(reference)) corbel::cpp::raise(e);
  return true;
}

Policy_ptr ORB::create_policy(PolicyType type, const Any& value) {
  if (corbel::SystemError e = core_->check()) corbel::cpp::raise(e);
  if (auto* const own = static_cast<OrbPolicyKinds*>(core_->addition()))
    if (Policy_ptr const made = own->make(type, value)) return made;
  return make_policy(type, value);
}

}  // namespace CORBA
