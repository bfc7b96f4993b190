// CORBA::Policy and what manages policies (CORBA 3.4 part 1, "Policy Objects" and "Management of Policies").
// All but Policy itself is in the library Corbel::messaging, and <corbel/messaging.h> has the rest of it.
#pragma once

#include <corbel/cpp/local_exception.h>
#include <corbel/cpp/object.h>
#include <corbel/cpp/sequence.h>
#include <corbel/cpp/var.h>

namespace corbel::core {
struct AdapterPolicies;
}  // namespace corbel::core

namespace CORBA {

typedef PolicyType& PolicyType_out;
typedef corbel::cpp::ObjectVar<Policy> Policy_var;
typedef corbel::cpp::ObjectOut<Policy> Policy_out;

// Those of the ORB are immutable, so any thread may use them. Counted like references.
class [[gnu::visibility("default")]] Policy : public virtual LocalObject {
 public:
  typedef Policy_ptr _ptr_type;
  typedef Policy_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/CORBA/Policy:1.0";
  static Policy_ptr _duplicate(Policy_ptr policy) { return corbel::cpp::duplicate(policy); }
  static Policy_ptr _narrow(Object_ptr object);
  static Policy_ptr _nil() { return nullptr; }
  void* _corbel_widen(const char* repository_id) override;

  virtual PolicyType policy_type() = 0;
  virtual Policy_ptr copy() = 0;
  virtual void destroy() = 0;
  // The value of one that allows what is never done here; adapters are made as if it were not there.
  static constexpr ULong _corbel_no_effect = 0xffffffff;
  // What the ORB knows of its own policies.
  virtual ULong _corbel_value() const { return 0; }
  // Adds what it says of the references and the replies of adapters that have it; false if it says nothing of
  // them.
  virtual bool _corbel_add_to(corbel::core::AdapterPolicies& policies) const;

 protected:
  Policy() = default;
};

class [[gnu::visibility("default")]] PolicyList : public corbel::cpp::UnboundedObjectSequence<Policy> {
 public:
  using UnboundedObjectSequence::UnboundedObjectSequence;
};
typedef corbel::cpp::SequenceVar<PolicyList> PolicyList_var;
typedef corbel::cpp::VariableOut<PolicyList, PolicyList_var> PolicyList_out;

typedef Short PolicyErrorCode;
typedef PolicyErrorCode& PolicyErrorCode_out;
constexpr PolicyErrorCode BAD_POLICY = 0;
constexpr PolicyErrorCode UNSUPPORTED_POLICY = 1;
constexpr PolicyErrorCode BAD_POLICY_TYPE = 2;
constexpr PolicyErrorCode BAD_POLICY_VALUE = 3;
constexpr PolicyErrorCode UNSUPPORTED_POLICY_VALUE = 4;

class [[gnu::visibility("default")]] PolicyError : public corbel::cpp::LocalException<PolicyError> {
 public:
  static constexpr const char* kName = "PolicyError";
  static constexpr const char* kId = "IDL:omg.org/CORBA/PolicyError:1.0";
  static constexpr const char* _corbel_id = kId;
  PolicyError() = default;
  explicit PolicyError(PolicyErrorCode code) : reason(code) {}
  void _marshal_members(corbel::cdr::Encoder& out) const override { out.put(reason); }
  PolicyErrorCode reason = BAD_POLICY;
};

// What tells a thread about itself.
class Current;
typedef Current* Current_ptr;
typedef corbel::cpp::ObjectVar<Current> Current_var;
typedef corbel::cpp::ObjectOut<Current> Current_out;

class [[gnu::visibility("default")]] Current : public virtual LocalObject {
 public:
  typedef Current_ptr _ptr_type;
  typedef Current_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/CORBA/Current:1.0";
  static Current_ptr _duplicate(Current_ptr current) { return corbel::cpp::duplicate(current); }
  static Current_ptr _narrow(Object_ptr object) { return corbel::cpp::narrow_local<Current>(object); }
  static Current_ptr _unchecked_narrow(Object_ptr object) { return _narrow(object); }
  static Current_ptr _nil() { return nullptr; }
  void* _corbel_widen(const char* id) override {
    return corbel::cpp::same_id(id, _corbel_id) ? this : Object::_corbel_widen(id);
  }

 protected:
  Current() = default;
};

class PolicyManager;
typedef PolicyManager* PolicyManager_ptr;
typedef corbel::cpp::ObjectVar<PolicyManager> PolicyManager_var;
typedef corbel::cpp::ObjectOut<PolicyManager> PolicyManager_out;

// The policies that all calls of an ORB have: resolve_initial_references("ORBPolicyManager"). Thread-safe;
// calls that begin afterwards have them.
class [[gnu::visibility("default")]] PolicyManager : public virtual LocalObject {
 public:
  typedef PolicyManager_ptr _ptr_type;
  typedef PolicyManager_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/CORBA/PolicyManager:1.0";
  static PolicyManager_ptr _duplicate(PolicyManager_ptr manager) { return corbel::cpp::duplicate(manager); }
  // Makes the manager of what resolve_initial_references gave.
  static PolicyManager_ptr _narrow(Object_ptr object);
  static PolicyManager_ptr _unchecked_narrow(Object_ptr object) { return _narrow(object); }
  static PolicyManager_ptr _nil() { return nullptr; }
  void* _corbel_widen(const char* id) override {
    return corbel::cpp::same_id(id, _corbel_id) ? this : Object::_corbel_widen(id);
  }

  // Those of these types that are set here, or all of them. The caller owns the list.
  virtual PolicyList* get_policy_overrides(const PolicyTypeSeq& types) = 0;
  // In place of all (SET_OVERRIDE) or only of those of the same types (ADD_OVERRIDE). Errors as those of
  // Object::_set_policy_overrides.
  virtual void set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) = 0;

 protected:
  PolicyManager() = default;
};

class PolicyCurrent;
typedef PolicyCurrent* PolicyCurrent_ptr;
typedef corbel::cpp::ObjectVar<PolicyCurrent> PolicyCurrent_var;
typedef corbel::cpp::ObjectOut<PolicyCurrent> PolicyCurrent_out;

// The policies that all calls of the calling thread have, whatever ORB it calls:
// resolve_initial_references("PolicyCurrent").
class [[gnu::visibility("default")]] PolicyCurrent : public virtual PolicyManager, public virtual Current {
 public:
  typedef PolicyCurrent_ptr _ptr_type;
  typedef PolicyCurrent_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/CORBA/PolicyCurrent:1.0";
  static PolicyCurrent_ptr _duplicate(PolicyCurrent_ptr current) { return corbel::cpp::duplicate(current); }
  // Makes it of what resolve_initial_references gave.
  static PolicyCurrent_ptr _narrow(Object_ptr object);
  static PolicyCurrent_ptr _unchecked_narrow(Object_ptr object) { return _narrow(object); }
  static PolicyCurrent_ptr _nil() { return nullptr; }
  void* _corbel_widen(const char* id) override {
    if (corbel::cpp::same_id(id, _corbel_id)) return this;
    void* const manager = PolicyManager::_corbel_widen(id);
    return manager ? manager : Current::_corbel_widen(id);
  }

 protected:
  PolicyCurrent() = default;
};

}  // namespace CORBA

namespace corbel::cdr {

inline void marshal(Encoder& out, const CORBA::PolicyError& error) { error._marshal_members(out); }
inline bool unmarshal(Decoder& in, CORBA::PolicyError& error) { return in.get(error.reason); }

// Policies are local: none but nil can be sent or arrive.
inline void marshal(Encoder& out, const CORBA::PolicyList& value) {
  out.put<CORBA::ULong>(value.length());
  for (CORBA::ULong i = 0; i < value.length(); ++i) corbel::cpp::put_object(out, value.get_buffer()[i]);
}
inline bool unmarshal(Decoder& in, CORBA::PolicyList& value) {
  CORBA::ULong n;
  if (!in.get_length(n, 8)) return false;
  auto* const v = value._corbel_overwrite(n);
  for (CORBA::ULong i = 0; i < n; ++i)
    if (!corbel::cpp::get_reference(in, v[i])) return false;
  return true;
}

}  // namespace corbel::cdr
