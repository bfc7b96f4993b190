// Threads that sleep at one place, each under a number, and are woken together.
#pragma once

#include <atomic>
#include <cstdint>

#include "orb/base/futex.h"

namespace corbel::core {

// One system call wakes as many as are to be woken, and nobody else, where the numbers are small: those that
// are equal modulo 256 are woken with one another.
class Sleepers {
 public:
  // Those who are to be woken.
  class Marks {
   public:
    bool any() const { return any_; }
    void add(std::uint32_t number) {
      any_ = true;
      bits_[word_of(number)] |= bit_of(number);
    }

   private:
    friend class Sleepers;
    bool any_ = false;
    std::uint32_t bits_[8] = {};
  };

  // Read before the condition is tested: wake() in between ends wait() at once.
  std::uint32_t epoch(std::uint32_t number) const {
    return epochs_[word_of(number)].load(std::memory_order_acquire);
  }
  // Returns early for any reason, false when the deadline has passed.
  bool wait(std::uint32_t number, std::uint32_t epoch, base::Deadline deadline) {
    return base::futex_wait_for(epochs_[word_of(number)], epoch, bit_of(number), deadline);
  }
  // After their conditions have changed.
  void wake(const Marks& marks) {
    for (std::uint32_t i = 0; i < kWords; ++i) {
      if (marks.bits_[i] == 0) continue;
      epochs_[i].fetch_add(1, std::memory_order_release);
      base::futex_wake_of(epochs_[i], marks.bits_[i]);
    }
  }

 private:
  static constexpr std::uint32_t kWords = 8, kBits = 32;
  static std::uint32_t word_of(std::uint32_t number) { return number / kBits % kWords; }
  static std::uint32_t bit_of(std::uint32_t number) { return 1u << number % kBits; }
  std::atomic<std::uint32_t> epochs_[kWords] = {};
};

}  // namespace corbel::core
