// How TCP decides when to send: within a host at once, elsewhere as the system does.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "orb/transport/tcp.h"
#include "tests/transports/support.h"

namespace transports {
namespace {

namespace transport = corbel::transport;

std::string congestion_control(int socket) {
  char name[16] = "";
  socklen_t size = sizeof name;
  EXPECT_EQ(::getsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, name, &size), 0);
  return name;
}

std::string systems_choice() {
  return congestion_control(transport::Descriptor(::socket(AF_INET, SOCK_STREAM, 0)).get());
}

// What is used within a host.
std::string unpaced() {
  const std::string systems = systems_choice();
  return systems.starts_with("bbr") ? "reno" : systems;
}

// Both ends of a connection within this process, whose addresses are the same only for 127.0.0.1.
class Ends {
 public:
  explicit Ends(const char* host)
      : server_({"-ORBendPoint", std::string("giop:tcp:") + host + ":0", "-ORBtransports", "tcp"}),
        orb_(make_orb(new_id().c_str(), {"-ORBtransports", "tcp"})) {
    CORBA::Object_var object = orb_->string_to_object(server_.text.c_str());
    everything = Contract::Everything::_narrow(object);
    everything->ping();  // so that there is a connection
  }
  ~Ends() { orb_->destroy(); }
  static std::set<std::string> congestion_controls() {
    std::set<std::string> found;
    for (const auto& file : std::filesystem::directory_iterator("/proc/self/fd")) {
      const int fd = std::stoi(file.path().filename());
      sockaddr_in peer{};
      socklen_t size = sizeof peer;
      if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0 && peer.sin_family == AF_INET)
        found.insert(congestion_control(fd));
    }
    return found;
  }
  Contract::Everything_var everything;

 private:
  const Server server_;
  CORBA::ORB_var orb_;
};

// A socket of this family has that of BBR, whatever the system's is, before it learns what it shall have.
class Paced : public testing::Test {
 protected:
  void SetUp() override {
    if (::setsockopt(socket.get(), IPPROTO_TCP, TCP_CONGESTION, "bbr", 3) != 0)
      GTEST_SKIP() << "this system has no BBR: add bbr to net.ipv4.tcp_allowed_congestion_control";
    congestion.before_connecting(socket.get());
  }
  void connect_to(in_addr_t host) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(host);
    socklen_t size = sizeof at;
    const transport::Descriptor listener(::socket(AF_INET, SOCK_STREAM, 0));
    ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&at), size), 0);
    ASSERT_EQ(::listen(listener.get(), 1), 0);
    ASSERT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&at), &size), 0);
    ASSERT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&at), size), 0);
    congestion.once_connected(socket.get());
  }
  const transport::Descriptor socket{::socket(AF_INET, SOCK_STREAM, 0)};
  transport::CongestionControl congestion;
};

TEST_F(Paced, NotBeforeThereIsAConnection) { EXPECT_EQ(congestion_control(socket.get()), "reno"); }

TEST_F(Paced, NeverWithinAHost) {
  connect_to(INADDR_LOOPBACK);
  EXPECT_EQ(congestion_control(socket.get()), "reno");
}

TEST_F(Paced, ElsewhereAsTheSystemDoes) {
  connect_to(INADDR_LOOPBACK + 1);  // another address than this end's
  EXPECT_EQ(congestion_control(socket.get()), "bbr");
}

TEST(Congestion, WhatDoesNotPaceIsLeft) {
  const transport::Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  std::ifstream available("/proc/sys/net/ipv4/tcp_available_congestion_control");
  for (std::string name; available >> name;) {
    if (name.starts_with("bbr") || ::setsockopt(socket.get(), IPPROTO_TCP, TCP_CONGESTION, name.data(),
                                                static_cast<socklen_t>(name.size())) != 0)
      continue;
    transport::CongestionControl().before_connecting(socket.get());
    EXPECT_EQ(congestion_control(socket.get()), name);
  }
}

using Names = std::set<std::string>;

TEST(Congestion, BothEndsWithinAHostAreNotPaced) {
  const Ends ends("127.0.0.1");
  EXPECT_EQ(Ends::congestion_controls(), Names{unpaced()});
}

TEST(Congestion, BothEndsElsewhereHaveTheSystemsChoice) {
  const Ends ends("127.0.0.2");
  EXPECT_EQ(Ends::congestion_controls(), Names{systems_choice()});
}

TEST(Congestion, SmallOnewaysInARowGatherUntilALargeMessageFollows) {
  const Ends ends("127.0.0.1");
  for (int i = 0; i < 200; ++i) ends.everything->note(i);
  EXPECT_EQ(Ends::congestion_controls(), (Names{systems_choice(), unpaced()}));
  Contract::Longs longs, none;
  longs.length(20'000);
  Contract::Longs_var out, result = ends.everything->give_longs(longs, none, out.out());
  EXPECT_EQ(Ends::congestion_controls(), Names{unpaced()});
}

TEST(Congestion, OnewaysAmongOtherCallsDoNot) {
  const Ends ends("127.0.0.1");
  for (int i = 0; i < 400; ++i) {
    ends.everything->note(i);
    if (i % 4 == 0) ends.everything->ping();
  }
  EXPECT_EQ(Ends::congestion_controls(), Names{unpaced()});
}

}  // namespace
}  // namespace transports
