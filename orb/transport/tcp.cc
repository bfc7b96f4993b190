#include "orb/transport/tcp.h"

#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "orb/base/ascii.h"
#include "orb/base/share.h"
#include "orb/transport/host_addresses.h"

namespace corbel::transport {

[[gnu::weak]] std::unique_ptr<Acceptor> listen_tcp(const std::string& address, const KeepAlive& keep_alive,
                                                   std::string& why);

namespace {

constexpr char kUnpaced[] = "reno";
constexpr int kShortQueue = 128 * 1024;  // octets; the system doubles the size of a buffer

// Whether both ends have the same address, and so are this host's. The same port, too, makes them one.
bool ends_are_the_same(int socket, bool port_counts) {
  sockaddr_in6 own{}, peer{};
  socklen_t own_size = sizeof own, peer_size = sizeof peer;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&own), &own_size) != 0 ||
      getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &peer_size) != 0)
    return false;
  if (!port_counts) own.sin6_port = peer.sin6_port = 0;  // which stands where that of IPv4 does
  return std::memcmp(&own, &peer, sizeof own) == 0;
}

bool parse_port(const char*& at, const char* end, std::uint16_t& port) {
  const auto [stop, error] = std::from_chars(at, end, port);
  at = stop;
  return error == std::errc();
}

constexpr TransportOption kOptions[] = {
    {"tcpKeepAlive", "SECONDS", "of silence after which a peer's host is probed; 0: it is not (60)"},
    {"tcpKeepAliveInterval", "SECONDS", "between two such probes (10)"},
    {"tcpKeepAliveProbes", "N", "that are not answered end the connection (6)"},
    {nullptr, nullptr, nullptr}};
constexpr int kMostSeconds = 32767, kMostProbes = 127;  // the kernel's

bool read_option(const TransportSettings& given, const TransportOption& option, int least, int most,
                 int& value, std::string& why) {
  const std::string* const text = given.find(option.name);
  if (!text) return true;
  const char* const end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  if (error == std::errc() && stop == end && value >= least && value <= most) return true;
  why = std::string("-ORB") + option.name + " takes a number from " + base::decimal(least) + " to " +
        base::decimal(most) + ", not " + *text;
  return false;
}

class TcpTransport final : public Transport {
 public:
  explicit TcpTransport(const KeepAlive& keep_alive) : keep_alive_(keep_alive) {}
  const char* name() const override { return kTcp.name; }
  std::unique_ptr<Acceptor> listen(const std::string& address, std::string& why) override {
    if (listen_tcp) return listen_tcp(address, keep_alive_, why);
    why = "this program has no server";
    return nullptr;
  }
  ConnectResult connect(const std::string& address, Deadline deadline) override {
    ConnectResult result;
    HostAndPorts to;
    if (!parse_host_and_ports(address, to)) return result;
    Descriptor socket = connect_tcp(to.host, to.first, deadline, result.timed_out);
    if (socket) result.stream = std::make_unique<TcpStream>(std::move(socket), keep_alive_);
    return result;
  }

 private:
  const KeepAlive keep_alive_;
};

std::unique_ptr<Transport> make_tcp(const TransportSettings& given, std::string& why) {
  KeepAlive keep_alive;
  if (!read_keep_alive(given, keep_alive, why)) return nullptr;
  return std::make_unique<TcpTransport>(keep_alive);
}

}  // namespace

const TransportKind kTcp{"tcp", kOptions, make_tcp};

bool read_keep_alive(const TransportSettings& given, KeepAlive& k, std::string& why) {
  return read_option(given, kOptions[0], 0, kMostSeconds, k.idle_s, why) &&
         read_option(given, kOptions[1], 1, kMostSeconds, k.interval_s, why) &&
         read_option(given, kOptions[2], 1, kMostProbes, k.probes, why);
}

bool parse_host_and_ports(const std::string& text, HostAndPorts& address) {
  std::size_t port;
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == text.npos || (close + 1 != text.size() && text[close + 1] != ':')) return false;
    address.host = text.substr(1, close - 1);
    port = close + 1;
  } else {
    port = std::min(text.rfind(':'), text.size());
    address.host = text.substr(0, port);
  }
  address.first = address.last = 0;
  if (port + 1 >= text.size()) return true;
  const char* at = text.data() + port + 1;
  const char* const end = text.data() + text.size();
  if (!parse_port(at, end, address.first)) return false;
  address.last = address.first;
  if (at == end) return true;
  return *at++ == '-' && parse_port(at, end, address.last) && at == end && address.first != 0 &&
         address.first <= address.last;
}

std::string host_and_port(const std::string& host, std::uint16_t port) {
  const bool v6 = host.find(':') != host.npos;
  return (v6 ? '[' + host + ']' : host) + ':' + base::decimal(port);
}

void CongestionControl::before_connecting(int socket) {
  socklen_t size = sizeof own_;
  if (getsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, own_, &size) != 0 ||
      std::strncmp(own_, "bbr", 3) != 0 ||
      setsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, kUnpaced, sizeof kUnpaced - 1) != 0)
    *own_ = '\0';
}

void CongestionControl::once_connected(int socket) const {
  if (*own_ && !ends_are_the_same(socket, false))
    setsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, own_, sizeof own_);
}

bool CongestionControl::pace(int socket) {
  CongestionControl systems;
  systems.before_connecting(Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)).get());
  return *systems.own_ && setsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, systems.own_, sizeof own_) == 0;
}

TcpStream::TcpStream(Descriptor socket, const KeepAlive& keep_alive)
    : SocketStream(std::move(socket)), within_host_(ends_are_the_same(descriptor(), false)) {
  const int fd = descriptor(), on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (keep_alive.idle_s == 0) return;
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &keep_alive.idle_s, sizeof keep_alive.idle_s);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &keep_alive.interval_s, sizeof keep_alive.interval_s);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &keep_alive.probes, sizeof keep_alive.probes);
  // The kernel sends no probes while something is unacknowledged: a request that left for a host that is
  // gone.
  const unsigned ms =
      static_cast<unsigned>(keep_alive.idle_s + keep_alive.interval_s * keep_alive.probes) * 1000;
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof ms);
}

std::string TcpStream::peer() const {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (getpeername(descriptor(), reinterpret_cast<sockaddr*>(&address), &length) != 0 ||
      getnameinfo(reinterpret_cast<sockaddr*>(&address), length, host, sizeof host, port, sizeof port,
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "unknown";
  return std::string(host) + ":" + port;
}

// A socket that has ended counts nothing any more.
bool TcpStream::delivered() const {
  int unacknowledged = 0;
  if (ioctl(descriptor(), SIOCOUTQ, &unacknowledged) != 0 || unacknowledged == 0) return true;
  pollfd ended{descriptor(), 0, 0};
  return poll(&ended, 1, 0) > 0;
}

void TcpStream::let_messages_gather() {
  if (!within_host_ || pacing_.load(std::memory_order_relaxed) != Pacing::Off) return;
  pacing_.store(CongestionControl::pace(descriptor()) ? Pacing::On : Pacing::NotHere,
                std::memory_order_relaxed);
}

bool TcpStream::expect_large() {
  if (pacing_.load(std::memory_order_relaxed) == Pacing::On) {
    pacing_.store(Pacing::Off, std::memory_order_relaxed);
    setsockopt(descriptor(), IPPROTO_TCP, TCP_CONGESTION, kUnpaced, sizeof kUnpaced - 1);
  }
  return within_host_;
}

// What has left and is on its way is a network's to hold; within a host it would only wait.
void TcpStream::keep_queue_short() {
  setsockopt(descriptor(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kShortQueue, sizeof kShortQueue);
  if (within_host_) setsockopt(descriptor(), SOL_SOCKET, SO_SNDBUF, &kShortQueue, sizeof kShortQueue);
}

// Within a host what arrives is dealt with where it was sent.
void TcpStream::let_peer_read() {
  if (!within_host_) return;
  int peer = -1;
  socklen_t length = sizeof peer;
  if (getsockopt(descriptor(), SOL_SOCKET, SO_INCOMING_CPU, &peer, &length) != 0 || peer != sched_getcpu())
    return;
  if (pause_.take()) pause_.leave_out_next();
}

Descriptor connect_tcp(const std::string& host, std::uint16_t port, Deadline deadline, bool& timed_out) {
  const base::Ref<HostAddresses> addresses = HostAddresses::of(host.c_str(), deadline, timed_out);
  if (!addresses) return Descriptor();
  int left = 0;
  for (const addrinfo* a = addresses->first(); a; a = a->ai_next) ++left;
  for (const addrinfo* a = addresses->first(); a; a = a->ai_next, --left) {
    timed_out = false;
    Descriptor socket(::socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const Deadline until = base::share_of(deadline, left);  // one that is silent leaves time for the others
    const sockaddr_storage at = with_port(*a, port);
    CongestionControl congestion;
    congestion.before_connecting(socket.get());
    if (!socket || !connect_socket(socket.get(), reinterpret_cast<const sockaddr*>(&at), a->ai_addrlen, until,
                                   timed_out))
      continue;
    // Where nobody listens at a port that the system gives to clients, it may give that very one to this
    // client, which TCP then connects to itself.
    if (ends_are_the_same(socket.get(), true)) continue;
    congestion.once_connected(socket.get());
    return socket;
  }
  return Descriptor();
}

}  // namespace corbel::transport
