// How this room raises standard exceptions.
#pragma once

#include <corbel/cpp/exception.h>

#include "orb/core/orb.h"
#include "orb/ior/assigned.h"

namespace corbel::dynamic {

// With one of the OMG's minor codes, and nothing done.
[[noreturn]] inline void raise(SystemErrorId id, std::uint32_t minor, const char* detail) {
  cpp::raise({id, Completion::No, minor == 0 ? 0 : assigned::kOmgMinor | minor, detail});
}

// Raises what calls of an ORB raise that is shut down or destroyed, which comes later.
void refuse_if_shut_down(const core::Orb& orb);
inline void check(const core::Orb& orb) {
  if (orb.is_shut_down()) [[unlikely]]
    refuse_if_shut_down(orb);
}

}  // namespace corbel::dynamic
