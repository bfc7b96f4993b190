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

// In a forked child one that another thread of the parent held belongs to nobody: whoever comes first takes
// it over.
//
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
  // In one order with unlock() and with whatever else is sequentially consistent: who leaves a note for the
  // owner and then fails here knows that the owner finds the note if it looks after it has unlocked.
  bool try_lock() {
    std::uint32_t free = 0;
    return word_.compare_exchange_strong(free, thread_id(), std::memory_order_seq_cst);
  }
  // False when the deadline (of futex.h; 0 is none) has passed.
  bool lock_until(std::int64_t deadline);
  // In a forked child whose parent's thread locked it for the time of the fork.
  void reset_in_child() { word_.store(0, std::memory_order_relaxed); }
  void unlock() {
    std::uint32_t mine = cached_thread_id;  // there since lock(); a child after fork() goes the slow way
    if (!word_.compare_exchange_strong(mine, 0, std::memory_order_seq_cst, std::memory_order_relaxed))
        [[unlikely]]
      unlock_slow();
  }

 private:
  bool take_over();
  void lock_slow();
  void acquired() const;  // from the kernel
  void unlock_slow();
  std::atomic<std::uint32_t> word_{0};  // thread id of the owner, and the kernel's waiters bit
};

}  // namespace corbel::base
