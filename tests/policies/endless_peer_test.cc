// Peers that are never silent: the limits of time hold although there is always something to read or to
// write. No network is needed for that, which could pause.
#include <corbel/transport/transport.h>
#include <unistd.h>

#include <cstring>

#include "tests/policies/support.h"

namespace {

using namespace policies;
namespace transport = corbel::transport;

enum class Behaviour { SaysMuch, ReadsNothing, ReadsLittle };

// A peer that sends replies to nobody without end. It takes all that it is sent; or one octet and no more; or
// an octet each time.
class Endless final : public transport::Stream {
 public:
  explicit Endless(Behaviour behaviour) : behaviour_(behaviour) {
    EXPECT_EQ(pipe(ends_), 0);
    EXPECT_EQ(::write(ends_[1], "x", 1), 1);
  }
  ~Endless() override {
    close(ends_[0]);
    close(ends_[1]);
  }

  transport::IoResult read(char* to, std::size_t size) override {
    static const char reply[] = "GIOP\1\2\1\1\xc\0\0\0\xff\xff\xff\xff\0\0\0\0\0\0\0";
    if (ended_) return {transport::Io::Closed};
    for (std::size_t i = 0; i < size; ++i) to[i] = reply[said_++ % sizeof reply];
    return {transport::Io::Ok, size};
  }
  transport::IoResult try_read(char* to, std::size_t size) override { return read(to, size); }
  transport::IoResult try_write(const iovec* parts, int count) override {
    if (ended_) return {transport::Io::Failed};
    std::size_t size = 0;
    for (int i = 0; i < count; ++i) size += parts[i].iov_len;
    if (behaviour_ == Behaviour::SaysMuch) return {transport::Io::Ok, size};
    if (behaviour_ == Behaviour::ReadsNothing && began_) return {transport::Io::WouldBlock};
    if (began_) usleep(1000);
    began_ = true;
    return {transport::Io::Ok, 1};
  }
  transport::Readiness wait(bool read, bool write, transport::Deadline) override {
    return {read, write && behaviour_ != Behaviour::ReadsNothing};
  }
  void set_read_timeout(int) override {}
  int descriptor() const override { return ends_[0]; }
  void interrupt() override { ended_ = true; }
  void stop_reading() override {}
  void finish_writing() override {}
  std::string peer() const override { return "nobody"; }

 private:
  const Behaviour behaviour_;
  int ends_[2];
  std::size_t said_ = 0;
  bool began_ = false;
  std::atomic<bool> ended_{false};
};

class EndlessTransport final : public transport::Transport {
 public:
  const char* name() const override { return "endless"; }
  std::unique_ptr<transport::Acceptor> listen(const std::string&, std::string&) override { return nullptr; }
  transport::ConnectResult connect(const std::string& address, transport::Deadline) override {
    transport::ConnectResult result;
    result.stream = std::make_unique<Endless>(static_cast<Behaviour>(address[0] - '0'));
    return result;
  }
};

const transport::TransportKind kEndless{
    "endless", nullptr,
    [](const transport::TransportSettings&, std::string&) -> std::unique_ptr<transport::Transport> {
      return std::make_unique<EndlessTransport>();
    }};

// What a call of such a peer ends with.
std::string outcome(Behaviour behaviour, const std::vector<std::string>& limit) {
  transport::register_transport(kEndless);
  std::vector<std::string> options{"-ORBtransports", "endless"};
  options.insert(options.end(), limit.begin(), limit.end());
  CORBA::ORB_var orb = lifecycle::make_orb("endless", options);
  corbel::ior::IiopProfile profile;
  profile.minor = 2;
  profile.object_key = "key";
  profile.components = {corbel::ior::encode_endpoint("endless", std::to_string(static_cast<int>(behaviour)))};
  corbel::ior::Ior ior;
  ior.profiles = {corbel::ior::encode_iiop(profile)};
  CORBA::Object_var object = orb->string_to_object(corbel::ior::to_string(ior).c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  Contract::Octets in, inout;
  in.length(behaviour == Behaviour::ReadsLittle ? 100'000 : 10);
  const std::string result = raised_name([&] {
    Contract::Octets_var out, back;
    back = everything->give_octets(in, inout, out.out());
  });
  orb->destroy();
  return result;
}

const std::vector<std::string> kCall{"-ORBclientCallTimeOutPeriod", "300"}, kWrite{"-ORBwriteTimeout", "300"};

TEST(EndlessPeers, RepliesToOthersDoNotProlongACall) {
  EXPECT_EQ(outcome(Behaviour::SaysMuch, kCall), "TIMEOUT");
}

TEST(EndlessPeers, RepliesToOthersDoNotProlongTheTimeToWrite) {
  EXPECT_EQ(outcome(Behaviour::ReadsNothing, kCall), "TIMEOUT");
  EXPECT_EQ(outcome(Behaviour::ReadsNothing, kWrite), "COMM_FAILURE");
}

TEST(EndlessPeers, WhoReadsLittleAtATimeHasNoMoreTime) {
  EXPECT_EQ(outcome(Behaviour::ReadsLittle, kCall), "TIMEOUT");
  EXPECT_EQ(outcome(Behaviour::ReadsLittle, kWrite), "COMM_FAILURE");
}

}  // namespace
