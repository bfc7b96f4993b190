// AddressSanitizer of clang 16 does not hold its own locks while a process is copied, so that a child might
// wait for ever for what a thread of the parent had locked. Its successors do what is done here.
#include <pthread.h>

namespace __lsan {
void LockThreadRegistry();
void UnlockThreadRegistry();
void LockAllocator();
void UnlockAllocator();
}  // namespace __lsan
namespace __sanitizer {
void StackDepotLockAll();
void StackDepotUnlockAll();
}  // namespace __sanitizer

namespace {

void lock() {
  __lsan::LockThreadRegistry();
  __lsan::LockAllocator();
  __sanitizer::StackDepotLockAll();
}

void unlock() {
  __sanitizer::StackDepotUnlockAll();
  __lsan::UnlockAllocator();
  __lsan::UnlockThreadRegistry();
}

// Before any ORB's, whose handlers allocate.
[[maybe_unused]] const int registered = pthread_atfork(lock, unlock, unlock);

}  // namespace
