// The null baseline of bulk data: one write per buffer.
//   raw-flood --role server --direction oneway|twoway --size N --buffers N
//   raw-flood --role client --direction oneway|twoway --size N --buffers N --port P
// One way, the receiver reads into 128 KiB and acknowledges the last octet with one octet. Two way, it reads
// exactly one buffer and answers with 24 octets, the size of an empty reply.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "raw_socket.h"
#include "support.h"

namespace {

constexpr std::size_t receive_size = 128 * 1024;
constexpr std::size_t reply_size = 24;
constexpr std::uint64_t warmup_buffers = 64;

struct Flood {
  bool two_way;
  std::size_t size;
  std::uint64_t buffers;
};

void receive(const bench::Socket& peer, const Flood& flood, std::vector<char>& buffer) {
  const char reply[reply_size] = {};
  if (flood.two_way) {
    for (std::uint64_t i = 0; i < flood.buffers && peer.read(buffer.data(), flood.size); ++i) {
      peer.write(reply, reply_size);
    }
    return;
  }
  for (std::uint64_t left = flood.size * flood.buffers; left > 0;) {
    const std::size_t got = peer.read_some(buffer.data(), std::min<std::uint64_t>(left, receive_size));
    if (got == 0) return;
    left -= got;
  }
  peer.write(reply, 1);
}

void send(const bench::Socket& peer, const Flood& flood, const std::vector<char>& buffer) {
  char reply[reply_size];
  for (std::uint64_t i = 0; i < flood.buffers; ++i) {
    peer.write(buffer.data(), flood.size);
    if (flood.two_way && !peer.read(reply, reply_size)) throw std::runtime_error("the server hung up");
  }
  if (!flood.two_way && !peer.read(reply, 1)) throw std::runtime_error("the server hung up");
}

}  // namespace

int main(int argc, char** argv) try {
  const bench::Options options(argc, argv);
  const bool two_way = options.text("direction") == "twoway";
  const Flood flood{two_way, options.number("size"), options.number("buffers")};
  const Flood warmup{two_way, flood.size, warmup_buffers};
  std::vector<char> buffer(std::max(flood.size, receive_size), 'x');
  if (options.text("role") == "server") {
    const bench::Socket peer(bench::Socket::announce_and_accept());
    receive(peer, warmup, buffer);
    receive(peer, flood, buffer);
    return 0;
  }
  const bench::Socket peer(bench::Socket::connect_to(static_cast<std::uint16_t>(options.number("port"))));
  send(peer, warmup, buffer);
  const std::uint64_t begin = bench::now_ns();
  send(peer, flood, buffer);
  const auto ns = static_cast<double>(bench::now_ns() - begin);
  bench::print_results({{"MB/s", static_cast<double>(flood.size * flood.buffers) * 1e3 / ns}});
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "raw-flood: %s\n", error.what());
  return 1;
}
