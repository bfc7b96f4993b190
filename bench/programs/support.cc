#include "support.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace bench {

std::uint64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

Options::Options(int argc, char** argv) {
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (name.substr(0, 2) != "--" || i + 1 == argc)
      throw std::runtime_error("expected --name value: " + name);
    values_[name.substr(2)] = argv[i + 1];
  }
}

std::string Options::text(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::runtime_error("missing option --" + name);
  return found->second;
}

std::string Options::text(const std::string& name, const std::string& fallback) const {
  const auto found = values_.find(name);
  return found == values_.end() ? fallback : found->second;
}

std::uint64_t Options::number(const std::string& name) const { return std::stoull(text(name)); }

std::uint64_t Options::number(const std::string& name, std::uint64_t fallback) const {
  return values_.count(name) == 0 ? fallback : number(name);
}

std::vector<std::uint64_t> Options::numbers(const std::string& name) const {
  std::vector<std::uint64_t> all;
  std::istringstream list(text(name));
  for (std::string item; std::getline(list, item, ',');) all.push_back(std::stoull(item));
  return all;
}

double Samples::percentile_us(double fraction) {
  if (durations_.empty()) return 0;
  const auto last = static_cast<double>(durations_.size() - 1);
  const auto at = durations_.begin() + static_cast<std::ptrdiff_t>(last * fraction);
  std::nth_element(durations_.begin(), at, durations_.end());
  return static_cast<double>(*at) / 1'000;
}

CallTimes::CallTimes(std::size_t count, int server) : samples_(count), count_(count), server_(server) {}

std::uint64_t CallTimes::processor_ns() const {
  const auto read = [](clockid_t clock) {
    timespec time{};
    if (clock_gettime(clock, &time) != 0) throw std::runtime_error("no processor time of the server");
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(time.tv_nsec);
  };
  std::uint64_t sum = read(CLOCK_PROCESS_CPUTIME_ID);
  clockid_t servers;
  if (server_ != 0 && clock_getcpuclockid(server_, &servers) == 0) sum += read(servers);
  return sum;
}

void CallTimes::begin() {
  processor_before_ = processor_ns();
  before_ = now_ns();
}

void CallTimes::print() {
  const auto processor = static_cast<double>(processor_ns() - processor_before_);
  print_results({{"us-p50", samples_.percentile_us(0.5)},
                 {"us-p99", samples_.percentile_us(0.99)},
                 {"us-p99.9", samples_.percentile_us(0.999)},
                 {"us-cpu", processor / 1e3 / static_cast<double>(count_)}});
}

void print_results(const std::vector<std::pair<std::string, double>>& results) {
  const char* separator = "{";
  for (const auto& [unit, value] : results) {
    std::printf("%s\"%s\": %.6f", separator, unit.c_str(), value);
    separator = ", ";
  }
  std::puts("}");
  std::fflush(stdout);
}

namespace {

constexpr int sweep_passes = 3;
std::uint64_t calls_in_pass(std::uint64_t size) {
  constexpr std::uint64_t octets = 24'000'000, fewest = 9, most = 1'000;
  return std::clamp(octets / size, fewest, most);
}

}  // namespace

void sweep_order(const std::vector<std::uint64_t>& sizes, const std::function<void(std::size_t)>& call) {
  for (int pass = 0; pass < sweep_passes; ++pass)
    for (std::size_t i = 0; i < sizes.size(); ++i)
      for (std::uint64_t n = calls_in_pass(sizes[i]); n > 0; --n) call(i);
}

void sweep(const std::vector<std::uint64_t>& sizes, const std::function<void(std::size_t)>& call) {
  std::vector<double> least(sizes.size(), 1e12);
  for (int pass = 0; pass < sweep_passes; ++pass) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::uint64_t calls = calls_in_pass(sizes[i]);
      Samples samples(calls);
      for (std::uint64_t n = 0; n < calls; ++n) {
        const std::uint64_t begin = now_ns();
        call(i);
        samples.add(now_ns() - begin);
      }
      least[i] = std::min(least[i], samples.percentile_us(0.5));
    }
  }
  std::vector<std::pair<std::string, double>> results;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    results.emplace_back("us-" + std::to_string(sizes[i]), least[i]);
  print_results(results);
}

double peak_memory_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kib = 0; word == "VmHWM:" && status >> kib) return kib / 1024;
  throw std::runtime_error("no VmHWM");
}

AllocationCounts allocation_counts() {
  using Reader = void (*)(std::uint64_t*, std::uint64_t*);
  static const auto reader = reinterpret_cast<Reader>(dlsym(RTLD_DEFAULT, "bench_allocation_counts"));
  AllocationCounts counts;
  const char* const preloaded = std::getenv("LD_PRELOAD");
  if (reader == nullptr && preloaded != nullptr && std::strstr(preloaded, "alloc-counter") != nullptr)
    throw std::runtime_error("the library that counts allocations was not loaded");
  if (reader != nullptr) reader(&counts.allocations, &counts.releases);
  return counts;
}

void AllocationWindow::mark(std::uint64_t calls) { (calls == first_ ? begin_ : end_) = allocation_counts(); }

double AllocationWindow::per_call(std::uint64_t begin, std::uint64_t end) const {
  if (calls_ < last_) return -1;
  return static_cast<double>(end - begin) / static_cast<double>(last_ - first_);
}

double AllocationWindow::allocations_per_call() const {
  return per_call(begin_.allocations, end_.allocations);
}

double AllocationWindow::releases_per_call() const { return per_call(begin_.releases, end_.releases); }

}  // namespace bench
