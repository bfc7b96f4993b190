#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstring>

#include "orb/transport/host_addresses.h"
#include "orb/transport/tcp.h"

namespace corbel::transport {
namespace {

class TcpAcceptor final : public Acceptor {
 public:
  explicit TcpAcceptor(const KeepAlive& keep_alive) : keep_alive_(keep_alive) {}
  TcpListener listener;

  std::unique_ptr<Stream> accept(bool& exhausted) override {
    Descriptor socket = listener.accept(exhausted);
    return socket ? std::make_unique<TcpStream>(std::move(socket), keep_alive_) : nullptr;
  }
  int descriptor() const override { return listener.descriptor(); }
  std::string address(const std::string& host) const override { return listener.address(host); }
  void stop() override { listener.stop(); }

 private:
  const KeepAlive keep_alive_;
};

std::string cannot_listen(int error) {
  const char* const advice = error == EADDRINUSE ? ": another process has the port; 0 takes any that is free"
                             : error == EADDRNOTAVAIL ? ": the address is none of this host's"
                                                      : "";
  return std::string("cannot listen there: ") + std::strerror(error) + advice;
}

}  // namespace

std::unique_ptr<Acceptor> listen_tcp(const std::string& address, const KeepAlive& keep_alive,
                                     std::string& why) {
  auto acceptor = std::make_unique<TcpAcceptor>(keep_alive);
  if (!acceptor->listener.listen(address, why)) return nullptr;
  return acceptor;
}

bool TcpListener::listen(const std::string& address, std::string& why) {
  HostAndPorts at;
  if (!parse_host_and_ports(address, at)) {
    why = "'" + address + "' is not HOST:PORT or HOST:FIRST-LAST";
    return false;
  }
  why = cannot_listen(EAFNOSUPPORT);
  for (std::uint32_t port = at.first; port <= at.last; ++port)
    if (listen_at(at.host, static_cast<std::uint16_t>(port), why)) return true;
  return false;
}

bool TcpListener::listen_at(const std::string& host, std::uint16_t port, std::string& why) {
  const auto addresses = base::make_ref<HostAddresses>(host.empty() ? nullptr : host.c_str());
  if (!addresses->find(AI_PASSIVE)) {
    why = "the host has no address: is its name right?";
    return false;
  }
  // Where all addresses are meant, an IPv6 socket takes IPv4 as well, so it goes first. A name of both is
  // listened at by IPv4, as those who look for one address of it do.
  const bool all = host.empty() || host == "::";
  for (const int family : {all ? AF_INET6 : AF_INET, all ? AF_INET : AF_INET6}) {
    for (const addrinfo* a = addresses->first(); a; a = a->ai_next) {
      if (a->ai_family != family) continue;
      Descriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      if (!socket) continue;
      congestion_.before_connecting(socket.get());
      const int on = 1, off = 0;
      setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
      if (family == AF_INET6 && all) setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
      const sockaddr_storage at = with_port(*a, port);
      sockaddr_storage bound{};
      socklen_t length = sizeof bound;
      if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&at), a->ai_addrlen) != 0 ||
          ::listen(socket.get(), SOMAXCONN) != 0 ||
          getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &length) != 0) {
        why = cannot_listen(errno);
        continue;
      }
      port_ = ntohs(family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                       : reinterpret_cast<sockaddr_in&>(bound).sin_port);
      host_ = host;
      socket_ = std::move(socket);
      return true;
    }
  }
  return false;
}

Descriptor TcpListener::accept(bool& exhausted) {
  Descriptor socket = accept_socket(socket_.get(), exhausted);
  if (socket) congestion_.once_connected(socket.get());
  return socket;
}

std::string TcpListener::address(const std::string& host) const {
  const bool all_of_ipv4 = host_ == "0.0.0.0", any = host_.empty() || all_of_ipv4 || host_ == "::";
  return host_and_port(!host.empty() ? host : any ? default_host(!all_of_ipv4) : host_, port_);
}

void TcpListener::stop() { ::shutdown(socket_.get(), SHUT_RDWR); }

std::string default_host(bool by_ipv6_too) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return "127.0.0.1";
  std::string best = "127.0.0.1";
  char text[INET6_ADDRSTRLEN];
  for (const int family : {AF_INET6, AF_INET}) {  // IPv4 wins
    if (family == AF_INET6 && !by_ipv6_too) continue;
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
