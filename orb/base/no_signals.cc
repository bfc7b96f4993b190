#include "orb/base/no_signals.h"

namespace corbel::base {

NoSignals::NoSignals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old_);
}

}  // namespace corbel::base
