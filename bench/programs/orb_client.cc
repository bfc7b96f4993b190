// The client of all measurements: orb-client --ior IOR --mode MODE [...] [-ORB...]. Modes:
//   latency --calls N [--warmup N] [--server PID]   percentiles of single void calls, processor time per call
//   flood --type T --size N --direction oneway|twoway|return --total N
//   sweep --type T --sizes N,N,...        median time of two-way calls of every size
//   one --size N                          peak memory that one two-way call with so many octets takes
//   records --count N --calls N           two-way sequences of records
//   threads --threads N --milliseconds N  void calls per second of N threads that share the reference
//   calls --operation NAME --calls N      nothing but the calls; counts allocations of calls 10,001 to 20,000
//   first                                 one call; time from exec to its reply, and of the ORB's destruction
//   idle --milliseconds N                 one call, then nothing; processor time
//   stop                                  shuts the server down; prints the moment before the call
#include <time.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "client_flood.h"
#include "client_operations.h"
#include "orb_api.h"
#include "support.h"

namespace {

void measure_latency(Bench::Calls_ptr calls, const bench::Options& options) {
  const std::uint64_t warmup = options.number("warmup", 2'000);
  const std::uint64_t count = options.number("calls");
  for (std::uint64_t i = 0; i < warmup; ++i) calls->ping();
  bench::CallTimes times(count, static_cast<int>(options.number("server", 0)));
  times.begin();
  for (std::uint64_t i = 0; i < count; ++i) {
    calls->ping();
    times.call_done();
  }
  times.print();
}

void measure_threads(Bench::Calls_ptr calls, const bench::Options& options) {
  const std::uint64_t duration = options.number("milliseconds") * 1'000'000;
  for (int i = 0; i < 2'000; ++i) calls->ping();
  std::atomic<std::uint64_t> total{0};
  std::atomic<bool> failed{false};
  const std::uint64_t begin = bench::now_ns();
  const auto work = [&] {
    try {
      std::uint64_t done = 0;
      for (; bench::now_ns() - begin < duration; ++done) calls->ping();
      total += done;
    } catch (const CORBA::Exception&) {
      failed = true;
    }
  };
  std::vector<std::thread> threads;
  for (std::uint64_t i = options.number("threads"); i > 0; --i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  if (failed) throw std::runtime_error("a call failed");
  const auto ns = static_cast<double>(bench::now_ns() - begin);
  bench::print_results({{"calls/s", static_cast<double>(total) * 1e9 / ns}});
}

void make_calls(Bench::Calls_ptr calls, const bench::Options& options) {
  bench::ClientOperations operations(calls);
  const auto operation = bench::ClientOperations::named(options.text("operation"));
  const std::uint64_t count = options.number("calls");
  bench::AllocationWindow window;
  for (std::uint64_t i = 0; i < count; ++i) {
    (operations.*operation)();
    window.call_done();
  }
  bench::print_results(
      {{"allocs-client", window.allocations_per_call()}, {"frees-client", window.releases_per_call()}});
}

double exec_to_first_reply(Bench::Calls_ptr calls) {
  calls->ping();
  const std::uint64_t replied = bench::now_ns();
  const char* const started = std::getenv("BENCH_EXEC_NS");
  if (started == nullptr) throw std::runtime_error("BENCH_EXEC_NS is not set: start me through exec-stamp");
  return static_cast<double>(replied - std::stoull(started)) / 1e6;
}

void measure_first_call(CORBA::ORB_ptr orb, Bench::Calls_ptr calls) {
  const double ms = exec_to_first_reply(calls);
  const std::uint64_t begin = bench::now_ns();
  orb->destroy();
  const auto destroy_ns = static_cast<double>(bench::now_ns() - begin);
  bench::print_results({{"ms-first-reply", ms}, {"ms-shutdown-client", destroy_ns / 1e6}});
}

void stay_idle(Bench::Calls_ptr calls, const bench::Options& options) {
  calls->ping();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto used = [] {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
  };
  const double before = used();
  std::this_thread::sleep_for(std::chrono::milliseconds(options.number("milliseconds")));
  bench::print_results({{"ms-client", used() - before}});
}

void stop_server(Bench::Calls_ptr calls) {
  calls->ping();
  const auto ns = static_cast<double>(bench::now_ns());
  calls->stop();
  bench::print_results({{"ns-stop", ns}});
}

void run(CORBA::ORB_ptr orb, const bench::Options& options) {
  CORBA::Object_var object = orb->string_to_object(options.text("ior").c_str());
  Bench::Calls_var calls = Bench::Calls::_unchecked_narrow(object.in());
  const std::string mode = options.text("mode");
  if (mode == "first") return measure_first_call(orb, calls.in());
  if (mode == "latency") {
    measure_latency(calls.in(), options);
  } else if (mode == "flood") {
    bench::flood(calls.in(), options);
  } else if (mode == "sweep") {
    bench::sweep(calls.in(), options);
  } else if (mode == "one") {
    bench::send_one(calls.in(), options);
  } else if (mode == "records") {
    bench::send_records(calls.in(), options);
  } else if (mode == "threads") {
    measure_threads(calls.in(), options);
  } else if (mode == "calls") {
    make_calls(calls.in(), options);
  } else if (mode == "idle") {
    stay_idle(calls.in(), options);
  } else if (mode == "stop") {
    stop_server(calls.in());
  } else {
    throw std::runtime_error("no mode " + mode);
  }
  orb->destroy();
}

}  // namespace

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  run(orb.in(), bench::Options(argc, argv));
  return 0;
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "client: %s\n", error._rep_id());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "client: %s\n", error.what());
  return 1;
}
