// ORBs of the reactive model: inside of somebody else's loop, and when both ends write more than the
// connection holds.
#include <corbel/event_source.h>
#include <fcntl.h>
#include <poll.h>

#include <atomic>
#include <future>
#include <thread>

#include "tests/lifecycle/bare.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

bool readable(const corbel::EventSource& source, int milliseconds) {
  pollfd p{source.descriptor(), POLLIN, 0};
  return poll(&p, 1, milliseconds) == 1;
}

// A loop that is not the ORB's: nothing but poll() and perform().
class ForeignLoop : public testing::Test {
 protected:
  explicit ForeignLoop(const char* message_timeout = "30000")
      : pair({"-ORBserverModel", "reactive", "-ORBmessageTimeout", message_timeout}) {}
  // Until `done` holds.
  template <typename Done>
  bool run_until(Done done) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!done()) {
      if (std::chrono::steady_clock::now() > end) return false;
      if (readable(source, 50)) source.perform();
    }
    return true;
  }
  template <typename Function>
  std::string served(Function function) {
    auto result = std::async(std::launch::async, [&] { return raised(function); });
    EXPECT_TRUE(
        run_until([&] { return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }));
    return result.get();
  }
  Pair pair;
  corbel::EventSource source{pair.server};
};

class ImpatientLoop : public ForeignLoop {
 protected:
  ImpatientLoop() : ForeignLoop("100") {}
};

TEST_F(ForeignLoop, HasNothingToDoUntilSomebodyCalls) {
  while (readable(source, 0)) source.perform();
  EXPECT_FALSE(readable(source, 50));
  EXPECT_EQ(served([&] { EXPECT_EQ(pair.remote->minus(3), 2); }), "none");
  while (readable(source, 0)) source.perform();
  EXPECT_FALSE(readable(source, 50));
}

TEST_F(ForeignLoop, HasNothingToDoAfterShutdown) {
  EXPECT_EQ(served([&] { EXPECT_EQ(pair.remote->minus(3), 2); }), "none");
  pair.server->shutdown(false);
  EXPECT_FALSE(source.perform());
  pair.client->destroy();  // its end of the connection
  EXPECT_FALSE(readable(source, 50));
  pair.client = make_orb("pair-client");
}

TEST_F(ForeignLoop, StaysReadableUntilItsWorkIsDone) {
  auto call =
      std::async(std::launch::async, [&] { return raised([&] { EXPECT_EQ(pair.remote->minus(3), 2); }); });
  ASSERT_TRUE(readable(source, 20'000));
  EXPECT_TRUE(readable(source, 0));
  EXPECT_EQ(call.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  EXPECT_TRUE(run_until([&] { return call.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }));
  EXPECT_EQ(call.get(), "none");
}

// The thread that waits runs the ORB's loop meanwhile, and may take the event that was meant for this one.
TEST_F(ForeignLoop, IsToldOfUpcallsOfTheMainThreadThatAnotherThreadHasRead) {
  CORBA::ORB_var far = make_orb("far", on_loopback());
  PortableServer::POA_var far_poa = TwoOrbs::activate(far);
  PortableServer::Servant_var<ScriptedServant> far_servant = new ScriptedServant;
  PortableServer::ObjectId_var far_id = far_poa->activate_object(far_servant);
  CORBA::Object_var object = far_poa->id_to_reference(far_id);
  object = pair.server->string_to_object(take(far->object_to_string(object)).c_str());
  Contract::Everything_var far_object = Contract::Everything::_unchecked_narrow(object);
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = pair.poa->create_thread_policy(PortableServer::MAIN_THREAD_MODEL);
  PortableServer::POAManager_var manager = pair.poa->the_POAManager();
  PortableServer::POA_var poa = pair.poa->create_POA("main thread", manager, policies);
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  object = poa->id_to_reference(id);
  object = pair.client->string_to_object(take(pair.server->object_to_string(object)).c_str());
  Contract::Everything_var remote = Contract::Everything::_unchecked_narrow(object);
  Gate gate;
  far_servant->script = [&] { gate.wait(); };
  std::thread waiting([&] { EXPECT_EQ(raised([&] { far_object->minus(1); }), "none"); });
  EXPECT_TRUE(gate.wait_until_inside(1));
  for (int i = 0; i < 20 && !HasFailure(); ++i) {
    auto call =
        std::async(std::launch::async, [&] { return raised([&] { EXPECT_EQ(remote->minus(3), 2); }); });
    const auto done = [&] { return call.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
    EXPECT_TRUE(run_until(done));
    while (!done()) source.perform();
    EXPECT_EQ(call.get(), "none");
  }
  gate.open();
  waiting.join();
  far->destroy();
}

TEST_F(ForeignLoop, ServesCallbacksOfAnUpcallThatWaits) {
  PortableServer::POA_var client_poa = TwoOrbs::activate(pair.client);
  PortableServer::Servant_var<CallbackServant> callback = new CallbackServant;
  PortableServer::ObjectId_var id = client_poa->activate_object(callback);
  CORBA::Object_var object = client_poa->id_to_reference(id.in());
  Contract::Callback_var reference = Contract::Callback::_narrow(object);
  EXPECT_EQ(served([&] { EXPECT_EQ(pair.remote->call_back(reference, 4), 9); }), "none");
}

TEST_F(ForeignLoop, SaysThatThereIsMoreThanItWasAskedToDo) {
  std::vector<std::future<std::string>> calls;
  std::vector<CORBA::ORB_var> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(make_orb(("several-" + std::to_string(i)).c_str()));
    calls.push_back(std::async(std::launch::async, [&, orb = clients.back().in()] {
      return raised([&] {
        CORBA::Object_var object = orb->string_to_object(pair.ior.c_str());
        Contract::Everything_var it = Contract::Everything::_unchecked_narrow(object);
        EXPECT_EQ(it->minus(3), 2);
      });
    }));
  }
  ASSERT_TRUE(readable(source, 20'000));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_TRUE(source.perform(1));
  for (auto& call : calls) {
    EXPECT_TRUE(
        run_until([&] { return call.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }));
    EXPECT_EQ(call.get(), "none");
  }
  for (auto& orb : clients) orb->destroy();
}

// The server gives up a message that never becomes whole: nothing arrives that would tell the loop.
TEST_F(ImpatientLoop, BecomesReadableWhenTimeIsOver) {
  Bare half(pair);
  half.send("GIOP\1");
  EXPECT_TRUE(run_until([&] { return !half.open(); }));
  EXPECT_EQ(half.rest(), "");
}

TEST(EventSource, RefusesAnOrbWithThreads) {
  Pair pair;
  EXPECT_EQ(raised_name([&] { corbel::EventSource source(pair.server); }), "BAD_INV_ORDER");
  EXPECT_EQ(raised_name([&] { corbel::EventSource source(CORBA::ORB::_nil()); }), "BAD_PARAM");
}

TEST(EventSource, HasNothingToDoAfterTheShutdown) {
  Pair pair({"-ORBserverModel", "reactive"});
  corbel::EventSource source(pair.server);
  pair.server->shutdown(false);
  EXPECT_FALSE(source.perform());
  EXPECT_EQ(raised_name([&] { corbel::EventSource late(pair.server); }), "BAD_INV_ORDER");
}

// Two servers, one thread each, and each sends the other more than the connections hold: neither could read
// the other's request before its own is written, and so both would wait until the time for writing is over.
TEST(Reactive, ServersMayWriteLargeRequestsToEachOther) {
  const std::vector<std::string> options{"-ORBserverModel", "reactive"};
  Pair one(options);
  CORBA::ORB_var other = make_orb("other", on_loopback(options));
  PortableServer::POA_var poa = TwoOrbs::activate(other);
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var object = poa->id_to_reference(id.in());
  const std::string other_ior = take(other->object_to_string(object));
  std::atomic<int> ready{0}, ended{0};
  const auto exchange = [&](CORBA::ORB_ptr from, const std::string& to, CORBA::Octet mark) {
    return raised([&] {
      CORBA::Object_var target = from->string_to_object(to.c_str());
      Contract::Everything_var it = Contract::Everything::_unchecked_narrow(target);
      Contract::Octets a, b;
      Contract::Octets_var c;
      a.length(24 * 1024 * 1024);
      std::memset(a.get_buffer(), mark, a.length());
      ++ready;
      while (ready < 2) std::this_thread::yield();
      for (int i = 0; i < 3; ++i) {
        Contract::Octets_var back = it->give_octets(a, b, c.out());
        EXPECT_EQ(back->length(), a.length());
        EXPECT_EQ(back[a.length() - 1], mark);
      }
      ++ended;
      while (ended < 2) from->perform_work();  // the other may not have ended yet
    });
  };
  auto first = std::async(std::launch::async, exchange, one.server.in(), other_ior, 1);
  auto second = std::async(std::launch::async, exchange, other.in(), one.ior, 2);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(first.get(), "none");
  EXPECT_EQ(second.get(), "none");
  RecordProperty("milliseconds", static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                                      std::chrono::steady_clock::now() - start)
                                                      .count()));
  other->destroy();
}

}  // namespace
