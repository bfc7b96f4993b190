// The null baseline of a two-way call: one write and one read per message and side, no poll. As
// raw-tls-pingpong over TLS.
//   raw-pingpong --role server --request N --reply N
//   raw-pingpong --role client --request N --reply N --port P --calls N [--warmup N] [--server PID]
// Over a unix socket with --family unix.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <vector>

#include "raw_peer.h"

namespace {

void serve(const bench::Options& options) {
  std::vector<char> request(options.number("request"));
  const std::vector<char> reply(options.number("reply"));
  const bench::Peer peer(bench::Socket::announce_and_accept(options.text("family", "tcp") == "unix"),
                         options);
  while (peer.read(request.data(), request.size())) peer.write(reply.data(), reply.size());
}

void call(const bench::Options& options) {
  const std::vector<char> request(options.number("request"));
  std::vector<char> reply(options.number("reply"));
  const std::uint64_t warmup = options.number("warmup", 2'000);
  const std::uint64_t calls = options.number("calls");
  const bench::Peer peer(bench::Socket::connect_to(static_cast<std::uint32_t>(options.number("port")),
                                                   options.text("family", "tcp") == "unix"),
                         options);
  const auto round_trip = [&] {
    peer.write(request.data(), request.size());
    if (!peer.read(reply.data(), reply.size())) throw std::runtime_error("the server hung up");
  };
  for (std::uint64_t i = 0; i < warmup; ++i) round_trip();
  bench::CallTimes times(calls, static_cast<int>(options.number("server", 0)));
  times.begin();
  for (std::uint64_t i = 0; i < calls; ++i) {
    round_trip();
    times.call_done();
  }
  times.print();
}

}  // namespace

int main(int argc, char** argv) try {
  const bench::Options options(argc, argv);
  options.text("role") == "server" ? serve(options) : call(options);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "raw-pingpong: %s\n", error.what());
  return 1;
}
