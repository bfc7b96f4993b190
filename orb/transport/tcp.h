// TCP over IPv4 and IPv6. Addresses are HOST:PORT, [IPV6]:PORT; where to listen, the host may be empty (all
// of this host's), and the port empty or 0 (any) or a range, FIRST-LAST.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include <corbel/transport/transport.h>

#include "orb/base/pause.h"
#include "orb/transport/socket_stream.h"

namespace corbel::transport {

struct HostAndPorts {
  std::string host;
  std::uint16_t first = 0, last = 0;
};
// False if the text is no address.
bool parse_host_and_ports(const std::string& text, HostAndPorts& address);
// "HOST:PORT", the host in brackets if it is an IPv6 address.
std::string host_and_port(const std::string& host, std::uint16_t port);

// Tries every address of `host` in turn until one accepts or the deadline passes. The socket is empty on
// failure.
Descriptor connect_tcp(const std::string& host, std::uint16_t port, Deadline deadline, bool& timed_out);

// BBR, the congestion control of many systems, spreads what is sent over the time that it believes a network
// takes: within a host that makes large messages up to twice as slow, on some connections and not on others.
// A connection that has begun so is paced whatever it has later. So a socket has Reno's before it is
// connected or listens, and gets its own back where the peer turns out to be elsewhere.
// Small messages in a row are cheaper while they are paced: they gather.
class CongestionControl {
 public:
  void before_connecting(int socket);
  void once_connected(int socket) const;
  // Gives BBR's to the socket, if that is the system's.
  static bool pace(int socket);

 private:
  char own_[16] = "";  // BBR's name; empty where the system's is another
};

// A listening socket, for the transports that use TCP.
class TcpListener {
 public:
  // False when the address cannot be had; `why` says more.
  bool listen(const std::string& address, std::string& why);
  Descriptor accept(bool& exhausted);
  int descriptor() const { return socket_.get(); }
  std::string address(const std::string& host) const;
  void stop();

 private:
  bool listen_at(const std::string& host, std::uint16_t port, std::string& why);

  Descriptor socket_;
  std::string host_;
  std::uint16_t port_ = 0;
  CongestionControl congestion_;
};

// A peer whose host has vanished is found by probes; a call waits as long as its server lives.
struct KeepAlive {
  int idle_s = 60;  // of silence before the first probe; 0: none is sent
  int interval_s = 10;
  int probes = 6;  // without an answer, then the connection has ended
};
// Reads the options of kTcp. False if they are wrong; `why` says how.
bool read_keep_alive(const TransportSettings& given, KeepAlive& keep_alive, std::string& why);

// Listens for kTcp. Only programs with a server link it: see server.cc.
std::unique_ptr<Acceptor> listen_tcp(const std::string& address, const KeepAlive& keep_alive,
                                     std::string& why);

class TcpStream : public SocketStream {
 public:
  TcpStream(Descriptor socket, const KeepAlive& keep_alive);
  std::string peer() const override;
  bool delivered() const override;
  bool may_be_reset() const override { return true; }
  void let_messages_gather() override;
  bool expect_large() override;
  void keep_queue_short() override;
  void let_peer_read() override;

 private:
  const bool within_host_;  // both ends are this host's
  enum class Pacing : std::uint8_t { Off, On, NotHere };
  std::atomic<Pacing> pacing_{Pacing::Off};
  base::Pause pause_;
};

// An address under which this host can be reached from others, else the loopback address.
// `by_ipv6_too`: else by IPv4 only.
std::string default_host(bool by_ipv6_too);

extern const TransportKind kTcp;

}  // namespace corbel::transport
