// A message that is given up halfway ends its connection before another thread can write to it: what comes
// behind half a message is taken for its other half.
#include <atomic>
#include <future>

#include "orb/transport/unix.h"
#include "tests/lifecycle/support.h"
#include "tests/support/asleep.h"

namespace {

using namespace lifecycle;
namespace transport = corbel::transport;
using corbel::testing_support::Sleepers;

constexpr CORBA::ULong kOctets = 20'000;  // more than is left with a thread that writes

// Of the first large message of one side an octet leaves, and no more. To end its stream takes so long that
// others could write meanwhile.
struct Valve {
  bool of_server = false;
  std::atomic<bool> stuck{false}, written_to{false};
};
Valve* valve;

class CloggedStream : public transport::Stream {
 public:
  CloggedStream(std::unique_ptr<transport::Stream> stream, bool server)
      : stream_(std::move(stream)), server_(server) {}
  transport::IoResult try_write(const iovec* parts, int count) override {
    if (clogged_) {
      if (ending_) valve->written_to = true;
      return {transport::Io::WouldBlock};
    }
    std::size_t size = 0;
    for (int i = 0; i < count; ++i) size += parts[i].iov_len;
    if (server_ != valve->of_server || size < kOctets || valve->stuck.exchange(true))
      return stream_->try_write(parts, count);
    clogged_ = true;
    const iovec octet{parts->iov_base, 1};
    return stream_->try_write(&octet, 1);
  }
  transport::Readiness wait(bool read, bool write, transport::Deadline deadline) override {
    return stream_->wait(read, write && !clogged_, deadline);
  }
  void interrupt() override {
    if (clogged_) {
      ending_ = true;
      for (int i = 0; i < 200 && !valve->written_to; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      clogged_ = false;  // what is written from here on meets the end
    }
    stream_->interrupt();
  }
  transport::IoResult read(char* to, std::size_t size) override { return stream_->read(to, size); }
  transport::IoResult try_read(char* to, std::size_t size) override { return stream_->try_read(to, size); }
  void set_read_timeout(int milliseconds) override { stream_->set_read_timeout(milliseconds); }
  int descriptor() const override { return stream_->descriptor(); }
  void stop_reading() override { stream_->stop_reading(); }
  void finish_writing() override { stream_->finish_writing(); }
  std::string peer() const override { return stream_->peer(); }

 private:
  std::unique_ptr<transport::Stream> stream_;
  const bool server_;
  std::atomic<bool> clogged_{false}, ending_{false};
};

class CloggedAcceptor : public transport::Acceptor {
 public:
  explicit CloggedAcceptor(std::unique_ptr<transport::Acceptor> acceptor) : acceptor_(std::move(acceptor)) {}
  std::unique_ptr<transport::Stream> accept(bool& exhausted) override {
    auto stream = acceptor_->accept(exhausted);
    return stream ? std::make_unique<CloggedStream>(std::move(stream), true) : nullptr;
  }
  int descriptor() const override { return acceptor_->descriptor(); }
  std::string address(const std::string& host) const override { return acceptor_->address(host); }
  void stop() override { acceptor_->stop(); }

 private:
  std::unique_ptr<transport::Acceptor> acceptor_;
};

// Unix sockets.
class CloggedTransport : public transport::Transport {
 public:
  explicit CloggedTransport(std::unique_ptr<transport::Transport> inner) : inner_(std::move(inner)) {}
  const char* name() const override { return "clogged"; }
  std::unique_ptr<transport::Acceptor> listen(const std::string& address, std::string& why) override {
    auto acceptor = inner_->listen(address, why);
    return acceptor ? std::make_unique<CloggedAcceptor>(std::move(acceptor)) : nullptr;
  }
  transport::ConnectResult connect(const std::string& address, transport::Deadline deadline) override {
    transport::ConnectResult result = inner_->connect(address, deadline);
    if (result.stream) result.stream = std::make_unique<CloggedStream>(std::move(result.stream), false);
    return result;
  }

 private:
  std::unique_ptr<transport::Transport> inner_;
};

const transport::TransportKind kClogged{"clogged", nullptr,
                                        [](const transport::TransportSettings& settings, std::string& why) {
                                          return std::unique_ptr<transport::Transport>(
                                              new CloggedTransport(transport::kUnix.make(settings, why)));
                                        }};

// Gives back as many octets as it gets.
class Echo : public EverythingServant {
 public:
  Contract::Octets* give_octets(const Contract::Octets& a, Contract::Octets& b,
                                Contract::Octets_out c) override {
    upcalls.join();
    return EverythingServant::give_octets(a, b, c);
  }
  Sleepers upcalls;
};

class HalfMessages : public testing::TestWithParam<const char*> {
 protected:
  HalfMessages() {
    valve = &valve_;
    transport::register_transport(kClogged);
    server_ = make_orb("half-server", {"-ORBendPoint", "giop:clogged:", "-ORBwriteTimeout", "500",
                                       "-ORBmaxGIOPVersion", GetParam()});
    client_ = make_orb("half-client", {"-ORBtransports", "clogged", "-ORBwriteTimeout", "500",
                                       "-ORBmaxGIOPVersion", GetParam()});
    PortableServer::POA_var poa = TwoOrbs::activate(server_);
    PortableServer::ObjectId_var id = poa->activate_object(echo_);
    CORBA::Object_var object = poa->id_to_reference(id.in());
    object = client_->string_to_object(take(server_->object_to_string(object)).c_str());
    remote_ = Contract::Everything::_unchecked_narrow(object);
    remote_->ping();
  }
  ~HalfMessages() override {
    client_->destroy();
    server_->destroy();
  }
  std::future<std::string> call() {
    return std::async(std::launch::async, [this] {
      callers_.join();
      Contract::Octets in, inout;
      Contract::Octets_var out, result;
      in.length(kOctets);
      return raised([&] { result = remote_->give_octets(in, inout, out.out()); });
    });
  }

  Valve valve_;
  CORBA::ORB_var server_, client_;
  PortableServer::Servant_var<Echo> echo_ = new Echo;
  Contract::Everything_var remote_;
  Sleepers callers_;
};
INSTANTIATE_TEST_SUITE_P(Giop, HalfMessages, testing::Values("1.0", "1.2"),
                         [](const auto& i) { return std::string("v1_") + i.param[2]; });

TEST_P(HalfMessages, OfAClientAreNotFollowedByAnotherThreadsRequest) {
  auto given_up = call();
  ASSERT_TRUE(comes_true([this] { return valve_.stuck.load(); }));
  auto waiting = call();
  EXPECT_TRUE(callers_.wait_for(2));
  EXPECT_EQ(given_up.get().rfind("COMM_FAILURE", 0), 0u);
  EXPECT_EQ(waiting.get(), "none");
  EXPECT_FALSE(valve_.written_to);
}

TEST_P(HalfMessages, OfAServerAreNotFollowedByAnotherThreadsReply) {
  valve_.of_server = true;
  auto given_up = call();
  ASSERT_TRUE(comes_true([this] { return valve_.stuck.load(); }));
  auto waiting = call();
  EXPECT_TRUE(echo_->upcalls.wait_for(2));
  EXPECT_EQ(given_up.get().rfind("COMM_FAILURE", 0), 0u);
  EXPECT_EQ(waiting.get().rfind("COMM_FAILURE", 0), 0u);
  EXPECT_FALSE(valve_.written_to);
}

}  // namespace
