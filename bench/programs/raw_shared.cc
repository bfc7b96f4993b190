// The null baseline of a two-way call through shared memory: a word for each direction, in a cache line of
// its own, on which the other side spins or sleeps.
//   raw-shared --role server --wait spin|futex
//   raw-shared --role client --wait spin|futex --memory PATH --calls N [--warmup N]
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>

#include "support.h"

namespace {

constexpr std::uint32_t kEnd = 0;  // in place of a call's number

struct Shared {
  alignas(128) std::atomic<std::uint32_t> request;
  alignas(128) std::atomic<std::uint32_t> reply;
};

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

Shared& map(int descriptor) {
  void* const at = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  return *static_cast<Shared*>(at);
}

void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, nullptr, nullptr, 0);
}

// Writes a value and wakes who sleeps on it.
void put(std::atomic<std::uint32_t>& word, std::uint32_t value, bool sleeps) {
  word.store(value, std::memory_order_release);
  if (sleeps) futex(word, FUTEX_WAKE, INT_MAX);
}

// Waits until the word is no longer `value`; gives what it is.
std::uint32_t get(std::atomic<std::uint32_t>& word, std::uint32_t value, bool sleeps) {
  for (;;) {
    const std::uint32_t now = word.load(std::memory_order_acquire);
    if (now != value) return now;
    if (sleeps) futex(word, FUTEX_WAIT, value);
    else __builtin_ia32_pause();
  }
}

void serve(bool sleeps) {
  const int descriptor = checked(memfd_create("raw-shared", 0), "memfd_create");
  checked(ftruncate(descriptor, sizeof(Shared)), "ftruncate");
  Shared& shared = map(descriptor);
  shared.request = shared.reply = ~kEnd;
  std::printf("/proc/%d/fd/%d\n", getpid(), descriptor);
  std::fflush(stdout);
  for (std::uint32_t call = ~kEnd; (call = get(shared.request, call, sleeps)) != kEnd;)
    put(shared.reply, call, sleeps);
}

void call(const bench::Options& options, bool sleeps) {
  const std::uint64_t warmup = options.number("warmup", 2'000);
  const std::uint64_t calls = options.number("calls");
  Shared& shared = map(checked(open(options.text("memory").c_str(), O_RDWR), "open"));
  std::uint32_t last = ~kEnd;
  const auto round_trip = [&](std::uint64_t number) {
    const auto next = static_cast<std::uint32_t>(number + 1);
    put(shared.request, next, sleeps);
    get(shared.reply, last, sleeps);
    last = next;
  };
  for (std::uint64_t i = 0; i < warmup; ++i) round_trip(i);
  bench::Samples samples(calls);
  std::uint64_t before = bench::now_ns();
  for (std::uint64_t i = 0; i < calls; ++i) {
    round_trip(warmup + i);
    const std::uint64_t after = bench::now_ns();
    samples.add(after - before);
    before = after;
  }
  put(shared.request, kEnd, sleeps);
  bench::print_results({{"us-p50", samples.percentile_us(0.5)}, {"us-p99", samples.percentile_us(0.99)}});
}

}  // namespace

int main(int argc, char** argv) try {
  const bench::Options options(argc, argv);
  const bool sleeps = options.text("wait") == "futex";
  if (options.text("role") == "server") serve(sleeps);
  else call(options, sleeps);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "raw-shared: %s\n", error.what());
  return 1;
}
