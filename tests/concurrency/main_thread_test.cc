// MAIN_THREAD_MODEL: who makes the upcalls, and what becomes of those that wait for it.
#include <atomic>
#include <future>
#include <thread>

#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;
using namespace PortableServer;

// Looks at the thread that runs it, and whether another one does, too.
class Watch {
 public:
  Watch() : main_(std::this_thread::get_id()) {}
  void upcall() {
    if (inside_.fetch_add(1) != 0) overlapped_ = true;
    if (std::this_thread::get_id() != main_) elsewhere_ = true;
    std::this_thread::yield();
    ++count_;
    inside_.fetch_sub(1);
  }
  int count() const { return count_; }
  // What is wrong; none of it should be.
  std::string faults() const {
    return std::string(overlapped_ ? "two at once " : "") + (elsewhere_ ? "in another thread" : "");
  }

 private:
  const std::thread::id main_;
  std::atomic<int> inside_{0}, count_{0};
  std::atomic<bool> overlapped_{false}, elsewhere_{false};
};

// Makes and ends servants, which it tells the watch of.
class Maker : public ServantActivator {
 public:
  Maker(Watch& watch, Servant servant) : watch_(watch), servant_(servant) {}
  Servant incarnate(const ObjectId&, POA_ptr) override {
    watch_.upcall();
    servant_->_add_ref();
    return servant_;
  }
  void etherealize(const ObjectId&, POA_ptr, Servant servant, CORBA::Boolean, CORBA::Boolean) override {
    watch_.upcall();
    ++ended;
    servant->_remove_ref();
  }
  std::atomic<int> ended{0};

 private:
  Watch& watch_;
  Servant const servant_;
};

// The same of adapters.
class AdapterMaker : public AdapterActivator {
 public:
  explicit AdapterMaker(Watch& watch) : watch_(watch) {}
  CORBA::Boolean unknown_adapter(POA_ptr parent, const char* name) override {
    watch_.upcall();
    POAManager_var manager = parent->the_POAManager();
    POA_var made = parent->create_POA(name, manager, CORBA::PolicyList());
    return true;
  }

 private:
  Watch& watch_;
};

// The thread of the test is the main thread.
class MainThread : public testing::TestWithParam<const char*> {
 protected:
  MainThread()
      : server_(make_orb("main", on_loopback({"-ORBserverModel", GetParam(), "-ORBthreadPoolSize", "2"}))) {
    root_ = TwoOrbs::activate(server_);
    poa_ = create("main", {});
    servant_ = new ScriptedServant;
    servant_->script = [this] { watch_.upcall(); };
    ObjectId_var id = poa_->activate_object(servant_);
    object_ = poa_->id_to_reference(id);
    local_ = Contract::Everything::_narrow(object_);
    ior_ = take(server_->object_to_string(object_));
  }
  ~MainThread() override {
    raised([&] { server_->destroy(); });
    EXPECT_EQ(watch_.faults(), "");
  }

  POA_ptr create(const char* name, std::vector<CORBA::Policy_ptr> more) {
    policies_.length(1);
    policies_[0] = root_->create_thread_policy(MAIN_THREAD_MODEL);
    for (CORBA::Policy_ptr policy : more) {
      policies_.length(policies_.length() + 1);
      policies_[policies_.length() - 1] = policy;
    }
    POAManager_var manager = root_->the_POAManager();
    return root_->create_POA(name, manager, policies_);
  }
  // `parent_`, with a maker of servants that tells the watch.
  void make_on_demand(Watch& watch) {
    parent_ = create(
        "demand", {root_->create_request_processing_policy(USE_SERVANT_MANAGER),
                   root_->create_lifespan_policy(PERSISTENT), root_->create_id_assignment_policy(USER_ID)});
    maker_ = new Maker(watch, servant_.in());
    maker_owner_ = maker_;
    parent_->set_servant_manager(maker_);
    id_ = string_to_ObjectId("x");
  }
  // A thread with an ORB of its own, which gives the exception that its calls ended with.
  std::future<std::string> client(int number, int calls = 1, const std::string& ior = {}) {
    return std::async(std::launch::async, [=, at = ior.empty() ? ior_ : ior] {
      CORBA::ORB_var orb = make_orb(("client-" + std::to_string(number)).c_str(), on_loopback());
      CORBA::Object_var object = orb->string_to_object(at.c_str());
      Contract::Everything_var it = Contract::Everything::_unchecked_narrow(object);
      const std::string end = raised([&] {
        for (int i = 0; i < calls; ++i) EXPECT_EQ(it->minus(i), i - 1);
      });
      orb->destroy();
      return end;
    });
  }
  // Serves in this thread until the others are done.
  template <typename Result>
  void serve_until(std::future<Result>& done) {
    while (done.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
      if (server_->work_pending()) server_->perform_work();
      else std::this_thread::yield();
    }
  }
  void wait_until_pending() {
    while (!server_->work_pending()) std::this_thread::yield();
  }
  // The request has come to the queue; a reactive server has no other thread to read it.
  bool queues() const { return *GetParam() != 'r'; }

  Watch watch_;
  CORBA::ORB_var server_;
  CORBA::PolicyList policies_;
  POA_var root_, poa_, parent_;
  Servant_var<ScriptedServant> servant_;
  CORBA::Object_var object_;
  Contract::Everything_var local_;
  std::string ior_;
  Maker* maker_ = nullptr;
  ServantActivator_var maker_owner_;
  ObjectId_var id_;
};
INSTANTIATE_TEST_SUITE_P(Model, MainThread, testing::Values("pool", "connection", "reactive"),
                         [](const auto& i) { return std::string(i.param); });

TEST_P(MainThread, MakesAllUpcallsOneAfterTheOtherInsideOfRun) {
  constexpr int kClients = 6, kCalls = 50;
  std::vector<std::future<std::string>> clients;
  for (int i = 0; i < kClients; ++i) clients.push_back(client(i, kCalls));
  auto end = std::async(std::launch::async, [&] {
    for (auto& c : clients) EXPECT_EQ(c.get(), "none");
    server_->shutdown(false);
  });
  server_->run();
  EXPECT_EQ(watch_.count(), kClients * kCalls);
}

TEST_P(MainThread, MakesThoseOfAllAdaptersWithThePolicyOneAfterTheOther) {
  POA_var second = create("second", {});
  ObjectId_var id = second->activate_object(servant_);
  CORBA::Object_var object = second->id_to_reference(id);
  const std::string other = take(server_->object_to_string(object));
  auto clients = std::async(std::launch::async, [&] {
    auto first = client(1, 50), second_client = client(2, 50, other);
    EXPECT_EQ(first.get(), "none");
    EXPECT_EQ(second_client.get(), "none");
  });
  serve_until(clients);
  EXPECT_EQ(watch_.count(), 100);
}

TEST_P(MainThread, MakesThemInPerformWorkWhichIsPending) {
  EXPECT_FALSE(server_->work_pending());
  auto call = client(1);
  wait_until_pending();
  EXPECT_EQ(watch_.count(), 0);
  serve_until(call);
  EXPECT_EQ(call.get(), "none");
  EXPECT_EQ(watch_.count(), 1);
}

// Notes that come in another order than theirs.
class InOrder : public EverythingServant {
 public:
  void note(CORBA::Long n) override {
    if (n != ++last_) ++out_of_order;
  }
  int out_of_order = 0;

 private:
  CORBA::Long last_ = 0;
};

// Where upcalls are long the other models let several threads read.
class MainThreadThatReads : public MainThread {};
INSTANTIATE_TEST_SUITE_P(Model, MainThreadThatReads, testing::Values("reactive"),
                         [](const auto& i) { return std::string(i.param); });

TEST_P(MainThreadThatReads, GetsTheOnewaysOfAConnectionInTheirOrder) {
  constexpr int kCount = 2000;
  Servant_var<InOrder> servant = new InOrder;
  ObjectId_var id = poa_->activate_object(servant);
  CORBA::Object_var object = poa_->id_to_reference(id);
  const std::string ior = take(server_->object_to_string(object));
  auto sent = std::async(std::launch::async, [&] {
    CORBA::ORB_var orb = make_orb("sender", on_loopback());
    CORBA::Object_var there = orb->string_to_object(ior.c_str());
    Contract::Everything_var it = Contract::Everything::_unchecked_narrow(there);
    for (int i = 1; i <= kCount; ++i) it->note(i);
    it->ping();
    orb->destroy();
  });
  serve_until(sent);
  sent.get();
  EXPECT_EQ(servant->out_of_order, 0);
}

TEST_P(MainThread, CallsItsOwnObjectsAtOnce) {
  EXPECT_EQ(local_->minus(3), 2);
  servant_->script = [&] {
    watch_.upcall();
    servant_->script = nullptr;
    EXPECT_EQ(local_->minus(3), 2);
  };
  EXPECT_EQ(local_->minus(5), 4);
  EXPECT_EQ(watch_.count(), 2);
}

TEST_P(MainThread, IsCalledByOtherThreadsOfTheProcess) {
  auto callers = std::async(std::launch::async, [&] {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) EXPECT_EQ(local_->minus(i), i - 1);
      });
    for (std::thread& t : threads) t.join();
    server_->shutdown(false);
  });
  server_->run();
  callers.get();
  EXPECT_EQ(watch_.count(), 200);
}

// The exception is made in one thread and caught in the other.
TEST_P(MainThread, ThrowsToTheThreadThatCalls) {
  servant_->script = [&] {
    watch_.upcall();
    throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_NO);
  };
  auto caller = std::async(std::launch::async, [&] { return raised([&] { local_->minus(1); }); });
  serve_until(caller);
  EXPECT_EQ(caller.get(), "NO_PERMISSION/7/NO");
}

TEST_P(MainThread, DoesNotKeepOtherAdaptersFromServing) {
  Gate gate;
  servant_->script = [&] {
    watch_.upcall();
    gate.wait();
  };
  Servant_var<ScriptedServant> free_servant = new ScriptedServant;
  ObjectId_var id = root_->activate_object(free_servant);
  CORBA::Object_var object = root_->id_to_reference(id);
  const std::string ior = take(server_->object_to_string(object));
  if (!queues()) return gate.open();  // one thread serves all
  auto scene = std::async(std::launch::async, [&] {
    std::vector<std::future<std::string>> held;  // more than there are turns
    for (int i = 0; i < 5; ++i) held.push_back(client(i + 10));
    EXPECT_TRUE(gate.wait_until_inside(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // for the others to come
    EXPECT_EQ(client(2, 1, ior).get(), "none");
    gate.open();
    for (auto& one : held) EXPECT_EQ(one.get(), "none");
    server_->shutdown(false);
  });
  server_->run();
}

TEST_P(MainThread, MakesServantsAndAdaptersToo) {
  make_on_demand(watch_);
  AdapterActivator_var adapters = new AdapterMaker(watch_);
  parent_->the_activator(adapters);
  CORBA::Object_var object = parent_->create_reference_with_id(id_, "IDL:Contract/Everything:1.0");
  const std::string ior = take(server_->object_to_string(object));
  auto call = client(1, 1, ior);
  serve_until(call);
  EXPECT_EQ(call.get(), "none");
  EXPECT_EQ(watch_.count(), 2);  // incarnation and operation
  auto looks = std::async(std::launch::async,
                          [&] { return raised([&] { POA_var made = parent_->find_POA("child", true); }); });
  serve_until(looks);
  EXPECT_EQ(looks.get(), "none");
  EXPECT_EQ(watch_.count(), 3);
  std::thread([&] { parent_->deactivate_object(id_); }).join();
  EXPECT_EQ(maker_->ended, 0);
  while (maker_->ended == 0) {
    wait_until_pending();
    server_->perform_work();
  }
  call = client(2, 1, ior);
  serve_until(call);
  server_->shutdown(true);
  EXPECT_EQ(maker_->ended, 2);
}

// Where the main thread has gone whoever waits for the end takes its place.
TEST_P(MainThread, LeavesNoServantBehindWhenAnotherThreadEndsTheOrb) {
  Watch elsewhere;
  make_on_demand(elsewhere);
  CORBA::Object_var object = parent_->create_reference_with_id(id_, "IDL:Contract/Everything:1.0");
  auto call = client(1, 1, take(server_->object_to_string(object)));
  serve_until(call);
  std::thread([&] { server_->shutdown(true); }).join();
  EXPECT_EQ(maker_->ended, 1);
}

// It stays in run() for what the end of the ORB has for it.
TEST_P(MainThread, EndsServantsInsideOfRunWhenAnotherThreadShutsDown) {
  make_on_demand(watch_);
  CORBA::Object_var object = parent_->create_reference_with_id(id_, "IDL:Contract/Everything:1.0");
  const std::string ior = take(server_->object_to_string(object));
  auto scene = std::async(std::launch::async, [&] {
    EXPECT_EQ(client(1, 1, ior).get(), "none");
    server_->shutdown(true);
  });
  server_->run();
  EXPECT_EQ(maker_->ended, 1);
}

TEST_P(MainThread, AnswersWhatWaitsForItWhenItShutsDownAndWaits) {
  if (!queues()) return;
  auto first = client(1), second = client(2);
  wait_until_pending();
  servant_->script = [&] {
    watch_.upcall();
    if (watch_.count() == 1) wait_until_pending();  // the second is there, too
  };
  server_->perform_work();
  server_->shutdown(true);
  EXPECT_EQ(first.get(), "none");
  EXPECT_EQ(second.get(), "none");
  EXPECT_EQ(watch_.count(), 2);
}

TEST_P(MainThread, RefusesWhatWaitsForItWhenItShutsDownAndDoesNot) {
  if (!queues()) return;
  auto call = client(1);
  wait_until_pending();
  server_->shutdown(false);
  EXPECT_EQ(call.get(), "TRANSIENT/4f4d0001/NO");
  EXPECT_EQ(watch_.count(), 0);
}

TEST_P(MainThread, RefusesCallsOfTheProcessThatWaitForItToo) {
  auto caller = std::async(std::launch::async, [&] { return raised([&] { local_->minus(1); }); });
  wait_until_pending();
  server_->shutdown(false);
  EXPECT_EQ(caller.get(), "TRANSIENT/4f4d0001/NO");
  EXPECT_EQ(watch_.count(), 0);
}

TEST_P(MainThread, WhileItIsElsewhereOthersCanEndTheOrb) {
  auto call = client(1);
  wait_until_pending();
  std::thread([&] { server_->shutdown(true); }).join();
  EXPECT_NE(call.get(), "none");
  EXPECT_EQ(watch_.count(), 0);
}

TEST_P(MainThread, ServesWhatAnAdapterWaitsForThatItDestroys) {
  if (!queues()) return;
  auto call = client(1);
  wait_until_pending();
  poa_->destroy(true, true);
  EXPECT_EQ(call.get(), "none");
}

TEST_P(MainThread, ServesWhatAManagerWaitsFor) {
  if (!queues()) return;
  POAManager_var manager = root_->the_POAManager();
  for (int i = 0; i < 3; ++i) {
    auto call = client(1);
    wait_until_pending();
    if (i == 0) manager->hold_requests(true);
    else if (i == 1) manager->discard_requests(true);
    else manager->deactivate(true, true);
    EXPECT_EQ(call.get(), "none") << i;
    if (i < 2) manager->activate();
  }
}

TEST_P(MainThread, GivesItsPlaceInRunToAnother) {
  Watch first;  // of this thread
  servant_->script = nullptr;
  std::thread::id seen;
  servant_->script = [&] { seen = std::this_thread::get_id(); };
  auto call = client(1);
  wait_until_pending();
  serve_until(call);
  EXPECT_EQ(seen, std::this_thread::get_id());
  std::thread other([&] { server_->run(); });
  call = client(2);
  EXPECT_EQ(call.get(), "none");
  EXPECT_EQ(seen, other.get_id());
  EXPECT_EQ(local_->minus(1), 0);  // from here to there
  EXPECT_EQ(seen, other.get_id());
  server_->shutdown(true);
  other.join();
}

// What it waits for may be below on its own stack, in a request that another thread has brought.
TEST_P(MainThread, RefusesWhatWouldWaitForAnUpcallThatItIsInTheMiddleOf) {
  if (!queues()) return;
  make_on_demand(watch_);
  CORBA::Object_var object = parent_->create_reference_with_id(id_, "IDL:Contract/Everything:1.0");
  const std::string ior = take(server_->object_to_string(object));
  POA_var holding = root_->create_POA("holding", POAManager::_nil(), CORBA::PolicyList());
  POAManager_var holder = holding->the_POAManager();
  Servant_var<ScriptedServant> other = new ScriptedServant;
  ObjectId_var id = holding->activate_object(other);
  object = holding->id_to_reference(id);
  Contract::Everything_var held = Contract::Everything::_unchecked_narrow(object);
  std::atomic<bool> waits{false};
  servant_->script = [&] {
    parent_->deactivate_object(id_);
    waits = true;
    EXPECT_EQ(held->minus(1), 0);
  };
  auto scene = std::async(std::launch::async, [&] {
    auto outer = client(1, 1, ior);
    EXPECT_TRUE(comes_true([&] { return waits.load(); }));
    const std::string refused = client(2, 1, ior).get();
    holder->activate();
    EXPECT_EQ(outer.get(), "none");
    return refused;
  });
  serve_until(scene);
  EXPECT_EQ(scene.get(), "TRANSIENT/4f4d0001/NO");
}

}  // namespace
