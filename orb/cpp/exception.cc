#include <corbel/cpp/exception.h>

#include <cstdio>
#include <cstring>

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
  std::snprintf(text_, sizeof text_, "CORBA::%s, minor 0x%08x, completed %s%s%s", _name(),
                static_cast<unsigned>(error_.minor), kCompleted[static_cast<int>(error_.completed) % 3],
                error_.detail ? ": " : "", error_.detail ? error_.detail : "");
  return text_;
}

}  // namespace CORBA

namespace corbel::cpp {

bool is_exception(const CORBA::Exception* exception, const char* repository_id) {
  return exception && std::strcmp(exception->_rep_id(), repository_id) == 0;
}

void raise(const SystemError& error) {
  switch (error.id) {
    case SystemErrorId::ACTIVITY_COMPLETED:
      throw CORBA::ACTIVITY_COMPLETED(error);
    case SystemErrorId::ACTIVITY_REQUIRED:
      throw CORBA::ACTIVITY_REQUIRED(error);
    case SystemErrorId::BAD_CONTEXT:
      throw CORBA::BAD_CONTEXT(error);
    case SystemErrorId::BAD_INV_ORDER:
      throw CORBA::BAD_INV_ORDER(error);
    case SystemErrorId::BAD_OPERATION:
      throw CORBA::BAD_OPERATION(error);
    case SystemErrorId::BAD_PARAM:
      throw CORBA::BAD_PARAM(error);
    case SystemErrorId::BAD_QOS:
      throw CORBA::BAD_QOS(error);
    case SystemErrorId::BAD_TYPECODE:
      throw CORBA::BAD_TYPECODE(error);
    case SystemErrorId::CODESET_INCOMPATIBLE:
      throw CORBA::CODESET_INCOMPATIBLE(error);
    case SystemErrorId::COMM_FAILURE:
      throw CORBA::COMM_FAILURE(error);
    case SystemErrorId::DATA_CONVERSION:
      throw CORBA::DATA_CONVERSION(error);
    case SystemErrorId::FREE_MEM:
      throw CORBA::FREE_MEM(error);
    case SystemErrorId::IMP_LIMIT:
      throw CORBA::IMP_LIMIT(error);
    case SystemErrorId::INITIALIZE:
      throw CORBA::INITIALIZE(error);
    case SystemErrorId::INTERNAL:
      throw CORBA::INTERNAL(error);
    case SystemErrorId::INTF_REPOS:
      throw CORBA::INTF_REPOS(error);
    case SystemErrorId::INVALID_ACTIVITY:
      throw CORBA::INVALID_ACTIVITY(error);
    case SystemErrorId::INVALID_TRANSACTION:
      throw CORBA::INVALID_TRANSACTION(error);
    case SystemErrorId::INV_FLAG:
      throw CORBA::INV_FLAG(error);
    case SystemErrorId::INV_IDENT:
      throw CORBA::INV_IDENT(error);
    case SystemErrorId::INV_OBJREF:
      throw CORBA::INV_OBJREF(error);
    case SystemErrorId::INV_POLICY:
      throw CORBA::INV_POLICY(error);
    case SystemErrorId::MARSHAL:
      throw CORBA::MARSHAL(error);
    case SystemErrorId::NO_IMPLEMENT:
      throw CORBA::NO_IMPLEMENT(error);
    case SystemErrorId::NO_MEMORY:
      throw CORBA::NO_MEMORY(error);
    case SystemErrorId::NO_PERMISSION:
      throw CORBA::NO_PERMISSION(error);
    case SystemErrorId::NO_RESOURCES:
      throw CORBA::NO_RESOURCES(error);
    case SystemErrorId::NO_RESPONSE:
      throw CORBA::NO_RESPONSE(error);
    case SystemErrorId::OBJECT_NOT_EXIST:
      throw CORBA::OBJECT_NOT_EXIST(error);
    case SystemErrorId::OBJ_ADAPTER:
      throw CORBA::OBJ_ADAPTER(error);
    case SystemErrorId::PERSIST_STORE:
      throw CORBA::PERSIST_STORE(error);
    case SystemErrorId::REBIND:
      throw CORBA::REBIND(error);
    case SystemErrorId::TIMEOUT:
      throw CORBA::TIMEOUT(error);
    case SystemErrorId::TRANSACTION_MODE:
      throw CORBA::TRANSACTION_MODE(error);
    case SystemErrorId::TRANSACTION_REQUIRED:
      throw CORBA::TRANSACTION_REQUIRED(error);
    case SystemErrorId::TRANSACTION_ROLLEDBACK:
      throw CORBA::TRANSACTION_ROLLEDBACK(error);
    case SystemErrorId::TRANSACTION_UNAVAILABLE:
      throw CORBA::TRANSACTION_UNAVAILABLE(error);
    case SystemErrorId::TRANSIENT:
      throw CORBA::TRANSIENT(error);
    case SystemErrorId::UNKNOWN:
    case SystemErrorId::None:
      break;
  }
  throw CORBA::UNKNOWN(error);
}

}  // namespace corbel::cpp
