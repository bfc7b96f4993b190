// How TCP decides when to send: not slower than it could be within a host, and as the system does elsewhere.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "orb/transport/tcp.h"

namespace transports {
namespace {

namespace transport = corbel::transport;

std::string congestion_control(int socket) {
  char name[16] = "";
  socklen_t size = sizeof name;
  EXPECT_EQ(::getsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, name, &size), 0);
  return name;
}

// One that every process of this system may choose, other than what Corbel chooses.
std::string another() {
  std::ifstream allowed("/proc/sys/net/ipv4/tcp_allowed_congestion_control");
  for (std::string name; allowed >> name;)
    if (name != "reno") return name;
  return "";
}

// A connection between 127.0.0.1 and `server`, whose client's end is a stream.
std::string congestion_control_to(const char* server, const std::string& before) {
  sockaddr_in at{}, own{};
  at.sin_family = own.sin_family = AF_INET;
  ::inet_pton(AF_INET, server, &at.sin_addr);
  own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  const transport::Descriptor listener(::socket(AF_INET, SOCK_STREAM, 0));
  transport::Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  if (::bind(listener.get(), reinterpret_cast<sockaddr*>(&at), size) != 0 ||
      ::listen(listener.get(), 1) != 0 ||
      ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&at), &size) != 0 ||
      ::bind(socket.get(), reinterpret_cast<sockaddr*>(&own), sizeof own) != 0 ||
      ::setsockopt(socket.get(), IPPROTO_TCP, TCP_CONGESTION, before.data(),
                   static_cast<socklen_t>(before.size())) != 0 ||
      ::connect(socket.get(), reinterpret_cast<sockaddr*>(&at), size) != 0)
    return std::strerror(errno);
  const transport::TcpStream stream(std::move(socket), transport::KeepAlive());
  return congestion_control(stream.descriptor());
}

class Congestion : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(before, "") << "this system has nothing but reno"; }
  const std::string before = another();
};

TEST_F(Congestion, NothingWaitsForItsTurnWithinAHost) {
  EXPECT_EQ(congestion_control_to("127.0.0.1", before), "reno");
}

// What is seen of it: the addresses at both ends differ.
TEST_F(Congestion, TheSystemsChoiceHoldsBetweenHosts) {
  EXPECT_EQ(congestion_control_to("127.0.0.2", before), before);
}

}  // namespace
}  // namespace transports
