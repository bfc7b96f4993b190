#include <corbel/base/error.h>

#include <array>
#include <string_view>

namespace corbel {
namespace {

// In the order of SystemErrorId, each with its end: pointers would have to be relocated in every program.
constexpr char kRepositoryIds[] =
    "\0"
    "IDL:omg.org/CORBA/ACTIVITY_COMPLETED:1.0\0"
    "IDL:omg.org/CORBA/ACTIVITY_REQUIRED:1.0\0"
    "IDL:omg.org/CORBA/BAD_CONTEXT:1.0\0"
    "IDL:omg.org/CORBA/BAD_INV_ORDER:1.0\0"
    "IDL:omg.org/CORBA/BAD_OPERATION:1.0\0"
    "IDL:omg.org/CORBA/BAD_PARAM:1.0\0"
    "IDL:omg.org/CORBA/BAD_QOS:1.0\0"
    "IDL:omg.org/CORBA/BAD_TYPECODE:1.0\0"
    "IDL:omg.org/CORBA/CODESET_INCOMPATIBLE:1.0\0"
    "IDL:omg.org/CORBA/COMM_FAILURE:1.0\0"
    "IDL:omg.org/CORBA/DATA_CONVERSION:1.0\0"
    "IDL:omg.org/CORBA/FREE_MEM:1.0\0"
    "IDL:omg.org/CORBA/IMP_LIMIT:1.0\0"
    "IDL:omg.org/CORBA/INITIALIZE:1.0\0"
    "IDL:omg.org/CORBA/INTERNAL:1.0\0"
    "IDL:omg.org/CORBA/INTF_REPOS:1.0\0"
    "IDL:omg.org/CORBA/INVALID_ACTIVITY:1.0\0"
    "IDL:omg.org/CORBA/INVALID_TRANSACTION:1.0\0"
    "IDL:omg.org/CORBA/INV_FLAG:1.0\0"
    "IDL:omg.org/CORBA/INV_IDENT:1.0\0"
    "IDL:omg.org/CORBA/INV_OBJREF:1.0\0"
    "IDL:omg.org/CORBA/INV_POLICY:1.0\0"
    "IDL:omg.org/CORBA/MARSHAL:1.0\0"
    "IDL:omg.org/CORBA/NO_IMPLEMENT:1.0\0"
    "IDL:omg.org/CORBA/NO_MEMORY:1.0\0"
    "IDL:omg.org/CORBA/NO_PERMISSION:1.0\0"
    "IDL:omg.org/CORBA/NO_RESOURCES:1.0\0"
    "IDL:omg.org/CORBA/NO_RESPONSE:1.0\0"
    "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0\0"
    "IDL:omg.org/CORBA/OBJ_ADAPTER:1.0\0"
    "IDL:omg.org/CORBA/PERSIST_STORE:1.0\0"
    "IDL:omg.org/CORBA/REBIND:1.0\0"
    "IDL:omg.org/CORBA/TIMEOUT:1.0\0"
    "IDL:omg.org/CORBA/TRANSACTION_MODE:1.0\0"
    "IDL:omg.org/CORBA/TRANSACTION_REQUIRED:1.0\0"
    "IDL:omg.org/CORBA/TRANSACTION_ROLLEDBACK:1.0\0"
    "IDL:omg.org/CORBA/TRANSACTION_UNAVAILABLE:1.0\0"
    "IDL:omg.org/CORBA/TRANSIENT:1.0\0"
    "IDL:omg.org/CORBA/UNKNOWN:1.0\0";

constexpr char kNames[] =
    "\0"
    "ACTIVITY_COMPLETED\0"
    "ACTIVITY_REQUIRED\0"
    "BAD_CONTEXT\0"
    "BAD_INV_ORDER\0"
    "BAD_OPERATION\0"
    "BAD_PARAM\0"
    "BAD_QOS\0"
    "BAD_TYPECODE\0"
    "CODESET_INCOMPATIBLE\0"
    "COMM_FAILURE\0"
    "DATA_CONVERSION\0"
    "FREE_MEM\0"
    "IMP_LIMIT\0"
    "INITIALIZE\0"
    "INTERNAL\0"
    "INTF_REPOS\0"
    "INVALID_ACTIVITY\0"
    "INVALID_TRANSACTION\0"
    "INV_FLAG\0"
    "INV_IDENT\0"
    "INV_OBJREF\0"
    "INV_POLICY\0"
    "MARSHAL\0"
    "NO_IMPLEMENT\0"
    "NO_MEMORY\0"
    "NO_PERMISSION\0"
    "NO_RESOURCES\0"
    "NO_RESPONSE\0"
    "OBJECT_NOT_EXIST\0"
    "OBJ_ADAPTER\0"
    "PERSIST_STORE\0"
    "REBIND\0"
    "TIMEOUT\0"
    "TRANSACTION_MODE\0"
    "TRANSACTION_REQUIRED\0"
    "TRANSACTION_ROLLEDBACK\0"
    "TRANSACTION_UNAVAILABLE\0"
    "TRANSIENT\0"
    "UNKNOWN\0";

using Places = std::array<std::uint16_t, kSystemErrorCount>;

template <std::size_t Size>
constexpr Places places(const char (&texts)[Size]) {
  Places all{};
  std::size_t at = 0;
  for (std::uint16_t& place : all) {
    place = static_cast<std::uint16_t>(at);
    while (texts[at++] != 0) continue;
  }
  return all;
}

constexpr Places kPlacesOfIds = places(kRepositoryIds), kPlacesOfNames = places(kNames);

}  // namespace

const char* repository_id(SystemErrorId id) {
  return kRepositoryIds + kPlacesOfIds[static_cast<std::size_t>(id)];
}
const char* name(SystemErrorId id) { return kNames + kPlacesOfNames[static_cast<std::size_t>(id)]; }

SystemErrorId system_error_id(const char* id, std::size_t length) {
  for (int i = 1; i < kSystemErrorCount; ++i) {
    const auto known = static_cast<SystemErrorId>(i);
    const std::string_view text = repository_id(known);
    if (text == std::string_view(id, length)) return known;
  }
  return SystemErrorId::UNKNOWN;
}

}  // namespace corbel
