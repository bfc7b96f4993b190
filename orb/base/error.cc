#include <corbel/base/error.h>

#include <cstring>

namespace corbel {
namespace {

// In the order of SystemErrorId.
constexpr const char* kRepositoryIds[kSystemErrorCount] = {"",
                                                           "IDL:omg.org/CORBA/ACTIVITY_COMPLETED:1.0",
                                                           "IDL:omg.org/CORBA/ACTIVITY_REQUIRED:1.0",
                                                           "IDL:omg.org/CORBA/BAD_CONTEXT:1.0",
                                                           "IDL:omg.org/CORBA/BAD_INV_ORDER:1.0",
                                                           "IDL:omg.org/CORBA/BAD_OPERATION:1.0",
                                                           "IDL:omg.org/CORBA/BAD_PARAM:1.0",
                                                           "IDL:omg.org/CORBA/BAD_QOS:1.0",
                                                           "IDL:omg.org/CORBA/BAD_TYPECODE:1.0",
                                                           "IDL:omg.org/CORBA/CODESET_INCOMPATIBLE:1.0",
                                                           "IDL:omg.org/CORBA/COMM_FAILURE:1.0",
                                                           "IDL:omg.org/CORBA/DATA_CONVERSION:1.0",
                                                           "IDL:omg.org/CORBA/FREE_MEM:1.0",
                                                           "IDL:omg.org/CORBA/IMP_LIMIT:1.0",
                                                           "IDL:omg.org/CORBA/INITIALIZE:1.0",
                                                           "IDL:omg.org/CORBA/INTERNAL:1.0",
                                                           "IDL:omg.org/CORBA/INTF_REPOS:1.0",
                                                           "IDL:omg.org/CORBA/INVALID_ACTIVITY:1.0",
                                                           "IDL:omg.org/CORBA/INVALID_TRANSACTION:1.0",
                                                           "IDL:omg.org/CORBA/INV_FLAG:1.0",
                                                           "IDL:omg.org/CORBA/INV_IDENT:1.0",
                                                           "IDL:omg.org/CORBA/INV_OBJREF:1.0",
                                                           "IDL:omg.org/CORBA/INV_POLICY:1.0",
                                                           "IDL:omg.org/CORBA/MARSHAL:1.0",
                                                           "IDL:omg.org/CORBA/NO_IMPLEMENT:1.0",
                                                           "IDL:omg.org/CORBA/NO_MEMORY:1.0",
                                                           "IDL:omg.org/CORBA/NO_PERMISSION:1.0",
                                                           "IDL:omg.org/CORBA/NO_RESOURCES:1.0",
                                                           "IDL:omg.org/CORBA/NO_RESPONSE:1.0",
                                                           "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0",
                                                           "IDL:omg.org/CORBA/OBJ_ADAPTER:1.0",
                                                           "IDL:omg.org/CORBA/PERSIST_STORE:1.0",
                                                           "IDL:omg.org/CORBA/REBIND:1.0",
                                                           "IDL:omg.org/CORBA/TIMEOUT:1.0",
                                                           "IDL:omg.org/CORBA/TRANSACTION_MODE:1.0",
                                                           "IDL:omg.org/CORBA/TRANSACTION_REQUIRED:1.0",
                                                           "IDL:omg.org/CORBA/TRANSACTION_ROLLEDBACK:1.0",
                                                           "IDL:omg.org/CORBA/TRANSACTION_UNAVAILABLE:1.0",
                                                           "IDL:omg.org/CORBA/TRANSIENT:1.0",
                                                           "IDL:omg.org/CORBA/UNKNOWN:1.0"};

constexpr const char* kNames[kSystemErrorCount] = {"",
                                                   "ACTIVITY_COMPLETED",
                                                   "ACTIVITY_REQUIRED",
                                                   "BAD_CONTEXT",
                                                   "BAD_INV_ORDER",
                                                   "BAD_OPERATION",
                                                   "BAD_PARAM",
                                                   "BAD_QOS",
                                                   "BAD_TYPECODE",
                                                   "CODESET_INCOMPATIBLE",
                                                   "COMM_FAILURE",
                                                   "DATA_CONVERSION",
                                                   "FREE_MEM",
                                                   "IMP_LIMIT",
                                                   "INITIALIZE",
                                                   "INTERNAL",
                                                   "INTF_REPOS",
                                                   "INVALID_ACTIVITY",
                                                   "INVALID_TRANSACTION",
                                                   "INV_FLAG",
                                                   "INV_IDENT",
                                                   "INV_OBJREF",
                                                   "INV_POLICY",
                                                   "MARSHAL",
                                                   "NO_IMPLEMENT",
                                                   "NO_MEMORY",
                                                   "NO_PERMISSION",
                                                   "NO_RESOURCES",
                                                   "NO_RESPONSE",
                                                   "OBJECT_NOT_EXIST",
                                                   "OBJ_ADAPTER",
                                                   "PERSIST_STORE",
                                                   "REBIND",
                                                   "TIMEOUT",
                                                   "TRANSACTION_MODE",
                                                   "TRANSACTION_REQUIRED",
                                                   "TRANSACTION_ROLLEDBACK",
                                                   "TRANSACTION_UNAVAILABLE",
                                                   "TRANSIENT",
                                                   "UNKNOWN"};

}  // namespace

const char* repository_id(SystemErrorId id) { return kRepositoryIds[static_cast<int>(id)]; }
const char* name(SystemErrorId id) { return kNames[static_cast<int>(id)]; }

SystemErrorId system_error_id(const char* id, std::size_t length) {
  for (int i = 1; i < kSystemErrorCount; ++i)
    if (std::strlen(kRepositoryIds[i]) == length && std::memcmp(kRepositoryIds[i], id, length) == 0)
      return static_cast<SystemErrorId>(i);
  return SystemErrorId::UNKNOWN;
}

}  // namespace corbel
