// The null baseline of bulk data: one write per buffer. As raw-tls-flood over TLS; over unix sockets with
// --family unix.
//   raw-flood --role server --direction oneway|twoway|return --size N --buffers N
//   raw-flood --role client --direction oneway|twoway|return --size N --buffers N --port P
//     [--header N]
//   raw-flood --role server|client --direction sweep --sizes N,N,... [--port P]
// One way, the receiver reads into 128 KiB and acknowledges the last octet with one octet. Two way, it reads
// exactly one buffer and answers with 24 octets, the size of an empty reply. With a header each buffer is so
// many octets longer, which do not count as payload: what any protocol costs that says whose the data are.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "raw_peer.h"

namespace {

constexpr std::size_t receive_size = 128 * 1024;
constexpr std::size_t reply_size = 24;
constexpr std::uint64_t warmup_buffers = 64;

struct Flood {
  bool two_way;
  std::size_t size;  // header included
  std::uint64_t buffers;
};

void receive(const bench::Peer& peer, const Flood& flood, std::vector<char>& buffer) {
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

void send(const bench::Peer& peer, const Flood& flood, const std::vector<char>& buffer) {
  char reply[reply_size];
  for (std::uint64_t i = 0; i < flood.buffers; ++i) {
    peer.write(buffer.data(), flood.size);
    if (flood.two_way && !peer.read(reply, reply_size)) throw std::runtime_error("the server hung up");
  }
  if (!flood.two_way && !peer.read(reply, 1)) throw std::runtime_error("the server hung up");
}

// The mirror image of two way: a small request, and the buffer as its answer.
void answer(const bench::Peer& peer, const Flood& flood, const std::vector<char>& buffer) {
  char request[reply_size];
  for (std::uint64_t i = 0; i < flood.buffers && peer.read(request, reply_size); ++i)
    peer.write(buffer.data(), flood.size);
}

void ask(const bench::Peer& peer, const Flood& flood, std::vector<char>& buffer) {
  const char request[reply_size] = {};
  for (std::uint64_t i = 0; i < flood.buffers; ++i) {
    peer.write(request, reply_size);
    if (!peer.read(buffer.data(), flood.size)) throw std::runtime_error("the server hung up");
  }
}

// One after the other, in the order in which the client goes through the sizes.
void sweep(const bench::Options& options) {
  const std::vector<std::uint64_t> sizes = options.numbers("sizes");
  std::vector<char> buffer(*std::max_element(sizes.begin(), sizes.end()), 'x');
  char reply[reply_size] = {};
  if (options.text("role") == "server") {
    const bench::Peer peer(bench::Socket::announce_and_accept(options.text("family", "tcp") == "unix"),
                           options);
    bench::sweep_order(sizes, [&](std::size_t i) {
      if (peer.read(buffer.data(), sizes[i])) peer.write(reply, reply_size);
    });
    return;
  }
  const bench::Peer peer(bench::Socket::connect_to(static_cast<std::uint32_t>(options.number("port")),
                                                   options.text("family", "tcp") == "unix"),
                         options);
  bench::sweep(sizes, [&](std::size_t i) {
    peer.write(buffer.data(), sizes[i]);
    if (!peer.read(reply, reply_size)) throw std::runtime_error("the server hung up");
  });
}

}  // namespace

int main(int argc, char** argv) try {
  const bench::Options options(argc, argv);
  const std::string direction = options.text("direction");
  if (direction == "sweep") {
    sweep(options);
    return 0;
  }
  const bool two_way = direction == "twoway", back = direction == "return";
  const std::size_t payload = options.number("size");
  const Flood flood{two_way, payload + options.number("header", 0), options.number("buffers")};
  const Flood warmup{two_way, flood.size, warmup_buffers};
  std::vector<char> buffer(std::max(flood.size, receive_size), 'x');
  if (options.text("role") == "server") {
    const bench::Peer peer(bench::Socket::announce_and_accept(options.text("family", "tcp") == "unix"),
                           options);
    for (const Flood& part : {warmup, flood}) back ? answer(peer, part, buffer) : receive(peer, part, buffer);
    return 0;
  }
  const bench::Peer peer(bench::Socket::connect_to(static_cast<std::uint32_t>(options.number("port")),
                                                   options.text("family", "tcp") == "unix"),
                         options);
  back ? ask(peer, warmup, buffer) : send(peer, warmup, buffer);
  const std::uint64_t begin = bench::now_ns();
  back ? ask(peer, flood, buffer) : send(peer, flood, buffer);
  const auto ns = static_cast<double>(bench::now_ns() - begin);
  bench::print_results({{"MB/s", static_cast<double>(payload * flood.buffers) * 1e3 / ns}});
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "raw-flood: %s\n", error.what());
  return 1;
}
