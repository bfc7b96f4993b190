// A word to wait on.
#pragma once

#include <atomic>
#include <cstdint>

namespace corbel::base {

// Nanoseconds of the monotonic clock; kNoDeadline waits for ever.
using Deadline = std::int64_t;
inline constexpr Deadline kNoDeadline = 0;
Deadline now();
// Milliseconds until the deadline for poll(): -1 for none, at least 0, rounded up.
int milliseconds_until(Deadline deadline);

// Sleeps while `word` is `value`; returns early for any reason, false when the deadline has passed.
bool futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, Deadline deadline = kNoDeadline);
void futex_wake(const std::atomic<std::uint32_t>& word, int count = 1);

// A condition: waiters sleep until the next notify. The epoch is read before the condition is tested.
class Condition {
 public:
  std::uint32_t epoch() const { return epoch_.load(std::memory_order_acquire); }
  // For those who wait by other means while it is an epoch.
  const std::atomic<std::uint32_t>& word() const { return epoch_; }
  bool wait(std::uint32_t seen, Deadline deadline = kNoDeadline) {
    return epoch_.load(std::memory_order_acquire) != seen || futex_wait(epoch_, seen, deadline);
  }
  void notify_one() {
    epoch_.fetch_add(1, std::memory_order_release);
    futex_wake(epoch_, 1);
  }
  void notify_all() {
    epoch_.fetch_add(1, std::memory_order_release);
    futex_wake(epoch_, 0x7fffffff);
  }

 private:
  std::atomic<std::uint32_t> epoch_{0};
};

}  // namespace corbel::base
