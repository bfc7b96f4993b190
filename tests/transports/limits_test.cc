// Connections beyond a server's limits.
#include <atomic>

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

}  // namespace
}  // namespace transports
