// Points in time until which something may wait.
#pragma once

#include <cstdint>

namespace corbel::base {

// Nanoseconds of the monotonic clock; kNoDeadline waits for ever.
using Deadline = std::int64_t;
inline constexpr Deadline kNoDeadline = 0;
[[gnu::visibility("default")]] Deadline now();
// Milliseconds until the deadline for poll(): -1 for none, at least 0, rounded up.
[[gnu::visibility("default")]] int milliseconds_until(Deadline deadline);

}  // namespace corbel::base
