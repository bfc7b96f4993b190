// Exceptions that concern Anys: standard ones in an Any, those that nobody has a class for, and
// CORBA::Environment, which holds one (CORBA 3.4 part 1, "Exceptions"; OMG C++ mapping 1.3, "Environment").
#pragma once

#include <corbel/cpp/any.h>
#include <corbel/cpp/exception.h>

namespace corbel::tc {

// enum completion_status { COMPLETED_YES, COMPLETED_NO, COMPLETED_MAYBE };
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_completion_status;
// exception { unsigned long minor; completion_status completed; } of that name
[[gnu::visibility("default")]] CORBA::TypeCode& system_exception(SystemErrorId id);
// In the order of SystemErrorId.
[[gnu::visibility("default")]] extern CORBA::TypeCode _system_exceptions[kSystemErrorCount];

constexpr CORBA::TypeCode_ptr constant(SystemErrorId id) { return _system_exceptions + static_cast<int>(id); }

}  // namespace corbel::tc

namespace CORBA {

constexpr TypeCode_ptr _tc_completion_status = &corbel::tc::_tc_completion_status;
constexpr TypeCode_ptr _tc_ACTIVITY_COMPLETED =
    corbel::tc::constant(corbel::SystemErrorId::ACTIVITY_COMPLETED);
constexpr TypeCode_ptr _tc_ACTIVITY_REQUIRED = corbel::tc::constant(corbel::SystemErrorId::ACTIVITY_REQUIRED);
constexpr TypeCode_ptr _tc_BAD_CONTEXT = corbel::tc::constant(corbel::SystemErrorId::BAD_CONTEXT);
constexpr TypeCode_ptr _tc_BAD_INV_ORDER = corbel::tc::constant(corbel::SystemErrorId::BAD_INV_ORDER);
constexpr TypeCode_ptr _tc_BAD_OPERATION = corbel::tc::constant(corbel::SystemErrorId::BAD_OPERATION);
constexpr TypeCode_ptr _tc_BAD_PARAM = corbel::tc::constant(corbel::SystemErrorId::BAD_PARAM);
constexpr TypeCode_ptr _tc_BAD_QOS = corbel::tc::constant(corbel::SystemErrorId::BAD_QOS);
constexpr TypeCode_ptr _tc_BAD_TYPECODE = corbel::tc::constant(corbel::SystemErrorId::BAD_TYPECODE);
constexpr TypeCode_ptr _tc_CODESET_INCOMPATIBLE =
    corbel::tc::constant(corbel::SystemErrorId::CODESET_INCOMPATIBLE);
constexpr TypeCode_ptr _tc_COMM_FAILURE = corbel::tc::constant(corbel::SystemErrorId::COMM_FAILURE);
constexpr TypeCode_ptr _tc_DATA_CONVERSION = corbel::tc::constant(corbel::SystemErrorId::DATA_CONVERSION);
constexpr TypeCode_ptr _tc_FREE_MEM = corbel::tc::constant(corbel::SystemErrorId::FREE_MEM);
constexpr TypeCode_ptr _tc_IMP_LIMIT = corbel::tc::constant(corbel::SystemErrorId::IMP_LIMIT);
constexpr TypeCode_ptr _tc_INITIALIZE = corbel::tc::constant(corbel::SystemErrorId::INITIALIZE);
constexpr TypeCode_ptr _tc_INTERNAL = corbel::tc::constant(corbel::SystemErrorId::INTERNAL);
constexpr TypeCode_ptr _tc_INTF_REPOS = corbel::tc::constant(corbel::SystemErrorId::INTF_REPOS);
constexpr TypeCode_ptr _tc_INVALID_ACTIVITY = corbel::tc::constant(corbel::SystemErrorId::INVALID_ACTIVITY);
constexpr TypeCode_ptr _tc_INVALID_TRANSACTION =
    corbel::tc::constant(corbel::SystemErrorId::INVALID_TRANSACTION);
constexpr TypeCode_ptr _tc_INV_FLAG = corbel::tc::constant(corbel::SystemErrorId::INV_FLAG);
constexpr TypeCode_ptr _tc_INV_IDENT = corbel::tc::constant(corbel::SystemErrorId::INV_IDENT);
constexpr TypeCode_ptr _tc_INV_OBJREF = corbel::tc::constant(corbel::SystemErrorId::INV_OBJREF);
constexpr TypeCode_ptr _tc_INV_POLICY = corbel::tc::constant(corbel::SystemErrorId::INV_POLICY);
constexpr TypeCode_ptr _tc_MARSHAL = corbel::tc::constant(corbel::SystemErrorId::MARSHAL);
constexpr TypeCode_ptr _tc_NO_IMPLEMENT = corbel::tc::constant(corbel::SystemErrorId::NO_IMPLEMENT);
constexpr TypeCode_ptr _tc_NO_MEMORY = corbel::tc::constant(corbel::SystemErrorId::NO_MEMORY);
constexpr TypeCode_ptr _tc_NO_PERMISSION = corbel::tc::constant(corbel::SystemErrorId::NO_PERMISSION);
constexpr TypeCode_ptr _tc_NO_RESOURCES = corbel::tc::constant(corbel::SystemErrorId::NO_RESOURCES);
constexpr TypeCode_ptr _tc_NO_RESPONSE = corbel::tc::constant(corbel::SystemErrorId::NO_RESPONSE);
constexpr TypeCode_ptr _tc_OBJECT_NOT_EXIST = corbel::tc::constant(corbel::SystemErrorId::OBJECT_NOT_EXIST);
constexpr TypeCode_ptr _tc_OBJ_ADAPTER = corbel::tc::constant(corbel::SystemErrorId::OBJ_ADAPTER);
constexpr TypeCode_ptr _tc_PERSIST_STORE = corbel::tc::constant(corbel::SystemErrorId::PERSIST_STORE);
constexpr TypeCode_ptr _tc_REBIND = corbel::tc::constant(corbel::SystemErrorId::REBIND);
constexpr TypeCode_ptr _tc_TIMEOUT = corbel::tc::constant(corbel::SystemErrorId::TIMEOUT);
constexpr TypeCode_ptr _tc_TRANSACTION_MODE = corbel::tc::constant(corbel::SystemErrorId::TRANSACTION_MODE);
constexpr TypeCode_ptr _tc_TRANSACTION_REQUIRED =
    corbel::tc::constant(corbel::SystemErrorId::TRANSACTION_REQUIRED);
constexpr TypeCode_ptr _tc_TRANSACTION_ROLLEDBACK =
    corbel::tc::constant(corbel::SystemErrorId::TRANSACTION_ROLLEDBACK);
constexpr TypeCode_ptr _tc_TRANSACTION_UNAVAILABLE =
    corbel::tc::constant(corbel::SystemErrorId::TRANSACTION_UNAVAILABLE);
constexpr TypeCode_ptr _tc_TRANSIENT = corbel::tc::constant(corbel::SystemErrorId::TRANSIENT);
constexpr TypeCode_ptr _tc_UNKNOWN = corbel::tc::constant(corbel::SystemErrorId::UNKNOWN);

}  // namespace CORBA

namespace CORBA {

// A user exception whose class is not known here: the Any holds it.
class [[gnu::visibility("default")]] UnknownUserException : public UserException {
 public:
  UnknownUserException() = default;
  explicit UnknownUserException(Any* adopted) : any_(adopted) {}
  static UnknownUserException* _downcast(Exception* exception) {
    return dynamic_cast<UnknownUserException*>(exception);
  }
  static const UnknownUserException* _downcast(const Exception* exception) {
    return dynamic_cast<const UnknownUserException*>(exception);
  }
  static UnknownUserException* _narrow(Exception* exception) { return _downcast(exception); }

  Any& exception() { return any_.inout(); }
  const Any& exception() const { return any_.in(); }

  [[noreturn]] void _raise() const override;
  const char* _name() const override { return "UnknownUserException"; }
  const char* _rep_id() const override { return "IDL:omg.org/CORBA/UnknownUserException:1.0"; }
  Exception* _corbel_duplicate() const override { return new UnknownUserException(*this); }
  void _marshal_members(corbel::cdr::Encoder& out) const override;

 private:
  Any_var any_ = new Any;
};

class Environment;
typedef Environment* Environment_ptr;
typedef corbel::cpp::ObjectVar<Environment> Environment_var;
typedef corbel::cpp::ObjectOut<Environment> Environment_out;

// Holds the exception that a call ended with, or none. Counted, unless it is an automatic variable or a
// member; one thread at a time.
class [[gnu::visibility("default")]] Environment {
 public:
  typedef Environment_ptr _ptr_type;
  typedef Environment_var _var_type;
  Environment() = default;
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  static Environment_ptr _duplicate(Environment_ptr environment) {
    if (environment) environment->_corbel_add_ref();
    return environment;
  }
  static Environment_ptr _nil() { return nullptr; }

  // Takes the exception over; null is none.
  void exception(Exception* adopted);
  // Stays the environment's.
  Exception* exception() const { return exception_; }
  void clear() { exception(nullptr); }

  void _corbel_add_ref();
  void _corbel_remove_ref();

 private:
  Exception* exception_ = nullptr;
  ULong count_ = 1;
};

inline void release(Environment* environment) { corbel::cpp::drop(environment); }
inline Boolean is_nil(Environment* environment) { return environment == nullptr; }

// Standard exceptions: copied, or taken over.
[[gnu::visibility("default")]] void operator<<=(Any& any, const SystemException& exception);
[[gnu::visibility("default")]] void operator<<=(Any& any, SystemException* adopted);
// Any of them.
[[gnu::visibility("default")]] Boolean operator>>=(const Any& any, const SystemException*& exception);
template <typename E>
auto operator>>=(const Any& any, const E*& exception)
    -> decltype(static_cast<void>(E::_corbel_error_id), Boolean()) {
  const SystemException* found;
  if (!(any >>= found) || found->_corbel_error().id != E::_corbel_error_id) return false;
  exception = static_cast<const E*>(found);
  return true;
}

}  // namespace CORBA
