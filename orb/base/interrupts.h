// Reads of other threads that the system begins anew, so that a time limit holds which their socket has been
// given meanwhile.
#pragma once

#include <sys/types.h>

namespace corbel::base {

// SIGURG does it, which the system ignores where nobody handles it, and debuggers pass on. Its handler does
// nothing, and what it interrupts is begun anew (SA_RESTART), but for a few waits that never are, such as
// sleeps: it is sent to threads that are known to read.
class Interrupts {
 public:
  // Handles the signal, if that is wanted and nobody else does, nor waits for it with the signal blocked,
  // until the last of these has gone: a library that is unloaded leaves no handler behind.
  explicit Interrupts(bool wanted);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // The program may have changed what handles the signal.
  bool possible() const;
  // It comes to this thread, though no other signal comes to the ORB's own.
  void admit() const;
  // Only where it is possible.
  void interrupt(pid_t thread) const;

 private:
  bool handles_ = false;
};

}  // namespace corbel::base
