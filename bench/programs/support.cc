#include "support.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
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

double Samples::percentile_us(double fraction) {
  if (durations_.empty()) return 0;
  const auto last = static_cast<double>(durations_.size() - 1);
  const auto at = durations_.begin() + static_cast<std::ptrdiff_t>(last * fraction);
  std::nth_element(durations_.begin(), at, durations_.end());
  return static_cast<double>(*at) / 1'000;
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

AllocationCounts allocation_counts() {
  using Reader = void (*)(std::uint64_t*, std::uint64_t*);
  static const auto reader = reinterpret_cast<Reader>(dlsym(RTLD_DEFAULT, "bench_allocation_counts"));
  AllocationCounts counts;
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
