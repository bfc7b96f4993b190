// The ORB's mutex: priority inheritance, uncontended in user mode without a call.
#pragma once

#include <atomic>
#include <cstdint>

namespace corbel::base {

// Kernel id of the calling thread, cached (0 until the first call of it in this thread).
std::uint32_t thread_id_slow();
extern constinit thread_local std::uint32_t cached_thread_id [[gnu::tls_model("initial-exec")]];
inline std::uint32_t thread_id() {
  const std::uint32_t id = cached_thread_id;
  return id != 0 ? id : thread_id_slow();
}

// Not recursive. Works with std::lock_guard and std::unique_lock.
class Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() {
    std::uint32_t free = 0;
    if (!word_.compare_exchange_strong(free, thread_id(), std::memory_order_acquire,
                                       std::memory_order_relaxed)) [[unlikely]]
      lock_slow();
  }
  bool try_lock() {
    std::uint32_t free = 0;
    return word_.compare_exchange_strong(free, thread_id(), std::memory_order_acquire,
                                         std::memory_order_relaxed);
  }
  void unlock() {
    std::uint32_t mine = cached_thread_id;  // there since lock(); a child after fork() goes the slow way
    if (!word_.compare_exchange_strong(mine, 0, std::memory_order_release, std::memory_order_relaxed))
        [[unlikely]]
      unlock_slow();
  }

 private:
  void lock_slow();
  void unlock_slow();
  std::atomic<std::uint32_t> word_{0};  // thread id of the owner, and the kernel's waiters bit
};

}  // namespace corbel::base
