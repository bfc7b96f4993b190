// Sends one recorded GIOP request again and again, as it stands in a file, and waits for each reply of 24
// octets:
//   raw-replay --file F --port P --payload N --calls N
// So a server is fed messages that no client of this host writes, such as those of the other byte order.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "raw_socket.h"
#include "support.h"

namespace {

constexpr std::size_t reply_size = 24;
constexpr std::uint64_t warmup_calls = 64;

void replay(const bench::Options& options) {
  std::ifstream file(options.text("file"), std::ios::binary);
  const std::vector<char> request{std::istreambuf_iterator<char>(file), {}};
  const bench::Socket server(bench::Socket::connect_to(static_cast<std::uint16_t>(options.number("port"))));
  const auto call = [&](std::uint64_t times) {
    for (char reply[reply_size]; times > 0; --times) {
      server.write(request.data(), request.size());
      if (!server.read(reply, reply_size)) throw std::runtime_error("the server hung up");
      if (reply[7] != 1 || reply[16] != 0 || reply[19] != 0)
        throw std::runtime_error("the reply tells of an error");
    }
  };
  call(warmup_calls);
  const std::uint64_t calls = options.number("calls");
  const std::uint64_t begin = bench::now_ns();
  call(calls);
  const auto ns = static_cast<double>(bench::now_ns() - begin);
  bench::print_results({{"MB/s", static_cast<double>(options.number("payload") * calls) * 1e3 / ns}});
}

}  // namespace

int main(int argc, char** argv) try {
  replay(bench::Options(argc, argv));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "raw-replay: %s\n", error.what());
  return 1;
}
