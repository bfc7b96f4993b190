// For threads of the ORB's own.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace corbel::base {

// No signal comes to a thread that is made while this stands in its maker: they stay the application's. But
// see Interrupts.
class NoSignals {
 public:
  NoSignals();
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &old_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t old_;
};

// One more thread, to which no signal comes. False if there is none to be had.
bool start_thread(pthread_t& thread, void* (*run)(void*), void* argument);

}  // namespace corbel::base
