// The adapters' part of the thread-safety contract: every function from any thread at once.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "tests/unit/poa/support.h"

namespace corbel::poa {
namespace {

using State = Manager::State;

// Runs each function again and again, each in a thread of its own, for a moment.
template <typename... Functions>
void storm(Functions... functions) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  (threads.emplace_back([&stop, functions] {
    while (!stop.load()) functions();
  }),
   ...);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  stop = true;
  for (std::thread& t : threads) t.join();
}

// A servant that notices when it runs although nobody holds it.
struct Watched {
  Watched() {
    servant.during = [this] {
      if (servant.holders() <= 0) stray = true;
    };
  }
  ~Watched() {
    EXPECT_FALSE(stray);
    EXPECT_EQ(servant.holders(), 0);
  }
  tiny::Servant servant;
  std::atomic<bool> stray{false};
};

TEST(PoaConcurrency, RequestsAgainstActivationAndDeactivation) {
  Watched watched;
  {
    World world;
    std::atomic<int> strange{0};
    // Written by one thread, read by the callers: a key that may be stale by the time it is used.
    base::Mutex mutex;
    std::string key;
    const auto caller = [&] {
      mutex.lock();
      const std::string k = key;
      mutex.unlock();
      const SystemErrorId answer = world.send(k);
      if (answer != SystemErrorId::None && answer != SystemErrorId::OBJECT_NOT_EXIST) ++strange;
    };
    storm(caller, caller, [&] {
      std::string id;
      if (world.root().activate(watched.servant, id) != Outcome::Ok) ++strange;
      mutex.lock();
      key = world.key(world.root(), id);
      mutex.unlock();
      std::this_thread::yield();
      if (world.root().deactivate(id) != Outcome::Ok) ++strange;
    });
    EXPECT_EQ(strange, 0);
    EXPECT_GT(watched.servant.calls(), 0);
  }
}

TEST(PoaConcurrency, RequestsAlwaysFindTheirOwnObject) {
  constexpr int kObjects = 200;
  Watched watched[2];
  {
    World world;
    Policies policies = user_ids(true);
    policies.multiple_id = true;
    const auto adapter = world.make("a", policies);
    std::atomic<int> wrong{0};
    for (int which : {0, 1}) {
      tiny::Servant& servant = watched[which].servant;
      const auto check = servant.during;
      servant.during = [&wrong, which, check] {
        check();
        // Even ids are the first servant's, odd ids the second's.
        if ((current_target()->id.back() - '0') % 2 != which) ++wrong;
      };
    }
    std::vector<std::string> keys;
    for (int i = 0; i < kObjects; ++i) keys.push_back(world.key(*adapter, std::to_string(i)));
    const auto caller = [&] {
      for (const std::string& key : keys) (void)world.send(key);
    };
    const auto owner = [&](int which) {
      for (int i = which; i < kObjects; i += 2)
        if (adapter->activate_with_id(watched[which].servant, std::to_string(i)) != Outcome::Ok) ++wrong;
      for (int i = which; i < kObjects; i += 2)
        if (adapter->deactivate(std::to_string(i)) != Outcome::Ok) ++wrong;
    };
    storm(
        caller, caller, [&] { owner(0); }, [&] { owner(1); });
    EXPECT_EQ(wrong, 0);
    for (const Watched& w : watched) EXPECT_GT(w.servant.calls(), 0);
  }
}

TEST(PoaConcurrency, RequestsAgainstDestroy) {
  Watched watched;
  {
    World world;
    std::atomic<int> strange{0};
    Policies policies = user_ids(true);
    const std::string key = world.key(*world.make("a", policies), "object");
    const auto caller = [&] {
      const SystemErrorId answer = world.send(key);
      if (answer != SystemErrorId::None && answer != SystemErrorId::OBJECT_NOT_EXIST &&
          answer != SystemErrorId::TRANSIENT)
        ++strange;
      if (world.locate(key) == core::Dispatcher::Location::Here) std::this_thread::yield();
    };
    storm(caller, caller, [&] {
      auto adapter = world.root().find_child("a");
      if (!adapter) adapter = world.make("a", policies);
      if (adapter->activate_with_id(watched.servant, "object") != Outcome::Ok) ++strange;
      std::this_thread::yield();
      if (adapter->destroy(true, true) != Outcome::Ok || watched.servant.holders() != 0) ++strange;
    });
    EXPECT_EQ(strange, 0);
    EXPECT_GT(watched.servant.calls(), 0);
  }
}

TEST(PoaConcurrency, DestroyFromSeveralThreadsAgainstMakingChildren) {
  World world;
  Watched watched;
  const auto maker = [&] {
    const auto adapter = world.root().find_child("a");
    base::Ref<Adapter> child;
    if (!adapter) (void)world.make("a", {});
    else (void)adapter->create_child("b", user_ids(true), nullptr, child);
    if (child) (void)child->activate_with_id(watched.servant, "x");
  };
  const auto destroyer = [&] {
    if (const auto adapter = world.root().find_child("a")) (void)adapter->destroy(true, true);
  };
  storm(maker, maker, destroyer, destroyer);
  if (const auto adapter = world.root().find_child("a")) (void)adapter->destroy(true, true);
  EXPECT_TRUE(world.root().children().empty());
}

TEST(PoaConcurrency, RequestsAgainstChangesOfTheDefaultServant) {
  Watched first, second;
  {
    World world;
    Policies policies = user_ids();
    policies.multiple_id = policies.default_servant = true;
    policies.retain = false;
    const auto adapter = world.make("a", policies);
    const std::string key = world.key(*adapter, "x");
    std::atomic<int> strange{0};
    const auto caller = [&] {
      const SystemErrorId answer = world.send(key);
      if (answer != SystemErrorId::None && answer != SystemErrorId::OBJ_ADAPTER) ++strange;
      core::Servant* found;
      if (adapter->default_servant(found) == Outcome::Ok) found->functions().remove_ref(*found);
    };
    storm(caller, caller, [&] {
      (void)adapter->set_default_servant(&first.servant);
      (void)adapter->set_default_servant(&second.servant);
      (void)adapter->set_default_servant(nullptr);
    });
    EXPECT_EQ(strange, 0);
    EXPECT_GT(first.servant.calls() + second.servant.calls(), 0);
  }
}

TEST(PoaConcurrency, RequestsAgainstManagerStates) {
  Watched watched;
  {
    World world;
    base::Ref<Adapter> adapter;
    ASSERT_EQ(world.root().create_child("a", user_ids(), nullptr, adapter), Outcome::Ok);
    ASSERT_EQ(adapter->activate_with_id(watched.servant, "object"), Outcome::Ok);
    const std::string key = world.key(*adapter, "object");
    Manager& manager = adapter->manager();
    std::atomic<bool> quiet{false};
    std::atomic<int> strange{0};
    watched.servant.during = [&] {
      if (quiet.load()) ++strange;
      std::this_thread::yield();
      if (quiet.load()) ++strange;
    };
    const auto caller = [&] {
      const SystemErrorId answer = world.send(key);
      if (answer != SystemErrorId::None && answer != SystemErrorId::TRANSIENT) ++strange;
    };
    storm(caller, caller, [&] {
      (void)manager.change(State::Active, false);
      std::this_thread::yield();
      for (const State state : {State::Holding, State::Discarding}) {
        (void)manager.change(state, true);
        quiet = true;
        std::this_thread::yield();
        quiet = false;
        (void)manager.change(State::Active, false);
      }
    });
    EXPECT_EQ(strange, 0) << "nothing runs between the end of the wait and the next activation";
    EXPECT_GT(watched.servant.calls(), 0);
  }
}

TEST(PoaConcurrency, RequestsAndConversionsAgainstShutdown) {
  for (int round = 0; round < 20; ++round) {
    Watched watched;
    World world;
    std::string id;
    ASSERT_EQ(world.root().activate(watched.servant, id), Outcome::Ok);
    const std::string key = world.key(world.root(), id);
    std::atomic<bool> stop{false};
    std::thread caller([&] {
      while (!stop) (void)world.send(key);
    });
    std::thread converter([&] {
      core::Servant* found;
      while (!stop)
        if (world.root().id_to_servant(id, found) == Outcome::Ok) found->functions().remove_ref(*found);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_FALSE(world.orb->shutdown(true));
    stop = true;
    caller.join();
    converter.join();
    EXPECT_EQ(watched.servant.holders(), 0);
  }
}

TEST(PoaConcurrency, ImplicitActivationGivesEveryThreadTheSameId) {
  for (int round = 0; round < 50; ++round) {
    Watched watched;
    World world;
    std::string ids[2];
    std::thread one([&] { EXPECT_EQ(world.root().servant_to_id(watched.servant, ids[0]), Outcome::Ok); });
    std::thread two([&] { EXPECT_EQ(world.root().servant_to_id(watched.servant, ids[1]), Outcome::Ok); });
    one.join();
    two.join();
    EXPECT_EQ(ids[0], ids[1]);
    EXPECT_EQ(watched.servant.holders(), 1);
    ASSERT_EQ(world.root().deactivate(ids[0]), Outcome::Ok);
  }
}

}  // namespace
}  // namespace corbel::poa
