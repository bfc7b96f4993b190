// Exceptions of the classic C++ mapping (OMG C++ mapping 1.3, "Mapping for Exception Types").
#pragma once

#include <exception>

#include <corbel/base/error.h>
#include <corbel/cpp/types.h>

namespace corbel::cdr {
class Encoder;
}

namespace corbel::cpp {
class ExceptionInfo;  // <tao/Exception.h>
}

namespace CORBA {

// The upper bits of the minor codes that the OMG gives out.
constexpr ULong OMGVMCID = 0x4f4d0000;

enum CompletionStatus { COMPLETED_YES, COMPLETED_NO, COMPLETED_MAYBE };

// Base of all. Exceptions are told apart by repository id, so they cross shared libraries.
class [[gnu::visibility("default")]] Exception : public std::exception {
 public:
  virtual ~Exception();
  // Throws a copy of the most derived exception.
  [[noreturn]] virtual void _raise() const = 0;
  virtual const char* _name() const = 0;
  virtual const char* _rep_id() const = 0;
  const char* what() const noexcept override;
  virtual Exception* _corbel_duplicate() const = 0;
  // TAO's, in the library Corbel::compat-tao: writes `text` and what() to standard error; what() as a text.
  void _tao_print_exception(const char* text) const;
  corbel::cpp::ExceptionInfo _info() const;

 protected:
  Exception() = default;
  Exception(const Exception&) = default;
  Exception& operator=(const Exception&) = default;
};

// Base of the exceptions that IDL declares.
class [[gnu::visibility("default")]] UserException : public Exception {
 public:
  static UserException* _downcast(Exception* exception);
  static const UserException* _downcast(const Exception* exception);
  static UserException* _narrow(Exception* exception) { return _downcast(exception); }
  // For the ORB: the members in CDR.
  virtual void _marshal_members(corbel::cdr::Encoder& out) const = 0;

 protected:
  UserException() = default;
};

// Base of the standard exceptions. what() names the exception, its minor code and completion, and says what
// to do.
class [[gnu::visibility("default")]] SystemException : public Exception {
 public:
  static SystemException* _downcast(Exception* exception);
  static const SystemException* _downcast(const Exception* exception);
  static SystemException* _narrow(Exception* exception) { return _downcast(exception); }

  ULong minor() const { return error_.minor; }
  void minor(ULong value) { error_.minor = value; }
  CompletionStatus completed() const { return static_cast<CompletionStatus>(error_.completed); }
  void completed(CompletionStatus value) { error_.completed = static_cast<corbel::Completion>(value); }

  const char* _name() const override { return corbel::name(error_.id); }
  const char* _rep_id() const override { return corbel::repository_id(error_.id); }
  // omniORB's: a name of the minor code, null if it has none. Defined in the library Corbel::compat-omniorb.
  const char* NP_minorString() const;
  const char* what() const noexcept override;
  [[noreturn]] void _raise() const override;
  Exception* _corbel_duplicate() const override;
  const corbel::SystemError& _corbel_error() const { return error_; }

 protected:
  explicit SystemException(const corbel::SystemError& error) : error_(error) {}
  corbel::SystemError error_;

 private:
  mutable char text_[192] = "";
};

}  // namespace CORBA

namespace corbel::cpp {

// The exception, if it is of this class or derived from it: told by its repository id. Null is allowed.
[[gnu::visibility("default")]] bool is_exception(const CORBA::Exception* exception,
                                                 const char* repository_id);
template <typename E>
const E* downcast(const CORBA::Exception* exception) {
  return is_exception(exception, E::_corbel_id) ? static_cast<const E*>(exception) : nullptr;
}

// Throws the CORBA:: class of the error.
[[noreturn, gnu::visibility("default")]] void raise(const SystemError& error);
// `exception` if it is that standard exception, else null. Null is allowed.
[[gnu::visibility("default")]] CORBA::SystemException* standard(CORBA::Exception* exception,
                                                                SystemErrorId id);

}  // namespace corbel::cpp

namespace CORBA {

// What they can do by their number stands in their base, so that a class costs a program little.
#define CORBEL_STANDARD_EXCEPTION(Name)                                                           \
  class [[gnu::visibility("default")]] Name : public SystemException {                            \
   public:                                                                                        \
    static constexpr corbel::SystemErrorId _corbel_error_id = corbel::SystemErrorId::Name;        \
    explicit Name(ULong minor = 0, CompletionStatus completed = COMPLETED_NO)                     \
        : Name({_corbel_error_id, static_cast<corbel::Completion>(completed), minor, nullptr}) {} \
    explicit Name(const corbel::SystemError& error) : SystemException(error) {}                   \
    static Name* _downcast(Exception* exception) {                                                \
      return static_cast<Name*>(corbel::cpp::standard(exception, _corbel_error_id));              \
    }                                                                                             \
    static const Name* _downcast(const Exception* exception) {                                    \
      return _downcast(const_cast<Exception*>(exception));                                        \
    }                                                                                             \
    static Name* _narrow(Exception* exception) { return _downcast(exception); }                   \
  }
CORBEL_STANDARD_EXCEPTION(ACTIVITY_COMPLETED);
CORBEL_STANDARD_EXCEPTION(ACTIVITY_REQUIRED);
CORBEL_STANDARD_EXCEPTION(BAD_CONTEXT);
CORBEL_STANDARD_EXCEPTION(BAD_INV_ORDER);
CORBEL_STANDARD_EXCEPTION(BAD_OPERATION);
CORBEL_STANDARD_EXCEPTION(BAD_PARAM);
CORBEL_STANDARD_EXCEPTION(BAD_QOS);
CORBEL_STANDARD_EXCEPTION(BAD_TYPECODE);
CORBEL_STANDARD_EXCEPTION(CODESET_INCOMPATIBLE);
CORBEL_STANDARD_EXCEPTION(COMM_FAILURE);
CORBEL_STANDARD_EXCEPTION(DATA_CONVERSION);
CORBEL_STANDARD_EXCEPTION(FREE_MEM);
CORBEL_STANDARD_EXCEPTION(IMP_LIMIT);
CORBEL_STANDARD_EXCEPTION(INITIALIZE);
CORBEL_STANDARD_EXCEPTION(INTERNAL);
CORBEL_STANDARD_EXCEPTION(INTF_REPOS);
CORBEL_STANDARD_EXCEPTION(INVALID_ACTIVITY);
CORBEL_STANDARD_EXCEPTION(INVALID_TRANSACTION);
CORBEL_STANDARD_EXCEPTION(INV_FLAG);
CORBEL_STANDARD_EXCEPTION(INV_IDENT);
CORBEL_STANDARD_EXCEPTION(INV_OBJREF);
CORBEL_STANDARD_EXCEPTION(INV_POLICY);
CORBEL_STANDARD_EXCEPTION(MARSHAL);
CORBEL_STANDARD_EXCEPTION(NO_IMPLEMENT);
CORBEL_STANDARD_EXCEPTION(NO_MEMORY);
CORBEL_STANDARD_EXCEPTION(NO_PERMISSION);
CORBEL_STANDARD_EXCEPTION(NO_RESOURCES);
CORBEL_STANDARD_EXCEPTION(NO_RESPONSE);
CORBEL_STANDARD_EXCEPTION(OBJECT_NOT_EXIST);
CORBEL_STANDARD_EXCEPTION(OBJ_ADAPTER);
CORBEL_STANDARD_EXCEPTION(PERSIST_STORE);
CORBEL_STANDARD_EXCEPTION(REBIND);
CORBEL_STANDARD_EXCEPTION(TIMEOUT);
CORBEL_STANDARD_EXCEPTION(TRANSACTION_MODE);
CORBEL_STANDARD_EXCEPTION(TRANSACTION_REQUIRED);
CORBEL_STANDARD_EXCEPTION(TRANSACTION_ROLLEDBACK);
CORBEL_STANDARD_EXCEPTION(TRANSACTION_UNAVAILABLE);
CORBEL_STANDARD_EXCEPTION(TRANSIENT);
CORBEL_STANDARD_EXCEPTION(UNKNOWN);
#undef CORBEL_STANDARD_EXCEPTION

}  // namespace CORBA
