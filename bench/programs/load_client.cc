// The client of the load measurements: load-client --ior IOR --mode MODE [...] [-ORB...]. Modes:
//   closed --threads N --milliseconds N            void calls of N threads over one connection, as fast as
//   they can open --threads N --milliseconds N --rate R     the same on a schedule naps --threads N
//   --milliseconds N              one call in sixteen takes 10 ms; latency of the others bulk --threads N
//   --milliseconds N              N threads get 1 MiB each time; latency of one that makes void calls round
//   --connections N --calls N                void calls over N connections in turn: CPU time of both
//   processes latency --calls N                              void calls of one thread stop shuts the server
//   down
#include <corbel/corba.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "load.stub.h"
#include "load_support.h"

namespace {

Bench::Load_ptr target(CORBA::ORB_ptr orb, const bench::Options& options) {
  CORBA::Object_var object = orb->string_to_object(options.text("ior").c_str());
  return Bench::Load::_unchecked_narrow(object.in());
}

void latency(Bench::Load_ptr load, const bench::Options& options) {
  for (int i = 0; i < 2'000; ++i) load->ping();
  const std::uint64_t calls = options.number("calls");
  bench::Samples samples(calls);
  std::uint64_t before = bench::now_ns();
  for (std::uint64_t i = 0; i < calls; ++i) {
    load->ping();
    const std::uint64_t after = bench::now_ns();
    samples.add(after - before);
    before = after;
  }
  bench::print_results({{"us-p50", samples.percentile_us(0.5)}, {"us-p99", samples.percentile_us(0.99)}});
}

// Every sixteenth call of a thread takes its time; those of different threads do so at different moments.
void naps(Bench::Load_ptr load, const bench::Options& options) {
  const auto threads = static_cast<unsigned>(options.number("threads"));
  const std::uint64_t end = bench::now_ns() + options.number("milliseconds") * 1'000'000;
  std::vector<std::vector<std::uint64_t>> samples(threads);
  std::vector<std::thread> all;
  std::atomic<bool> failed{false};
  for (unsigned i = 0; i < threads; ++i) {
    all.emplace_back([&, i] {
      try {
        for (unsigned n = i; bench::now_ns() < end; ++n) {
          if (n % 16 == 0) {
            load->nap(10'000);
            continue;
          }
          const std::uint64_t before = bench::now_ns();
          load->ping();
          samples[i].push_back(bench::now_ns() - before);
        }
      } catch (const CORBA::Exception&) {
        failed = true;
      }
    });
  }
  for (std::thread& t : all) t.join();
  if (failed) throw std::runtime_error("a call failed");
  std::size_t count = 0;
  for (const auto& s : samples) count += s.size();
  bench::Samples joined(count);
  for (const auto& s : samples)
    for (const std::uint64_t ns : s) joined.add(ns);
  bench::print_results({{"us-p50", joined.percentile_us(0.5)}, {"us-p99", joined.percentile_us(0.99)}});
}

void bulk(Bench::Load_ptr load, const bench::Options& options) {
  const std::uint64_t end = bench::now_ns() + options.number("milliseconds") * 1'000'000;
  std::atomic<bool> failed{false};
  std::atomic<std::uint64_t> got{0};
  std::vector<std::thread> all;
  for (std::uint64_t i = options.number("threads"); i > 0; --i) {
    all.emplace_back([&] {
      try {
        while (bench::now_ns() < end) {
          Bench::Load::Octets_var octets = load->get(1024 * 1024);
          got += octets->length();
        }
      } catch (const CORBA::Exception&) {
        failed = true;
      }
    });
  }
  std::vector<std::uint64_t> ns;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  while (bench::now_ns() < end) {
    const std::uint64_t before = bench::now_ns();
    load->ping();
    ns.push_back(bench::now_ns() - before);
  }
  for (std::thread& t : all) t.join();
  if (failed) throw std::runtime_error("a call failed");
  bench::Samples samples(ns.size());
  for (const std::uint64_t n : ns) samples.add(n);
  bench::print_results(
      {{"us-p50", samples.percentile_us(0.5)},
       {"us-p99", samples.percentile_us(0.99)},
       {"MB/s", static_cast<double>(got) / 1e3 / static_cast<double>(options.number("milliseconds"))}});
}

// An ORB for each connection. Only what is inside the loop counts, on both sides.
void round(Bench::Load_ptr load, const bench::Options& options, int argc, char** argv) {
  std::vector<CORBA::ORB_var> orbs;
  std::vector<Bench::Load_var> targets;
  for (std::uint64_t i = options.number("connections"); i > 0; --i) {
    std::vector<char*> copy(argv, argv + argc + 1);
    int count = argc;
    orbs.push_back(CORBA::ORB_init(count, copy.data(), ("round-" + std::to_string(i)).c_str()));
    targets.push_back(target(orbs.back(), options));
    targets.back()->ping();
  }
  const std::uint64_t calls = options.number("calls");
  for (std::size_t i = 0; i < 2 * targets.size(); ++i) targets[i % targets.size()]->ping();
  const std::uint64_t server_before = load->cpu(), client_before = bench::cpu_ns();
  for (std::uint64_t i = 0; i < calls; ++i) targets[i % targets.size()]->ping();
  const std::uint64_t client = bench::cpu_ns() - client_before, server = load->cpu() - server_before;
  const auto per_call = [&](std::uint64_t ns) {
    return static_cast<double>(ns) / 1e3 / static_cast<double>(calls);
  };
  bench::print_results({{"us-cpu", per_call(client + server)},
                        {"us-cpu-client", per_call(client)},
                        {"us-cpu-server", per_call(server)}});
  for (CORBA::ORB_var& orb : orbs) orb->destroy();
}

void run(CORBA::ORB_ptr orb, const bench::Options& options, int argc, char** argv) {
  Bench::Load_var load = target(orb, options);
  const std::string mode = options.text("mode");
  const auto call = [&](unsigned) -> bench::Call { return [p = load.in()] { p->ping(); }; };
  if (mode == "closed") {
    bench::closed_loop(static_cast<unsigned>(options.number("threads")), options.number("milliseconds"),
                       call);
  } else if (mode == "open") {
    bench::open_loop(static_cast<unsigned>(options.number("threads")), options.number("milliseconds"),
                     static_cast<double>(options.number("rate")), call);
  } else if (mode == "naps") {
    naps(load.in(), options);
  } else if (mode == "bulk") {
    bulk(load.in(), options);
  } else if (mode == "round") {
    round(load.in(), options, argc, argv);
  } else if (mode == "latency") {
    latency(load.in(), options);
  } else if (mode == "stop") {
    load->stop();
  } else {
    throw std::runtime_error("no mode " + mode);
  }
  orb->destroy();
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<char*> all(argv, argv + argc + 1);  // every ORB takes its options from the whole of them
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  run(orb.in(), bench::Options(argc, argv), static_cast<int>(all.size()) - 1, all.data());
  return 0;
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "load-client: %s\n", error._rep_id());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "load-client: %s\n", error.what());
  return 1;
}
