#include "orb/poa/adapter.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/unit/poa/support.h"

namespace corbel::poa {
namespace {

Policies with_default_servant(bool retain) {
  Policies p = user_ids();
  p.multiple_id = p.default_servant = true;
  p.retain = retain;
  return p;
}

// ---- the tree

TEST(AdapterTree, NamesAreUniqueAmongSiblingsOnly) {
  World world;
  const auto a = world.make("a", {});
  ASSERT_TRUE(a);
  base::Ref<Adapter> again;
  EXPECT_EQ(world.root().create_child("a", {}, nullptr, again), Outcome::AdapterAlreadyExists);
  EXPECT_EQ(a->create_child("a", {}, nullptr, again), Outcome::Ok);
  EXPECT_EQ(again->parent(), a.get());
  EXPECT_EQ(world.root().find_child("a"), a);
  EXPECT_FALSE(world.root().find_child("b"));
  EXPECT_EQ(world.root().children().size(), 1u);
  EXPECT_NE(a->id(), again->id());
}

TEST(AdapterTree, WithoutAManagerAChildGetsOneThatHolds) {
  World world;
  base::Ref<Adapter> child;
  ASSERT_EQ(world.root().create_child("a", {}, nullptr, child), Outcome::Ok);
  EXPECT_NE(&child->manager(), &world.root().manager());
  EXPECT_EQ(child->manager().state(), Manager::State::Holding);
}

TEST(AdapterTree, DestroyTakesTheChildrenTooAndFreesTheName) {
  tiny::Servant servant;
  World world;
  const auto a = world.make("a", user_ids(true));
  const auto b = world.make("b", user_ids(true), a.get());
  ASSERT_EQ(b->activate_with_id(servant, "object"), Outcome::Ok);
  const std::string key = world.key(*b, "object");
  ASSERT_EQ(a->destroy(true, true), Outcome::Ok);
  EXPECT_TRUE(a->destroyed());
  EXPECT_TRUE(b->destroyed());
  EXPECT_EQ(servant.holders(), 0);
  EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
  base::Ref<Adapter> child;
  EXPECT_EQ(a->create_child("c", {}, nullptr, child), Outcome::Destroyed);
  EXPECT_EQ(b->activate_with_id(servant, "other"), Outcome::Destroyed);
  EXPECT_EQ(servant.holders(), 0);
  std::string made;
  EXPECT_EQ(b->make_key("object", made), Outcome::Destroyed);

  const auto a2 = world.make("a", user_ids(true));
  ASSERT_TRUE(a2);
  const auto b2 = world.make("b", user_ids(true), a2.get());
  ASSERT_EQ(b2->activate_with_id(servant, "object"), Outcome::Ok);
  EXPECT_EQ(world.send(key), SystemErrorId::None) << "a persistent key means the new adapter of the name";
  EXPECT_NE(a->id(), a2->id());
}

TEST(AdapterTree, ATransientKeyDoesNotMeanALaterAdapterOfTheName) {
  tiny::Servant servant;
  World world;
  const auto a = world.make("a", user_ids());
  ASSERT_EQ(a->activate_with_id(servant, "object"), Outcome::Ok);
  const std::string key = world.key(*a, "object");
  ASSERT_EQ(a->destroy(true, false), Outcome::Ok);
  const auto later = world.make("a", user_ids());
  ASSERT_EQ(later->activate_with_id(servant, "object"), Outcome::Ok);
  EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(world.send(world.key(*later, "object")), SystemErrorId::None);
}

TEST(AdapterTree, NamesThatNoKeyCanHoldAreRefused) {
  World world;
  base::Ref<Adapter> child;
  EXPECT_EQ(world.root().create_child(std::string(70000, 'x'), user_ids(true), nullptr, child),
            Outcome::NameTooLong);
  EXPECT_EQ(world.root().create_child(std::string(70000, 'x'), user_ids(false), nullptr, child), Outcome::Ok);
}

TEST(AdapterTree, ManyPersistentAdaptersAreAllFound) {
  tiny::Servant servant;
  World world;
  std::vector<std::string> keys;
  for (int i = 0; i < 300; ++i) {
    const auto adapter = world.make(std::to_string(i), user_ids(true));
    ASSERT_EQ(adapter->activate_with_id(servant, "object"), Outcome::Ok);
    keys.push_back(world.key(*adapter, "object"));
  }
  for (const std::string& key : keys) EXPECT_EQ(world.send(key), SystemErrorId::None);
}

TEST(AdapterDestroy, WaitingInsideAnUpcallIsRefusedAndChangesNothing) {
  tiny::Servant servant;
  World world;
  const auto a = world.make("a", user_ids());
  ASSERT_EQ(a->activate_with_id(servant, "object"), Outcome::Ok);
  Outcome outcome = Outcome::Ok;
  servant.during = [&] { outcome = a->destroy(true, true); };
  EXPECT_EQ(world.send(world.key(*a, "object")), SystemErrorId::None);
  EXPECT_EQ(outcome, Outcome::WouldWaitForItself);
  EXPECT_FALSE(a->destroyed());
}

TEST(AdapterDestroy, WithoutWaitingItWorksInsideAnUpcallOfItsOwn) {
  tiny::Servant servant;
  World world;
  auto a = world.make("a", user_ids());
  ASSERT_EQ(a->activate_with_id(servant, "object"), Outcome::Ok);
  const std::string key = world.key(*a, "object");
  int holders = 0;
  servant.during = [&] {
    EXPECT_EQ(a->destroy(true, false), Outcome::Ok);
    a = nullptr;
    holders = servant.holders();
  };
  EXPECT_EQ(world.send(key), SystemErrorId::None);
  EXPECT_EQ(holders, 1) << "kept for the running request";
  EXPECT_EQ(servant.holders(), 0);
  EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
}

TEST(AdapterDestroy, WaitsForTheRequestThatRuns) {
  tiny::Servant servant;
  World world;
  const auto a = world.make("a", user_ids());
  ASSERT_EQ(a->activate_with_id(servant, "object"), Outcome::Ok);
  const std::string key = world.key(*a, "object");
  std::atomic<bool> inside{false}, let_go{false}, left{false};
  servant.during = [&] {
    inside = true;
    while (!let_go) std::this_thread::yield();
    left = true;
  };
  std::thread caller([&] { EXPECT_EQ(world.send(key), SystemErrorId::None); });
  while (!inside) std::this_thread::yield();
  std::thread releaser([&] {
    while (!a->destroyed()) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    let_go = true;
  });
  EXPECT_EQ(a->destroy(true, true), Outcome::Ok);
  EXPECT_TRUE(left);
  EXPECT_EQ(servant.holders(), 0);
  caller.join();
  releaser.join();
}

// ---- activation

TEST(Activation, SystemIdsAreNewEachTime) {
  tiny::Servant a, b;
  World world;
  std::string first, second, third;
  ASSERT_EQ(world.root().activate(a, first), Outcome::Ok);
  ASSERT_EQ(world.root().activate(b, second), Outcome::Ok);
  EXPECT_NE(first, second);
  EXPECT_EQ(first.size(), 8u);
  ASSERT_EQ(world.root().deactivate(first), Outcome::Ok);
  ASSERT_EQ(world.root().activate(a, third), Outcome::Ok);
  EXPECT_NE(third, first) << "the slot is the same, its generation is not";
  EXPECT_EQ(world.send(world.key(world.root(), first)), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(world.send(world.key(world.root(), third)), SystemErrorId::None);
}

TEST(Activation, AServantIsCountedWhileItIsActive) {
  tiny::Servant servant;
  World world;
  std::string id;
  ASSERT_EQ(world.root().activate(servant, id), Outcome::Ok);
  EXPECT_EQ(servant.holders(), 1);
  ASSERT_EQ(world.root().deactivate(id), Outcome::Ok);
  EXPECT_EQ(servant.holders(), 0);
  EXPECT_EQ(world.root().deactivate(id), Outcome::ObjectNotActive);
}

TEST(Activation, RefusalsLeaveTheServantAlone) {
  tiny::Servant a, b;
  World world;
  std::string id, other;
  ASSERT_EQ(world.root().activate(a, id), Outcome::Ok);
  EXPECT_EQ(world.root().activate(a, other), Outcome::ServantAlreadyActive);
  EXPECT_EQ(world.root().activate_with_id(b, id), Outcome::ObjectAlreadyActive);
  EXPECT_EQ(a.holders(), 1);
  EXPECT_EQ(b.holders(), 0);
  const auto users = world.make("users", user_ids());
  EXPECT_EQ(users->activate(a, other), Outcome::WrongPolicy);
  ASSERT_EQ(users->activate_with_id(a, "x"), Outcome::Ok);
  EXPECT_EQ(users->activate_with_id(a, "y"), Outcome::ServantAlreadyActive);
  const auto none = world.make("none", with_default_servant(false));
  EXPECT_EQ(none->activate_with_id(b, "x"), Outcome::WrongPolicy);
  EXPECT_EQ(none->deactivate("x"), Outcome::WrongPolicy);
  EXPECT_EQ(b.holders(), 0);
}

TEST(Activation, WithMultipleIdsAServantServesMany) {
  tiny::Servant servant;
  World world;
  Policies policies = user_ids();
  policies.multiple_id = true;
  const auto adapter = world.make("a", policies);
  ASSERT_EQ(adapter->activate_with_id(servant, "x"), Outcome::Ok);
  ASSERT_EQ(adapter->activate_with_id(servant, "y"), Outcome::Ok);
  EXPECT_EQ(servant.holders(), 2);
  ASSERT_EQ(adapter->deactivate("x"), Outcome::Ok);
  EXPECT_EQ(servant.holders(), 1);
  EXPECT_EQ(world.send(world.key(*adapter, "x")), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(world.send(world.key(*adapter, "y")), SystemErrorId::None);
}

TEST(Activation, AnOldSystemIdCanBeActiveAgainAndStaysUnique) {
  tiny::Servant a, b, c;
  World world;
  std::string old, id;
  ASSERT_EQ(world.root().activate(a, old), Outcome::Ok);
  const std::string key = world.key(world.root(), old);
  ASSERT_EQ(world.root().deactivate(old), Outcome::Ok);
  ASSERT_EQ(world.root().activate(b, id), Outcome::Ok) << "takes the slot";
  ASSERT_EQ(world.root().activate_with_id(a, old), Outcome::Ok);
  EXPECT_EQ(world.key(world.root(), old), key);
  EXPECT_EQ(world.send(key), SystemErrorId::None);
  EXPECT_EQ(a.calls(), 1);
  EXPECT_EQ(b.calls(), 0);
}

TEST(Activation, IdsThatASystemIdAdapterCannotHaveMadeAreRefused) {
  tiny::Servant servant;
  World world;
  EXPECT_EQ(world.root().activate_with_id(servant, "x"), Outcome::BadId);
  EXPECT_EQ(world.root().activate_with_id(servant, std::string(8, '\0')), Outcome::BadId);
  EXPECT_EQ(world.root().activate_with_id(servant, std::string(8, '\xff')), Outcome::BadId);
  EXPECT_EQ(world.root().activate_with_id(servant, std::string(8, '\x12')), Outcome::BadId);
  std::string id;
  ASSERT_EQ(world.root().new_id(id), Outcome::Ok);
  EXPECT_EQ(world.root().check_id(id), Outcome::Ok);
  EXPECT_EQ(world.root().activate_with_id(servant, id), Outcome::Ok);
}

// An id of the next generation of a free slot is activated in another slot, before the free one gives it out.
TEST(Activation, AnIdThatWasTakenBeforeItsTimeIsNotGivenTwice) {
  tiny::Servant a, b, c, d;
  World world;
  std::string first, second, third;
  ASSERT_EQ(world.root().activate(a, first), Outcome::Ok);
  ASSERT_EQ(world.root().activate(b, second), Outcome::Ok);
  ASSERT_EQ(world.root().deactivate(first), Outcome::Ok);
  ASSERT_EQ(world.root().deactivate(second), Outcome::Ok);
  std::string early = first;
  const std::uint32_t next_generation = 1;
  std::memcpy(early.data() + 4, &next_generation, 4);
  ASSERT_EQ(world.root().activate_with_id(c, early), Outcome::Ok);
  ASSERT_EQ(world.root().activate(d, third), Outcome::Ok);
  EXPECT_NE(third, early);
  EXPECT_EQ(world.send(world.key(world.root(), early)), SystemErrorId::None);
  EXPECT_EQ(world.send(world.key(world.root(), third)), SystemErrorId::None);
  EXPECT_EQ(c.calls(), 1);
  EXPECT_EQ(d.calls(), 1);
}

TEST(Activation, AReferenceCanBeThereBeforeItsObject) {
  tiny::Servant servant;
  World world;
  std::string id;
  ASSERT_EQ(world.root().new_id(id), Outcome::Ok);
  const std::string key = world.key(world.root(), id);
  EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
  ASSERT_EQ(world.root().activate_with_id(servant, id), Outcome::Ok);
  EXPECT_EQ(world.send(key), SystemErrorId::None);
  EXPECT_EQ(world.key(world.root(), id), key);
}

TEST(Activation, PersistentSystemIdsDoNotRepeatAfterARestart) {
  std::string first, second;
  tiny::Servant servant;
  Policies policies;
  policies.persistent = true;
  {
    World world;
    const auto adapter = world.make("a", policies);
    ASSERT_EQ(adapter->activate(servant, first), Outcome::Ok);
  }
  tiny::Servant old;
  World world;
  const auto adapter = world.make("a", policies);
  ASSERT_EQ(adapter->activate(servant, second), Outcome::Ok);
  EXPECT_NE(first, second);
  EXPECT_EQ(adapter->activate_with_id(old, first), Outcome::Ok)
      << "an id of an earlier start can be served again";
  EXPECT_EQ(world.send(world.key(*adapter, first)), SystemErrorId::None);
  EXPECT_EQ(old.calls(), 1);
}

TEST(Deactivation, ReturnsAtOnceInsideTheObjectsOwnUpcall) {
  tiny::Servant servant;
  World world;
  std::string id;
  ASSERT_EQ(world.root().activate(servant, id), Outcome::Ok);
  const std::string key = world.key(world.root(), id);
  int holders = -1;
  SystemErrorId nested = SystemErrorId::None;
  servant.during = [&] {
    EXPECT_EQ(world.root().deactivate(id), Outcome::Ok);
    holders = servant.holders();
    nested = world.send(key);
  };
  EXPECT_EQ(world.send(key), SystemErrorId::None);
  EXPECT_EQ(holders, 1) << "the servant is still running";
  EXPECT_EQ(nested, SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(servant.holders(), 0);
}

TEST(Deactivation, TheServantCanBeActiveAgainWhileItsOldRequestRuns) {
  tiny::Servant servant;
  World world;
  std::string id, again;
  ASSERT_EQ(world.root().activate(servant, id), Outcome::Ok);
  servant.during = [&] {
    EXPECT_EQ(world.root().deactivate(id), Outcome::Ok);
    EXPECT_EQ(world.root().activate(servant, again), Outcome::Ok);
    EXPECT_EQ(servant.holders(), 2);
  };
  EXPECT_EQ(world.send(world.key(world.root(), id)), SystemErrorId::None);
  servant.during = nullptr;
  EXPECT_EQ(servant.holders(), 1);
  EXPECT_EQ(world.send(world.key(world.root(), again)), SystemErrorId::None);
}

// ---- the default servant

TEST(DefaultServant, ServesEveryIdThatIsNotActive) {
  tiny::Servant active, standard;
  World world;
  const auto adapter = world.make("a", with_default_servant(true));
  EXPECT_EQ(world.send(world.key(*adapter, "x")), SystemErrorId::OBJ_ADAPTER) << "there is none yet";
  ASSERT_EQ(adapter->set_default_servant(&standard), Outcome::Ok);
  ASSERT_EQ(adapter->activate_with_id(active, "active"), Outcome::Ok);
  std::string id;
  standard.during = [&] { EXPECT_EQ(adapter->servant_to_id(standard, id), Outcome::Ok); };
  EXPECT_EQ(world.send(world.key(*adapter, "x")), SystemErrorId::None);
  EXPECT_EQ(id, "x");
  EXPECT_EQ(world.send(world.key(*adapter, "active")), SystemErrorId::None);
  EXPECT_EQ(standard.calls(), 1);
  EXPECT_EQ(active.calls(), 1);
  EXPECT_EQ(adapter->servant_to_id(standard, id), Outcome::ServantNotActive) << "outside of its upcalls";
}

TEST(DefaultServant, IsReleasedAfterItsLastRequestWhenReplaced) {
  tiny::Servant first, second;
  World world;
  const auto adapter = world.make("a", with_default_servant(false));
  ASSERT_EQ(adapter->set_default_servant(&first), Outcome::Ok);
  int holders = 0;
  first.during = [&] {
    EXPECT_EQ(adapter->set_default_servant(&second), Outcome::Ok);
    holders = first.holders();
  };
  EXPECT_EQ(world.send(world.key(*adapter, "x")), SystemErrorId::None);
  EXPECT_EQ(holders, 1);
  EXPECT_EQ(first.holders(), 0);
  EXPECT_EQ(second.holders(), 1);
  EXPECT_EQ(world.send(world.key(*adapter, "x")), SystemErrorId::None);
  EXPECT_EQ(second.calls(), 1);
  core::Servant* found = nullptr;
  ASSERT_EQ(adapter->default_servant(found), Outcome::Ok);
  EXPECT_EQ(found, &second);
  EXPECT_EQ(second.holders(), 2);
  found->functions().remove_ref(*found);
  ASSERT_EQ(adapter->set_default_servant(nullptr), Outcome::Ok);
  EXPECT_EQ(second.holders(), 0);
  EXPECT_EQ(adapter->default_servant(found), Outcome::NoServant);
}

TEST(DefaultServant, NeedsItsPolicy) {
  tiny::Servant servant;
  World world;
  core::Servant* found;
  EXPECT_EQ(world.root().set_default_servant(&servant), Outcome::WrongPolicy);
  EXPECT_EQ(world.root().default_servant(found), Outcome::WrongPolicy);
  EXPECT_EQ(servant.holders(), 0);
}

// ---- conversions

TEST(Conversions, IdServantAndKeyLeadToEachOther) {
  tiny::Servant servant;
  World world;
  std::string id, found_id;
  ASSERT_EQ(world.root().activate(servant, id), Outcome::Ok);
  EXPECT_EQ(world.root().servant_to_id(servant, found_id), Outcome::Ok);
  EXPECT_EQ(found_id, id);
  core::Servant* found = nullptr;
  ASSERT_EQ(world.root().id_to_servant(id, found), Outcome::Ok);
  EXPECT_EQ(found, &servant);
  EXPECT_EQ(servant.holders(), 2);
  found->functions().remove_ref(*found);
  EXPECT_EQ(world.root().key_to_id(world.key(world.root(), id), found_id), Outcome::Ok);
  EXPECT_EQ(found_id, id);
}

TEST(Conversions, AKeyOfAnotherAdapterIsRefused) {
  World world;
  const auto a = world.make("a", user_ids());
  const auto b = world.make("b", user_ids(true));
  std::string id;
  EXPECT_EQ(a->key_to_id(world.key(*b, "x"), id), Outcome::WrongAdapter);
  EXPECT_EQ(b->key_to_id(world.key(*a, "x"), id), Outcome::WrongAdapter);
  EXPECT_EQ(a->key_to_id("x", id), Outcome::WrongAdapter);
  EXPECT_EQ(b->key_to_id(world.key(*b, "x"), id), Outcome::Ok);
  EXPECT_EQ(id, "x");
}

TEST(Conversions, WhatIsNotActiveIsSaidSo) {
  tiny::Servant servant;
  World world;
  const auto a = world.make("a", user_ids());
  core::Servant* found;
  std::string id;
  EXPECT_EQ(a->id_to_servant("x", found), Outcome::ObjectNotActive);
  EXPECT_EQ(a->active_servant("x", found), Outcome::ObjectNotActive);
  EXPECT_EQ(a->servant_to_id(servant, id), Outcome::ServantNotActive);
  EXPECT_EQ(a->new_id(id), Outcome::WrongPolicy);
}

TEST(Conversions, OnlyActiveObjectsCountForReferencesOfIds) {
  tiny::Servant standard;
  World world;
  const auto a = world.make("a", with_default_servant(true));
  const auto none = world.make("none", with_default_servant(false));
  ASSERT_EQ(a->set_default_servant(&standard), Outcome::Ok);
  core::Servant* found = nullptr;
  EXPECT_EQ(a->active_servant("x", found), Outcome::ObjectNotActive);
  EXPECT_EQ(none->active_servant("x", found), Outcome::WrongPolicy);
  ASSERT_EQ(a->id_to_servant("x", found), Outcome::Ok);
  EXPECT_EQ(found, &standard);
  found->functions().remove_ref(*found);
}

TEST(Conversions, WithMultipleIdsAndWithoutImplicitActivationAServantHasNoId) {
  tiny::Servant servant;
  World world;
  Policies policies = user_ids();
  policies.multiple_id = true;
  const auto a = world.make("a", policies);
  ASSERT_EQ(a->activate_with_id(servant, "x"), Outcome::Ok);
  std::string id;
  EXPECT_EQ(a->servant_to_id(servant, id), Outcome::WrongPolicy);
}

TEST(ImplicitActivation, HappensOnceWhereIdsAreUnique) {
  tiny::Servant servant;
  World world;
  std::string first, second;
  ASSERT_EQ(world.root().servant_to_id(servant, first), Outcome::Ok);
  ASSERT_EQ(world.root().servant_to_id(servant, second), Outcome::Ok);
  EXPECT_EQ(first, second);
  EXPECT_EQ(servant.holders(), 1);
  EXPECT_EQ(world.send(world.key(world.root(), first)), SystemErrorId::None);
}

TEST(ImplicitActivation, HappensEachTimeWhereTheyAreNot) {
  tiny::Servant servant;
  World world;
  Policies policies;
  policies.multiple_id = policies.implicit_activation = true;
  const auto a = world.make("a", policies);
  std::string first, second;
  ASSERT_EQ(a->servant_to_id(servant, first), Outcome::Ok);
  ASSERT_EQ(a->servant_to_id(servant, second), Outcome::Ok);
  EXPECT_NE(first, second);
  std::string inside;
  servant.during = [&] { EXPECT_EQ(a->servant_to_id(servant, inside), Outcome::Ok); };
  EXPECT_EQ(world.send(world.key(*a, second)), SystemErrorId::None);
  EXPECT_EQ(inside, second) << "in an upcall it is the target";
}

TEST(CurrentTarget, IsThatOfTheInnermostUpcall) {
  tiny::Servant outer, inner;
  World world;
  const auto a = world.make("a", user_ids());
  ASSERT_EQ(a->activate_with_id(outer, "outer"), Outcome::Ok);
  ASSERT_EQ(a->activate_with_id(inner, "inner"), Outcome::Ok);
  std::vector<std::string> ids;
  const auto note = [&] { ids.emplace_back(current_target()->id); };
  inner.during = note;
  outer.during = [&] {
    note();
    world.send(world.key(*a, "inner"));
    note();
    EXPECT_EQ(current_target()->adapter, a.get());
    EXPECT_EQ(current_target()->servant, &outer);
  };
  EXPECT_EQ(current_target(), nullptr);
  world.send(world.key(*a, "outer"));
  EXPECT_EQ(current_target(), nullptr);
  EXPECT_EQ(ids, (std::vector<std::string>{"outer", "inner", "outer"}));
}

TEST(Shutdown, ReleasesEveryServantAndRefusesRequests) {
  tiny::Servant a, b, c;
  World world;
  std::string id;
  ASSERT_EQ(world.root().activate(a, id), Outcome::Ok);
  const auto child = world.make("child", with_default_servant(true));
  ASSERT_EQ(child->set_default_servant(&b), Outcome::Ok);
  ASSERT_EQ(world.table().named().activate_with_id(c, "plain"), Outcome::Ok);
  const std::string key = world.key(world.root(), id);
  world.table().shutdown(true);
  EXPECT_EQ(a.holders() + b.holders() + c.holders(), 0);
  EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(world.send("plain"), SystemErrorId::OBJECT_NOT_EXIST);
}

}  // namespace
}  // namespace corbel::poa
