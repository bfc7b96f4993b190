#include "orb/transport/tcp.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace corbel::transport {

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Readiness wait_ready(int descriptor, bool read, bool write, base::Deadline deadline) {
  pollfd p{descriptor, static_cast<short>((read ? POLLIN : 0) | (write ? POLLOUT : 0)), 0};
  for (;;) {
    const int n = ::poll(&p, 1, base::milliseconds_until(deadline));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return {};
    const bool broken = (p.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
    return {(p.revents & POLLIN) != 0 || (broken && read), (p.revents & POLLOUT) != 0 || (broken && write)};
  }
}

namespace {

class TcpStream final : public Stream {
 public:
  explicit TcpStream(Descriptor socket) : socket_(std::move(socket)) {
    const int on = 1;
    setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // A peer whose host vanished is found by probes, two minutes later; a call waits as long as its server
    // lives.
    const int idle_s = 60, interval_s = 10, probes = 6;
    setsockopt(socket_.get(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(socket_.get(), IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(socket_.get(), IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
    setsockopt(socket_.get(), IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
  }

  IoResult read(char* to, std::size_t size) override {
    return result(::recv(socket_.get(), to, size, 0), Io::TimedOut);
  }
  IoResult try_read(char* to, std::size_t size) override {
    return result(::recv(socket_.get(), to, size, MSG_DONTWAIT), Io::WouldBlock);
  }
  IoResult try_write(const iovec* parts, int count) override {
    ssize_t n;
    if (count == 1) {
      n = ::send(socket_.get(), parts->iov_base, parts->iov_len, MSG_DONTWAIT | MSG_NOSIGNAL);
    } else {
      msghdr message{};
      message.msg_iov = const_cast<iovec*>(parts);
      message.msg_iovlen = static_cast<std::size_t>(count);
      n = ::sendmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    if (n >= 0) return {Io::Ok, static_cast<std::size_t>(n)};
    return {errno == EAGAIN || errno == EINTR ? Io::WouldBlock : Io::Failed};
  }
  void set_read_timeout(int milliseconds) override {
    if (milliseconds == read_timeout_) return;
    read_timeout_ = milliseconds;
    const timeval t{milliseconds / 1000, milliseconds % 1000 * 1000};
    setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
  }
  int descriptor() const override { return socket_.get(); }
  void interrupt() override { ::shutdown(socket_.get(), SHUT_RDWR); }
  void stop_reading() override { ::shutdown(socket_.get(), SHUT_RD); }
  void finish_writing() override { ::shutdown(socket_.get(), SHUT_WR); }
  std::string peer() const override {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    char host[NI_MAXHOST], port[NI_MAXSERV];
    if (getpeername(socket_.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0 ||
        getnameinfo(reinterpret_cast<sockaddr*>(&address), length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
      return "unknown";
    return std::string(host) + ":" + port;
  }

 private:
  static IoResult result(ssize_t n, Io nothing) {
    if (n > 0) return {Io::Ok, static_cast<std::size_t>(n)};
    if (n == 0) return {Io::Closed};
    if (errno == EAGAIN) return {nothing};
    return {errno == EINTR ? Io::WouldBlock : Io::Failed};
  }

  Descriptor socket_;
  int read_timeout_ = 0;
};

struct AddressList {
  addrinfo* first = nullptr;
  ~AddressList() {
    if (first) freeaddrinfo(first);
  }
};

bool resolve(const char* host, std::uint16_t port, int flags, AddressList& list) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  return getaddrinfo(host, std::to_string(port).c_str(), &hints, &list.first) == 0;
}

// Connects without blocking past the deadline. True with the socket connected.
bool connect_one(int socket, const addrinfo& address, base::Deadline deadline, bool& timed_out) {
  if (::connect(socket, address.ai_addr, address.ai_addrlen) == 0) return true;
  if (errno != EINPROGRESS) return false;
  if (!wait_ready(socket, false, true, deadline).writable) {
    timed_out = true;
    return false;
  }
  int error = 0;
  socklen_t length = sizeof error;
  return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0;
}

}  // namespace

ConnectResult tcp_connect(const std::string& host, std::uint16_t port, base::Deadline deadline) {
  ConnectResult result;
  AddressList list;
  if (!resolve(host.c_str(), port, 0, list)) return result;
  for (const addrinfo* a = list.first; a; a = a->ai_next) {
    Descriptor socket(::socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) continue;
    if (!connect_one(socket.get(), *a, deadline, result.timed_out)) continue;
    ::fcntl(socket.get(), F_SETFL, 0);  // reads block; writes say MSG_DONTWAIT
    result.stream = std::make_unique<TcpStream>(std::move(socket));
    result.timed_out = false;
    return result;
  }
  return result;
}

bool TcpAcceptor::listen(const std::string& host, std::uint16_t port) {
  AddressList list;
  if (!resolve(host.empty() ? nullptr : host.c_str(), port, AI_PASSIVE, list)) return false;
  // Where all addresses are meant, an IPv6 socket takes IPv4 as well, so it goes first.
  for (const int family : {AF_INET6, AF_INET}) {
    for (const addrinfo* a = list.first; a; a = a->ai_next) {
      if (a->ai_family != family) continue;
      Descriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      if (!socket) continue;
      const int on = 1, off = 0;
      setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
      if (family == AF_INET6 && host.empty())
        setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
      sockaddr_storage bound{};
      socklen_t length = sizeof bound;
      if (::bind(socket.get(), a->ai_addr, a->ai_addrlen) != 0 || ::listen(socket.get(), SOMAXCONN) != 0 ||
          getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &length) != 0)
        continue;
      port_ = ntohs(family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                       : reinterpret_cast<sockaddr_in&>(bound).sin_port);
      socket_ = std::move(socket);
      return true;
    }
  }
  return false;
}

std::unique_ptr<Stream> TcpAcceptor::accept(bool& exhausted) {
  exhausted = false;
  Descriptor socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket) {
    exhausted = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
    return nullptr;
  }
  return std::make_unique<TcpStream>(std::move(socket));
}

void TcpAcceptor::stop() { ::shutdown(socket_.get(), SHUT_RDWR); }

std::string default_host() {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return "127.0.0.1";
  std::string best = "127.0.0.1";
  char text[INET6_ADDRSTRLEN];
  for (const int family : {AF_INET6, AF_INET}) {  // IPv4 wins
    for (const ifaddrs* i = all; i; i = i->ifa_next) {
      if (!i->ifa_addr || i->ifa_addr->sa_family != family || (i->ifa_flags & IFF_LOOPBACK) ||
          !(i->ifa_flags & IFF_UP))
        continue;
      if (family == AF_INET6 &&
          IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<sockaddr_in6*>(i->ifa_addr)->sin6_addr))
        continue;
      const void* address =
          family == AF_INET ? static_cast<const void*>(&reinterpret_cast<sockaddr_in*>(i->ifa_addr)->sin_addr)
                            : &reinterpret_cast<sockaddr_in6*>(i->ifa_addr)->sin6_addr;
      if (inet_ntop(family, address, text, sizeof text)) {
        best = text;
        break;
      }
    }
  }
  freeifaddrs(all);
  return best;
}

}  // namespace corbel::transport
