#include "orb/base/mutex.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "orb/base/futex.h"
#include "orb/base/thread_sanitizer.h"

// ThreadSanitizer knows nothing of the kernel's hand-over in FUTEX_LOCK_PI: whoever got the mutex there loads
// the word, and whoever gives it back there says so.
#ifdef CORBEL_TSAN
extern "C" void __tsan_release(void* address);
#else
static void __tsan_release(void*) {}
#endif

namespace corbel::base {

constinit thread_local std::uint32_t cached_thread_id = 0;

namespace {
std::atomic<bool> forked{false};  // this process, from another one's thread
// A forked child has another thread id.
struct ForkHandler {
  ForkHandler() {
    pthread_atfork(nullptr, nullptr, [] {
      cached_thread_id = 0;
      forked.store(true, std::memory_order_relaxed);
    });
  }
};
}  // namespace

std::uint32_t thread_id_slow() {
  static const ForkHandler handler;
  return cached_thread_id = static_cast<std::uint32_t>(syscall(SYS_gettid));
}

// The kernel would wait for the parent's thread, which unlocks its own copy of the mutex only.
bool Mutex::take_over() {
  std::uint32_t word = word_.load(std::memory_order_relaxed);
  const auto owner = static_cast<pid_t>(word & FUTEX_TID_MASK);
  return owner != 0 && syscall(SYS_tgkill, getpid(), owner, 0) != 0 && errno == ESRCH &&
         word_.compare_exchange_strong(word, thread_id(), std::memory_order_acquire);
}

void Mutex::lock_slow() {
  while (!(forked.load(std::memory_order_relaxed) && take_over()) &&
         syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word_), FUTEX_LOCK_PI_PRIVATE, 0, nullptr,
                 nullptr, 0) != 0) {
    // EINTR and EAGAIN are transient; a deadlock against oneself would be a defect of ours, and waits like
    // any mutex.
    if (errno == EDEADLK) pause();
  }
  acquired();
}

// Not __tsan_acquire: that overlooks a word's first release while it is under way.
void Mutex::acquired() const { (void)word_.load(std::memory_order_acquire); }

bool Mutex::lock_until(std::int64_t deadline) {
  if (try_lock()) return true;
  if (deadline == kNoDeadline) {
    lock_slow();
    return true;
  }
  constexpr int kLockPi2 = 13;  // FUTEX_LOCK_PI2: the timeout is of the monotonic clock (Linux 5.14)
  int operation = kLockPi2 | FUTEX_PRIVATE_FLAG;
  clockid_t clock = CLOCK_MONOTONIC;
  for (;;) {
    const std::int64_t left = deadline - now();
    if (left <= 0) return try_lock();
    timespec until;
    clock_gettime(clock, &until);
    const std::int64_t nanoseconds = until.tv_nsec + left;
    until.tv_sec += nanoseconds / 1'000'000'000;
    until.tv_nsec = nanoseconds % 1'000'000'000;
    if (syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word_), operation, 0, &until, nullptr, 0) == 0) {
      acquired();
      return true;
    }
    if (errno == ENOSYS) {
      operation = FUTEX_LOCK_PI_PRIVATE;
      clock = CLOCK_REALTIME;
    } else if (errno == EDEADLK) {
      return false;
    }
  }
}

void Mutex::unlock_slow() {
  __tsan_release(&word_);
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word_), FUTEX_UNLOCK_PI_PRIVATE, 0, nullptr, nullptr,
          0);
}

}  // namespace corbel::base
