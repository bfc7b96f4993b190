#include "orb/base/thread.h"

namespace corbel::base {

NoSignals::NoSignals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old_);
}

bool start_thread(pthread_t& thread, void* (*run)(void*), void* argument) {
  const NoSignals no_signals;
  return pthread_create(&thread, nullptr, run, argument) == 0;
}

}  // namespace corbel::base
