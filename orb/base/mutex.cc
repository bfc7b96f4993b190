#include "orb/base/mutex.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

// ThreadSanitizer knows nothing of the kernel's hand-over in FUTEX_LOCK_PI: told here.
#if defined(__SANITIZE_THREAD__)
#define CORBEL_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CORBEL_TSAN 1
#endif
#endif
#ifdef CORBEL_TSAN
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#else
static void __tsan_acquire(void*) {}
static void __tsan_release(void*) {}
#endif

namespace corbel::base {

constinit thread_local std::uint32_t cached_thread_id = 0;

namespace {
// A forked child has another thread id.
struct ForkHandler {
  ForkHandler() {
    pthread_atfork(nullptr, nullptr, [] { cached_thread_id = 0; });
  }
};
}  // namespace

std::uint32_t thread_id_slow() {
  static const ForkHandler handler;
  return cached_thread_id = static_cast<std::uint32_t>(syscall(SYS_gettid));
}

void Mutex::lock_slow() {
  while (syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word_), FUTEX_LOCK_PI_PRIVATE, 0, nullptr,
                 nullptr, 0) != 0) {
    // EINTR and EAGAIN are transient; a deadlock against oneself would be a defect of ours, and waits like
    // any mutex.
    if (errno == EDEADLK) pause();
  }
  __tsan_acquire(&word_);
}

void Mutex::unlock_slow() {
  __tsan_release(&word_);
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word_), FUTEX_UNLOCK_PI_PRIVATE, 0, nullptr, nullptr,
          0);
}

}  // namespace corbel::base
