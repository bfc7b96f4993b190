// CORBA::Policy (CORBA 3.4 part 1, "Policy Objects").
#pragma once

#include <corbel/cpp/local_exception.h>
#include <corbel/cpp/object.h>
#include <corbel/cpp/sequence.h>
#include <corbel/cpp/var.h>

namespace CORBA {

typedef ULong PolicyType;

class Policy;
typedef Policy* Policy_ptr;
typedef corbel::cpp::ObjectVar<Policy> Policy_var;

// Immutable, so any thread may use it. Counted like a reference.
class [[gnu::visibility("default")]] Policy : public LocalObject {
 public:
  typedef Policy_ptr _ptr_type;
  typedef Policy_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/CORBA/Policy:1.0";
  static Policy_ptr _duplicate(Policy_ptr policy) { return corbel::cpp::duplicate(policy); }
  static Policy_ptr _narrow(Object_ptr object);
  static Policy_ptr _nil() { return nullptr; }
  void* _corbel_widen(const char* repository_id) override;

  PolicyType policy_type() const { return type_; }
  virtual Policy_ptr copy() = 0;
  void destroy() {}
  ULong _corbel_value() const { return value_; }

 protected:
  Policy(PolicyType type, ULong value) : type_(type), value_(value) {}

 private:
  const PolicyType type_;
  const ULong value_;
};

class [[gnu::visibility("default")]] PolicyList : public corbel::cpp::UnboundedObjectSequence<Policy> {
 public:
  using UnboundedObjectSequence::UnboundedObjectSequence;
};
typedef corbel::cpp::SequenceVar<PolicyList> PolicyList_var;

typedef Short PolicyErrorCode;
const PolicyErrorCode BAD_POLICY = 0;
const PolicyErrorCode UNSUPPORTED_POLICY = 1;
const PolicyErrorCode BAD_POLICY_TYPE = 2;
const PolicyErrorCode BAD_POLICY_VALUE = 3;
const PolicyErrorCode UNSUPPORTED_POLICY_VALUE = 4;

class [[gnu::visibility("default")]] PolicyError : public corbel::cpp::LocalException<PolicyError> {
 public:
  static constexpr const char* kName = "PolicyError";
  static constexpr const char* kId = "IDL:omg.org/CORBA/PolicyError:1.0";
  PolicyError() = default;
  explicit PolicyError(PolicyErrorCode code) : reason(code) {}
  void _marshal_members(corbel::cdr::Encoder& out) const override { out.put(reason); }
  PolicyErrorCode reason = BAD_POLICY;
};

}  // namespace CORBA
