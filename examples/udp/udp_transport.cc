#include "udp_transport.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include <corbel/transport/transport.h>

namespace {

using namespace corbel::transport;

constexpr std::size_t kLargestDatagram = 65507;

struct Socket {
  explicit Socket(int fd) : fd(fd) {}
  ~Socket() { ::close(fd); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  const int fd;
};

// A socket that is bound to HOST:PORT, or connected to it; -1 if that cannot be.
int open_socket(const std::string& address, bool bound) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return -1;
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_DGRAM;
  if (::getaddrinfo(address.substr(0, colon).c_str(), address.substr(colon + 1).c_str(), &hints, &found) != 0)
    return -1;
  int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const auto attach = bound ? ::bind : ::connect;
  if (fd >= 0 && attach(fd, found->ai_addr, found->ai_addrlen) != 0) {
    ::close(fd);
    fd = -1;
  }
  ::freeaddrinfo(found);
  return fd;
}

// Of anything else the ORB would take what others send next for the rest.
bool is_whole_message(const unsigned char* datagram, std::size_t size) {
  constexpr std::size_t kHeader = 12, kFlags = 6, kSizeAt = 8;
  if (size < kHeader || std::memcmp(datagram, "GIOP", 4) != 0) return false;
  const bool little = (datagram[kFlags] & 1) != 0;
  std::size_t body = 0;
  for (std::size_t i = 0; i < 4; ++i) body = body << 8 | datagram[kSizeAt + (little ? 3 - i : i)];
  return body == size - kHeader;
}

// What clients send to. Each datagram is a whole message.
class Sender final : public Stream {
 public:
  Sender(int fd, std::string to) : socket_(fd), to_(std::move(to)) {}

  IoResult try_write(const iovec* parts, int count) override {
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(parts);
    message.msg_iovlen = static_cast<std::size_t>(count);
    const ssize_t sent = ::sendmsg(socket_.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) return {Io::Ok, static_cast<std::size_t>(sent)};
    if (errno == EAGAIN) return {Io::WouldBlock};
    if (errno != ECONNREFUSED) return {Io::Failed};
    std::size_t size = 0;  // an earlier datagram met nobody; this one is lost as well
    for (int i = 0; i < count; ++i) size += parts[i].iov_len;
    return {Io::Ok, size};
  }
  // No answer ever comes: whoever waits for one fails at once.
  IoResult read(char*, std::size_t) override { return {Io::Failed}; }
  IoResult try_read(char*, std::size_t) override { return {Io::WouldBlock}; }
  void set_read_timeout(int) override {}
  int descriptor() const override { return socket_.fd; }
  void interrupt() override {}
  void stop_reading() override {}
  void finish_writing() override {}
  std::string peer() const override { return to_; }

 private:
  const Socket socket_;
  const std::string to_;
};

// What the server reads from: all clients' datagrams, one after the other.
class Receiver final : public Stream {
 public:
  // `gone` becomes readable when this ends, so that the acceptor makes another.
  Receiver(std::shared_ptr<Socket> socket, std::shared_ptr<Socket> gone)
      : socket_(std::move(socket)), gone_(std::move(gone)), datagram_(kLargestDatagram) {}
  ~Receiver() override { ::eventfd_write(gone_->fd, 1); }

  IoResult read(char* to, std::size_t size) override {
    if (!arm()) return take(to, size);
    if (wait_ready(socket_->fd, true, false, corbel::base::now() + timeout_ * 1'000'000LL).readable)
      return try_read(to, size);
    return {stopped_ ? Io::Closed : Io::TimedOut};
  }
  IoResult try_read(char* to, std::size_t size) override {
    while (arm()) {
      if (stopped_) return {Io::Closed};
      const ssize_t received = ::recv(socket_->fd, datagram_.data(), datagram_.size(), MSG_DONTWAIT);
      if (received < 0) return {Io::WouldBlock};
      if (!is_whole_message(datagram_.data(), static_cast<std::size_t>(received))) continue;
      first_ = 0;
      end_ = static_cast<std::size_t>(received);
    }
    return take(to, size);
  }
  // Answers have nowhere to go.
  IoResult try_write(const iovec* parts, int count) override {
    std::size_t size = 0;
    for (int i = 0; i < count; ++i) size += parts[i].iov_len;
    return {Io::Ok, size};
  }
  void set_read_timeout(int milliseconds) override { timeout_ = milliseconds; }
  int descriptor() const override { return socket_->fd; }
  // The rest of a datagram that did not fit where it was to be read to is here, not in the socket.
  bool arm() override { return first_ == end_; }
  void interrupt() override { stop_reading(); }
  void stop_reading() override { stopped_ = true; }
  // What the ORB would read from here on, to throw it away, is another's: the next Receiver's.
  void finish_writing() override { stop_reading(); }
  std::string peer() const override { return "datagrams"; }

 private:
  IoResult take(char* to, std::size_t size) {
    size = std::min(size, end_ - first_);
    std::memcpy(to, &datagram_[first_], size);
    first_ += size;
    return {Io::Ok, size};
  }

  std::shared_ptr<Socket> socket_, gone_;
  std::vector<unsigned char> datagram_;
  std::size_t first_ = 0, end_ = 0;
  int timeout_ = 0;
  std::atomic<bool> stopped_{false};
};

// There are no connections: it accepts one stream for all that arrives, and another if the ORB closes that.
class UdpAcceptor final : public Acceptor {
 public:
  UdpAcceptor(int fd, std::string address)
      : socket_(std::make_shared<Socket>(fd)),
        wanted_(std::make_shared<Socket>(::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK))),
        address_(std::move(address)) {}

  std::unique_ptr<Stream> accept(bool& exhausted) override {
    exhausted = false;
    eventfd_t count;
    if (::eventfd_read(wanted_->fd, &count) != 0) return nullptr;
    return std::make_unique<Receiver>(socket_, wanted_);
  }
  int descriptor() const override { return wanted_->fd; }
  std::string address(const std::string& host) const override {
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    ::getsockname(socket_->fd, reinterpret_cast<sockaddr*>(&bound), &size);
    const std::string own = address_.substr(0, address_.rfind(':'));
    return (host.empty() ? own : host) + ':' + std::to_string(ntohs(bound.sin_port));
  }
  void stop() override { ::shutdown(socket_->fd, SHUT_RDWR); }

 private:
  std::shared_ptr<Socket> socket_, wanted_;
  const std::string address_;
};

class UdpTransport final : public Transport {
 public:
  const char* name() const override { return "udp"; }
  std::unique_ptr<Acceptor> listen(const std::string& address, std::string& why) override {
    const int fd = open_socket(address, true);
    if (fd < 0) {
      why = "expected HOST:PORT of this host, with a port that is free (0 is any)";
      return nullptr;
    }
    return std::make_unique<UdpAcceptor>(fd, address);
  }
  ConnectResult connect(const std::string& address, Deadline) override {
    ConnectResult result;
    if (const int fd = open_socket(address, false); fd >= 0)
      result.stream = std::make_unique<Sender>(fd, address);
    return result;
  }
};

const TransportKind kUdp{"udp", nullptr,
                         [](const TransportSettings&, std::string&) -> std::unique_ptr<Transport> {
                           return std::make_unique<UdpTransport>();
                         }};

}  // namespace

void use_udp() { register_transport(kUdp); }
