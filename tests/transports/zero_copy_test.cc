// Large runs of octets are written from the memory in which they are, and seen where they were read: a
// transport tells which memory it was given.
#include <mutex>

#include "orb/transport/tcp.h"
#include "orb/transport/unix.h"
#include "tests/transports/support.h"

namespace transports {
namespace {

namespace transport = corbel::transport;

struct Run {
  const void* begin;
  std::size_t size;
  std::size_t before;  // octets of the same write
};

// What passed through all streams of the transport.
class Seen {
 public:
  void wrote(const iovec* parts, int count) {
    std::lock_guard lock(mutex_);
    for (std::size_t i = 0, before = 0; i < static_cast<std::size_t>(count); before += parts[i++].iov_len)
      written_.push_back({parts[i].iov_base, parts[i].iov_len, before});
  }
  void read(const char* to, std::size_t size) {
    std::lock_guard lock(mutex_);
    read_.push_back({to, size, 0});
  }
  void forget() {
    std::lock_guard lock(mutex_);
    written_.clear();
    read_.clear();
  }
  // Octets of the same message before those that leave from here; 0 if none did.
  std::size_t before(const void* begin) {
    std::lock_guard lock(mutex_);
    for (const Run& r : written_)
      if (r.begin == begin) return r.before;
    return 0;
  }
  // From its first to its last octet in one part.
  bool left_from(const void* begin, std::size_t size) {
    std::lock_guard lock(mutex_);
    return std::any_of(written_.begin(), written_.end(),
                       [&](const Run& r) { return r.begin == begin && r.size == size; });
  }
  bool was_read_to(const void* at) {
    std::lock_guard lock(mutex_);
    return std::any_of(read_.begin(), read_.end(), [&](const Run& r) {
      return at >= r.begin && at < static_cast<const char*>(r.begin) + r.size;
    });
  }

 private:
  std::mutex mutex_;
  std::vector<Run> written_, read_;
};

Seen& seen() {
  static Seen all;
  return all;
}

class WatchedStream : public transport::Stream {
 public:
  explicit WatchedStream(std::unique_ptr<transport::Stream> stream) : stream_(std::move(stream)) {}
  transport::IoResult read(char* to, std::size_t size) override { return noted(to, stream_->read(to, size)); }
  transport::IoResult try_read(char* to, std::size_t size) override {
    return noted(to, stream_->try_read(to, size));
  }
  transport::IoResult try_write(const iovec* parts, int count) override {
    seen().wrote(parts, count);
    return stream_->try_write(parts, count);
  }
  void set_read_timeout(int milliseconds) override { stream_->set_read_timeout(milliseconds); }
  int descriptor() const override { return stream_->descriptor(); }
  void interrupt() override { stream_->interrupt(); }
  void stop_reading() override { stream_->stop_reading(); }
  void finish_writing() override { stream_->finish_writing(); }
  std::string peer() const override { return stream_->peer(); }

 private:
  static transport::IoResult noted(const char* to, transport::IoResult result) {
    if (result.status == transport::Io::Ok) seen().read(to, result.bytes);
    return result;
  }
  std::unique_ptr<transport::Stream> stream_;
};

class WatchedAcceptor : public transport::Acceptor {
 public:
  explicit WatchedAcceptor(std::unique_ptr<transport::Acceptor> acceptor) : acceptor_(std::move(acceptor)) {}
  std::unique_ptr<transport::Stream> accept(bool& exhausted) override {
    auto stream = acceptor_->accept(exhausted);
    return stream ? std::make_unique<WatchedStream>(std::move(stream)) : nullptr;
  }
  int descriptor() const override { return acceptor_->descriptor(); }
  std::string address(const std::string& host) const override { return acceptor_->address(host); }
  void stop() override { acceptor_->stop(); }

 private:
  std::unique_ptr<transport::Acceptor> acceptor_;
};

class WatchedTransport : public transport::Transport {
 public:
  WatchedTransport(const char* name, std::unique_ptr<transport::Transport> inner)
      : name_(name), inner_(std::move(inner)) {}
  const char* name() const override { return name_; }
  std::unique_ptr<transport::Acceptor> listen(const std::string& address, std::string& why) override {
    auto acceptor = inner_->listen(address, why);
    return acceptor ? std::make_unique<WatchedAcceptor>(std::move(acceptor)) : nullptr;
  }
  transport::ConnectResult connect(const std::string& address, transport::Deadline deadline) override {
    transport::ConnectResult result = inner_->connect(address, deadline);
    if (result.stream) result.stream = std::make_unique<WatchedStream>(std::move(result.stream));
    return result;
  }

 private:
  const char* const name_;
  std::unique_ptr<transport::Transport> inner_;
};

template <const transport::TransportKind& kInner>
constexpr transport::TransportKind watched(const char* name) {
  return {
      name, nullptr, [](const transport::TransportSettings& settings, std::string& why) {
        const char* const own = &kInner == &transport::kTcp ? "watched-tcp" : "watched-unix";
        return std::unique_ptr<transport::Transport>(new WatchedTransport(own, kInner.make(settings, why)));
      }};
}
const transport::TransportKind kWatchedUnix = watched<transport::kUnix>("watched-unix");
const transport::TransportKind kWatchedTcp = watched<transport::kTcp>("watched-tcp");

struct Medium {
  const transport::TransportKind& kind;
  const char* address;
};
void PrintTo(const Medium& medium, std::ostream* out) { *out << medium.kind.name; }

constexpr CORBA::ULong kCount = 100'000;

// Lends its own octets, and remembers where its argument was.
class Lender : public EverythingServant {
 public:
  Contract::Octets* give_octets(const Contract::Octets& a, Contract::Octets&,
                                Contract::Octets_out c) override {
    argument = a.get_buffer();
    argument_sum = 0;
    for (CORBA::ULong i = 0; i < a.length(); ++i) argument_sum += a[i];
    c = new Contract::Octets;
    return new Contract::Octets(kCount, kCount, octets.get_buffer() + from, false);
  }
  Contract::Longs* give_longs(const Contract::Longs& a, Contract::Longs&, Contract::Longs_out c) override {
    argument = a.get_buffer();
    c = new Contract::Longs;
    return new Contract::Longs(longs.length(), longs.length(), longs.get_buffer(), false);
  }
  Contract::Octets octets;
  Contract::Longs longs;
  std::size_t from = 0;  // the first that is lent
  const void* argument = nullptr;
  std::uint64_t argument_sum = 0;
};

class ZeroCopy : public testing::TestWithParam<Medium> {
 protected:
  ZeroCopy() {
    const auto& [kind, address] = GetParam();
    seen().forget();
    transport::register_transport(kind);
    server_ = make_orb(new_id().c_str(), {"-ORBendPoint", std::string("giop:") + kind.name + ':' + address});
    client_ = make_orb(new_id().c_str(), {"-ORBtransports", kind.name});
    poa_ = TwoOrbs::activate(server_);
    lender_ = new Lender;
    lender_->octets.length(kCount);
    for (CORBA::ULong i = 0; i < kCount; ++i) lender_->octets[i] = static_cast<CORBA::Octet>(i * 7);
    PortableServer::ObjectId_var id = poa_->activate_object(lender_);
    CORBA::Object_var object = poa_->id_to_reference(id.in());
    object = client_->string_to_object(take(server_->object_to_string(object)).c_str());
    everything_ = Contract::Everything::_narrow(object);
    argument_.length(kCount);
    for (CORBA::ULong i = 0; i < kCount; ++i) argument_[i] = static_cast<CORBA::Octet>(i);
  }
  ~ZeroCopy() override {
    client_->destroy();
    server_->destroy();
  }
  void call() {
    Contract::Octets inout;
    Contract::Octets_var out;
    result_ = everything_->give_octets(argument_, inout, out.out());
  }

  CORBA::ORB_var server_, client_;
  PortableServer::POA_var poa_;
  PortableServer::Servant_var<Lender> lender_;
  Contract::Everything_var everything_;
  Contract::Octets argument_;
  Contract::Octets_var result_;
};

TEST_P(ZeroCopy, ALargeArgumentLeavesFromTheCallersMemory) {
  const CORBA::Octet* const buffer = argument_.get_buffer();
  EXPECT_FALSE(seen().left_from(buffer, kCount));
  call();
  EXPECT_TRUE(seen().left_from(buffer, kCount));
}

TEST_P(ZeroCopy, ALargeArgumentIsSeenByTheServantWhereItWasRead) {
  call();
  // The first read of a message may be into memory that turns out to be too small for it.
  EXPECT_TRUE(seen().was_read_to(static_cast<const char*>(lender_->argument) + kCount - 1));
  std::uint64_t sum = 0;
  for (CORBA::ULong i = 0; i < kCount; ++i) sum += argument_[i];
  EXPECT_EQ(lender_->argument_sum, sum);
}

TEST_P(ZeroCopy, ALargeResultLeavesFromTheServantsMemory) {
  const CORBA::Octet* const buffer = lender_->octets.get_buffer();
  EXPECT_FALSE(seen().left_from(buffer, kCount));
  call();
  EXPECT_TRUE(seen().left_from(buffer, kCount));
  ASSERT_EQ(result_->length(), kCount);
  EXPECT_EQ(std::memcmp(result_->get_buffer(), buffer, kCount), 0);
}

TEST_P(ZeroCopy, LargeSequencesOfNumbersAreNotCopiedEither) {
  Contract::Longs argument, inout;
  for (CORBA::ULong i = 0; i < kCount / 4; ++i) {
    argument.length(i + 1);
    lender_->longs.length(i + 1);
    argument[i] = static_cast<CORBA::Long>(i);
    lender_->longs[i] = static_cast<CORBA::Long>(3 * i);
  }
  Contract::Longs_var out, result = everything_->give_longs(argument, inout, out.out());
  EXPECT_TRUE(seen().left_from(argument.get_buffer(), kCount));
  EXPECT_TRUE(seen().was_read_to(static_cast<const char*>(lender_->argument) + kCount - 1));
  EXPECT_TRUE(seen().left_from(lender_->longs.get_buffer(), kCount));
  ASSERT_EQ(result->length(), kCount / 4);
  EXPECT_EQ(std::memcmp(result->get_buffer(), lender_->longs.get_buffer(), kCount), 0);
}

// A few octets farther into its page than it was: slow on some processors.
TEST_P(ZeroCopy, ALargeResultIsNotPutWhereItIsCopiedToSlowly) {
  lender_->octets.length(kCount + 4096);
  const CORBA::Octet* const all = lender_->octets.get_buffer();
  for (CORBA::ULong i = 0; i < kCount + 4096; ++i) lender_->octets[i] = static_cast<CORBA::Octet>(i * 13);
  const auto page = [](std::size_t octets) { return octets % 4096; };
  const std::size_t start = page(reinterpret_cast<std::uintptr_t>(all));
  const auto before = [&](std::size_t place) {
    lender_->from = page(place - start);
    seen().forget();
    call();
    EXPECT_EQ(result_->length(), kCount);
    EXPECT_EQ(std::memcmp(result_->get_buffer(), all + lender_->from, kCount), 0) << place;
    EXPECT_TRUE(seen().was_read_to(result_->get_buffer() + kCount - 1)) << place;
    return seen().before(all + lender_->from);
  };
  const std::size_t ordinary = before(2048);
  ASSERT_NE(ordinary, 0U);
  EXPECT_EQ(before(ordinary), ordinary);
  EXPECT_EQ(before(ordinary - 32), ordinary);
  for (const std::size_t slow : {1, 4, 12, 16, 28, 31})
    EXPECT_EQ(before(ordinary - slow), ordinary + 32) << slow;
}

INSTANTIATE_TEST_SUITE_P(Over, ZeroCopy,
                         testing::Values(Medium{kWatchedUnix, ""}, Medium{kWatchedTcp, "127.0.0.1:0"}),
                         [](const auto& medium) {
                           return &medium.param.kind == &kWatchedTcp ? "Tcp" : "Unix";
                         });

}  // namespace
}  // namespace transports
