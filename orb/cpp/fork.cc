#include <corbel/fork.h>

#include "orb/core/fork.h"

namespace corbel {

void after_fork(bool child) {
  if (child) core::resume_all_after_fork();
}

}  // namespace corbel
