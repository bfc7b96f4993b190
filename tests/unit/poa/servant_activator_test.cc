// CORBA 3.4 part 1, "ServantActivator Interface".
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <thread>

#include "orb/core/reference.h"
#include "orb/core/upcall_lock.h"
#include "tests/unit/poa/servant_managers.h"

namespace corbel::poa {
namespace {

using Ended = NotingActivator::Ended;

// Of this process.
std::ptrdiff_t threads() {
  const std::filesystem::directory_iterator all("/proc/self/task");
  return std::distance(begin(all), end(all));
}

struct Activators : testing::Test {
  base::Ref<NotingActivator> activator = base::make_ref<NotingActivator>();
  World world;
  base::Ref<Adapter> adapter = make("a", on_demand());

  base::Ref<Adapter> make(const std::string& name, Policies policies) {
    const auto made = world.make(name, policies);
    EXPECT_EQ(made->set_activator(activator), Outcome::Ok);
    return made;
  }
  // From here on `adapter` is one with a manager of its own, and has one object.
  void serve_with_own_manager() {
    base::Ref<Adapter> held;
    ASSERT_EQ(world.root().create_child("own", on_demand(), nullptr, held), Outcome::Ok);
    ASSERT_EQ(held->set_activator(activator), Outcome::Ok);
    adapter = held;
    ASSERT_EQ(held->manager().change(Manager::State::Active, false), Outcome::Ok);
    ASSERT_EQ(world.send(key()), SystemErrorId::None);
  }
  std::string key(const std::string& id = "x") { return world.key(*adapter, id); }
  SystemError error(const std::string& key) { return Call(*world.orb).send(key); }
  // Etherealization has its own thread.
  void wait_for_ended(std::size_t count) {
    while (activator->all_ended().size() < count) std::this_thread::yield();
    adapter->wait_until_quiet();
  }
  // For those that etherealize, which some do when the ORB ends.
  std::atomic<bool> let_go{false};
  ~Activators() override {
    let_go = true;
    (void)world.orb->destroy();
    EXPECT_FALSE(activator->overlapped);
    for (auto& [id, servant] : activator->servants) EXPECT_EQ(servant.holders(), 0) << id;
  }
};

TEST_F(Activators, OneServesAllRequestsForItsId) {
  EXPECT_EQ(world.send(key()), SystemErrorId::None);
  EXPECT_EQ(world.send(key()), SystemErrorId::None);
  EXPECT_EQ(world.send(key("y")), SystemErrorId::None);
  EXPECT_EQ(activator->made("x"), 1);
  EXPECT_EQ(activator->made("y"), 1);
  EXPECT_EQ(activator->servant("x").calls(), 2);
  EXPECT_EQ(activator->servant("x").holders(), 1);
}

TEST_F(Activators, AreNotAskedForWhatIsActive) {
  tiny::Servant servant;
  ASSERT_EQ(adapter->activate_with_id(servant, "x"), Outcome::Ok);
  EXPECT_EQ(world.send(key()), SystemErrorId::None);
  EXPECT_EQ(activator->made("x"), 0);
  ASSERT_EQ(adapter->deactivate("x"), Outcome::Ok);
  wait_for_ended(1);
  EXPECT_EQ(activator->all_ended()[0], (Ended{"x", &servant, false, false}));
  EXPECT_EQ(servant.holders(), 0) << "etherealize has dropped the adapter's count";
}

TEST_F(Activators, EtherealizeBehindTheLastRequest) {
  tiny::Servant& servant = activator->servant("x");
  std::size_t ended = 1;
  servant.during = [&] {
    EXPECT_EQ(adapter->deactivate("x"), Outcome::Ok);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ended = activator->all_ended().size();
  };
  EXPECT_EQ(world.send(key()), SystemErrorId::None);
  wait_for_ended(1);
  EXPECT_EQ(ended, 0u);
  EXPECT_EQ(adapter->deactivate("x"), Outcome::ObjectNotActive);
}

TEST_F(Activators, DeactivationDoesNotWaitForEtherealization) {
  ASSERT_EQ(world.send(key()), SystemErrorId::None);
  activator->ending = [&](std::string_view) {
    while (!let_go) std::this_thread::yield();
  };
  EXPECT_EQ(adapter->deactivate("x"), Outcome::Ok);
  let_go = true;
}

TEST_F(Activators, ARequestWaitsForTheEtherealizationOfItsId) {
  ASSERT_EQ(world.send(key()), SystemErrorId::None);
  activator->ending = [&](std::string_view) {
    while (!let_go) std::this_thread::yield();
  };
  ASSERT_EQ(adapter->deactivate("x"), Outcome::Ok);
  std::atomic<bool> answered{false};
  std::thread caller([&] {
    EXPECT_EQ(world.send(key()), SystemErrorId::None);
    answered = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(answered);
  EXPECT_EQ(activator->made("x"), 1);
  EXPECT_EQ(world.send(key("y")), SystemErrorId::None) << "other ids do not wait";
  let_go = true;
  caller.join();
  EXPECT_EQ(activator->made("x"), 2);
}

TEST_F(Activators, ActivationWaitsForTheEtherealizationOfItsId) {
  ASSERT_EQ(world.send(key()), SystemErrorId::None);
  std::atomic<bool> active{false};
  activator->ending = [&](std::string_view) {
    while (!let_go) std::this_thread::yield();
  };
  ASSERT_EQ(adapter->deactivate("x"), Outcome::Ok);
  tiny::Servant servant;
  std::thread owner([&] {
    EXPECT_EQ(adapter->activate_with_id(servant, "x"), Outcome::Ok);
    active = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(active);
  let_go = true;
  owner.join();
  EXPECT_EQ(world.send(key()), SystemErrorId::None);
  EXPECT_EQ(servant.calls(), 1);
  EXPECT_EQ(adapter->destroy(true, true), Outcome::Ok);
}

TEST_F(Activators, WhoWantsAnIdWaitsForTheRequestsOfTheServantThatLeavesIt) {
  tiny::Servant other;
  for (const bool by_request : {true, false}) {
    const std::size_t before = activator->all_ended().size();
    std::atomic<bool> inside{false}, go_on{false}, has_it{false};
    activator->servant("x").during = [&] {
      inside = true;
      while (!go_on) std::this_thread::yield();
    };
    std::thread runner([&] { EXPECT_EQ(world.send(key()), SystemErrorId::None); });
    while (!inside) std::this_thread::yield();
    EXPECT_EQ(adapter->deactivate("x"), Outcome::Ok);
    EXPECT_EQ(adapter->deactivate("x"), Outcome::ObjectNotActive);
    std::thread wanter([&] {
      if (by_request) {
        EXPECT_EQ(world.send(key()), SystemErrorId::None);
      } else {
        EXPECT_EQ(adapter->activate_with_id(other, "x"), Outcome::Ok);
      }
      has_it = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(has_it);
    EXPECT_EQ(activator->all_ended().size(), before);
    go_on = true;
    runner.join();
    wanter.join();
    EXPECT_EQ(activator->all_ended().size(), before + 1);
    EXPECT_EQ(adapter->deactivate("x"), Outcome::Ok);
    wait_for_ended(before + 2);
  }
  EXPECT_EQ(activator->made("x"), 3);
}

// Whatever requests, activations and deactivations do: an id's servant is made, runs and is etherealized in
// turn.
TEST_F(Activators, NothingOfOneIdOverlaps) {
  for (const Thread model : {Thread::OrbControlled, Thread::SingleThread}) {
    Policies policies = on_demand();
    policies.multiple_id = true;
    policies.thread = model;
    adapter = make(model == Thread::SingleThread ? "single" : "many", policies);
    std::atomic<int> running[2] = {0, 0}, early{0}, unexpected{0};
    for (const int id : {0, 1}) {
      const std::string name(1, static_cast<char>('x' + id));
      for (const std::string& servant : {name, "own " + name})
        activator->servant(servant).during = [&, id] {
          ++running[id];
          std::this_thread::yield();
          --running[id];
        };
    }
    activator->ending = [&](std::string_view id) {
      if (running[id[0] - 'x'] != 0) ++early;
    };
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 200; ++i) {
          const std::string id(1, static_cast<char>('x' + (i + t) % 2));
          switch ((i * 7 + t) % 3) {
            case 0:
              if (world.send(key(id)) != SystemErrorId::None) ++unexpected;
              break;
            case 1:
              (void)adapter->deactivate(id);
              break;
            default:
              const Outcome outcome = adapter->activate_with_id(activator->servant("own " + id), id);
              if (outcome != Outcome::Ok && outcome != Outcome::ObjectAlreadyActive) ++unexpected;
          }
        }
      });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(adapter->destroy(true, true), Outcome::Ok);
    EXPECT_EQ(early, 0) << "etherealized while a request ran";
    EXPECT_EQ(unexpected, 0);
    EXPECT_FALSE(activator->overlapped);
    activator->ending = nullptr;
  }
}

TEST_F(Activators, WhatWouldWaitForItselfIsRefused) {
  tiny::Servant& servant = activator->servant("x");
  tiny::Servant other;
  Outcome inside = Outcome::Ok, ending = Outcome::Ok;
  SystemErrorId nested = SystemErrorId::None, in_incarnate = SystemErrorId::None;
  servant.during = [&] {
    EXPECT_EQ(adapter->deactivate("x"), Outcome::Ok);
    inside = adapter->activate_with_id(other, "x");
    nested = world.send(key());
  };
  activator->making = [&](std::string_view id, Incarnation& result) {
    in_incarnate = world.send(key());
    NotingActivator::give(activator->servant(id), result);
  };
  activator->ending = [&](std::string_view) { ending = adapter->activate_with_id(other, "x"); };
  EXPECT_EQ(world.send(key()), SystemErrorId::None);
  wait_for_ended(1);
  EXPECT_EQ(inside, Outcome::WouldWaitForItself);
  EXPECT_EQ(ending, Outcome::WouldWaitForItself);
  EXPECT_EQ(nested, SystemErrorId::BAD_INV_ORDER);
  EXPECT_EQ(in_incarnate, SystemErrorId::BAD_INV_ORDER);
  EXPECT_EQ(other.holders(), 0);
}

TEST_F(Activators, ManyRequestsAtOnceMakeOneServant) {
  std::atomic<int> started{0};
  activator->making = [&](std::string_view id, Incarnation& result) {
    while (started != 4) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    NotingActivator::give(activator->servant(id), result);
  };
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      ++started;
      EXPECT_EQ(world.send(key()), SystemErrorId::None);
    });
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(activator->made("x"), 1);
  EXPECT_EQ(activator->servant("x").calls(), 4);
}

TEST_F(Activators, ErrorsGoToTheCallerAndTheNextRequestAsksAgain) {
  activator->making = [&](std::string_view, Incarnation& result) {
    result.error = {SystemErrorId::NO_PERMISSION, Completion::No, 5, nullptr};
  };
  EXPECT_EQ(error(key()).minor, 5u);
  EXPECT_EQ(world.send(key()), SystemErrorId::NO_PERMISSION);
  EXPECT_EQ(activator->made("x"), 2);
  activator->making = nullptr;
  EXPECT_EQ(world.send(key()), SystemErrorId::None);
}

TEST_F(Activators, WithoutAServantOrAnActivatorTheAdapterIsToBlame) {
  activator->making = [](std::string_view, Incarnation&) {};
  EXPECT_EQ(error(key()).minor, 0x4f4d0007u);
  EXPECT_EQ(world.send(key()), SystemErrorId::OBJ_ADAPTER);
  const auto none = world.make("none", on_demand());
  const SystemError e = error(world.key(*none, "x"));
  EXPECT_EQ(e.id, SystemErrorId::OBJ_ADAPTER);
  EXPECT_EQ(e.minor, 0x4f4d0004u);
}

TEST_F(Activators, AServantThatIsActiveAlreadyIsRefusedWhereIdsAreUnique) {
  activator->making = [&](std::string_view, Incarnation& result) {
    NotingActivator::give(activator->servant("x"), result);
  };
  ASSERT_EQ(world.send(key()), SystemErrorId::None);
  const SystemError e = error(key("y"));
  EXPECT_EQ(e.id, SystemErrorId::OBJ_ADAPTER);
  EXPECT_EQ(e.minor, 0x4f4d0005u);
  EXPECT_EQ(activator->servant("x").holders(), 1);
}

TEST_F(Activators, RequestsAreForwardedWhereTheySay) {
  ior::Ior elsewhere;
  elsewhere.type_id = "IDL:Elsewhere:1.0";
  activator->making = [&](std::string_view, Incarnation& result) {
    result.forward = world.orb->import(elsewhere);
  };
  Call call(*world.orb);
  (void)call.send(key());
  EXPECT_EQ(call.request.reply_kind(), core::ServerRequest::Reply::Forward);
  EXPECT_EQ(world.locate(key()), core::Dispatcher::Location::Here) << "the request itself will be forwarded";
}

TEST_F(Activators, TheLastOfAServantsIdsHasNoOthersRemaining) {
  Policies policies = on_demand();
  policies.multiple_id = true;
  adapter = make("many", policies);
  activator->making = [&](std::string_view, Incarnation& result) {
    NotingActivator::give(activator->servant("shared"), result);
  };
  tiny::Servant& servant = activator->servant("shared");
  for (const char* id : {"x", "y", "z"}) ASSERT_EQ(world.send(key(id)), SystemErrorId::None);
  EXPECT_EQ(servant.holders(), 3);
  ASSERT_EQ(adapter->deactivate("y"), Outcome::Ok);
  wait_for_ended(1);
  EXPECT_EQ(adapter->destroy(true, true), Outcome::Ok);
  const auto ended = activator->all_ended();
  ASSERT_EQ(ended.size(), 3u);
  EXPECT_EQ(ended[0], (Ended{"y", &servant, false, true}));
  EXPECT_TRUE(ended[1].remaining);
  EXPECT_FALSE(ended[2].remaining);
  EXPECT_TRUE(ended[1].cleanup && ended[2].cleanup);
}

TEST_F(Activators, DestroyEtherealizesOnlyIfAsked) {
  ASSERT_EQ(world.send(key()), SystemErrorId::None);
  EXPECT_EQ(adapter->destroy(false, true), Outcome::Ok);
  EXPECT_TRUE(activator->all_ended().empty());
  EXPECT_EQ(activator->servant("x").holders(), 0) << "the adapter's count is dropped all the same";
  EXPECT_EQ(world.send(key()), SystemErrorId::OBJECT_NOT_EXIST);
}

// "The apparent destruction of the POA": while a request runs no servant of the adapter is etherealized.
TEST_F(Activators, DestroyEtherealizesNothingBeforeAllRequestsHaveEnded) {
  ASSERT_EQ(world.send(key("y")), SystemErrorId::None);
  tiny::Servant& servant = activator->servant("x");
  std::size_t ended = 1;
  servant.during = [&] {
    EXPECT_EQ(adapter->destroy(true, false), Outcome::Ok);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ended = activator->all_ended().size();
  };
  EXPECT_EQ(world.send(key()), SystemErrorId::None);
  EXPECT_EQ(ended, 0u);
  EXPECT_EQ(adapter->destroy(true, true), Outcome::Ok) << "may be called again to wait";
  EXPECT_EQ(activator->all_ended().size(), 2u);
}

TEST_F(Activators, ADestroyedAdapterKeepsItsNameUntilItsRequestsHaveEnded) {
  const std::string target = key();
  base::Ref<Adapter> second;
  activator->servant("x").during = [&] {
    EXPECT_EQ(adapter->destroy(true, false), Outcome::Ok);
    EXPECT_EQ(key(), target) << "references to its objects can still be made";
    const SystemError nested = error(target);
    EXPECT_EQ(nested.id, SystemErrorId::TRANSIENT);
    EXPECT_EQ(nested.minor, 0x4f4d0004u);
    EXPECT_EQ(world.locate(target), core::Dispatcher::Location::Here) << "a request is told more";
    EXPECT_EQ(world.root().find_child("a"), adapter);
    EXPECT_EQ(world.root().create_child("a", {}, nullptr, second), Outcome::AdapterAlreadyExists);
    EXPECT_EQ(adapter->create_child("b", {}, nullptr, second), Outcome::BeingDestroyed);
  };
  activator->ending = [&](std::string_view) {
    while (!let_go) std::this_thread::yield();
  };
  EXPECT_EQ(world.send(target), SystemErrorId::None);
  second = world.make("a", on_demand());
  ASSERT_TRUE(second) << "though there are servants to be etherealized";
  ASSERT_EQ(second->activate_with_id(activator->servant("of the second"), "x"), Outcome::Ok);
  EXPECT_EQ(world.send(target), SystemErrorId::None);
  EXPECT_EQ(activator->servant("of the second").calls(), 1);
  EXPECT_TRUE(activator->all_ended().empty());
  let_go = true;
  EXPECT_EQ(adapter->destroy(true, true), Outcome::Ok);
  EXPECT_EQ(world.root().find_child("a"), second);
}

// One that wants what another is to end does not wait for ever, nor do the objects of other adapters.
TEST_F(Activators, EtherealizationsThatWaitLetOthersGoOn) {
  const auto elsewhere = make("b", on_demand());
  for (const char* id : {"x", "y"}) ASSERT_EQ(world.send(key(id)), SystemErrorId::None);
  ASSERT_EQ(world.send(world.key(*elsewhere, "z")), SystemErrorId::None);
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto wait_for = [&](std::size_t count) {
    while (activator->all_ended().size() < count && std::chrono::steady_clock::now() < patience)
      std::this_thread::yield();
    return activator->all_ended().size() >= count;
  };
  std::atomic<bool> alone{true}, y_waits{false};
  activator->ending = [&](std::string_view id) {
    if (id == "y" && !y_waits) alone = false;
    if (id != "x") return;
    while (!let_go) std::this_thread::yield();
    EXPECT_EQ(elsewhere->deactivate("z"), Outcome::Ok);
    EXPECT_TRUE(wait_for(1));
    y_waits = true;
    EXPECT_EQ(world.send(key("y")), SystemErrorId::None);
  };
  EXPECT_EQ(adapter->deactivate("x"), Outcome::Ok);
  EXPECT_EQ(adapter->deactivate("y"), Outcome::Ok);
  let_go = true;
  if (!wait_for(3)) {
    ADD_FAILURE() << "they wait for each other";
    (void)world.orb->shutdown(true);
  }
  EXPECT_TRUE(alone) << "those of one adapter come one after the other unless they wait";
  EXPECT_EQ(activator->made("y"), 2);
  EXPECT_EQ(adapter->destroy(true, true), Outcome::Ok);
  EXPECT_EQ(elsewhere->destroy(true, true), Outcome::Ok);
}

// Each would keep the next one waiting, too.
TEST_F(Activators, EtherealizationsThatWaitForTheirAdaptersTurnDoSoInOneThread) {
  Policies policies = on_demand();
  policies.thread = Thread::SingleThread;
  adapter = make("single", policies);
  constexpr int kObjects = 40;
  for (int i = 0; i < kObjects; ++i) ASSERT_EQ(world.send(key(std::to_string(i))), SystemErrorId::None);
  std::ptrdiff_t more = 0;
  activator->servant("x").during = [&] {
    const std::ptrdiff_t before = threads();
    for (int i = 0; i < kObjects; ++i) EXPECT_EQ(adapter->deactivate(std::to_string(i)), Outcome::Ok);
    for (int i = 0; i < 20 && more <= 1; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      more = threads() - before;
    }
  };
  EXPECT_EQ(world.send(key()), SystemErrorId::None);
  EXPECT_LE(more, 1);
  wait_for_ended(kObjects);
}

TEST_F(Activators, NoMoreEtherealizationsWaitAtATimeThanAServerHasThreads) {
  constexpr std::size_t kObjects = 20;
  core::Options few = options();
  few.max_threads = 3;
  World other(few);
  const auto own = other.make("a", on_demand());
  ASSERT_EQ(own->set_activator(activator), Outcome::Ok);
  std::atomic<std::size_t> inside{0};
  activator->ending = [&](std::string_view) {
    const core::LetGo waiting;
    ++inside;
    while (!let_go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  for (std::size_t i = 0; i < kObjects; ++i)
    ASSERT_EQ(other.send(other.key(*own, std::to_string(i))), SystemErrorId::None);
  for (std::size_t i = 0; i < kObjects; ++i) ASSERT_EQ(own->deactivate(std::to_string(i)), Outcome::Ok);
  while (inside < 4) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(inside, 4u) << "three that wait, and one that the others wait for";
  let_go = true;
  own->wait_until_quiet();
  EXPECT_EQ(activator->all_ended().size(), kObjects);
}

TEST_F(Activators, AParentsDestroyWaitsForChildrenThatWereDestroyedBefore) {
  const auto parent = world.make("parent", {});
  adapter = world.make("child", on_demand(), parent.get());
  ASSERT_EQ(adapter->set_activator(activator), Outcome::Ok);
  ASSERT_EQ(world.send(key()), SystemErrorId::None);
  activator->ending = [&](std::string_view) {
    while (!let_go) std::this_thread::yield();
  };
  ASSERT_EQ(adapter->destroy(true, false), Outcome::Ok);
  EXPECT_TRUE(parent->children().empty());
  std::thread releaser([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(activator->all_ended().empty());
    let_go = true;
  });
  EXPECT_EQ(parent->destroy(true, true), Outcome::Ok);
  EXPECT_EQ(activator->all_ended().size(), 1u);
  releaser.join();
}

TEST_F(Activators, AManagersDeactivationEtherealizesIfAsked) {
  serve_with_own_manager();
  ASSERT_EQ(world.send(key("y")), SystemErrorId::None);
  ASSERT_EQ(adapter->manager().deactivate(true, true), Outcome::Ok);
  ASSERT_EQ(activator->all_ended().size(), 2u);
  EXPECT_TRUE(activator->all_ended()[0].cleanup);
  EXPECT_EQ(world.send(key()), SystemErrorId::OBJ_ADAPTER);
}

// What the first one was told counts.
TEST_F(Activators, AManagersLaterDeactivationsEtherealizeNothing) {
  serve_with_own_manager();
  ASSERT_EQ(adapter->manager().deactivate(false, true), Outcome::Ok);
  ASSERT_EQ(adapter->manager().deactivate(true, true), Outcome::Ok);
  EXPECT_TRUE(activator->all_ended().empty());
}

TEST_F(Activators, EachOfAManagersDeactivationsMayWait) {
  serve_with_own_manager();
  activator->ending = [&](std::string_view) {
    while (!let_go) std::this_thread::yield();
  };
  ASSERT_EQ(adapter->manager().deactivate(true, false), Outcome::Ok);
  std::thread second([&] {
    EXPECT_EQ(adapter->manager().deactivate(false, true), Outcome::Ok);
    EXPECT_EQ(activator->all_ended().size(), 1u);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(activator->all_ended().empty());
  let_go = true;
  second.join();
}

// The request that wants it runs.
TEST_F(Activators, AManagersDeactivationEtherealizesWhatIsBeingMade) {
  serve_with_own_manager();
  activator->making = [&](std::string_view id, Incarnation& result) {
    EXPECT_EQ(adapter->manager().deactivate(true, false), Outcome::Ok);
    NotingActivator::give(activator->servant(id), result);
  };
  std::size_t ended = 2;
  activator->servant("y").during = [&] { ended = activator->all_ended().size(); };
  EXPECT_EQ(world.send(key("y")), SystemErrorId::None);
  EXPECT_LE(ended, 1u);
  adapter->wait_until_quiet();
  ASSERT_EQ(activator->all_ended().size(), 2u);
  EXPECT_EQ(activator->all_ended()[1], (Ended{"y", &activator->servant("y"), true, false}));
  EXPECT_EQ(activator->servant("y").calls(), 1);
}

TEST_F(Activators, MayDestroyTheirAdapterAndDeactivateTheirObjects) {
  activator->making = [&](std::string_view id, Incarnation& result) {
    EXPECT_EQ(adapter->deactivate(std::string(id)), Outcome::ObjectNotActive);
    EXPECT_EQ(adapter->destroy(true, true), Outcome::WouldWaitForItself);
    EXPECT_EQ(adapter->destroy(true, false), Outcome::Ok);
    NotingActivator::give(activator->servant(id), result);
  };
  activator->ending = [&](std::string_view) {
    EXPECT_EQ(adapter->destroy(true, true), Outcome::WouldWaitForItself);
    EXPECT_EQ(adapter->manager().deactivate(true, true), Outcome::WouldWaitForItself);
    EXPECT_TRUE(world.orb->shutdown(true));
  };
  EXPECT_EQ(world.send(key()), SystemErrorId::None) << "the request that wanted the servant runs";
  wait_for_ended(1);
  EXPECT_TRUE(activator->all_ended()[0].cleanup);
}

TEST_F(Activators, CanBeSetOnceAndOnlyWhereThePoliciesWantThem) {
  EXPECT_EQ(adapter->set_activator(activator), Outcome::ManagerSet);
  EXPECT_EQ(world.root().set_activator(activator), Outcome::WrongPolicy);
  EXPECT_EQ(world.make("b", on_demand(false))->set_activator(activator), Outcome::WrongManager);
  EXPECT_EQ(world.make("c", on_demand())->set_locator(base::make_ref<NotingLocator>()),
            Outcome::WrongManager);
  base::Ref<ServantManager> found;
  EXPECT_EQ(world.root().servant_manager(found), Outcome::WrongPolicy);
  ASSERT_EQ(adapter->servant_manager(found), Outcome::Ok);
  EXPECT_EQ(found.get(), activator.get());
}

TEST_F(Activators, ShutdownEtherealizes) {
  ASSERT_EQ(world.send(key()), SystemErrorId::None);
  EXPECT_FALSE(world.orb->shutdown(true));
  ASSERT_EQ(activator->all_ended().size(), 1u);
  EXPECT_TRUE(activator->all_ended()[0].cleanup);
}

}  // namespace
}  // namespace corbel::poa
