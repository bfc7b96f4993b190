// CORBA 3.4 part 1, "AdapterActivator Interface", and find_POA.
#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <utility>

#include "orb/poa/key.h"
#include "tests/support/asleep.h"
#include "tests/unit/poa/support.h"

namespace corbel::poa {
namespace {

// Makes persistent adapters with one active object, "x".
struct Maker : AdapterActivator {
  SystemError unknown_adapter(Adapter& parent, const std::string& name, bool& made) override {
    ++calls;
    if (instead) return instead(parent, name, made);
    made = make(parent, name) != nullptr;
    return {};
  }
  base::Ref<Adapter> make(Adapter& parent, const std::string& name) {
    base::Ref<Adapter> child;
    if (parent.create_child(name, policies, base::Ref<Manager>::share(&parent.manager()), child) !=
        Outcome::Ok)
      return nullptr;
    child->set_activator_of_children(base::Ref<AdapterActivator>::share(this));
    EXPECT_EQ(child->activate_with_id(servant, "x"), Outcome::Ok);
    return child;
  }
  Maker() { policies.persistent = policies.user_id = policies.multiple_id = true; }

  Policies policies;
  tiny::Servant servant;
  std::atomic<int> calls{0};
  std::function<SystemError(Adapter&, const std::string&, bool&)> instead;
};

struct Activating : testing::Test {
  base::Ref<Maker> maker = base::make_ref<Maker>();
  World world;
  Activating() { world.root().set_activator_of_children(maker); }
  ~Activating() override { (void)world.orb->destroy(); }

  // The key of "x" in the adapter of these names, as an earlier start of the server made it.
  std::string key(std::initializer_list<const char*> names, const char* server = "server") {
    std::string path;
    (void)add_to_path(path, server);
    for (const char* name : names) (void)add_to_path(path, name);
    return PersistentKey{hint_of(path), path, hint_of("x"), "x"}.text();
  }
  SystemError error(const std::string& key) { return Call(*world.orb).send(key); }
};

TEST_F(Activating, ARequestMakesItsAdapterAndThoseAboveIt) {
  EXPECT_EQ(world.send(key({"a", "b", "c"})), SystemErrorId::None);
  EXPECT_EQ(maker->calls, 3);
  EXPECT_EQ(world.send(key({"a", "b"})), SystemErrorId::None);
  EXPECT_EQ(maker->calls, 3);
  EXPECT_EQ(maker->servant.calls(), 2);
}

TEST_F(Activating, WithoutAnActivatorTheAdapterDoesNotExist) {
  world.root().set_activator_of_children(nullptr);
  const SystemError e = error(key({"a"}));
  EXPECT_EQ(e.id, SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(e.minor, 0x4f4d0002u);
  EXPECT_EQ(world.locate(key({"a"})), core::Dispatcher::Location::Unknown);
}

TEST_F(Activating, AKeyOfAnotherServerIsNotAskedFor) {
  EXPECT_EQ(world.send(key({"a"}, "other")), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(maker->calls, 0);
}

TEST_F(Activating, WhatItDoesNotMakeDoesNotExist) {
  maker->instead = [](Adapter&, const std::string&, bool& made) { return made = false, SystemError(); };
  EXPECT_EQ(world.send(key({"a"})), SystemErrorId::OBJECT_NOT_EXIST);
  maker->instead = [](Adapter&, const std::string&, bool& made) { return made = true, SystemError(); };
  EXPECT_EQ(world.send(key({"a"})), SystemErrorId::OBJECT_NOT_EXIST) << "it only says that it has";
  maker->policies.persistent = false;
  maker->instead = nullptr;
  EXPECT_EQ(world.send(key({"a"})), SystemErrorId::OBJECT_NOT_EXIST) << "it has made one with other keys";
}

TEST_F(Activating, ItsErrorBecomesObjAdapter) {
  maker->instead = [](Adapter&, const std::string&, bool&) {
    return SystemError{SystemErrorId::NO_MEMORY, Completion::No, 0, nullptr};
  };
  const SystemError e = error(key({"a"}));
  EXPECT_EQ(e.id, SystemErrorId::OBJ_ADAPTER);
  EXPECT_EQ(e.minor, 0x4f4d0001u);
  base::Ref<Adapter> found;
  EXPECT_EQ(world.root().find("a", true, found), Outcome::ActivatorFailed);
}

TEST_F(Activating, FindAsksOnlyIfToldTo) {
  base::Ref<Adapter> found;
  EXPECT_EQ(world.root().find("a", false, found), Outcome::AdapterNonExistent);
  EXPECT_EQ(maker->calls, 0);
  ASSERT_EQ(world.root().find("a", true, found), Outcome::Ok);
  EXPECT_EQ(found->name(), "a");
  ASSERT_EQ(world.root().find("a", true, found), Outcome::Ok);
  EXPECT_EQ(maker->calls, 1);
  maker->instead = [](Adapter&, const std::string&, bool& made) { return made = false, SystemError(); };
  EXPECT_EQ(world.root().find("b", true, found), Outcome::AdapterNonExistent);
}

TEST_F(Activating, TheActivatorItselfFindsWhatItHasMadeAndDoesNotWaitForItself) {
  maker->instead = [&](Adapter& parent, const std::string& name, bool& made) {
    base::Ref<Adapter> found;
    EXPECT_EQ(parent.find(name, true, found), Outcome::AdapterNonExistent);
    const auto child = maker->make(parent, name);
    EXPECT_EQ(parent.find(name, true, found), Outcome::Ok);
    EXPECT_EQ(found, child);
    EXPECT_EQ(world.send(key({"a"})), SystemErrorId::BAD_INV_ORDER) << "it is not ready yet";
    made = true;
    return SystemError();
  };
  EXPECT_EQ(world.send(key({"a"})), SystemErrorId::None);
  EXPECT_EQ(maker->calls, 1);
}

// What ends a wait for the parent's requests may be one that waits for the parent's turn.
TEST_F(Activating, WhereFindAsksForItWaitsForNothingThatMayWaitForIt) {
  Policies policies;
  policies.thread = Thread::SingleThread;
  const auto parent = world.make("parent", policies);
  parent->set_activator_of_children(maker);
  maker->instead = [&](Adapter& at, const std::string&, bool& made) {
    EXPECT_EQ(at.manager().change(Manager::State::Holding, true), Outcome::WouldWaitForItself);
    EXPECT_EQ(at.manager().deactivate(true, true), Outcome::WouldWaitForItself);
    EXPECT_EQ(at.destroy(true, true), Outcome::WouldWaitForItself);
    EXPECT_EQ(world.orb->shutdown(true).id, SystemErrorId::BAD_INV_ORDER);
    made = false;
    return SystemError();
  };
  base::Ref<Adapter> found;
  EXPECT_EQ(parent->find("a", true, found), Outcome::AdapterNonExistent);
  EXPECT_EQ(maker->calls, 1);
  EXPECT_FALSE(world.orb->in_upcall());
}

TEST_F(Activating, RequestsWaitUntilTheAdapterIsReady) {
  for (const bool persistent : {true, false}) {
    maker->policies.persistent = persistent;
    std::atomic<bool> made_it{false}, let_go{false}, answered{false};
    base::Ref<Adapter> child;
    maker->instead = [&](Adapter& parent, const std::string& name, bool& made) {
      child = maker->make(parent, name);
      EXPECT_EQ(child->deactivate("x"), Outcome::Ok);
      made_it = true;
      while (!let_go) std::this_thread::yield();
      EXPECT_EQ(child->activate_with_id(maker->servant, "x"), Outcome::Ok);
      made = true;
      return SystemError();
    };
    const std::string name = persistent ? "persistent" : "transient";
    base::Ref<Adapter> found;
    std::thread finder([&] { EXPECT_EQ(world.root().find(name, true, found), Outcome::Ok); });
    while (!made_it) std::this_thread::yield();
    std::thread caller([&] {
      EXPECT_EQ(world.send(world.key(*child, "x")), SystemErrorId::None);
      answered = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(answered);
    let_go = true;
    finder.join();
    caller.join();
  }
}

TEST_F(Activating, AStormReachesItOnce) {
  for (const bool made : {true, false}) {
    maker->calls = 0;
    testing_support::Sleepers started;
    std::atomic<int> other{0};
    maker->instead = [&](Adapter& parent, const std::string& name, bool& result) {
      EXPECT_TRUE(started.wait_for(8));
      result = made && maker->make(parent, name);
      return SystemError();
    };
    const std::string target = key({made ? "yes" : "no"});
    std::vector<std::thread> callers;
    for (int i = 0; i < 8; ++i)
      callers.emplace_back([&] {
        started.join();
        if (world.send(target) != (made ? SystemErrorId::None : SystemErrorId::OBJECT_NOT_EXIST)) ++other;
      });
    for (std::thread& t : callers) t.join();
    EXPECT_EQ(maker->calls, 1);
    EXPECT_EQ(other, 0);
  }
}

TEST_F(Activating, IsNotCalledWhileTheParentsManagerHoldsOrRefuses) {
  Manager& manager = world.root().manager();
  ASSERT_EQ(manager.change(Manager::State::Discarding, false), Outcome::Ok);
  EXPECT_EQ(world.send(key({"a"})), SystemErrorId::TRANSIENT);
  ASSERT_EQ(manager.change(Manager::State::Holding, false), Outcome::Ok);
  std::thread caller([&] { EXPECT_EQ(world.send(key({"a"})), SystemErrorId::None); });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(maker->calls, 0);
  ASSERT_EQ(manager.change(Manager::State::Active, false), Outcome::Ok);
  caller.join();
  EXPECT_EQ(maker->calls, 1);
}

TEST_F(Activating, ADestroyedAdapterIsMadeAgain) {
  ASSERT_EQ(world.send(key({"a"})), SystemErrorId::None);
  bool first = true;
  maker->servant.during = [&] {
    if (!std::exchange(first, false)) return;
    EXPECT_EQ(world.root().find_child("a")->destroy(true, false), Outcome::Ok);
    EXPECT_EQ(error(key({"a"})).minor, 0x4f4d0004u) << "not while a request runs in the old one";
    EXPECT_EQ(error(key({"a", "b"})).minor, 0x4f4d0004u);
  };
  ASSERT_EQ(world.send(key({"a"})), SystemErrorId::None);
  EXPECT_EQ(maker->calls, 1);
  ASSERT_EQ(world.send(key({"a"})), SystemErrorId::None);
  EXPECT_EQ(maker->calls, 2);
}

TEST_F(Activating, MayDestroyWhatItHasMade) {
  maker->instead = [&](Adapter& parent, const std::string& name, bool& made) {
    EXPECT_EQ(maker->make(parent, name)->destroy(true, false), Outcome::Ok);
    made = true;
    return SystemError();
  };
  EXPECT_EQ(world.send(key({"a"})), SystemErrorId::OBJECT_NOT_EXIST);
  maker->instead = nullptr;
  EXPECT_EQ(world.send(key({"a"})), SystemErrorId::None);
}

TEST_F(Activating, LocatingAsksNobody) {
  EXPECT_EQ(world.locate(key({"a", "b"})), core::Dispatcher::Location::Here);
  EXPECT_EQ(maker->calls, 0);
}

TEST_F(Activating, WhoLocatesAnAdapterInTheMakingIsTriedByARequestThatWaits) {
  for (const bool persistent : {true, false}) {
    maker->policies.persistent = persistent;
    const std::string name = persistent ? "persistent" : "transient";
    std::string unborn, born;
    maker->instead = [&](Adapter& parent, const std::string& n, bool& made) {
      if (persistent) {
        EXPECT_EQ(world.locate(key({n.c_str()})), core::Dispatcher::Location::Here);
      }
      const auto child = maker->make(parent, n);
      born = world.key(*child, "x");
      const auto below = maker->make(*child, "below");
      for (const std::string& k : {born, world.key(*below, "x")})
        EXPECT_EQ(world.locate(k), core::Dispatcher::Location::Here);
      EXPECT_EQ(child->deactivate("x"), Outcome::Ok);
      unborn = world.key(*child, "unborn");
      EXPECT_EQ(world.locate(unborn), core::Dispatcher::Location::Here) << "nobody can tell yet";
      EXPECT_EQ(child->activate_with_id(maker->servant, "x"), Outcome::Ok);
      made = true;
      return SystemError();
    };
    base::Ref<Adapter> found;
    ASSERT_EQ(world.root().find(name, true, found), Outcome::Ok);
    EXPECT_EQ(world.locate(born), core::Dispatcher::Location::Here);
    EXPECT_EQ(world.locate(unborn), core::Dispatcher::Location::Unknown);
    ASSERT_EQ(found->destroy(true, true), Outcome::Ok);
  }
}

TEST_F(Activating, LocatingAgreesWithRequestsWhateverTheActivatorDoes) {
  maker->policies.persistent = false;
  for (int round = 0; round < 200; ++round) {
    std::atomic<bool> made_it{false};
    std::string target;
    maker->instead = [&](Adapter& parent, const std::string& name, bool& made) {
      const auto child = maker->make(parent, name);
      target = world.key(*child, "x");
      made_it = true;
      made = true;
      return SystemError();
    };
    std::thread asker([&] {
      while (!made_it) std::this_thread::yield();
      EXPECT_EQ(world.locate(target), core::Dispatcher::Location::Here);
      EXPECT_EQ(Call(*world.orb).send(target, "_non_existent").id, SystemErrorId::BAD_OPERATION)
          << "it has come to the servant, which knows no such operation";
    });
    base::Ref<Adapter> found;
    EXPECT_EQ(world.root().find("a", true, found), Outcome::Ok);
    asker.join();
    EXPECT_EQ(found->destroy(true, true), Outcome::Ok);
  }
}

TEST_F(Activating, TheActivatorConvertsReferencesOfWhatItMakes) {
  maker->policies.implicit_activation = false;
  for (const auto format : {KeyFormat::Corbel, KeyFormat::OmniOrb, KeyFormat::Tao}) {
    for (const bool persistent : {true, false}) {
      if (!persistent && format != KeyFormat::Corbel) continue;
      maker->policies.persistent = persistent;
      maker->policies.key_format = format;
      maker->instead = [&](Adapter& parent, const std::string& name, bool& made) {
        const auto child = maker->make(parent, name), below = maker->make(*child, "below");
        std::string id;
        for (const auto& adapter : {child, below}) {
          EXPECT_EQ(adapter->key_to_id(world.key(*adapter, "x"), id), Outcome::Ok);
          EXPECT_EQ(id, "x");
          core::Servant* servant = nullptr;
          EXPECT_EQ(adapter->id_to_servant(id, servant), Outcome::Ok);
          EXPECT_EQ(servant, &maker->servant);
          if (servant) servant->functions().remove_ref(*servant);
        }
        EXPECT_EQ(child->key_to_id(world.key(*below, "x"), id), Outcome::WrongAdapter);
        EXPECT_EQ(below->key_to_id(world.key(*child, "x"), id), Outcome::WrongAdapter);
        made = true;
        return SystemError();
      };
      base::Ref<Adapter> found;
      ASSERT_EQ(world.root().find("a", true, found), Outcome::Ok);
      ASSERT_EQ(found->destroy(true, true), Outcome::Ok);
    }
  }
}

TEST_F(Activating, MalformedPathsNameNothing) {
  const std::string good = key({"a"});
  PersistentKey parts;
  ASSERT_TRUE(parts.parse(good));
  std::string path(parts.path);
  path += '\x00';  // half of a size
  EXPECT_EQ(world.send(PersistentKey{hint_of(path), path, 0, "x"}.text()), SystemErrorId::OBJECT_NOT_EXIST);
  path.back() = '\x7f';
  path += "\x7f";  // a name longer than the path
  EXPECT_EQ(world.send(PersistentKey{hint_of(path), path, 0, "x"}.text()), SystemErrorId::OBJECT_NOT_EXIST);
}

// ---- managers and their ids

TEST(Managers, AreKnownByTheirIdsWhileTheyHaveAdapters) {
  World world;
  AdapterTable& table = world.table();
  EXPECT_EQ(table.find_manager("RootPOAManager").get(), &world.root().manager());
  base::Ref<Manager> made, again;
  ASSERT_EQ(table.make_manager("mine", made), Outcome::Ok);
  EXPECT_EQ(table.make_manager("mine", again), Outcome::ManagerExists);
  EXPECT_EQ(table.find_manager("mine"), made);
  base::Ref<Adapter> adapter, other;
  ASSERT_EQ(world.root().create_child("a", {}, made, adapter), Outcome::Ok);
  ASSERT_EQ(world.root().create_child("b", {}, nullptr, other), Outcome::Ok);
  EXPECT_EQ(table.find_manager(other->manager().id()).get(), &other->manager());
  EXPECT_EQ(table.managers().size(), 4u) << "the root's, that of plain names, and these two";
  EXPECT_EQ(world.root().create_child("b", {}, nullptr, other), Outcome::AdapterAlreadyExists);
  EXPECT_EQ(table.managers().size(), 4u);
  ASSERT_EQ(adapter->destroy(true, true), Outcome::Ok);
  EXPECT_FALSE(table.find_manager("mine"));
  EXPECT_EQ(table.make_manager("mine", again), Outcome::Ok);
  EXPECT_NE(again, made);
  EXPECT_EQ(again->state(), Manager::State::Holding);
}

}  // namespace
}  // namespace corbel::poa
