#include "raw_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace bench {
namespace {

int checked(long result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return static_cast<int>(result);
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

constexpr socklen_t kChosenName = offsetof(sockaddr_un, sun_path) + 6;

// Not connected yet: one that is stays paced where it was before.
int tcp_socket() {
  const int descriptor = checked(socket(AF_INET, SOCK_STREAM, 0), "socket");
  if (const char* const name = std::getenv("RAW_CONGESTION"))
    checked(
        setsockopt(descriptor, IPPROTO_TCP, TCP_CONGESTION, name, static_cast<socklen_t>(std::strlen(name))),
        name);
  return descriptor;
}

int without_delay(int descriptor) {
  const int on = 1;
  checked(setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "setsockopt");
  return descriptor;
}

}  // namespace

Socket::~Socket() { close(descriptor_); }

int Socket::connect_to(std::uint32_t port, bool unix_family) {
  if (unix_family) {
    const int descriptor = checked(socket(AF_UNIX, SOCK_STREAM, 0), "socket");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::snprintf(address.sun_path + 1, 6, "%05x", port);
    checked(connect(descriptor, reinterpret_cast<const sockaddr*>(&address), kChosenName), "connect");
    return descriptor;
  }
  const int descriptor = tcp_socket();
  const sockaddr_in address = loopback(static_cast<std::uint16_t>(port));
  checked(connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), "connect");
  return without_delay(descriptor);
}

int Socket::announce_and_accept(bool unix_family) {
  if (unix_family) {
    const Socket listener(checked(socket(AF_UNIX, SOCK_STREAM, 0), "socket"));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socklen_t size = sizeof address.sun_family;  // so the system chooses a name of five hexadecimal digits
    checked(bind(listener.descriptor_, reinterpret_cast<sockaddr*>(&address), size), "bind");
    checked(listen(listener.descriptor_, 1), "listen");
    size = sizeof address;
    checked(getsockname(listener.descriptor_, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
    std::printf("%lu\n", std::strtoul(address.sun_path + 1, nullptr, 16));
    std::fflush(stdout);
    return checked(accept(listener.descriptor_, nullptr, nullptr), "accept");
  }
  int first = -1;
  announce_and_accept_each([&](int descriptor) {
    first = descriptor;
    return false;
  });
  return first;
}

void Socket::announce_and_accept_each(const std::function<bool(int)>& accepted) {
  const Socket listener(tcp_socket());
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  checked(bind(listener.descriptor_, reinterpret_cast<sockaddr*>(&address), size), "bind");
  checked(listen(listener.descriptor_, SOMAXCONN), "listen");
  checked(getsockname(listener.descriptor_, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
  std::printf("%u\n", static_cast<unsigned>(ntohs(address.sin_port)));
  std::fflush(stdout);
  while (accepted(without_delay(checked(accept(listener.descriptor_, nullptr, nullptr), "accept")))) {
  }
}

void Socket::write(const void* data, std::size_t size) const {
  if (static_cast<std::size_t>(checked(::write(descriptor_, data, size), "write")) != size) {
    throw std::runtime_error("write: the socket took a part only");
  }
}

std::size_t Socket::read_some(void* data, std::size_t size) const {
  return static_cast<std::size_t>(checked(::read(descriptor_, data, size), "read"));
}

bool Socket::read(void* data, std::size_t size) const {
  auto* to = static_cast<char*>(data);
  while (size > 0) {
    const std::size_t got = read_some(to, size);
    if (got == 0) return false;
    to += got;
    size -= got;
  }
  return true;
}

}  // namespace bench
