// What a server's last bytes are, seen from a bare socket: CloseConnection and an orderly end, never a reset.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>
#include <thread>

#include "orb/ior/ior.h"
#include "tests/lifecycle/bare.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

class RawClient {
 public:
  // Its system takes `room` octets ahead of it, about, zero is as many as usual.
  explicit RawClient(const std::string& ior, int room = 0) {
    corbel::ior::Ior parsed;
    EXPECT_FALSE(corbel::ior::parse_ior(ior, parsed));
    const auto profile = corbel::ior::decode_iiop(parsed.profiles.at(0));
    key = profile->object_key;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(profile->address.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval limit{20, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (room != 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool send(const std::string& bytes) {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  // The type of the next message.
  char read_message() {
    char header[12], body[4096];
    std::uint32_t size;
    if (recv(socket_, header, sizeof header, MSG_WAITALL) != 12) return '.';
    std::memcpy(&size, header + 8, 4);
    if (size != 0) recv(socket_, body, std::min<std::size_t>(size, sizeof body), MSG_WAITALL);
    return kTypes[header[7] & 7];
  }
  // The types of all messages until the end of the stream, one letter each, and how it ended: for example
  // "RRC." after two replies and CloseConnection, "R!" for a reset.
  std::string read_to_end() {
    std::string all, types;
    char buffer[4096];
    ssize_t n;
    while ((n = recv(socket_, buffer, sizeof buffer, 0)) > 0) all.append(buffer, static_cast<std::size_t>(n));
    for (std::size_t at = 0; at + 12 <= all.size();) {
      std::uint32_t size;
      std::memcpy(&size, all.data() + at + 8, 4);
      types += kTypes[all[at + 7] & 7];
      at += 12 + size;
    }
    return types + (n == 0 ? "." : errno == ECONNRESET ? "!" : "?");
  }
  std::string key;

 private:
  static constexpr const char* kTypes = "QRXLlCEF";
  int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
};

TEST(Goodbye, AnIdleClientGetsCloseConnection) {
  for (const char* model : {"pool", "reactive"}) {
    Pair pair({"-ORBserverModel", model});
    RawClient raw(pair.ior);
    std::thread loop([&] {
      if (*model == 'r') pair.server->run();
    });
    pair.remote->ping();  // the server has taken the earlier connection too
    pair.server->shutdown(true);
    EXPECT_EQ(raw.read_to_end(), "C.") << model;
    loop.join();
  }
}

TEST(Goodbye, AConnectionThatWasNeverAcceptedGetsItToo) {
  Pair pair({"-ORBserverModel", "reactive"});  // nobody runs its loop
  RawClient silent(pair.ior), sender(pair.ior);
  EXPECT_TRUE(sender.send(request(1, sender.key, "ping")));
  EXPECT_EQ(raised([&] {
              auto call = std::async(std::launch::async, [&] { pair.remote->ping(); });
              std::this_thread::sleep_for(std::chrono::milliseconds(50));
              pair.server->shutdown(true);
              call.get();
            }),
            "TRANSIENT/4f4d0002/NO");
  EXPECT_EQ(silent.read_to_end(), "C.");
  EXPECT_EQ(sender.read_to_end().substr(0, 1), "C");
}

TEST(Goodbye, ARunningRequestIsAnsweredFirst) {
  Pair pair;
  Gate gate;
  pair.servant->script = [&] { gate.wait(); };
  RawClient raw(pair.ior);
  std::string call = request(7, raw.key, "minus");
  call.resize((call.size() + 7) / 8 * 8);  // where a body begins
  put_long(call, 5);
  const auto size = static_cast<std::uint32_t>(call.size() - 12);
  std::memcpy(call.data() + 8, &size, 4);
  ASSERT_TRUE(raw.send(call));
  ASSERT_TRUE(gate.wait_until_inside(1));
  pair.server->shutdown(false);
  // Requests that come after the decision are not served: CloseConnection speaks of them.
  ASSERT_TRUE(raw.send(request(8, raw.key, "ping")));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  gate.open();
  EXPECT_EQ(raw.read_to_end(), "RC.");
}

TEST(Goodbye, AClientTooManyIsToldThatNothingWasDone) {
  Pair pair({"-ORBmaxServerConnections", "2"});
  RawClient first(pair.ior), second(pair.ior);
  ASSERT_TRUE(first.send(request(1, first.key, "ping")));
  ASSERT_TRUE(second.send(request(1, second.key, "ping")));
  EXPECT_EQ(first.read_message(), 'R');
  EXPECT_EQ(second.read_message(), 'R');
  EXPECT_EQ(raised([&] { pair.remote->ping(); }), "TRANSIENT/4f4d0002/NO");
  RawClient third(pair.ior);
  EXPECT_EQ(third.read_to_end(), "C.");
}

TEST(Goodbye, EndsAStreamOfRequestsWithoutAReset) {
  for (int round = 0; round < 20; ++round) {
    Pair pair;
    RawClient raw(pair.ior);
    const std::string ping = request(1, raw.key, "ping");
    std::string many;
    for (int i = 0; i < 200; ++i) many += ping;
    ASSERT_TRUE(raw.send(many));
    std::this_thread::sleep_for(std::chrono::microseconds(200 * round));
    pair.server->destroy();
    const std::string seen = raw.read_to_end();
    const std::size_t replies = seen.find_first_not_of('R');
    EXPECT_EQ(seen.substr(std::min(replies, seen.size())), "C.") << round;
    pair.server = make_orb("pair-server");
  }
}

// As a network would that is slow, it has the server's replies and goodbye wait in the server's own socket.
TEST(Goodbye, ReachesAClientThatReadsLateAndStillSends) {
  constexpr int kCalls = 5000;
  for (const char* model : {"pool", "connection", "reactive"}) {
    Pair pair({"-ORBserverModel", model});
    std::thread loop([&] {
      if (*model == 'r') pair.server->run();
    });
    RawClient raw(pair.ior, 4096);
    std::atomic<int> served{0};
    pair.servant->script = [&] { ++served; };
    const std::string call = request(1, raw.key, "minus", {5});
    std::string many;
    for (int i = 0; i < kCalls; ++i) many += call;
    ASSERT_TRUE(raw.send(many));
    ASSERT_TRUE(comes_true([&] { return served == kCalls; }));
    auto ending = std::async(std::launch::async, [&] { pair.server->destroy(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_TRUE(raw.send(call));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(raw.read_to_end(), std::string(kCalls, 'R') + "C.") << model;
    ending.get();
    loop.join();
    pair.server = make_orb("pair-server");
  }
}

}  // namespace
