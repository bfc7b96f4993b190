// A moment in which others may have this processor.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include <corbel/base/deadline.h>

namespace corbel::base {

// Where somebody has the processor for long, pauses can be left out for a while. Any thread; those that share
// one may leave out more, or fewer.
class Pause {
 public:
  // True if it took long.
  bool take() {
    if (const std::uint8_t left = left_out_.load(std::memory_order_relaxed); left != 0) {
      left_out_.store(static_cast<std::uint8_t>(left - 1), std::memory_order_relaxed);
      return false;
    }
    const Deadline begin = now();
    sched_yield();
    return now() - begin > kLong;
  }
  void leave_out_next() { left_out_.store(kLeftOut, std::memory_order_relaxed); }

 private:
  static constexpr std::int64_t kLong = 1'000'000;  // nanoseconds
  static constexpr std::uint8_t kLeftOut = 64;
  std::atomic<std::uint8_t> left_out_{0};
};

}  // namespace corbel::base
