// How several attempts share the time until a deadline.
#pragma once

#include <corbel/base/deadline.h>

namespace corbel::base {

// Until when the first of so many attempts may take where each has the same share of the time that is left.
inline Deadline share_of(Deadline deadline, int attempts) {
  if (deadline == kNoDeadline || attempts <= 1) return deadline;
  const Deadline present = now();
  return present + (deadline - present) / attempts;
}

}  // namespace corbel::base
