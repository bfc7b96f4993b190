#include "load_support.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace bench {
namespace {

// Runs `body(i, call, begin)` in that many threads at once, from the moment `begin` on; raises what the first
// that failed raised.
template <typename Body>
void in_threads(unsigned count, const MakeCall& make, Body body) {
  std::vector<std::thread> threads;
  std::atomic<unsigned> ready{0};
  std::atomic<std::uint64_t> begin{0};
  std::exception_ptr failure;
  std::mutex mutex;
  for (unsigned i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      try {
        const Call call = make(i);
        for (int n = 0; n < 200; ++n) call();
        ++ready;
        while (begin == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        body(i, call, begin.load());
      } catch (...) {
        ++ready;
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
      }
    });
  }
  while (ready < count) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  begin = now_ns() + 10'000'000;
  for (std::thread& t : threads) t.join();
  if (failure) std::rethrow_exception(failure);
}

double percentile_us(std::vector<std::uint64_t>& samples, double fraction) {
  const auto at =
      samples.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(samples.size() - 1));
  std::nth_element(samples.begin(), at, samples.end());
  return static_cast<double>(*at) / 1e3;
}

std::vector<std::uint64_t> joined(const std::vector<std::vector<std::uint64_t>>& parts) {
  std::vector<std::uint64_t> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

std::uint64_t cpu_ns() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ns = [](const timeval& t) {
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(t.tv_usec) * 1'000;
  };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

void closed_loop(unsigned threads, std::uint64_t milliseconds, const MakeCall& make) {
  std::vector<std::vector<std::uint64_t>> samples(threads);
  for (auto& s : samples) s.reserve(milliseconds * 200);
  in_threads(threads, make, [&](unsigned i, const Call& call, std::uint64_t begin) {
    std::uint64_t before = now_ns();
    const std::uint64_t end = begin + milliseconds * 1'000'000;
    while (before < end) {
      call();
      const std::uint64_t after = now_ns();
      samples[i].push_back(after - before);
      before = after;
    }
  });
  std::vector<std::uint64_t> all = joined(samples);
  const auto fewest = std::min_element(samples.begin(), samples.end(),
                                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const double mean = static_cast<double>(all.size()) / threads;
  const double p50 = percentile_us(all, 0.5), p99 = percentile_us(all, 0.99);
  print_results({{"calls/s", static_cast<double>(all.size()) * 1e3 / static_cast<double>(milliseconds)},
                 {"us-p50", p50},
                 {"us-p99", p99},
                 {"p99/p50", p99 / p50},
                 {"slowest/mean", static_cast<double>(fewest->size()) / mean}});
}

void open_loop(unsigned threads, std::uint64_t milliseconds, double rate, const MakeCall& make) {
  std::vector<std::vector<std::uint64_t>> samples(threads);
  const double interval = 1e9 / rate;
  const auto count = static_cast<std::uint64_t>(rate * static_cast<double>(milliseconds) / 1e3 / threads);
  for (auto& s : samples) s.reserve(count);
  in_threads(threads, make, [&](unsigned i, const Call& call, std::uint64_t begin) {
    prctl(PR_SET_TIMERSLACK, 1);
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t due =
          begin + static_cast<std::uint64_t>(static_cast<double>(k * threads + i) * interval);
      const timespec until{static_cast<time_t>(due / 1'000'000'000), static_cast<long>(due % 1'000'000'000)};
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
      call();
      samples[i].push_back(now_ns() - due);
    }
  });
  std::vector<std::uint64_t> all = joined(samples);
  print_results({{"us-p50", percentile_us(all, 0.5)},
                 {"us-p99", percentile_us(all, 0.99)},
                 {"us-p99.9", percentile_us(all, 0.999)}});
}

}  // namespace bench
