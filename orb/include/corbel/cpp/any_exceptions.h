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

}  // namespace corbel::tc

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

// Holds the exception that a call ended with, or none. Counted; one thread at a time.
class [[gnu::visibility("default")]] Environment {
 public:
  typedef Environment_ptr _ptr_type;
  typedef Environment_var _var_type;
  Environment() = default;
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
  ~Environment();
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
