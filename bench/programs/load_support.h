// Load from several threads at once, whatever a call is: closed loops, and an open loop that keeps to a
// schedule.
#pragma once

#include <cstdint>
#include <functional>

#include "support.h"

namespace bench {

// User and system time of this process so far, in nanoseconds.
std::uint64_t cpu_ns();

// Makes the call of a thread; may throw, which ends the measurement with that exception's text.
using Call = std::function<void()>;
// Gives the call of thread `i`; called by that thread before the measurement begins.
using MakeCall = std::function<Call(unsigned i)>;

// `threads` threads call for so many milliseconds, each its next call at once. Prints calls/s, us-p50,
// us-p99, p99/p50 and slowest/mean, the slowest thread's share of the mean.
void closed_loop(unsigned threads, std::uint64_t milliseconds, const MakeCall& make);

// `rate` calls per second in all, evenly spread over time and threads. Prints us-p50, us-p99 and us-p99.9,
// counted from the moment when the call was due.
void open_loop(unsigned threads, std::uint64_t milliseconds, double rate, const MakeCall& make);

}  // namespace bench
