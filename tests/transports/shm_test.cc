// Calls through shared memory: that it is used by itself, when it is not, and what peers can do to a server.
#include "orb/transport/shm.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "orb/transport/host_id.h"
#include "orb/transport/shm_stream.h"
#include "tests/lifecycle/child.h"
#include "tests/transports/support.h"

namespace transports {
namespace {

namespace ior = corbel::ior;
namespace shm = corbel::transport::shm;
using corbel::transport::Descriptor;

// The reference's address of shared memory, empty if it has none.
std::string shm_address(const ior::IiopProfile& profile) {
  std::string name, address;
  for (const ior::TaggedComponent& c : profile.components)
    if (c.tag == corbel::assigned::kComponentEndpoint && ior::decode_endpoint(c, name, address) &&
        name == "shm")
      return address;
  return {};
}

// The same object, where nobody listens at its TCP address.
std::string without_tcp(const Server& server) {
  auto profile = server.profiles().at(0);
  profile.address.host = "127.0.0.1";
  profile.address.port = 1;
  return ior::to_string({"", {ior::encode_iiop(profile)}});
}

const std::vector<std::string> kLoopback{"-ORBendPoint", "giop:tcp:127.0.0.1:0"};

std::vector<std::string> on_loopback(std::vector<std::string> more) {
  more.insert(more.begin(), kLoopback.begin(), kLoopback.end());
  return more;
}

std::size_t descriptors() {
  using Files = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(Files("/proc/self/fd"), Files()));
}

std::size_t mappings() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find("memfd:corbel") != line.npos;
  return count;
}

TEST(Shm, IsUsedWhereBothEndsAreOnOneHost) {
  const Server server(kLoopback);
  EXPECT_EQ(call(without_tcp(server)), "none");
  EXPECT_EQ(call(server.text), "none");
}

TEST(Shm, IsUsedByReactiveServers) {
  const Server server(on_loopback({"-ORBserverModel", "reactive"}));
  std::thread loop([&] { server.orb->run(); });
  EXPECT_EQ(call(without_tcp(server)), "none");
  server.orb->shutdown(false);
  loop.join();
}

TEST(Shm, IsLeftOutByOption) {
  const Server server(kLoopback);
  EXPECT_EQ(call(without_tcp(server), {"-ORBtransports", "tcp"}).substr(0, 9), "TRANSIENT");
  EXPECT_EQ(call(server.text, {"-ORBtransports", "tcp"}), "none");
  const Server without(on_loopback({"-ORBtransports", "unix,tcp"}));
  EXPECT_EQ(shm_address(without.profiles().at(0)), "");
}

TEST(Shm, HasItsNameByOption) {
  const std::string name = "test-" + std::to_string(getpid());
  const Server server({"-ORBendPoint", "giop:shm:" + name});
  const std::string address = shm_address(server.profiles().at(0));
  EXPECT_EQ(address.substr(address.rfind('/') + 1), name);
  EXPECT_EQ(call(server.text), "none");
}

TEST(Shm, TheMemoryOfAnotherHostIsNotTried) {
  const Server server({"-ORBendPoint", "giop:shm:"});
  auto profile = server.profiles().at(0);
  for (ior::TaggedComponent& c : profile.components)
    if (c.tag == corbel::assigned::kComponentEndpoint)
      c = ior::encode_endpoint("shm", std::string(16, '0') + shm_address(profile).substr(16));
  EXPECT_EQ(call(ior::to_string({"", {ior::encode_iiop(profile)}})), kUnreachable);
}

TEST(Shm, AnotherWayIsTakenWhereNobodyListens) {
  const Server server(kLoopback);
  auto profile = server.profiles().at(0);
  for (ior::TaggedComponent& c : profile.components)
    if (c.tag == corbel::assigned::kComponentEndpoint)
      c = ior::encode_endpoint("shm", shm_address(profile) + "x");
  EXPECT_EQ(call(ior::to_string({"", {ior::encode_iiop(profile)}})), "none");
}

// The user whom a thread's peers see: of this thread alone, unlike what the C library sets.
void become(uid_t user) { ASSERT_EQ(syscall(SYS_setresuid, -1, user, -1), 0); }

TEST(Shm, AnotherWayIsTakenWhereTheServerDoesNotShareWithTheClientsUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  const Server server(kLoopback);
  std::thread([&] {
    become(65534);
    EXPECT_EQ(call(server.text, {"-ORBshmUsers", "any"}), "none");
    EXPECT_EQ(call(without_tcp(server), {"-ORBshmUsers", "any"}), kUnreachable);
    EXPECT_EQ(call(server.text, {"-ORBshmUsers", "same"}), "none");
    become(0);
  }).join();
}

TEST(Shm, NothingIsLeftOfClients) {
  const Server server(kLoopback);
  const std::string text = without_tcp(server);
  EXPECT_EQ(call(text), "none");
  ASSERT_TRUE(comes_true([] { return mappings() == 0; }));
  const std::size_t before = descriptors();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(call(text), "none");
  EXPECT_TRUE(comes_true([] { return mappings() == 0; })) << mappings();
  EXPECT_TRUE(comes_true([&] { return descriptors() <= before; })) << before << " and " << descriptors();
}

TEST(Shm, SmallRingsCarryLargeMessages) {
  const Server server(kLoopback);
  CORBA::ORB_var orb = make_orb(new_id().c_str(), {"-ORBshmRingSize", "4096", "-ORBtransports", "shm"});
  CORBA::Object_var object = orb->string_to_object(server.text.c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  Contract::Octets a, b;
  Contract::Octets_var c;
  a.length(3'000'000);
  for (CORBA::ULong i = 0; i < a.length(); ++i) a[i] = static_cast<CORBA::Octet>(i * 7);
  b.length(1'000'000);
  Contract::Octets_var result = everything->give_octets(a, b, c);
  EXPECT_EQ(result->length(), a.length());
  EXPECT_EQ(std::memcmp(result->get_buffer(), a.get_buffer(), a.length()), 0);
  EXPECT_EQ(c->length(), 1'000'000u);
  orb->destroy();
}

// A process of its own, which is killed while a call waits for it.
TEST(Shm, AServerThatIsKilledIsMissedByItsCallers) {
  lifecycle::Child child(LIFECYCLE_SERVER, {"-ORBendPoint", "giop:shm:"});
  const std::string text = child.line();
  (void)child.line();  // another reference
  CORBA::ORB_var orb = make_orb(new_id().c_str(), {"-ORBtransports", "shm"});
  CORBA::Object_var object = orb->string_to_object(text.c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  EXPECT_EQ(everything->minus(5), 4);
  std::string waited;
  std::thread caller([&] { waited = raised([&] { everything->minus(0); }); });
  EXPECT_EQ(child.line(), "waiting");
  child.kill();
  caller.join();
  EXPECT_EQ(waited.substr(0, 12), "COMM_FAILURE") << waited;
  EXPECT_NE(waited.find("MAYBE"), waited.npos) << waited;
  EXPECT_EQ(raised_name([&] { everything->ping(); }), "TRANSIENT");
  everything = Contract::Everything::_nil();
  orb->destroy();
}

// A server that takes no connection, and signals that come more often than the time for connecting is over.
TEST(Shm, SignalsDoNotProlongTheTimeForConnecting) {
  struct sigaction nothing {
  }, before{};
  nothing.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGUSR1, &nothing, &before), 0);
  const std::string name = "deaf-" + std::to_string(getpid());
  const std::string bound = "corbel-shm-" + name;
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::memcpy(at.sun_path + 1, bound.data(), bound.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + bound.size());
  const auto new_socket = [] { return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0)); };
  const Descriptor full = new_socket();
  ASSERT_EQ(::bind(full.get(), reinterpret_cast<sockaddr*>(&at), size), 0);
  ASSERT_EQ(::listen(full.get(), 0), 0);
  std::vector<Descriptor> waiting;
  do waiting.push_back(new_socket());
  while (::connect(waiting.back().get(), reinterpret_cast<sockaddr*>(&at), size) == 0);

  std::atomic<bool> over{false};
  bool in_time = false;
  std::thread signaller([&, main = pthread_self()] {
    for (int i = 0; i < 1000 && !over; ++i) {  // for 10 seconds
      pthread_kill(main, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    in_time = over;
  });
  std::string why;
  const auto transport = corbel::transport::kShm.make({}, why);
  const auto result =
      transport->connect(corbel::transport::network_id() + "/1/" + name, corbel::base::now() + 300'000'000);
  over = true;
  signaller.join();
  EXPECT_TRUE(result.timed_out);
  EXPECT_TRUE(in_time);
  sigaction(SIGUSR1, &before, nullptr);
}

// ---- hostile clients

struct RawClient {
  Descriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  shm::SharedMemory memory;

  explicit RawClient(const Server& server) {
    const std::string address = shm_address(server.profiles().at(0));
    const std::string name = "corbel-shm-" + address.substr(address.rfind('/') + 1);
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    std::memcpy(to.sun_path + 1, name.data(), name.size());
    EXPECT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&to),
                        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())),
              0);
  }
  void pass_memory() {
    Descriptor passed;
    memory = shm::SharedMemory::create(4096, passed);
    EXPECT_TRUE(shm::send_hello(socket.get(), passed.get(), 4096));
  }
  void write(const std::string& bytes) {
    std::memcpy(memory.client_ring(), bytes.data(), bytes.size());
    memory.shared().client.written = bytes.size();
    ring();
  }
  void ring() { (void)!::send(socket.get(), "", 1, MSG_NOSIGNAL | MSG_DONTWAIT); }
  bool closed() {
    char rest[64];
    return comes_true([&] {
      const ssize_t n = ::recv(socket.get(), rest, sizeof rest, MSG_DONTWAIT);
      return n == 0 || (n < 0 && errno != EAGAIN);
    });
  }
};

TEST(Shm, ClientsWhoseMemoryHasNotComeSeeTheServersEnd) {
  const Server server({"-ORBendPoint", "giop:shm:"});
  RawClient client(server);
  EXPECT_EQ(call(server.text, {"-ORBtransports", "shm"}), "none");  // so the one before has been accepted
  server.orb->shutdown(false);
  EXPECT_TRUE(client.closed());
}

class ShmServer : public testing::TestWithParam<const char*> {
 protected:
  ShmServer() : server(on_loopback({"-ORBserverModel", GetParam(), "-ORBmessageTimeout", "1000"})) {
    if (std::string(GetParam()) == "reactive") loop = std::thread([this] { server.orb->run(); });
    EXPECT_EQ(call(server.text), "none");
    EXPECT_TRUE(comes_true([] { return mappings() == 0; }));
    before = descriptors();
  }
  ~ShmServer() override {
    EXPECT_EQ(call(without_tcp(server)), "none") << "others are served";
    EXPECT_TRUE(comes_true([] { return mappings() == 0; })) << mappings();
    EXPECT_TRUE(comes_true([this] { return descriptors() <= before; })) << before << " and " << descriptors();
    server.orb->shutdown(false);
    if (loop.joinable()) loop.join();
  }
  Server server;
  std::thread loop;
  std::size_t before = 0;
};
INSTANTIATE_TEST_SUITE_P(Model, ShmServer, testing::Values("pool", "reactive", "connection"));

TEST_P(ShmServer, ServesOthersBesideClientsThatPassNothing) {
  RawClient silent(server), closing(server);
  closing.socket = Descriptor();
  EXPECT_EQ(call(without_tcp(server)), "none");
}

TEST_P(ShmServer, ClosesOnClientsThatPassNonsense) {
  RawClient client(server);
  (void)!::send(client.socket.get(), "GET / HTTP/1.1\r\n\r\n", 18, MSG_NOSIGNAL);
  EXPECT_TRUE(client.closed());
}

TEST_P(ShmServer, ClosesOnClientsThatWriteNonsense) {
  RawClient client(server);
  client.pass_memory();
  client.write("GET / HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(client.closed());
}

TEST_P(ShmServer, ClosesOnClientsWhosePositionsAreImpossible) {
  RawClient client(server);
  client.pass_memory();
  client.memory.shared().client.written = 5000;
  client.ring();
  EXPECT_TRUE(client.closed());
}

TEST_P(ShmServer, ClosesOnClientsThatNeverEndAMessage) {
  RawClient client(server);
  client.pass_memory();
  client.write(std::string("GIOP\1\2\1\0\377\377\0\0", 12));
  EXPECT_TRUE(client.closed());
}

TEST_P(ShmServer, IsUnmovedByClientsThatScribble) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    RawClient client(server);
    client.pass_memory();
    std::mt19937_64 random(seed);
    client.write(std::string("GIOP\1\2\1\0\0\1\0\0", 12));
    auto* const words = reinterpret_cast<std::atomic<std::uint32_t>*>(&client.memory.shared());
    for (int i = 0; i < 20'000; ++i) {
      const auto at = random() % (sizeof(shm::Shared) / sizeof *words);
      words[at].store(static_cast<std::uint32_t>(random() % 2 ? random() % 4096 : random()));
      if (i % 100 == 0) client.ring();
      if (i % 5000 == 0) {
        EXPECT_EQ(call(without_tcp(server)), "none");
      }
    }
  }
}

}  // namespace
}  // namespace transports
