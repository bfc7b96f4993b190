// Connections beyond a server's limits.
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "orb/transport/tcp.h"
#include "tests/transports/support.h"

namespace transports {
namespace {

namespace transport = corbel::transport;

std::string address;
std::atomic<int> accepted{0}, reads_of_second{0};
std::atomic<bool> second_is_gone{false};

// Is never done with being set up, which goes on while it is read.
class OpeningStream : public transport::TcpStream {
 public:
  explicit OpeningStream(transport::Descriptor socket)
      : TcpStream(std::move(socket), transport::KeepAlive{}), number_(++accepted) {}
  ~OpeningStream() override {
    if (number_ == 2) second_is_gone = true;
  }
  transport::IoResult try_read(char* to, std::size_t size) override {
    if (number_ == 2) ++reads_of_second;
    return TcpStream::try_read(to, size);
  }
  transport::IoResult try_write(const iovec*, int) override { return {transport::Io::WouldBlock}; }
  transport::Deadline opening_until() const override { return corbel::base::now() + 60'000'000'000; }
  bool unfinished() override { return true; }

 private:
  const int number_;
};

class OpeningAcceptor : public transport::Acceptor {
 public:
  transport::TcpListener listener;
  std::unique_ptr<transport::Stream> accept(bool& exhausted) override {
    transport::Descriptor socket = listener.accept(exhausted);
    return socket ? std::make_unique<OpeningStream>(std::move(socket)) : nullptr;
  }
  int descriptor() const override { return listener.descriptor(); }
  std::string address(const std::string& host) const override { return listener.address(host); }
  void stop() override { listener.stop(); }
};

class OpeningTransport : public transport::Transport {
 public:
  const char* name() const override { return "opening"; }
  std::unique_ptr<transport::Acceptor> listen(const std::string& at, std::string& why) override {
    auto acceptor = std::make_unique<OpeningAcceptor>();
    if (!acceptor->listener.listen(at, why)) return nullptr;
    address = acceptor->address("");
    return acceptor;
  }
  transport::ConnectResult connect(const std::string&, transport::Deadline) override { return {}; }
};

const transport::TransportKind kOpening{"opening", nullptr,
                                        [](const transport::TransportSettings&, std::string&) {
                                          return std::unique_ptr<transport::Transport>(new OpeningTransport);
                                        }};

// What it costs to set a stream up, a handshake for instance, is for those that are served.
TEST(ConnectionLimits, AConnectionBeyondThemIsNotSetUp) {
  transport::register_transport(kOpening);
  const Server server({"-ORBendPoint", "giop:opening:127.0.0.1:0", "-ORBmaxServerConnections", "1"});
  transport::HostAndPorts at;
  ASSERT_TRUE(transport::parse_host_and_ports(address, at));
  const auto deadline = corbel::base::now() + 20'000'000'000;
  bool timed_out;
  const auto first = transport::connect_tcp(at.host, at.first, deadline, timed_out);
  ASSERT_TRUE(comes_true([] { return accepted == 1; }));
  transport::TcpStream second(transport::connect_tcp(at.host, at.first, deadline, timed_out), {});
  char octets[] = "hello";
  const iovec part{octets, sizeof octets};
  (void)second.try_write(&part, 1);
  second.set_read_timeout(20'000);
  const transport::Io end = second.read(octets, sizeof octets).status;
  EXPECT_TRUE(end == transport::Io::Closed || end == transport::Io::Failed);
  EXPECT_TRUE(comes_true([] { return second_is_gone.load(); }));
  EXPECT_EQ(reads_of_second.load(), 0);
}

// Once it is open, another connection is always there to be accepted, and has ended already.
std::atomic<bool> flooding{false};
std::atomic<int> flood{-1}, flooded{0};
constexpr int kNearlyEndless = 100'000;

class FloodAcceptor : public transport::Acceptor {
 public:
  FloodAcceptor() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) { flood = event_.get(); }
  std::unique_ptr<transport::Stream> accept(bool&) override {
    int ends[2];
    if (!flooding || ++flooded == kNearlyEndless ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return nullptr;
    ::close(ends[1]);
    return std::make_unique<transport::TcpStream>(transport::Descriptor(ends[0]), transport::KeepAlive{});
  }
  int descriptor() const override { return event_.get(); }
  std::string address(const std::string&) const override { return "nowhere"; }
  void stop() override { flooding = false; }

 private:
  const transport::Descriptor event_;
};

class FloodTransport : public transport::Transport {
 public:
  const char* name() const override { return "flood"; }
  std::unique_ptr<transport::Acceptor> listen(const std::string&, std::string&) override {
    return std::make_unique<FloodAcceptor>();
  }
  transport::ConnectResult connect(const std::string&, transport::Deadline) override { return {}; }
};

const transport::TransportKind kFlood{"flood", nullptr,
                                      [](const transport::TransportSettings&, std::string&) {
                                        return std::unique_ptr<transport::Transport>(new FloodTransport);
                                      }};

TEST(ConnectionLimits, AFloodOfThemKeepsNobodyFromBeingServed) {
  transport::register_transport(kFlood);
  Server server({"-ORBendPoint", "giop:tcp:127.0.0.1:0", "-ORBendPoint",
                 "giop:flood:", "-ORBmaxServerConnections", "1", "-ORBserverModel", "reactive"});
  CORBA::ORB_var client = make_orb(new_id().c_str(), {"-ORBclientCallTimeOutPeriod", "10000"});
  std::thread serving([&] { server.orb->run(); });
  CORBA::Object_var object = client->string_to_object(server.text.c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  EXPECT_EQ(raised([&] { everything->ping(); }), "none");
  flooding = true;
  const std::uint64_t one = 1;
  EXPECT_EQ(::write(flood, &one, sizeof one), ssize_t{sizeof one});
  for (int i = 0; i < 10; ++i) {
    const std::string outcome = raised([&] { everything->ping(); });
    EXPECT_EQ(outcome, "none");
    if (outcome != "none") break;
  }
  flooding = false;
  client->destroy();
  server.orb->shutdown(false);
  serving.join();
}

TEST(ConnectionLimits, AFloodOfThemDoesNotHoldUpTheServersEnd) {
  transport::register_transport(kFlood);
  const Server server({"-ORBendPoint", "giop:tcp:127.0.0.1:0", "-ORBendPoint", "giop:flood:"});
  flooded = 0;
  flooding = true;
  server.orb->shutdown(true);
  EXPECT_LT(flooded, kNearlyEndless);
  flooding = false;
}

}  // namespace
}  // namespace transports
