// What all benchmark programs share: clock, command line, percentiles, results, allocation counts.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// CLOCK_MONOTONIC in nanoseconds.
std::uint64_t now_ns();

// Pairs of `--name value`. Throws std::runtime_error for an option without a value or a missing option.
class Options {
 public:
  Options(int argc, char** argv);
  std::string text(const std::string& name) const;
  std::string text(const std::string& name, const std::string& fallback) const;
  std::uint64_t number(const std::string& name) const;
  std::uint64_t number(const std::string& name, std::uint64_t fallback) const;
  // Separated by commas.
  std::vector<std::uint64_t> numbers(const std::string& name) const;

 private:
  std::map<std::string, std::string> values_;
};

// Durations of single calls. All memory is taken when it is made.
class Samples {
 public:
  explicit Samples(std::size_t count) { durations_.reserve(count); }
  void add(std::uint64_t ns) { durations_.push_back(ns); }
  // The value below which `fraction` of the samples lie, in microseconds. Reorders the samples.
  double percentile_us(double fraction);

 private:
  std::vector<std::uint64_t> durations_;
};

// Times single calls, and what processor time they take here and in another process.
class CallTimes {
 public:
  // The server's process; 0 for none.
  CallTimes(std::size_t count, int server);
  // Once before the first call, and at the end of each.
  void begin();
  void call_done() {
    const std::uint64_t now = now_ns();
    samples_.add(now - before_);
    before_ = now;
  }
  // Prints microseconds: us-p50, us-p99, us-p99.9, and us-cpu of both processes per call.
  void print();

 private:
  std::uint64_t processor_ns() const;

  Samples samples_;
  std::size_t count_;
  int server_;
  std::uint64_t before_ = 0;
  std::uint64_t processor_before_ = 0;
};

// Prints the results of a program: one line, a JSON object of unit and value.
void print_results(const std::vector<std::pair<std::string, double>>& results);

// Goes through the sizes three times and makes so many calls of each that the time is alike; prints the least
// of the three medians of each size, `us-SIZE`.
void sweep(const std::vector<std::uint64_t>& sizes, const std::function<void(std::size_t index)>& call);
// The same calls, for the other end.
void sweep_order(const std::vector<std::uint64_t>& sizes, const std::function<void(std::size_t index)>& call);

// The most memory that the process has had so far (VmHWM).
double peak_memory_mib();

// Allocations and releases of this process so far.
struct AllocationCounts {
  std::uint64_t allocations = 0;
  std::uint64_t releases = 0;
};

// Reads the counters of the preloaded alloc_counter library; zeros without it.
AllocationCounts allocation_counts();

// Counts over the window from the end of call 10,000 to the end of call 20,000.
class AllocationWindow {
 public:
  // To be called once at the same place of every call.
  void call_done() {
    const std::uint64_t calls = ++calls_;
    if (calls == first_ || calls == last_) mark(calls);
  }
  // Allocations and releases per call inside the window; negative if it was not completed.
  double allocations_per_call() const;
  double releases_per_call() const;

 private:
  static constexpr std::uint64_t first_ = 10'000;
  static constexpr std::uint64_t last_ = 20'000;
  void mark(std::uint64_t calls);
  double per_call(std::uint64_t begin, std::uint64_t end) const;

  std::uint64_t calls_ = 0;
  AllocationCounts begin_;
  AllocationCounts end_;
};

}  // namespace bench
