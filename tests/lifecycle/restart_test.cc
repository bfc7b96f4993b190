// Servers that die under their clients, and come back.
#include <unistd.h>

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

#include "orb/ior/ior.h"
#include "tests/lifecycle/child.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

// An address that only this process uses, so that a server's port stays free until it comes back.
std::string own_host() {
  const auto pid = static_cast<unsigned>(getpid());
  return "127.78." + std::to_string(pid >> 8 & 255) + "." + std::to_string(pid % 255 + 1);
}

class Restart : public testing::TestWithParam<const char*> {
 protected:
  Restart() : client(make_orb("restart-client", {"-ORBmaxGIOPVersion", GetParam()})) { start("0"); }
  ~Restart() override { client->destroy(); }
  void start(const std::string& port, const std::string& server_id = "restart-test") {
    server = nullptr;
    server = std::make_unique<Child>(
        LIFECYCLE_SERVER, std::vector<std::string>{"-ORBendPoint", "giop:tcp:" + own_host() + ":" + port,
                                                   "-ORBserverId", server_id});
    passing = import(server->line());
    lasting = import(server->line());
  }
  Contract::Everything_ptr import(const std::string& ior) {
    if (ior.empty()) throw std::runtime_error("the server did not start");
    corbel::ior::Ior parsed;
    EXPECT_FALSE(corbel::ior::parse_ior(ior, parsed));
    port = std::to_string(corbel::ior::decode_iiop(parsed.profiles.at(0))->address.port);
    CORBA::Object_var object = client->string_to_object(ior.c_str());
    return Contract::Everything::_unchecked_narrow(object);
  }
  // Calls that the server has begun and will never answer.
  std::vector<std::future<std::string>> wait_in_calls(int count) {
    std::vector<std::future<std::string>> calls;
    for (int i = 0; i < count; ++i) {
      calls.push_back(std::async(std::launch::async, [target = Contract::Everything::_duplicate(passing)] {
        Contract::Everything_var it = target;
        return raised([&] { it->minus(0); });
      }));
    }
    for (int i = 0; i < count; ++i) EXPECT_EQ(server->line(), "waiting");
    return calls;
  }

  CORBA::ORB_var client;
  std::unique_ptr<Child> server;
  Contract::Everything_var passing, lasting;
  std::string port;
};
INSTANTIATE_TEST_SUITE_P(Giop, Restart, testing::Values("1.0", "1.1", "1.2"),
                         [](const auto& i) { return std::string("v1_") + i.param[2]; });

TEST_P(Restart, EveryThreadThatWaitsIsToldAtOnceThatItsServerDied) {
  auto calls = wait_in_calls(6);
  const auto begin = std::chrono::steady_clock::now();
  server->kill();
  for (auto& call : calls) {
    ASSERT_EQ(call.wait_for(kPatience), std::future_status::ready);
    EXPECT_EQ(call.get(), "COMM_FAILURE/43420002/MAYBE");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  // Nothing of a later call left.
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(raised([&] { passing->ping(); }), "TRANSIENT/4f4d0002/NO");
    EXPECT_EQ(raised([&] { lasting->note(1); }), "TRANSIENT/4f4d0002/NO");
  }
}

TEST_P(Restart, PersistentReferencesWorkAgainAndTransientOnesAreRefused) {
  EXPECT_EQ(passing->minus(3), 2);
  EXPECT_EQ(lasting->minus(3), 2);
  Contract::Everything_var old_passing = passing, old_lasting = lasting;
  for (int round = 0; round < 2; ++round) {
    server->kill();
    // The first call finds out that the connection has ended, perhaps after it left.
    const std::string first = raised_name([&] { old_lasting->ping(); });
    EXPECT_TRUE(first == "COMM_FAILURE" || first == "TRANSIENT") << first;
    EXPECT_EQ(raised([&] { old_lasting->ping(); }), "TRANSIENT/4f4d0002/NO");
    start(port);
    EXPECT_EQ(old_lasting->minus(3), 2);
    EXPECT_TRUE(old_lasting->_is_equivalent(lasting));
    EXPECT_EQ(raised([&] { old_passing->ping(); }), "OBJECT_NOT_EXIST/4f4d0002/NO");
    EXPECT_TRUE(old_passing->_non_existent());
    EXPECT_FALSE(old_passing->_is_equivalent(passing));
    EXPECT_EQ(passing->minus(3), 2);
  }
}

// The client does not know yet that its connection ended: the call finds out and goes to the new server.
TEST_P(Restart, ACallOnAConnectionThatEndedMeanwhileIsSentToTheNewServer) {
  Contract::Everything_var old_lasting = lasting;
  EXPECT_EQ(old_lasting->minus(3), 2);
  server->kill();
  start(port);
  int answered = 0;
  for (int i = 0; i < 5 && answered == 0; ++i) {
    const std::string text = raised([&] { old_lasting->minus(3); });
    if (text == "none") ++answered;
    else EXPECT_EQ(text, "COMM_FAILURE/43420002/MAYBE");  // it may have left before the end was seen
  }
  EXPECT_EQ(answered, 1);
}

TEST_P(Restart, AnotherServerAtTheSamePortDoesNotTakeItsPredecessorsPlace) {
  Contract::Everything_var old_lasting = lasting;
  server->kill();
  start(port, "another");
  EXPECT_EQ(raised([&] { old_lasting->ping(); }), "OBJECT_NOT_EXIST/4f4d0002/NO");
  EXPECT_EQ(lasting->minus(3), 2);
}

TEST_P(Restart, AServerThatEndsInGoodOrderSaysGoodbyeAndComesBack) {
  Contract::Everything_var old_lasting = lasting;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(old_lasting->minus(3), 2);
    EXPECT_EQ(server->stop(), 0);
    start(port);
    // CloseConnection says that nothing is lost, so the next call goes to the new server.
    EXPECT_EQ(old_lasting->minus(3), 2);
  }
}

TEST_P(Restart, ClientsThatCallAllTheTimeLoseNothingWhenItEndsInGoodOrder) {
  std::atomic<bool> stop{false};
  std::vector<std::future<std::string>> callers;
  std::atomic<int> answered{0};
  for (int t = 0; t < 4; ++t) {
    callers.push_back(std::async(std::launch::async, [&, target = Contract::Everything::_duplicate(lasting)] {
      Contract::Everything_var it = target;
      while (!stop) {
        const std::string text = raised([&] { it->minus(2); });
        if (text == "none") ++answered;
        else if (text.substr(0, 9) != "TRANSIENT" || text.substr(text.size() - 3) != "/NO") return text;
      }
      return std::string("none");
    }));
  }
  for (int i = 0; i < 3; ++i) {
    const int before = answered;
    for (int w = 0; w < 2000 && answered < before + 50; ++w)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_GE(answered, before + 50);
    EXPECT_EQ(server->stop(), 0);
    start(port);
  }
  stop = true;
  for (auto& caller : callers) EXPECT_EQ(caller.get(), "none");
}

// Whatever is on its way when the server dies ends with one of two exceptions, and soon.
TEST_P(Restart, CallsOfEverySizeEndWhenTheirServerDies) {
  for (int round = 0; round < 3; ++round) {
    std::atomic<bool> stop{false};
    std::atomic<int> calls{0};
    std::vector<std::future<void>> callers;
    for (const CORBA::ULong size : {0u, 0u, 10'000u, 300'000u, 3'000'000u}) {
      callers.push_back(
          std::async(std::launch::async, [&, size, target = Contract::Everything::_duplicate(lasting)] {
            Contract::Everything_var it = target;
            for (; !stop; ++calls) {
              const std::string name = raised_name([&] {
                Contract::Octets in, inout;
                Contract::Octets_var out;
                in.length(size);
                Contract::Octets_var back = it->give_octets(in, inout, out.out());
                EXPECT_EQ(back->length(), size);
                it->note(1);
              });
              EXPECT_TRUE(name == "none" || name == "COMM_FAILURE" || name == "TRANSIENT") << name;
            }
          }));
    }
    for (int w = 0; w < 4000 && calls < 50; ++w) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_GE(calls, 50);
    server->kill();
    const int then = calls;
    for (int w = 0; w < 4000 && calls < then + 50; ++w)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_GE(calls, then + 50);
    stop = true;
    for (auto& caller : callers) EXPECT_EQ(caller.wait_for(kPatience), std::future_status::ready);
    start(port);
  }
}

}  // namespace
