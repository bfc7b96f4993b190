// Operations whose names come at run time, as the core wants them: constants.
#pragma once

#include <corbel/core/operation.h>

namespace corbel::dynamic {

// The one of this name, which stays for ever: so invocations know again what their headers were written for.
// Null where that would keep too much, which a peer may be to blame for. Thread-safe.
const core::Operation* kept_operation(const char* name, bool oneway);

}  // namespace corbel::dynamic
