// What threads may do to references, adapters and ORBs while calls run.
#include <atomic>
#include <future>
#include <memory>
#include <thread>

#include <corbel/transport/transport.h>

#include "orb/ior/ior.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

// Threads that run a function again and again until they are joined.
class Busy {
 public:
  ~Busy() { join(); }
  template <typename Function>
  void add(int count, Function function) {
    for (int i = 0; i < count; ++i)
      threads_.emplace_back([this, function] {
        while (!stop_) {
          function();
          ++rounds;
        }
      });
  }
  // Until all together have done so many rounds.
  void run(int count) {
    for (int i = 0; i < 20'000 && rounds < count; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_GE(rounds, count);
  }
  void join() {
    stop_ = true;
    for (std::thread& t : threads_) t.join();
    threads_.clear();
  }
  std::atomic<int> rounds{0};

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

// An exception that the end of an object or an ORB may lead to; anything else fails the test.
template <typename Function>
void expect_raises_only(std::initializer_list<const char*> allowed, Function function) {
  const std::string text = raised(function), name = text.substr(0, text.find('/'));
  bool right = name == "none";
  for (const char* a : allowed) right = right || name == a;
  EXPECT_TRUE(right) << text;
}

class InEveryModel : public testing::TestWithParam<const char*> {
 protected:
  InEveryModel() {
    if (*GetParam() == 'r')
      for (int i = 0; i < 2; ++i)
        loops_.emplace_back([&, orb = CORBA::ORB::_duplicate(pair->server)] {
          CORBA::ORB_var owner = orb;
          expect_raises_only({"BAD_INV_ORDER", "OBJECT_NOT_EXIST"}, [&] { owner->run(); });
        });
  }
  ~InEveryModel() override {
    if (pair) expect_raises_only({"OBJECT_NOT_EXIST"}, [&] { pair->server->shutdown(false); });
    for (std::thread& t : loops_) t.join();
  }
  std::unique_ptr<Pair> pair =
      std::make_unique<Pair>(std::vector<std::string>{"-ORBserverModel", GetParam()});

 private:
  std::vector<std::thread> loops_;
};
INSTANTIATE_TEST_SUITE_P(Model, InEveryModel, testing::Values("pool", "connection", "reactive"),
                         [](const auto& i) { return std::string(i.param); });

TEST_P(InEveryModel, ReferencesComeAndGoWhileTheyAreCalled) {
  Busy busy;
  busy.add(2, [&] {
    CORBA::Object_var object = pair->client->string_to_object(pair->ior.c_str());
    Contract::Everything_var mine = Contract::Everything::_narrow(object);
    object = CORBA::Object::_nil();
    EXPECT_EQ(mine->minus(2), 1);
  });
  busy.add(2, [&] {
    Contract::Everything_var copy = Contract::Everything::_duplicate(pair->remote);
    EXPECT_EQ(copy->minus(3), 2);
    EXPECT_TRUE(copy->_is_a("IDL:Contract/Base:1.0"));
    EXPECT_EQ(copy->_hash(1000), pair->remote->_hash(1000));
  });
  busy.run(400);
}

TEST_P(InEveryModel, ReferencesInArgumentsAreReleasedWhileTheirTargetsAreCalled) {
  PortableServer::Servant_var<CallbackServant> servant = new CallbackServant;
  PortableServer::ObjectId_var id = pair->poa->activate_object(servant);
  CORBA::Object_var local = pair->poa->id_to_reference(id);
  const std::string text = take(pair->server->object_to_string(local));
  CORBA::Object_var object = pair->client->string_to_object(text.c_str());
  Contract::Callback_var callback = Contract::Callback::_narrow(object);
  Busy busy;
  busy.add(3, [&] {
    Contract::Callbacks several;
    several.length(3);
    for (CORBA::ULong i = 0; i < 3; ++i) several[i] = Contract::Callback::_duplicate(callback);
    Contract::Callbacks_var back = pair->remote->give_callbacks(several);
    EXPECT_EQ(back[2u]->twice(4), 8);
    EXPECT_EQ(pair->remote->call_back(callback, 4), 9);
  });
  busy.run(200);
}

TEST_P(InEveryModel, ObjectsComeAndGoWhileTheyAreCalled) {
  Busy busy;
  busy.add(1, [&] {
    pair->poa->deactivate_object(pair->id);
    expect_raises_only({"ServantAlreadyActive"},
                       [&] { pair->poa->activate_object_with_id(pair->id, pair->servant); });
  });
  std::atomic<int> answered{0}, refused{0};
  busy.add(3, [&] {
    const std::string text = raised([&] { EXPECT_EQ(pair->remote->minus(3), 2); });
    if (text == "none") ++answered;
    else if (text == "OBJECT_NOT_EXIST/4f4d0002/NO") ++refused;
    else ADD_FAILURE() << text;
  });
  busy.add(1, [&] { expect_raises_only({"OBJECT_NOT_EXIST"}, [&] { pair->local->minus(3); }); });
  for (int more = 1000; more < 1'000'000 && (answered < 50 || refused < 50); more += 1000) busy.run(more);
  busy.join();
  EXPECT_GE(answered, 50);
  EXPECT_GE(refused, 50);
}

TEST_P(InEveryModel, AdaptersAreMadeAndDestroyedWhileTheirObjectsAreCalled) {
  PortableServer::POAManager_var manager = pair->poa->the_POAManager();
  const auto make = [&] {
    CORBA::PolicyList policies;
    policies.length(2);
    policies[0] = pair->poa->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[1] = pair->poa->create_id_assignment_policy(PortableServer::USER_ID);
    PortableServer::POA_var poa = pair->poa->create_POA("short-lived", manager, policies);
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("x");
    poa->activate_object_with_id(id, pair->servant);
    return poa._retn();
  };
  PortableServer::POA_var poa = make();
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("x");
  CORBA::Object_var local = poa->id_to_reference(id);
  const std::string text = take(pair->server->object_to_string(local));
  CORBA::Object_var object = pair->client->string_to_object(text.c_str());
  Contract::Everything_var it = Contract::Everything::_unchecked_narrow(object);
  Busy busy;
  busy.add(1, [&] {
    poa->destroy(false, true);
    poa = make();
  });
  busy.add(3, [&] { expect_raises_only({"OBJECT_NOT_EXIST", "TRANSIENT"}, [&] { it->minus(3); }); });
  busy.run(1000);
}

TEST_P(InEveryModel, ManagersChangeTheirMindsWhileTheirObjectsAreCalled) {
  PortableServer::POAManager_var manager = pair->poa->the_POAManager();
  Busy busy;
  busy.add(1, [&] {
    manager->hold_requests(false);
    manager->activate();
    manager->discard_requests(false);
    manager->activate();
  });
  busy.add(3, [&] { expect_raises_only({"TRANSIENT"}, [&] { EXPECT_EQ(pair->remote->minus(3), 2); }); });
  busy.run(2000);
  busy.join();
  EXPECT_EQ(pair->remote->minus(3), 2);
}

TEST_P(InEveryModel, TheServerShutsDownWhileItIsCalled) {
  Busy busy;
  busy.add(3, [&] { expect_raises_only({"TRANSIENT"}, [&] { EXPECT_EQ(pair->remote->minus(3), 2); }); });
  busy.add(1, [&] { expect_raises_only({"BAD_INV_ORDER", "TRANSIENT"}, [&] { pair->local->minus(3); }); });
  busy.run(200);
  pair->server->shutdown(true);
}

// Large and small, one-way, refused and nested calls, in the middle of which the server ends.
TEST_P(InEveryModel, TheServerShutsDownInTheMiddleOfEverything) {
  PortableServer::POA_var client_poa = TwoOrbs::activate(pair->client);
  PortableServer::Servant_var<CallbackServant> servant = new CallbackServant;
  PortableServer::ObjectId_var id = client_poa->activate_object(servant);
  CORBA::Object_var object = client_poa->id_to_reference(id);
  Contract::Callback_var callback = Contract::Callback::_narrow(object);
  const auto guarded = [](auto function) {
    return [function] { expect_raises_only({"TRANSIENT", "Refused"}, function); };
  };
  Busy busy;
  busy.add(1, guarded([&] {
             Contract::Octets a, b;
             Contract::Octets_var c;
             a.length(300'000);
             Contract::Octets_var back = pair->remote->give_octets(a, b, c.out());
             EXPECT_EQ(back->length(), 300'000u);
           }));
  busy.add(2, [&] {  // the upcall itself finds that its ORB ends
    expect_raises_only({"TRANSIENT", "BAD_INV_ORDER"},
                       [&] { EXPECT_EQ(pair->remote->call_back(callback, 4), 9); });
  });
  busy.add(1, guarded([&] { pair->remote->note(1); }));
  busy.add(1, guarded([&] { pair->remote->refuse(3); }));
  busy.add(1, guarded([&] { EXPECT_EQ(pair->remote->minus(3), 2); }));
  busy.run(300);
  pair->server->shutdown(true);
  busy.run(busy.rounds + 100);
}

TEST_P(InEveryModel, SeveralThreadsMayShutItDownAtOnce) {
  Busy busy;
  busy.add(2, [&] { expect_raises_only({"TRANSIENT"}, [&] { pair->remote->minus(3); }); });
  busy.run(50);
  std::vector<std::future<void>> ends;
  for (int i = 0; i < 4; ++i)
    ends.push_back(std::async(std::launch::async, [&, i] {
      expect_raises_only({"OBJECT_NOT_EXIST"}, [&] {
        if (i % 2 != 0) pair->server->destroy();
        else pair->server->shutdown(true);
      });
    }));
  for (auto& end : ends) EXPECT_EQ(end.wait_for(kPatience), std::future_status::ready);
  busy.join();
  EXPECT_EQ(raised_name([&] { pair->server->run(); }), "OBJECT_NOT_EXIST");
  pair->server = make_orb("pair-server");
}

TEST(Threads, AnOrbIsDestroyedWhileItsThreadsCall) {
  for (int round = 0; round < 5; ++round) {
    Pair pair;
    Busy busy;
    busy.add(3, [&] {
      expect_raises_only({"BAD_INV_ORDER", "OBJECT_NOT_EXIST", "COMM_FAILURE", "TRANSIENT"},
                         [&] { EXPECT_EQ(pair.remote->minus(3), 2); });
    });
    busy.run(50);
    pair.client->destroy();
    const int then = busy.rounds;
    busy.run(then + 50);
    busy.join();
    EXPECT_EQ(raised_name([&] { pair.remote->ping(); }), "OBJECT_NOT_EXIST");
    pair.client = make_orb("pair-client");
  }
}

// Connects as long as the present test wants it to.
Gate* connecting = nullptr;

class SlowTransport final : public corbel::transport::Transport {
 public:
  const char* name() const override { return "slow"; }
  std::unique_ptr<corbel::transport::Acceptor> listen(const std::string&, std::string&) override {
    return nullptr;
  }
  corbel::transport::ConnectResult connect(const std::string&, corbel::transport::Deadline) override {
    connecting->wait();
    return {};
  }
};

const corbel::transport::TransportKind kSlow{
    "slow", nullptr,
    [](const corbel::transport::TransportSettings&, std::string&)
        -> std::unique_ptr<corbel::transport::Transport> { return std::make_unique<SlowTransport>(); }};

TEST(Threads, WhoeverDestroysAnOrbTooReturnsWhenItIsDestroyed) {
  Gate gate;
  connecting = &gate;
  corbel::transport::register_transport(kSlow);
  CORBA::ORB_var orb = make_orb("slow", {"-ORBtransports", "slow"});
  corbel::ior::IiopProfile profile;
  profile.minor = 2;
  profile.components = {corbel::ior::encode_endpoint("slow", "it")};
  corbel::ior::Ior ior;
  ior.profiles = {corbel::ior::encode_iiop(profile)};
  CORBA::Object_var object = orb->string_to_object(corbel::ior::to_string(ior).c_str());
  const auto in_thread = [](auto function) {
    return std::async(std::launch::async, [=] { return raised_name(function); });
  };
  auto call = in_thread([&] { (void)object->_non_existent(); });
  ASSERT_TRUE(gate.wait_until_inside(1));
  auto first = in_thread([&] { orb->destroy(); });  // waits for the connection
  EXPECT_TRUE(comes_true([&] { return raised_name([&] { take(orb->id()); }) == "OBJECT_NOT_EXIST"; }));
  auto second = in_thread([&] { orb->destroy(); });
  EXPECT_EQ(second.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  EXPECT_EQ(first.wait_for(std::chrono::milliseconds(0)), std::future_status::timeout);
  gate.open();
  EXPECT_EQ(first.get(), "none");
  EXPECT_EQ(second.get(), "none");
  EXPECT_NE(call.get(), "none");
  EXPECT_EQ(raised_name([&] { orb->destroy(); }), "OBJECT_NOT_EXIST");
}

TEST(Threads, ACallThatWaitsEndsWhenItsOwnOrbIsDestroyed) {
  Pair pair;
  Gate gate;
  pair.servant->script = [&] { gate.wait(); };
  auto call = std::async(std::launch::async, [&] { return raised_name([&] { pair.remote->minus(1); }); });
  ASSERT_TRUE(gate.wait_until_inside(1));
  pair.client->destroy();
  ASSERT_EQ(call.wait_for(kPatience), std::future_status::ready);
  const std::string name = call.get();
  EXPECT_TRUE(name == "COMM_FAILURE" || name == "OBJECT_NOT_EXIST" || name == "BAD_INV_ORDER") << name;
  gate.open();
  pair.client = make_orb("pair-client");
}

// A one-way that found no room for long has given its connection up. Whoever waits there is not forgotten.
TEST(Threads, ACallThatWaitsOnAConnectionThatOthersHaveGivenUpEndsWithItsOrb) {
  CORBA::ORB_var server =
      make_orb("inattentive", {"-ORBserverModel", "reactive", "-ORBendPoint", "giop:unix:"});
  CORBA::ORB_var client = make_orb("given-up", {"-ORBtransports", "unix", "-ORBwriteTimeout", "100"});
  PortableServer::POA_var poa = TwoOrbs::activate(server);
  Gate gate;
  PortableServer::Servant_var<ScriptedServant> servant = new ScriptedServant;
  servant->script = [&] { gate.wait(); };
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var local = poa->id_to_reference(id);
  CORBA::Object_var object = client->string_to_object(take(server->object_to_string(local)).c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  std::thread loop([&] { server->run(); });
  auto call = std::async(std::launch::async, [&] { return raised_name([&] { everything->minus(1); }); });
  ASSERT_TRUE(gate.wait_until_inside(1));  // nothing is read from here on
  std::chrono::steady_clock::duration took{};
  for (int i = 0; i < 1'000'000 && took < std::chrono::milliseconds(100); ++i) {
    const auto begun = std::chrono::steady_clock::now();
    everything->note(1);
    took = std::chrono::steady_clock::now() - begun;
  }
  EXPECT_GE(took, std::chrono::milliseconds(100));
  client->destroy();
  EXPECT_EQ(call.wait_for(kPatience), std::future_status::ready);
  gate.open();
  const std::string name = call.get();
  EXPECT_TRUE(name == "COMM_FAILURE" || name == "OBJECT_NOT_EXIST" || name == "BAD_INV_ORDER") << name;
  server->shutdown(true);
  loop.join();
  server->destroy();
}

// Keeps whom it is told to call back.
class KeepingServant : public EverythingServant {
 public:
  CORBA::Long call_back(Contract::Callback_ptr target, CORBA::Long n) override {
    kept = Contract::Callback::_duplicate(target);
    return n;
  }
  Contract::Callback_var kept;
};

class WaitingCallback : public CallbackServant {
 public:
  explicit WaitingCallback(Gate& gate) : gate_(gate) {}
  CORBA::Long twice(CORBA::Long n) override {
    gate_.wait();
    return CallbackServant::twice(n);
  }

 private:
  Gate& gate_;
};

void destroy_while_a_callback_waits() {
  CORBA::ORB_var server = make_orb(
      "calling-back", on_loopback({"-ORBserverModel", "reactive", "-ORBacceptBiDirectionalGIOP", "1"}));
  CORBA::ORB_var client = make_orb("called-back", on_loopback({"-ORBofferBiDirectionalGIOP", "1"}));
  PortableServer::POA_var poa = TwoOrbs::activate(server), client_poa = TwoOrbs::activate(client);
  Gate gate;
  PortableServer::Servant_var<KeepingServant> servant = new KeepingServant;
  PortableServer::Servant_var<WaitingCallback> called = new WaitingCallback(gate);
  PortableServer::ObjectId_var id = poa->activate_object(servant),
                               called_id = client_poa->activate_object(called);
  CORBA::Object_var local = poa->id_to_reference(id), callback = client_poa->id_to_reference(called_id);
  CORBA::Object_var object = client->string_to_object(take(server->object_to_string(local)).c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  Contract::Callback_var target = Contract::Callback::_unchecked_narrow(callback);
  std::thread loop([&] { server->run(); });
  EXPECT_EQ(everything->call_back(target, 5), 5);
  auto call = std::async(std::launch::async, [&] { return raised_name([&] { servant->kept->twice(1); }); });
  ASSERT_TRUE(gate.wait_until_inside(1));
  server->destroy();
  EXPECT_EQ(call.wait_for(kPatience), std::future_status::ready);
  gate.open();
  client->destroy();
  const std::string name = call.get();
  EXPECT_TRUE(name == "COMM_FAILURE" || name == "OBJECT_NOT_EXIST" || name == "BAD_INV_ORDER") << name;
  loop.join();
}

TEST(Threads, ACallbackThatWaitsEndsWhenItsOwnReactiveOrbIsDestroyed) {
  for (int round = 0; round < 30 && !testing::Test::HasFailure(); ++round) destroy_while_a_callback_waits();
}

TEST(Threads, AReactiveServerThatBeginsWhileAThreadIsInsideRunIsServedByIt) {
  CORBA::ORB_var server = make_orb("late", on_loopback({"-ORBserverModel", "reactive"}));
  CORBA::ORB_var client = make_orb("early", {"-ORBclientCallTimeOutPeriod", "10000"});
  std::thread loop([&] { server->run(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  PortableServer::POA_var poa = TwoOrbs::activate(server);
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var local = poa->id_to_reference(id);
  CORBA::Object_var object = client->string_to_object(take(server->object_to_string(local)).c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  EXPECT_EQ(raised([&] { EXPECT_EQ(everything->minus(3), 2); }), "none");
  server->shutdown(true);
  loop.join();
  server->destroy();
  client->destroy();
}

TEST(Threads, OrbsOfOneNameAreSharedAndRemade) {
  Busy busy;
  busy.add(4, [&] {
    expect_raises_only({"OBJECT_NOT_EXIST", "BAD_INV_ORDER"}, [&] {
      CORBA::ORB_var orb = make_orb("shared", on_loopback());
      CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
      PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
      PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
      PortableServer::ObjectId_var id = poa->activate_object(servant);
      orb->destroy();
    });
  });
  busy.run(100);
  busy.join();
  CORBA::ORB_var last = make_orb("shared");
  last->destroy();
}

TEST(Threads, EachMayHaveItsOwnOrb) {
  Busy busy;
  std::atomic<int> number{0};
  busy.add(4, [&] {
    const std::string id = "own-" + std::to_string(++number);
    CORBA::ORB_var server = make_orb(id.c_str(), on_loopback()), client = make_orb((id + "-client").c_str());
    PortableServer::POA_var poa = TwoOrbs::activate(server);
    PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
    PortableServer::ObjectId_var oid = poa->activate_object(servant);
    CORBA::Object_var local = poa->id_to_reference(oid);
    CORBA::Object_var object = client->string_to_object(take(server->object_to_string(local)).c_str());
    Contract::Everything_var it = Contract::Everything::_narrow(object);
    EXPECT_EQ(it->minus(3), 2);
    server->destroy();
    // Or another thread's server listens at that port by now, which has no such object.
    expect_raises_only({"TRANSIENT", "OBJECT_NOT_EXIST"}, [&] { it->ping(); });
    client->destroy();
  });
  busy.run(40);
}

}  // namespace
