// The standard exceptions of this chapter, and what interceptors throw as a result.
#pragma once

#include <corbel/cpp/exception.h>

#include "orb/ior/assigned.h"

namespace corbel::interceptors {

[[noreturn]] inline void raise(SystemErrorId id, std::uint32_t minor, const char* detail) {
  cpp::raise({id, Completion::No, assigned::kOmgMinor | minor, detail});
}

// What was asked for cannot be had here.
[[noreturn]] inline void raise_not_here() {
  raise(SystemErrorId::BAD_INV_ORDER, 14, "this cannot be asked for, or done, at this point");
}

}  // namespace corbel::interceptors
