// A moment in which others may have this processor.
#pragma once

#include <sched.h>

#include <cstdint>

#include <corbel/base/deadline.h>

namespace corbel::base {

// Where somebody keeps the processor for long, the next pauses are left out. By one thread at a time.
class Pause {
 public:
  void take() {
    if (left_out_ != 0) {
      --left_out_;
      return;
    }
    const Deadline begin = now();
    sched_yield();
    if (now() - begin > kLong) left_out_ = kLeftOut;
  }

 private:
  static constexpr std::int64_t kLong = 1'000'000;  // nanoseconds
  static constexpr std::uint8_t kLeftOut = 64;
  std::uint8_t left_out_ = 0;
};

}  // namespace corbel::base
