// One-ways that threads of the ORB write (SYNC_NONE), sent by many threads while others do everything else.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "orb/core/orb.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;
using corbel::core::CallSetting;
using corbel::core::CallSettings;
using corbel::core::SyncScope;

constexpr int kSenders = 8;
constexpr const char* kTooMany = "TRANSIENT/43420003/NO";  // wait to be sent: there is a limit
using Numbers = std::vector<CORBA::Long>;

// What each sender has sent, as it arrives.
class Recorder : public EverythingServant {
 public:
  static CORBA::Long number(int sender, int n) { return sender << 16 | n; }
  void note(CORBA::Long n) override {
    std::lock_guard lock(mutex_);
    arrived_.at(static_cast<std::size_t>(n >> 16)).push_back(n & 0xffff);
    ++total_;
  }
  Numbers arrived(int sender) {
    std::lock_guard lock(mutex_);
    return arrived_.at(static_cast<std::size_t>(sender));
  }
  int total() {
    std::lock_guard lock(mutex_);
    return total_;
  }

 private:
  std::mutex mutex_;
  std::array<Numbers, 2 * kSenders> arrived_;
  int total_ = 0;
};

// A server whose one thread serves what comes over a connection in its order.
class Server {
 public:
  explicit Server(const char* name = "server")
      : orb_(make_orb(name, on_loopback({"-ORBserverModel", "reactive"}))) {
    PortableServer::POA_var poa = TwoOrbs::activate(orb_);
    PortableServer::ObjectId_var id = poa->activate_object(recorder);
    CORBA::Object_var object = poa->id_to_reference(id);
    ior_ = take(orb_->object_to_string(object));
    loop_ = std::thread([this] { EXPECT_EQ(raised([&] { orb_->run(); }), "none"); });
  }
  ~Server() { destroy(); }
  void destroy() {
    if (!loop_.joinable()) return;
    orb_->shutdown(false);
    loop_.join();
    orb_->destroy();
  }
  Contract::Everything_var object(CORBA::ORB_ptr client) const {
    CORBA::Object_var object = client->string_to_object(ior_.c_str());
    return Contract::Everything::_unchecked_narrow(object);
  }
  PortableServer::Servant_var<Recorder> recorder = new Recorder;

 private:
  CORBA::ORB_var orb_;
  std::string ior_;
  std::thread loop_;
};

// A client whose one-ways wait for nobody. In the reactive model its own loop reads its connections.
class Client {
 public:
  explicit Client(const std::string& model, std::vector<std::string> options = {}) {
    options.insert(options.end(), {"-ORBdefaultSyncScope", "none", "-ORBserverModel", model});
    orb = make_orb("sender", on_loopback(std::move(options)));
    if (model != "reactive") return;
    poa_ = TwoOrbs::activate(orb);
    PortableServer::ObjectId_var id = poa_->activate_object(servant_);
    CORBA::Object_var object = poa_->id_to_reference(id);  // now it listens
    loop_ = std::thread([this] { raised([&] { orb->run(); }); });
  }
  ~Client() { destroy(); }
  void destroy() {
    raised([&] { orb->shutdown(false); });
    if (loop_.joinable()) loop_.join();
    raised([&] { orb->destroy(); });
  }
  CORBA::ORB_var orb;

 private:
  PortableServer::POA_var poa_;
  PortableServer::Servant_var<EverythingServant> servant_ = new EverythingServant;
  std::thread loop_;
};

// Listens, and takes nothing but what the system takes for it.
class Deaf {
 public:
  Deaf() {
    const int small = 4096;  // what connects inherits it
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(socket_, 8), 0);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    reference_ = "corbaloc::1.2@127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/deaf";
  }
  ~Deaf() { close(socket_); }
  Contract::Everything_var object(CORBA::ORB_ptr client) const {
    CORBA::Object_var object = client->string_to_object(reference_.c_str());
    return Contract::Everything::_unchecked_narrow(object);
  }

 private:
  const int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string reference_;
};

Numbers up_to(int count) {
  Numbers all;
  for (int i = 0; i < count; ++i) all.push_back(i);
  return all;
}

class DeferredOneways : public testing::TestWithParam<const char*> {
 protected:
  // One thread for each sender; `body` has its number.
  template <typename Body>
  static std::vector<std::thread> threads(int count, Body body) {
    std::vector<std::thread> all;
    for (int i = 0; i < count; ++i) all.emplace_back(body, i);
    return all;
  }
  static void join(std::vector<std::thread>& all) {
    for (std::thread& t : all) t.join();
  }
  Server server;
};
INSTANTIATE_TEST_SUITE_P(Client, DeferredOneways, testing::Values("pool", "reactive"),
                         [](const auto& i) { return std::string(i.param); });

TEST_P(DeferredOneways, ArriveOnceAndInOrderWhileOthersCallAndSetPolicies) {
  constexpr int kEach = 500;
  Client client(GetParam());
  const Contract::Everything_var shared = server.object(client.orb);
  std::atomic<bool> done{false};
  auto others = threads(2, [&](int t) {
    for (CORBA::Long n = t; !done; ++n) EXPECT_EQ(shared->minus(n), n - 1);
  });
  others.emplace_back([&] {
    CallSettings settings;
    settings.put(CallSetting::Roundtrip, std::int64_t{600} * 1'000'000'000);
    while (!done) {
      client.orb->_corbel_core().set_call_overrides(settings);
      std::this_thread::yield();
      client.orb->_corbel_core().set_call_overrides({});
    }
  });
  // These follow some of theirs further, so that there is no order among them.
  auto senders = threads(2 * kSenders, [&](int s) {
    const bool mixed = s >= kSenders;
    for (int i = 0; i < kEach; ++i) {
      if (mixed) corbel::core::thread_call_settings.put(CallSetting::SyncScope, i % 4);
      EXPECT_EQ(raised([&] { shared->note(Recorder::number(s, i)); }), "none");
    }
  });
  join(senders);
  done = true;
  join(others);
  EXPECT_TRUE(comes_true([&] { return server.recorder->total() >= 2 * kSenders * kEach; }));
  for (int s = 0; s < 2 * kSenders; ++s) {
    Numbers arrived = server.recorder->arrived(s);
    if (s >= kSenders) std::sort(arrived.begin(), arrived.end());
    EXPECT_EQ(arrived, up_to(kEach)) << s;
  }
}

TEST_P(DeferredOneways, ArriveWhilePeersThatDoNotReadHaveTheirLimitFilled) {
  constexpr int kDeaf = 6, kEach = 400;
  Client client(GetParam(), {"-ORBmaxUnsentBytes", "20000"});
  std::vector<std::unique_ptr<Deaf>> deaf;
  for (int i = 0; i < kDeaf; ++i) deaf.push_back(std::make_unique<Deaf>());
  auto fillers = threads(2 * kDeaf, [&](int f) {
    const Contract::Everything_var nobody = deaf[static_cast<std::size_t>(f % kDeaf)]->object(client.orb);
    std::string outcome = "none";
    for (int i = 0; i < 1'000'000 && outcome == "none"; ++i) outcome = raised([&] { nobody->note(i); });
    EXPECT_EQ(outcome, kTooMany);
  });
  const Contract::Everything_var shared = server.object(client.orb);
  auto senders = threads(kSenders, [&](int s) {
    for (int i = 0; i < kEach;) {
      const std::string outcome = raised([&] { shared->note(Recorder::number(s, i)); });
      if (outcome == "none") {
        ++i;
      } else {
        ASSERT_EQ(outcome, kTooMany);  // those who read have a limit, too
        std::this_thread::yield();
      }
    }
  });
  join(senders);
  join(fillers);
  EXPECT_TRUE(comes_true([&] { return server.recorder->total() >= kSenders * kEach; }));
  for (int s = 0; s < kSenders; ++s) EXPECT_EQ(server.recorder->arrived(s), up_to(kEach)) << s;
  client.destroy();  // while what the deaf ones do not take waits
}

TEST_P(DeferredOneways, ThatWaitWhenTheirOrbIsDestroyedArriveFirst) {
  constexpr int kRounds = 5, kEach = 20;
  for (int round = 0; round < kRounds; ++round) {
    Client client(GetParam());
    const Contract::Everything_var shared = server.object(client.orb);
    auto senders = threads(kSenders, [&](int s) {
      for (int i = 0; i < kEach; ++i) shared->note(Recorder::number(s, round * kEach + i));
    });
    join(senders);
    client.destroy();
    EXPECT_TRUE(comes_true([&] { return server.recorder->total() >= kSenders * kEach * (round + 1); }));
  }
  for (int s = 0; s < kSenders; ++s) EXPECT_EQ(server.recorder->arrived(s), up_to(kEach * kRounds)) << s;
}

// Senders go on while the ORB ends: what one has sent before that arrives, of the rest the first so many.
TEST_P(DeferredOneways, AreRefusedOnceTheirOrbEndsAndNoneIsDoubled) {
  for (int round = 0; round < 6; ++round) {
    Server fresh("another");
    Client client(GetParam());
    const Contract::Everything_var shared = fresh.object(client.orb);
    std::array<std::atomic<int>, kSenders> sent{};
    auto senders = threads(kSenders, [&](int s) {
      for (int i = 0; i < 0x10000;) {
        const std::string outcome = raised([&] { shared->note(Recorder::number(s, i)); });
        if (outcome == "none") {
          sent[static_cast<std::size_t>(s)] = ++i;
        } else if (outcome == kTooMany) {
          std::this_thread::yield();
        } else {
          EXPECT_TRUE(outcome.starts_with("BAD_INV_ORDER/") || outcome.starts_with("OBJECT_NOT_EXIST/"))
              << outcome;
          break;
        }
      }
    });
    EXPECT_TRUE(comes_true([&] { return fresh.recorder->total() >= kSenders; }));
    std::array<int, kSenders> before{};
    std::copy(sent.begin(), sent.end(), before.begin());
    client.destroy();
    join(senders);
    for (int s = 0; s < kSenders; ++s) {
      const auto i = static_cast<std::size_t>(s);
      EXPECT_TRUE(comes_true(
          [&] { return fresh.recorder->arrived(s).size() >= static_cast<std::size_t>(before[i]); }));
    }
    fresh.destroy();
    for (int s = 0; s < kSenders; ++s) {
      const Numbers arrived = fresh.recorder->arrived(s);
      EXPECT_EQ(arrived, up_to(static_cast<int>(arrived.size()))) << s;
      EXPECT_LE(arrived.size(), static_cast<std::size_t>(sent[static_cast<std::size_t>(s)])) << s;
    }
  }
}

TEST_P(DeferredOneways, AreNeitherDoubledNorMixedUpWhenTheirServerEnds) {
  for (int round = 0; round < 4; ++round) {
    Client client(GetParam());
    Server fresh("another");
    const Contract::Everything_var shared = fresh.object(client.orb);
    auto senders = threads(kSenders, [&](int s) {
      for (int i = 0; i < 0x10000; ++i)
        if (raised([&] { shared->note(Recorder::number(s, i)); }) != "none") break;
    });
    EXPECT_TRUE(comes_true([&] { return fresh.recorder->total() >= kSenders; }));
    fresh.destroy();
    join(senders);
    for (int s = 0; s < kSenders; ++s) {
      const Numbers arrived = fresh.recorder->arrived(s);
      EXPECT_EQ(arrived, up_to(static_cast<int>(arrived.size()))) << s;
    }
  }
}

}  // namespace
