// How this room raises standard exceptions.
#pragma once

#include <corbel/cpp/exception.h>

#include "orb/ior/assigned.h"

namespace corbel::dynamic {

// With one of the OMG's minor codes, and nothing done.
[[noreturn]] inline void raise(SystemErrorId id, std::uint32_t minor, const char* detail) {
  cpp::raise({id, Completion::No, minor == 0 ? 0 : assigned::kOmgMinor | minor, detail});
}

}  // namespace corbel::dynamic
