// Connections that nobody uses are closed in good order, and made again when they are needed: when the server
// looks for those of its clients, and a thread that looks for those to servers.
#pragma once

#include <pthread.h>

#include <atomic>

#include "orb/base/futex.h"
#include "orb/base/mutex.h"

namespace corbel::core {

class Orb;

// When the server's leader looks next. There is no look while there is no connection.
class IdleClock {
 public:
  // Nanoseconds; a period of 0 is never.
  IdleClock(std::int64_t period, std::int64_t granularity) : period_(period), granularity_(granularity) {}

  bool enabled() const { return period_ != 0; }
  std::int64_t period() const { return period_; }
  // A connection fell idle at `now`: true if it is the first to be watched. Its server's leader wakes up by
  // itself before long.
  bool watch(base::Deadline now) {
    if (next_.load(std::memory_order_relaxed) != 0) return false;
    next_.store(now + period_, std::memory_order_relaxed);
    return true;
  }
  // The leader's time to wait, where it would wait for `otherwise` milliseconds (-1: for ever).
  int wait_time(int otherwise) const {
    const base::Deadline next = next_.load(std::memory_order_relaxed);
    if (next == 0) return otherwise;
    const int until = base::milliseconds_until(next);
    return otherwise < 0 || until < otherwise ? until : otherwise;
  }
  bool armed() const { return next_.load(std::memory_order_relaxed) != 0; }
  bool due(base::Deadline now) const {
    const base::Deadline next = next_.load(std::memory_order_relaxed);
    return next != 0 && now >= next;
  }
  // After a look: `next` is when the first of those that are left falls due, 0 if there is none.
  void looked(base::Deadline now, base::Deadline next) {
    const base::Deadline earliest = now + granularity_;
    next_.store(next != 0 && next < earliest ? earliest : next, std::memory_order_relaxed);
  }

 private:
  const std::int64_t period_, granularity_;
  std::atomic<base::Deadline> next_{0};
};

// A thread that closes an ORB's idle connections once in every period, until it goes.
class IdleThread {
 public:
  IdleThread(Orb& orb, std::int64_t period);
  ~IdleThread();

 private:
  static void* run(void* idle_thread);
  void run();

  Orb& orb_;
  const std::int64_t period_;
  base::Condition ending_;
  std::atomic<bool> end_{false};
  pthread_t thread_;
  const bool started_;  // otherwise connections stay open until their servers close them
};

}  // namespace corbel::core
