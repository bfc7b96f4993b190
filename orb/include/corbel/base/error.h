// System errors as values: what base, cdr, ior, giop, transport and core return instead of throwing.
// The language mappings turn them into exceptions (CORBA 3.4 part 1, chapter "Exceptions").
#pragma once

#include <cstddef>
#include <cstdint>

namespace corbel {

// Whether the servant's work was done when the error arose. Values are those of the wire.
enum class Completion : std::uint32_t { Yes = 0, No = 1, Maybe = 2 };

// The standard system exceptions, alphabetical; the order is the index into the table of repository ids.
enum class SystemErrorId : std::uint8_t {
  None,
  ACTIVITY_COMPLETED,
  ACTIVITY_REQUIRED,
  BAD_CONTEXT,
  BAD_INV_ORDER,
  BAD_OPERATION,
  BAD_PARAM,
  BAD_QOS,
  BAD_TYPECODE,
  CODESET_INCOMPATIBLE,
  COMM_FAILURE,
  DATA_CONVERSION,
  FREE_MEM,
  IMP_LIMIT,
  INITIALIZE,
  INTERNAL,
  INTF_REPOS,
  INVALID_ACTIVITY,
  INVALID_TRANSACTION,
  INV_FLAG,
  INV_IDENT,
  INV_OBJREF,
  INV_POLICY,
  MARSHAL,
  NO_IMPLEMENT,
  NO_MEMORY,
  NO_PERMISSION,
  NO_RESOURCES,
  NO_RESPONSE,
  OBJECT_NOT_EXIST,
  OBJ_ADAPTER,
  PERSIST_STORE,
  REBIND,
  TIMEOUT,
  TRANSACTION_MODE,
  TRANSACTION_REQUIRED,
  TRANSACTION_ROLLEDBACK,
  TRANSACTION_UNAVAILABLE,
  TRANSIENT,
  UNKNOWN
};
inline constexpr int kSystemErrorCount = 40;  // including None

// A system exception as a value; `id` None means success. `detail` is a static string that says what was
// wrong and what to do, or null. Trivially copyable, no ownership.
struct [[nodiscard]] SystemError {
  SystemErrorId id = SystemErrorId::None;
  Completion completed = Completion::No;
  std::uint32_t minor = 0;
  const char* detail = nullptr;

  explicit operator bool() const { return id != SystemErrorId::None; }
};

// "IDL:omg.org/CORBA/MARSHAL:1.0"; for None the empty string.
[[gnu::visibility("default")]] const char* repository_id(SystemErrorId id);
// "MARSHAL"
[[gnu::visibility("default")]] const char* name(SystemErrorId id);
// The error whose repository id is `id` (length bytes, no terminator needed); UNKNOWN when there is none.
[[gnu::visibility("default")]] SystemErrorId system_error_id(const char* id, std::size_t length);

}  // namespace corbel
