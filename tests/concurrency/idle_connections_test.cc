// Idle connections are closed while many threads call, and nobody notices.
#include <atomic>
#include <thread>

#include "orb/core/idle_connections.h"
#include "orb/core/orb.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;
using corbel::core::CallSetting;
using corbel::core::SyncScope;

// Counts what arrives.
class CountingServant : public EverythingServant {
 public:
  CORBA::Long minus(CORBA::Long n) override { return ++calls, n - 1; }
  std::atomic<int> calls{0};
};

// What calls of this thread have, as long as it lives.
void follow_oneways(SyncScope scope) {
  corbel::core::thread_call_settings.put(CallSetting::SyncScope, static_cast<std::int64_t>(scope));
}

const std::vector<std::string> kQuickly{"-ORBscanGranularity", "1"};

class IdleConnections : public testing::TestWithParam<const char*> {
 protected:
  IdleConnections() {
    std::vector<std::string> options{"-ORBserverModel", GetParam(), "-ORBinConScanPeriod", "1"};
    options.insert(options.end(), kQuickly.begin(), kQuickly.end());
    server_ = make_orb("server", on_loopback(std::move(options)));
    PortableServer::POA_var poa = TwoOrbs::activate(server_);
    PortableServer::ObjectId_var id = poa->activate_object(servant_);
    CORBA::Object_var object = poa->id_to_reference(id);
    ior_ = take(server_->object_to_string(object));
    if (*GetParam() == 'r') loop_ = std::thread([this] { raised([&] { server_->run(); }); });
  }
  ~IdleConnections() override {
    raised([&] { server_->shutdown(false); });
    if (loop_.joinable()) loop_.join();
    server_->destroy();
  }
  CORBA::ORB_var client(const std::string& name, std::vector<std::string> options) {
    options.insert(options.end(), kQuickly.begin(), kQuickly.end());
    return make_orb(name.c_str(), options);
  }
  Contract::Everything_var object(CORBA::ORB_ptr client) const {
    CORBA::Object_var object = client->string_to_object(ior_.c_str());
    return Contract::Everything::_unchecked_narrow(object);
  }
  static int descriptors() { return count_entries("/proc/self/fd"); }

  CORBA::ORB_var server_;
  PortableServer::Servant_var<CountingServant> servant_ = new CountingServant;
  std::string ior_;
  std::thread loop_;
};
INSTANTIATE_TEST_SUITE_P(Model, IdleConnections, testing::Values("pool", "connection", "reactive"),
                         [](const auto& i) { return std::string(i.param); });

// Pauses around the time at which either end closes, by several clients, some of which leave that to the
// server.
TEST_P(IdleConnections, AreClosedByEitherEndAndOpenedAgainAndEachCallIsMadeOnce) {
  constexpr int kClients = 10, kThreads = 3, kRounds = 3, kCalls = 4;
  std::vector<CORBA::ORB_var> orbs;
  for (int c = 0; c < kClients; ++c)
    orbs.push_back(client("client-" + std::to_string(c), {"-ORBoutConScanPeriod", c % 3 == 0 ? "0" : "1"}));
  const int before = descriptors();
  std::vector<std::thread> threads;
  for (int c = 0; c < kClients; ++c) {
    const Contract::Everything_var shared = object(orbs[static_cast<std::size_t>(c)]);
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([=] {
        follow_oneways(SyncScope::Server);
        for (int round = 0; round < kRounds; ++round) {
          for (int i = 0; i < kCalls; ++i) {
            EXPECT_EQ(shared->minus(i), i - 1);
            EXPECT_EQ(raised([&] { shared->note(1); }), "none");
          }
          std::this_thread::sleep_for(std::chrono::milliseconds(980 + 5 * c));
        }
      });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(servant_->calls, kClients * kThreads * kRounds * kCalls);
  EXPECT_TRUE(comes_true([&] { return servant_->noted() == servant_->calls; }));
  // A reference keeps its client's end until its next call.
  EXPECT_TRUE(comes_true([&] { return descriptors() <= before + kClients; })) << "some are open";
  for (const CORBA::ORB_var& orb : orbs) {
    EXPECT_EQ(object(orb)->minus(5), 4);
    orb->destroy();
  }
}

// At that pace one call may find three fresh connections closed, and is refused before it is made.
template <typename Function>
std::string raised_but_refused(Function call) {
  std::string outcome;
  do outcome = raised(call);
  while (outcome == "TRANSIENT/4f4d0002/NO");
  return outcome;
}

// The client looks all the time.
TEST_P(IdleConnections, AreClosedBetweenCallsAndNothingIsLost) {
  constexpr int kThreads = 6, kEach = 150;
  const CORBA::ORB_var orb = client("client", {});
  const Contract::Everything_var shared = object(orb);
  const int before = descriptors();
  {
    corbel::core::IdleThread closer(orb->_corbel_core(), 1'000'000);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([=] {
        follow_oneways(SyncScope::None);
        for (int i = 0; i < kEach; ++i) {
          const std::string outcome = raised_but_refused([&] {
            if (t % 2 == 0) EXPECT_EQ(shared->minus(i), i - 1);
            else shared->note(1);
          });
          EXPECT_EQ(outcome, "none");
          std::this_thread::sleep_for(std::chrono::milliseconds(i % 6));
        }
      });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(servant_->calls, kThreads / 2 * kEach);
    EXPECT_TRUE(comes_true([&] { return servant_->noted() >= kThreads / 2 * kEach; }));
    EXPECT_TRUE(comes_true([&] { return descriptors() <= before + 1; })) << "it is open";
  }
  EXPECT_EQ(servant_->noted(), kThreads / 2 * kEach);
  orb->destroy();
}

TEST_P(IdleConnections, AreClosedWhileTheirOrbEnds) {
  for (int round = 0; round < 20; ++round) {
    const CORBA::ORB_var orb = client("client", {"-ORBoutConScanPeriod", "1"});
    const Contract::Everything_var shared = object(orb);
    corbel::core::IdleThread closer(orb->_corbel_core(), 1'000'000);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        std::string outcome;
        do {
          outcome = raised_but_refused([&] { EXPECT_EQ(shared->minus(5), 4); });
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        } while (outcome == "none");
        outcome = outcome.substr(0, outcome.find('/'));
        EXPECT_TRUE(outcome == "BAD_INV_ORDER" || outcome == "OBJECT_NOT_EXIST" || outcome == "COMM_FAILURE")
            << outcome;
      });
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    orb->destroy();
    for (std::thread& t : threads) t.join();
  }
}

}  // namespace
