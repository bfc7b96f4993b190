// omniORB's policies of adapters: that for shortcuts of local calls. It allows to call a servant past its
// adapter, which is not done here, so it has no effect.
#pragma once

#include <corbel/cpp/policy.h>

namespace omniPolicy {

typedef CORBA::UShort LocalShortcutPolicyValue;
constexpr LocalShortcutPolicyValue LOCAL_CALLS_THROUGH_POA = 0;
constexpr LocalShortcutPolicyValue LOCAL_CALLS_SHORTCUT = 1;
constexpr CORBA::PolicyType LOCAL_SHORTCUT_POLICY_TYPE = 0x41545401;

class LocalShortcutPolicy;
typedef LocalShortcutPolicy* LocalShortcutPolicy_ptr;
typedef corbel::cpp::ObjectVar<LocalShortcutPolicy> LocalShortcutPolicy_var;

class LocalShortcutPolicy : public CORBA::Policy {
 public:
  static constexpr const char* _corbel_id = "IDL:omniorb.org/omniPolicy/LocalShortcutPolicy:1.0";
  explicit LocalShortcutPolicy(LocalShortcutPolicyValue value) : value_(value) {}
  static LocalShortcutPolicy_ptr _duplicate(LocalShortcutPolicy_ptr policy) {
    return corbel::cpp::duplicate(policy);
  }
  static LocalShortcutPolicy_ptr _narrow(CORBA::Object_ptr object) {
    return corbel::cpp::narrow_local<LocalShortcutPolicy>(object);
  }
  static LocalShortcutPolicy_ptr _nil() { return nullptr; }
  void* _corbel_widen(const char* id) override {
    return corbel::cpp::same_id(id, _corbel_id) ? this : Policy::_corbel_widen(id);
  }

  LocalShortcutPolicyValue value() { return value_; }
  CORBA::PolicyType policy_type() override { return LOCAL_SHORTCUT_POLICY_TYPE; }
  CORBA::Policy_ptr copy() override { return new LocalShortcutPolicy(value_); }
  void destroy() override {}
  CORBA::ULong _corbel_value() const override { return _corbel_no_effect; }

 private:
  const LocalShortcutPolicyValue value_;
};

inline LocalShortcutPolicy_ptr create_local_shortcut_policy(LocalShortcutPolicyValue value) {
  return new LocalShortcutPolicy(value);
}

}  // namespace omniPolicy
