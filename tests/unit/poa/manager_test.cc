#include "orb/poa/manager.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/support/asleep.h"
#include "tests/unit/poa/support.h"

namespace corbel::poa {
namespace {

using State = Manager::State;

// An object whose manager holds.
struct WithServant {
  tiny::Servant servant;
};
struct Held : WithServant, World {
  explicit Held(const core::Options& o = options()) : World(o) {
    (void)root().create_child("a", user_ids(), nullptr, adapter);
    (void)adapter->activate_with_id(servant, "object");
    target = key(*adapter, "object");
  }
  Manager& manager() { return adapter->manager(); }
  // A request in a thread of its own; `answer` is what came of it.
  std::thread start(SystemErrorId& answer) {
    return std::thread([this, &answer] {
      started.join();
      answer = send(target);
    });
  }

  base::Ref<Adapter> adapter;
  std::string target;
  testing_support::Sleepers started;
};

TEST(Manager, HoldsAtFirst) {
  World world;
  base::Ref<Adapter> adapter;
  ASSERT_EQ(world.root().create_child("a", {}, nullptr, adapter), Outcome::Ok);
  EXPECT_EQ(adapter->manager().state(), State::Holding);
}

TEST(Manager, HeldRequestsRunWhenItIsActivated) {
  Held held;
  SystemErrorId answers[4];
  std::vector<std::thread> callers;
  for (SystemErrorId& answer : answers) callers.push_back(held.start(answer));
  EXPECT_TRUE(held.started.wait_for(4));
  EXPECT_EQ(held.servant.calls(), 0);
  ASSERT_EQ(held.manager().change(State::Active, false), Outcome::Ok);
  for (std::thread& t : callers) t.join();
  for (const SystemErrorId answer : answers) EXPECT_EQ(answer, SystemErrorId::None);
  EXPECT_EQ(held.servant.calls(), 4);
}

TEST(Manager, HeldRequestsAreRefusedWhenItDiscards) {
  Held held;
  SystemErrorId answer;
  std::thread caller = held.start(answer);
  EXPECT_TRUE(held.started.wait_for(1));
  ASSERT_EQ(held.manager().change(State::Discarding, true), Outcome::Ok);
  caller.join();
  EXPECT_EQ(answer, SystemErrorId::TRANSIENT);
}

TEST(Manager, HeldRequestsAreRefusedWhenTheirAdapterIsDestroyed) {
  Held held;
  SystemErrorId answer;
  std::thread caller = held.start(answer);
  EXPECT_TRUE(held.started.wait_for(1));
  EXPECT_EQ(held.adapter->destroy(true, true), Outcome::Ok) << "does not wait for what only waits itself";
  caller.join();
  EXPECT_EQ(answer, SystemErrorId::OBJECT_NOT_EXIST);
}

TEST(Manager, HeldRequestsAreRefusedAtShutdown) {
  Held held;
  SystemErrorId answer;
  std::thread caller = held.start(answer);
  EXPECT_TRUE(held.started.wait_for(1));
  EXPECT_FALSE(held.orb->shutdown(true));
  caller.join();
  EXPECT_EQ(answer, SystemErrorId::TRANSIENT);
}

TEST(Manager, NoMoreRequestsWaitThanLeaveThreadsForOthers) {
  core::Options few = options();
  few.max_threads = 4;
  Held held(few);
  SystemErrorId answers[2];
  std::thread first = held.start(answers[0]), second = held.start(answers[1]);
  EXPECT_TRUE(held.started.wait_for(2));
  const SystemError error = Call(*held.orb).send(held.target);
  EXPECT_EQ(error.id, SystemErrorId::TRANSIENT);
  EXPECT_EQ(error.minor, 0x4f4d0001u);
  ASSERT_EQ(held.manager().change(State::Active, false), Outcome::Ok);
  first.join();
  second.join();
  EXPECT_EQ(answers[0], SystemErrorId::None);
  EXPECT_EQ(answers[1], SystemErrorId::None);
}

TEST(Manager, DiscardsWithTheSpecifiedMinorCode) {
  Held held;
  ASSERT_EQ(held.manager().change(State::Discarding, false), Outcome::Ok);
  const SystemError error = Call(*held.orb).send(held.target);
  EXPECT_EQ(error.id, SystemErrorId::TRANSIENT);
  EXPECT_EQ(error.minor, 0x4f4d0001u);
  EXPECT_EQ(error.completed, Completion::No);
  ASSERT_EQ(held.manager().change(State::Active, false), Outcome::Ok);
  EXPECT_EQ(held.send(held.target), SystemErrorId::None);
}

TEST(Manager, InactiveIsForEver) {
  Held held;
  ASSERT_EQ(held.manager().deactivate(false, false), Outcome::Ok);
  EXPECT_EQ(held.manager().deactivate(false, true), Outcome::Ok);
  for (const State state : {State::Active, State::Holding, State::Discarding})
    EXPECT_EQ(held.manager().change(state, false), Outcome::AdapterInactive);
  EXPECT_EQ(held.manager().state(), State::Inactive);
  const SystemError error = Call(*held.orb).send(held.target);
  EXPECT_EQ(error.id, SystemErrorId::OBJ_ADAPTER);
  EXPECT_EQ(error.minor, 0x4f4d0001u);
}

TEST(Manager, WaitingForCompletionOutlastsTheRequestsOfAllItsAdapters) {
  tiny::Servant servant;
  Held held;
  ASSERT_EQ(held.manager().change(State::Active, false), Outcome::Ok);
  base::Ref<Adapter> sibling;
  ASSERT_EQ(held.root().create_child("b", user_ids(), base::Ref<Manager>::share(&held.manager()), sibling),
            Outcome::Ok);
  ASSERT_EQ(sibling->activate_with_id(servant, "object"), Outcome::Ok);
  std::atomic<int> inside{0};
  std::atomic<bool> let_go{false}, returned{false};
  held.servant.during = servant.during = [&] {
    ++inside;
    while (!let_go) std::this_thread::yield();
  };
  SystemErrorId answers[2];
  std::thread first = held.start(answers[0]);
  std::thread second([&] { answers[1] = held.send(held.key(*sibling, "object")); });
  while (inside != 2) std::this_thread::yield();
  std::thread waiter([&] {
    EXPECT_EQ(held.manager().change(State::Discarding, true), Outcome::Ok);
    returned = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(returned);
  let_go = true;
  waiter.join();
  first.join();
  second.join();
  EXPECT_EQ(answers[0], SystemErrorId::None);
  EXPECT_EQ(answers[1], SystemErrorId::None);
}

TEST(Manager, WaitingForCompletionOutlastsTheRequestsOfAdaptersThatAreBeingDestroyed) {
  Held held;
  ASSERT_EQ(held.manager().change(State::Active, false), Outcome::Ok);
  std::atomic<bool> inside{false}, let_go{false}, returned{false};
  held.servant.during = [&] {
    inside = true;
    while (!let_go) std::this_thread::yield();
  };
  SystemErrorId answer;
  std::thread caller = held.start(answer);
  while (!inside) std::this_thread::yield();
  EXPECT_EQ(held.adapter->destroy(true, false), Outcome::Ok);
  std::thread waiter([&] {
    EXPECT_EQ(held.manager().deactivate(true, true), Outcome::Ok);
    returned = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(returned);
  let_go = true;
  waiter.join();
  caller.join();
  EXPECT_EQ(answer, SystemErrorId::None);
}

TEST(Manager, WaitingForCompletionEndsWhenTheStateChangesAgain) {
  Held held;
  ASSERT_EQ(held.manager().change(State::Active, false), Outcome::Ok);
  std::atomic<bool> inside{false}, let_go{false};
  held.servant.during = [&] {
    inside = true;
    while (!let_go) std::this_thread::yield();
  };
  SystemErrorId answer;
  std::thread caller = held.start(answer);
  while (!inside) std::this_thread::yield();
  std::thread waiter([&] { EXPECT_EQ(held.manager().change(State::Holding, true), Outcome::Ok); });
  while (held.manager().state() != State::Holding) std::this_thread::yield();
  ASSERT_EQ(held.manager().change(State::Active, false), Outcome::Ok);
  waiter.join();
  let_go = true;
  caller.join();
}

TEST(Manager, WaitingForCompletionInsideAnUpcallIsRefusedAndChangesNothing) {
  Held held;
  ASSERT_EQ(held.manager().change(State::Active, false), Outcome::Ok);
  std::vector<Outcome> outcomes;
  held.servant.during = [&] {
    outcomes.push_back(held.manager().change(State::Holding, true));
    outcomes.push_back(held.root().manager().deactivate(false, true));
  };
  EXPECT_EQ(held.send(held.target), SystemErrorId::None);
  EXPECT_EQ(outcomes, (std::vector<Outcome>{Outcome::WouldWaitForItself, Outcome::WouldWaitForItself}));
  EXPECT_EQ(held.manager().state(), State::Active);
  EXPECT_EQ(held.root().manager().state(), State::Active);
}

TEST(Manager, ItsStateCanChangeInsideAnUpcall) {
  Held held;
  ASSERT_EQ(held.manager().change(State::Active, false), Outcome::Ok);
  held.servant.during = [&] { EXPECT_EQ(held.manager().change(State::Discarding, false), Outcome::Ok); };
  EXPECT_EQ(held.send(held.target), SystemErrorId::None);
  EXPECT_EQ(held.send(held.target), SystemErrorId::TRANSIENT);
}

}  // namespace
}  // namespace corbel::poa
