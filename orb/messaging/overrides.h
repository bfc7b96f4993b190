// The policies that a reference, a thread or an ORB has, and what they say of calls.
#pragma once

#include <corbel/messaging.h>

#include "orb/core/call_settings.h"
#include "orb/core/orb.h"

namespace corbel::messaging {

// A list of policies, one of a type. Immutable.
class Overrides final : public core::CallOverrides {
 public:
  // Of `present`, which may be null, and `added`. Throws what set_policy_overrides raises.
  static base::Ref<Overrides> make(const Overrides* present, const CORBA::PolicyList& added,
                                   CORBA::SetOverrideType how);
  // Null if there is none.
  CORBA::Policy_ptr find(CORBA::PolicyType type) const;
  // Those of these types, or all. The caller owns the list.
  CORBA::PolicyList* list(const CORBA::PolicyTypeSeq& types) const;

  Overrides(CORBA::PolicyList policies, const core::CallSettings& settings)
      : CallOverrides(settings), policies_(std::move(policies)) {}

 private:
  const CORBA::PolicyList policies_;
};

// Null where nothing has been set.
const Overrides* overrides_of_thread();
base::Ref<Overrides> overrides_of(core::Orb& orb);

// Whether it is a policy of calls, and whether it limits their time.
bool concerns_calls(CORBA::PolicyType type);
// Whether references, threads and ORBs can have it: a policy of calls or of the connections that they take.
bool overridable(CORBA::PolicyType type);
bool is_time(CORBA::PolicyType type);
// That this policy, of an overridable type, puts in.
void add_setting(CORBA::Policy& policy, core::CallSettings& settings);
// One that says what is set there; null where that is nothing.
CORBA::Policy_ptr policy_of_setting(CORBA::PolicyType type, const core::CallSettings& settings);
// What is so where nothing is set; null if there is no such kind, or nothing is so.
CORBA::Policy_ptr default_policy(CORBA::PolicyType type);
// As a server's reference has it; null if it is malformed.
CORBA::Policy_ptr policy_of_octets(CORBA::PolicyType type, cdr::Decoder& in);
// A kind of policies of calls that another library of Corbel's has.
struct CallPolicyKind {
  CORBA::PolicyType type;
  PolicyFactory make;
  // As add_setting().
  void (*add)(CORBA::Policy& policy, core::CallSettings& settings);
  // As policy_of_octets().
  CORBA::Policy_ptr (*decode)(cdr::Decoder& in);
  // What both ends' come to; `ours` may be null.
  CORBA::Policy_ptr (*reconcile)(CORBA::Policy_ptr ours, CORBA::Policy_ptr theirs);
};
// `kind` lives on. Any thread, any number of times.
void register_call_policy(const CallPolicyKind& kind);
// Null if there is none.
const CallPolicyKind* find_call_policy(CORBA::PolicyType type);
// Kinds of policies that an ORB has of its own: its addition, where it has one.
class OrbPolicyKinds : public core::OrbAddition {
 public:
  // Null if there is no such kind; else as make_policy().
  virtual CORBA::Policy_ptr make(CORBA::PolicyType type, const CORBA::Any& value) = 0;
};
// From now on references, threads and ORBs may have policies of this type, which the ORB itself does not
// know.
void allow_overrides_of(CORBA::PolicyType type);
// What create_policy gives where the ORB has no such kind of its own, or throws.
CORBA::Policy_ptr make_policy(CORBA::PolicyType type, const CORBA::Any& value);
// Whether it knows the type, whatever the value.
bool knows_policy(CORBA::PolicyType type);

}  // namespace corbel::messaging
