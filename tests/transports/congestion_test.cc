// How TCP decides when to send: large messages not slower than they could be within a host, and all others as
// the system does.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

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

// One that every process of this system may choose, other than what Corbel chooses.
std::string another() {
  std::ifstream allowed("/proc/sys/net/ipv4/tcp_allowed_congestion_control");
  for (std::string name; allowed >> name;)
    if (name != "reno") return name;
  return "";
}

// A connection between 127.0.0.1 and `server`, whose client's end is a stream.
std::string congestion_control_to(const char* server, const std::string& before, bool large) {
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
  transport::TcpStream stream(std::move(socket), transport::KeepAlive());
  if (large) stream.expect_large();
  return congestion_control(stream.descriptor());
}

class Congestion : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(before, "") << "this system has nothing but reno"; }
  const std::string before = another();
};

TEST_F(Congestion, LargeMessagesAreNotSpreadOverTimeWithinAHost) {
  EXPECT_EQ(congestion_control_to("127.0.0.1", before, true), "reno");
}

TEST_F(Congestion, TheSystemsChoiceHoldsUntilOneIsExpected) {
  EXPECT_EQ(congestion_control_to("127.0.0.1", before, false), before);
}

// What is seen of it: the addresses at both ends differ.
TEST_F(Congestion, TheSystemsChoiceHoldsBetweenHosts) {
  EXPECT_EQ(congestion_control_to("127.0.0.2", before, true), before);
}

// ---- who expects them

std::atomic<int> clients{0}, servers{0};  // how often they have said so

class CountingStream final : public transport::TcpStream {
 public:
  CountingStream(transport::Descriptor socket, std::atomic<int>& count)
      : TcpStream(std::move(socket), transport::KeepAlive()), count_(count) {}
  void expect_large() override { ++count_; }

 private:
  std::atomic<int>& count_;
};

class CountingAcceptor final : public transport::Acceptor {
 public:
  explicit CountingAcceptor(std::string& why) { listener_.listen("127.0.0.1:0", why); }
  std::unique_ptr<transport::Stream> accept(bool& exhausted) override {
    transport::Descriptor socket = listener_.accept(exhausted);
    if (!socket) return nullptr;
    return std::make_unique<CountingStream>(std::move(socket), servers);
  }
  int descriptor() const override { return listener_.descriptor(); }
  std::string address(const std::string& host) const override { return listener_.address(host); }
  void stop() override { listener_.stop(); }

 private:
  transport::TcpListener listener_;
};

class CountingTransport final : public transport::Transport {
 public:
  const char* name() const override { return "counting"; }
  std::unique_ptr<transport::Acceptor> listen(const std::string&, std::string& why) override {
    return std::make_unique<CountingAcceptor>(why);
  }
  transport::ConnectResult connect(const std::string& address, transport::Deadline deadline) override {
    transport::HostAndPorts at;
    transport::ConnectResult result;
    if (!transport::parse_host_and_ports(address, at)) return result;
    transport::Descriptor socket = transport::connect_tcp(at.host, at.first, deadline, result.timed_out);
    if (socket) result.stream = std::make_unique<CountingStream>(std::move(socket), clients);
    return result;
  }
};

const transport::TransportKind kCounting{
    "counting", nullptr,
    [](const transport::TransportSettings&, std::string&) -> std::unique_ptr<transport::Transport> {
      return std::make_unique<CountingTransport>();
    }};

class LargeMessages : public testing::Test {
 protected:
  LargeMessages() {
    clients = servers = 0;
    transport::register_transport(kCounting);
    server_ = std::make_unique<Server>(std::vector<std::string>{"-ORBendPoint", "giop:counting:"});
    client_ = make_orb(new_id().c_str(), {"-ORBtransports", "counting"});
    CORBA::Object_var object = client_->string_to_object(server_->text.c_str());
    everything_ = Contract::Everything::_narrow(object);
  }
  ~LargeMessages() override { client_->destroy(); }
  // Both ways in memory of the encoder.
  void carry_text(std::size_t octets) {
    CORBA::String_var none = CORBA::string_dup(""), out,
                      result = everything_->text(std::string(octets, 'x').c_str(), none.inout(), out.out());
  }
  // The same where it stands.
  void carry_longs(CORBA::ULong count) {
    Contract::Longs longs, none;
    longs.length(count);
    Contract::Longs_var out, result = everything_->give_longs(longs, none, out.out());
  }

  std::unique_ptr<Server> server_;
  CORBA::ORB_var client_;
  Contract::Everything_var everything_;
};

TEST_F(LargeMessages, OthersAreNot) {
  carry_text(30'000);  // the reply carries them twice
  carry_longs(7'500);
  EXPECT_EQ(clients, 0);
  EXPECT_EQ(servers, 0);
}

TEST_F(LargeMessages, EachEndSaysOnceThatItSendsThem) {
  carry_text(66'000);
  EXPECT_EQ(clients, 1);
  EXPECT_EQ(servers, 1);
  carry_longs(1'000'000);
  carry_text(1'000'000);
  EXPECT_EQ(clients, 1);
  EXPECT_EQ(servers, 1);
}

TEST_F(LargeMessages, WhatStandsInSeveralPlacesCountsAsOne) {
  carry_longs(16'500);
  EXPECT_EQ(clients, 1);
  EXPECT_EQ(servers, 1);
}

}  // namespace
}  // namespace transports
