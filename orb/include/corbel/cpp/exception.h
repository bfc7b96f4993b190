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
  const corbel::SystemError& _corbel_error() const { return error_; }

 protected:
  explicit SystemException(const corbel::SystemError& error) : error_(error) {}
  corbel::SystemError error_;

 private:
  mutable char text_[192] = "";
};

}  // namespace CORBA

namespace corbel::cpp {

// One standard exception; its name in CORBA:: is a class of its own that derives from this.
template <typename Self, SystemErrorId Id>
class StandardException : public CORBA::SystemException {
 public:
  static constexpr SystemErrorId _corbel_error_id = Id;
  explicit StandardException(CORBA::ULong minor = 0, CORBA::CompletionStatus completed = CORBA::COMPLETED_NO)
      : SystemException({Id, static_cast<Completion>(completed), minor, nullptr}) {}
  explicit StandardException(const SystemError& error) : SystemException(error) {}
  static Self* _downcast(CORBA::Exception* exception) {
    return const_cast<Self*>(_downcast(static_cast<const CORBA::Exception*>(exception)));
  }
  static const Self* _downcast(const CORBA::Exception* exception) {
    const CORBA::SystemException* const system = CORBA::SystemException::_downcast(exception);
    return system && system->_corbel_error().id == Id ? static_cast<const Self*>(system) : nullptr;
  }
  static Self* _narrow(CORBA::Exception* exception) { return _downcast(exception); }
  [[noreturn]] void _raise() const override { throw Self(error_); }
  CORBA::Exception* _corbel_duplicate() const override { return new Self(error_); }
};

// The exception, if it is of this class or derived from it: told by its repository id. Null is allowed.
[[gnu::visibility("default")]] bool is_exception(const CORBA::Exception* exception,
                                                 const char* repository_id);
template <typename E>
const E* downcast(const CORBA::Exception* exception) {
  return is_exception(exception, E::_corbel_id) ? static_cast<const E*>(exception) : nullptr;
}

// Throws the CORBA:: class of the error.
[[noreturn, gnu::visibility("default")]] void raise(const SystemError& error);

}  // namespace corbel::cpp

namespace CORBA {

class [[gnu::visibility("default")]] ACTIVITY_COMPLETED
    : public corbel::cpp::StandardException<ACTIVITY_COMPLETED, corbel::SystemErrorId::ACTIVITY_COMPLETED> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] ACTIVITY_REQUIRED
    : public corbel::cpp::StandardException<ACTIVITY_REQUIRED, corbel::SystemErrorId::ACTIVITY_REQUIRED> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] BAD_CONTEXT
    : public corbel::cpp::StandardException<BAD_CONTEXT, corbel::SystemErrorId::BAD_CONTEXT> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] BAD_INV_ORDER
    : public corbel::cpp::StandardException<BAD_INV_ORDER, corbel::SystemErrorId::BAD_INV_ORDER> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] BAD_OPERATION
    : public corbel::cpp::StandardException<BAD_OPERATION, corbel::SystemErrorId::BAD_OPERATION> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] BAD_PARAM
    : public corbel::cpp::StandardException<BAD_PARAM, corbel::SystemErrorId::BAD_PARAM> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] BAD_QOS
    : public corbel::cpp::StandardException<BAD_QOS, corbel::SystemErrorId::BAD_QOS> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] BAD_TYPECODE
    : public corbel::cpp::StandardException<BAD_TYPECODE, corbel::SystemErrorId::BAD_TYPECODE> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] CODESET_INCOMPATIBLE
    : public corbel::cpp::StandardException<CODESET_INCOMPATIBLE,
                                            corbel::SystemErrorId::CODESET_INCOMPATIBLE> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] COMM_FAILURE
    : public corbel::cpp::StandardException<COMM_FAILURE, corbel::SystemErrorId::COMM_FAILURE> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] DATA_CONVERSION
    : public corbel::cpp::StandardException<DATA_CONVERSION, corbel::SystemErrorId::DATA_CONVERSION> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] FREE_MEM
    : public corbel::cpp::StandardException<FREE_MEM, corbel::SystemErrorId::FREE_MEM> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] IMP_LIMIT
    : public corbel::cpp::StandardException<IMP_LIMIT, corbel::SystemErrorId::IMP_LIMIT> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] INITIALIZE
    : public corbel::cpp::StandardException<INITIALIZE, corbel::SystemErrorId::INITIALIZE> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] INTERNAL
    : public corbel::cpp::StandardException<INTERNAL, corbel::SystemErrorId::INTERNAL> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] INTF_REPOS
    : public corbel::cpp::StandardException<INTF_REPOS, corbel::SystemErrorId::INTF_REPOS> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] INVALID_ACTIVITY
    : public corbel::cpp::StandardException<INVALID_ACTIVITY, corbel::SystemErrorId::INVALID_ACTIVITY> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] INVALID_TRANSACTION
    : public corbel::cpp::StandardException<INVALID_TRANSACTION, corbel::SystemErrorId::INVALID_TRANSACTION> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] INV_FLAG
    : public corbel::cpp::StandardException<INV_FLAG, corbel::SystemErrorId::INV_FLAG> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] INV_IDENT
    : public corbel::cpp::StandardException<INV_IDENT, corbel::SystemErrorId::INV_IDENT> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] INV_OBJREF
    : public corbel::cpp::StandardException<INV_OBJREF, corbel::SystemErrorId::INV_OBJREF> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] INV_POLICY
    : public corbel::cpp::StandardException<INV_POLICY, corbel::SystemErrorId::INV_POLICY> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] MARSHAL
    : public corbel::cpp::StandardException<MARSHAL, corbel::SystemErrorId::MARSHAL> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] NO_IMPLEMENT
    : public corbel::cpp::StandardException<NO_IMPLEMENT, corbel::SystemErrorId::NO_IMPLEMENT> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] NO_MEMORY
    : public corbel::cpp::StandardException<NO_MEMORY, corbel::SystemErrorId::NO_MEMORY> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] NO_PERMISSION
    : public corbel::cpp::StandardException<NO_PERMISSION, corbel::SystemErrorId::NO_PERMISSION> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] NO_RESOURCES
    : public corbel::cpp::StandardException<NO_RESOURCES, corbel::SystemErrorId::NO_RESOURCES> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] NO_RESPONSE
    : public corbel::cpp::StandardException<NO_RESPONSE, corbel::SystemErrorId::NO_RESPONSE> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] OBJECT_NOT_EXIST
    : public corbel::cpp::StandardException<OBJECT_NOT_EXIST, corbel::SystemErrorId::OBJECT_NOT_EXIST> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] OBJ_ADAPTER
    : public corbel::cpp::StandardException<OBJ_ADAPTER, corbel::SystemErrorId::OBJ_ADAPTER> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] PERSIST_STORE
    : public corbel::cpp::StandardException<PERSIST_STORE, corbel::SystemErrorId::PERSIST_STORE> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] REBIND
    : public corbel::cpp::StandardException<REBIND, corbel::SystemErrorId::REBIND> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] TIMEOUT
    : public corbel::cpp::StandardException<TIMEOUT, corbel::SystemErrorId::TIMEOUT> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] TRANSACTION_MODE
    : public corbel::cpp::StandardException<TRANSACTION_MODE, corbel::SystemErrorId::TRANSACTION_MODE> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] TRANSACTION_REQUIRED
    : public corbel::cpp::StandardException<TRANSACTION_REQUIRED,
                                            corbel::SystemErrorId::TRANSACTION_REQUIRED> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] TRANSACTION_ROLLEDBACK
    : public corbel::cpp::StandardException<TRANSACTION_ROLLEDBACK,
                                            corbel::SystemErrorId::TRANSACTION_ROLLEDBACK> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] TRANSACTION_UNAVAILABLE
    : public corbel::cpp::StandardException<TRANSACTION_UNAVAILABLE,
                                            corbel::SystemErrorId::TRANSACTION_UNAVAILABLE> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] TRANSIENT
    : public corbel::cpp::StandardException<TRANSIENT, corbel::SystemErrorId::TRANSIENT> {
 public:
  using StandardException::StandardException;
};

class [[gnu::visibility("default")]] UNKNOWN
    : public corbel::cpp::StandardException<UNKNOWN, corbel::SystemErrorId::UNKNOWN> {
 public:
  using StandardException::StandardException;
};

}  // namespace CORBA
