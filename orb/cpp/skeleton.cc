// What skeletons need of the server: not in call.cc, which clients link.
#include <corbel/cpp/skeleton.h>

#include <cstring>

#include <corbel/core/upcall.h>

#include "orb/core/server_request.h"
#include "orb/cpp/string_memory.h"

namespace corbel::cpp {
namespace {
[[gnu::noinline, gnu::cold]] void put_slowly(Upcall& call, const char* text) {
  call.results().put_string(text);
}
}  // namespace

void reply_string(Upcall& call, char* result) {
  if (!result) [[unlikely]]
    null_result();
  const std::size_t length = std::strlen(result);
  cdr::Encoder* const out = static_cast<core::ServerRequest&>(call).begin_plain_results();
  static_assert(core::ServerRequest::kReplyBegin % 8 == 0);
  if (!out || !out->put_plain_string(result, length, 0)) [[unlikely]]
    put_slowly(call, result);
  string_memory::release(result);
}

bool reply_user_exception(Upcall& call, const CORBA::UserException& exception, const char* const* ids,
                          std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (std::strcmp(ids[i], exception._rep_id()) != 0) continue;
    exception._marshal_members(call.user_exception(ids[i]));
    return true;
  }
  return false;
}

}  // namespace corbel::cpp
