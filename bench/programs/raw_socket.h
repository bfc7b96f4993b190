// Blocking TCP sockets of the loopback interface with TCP_NODELAY, or unix sockets: the baseline of all
// ratios. Every function throws std::system_error if the system call fails and std::runtime_error if the peer
// hangs up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace bench {

class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket();

  // Connects to the loopback address.
  static int connect_to(std::uint32_t port, bool unix_family = false);
  // Listens on a port of the system's choice, prints it as the first line of output, accepts one connection.
  // A unix socket has a number that the system chooses, too.
  static int announce_and_accept(bool unix_family = false);
  // The same for several connections, as long as `accepted` gives true. Theirs is the descriptor.
  static void announce_and_accept_each(const std::function<bool(int descriptor)>& accepted);

  // One write, which on a blocking socket takes all.
  void write(const void* data, std::size_t size) const;
  // One read of at most `size`; 0 at the end of the stream.
  std::size_t read_some(void* data, std::size_t size) const;
  // Reads until all of `size` is there; for a message that arrives whole, one read. False at the end of the
  // stream.
  bool read(void* data, std::size_t size) const;

 private:
  int descriptor_;
};

}  // namespace bench
