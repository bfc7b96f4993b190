// A connection to a server of a test's that is no ORB's.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/lifecycle/support.h"

namespace lifecycle {

inline void put_long(std::string& to, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) to += static_cast<char>(value >> 8 * i);
}
inline void put_octets(std::string& to, const std::string& octets) {
  put_long(to, static_cast<std::uint32_t>(octets.size()));
  to += octets;
}

// A little-endian GIOP 1.2 request whose arguments are longs. `contexts` is the service contexts, encoded,
// with their number; `flags` says what is to be answered.
inline std::string request(std::uint32_t id, const std::string& key, const std::string& operation,
                           const std::vector<std::uint32_t>& arguments = {},
                           const std::string& contexts = std::string(4, '\0'), char flags = 3) {
  std::string body;
  put_long(body, id);
  body += flags + std::string(7, '\0');  // the target is an object key
  put_octets(body, key);
  body.resize((body.size() + 3) / 4 * 4);
  put_octets(body, operation + '\0');
  body.resize((body.size() + 3) / 4 * 4);
  body += contexts;
  if (!arguments.empty()) body.resize((12 + body.size() + 7) / 8 * 8 - 12);
  for (const std::uint32_t argument : arguments) put_long(body, argument);
  std::string message("GIOP\1\2\1\0", 8);
  put_octets(message, body);
  return message;
}

// A connection that is no ORB's.
class Bare {
 public:
  Bare() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}  // connects later
  explicit Bare(const Pair& pair, const char* from = "127.0.0.1") : Bare() { connect_to(pair, from); }
  void connect_to(const Pair& pair, const char* from = "127.0.0.1") {
    // The port follows the host in the IOR's text, in little-endian.
    const std::string host = "3132372e302e302e3100";
    const auto at = pair.ior.find(host) + host.size();
    const auto octet = [&](std::size_t i) { return std::stoul(pair.ior.substr(at + 2 * i, 2), nullptr, 16); };
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = inet_addr(from);
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    address.sin_port = htons(static_cast<std::uint16_t>(octet(0) | octet(1) << 8));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const timeval limit{kPatience.count(), 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  ~Bare() { close(socket_); }
  void send(const std::string& octets) {
    EXPECT_EQ(::send(socket_, octets.data(), octets.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(octets.size()));
  }
  void end_output() { EXPECT_EQ(shutdown(socket_, SHUT_WR), 0); }
  // What comes until the server ends the connection.
  std::string rest() {
    std::string all;
    char buffer[256];
    for (ssize_t n; (n = recv(socket_, buffer, sizeof buffer, 0)) > 0;)
      all.append(buffer, static_cast<std::size_t>(n));
    return all;
  }
  // The server has not ended it.
  bool open() {
    char octet;
    return recv(socket_, &octet, 1, MSG_DONTWAIT | MSG_PEEK) < 0 && errno == EAGAIN;
  }

  // So many octets, or what there is before the end.
  std::string receive(std::size_t size) {
    std::string all(size, '\0');
    std::size_t have = 0;
    for (ssize_t n; have < size && (n = recv(socket_, &all[have], size - have, 0)) > 0;)
      have += static_cast<std::size_t>(n);
    all.resize(have);
    return all;
  }

 private:
  int socket_;
};

}  // namespace lifecycle
