// Dispatches requests inside of one process: from a header to the servant's method and back.
//
//   --mode time         nanoseconds, one after the other and serialised, beside one object's and a pointer
//   chase
//   --mode points       nanoseconds only
//   --mode count        so many dispatches under callgrind, which counts nothing else
//   --mode threads      of several threads, by that of one
//   --mode activation   activations a second, and the longest of them
//   --mode memory       of an active object beyond its servant, and what is left when none is active
#include <pthread.h>
#include <unistd.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#endif
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

#include "dispatch_world.h"
#include "support.h"

namespace {

using bench::DispatchCase;
using bench::Dispatching;
using bench::DispatchRequest;
using bench::DispatchWorld;
using Requests = std::vector<DispatchRequest>;

constexpr std::size_t kSteps = std::size_t{1} << 20;
constexpr int kPasses = 5;

// The next instruction begins when all before it are done.
void serialise() {
#ifdef __x86_64__
  _mm_lfence();
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

// Nanoseconds each: of every piece the least of so many passes, so that others' turns on the processor count
// little.
template <typename Each>
double least_ns(std::size_t count, Each each) {
  constexpr std::size_t kPiece = 4096;
  std::vector<std::uint64_t> least(count / kPiece + 1, UINT64_MAX);
  for (int pass = 0; pass < kPasses; ++pass)
    for (std::size_t piece = 0, i = 0; i < count; ++piece) {
      const std::uint64_t begin = bench::now_ns();
      for (const std::size_t end = std::min(count, i + kPiece); i < end; ++i) each(i);
      least[piece] = std::min(least[piece], bench::now_ns() - begin);
    }
  if (count % kPiece == 0) least.pop_back();
  return static_cast<double>(std::accumulate(least.begin(), least.end(), std::uint64_t{0})) /
         static_cast<double>(count);
}

struct Times {
  double serial, back_to_back;
};
template <typename Dispatching>
Times time_requests(Dispatching& dispatching, const Requests& requests) {
  Times times{};
  times.back_to_back = least_ns(requests.size(), [&](std::size_t i) { dispatching.dispatch(requests[i]); });
  times.serial = least_ns(requests.size(), [&](std::size_t i) {
    serialise();
    dispatching.dispatch(requests[i]);
  });
  return times;
}
Times time_world(DispatchWorld& world, std::size_t count, bool worst) {
  const Requests requests = world.requests(count, worst);
  Dispatching dispatching(world.orb());
  dispatching.check(requests);
  return time_requests(dispatching, requests);
}

// One step through a random cycle of cache lines of so much memory.
double chase_ns(std::uint64_t footprint) {
  struct alignas(64) Node {
    std::uint32_t next;
  };
  std::vector<Node> nodes(std::max<std::uint64_t>(2, footprint / sizeof(Node)));
  std::vector<std::uint32_t> order(nodes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(2));
  for (std::size_t i = 0; i < order.size(); ++i) nodes[order[i]].next = order[(i + 1) % order.size()];
  std::uint32_t at = order[0];
  const double ns = least_ns(kSteps, [&](std::size_t) { at = nodes[at].next; });
  if (at == 0xffffffffu) std::puts("");  // it is needed
  return ns;
}

void time_it(const DispatchCase& what, std::size_t count, bool worst) {
  DispatchCase one = what;
  one.objects = one.operations = 1;
  double least;
  {
    DispatchWorld world(one);
    least = time_world(world, count, worst).serial;
  }
  DispatchWorld world(what);
  const Times times = time_world(world, count, worst);
  const double chase = chase_ns(world.footprint());
  bench::print_results({{"ns-serial", times.serial},
                        {"ns-back-to-back", times.back_to_back},
                        {"by-one-object", times.serial / least},
                        {"by-allowed", times.serial / (1.15 * least + 2.5 * chase)},
                        {"ns-chase", chase}});
}

// Few requests where each takes long.
void points(const DispatchCase& what, bool worst) {
  DispatchWorld world(what);
  const bool long_ones = what.strategy == "linear";
  const Requests requests = world.requests(long_ones ? 1 << 12 : 1 << 16, worst);
  Dispatching dispatching(world.orb());
  dispatching.check(requests);
  bench::print_results({{"ns", time_requests(dispatching, requests).back_to_back}});
}

template <typename Dispatching>
void count(Dispatching& dispatching, const Requests& requests) {
  CALLGRIND_START_INSTRUMENTATION;
  for (const DispatchRequest& request : requests) dispatching.dispatch(request);
  CALLGRIND_STOP_INSTRUMENTATION;
}

void count(const DispatchCase& what, bool worst, std::size_t dispatches) {
  if (what.strategy == "plain") {
    bench::PlainDispatching plain(what);
    return count(plain, plain.requests(dispatches, worst));
  }
  DispatchWorld world(what);
  const Requests requests = world.requests(dispatches, worst);
  Dispatching dispatching(world.orb());
  dispatching.check(requests);
  count(dispatching, requests);
}

std::uint64_t thread_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

// Dispatches of so many threads in a second of each one's processor, which others may use meanwhile; thread n
// of them goes through requests[n]. More threads than processors share these.
double rate(DispatchWorld& world, const std::vector<Requests>& requests) {
  const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  std::atomic<std::size_t> ready{0};
  std::atomic<bool> begin{false}, end{false};
  std::vector<double> rates(requests.size());
  std::vector<std::thread> threads;
  for (std::size_t n = 0; n < requests.size(); ++n)
    threads.emplace_back([&, n] {
      cpu_set_t cpus;
      CPU_ZERO(&cpus);
      CPU_SET(n % processors, &cpus);
      (void)pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus);
      Dispatching dispatching(world.orb());
      dispatching.check(requests[n]);
      ready.fetch_add(1);
      while (!begin.load()) std::this_thread::yield();
      const std::uint64_t from = thread_ns();
      std::uint64_t all = 0;
      while (!end.load(std::memory_order_relaxed)) {
        for (const DispatchRequest& request : requests[n]) dispatching.dispatch(request);
        all += requests[n].size();
      }
      rates[n] = static_cast<double>(all) * 1e9 /
                 static_cast<double>(std::max<std::uint64_t>(1, thread_ns() - from));
    });
  while (ready.load() < requests.size()) std::this_thread::yield();
  begin.store(true);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  end.store(true);
  for (auto& thread : threads) thread.join();
  const double share = std::min(1.0, static_cast<double>(processors) / static_cast<double>(rates.size()));
  return std::accumulate(rates.begin(), rates.end(), 0.0) * share;
}

void threads(DispatchCase what) {
  what.objects = std::max<std::uint64_t>(what.objects, 16);
  DispatchWorld world(what);
  // Neighbours, which would stand in each other's way first.
  const auto of = [&](std::size_t count, bool same) {
    std::vector<Requests> all;
    for (std::size_t n = 0; n < count; ++n) all.emplace_back(256, world.request(same ? 0 : n, 0));
    return all;
  };
  const double one = rate(world, of(1, false));
  const double two = rate(world, of(2, false));
  bench::print_results({{"x-two-distinct", two / one},
                        {"x-two-same", rate(world, of(2, true)) / one},
                        {"four-by-two", rate(world, of(4, false)) / two},
                        {"sixteen-by-two", rate(world, of(16, false)) / two}});
}

// ---- activation

struct Home {
  Home() {
    int argc = 1;
    char name[] = "dispatch";
    char* argv[] = {name, nullptr};
    orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(object);
  }
  ~Home() { orb->destroy(); }
  CORBA::ORB_var orb;
  PortableServer::POA_var root;
};

struct Servants {
  explicit Servants(std::size_t count) {
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) all.push_back(bench::make_servant({}));
  }
  ~Servants() {
    for (PortableServer::ServantBase* const servant : all) servant->_remove_ref();
  }
  std::vector<PortableServer::ServantBase*> all;
};

// The longest is looked for in another adapter, in groups, by the clock of the thread: others' turns on the
// processor do not count.
void activation(std::size_t objects) {
  constexpr std::size_t kGroup = 64;
  Home home;
  const Servants servants(objects);
  const CORBA::PolicyList none;
  PortableServer::POA_var first = home.root->create_POA("first", nullptr, none);
  const std::uint64_t begin = thread_ns();
  for (PortableServer::ServantBase* const servant : servants.all)
    PortableServer::ObjectId_var id = first->activate_object(servant);
  const auto ns = static_cast<double>(thread_ns() - begin);
  first->destroy(false, true);
  PortableServer::POA_var second = home.root->create_POA("second", nullptr, none);
  std::uint64_t longest = 0, before = thread_ns();
  for (std::size_t i = 0; i < objects; ++i) {
    PortableServer::ObjectId_var id = second->activate_object(servants.all[i]);
    if (i % kGroup != kGroup - 1) continue;
    const std::uint64_t now = thread_ns();
    longest = std::max(longest, now - before);
    before = now;
  }
  second->destroy(false, true);
  bench::print_results(
      {{"M/s", static_cast<double>(objects) * 1e3 / ns}, {"ms-longest", static_cast<double>(longest) / 1e6}});
}

// ---- memory

double resident() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0, pages = 0;
  file >> size >> pages;
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void memory(std::size_t objects) {
  Home home;
  const Servants servants(objects);
  PortableServer::POA_var adapter = home.root->create_POA("memory", nullptr, CORBA::PolicyList());
  std::vector<std::array<CORBA::Octet, 16>> ids(objects, std::array<CORBA::Octet, 16>{1});
  CORBA::ULong size = 0;
  const double start = resident();
  for (std::size_t i = 0; i < objects; ++i) {
    PortableServer::ObjectId_var id = adapter->activate_object(servants.all[i]);
    size = std::min<CORBA::ULong>(id->length(), 16);
    std::memcpy(ids[i].data(), id->get_buffer(), size);
  }
  const double full = resident();
  PortableServer::ObjectId id;
  id.length(size);
  for (std::size_t i = 0; i < objects; ++i) {
    std::memcpy(id.get_buffer(), ids[i].data(), size);
    adapter->deactivate_object(id);
  }
  const double end = resident();
  bench::print_results(
      {{"octets-object", (full - start) / static_cast<double>(objects)}, {"end-by-start", end / start}});
}

int run(const bench::Options& options) {
  DispatchCase what;
  what.objects = options.number("objects", 1);
  what.operations = static_cast<std::uint32_t>(options.number("operations", 1));
  what.strategy = options.text("strategy", what.strategy);
  what.skeleton = options.text("skeleton", what.skeleton);
  const bool worst = options.text("invocation", "random") == "worst";
  const std::string mode = options.text("mode");
  if (mode == "time") time_it(what, options.number("requests", 1 << 20), worst);
  else if (mode == "points") points(what, worst);
  else if (mode == "count") count(what, worst, options.number("dispatches"));
  else if (mode == "threads") threads(what);
  else if (mode == "activation") activation(what.objects);
  else if (mode == "memory") memory(what.objects);
  else throw std::runtime_error("no such mode: " + mode);
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  return run(bench::Options(argc, argv));
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "dispatch: %s\n", error._rep_id());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "dispatch: %s\n", error.what());
  return 1;
}
