// The baseline of the load measurements: each client thread has a connection of its own and a server thread
// of its own, blocking, one write and one read per message and side.
//   raw-threads --role server --request N --reply N --threads N
//   raw-threads --role client --request N --reply N --threads N --port P --mode closed|open --milliseconds N
//   [--rate R]
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "load_support.h"
#include "raw_socket.h"

namespace {

void serve(const bench::Options& options) {
  std::vector<std::thread> threads;
  bench::Socket::announce_and_accept_each([&](int descriptor) {
    threads.emplace_back([&options, descriptor] {
      try {
        std::vector<char> request(options.number("request"));
        const std::vector<char> reply(options.number("reply"));
        const bench::Socket peer(descriptor);
        while (peer.read(request.data(), request.size())) peer.write(reply.data(), reply.size());
      } catch (const std::exception&) {
        // The client has hung up.
      }
    });
    return threads.size() < options.number("threads");
  });
  for (std::thread& t : threads) t.join();
}

void call(const bench::Options& options) {
  const auto port = static_cast<std::uint16_t>(options.number("port"));
  const auto make = [&](unsigned) -> bench::Call {
    struct Peer {
      bench::Socket socket;
      std::vector<char> request, reply;
    };
    const std::shared_ptr<Peer> peer(new Peer{bench::Socket(bench::Socket::connect_to(port)),
                                              std::vector<char>(options.number("request")),
                                              std::vector<char>(options.number("reply"))});
    return [peer] {
      peer->socket.write(peer->request.data(), peer->request.size());
      if (!peer->socket.read(peer->reply.data(), peer->reply.size()))
        throw std::runtime_error("the server hung up");
    };
  };
  const auto threads = static_cast<unsigned>(options.number("threads"));
  if (options.text("mode") == "closed") bench::closed_loop(threads, options.number("milliseconds"), make);
  else
    bench::open_loop(threads, options.number("milliseconds"), static_cast<double>(options.number("rate")),
                     make);
}

}  // namespace

int main(int argc, char** argv) try {
  const bench::Options options(argc, argv);
  options.text("role") == "server" ? serve(options) : call(options);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "raw-threads: %s\n", error.what());
  return 1;
}
