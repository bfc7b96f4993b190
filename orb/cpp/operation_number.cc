#include <corbel/cpp/dispatch.h>

#include "orb/core/server_request.h"

namespace corbel::cpp {

std::uint32_t operation_number(const core::Upcall& call) {
  return giop::operation_number(static_cast<const core::ServerRequest&>(call).header());
}

}  // namespace corbel::cpp
