// What the kernel is asked to find out about silent peers, at both ends of connections by TCP.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <filesystem>

#include "tests/transports/support.h"

namespace transports {
namespace {

struct Probing {
  int on, idle, interval, probes;
  bool operator==(const Probing&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Probing& p) {
  return out << p.on << ' ' << p.idle << ' ' << p.interval << ' ' << p.probes;
}

int option(int socket, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  ::getsockopt(socket, level, name, &value, &size);
  return value;
}

// Of this process's connections by TCP.
std::vector<Probing> connections() {
  std::vector<Probing> found;
  for (const auto& file : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int fd = std::stoi(file.path().filename());
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0 || peer.sin_family != AF_INET)
      continue;
    found.push_back({option(fd, SOL_SOCKET, SO_KEEPALIVE), option(fd, IPPROTO_TCP, TCP_KEEPIDLE),
                     option(fd, IPPROTO_TCP, TCP_KEEPINTVL), option(fd, IPPROTO_TCP, TCP_KEEPCNT)});
  }
  return found;
}

// Those of a client and a server that have these options.
std::vector<Probing> connections_with(std::vector<std::string> options) {
  options.insert(options.end(), {"-ORBendPoint", "giop:tcp:127.0.0.1:0", "-ORBtransports", "tcp"});
  const Server server(options);
  CORBA::ORB_var orb = make_orb(new_id().c_str(), options);
  CORBA::Object_var object = orb->string_to_object(server.text.c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  EXPECT_EQ(raised([&] { everything->ping(); }), "none");
  const std::vector<Probing> found = connections();
  orb->destroy();
  return found;
}

TEST(KeepAlive, SilentPeersAreProbedAtBothEnds) {
  const Probing wanted{1, 60, 10, 6};
  EXPECT_EQ(connections_with({}), (std::vector{wanted, wanted}));
}

TEST(KeepAlive, HowAndWhenIsAnOption) {
  const Probing wanted{1, 7, 3, 2};
  EXPECT_EQ(connections_with(
                {"-ORBtcpKeepAlive", "7", "-ORBtcpKeepAliveInterval", "3", "-ORBtcpKeepAliveProbes", "2"}),
            (std::vector{wanted, wanted}));
}

TEST(KeepAlive, ItMayBeLeftOut) {
  const auto found = connections_with({"-ORBtcpKeepAlive", "0"});
  ASSERT_EQ(found.size(), 2u);
  for (const Probing& p : found) EXPECT_EQ(p.on, 0);
}

TEST(KeepAlive, WhatTheKernelDoesNotTakeIsRefused) {
  const std::vector<std::vector<std::string>> wrong{
      {"-ORBtcpKeepAlive", "-1"},        {"-ORBtcpKeepAlive", "32768"},   {"-ORBtcpKeepAlive", "60s"},
      {"-ORBtcpKeepAliveInterval", "0"}, {"-ORBtcpKeepAliveProbes", "0"}, {"-ORBtcpKeepAliveProbes", "128"},
      {"-ORBtcpKeepAliveProbes", ""}};
  for (const auto& options : wrong)
    EXPECT_NE(raised_name([&] { Server server(options); }), "none") << options[0] << ' ' << options[1];
}

}  // namespace
}  // namespace transports
