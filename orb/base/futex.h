// A word to wait on.
#pragma once

#include <atomic>
#include <cstdint>

#include <corbel/base/deadline.h>

namespace corbel::base {

// Sleeps while `word` is `value`; returns early for any reason, false when the deadline has passed.
bool futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, Deadline deadline = kNoDeadline);
void futex_wake(const std::atomic<std::uint32_t>& word, int count = 1);
// The same for some of those who wait at one word: those of whose `bits` one at least is among the waker's.
bool futex_wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::uint32_t bits,
                    Deadline deadline);
void futex_wake_of(const std::atomic<std::uint32_t>& word, std::uint32_t bits);

// The same where the word stands in memory that other processes share, and may be changed by them at any
// time. The time is in nanoseconds from now.
bool shared_futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::int64_t time);
void shared_futex_wake(const std::atomic<std::uint32_t>& word);

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
