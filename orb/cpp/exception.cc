#include <corbel/cpp/exception.h>

#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include "orb/base/detail.h"

namespace {

using corbel::SystemErrorId;

template <typename Exception>
struct Type {
  using Class = Exception;
};

// Calls `use` with the Type of the standard exception.
template <typename Use>
void of_class(SystemErrorId id, Use use) {
  switch (id) {
    case SystemErrorId::ACTIVITY_COMPLETED:
      return use(Type<CORBA::ACTIVITY_COMPLETED>());
    case SystemErrorId::ACTIVITY_REQUIRED:
      return use(Type<CORBA::ACTIVITY_REQUIRED>());
    case SystemErrorId::BAD_CONTEXT:
      return use(Type<CORBA::BAD_CONTEXT>());
    case SystemErrorId::BAD_INV_ORDER:
      return use(Type<CORBA::BAD_INV_ORDER>());
    case SystemErrorId::BAD_OPERATION:
      return use(Type<CORBA::BAD_OPERATION>());
    case SystemErrorId::BAD_PARAM:
      return use(Type<CORBA::BAD_PARAM>());
    case SystemErrorId::BAD_QOS:
      return use(Type<CORBA::BAD_QOS>());
    case SystemErrorId::BAD_TYPECODE:
      return use(Type<CORBA::BAD_TYPECODE>());
    case SystemErrorId::CODESET_INCOMPATIBLE:
      return use(Type<CORBA::CODESET_INCOMPATIBLE>());
    case SystemErrorId::COMM_FAILURE:
      return use(Type<CORBA::COMM_FAILURE>());
    case SystemErrorId::DATA_CONVERSION:
      return use(Type<CORBA::DATA_CONVERSION>());
    case SystemErrorId::FREE_MEM:
      return use(Type<CORBA::FREE_MEM>());
    case SystemErrorId::IMP_LIMIT:
      return use(Type<CORBA::IMP_LIMIT>());
    case SystemErrorId::INITIALIZE:
      return use(Type<CORBA::INITIALIZE>());
    case SystemErrorId::INTERNAL:
      return use(Type<CORBA::INTERNAL>());
    case SystemErrorId::INTF_REPOS:
      return use(Type<CORBA::INTF_REPOS>());
    case SystemErrorId::INVALID_ACTIVITY:
      return use(Type<CORBA::INVALID_ACTIVITY>());
    case SystemErrorId::INVALID_TRANSACTION:
      return use(Type<CORBA::INVALID_TRANSACTION>());
    case SystemErrorId::INV_FLAG:
      return use(Type<CORBA::INV_FLAG>());
    case SystemErrorId::INV_IDENT:
      return use(Type<CORBA::INV_IDENT>());
    case SystemErrorId::INV_OBJREF:
      return use(Type<CORBA::INV_OBJREF>());
    case SystemErrorId::INV_POLICY:
      return use(Type<CORBA::INV_POLICY>());
    case SystemErrorId::MARSHAL:
      return use(Type<CORBA::MARSHAL>());
    case SystemErrorId::NO_IMPLEMENT:
      return use(Type<CORBA::NO_IMPLEMENT>());
    case SystemErrorId::NO_MEMORY:
      return use(Type<CORBA::NO_MEMORY>());
    case SystemErrorId::NO_PERMISSION:
      return use(Type<CORBA::NO_PERMISSION>());
    case SystemErrorId::NO_RESOURCES:
      return use(Type<CORBA::NO_RESOURCES>());
    case SystemErrorId::NO_RESPONSE:
      return use(Type<CORBA::NO_RESPONSE>());
    case SystemErrorId::OBJECT_NOT_EXIST:
      return use(Type<CORBA::OBJECT_NOT_EXIST>());
    case SystemErrorId::OBJ_ADAPTER:
      return use(Type<CORBA::OBJ_ADAPTER>());
    case SystemErrorId::PERSIST_STORE:
      return use(Type<CORBA::PERSIST_STORE>());
    case SystemErrorId::REBIND:
      return use(Type<CORBA::REBIND>());
    case SystemErrorId::TIMEOUT:
      return use(Type<CORBA::TIMEOUT>());
    case SystemErrorId::TRANSACTION_MODE:
      return use(Type<CORBA::TRANSACTION_MODE>());
    case SystemErrorId::TRANSACTION_REQUIRED:
      return use(Type<CORBA::TRANSACTION_REQUIRED>());
    case SystemErrorId::TRANSACTION_ROLLEDBACK:
      return use(Type<CORBA::TRANSACTION_ROLLEDBACK>());
    case SystemErrorId::TRANSACTION_UNAVAILABLE:
      return use(Type<CORBA::TRANSACTION_UNAVAILABLE>());
    case SystemErrorId::TRANSIENT:
      return use(Type<CORBA::TRANSIENT>());
    case SystemErrorId::UNKNOWN:
      return use(Type<CORBA::UNKNOWN>());
    case SystemErrorId::None:
      break;
  }
}

}  // namespace

namespace CORBA {

Exception::~Exception() = default;

const char* Exception::what() const noexcept { return _rep_id(); }

const UserException* UserException::_downcast(const Exception* exception) {
  return dynamic_cast<const UserException*>(exception);
}
UserException* UserException::_downcast(Exception* exception) {
  return dynamic_cast<UserException*>(exception);
}

const SystemException* SystemException::_downcast(const Exception* exception) {
  return dynamic_cast<const SystemException*>(exception);
}
SystemException* SystemException::_downcast(Exception* exception) {
  return dynamic_cast<SystemException*>(exception);
}

const char* SystemException::what() const noexcept {
  static constexpr const char* kCompleted[] = {"YES", "NO", "MAYBE"};
  const int size =
      std::snprintf(text_, sizeof text_, "CORBA::%s, minor 0x%08x, completed %s%s%s", _name(),
                    static_cast<unsigned>(error_.minor), kCompleted[static_cast<int>(error_.completed) % 3],
                    error_.detail ? ": " : "", error_.detail ? error_.detail : "");
  if (size >= 0 && static_cast<std::size_t>(size) < sizeof text_) return text_;
  try {  // too long for an exception's own space: kept once for all that are alike
    const std::string whole = std::string(text_, std::strstr(text_, ": ") + 2) + error_.detail;
    const char* const kept = corbel::base::keep_detail(whole);
    return kept == whole ? kept : text_;
  } catch (const std::bad_alloc&) {
    return text_;
  }
}

void SystemException::_raise() const { corbel::cpp::raise(error_); }

Exception* SystemException::_corbel_duplicate() const {
  // One allocation for all classes, which differ in their functions alone, makes this half as long.
  void* const memory = ::operator new(sizeof(SystemException));
  SystemException* copy = nullptr;
  of_class(error_.id, [&](auto type) {
    typedef typename decltype(type)::Class Class;
    static_assert(sizeof(Class) == sizeof(SystemException));
    copy = new (memory) Class(error_);
  });
  return copy ? copy : new (memory) UNKNOWN(error_);
}

}  // namespace CORBA

namespace corbel::cpp {

bool is_exception(const CORBA::Exception* exception, const char* repository_id) {
  return exception && std::strcmp(exception->_rep_id(), repository_id) == 0;
}

void raise(const SystemError& error) {
  of_class(error.id, [&](auto type) { throw typename decltype(type)::Class(error); });
  throw CORBA::UNKNOWN(error);
}

CORBA::SystemException* standard(CORBA::Exception* exception, SystemErrorId id) {
  CORBA::SystemException* const system = CORBA::SystemException::_downcast(exception);
  return system && system->_corbel_error().id == id ? system : nullptr;
}

}  // namespace corbel::cpp
