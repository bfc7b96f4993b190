#include "orb/base/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace corbel::base {

Deadline now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

int milliseconds_until(Deadline deadline) {
  if (deadline == kNoDeadline) return -1;
  const Deadline left = (deadline - now() + 999'999) / 1'000'000;
  return static_cast<int>(std::clamp<Deadline>(left, 0, INT_MAX));
}

bool futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, Deadline deadline) {
  return futex_wait_for(word, value, FUTEX_BITSET_MATCH_ANY, deadline);
}

bool futex_wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::uint32_t bits,
                    Deadline deadline) {
  timespec until{};
  if (deadline != kNoDeadline) {
    until.tv_sec = deadline / 1'000'000'000;
    until.tv_nsec = deadline % 1'000'000'000;
  }
  const long r = syscall(SYS_futex, reinterpret_cast<const std::uint32_t*>(&word), FUTEX_WAIT_BITSET_PRIVATE,
                         value, deadline == kNoDeadline ? nullptr : &until, nullptr, bits);
  return r == 0 || errno != ETIMEDOUT;
}

void futex_wake_of(const std::atomic<std::uint32_t>& word, std::uint32_t bits) {
  syscall(SYS_futex, reinterpret_cast<const std::uint32_t*>(&word), FUTEX_WAKE_BITSET_PRIVATE, INT_MAX,
          nullptr, nullptr, bits);
}

void futex_wake(const std::atomic<std::uint32_t>& word, int count) {
  syscall(SYS_futex, reinterpret_cast<const std::uint32_t*>(&word), FUTEX_WAKE_PRIVATE, count, nullptr,
          nullptr, 0);
}

bool shared_futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::int64_t time) {
  const timespec relative{time / 1'000'000'000, time % 1'000'000'000};
  const long r = syscall(SYS_futex, reinterpret_cast<const std::uint32_t*>(&word), FUTEX_WAIT, value,
                         &relative, nullptr, 0);
  return r == 0 || errno != ETIMEDOUT;
}

void shared_futex_wake(const std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, reinterpret_cast<const std::uint32_t*>(&word), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace corbel::base
