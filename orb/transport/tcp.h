// TCP over IPv4 and IPv6.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orb/transport/stream.h"

namespace corbel::transport {

// Owns a descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& o) noexcept : fd_(o.release()) {}
  Descriptor& operator=(Descriptor o) noexcept {
    std::swap(fd_, o.fd_);
    return *this;
  }
  ~Descriptor();
  int get() const { return fd_; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

struct ConnectResult {
  std::unique_ptr<Stream> stream;  // null on failure
  bool timed_out = false;
};

// Tries every address of `host` in turn until one accepts or the deadline passes.
ConnectResult tcp_connect(const std::string& host, std::uint16_t port, base::Deadline deadline);

// A listening socket.
class TcpAcceptor {
 public:
  // `host` empty: all addresses, IPv6 and IPv4. `port` 0: any. False when the address cannot be had.
  bool listen(const std::string& host, std::uint16_t port);
  // Null when nothing waits. `exhausted` tells that descriptors ran out, so that accepting must pause.
  std::unique_ptr<Stream> accept(bool& exhausted);
  int descriptor() const { return socket_.get(); }
  std::uint16_t port() const { return port_; }
  // No more connections; the descriptor stays until the end, so that its number is not used again meanwhile.
  void stop();

 private:
  Descriptor socket_;
  std::uint16_t port_ = 0;
};

// An address under which this host can be reached from others, else the loopback address.
std::string default_host();

}  // namespace corbel::transport
