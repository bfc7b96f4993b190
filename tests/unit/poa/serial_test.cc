// SINGLE_THREAD_MODEL (CORBA 3.4 part 1, "Thread Policy").
#include "orb/poa/serial.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/unit/poa/servant_managers.h"

namespace corbel::poa {
namespace {

Policies single_thread() {
  Policies p = user_ids();
  p.thread = Thread::SingleThread;
  return p;
}

// Notices two upcalls at once that should not be.
struct Watch {
  void enter() {
    if (inside.fetch_add(1) != 0) overlapped = true;
    ++entered;
  }
  void leave() { inside.fetch_sub(1); }
  std::atomic<int> inside{0}, entered{0};
  std::atomic<bool> overlapped{false};
};

void a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }

TEST(SingleThread, UpcallsOfAllObjectsOfTheAdapterExcludeEachOther) {
  tiny::Servant servants[2];
  Watch watch;
  World world;
  const auto adapter = world.make("a", single_thread());
  for (int i : {0, 1}) {
    servants[i].during = [&] {
      watch.enter();
      std::this_thread::yield();
      watch.leave();
    };
    ASSERT_EQ(adapter->activate_with_id(servants[i], std::to_string(i)), Outcome::Ok);
  }
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&, t] {
      for (int n = 0; n < 200; ++n)
        EXPECT_EQ(world.send(world.key(*adapter, t % 2 ? "1" : "0")), SystemErrorId::None);
    });
  for (std::thread& t : callers) t.join();
  EXPECT_FALSE(watch.overlapped);
  EXPECT_EQ(watch.entered, 800);
}

TEST(SingleThread, OtherAdaptersDoNotWait) {
  tiny::Servant servant, other;
  World world;
  const auto a = world.make("a", single_thread()), b = world.make("b", single_thread());
  ASSERT_EQ(a->activate_with_id(servant, "x"), Outcome::Ok);
  ASSERT_EQ(b->activate_with_id(other, "x"), Outcome::Ok);
  std::thread caller;
  servant.during = [&] {
    caller = std::thread([&] { EXPECT_EQ(world.send(world.key(*b, "x")), SystemErrorId::None); });
    caller.join();
  };
  EXPECT_EQ(world.send(world.key(*a, "x")), SystemErrorId::None);
  EXPECT_EQ(other.calls(), 1);
}

TEST(SingleThread, ItsOwnNestedUpcallsAreAdmitted) {
  tiny::Servant servant;
  World world;
  const auto a = world.make("a", single_thread());
  ASSERT_EQ(a->activate_with_id(servant, "x"), Outcome::Ok);
  int depth = 0;
  servant.during = [&] {
    if (++depth < 5) {
      EXPECT_EQ(world.send(world.key(*a, "x")), SystemErrorId::None);
    }
  };
  EXPECT_EQ(world.send(world.key(*a, "x")), SystemErrorId::None);
  EXPECT_EQ(depth, 5);
}

// As a call to another process that calls back, whose request comes in by another thread.
TEST(SingleThread, LetsOthersInWhileItsUpcallWaits) {
  tiny::Servant servant;
  World world;
  const auto a = world.make("a", single_thread());
  ASSERT_EQ(a->activate_with_id(servant, "x"), Outcome::Ok);
  std::atomic<bool> running{false}, outside{false};
  int depth = 0;
  servant.during = [&] {
    if (++depth != 1) return;
    std::thread callback([&] { EXPECT_EQ(world.send(world.key(*a, "x")), SystemErrorId::None); });
    {
      const core::LetGo waiting;
      callback.join();
    }
    running = true;
    outside = false;
    std::thread late([&] {
      EXPECT_EQ(world.send(world.key(*a, "x")), SystemErrorId::None);
      outside = true;
    });
    a_moment();
    EXPECT_FALSE(outside) << "the wait is over";
    late.detach();
  };
  EXPECT_EQ(world.send(world.key(*a, "x")), SystemErrorId::None);
  while (!outside) std::this_thread::yield();
  EXPECT_EQ(depth, 3);
}

TEST(SingleThread, TwoAdaptersThatCallEachOtherDoNotWaitForEver) {
  tiny::Servant servants[2];
  Watch watches[2];
  World world;
  const base::Ref<Adapter> adapters[] = {world.make("a", single_thread()), world.make("b", single_thread())};
  std::atomic<int> arrived{0};
  thread_local bool nested = false;
  for (int i : {0, 1}) {
    ASSERT_EQ(adapters[i]->activate_with_id(servants[i], "x"), Outcome::Ok);
    servants[i].during = [&, i] {
      if (nested) return;
      nested = true;
      if (++arrived <= 2)
        while (arrived < 2) std::this_thread::yield();
      EXPECT_EQ(world.send(world.key(*adapters[1 - i], "x")), SystemErrorId::None);
      watches[i].enter();  // back in its own code: nobody else is there
      std::this_thread::yield();
      watches[i].leave();
      nested = false;
    };
  }
  std::vector<std::thread> callers;
  for (int i : {0, 1})
    callers.emplace_back([&, i] {
      for (int n = 0; n < 200; ++n) EXPECT_EQ(world.send(world.key(*adapters[i], "x")), SystemErrorId::None);
    });
  for (std::thread& t : callers) t.join();
  EXPECT_FALSE(watches[0].overlapped || watches[1].overlapped);
}

TEST(SingleThread, ServantManagersHaveTheirTurnToo) {
  const auto activator = base::make_ref<NotingActivator>();
  Watch watch;
  World world;
  Policies policies = on_demand();
  policies.thread = Thread::SingleThread;
  const auto adapter = world.make("a", policies);
  ASSERT_EQ(adapter->set_activator(activator), Outcome::Ok);
  const auto stay = [&] {
    watch.enter();
    std::this_thread::yield();
    watch.leave();
  };
  activator->making = [&](std::string_view id, Incarnation& result) {
    stay();
    NotingActivator::give(activator->servant(id), result);
  };
  activator->ending = [&](std::string_view) { stay(); };
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t)
    callers.emplace_back([&, t] {
      const std::string id = std::to_string(t);
      activator->servant(id).during = stay;
      for (int n = 0; n < 100; ++n) {
        EXPECT_EQ(world.send(world.key(*adapter, id)), SystemErrorId::None);
        (void)adapter->deactivate(id);
      }
    });
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(adapter->destroy(true, true), Outcome::Ok);
  EXPECT_FALSE(watch.overlapped);
  EXPECT_FALSE(activator->overlapped);
  EXPECT_EQ(activator->all_ended().size(), 300u);
}

// A reactive server's thread serves while it waits.
TEST(SingleThread, WhatComesInTheMiddleOfAWaitTakesNoTurnBack) {
  Serial serial;
  const Serial::Turn turn(&serial);
  {
    const core::LetGo waiting;
    {
      const Serial::Turn nested(&serial);
      EXPECT_TRUE(core::UpcallLock::held_here());
    }
    EXPECT_FALSE(core::UpcallLock::held_here()) << "behind an upcall of the same adapter";
    { const core::LetGo nested; }
    EXPECT_FALSE(core::UpcallLock::held_here()) << "behind one of another adapter that has waited";
  }
  EXPECT_TRUE(core::UpcallLock::held_here());
}

}  // namespace
}  // namespace corbel::poa
