// How long calls may take and what happens when they fail, as it is set while an ORB runs. Of the limits the
// narrowest that is set counts: that of the reference, then of the thread, then of the ORB.
#pragma once

#include <cstdint>

#include <corbel/base/error.h>
#include <corbel/core/fwd.h>
#include <corbel/core/operation.h>

#include "orb/base/futex.h"
#include "orb/base/ref.h"

namespace corbel::core {

inline constexpr std::int64_t kNanosecondsPerMillisecond = 1'000'000;

// Of the calling thread, whatever ORB it calls; at most one of the two is set.
struct ThreadCallLimit {
  std::int64_t timeout = 0;  // nanoseconds of each call; 0: not set
  base::Deadline deadline = base::kNoDeadline;
};
extern constinit thread_local ThreadCallLimit thread_call_limit [[gnu::tls_model("initial-exec")]];

// Decides whether a call that failed is made once more. Any thread.
class RetryHandler : public base::RefCounted {
 public:
  // `retries` counts those that this call has had. No lock is held; what it throws ends the call.
  virtual bool retry(Reference& target, const Operation& operation, std::uint32_t retries,
                     const SystemError& error) = 0;
};

}  // namespace corbel::core
