#include "orb/core/server_request.h"

namespace corbel::core {

// Calls look at it too, in programs without a server.
constinit thread_local ServerRequest* ServerRequest::current_ = nullptr;

}  // namespace corbel::core
