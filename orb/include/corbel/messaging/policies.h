// Policies of calls that are not the OMG's, and how other libraries add kinds of policies.
#pragma once

#include <corbel/cpp/any.h>
#include <corbel/cpp/policy.h>

namespace corbel::messaging {

class ConnectionTimeoutPolicy;
typedef ConnectionTimeoutPolicy* ConnectionTimeoutPolicy_ptr;
typedef cpp::ObjectVar<ConnectionTimeoutPolicy> ConnectionTimeoutPolicy_var;
typedef cpp::ObjectOut<ConnectionTimeoutPolicy> ConnectionTimeoutPolicy_out;

// How long it may take to set up a connection, in units of 100 ns; 0 is no limit but that of the call. Type,
// name and number are those that TAO gives the policy of this meaning.
class [[gnu::visibility("default")]] ConnectionTimeoutPolicy : public virtual CORBA::Policy {
 public:
  typedef ConnectionTimeoutPolicy_ptr _ptr_type;
  typedef ConnectionTimeoutPolicy_var _var_type;
  static constexpr const char* _corbel_id = "IDL:tao/TAO/ConnectionTimeoutPolicy:1.0";
  static ConnectionTimeoutPolicy_ptr _duplicate(ConnectionTimeoutPolicy_ptr policy) {
    return cpp::duplicate(policy);
  }
  static ConnectionTimeoutPolicy_ptr _narrow(CORBA::Object_ptr object) {
    return cpp::narrow_local<ConnectionTimeoutPolicy>(object);
  }
  static ConnectionTimeoutPolicy_ptr _unchecked_narrow(CORBA::Object_ptr object) { return _narrow(object); }
  static ConnectionTimeoutPolicy_ptr _nil() { return nullptr; }
  void* _corbel_widen(const char* id) override {
    return cpp::same_id(id, _corbel_id) ? this : Policy::_corbel_widen(id);
  }

  virtual CORBA::ULongLong relative_expiry() = 0;

 protected:
  ConnectionTimeoutPolicy() = default;
};
constexpr CORBA::PolicyType CONNECTION_TIMEOUT_POLICY_TYPE = 0x54410008;

// Makes a policy of one kind for ORB::create_policy; throws PolicyError.
typedef CORBA::Policy_ptr (*PolicyFactory)(const CORBA::Any& value);
// From now on create_policy makes policies of this type so, in every ORB of the process. False if there is
// another kind of this type. Any thread.
[[gnu::visibility("default")]] bool register_policy_kind(CORBA::PolicyType type, PolicyFactory factory);

}  // namespace corbel::messaging
