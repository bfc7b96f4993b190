// CORBA::Policy (CORBA 3.4 part 1, "Policy Objects").
#pragma once

#include <corbel/cpp/local_exception.h>
#include <corbel/cpp/object.h>
#include <corbel/cpp/sequence.h>
#include <corbel/cpp/var.h>

namespace CORBA {

typedef ULong PolicyType;
typedef PolicyType& PolicyType_out;

class Policy;
typedef Policy* Policy_ptr;
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
