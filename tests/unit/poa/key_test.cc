#include "orb/poa/key.h"

#include <gtest/gtest.h>

#include "tests/unit/poa/support.h"

namespace corbel::poa {
namespace {

TEST(Key, TransientPartsSurvive) {
  const std::string text = TransientKey{0x0123456789abcdef, 7, 8, 9, "id"}.text();
  EXPECT_EQ(text.size(), 23u);
  EXPECT_EQ(text[0], 1);
  TransientKey key;
  ASSERT_TRUE(key.parse(text));
  EXPECT_EQ(key.incarnation, 0x0123456789abcdefu);
  EXPECT_EQ(key.adapter, 7u);
  EXPECT_EQ(key.generation, 8u);
  EXPECT_EQ(key.hint, 9u);
  EXPECT_EQ(key.id, "id");
}

TEST(Key, PersistentOctetsAreTheSameOnEveryMachine) {
  const std::string text = PersistentKey{0x01020304, "path", 0x05060708, "id"}.text();
  EXPECT_EQ(text, std::string("\x02\x01\x02\x03\x04\x00\x04path\x05\x06\x07\x08id", 17));
  PersistentKey key;
  ASSERT_TRUE(key.parse(text));
  EXPECT_EQ(key.path_hint, 0x01020304u);
  EXPECT_EQ(key.path, "path");
  EXPECT_EQ(key.hint, 0x05060708u);
  EXPECT_EQ(key.id, "id");
}

TEST(Key, WhatIsCutShortIsOfNoFormat) {
  const std::string transient = TransientKey{1, 2, 3, 4, ""}.text();
  const std::string persistent = PersistentKey{1, "path", 2, ""}.text();
  for (std::size_t size = 0; size < transient.size(); ++size)
    EXPECT_FALSE(TransientKey().parse(std::string_view(transient).substr(0, size))) << size;
  for (std::size_t size = 0; size < persistent.size(); ++size)
    EXPECT_FALSE(PersistentKey().parse(std::string_view(persistent).substr(0, size))) << size;
}

TEST(Key, APathThatIsLongerThanTheKeyIsRefused) {
  std::string text = PersistentKey{1, "path", 2, "id"}.text();
  text[5] = text[6] = '\xff';
  EXPECT_FALSE(PersistentKey().parse(text));
}

TEST(Key, PathsThatDifferOnlyInWhereNamesEndDiffer) {
  std::string a, b;
  ASSERT_TRUE(add_to_path(a, "x") && add_to_path(a, "yz"));
  ASSERT_TRUE(add_to_path(b, "xy") && add_to_path(b, "z"));
  EXPECT_NE(a, b);
}

TEST(Key, PathsEndAtTheSizeThatAKeyCanTell) {
  std::string path;
  ASSERT_TRUE(add_to_path(path, std::string(kMostPath - 2, 'x')));
  EXPECT_EQ(path.size(), kMostPath);
  EXPECT_FALSE(add_to_path(path, ""));
}

// ---- what the adapters make of keys

TEST(Dispatch, ForeignAndMangledKeysAreRefused) {
  tiny::Servant servant;
  World world;
  std::string id;
  ASSERT_EQ(world.root().activate(servant, id), Outcome::Ok);
  const std::string key = world.key(world.root(), id);
  ASSERT_EQ(world.send(key), SystemErrorId::None);
  // Every octet counts but those of the hint.
  for (std::size_t i = 0; i < key.size(); ++i) {
    std::string mangled = key;
    mangled[i] = static_cast<char>(mangled[i] ^ 0x40);
    const bool hint = i >= 17 && i < 21;
    EXPECT_EQ(world.send(mangled), hint ? SystemErrorId::None : SystemErrorId::OBJECT_NOT_EXIST) << i;
  }
  for (std::size_t size = 0; size < key.size(); ++size)
    EXPECT_EQ(world.send(key.substr(0, size)), SystemErrorId::OBJECT_NOT_EXIST) << size;
  EXPECT_EQ(world.send(key + "x"), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(servant.calls(), 1 + 4);
}

TEST(Dispatch, MangledPersistentKeysAreRefused) {
  tiny::Servant servant;
  World world;
  const auto adapter = world.make("files", user_ids(true));
  ASSERT_EQ(adapter->activate_with_id(servant, "readme"), Outcome::Ok);
  const std::string key = world.key(*adapter, "readme");
  ASSERT_EQ(world.send(key), SystemErrorId::None);
  const std::size_t hint = key.size() - 10;
  for (std::size_t i = 0; i < key.size(); ++i) {
    std::string mangled = key;
    mangled[i] = static_cast<char>(mangled[i] ^ 0x40);
    const bool hinting = (i >= 1 && i < 5) || (i >= hint && i < hint + 4);
    EXPECT_EQ(world.send(mangled), hinting ? SystemErrorId::None : SystemErrorId::OBJECT_NOT_EXIST) << i;
  }
  for (std::size_t size = 0; size < key.size(); ++size)
    EXPECT_EQ(world.send(key.substr(0, size)), SystemErrorId::OBJECT_NOT_EXIST) << size;
}

// Nor to one that stands where a persistent one was, whose hint is still there.
TEST(Dispatch, APersistentKeyWithoutAPathLeadsToNoAdapter) {
  tiny::Servant servant;
  World world;
  const auto former = world.make("former", user_ids(true));
  const std::string path = former->path();
  ASSERT_EQ(former->destroy(true, true), Outcome::Ok);
  const auto transient = world.make("transient", user_ids());
  ASSERT_EQ(transient->activate_with_id(servant, "object"), Outcome::Ok);
  EXPECT_EQ(world.send(PersistentKey{hint_of(path), "", hint_of("object"), "object"}.text()),
            SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(servant.calls(), 0);
}

TEST(Dispatch, AnEarlierStartsTransientKeyIsRefused) {
  std::string key;
  tiny::Servant servant;
  std::string id;
  {
    World world;
    ASSERT_EQ(world.root().activate(servant, id), Outcome::Ok);
    key = world.key(world.root(), id);
  }
  World world;
  ASSERT_EQ(world.root().activate(servant, id), Outcome::Ok);
  EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(world.send(world.key(world.root(), id)), SystemErrorId::None);
}

TEST(Dispatch, APersistentKeyIsTheSameAfterARestartWhateverElseIsActive) {
  std::string key;
  tiny::Servant servant, other;
  {
    World world;
    const auto adapter = world.make("b", user_ids(true), world.make("a", user_ids(true)).get());
    ASSERT_EQ(adapter->activate_with_id(servant, "object"), Outcome::Ok);
    key = world.key(*adapter, "object");
  }
  World world;
  world.make("before", user_ids(true));
  const auto adapter = world.make("b", user_ids(true), world.make("a", user_ids(true)).get());
  EXPECT_EQ(world.key(*adapter, "object"), key) << "before it is active";
  EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
  ASSERT_EQ(adapter->activate_with_id(other, "first"), Outcome::Ok);
  ASSERT_EQ(adapter->activate_with_id(servant, "object"), Outcome::Ok);
  EXPECT_EQ(world.key(*adapter, "object"), key);
  EXPECT_EQ(world.send(key), SystemErrorId::None);
  EXPECT_EQ(servant.calls(), 1);
}

TEST(Dispatch, APersistentKeyOfAnotherServerIsRefused) {
  tiny::Servant servant;
  World one(options("one")), two(options("two"));
  const auto adapter = two.make("a", user_ids(true));
  ASSERT_EQ(adapter->activate_with_id(servant, "object"), Outcome::Ok);
  const std::string key = one.key(*one.make("a", user_ids(true)), "object");
  EXPECT_EQ(two.send(key), SystemErrorId::OBJECT_NOT_EXIST);
}

TEST(Dispatch, PlainKeysAreTheIdsOfTheNamedAdapter) {
  tiny::Servant servant;
  World world;
  EXPECT_EQ(world.send("NameService"), SystemErrorId::OBJECT_NOT_EXIST)
      << "at once, though its manager holds";
  Adapter& named = world.table().named();
  EXPECT_EQ(named.name(), "omniINSPOA");
  EXPECT_EQ(named.manager().state(), Manager::State::Holding);
  ASSERT_EQ(named.manager().change(Manager::State::Active, false), Outcome::Ok);
  ASSERT_EQ(named.activate_with_id(servant, "NameService"), Outcome::Ok);
  EXPECT_EQ(world.key(named, "NameService"), "NameService");
  EXPECT_EQ(world.send("NameService"), SystemErrorId::None);
  EXPECT_EQ(world.send("NameServic"), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(world.send(""), SystemErrorId::OBJECT_NOT_EXIST);
}

TEST(Dispatch, APlainKeyCanStandForAReference) {
  World world;
  ior::Ior ior{"IDL:Elsewhere:1.0", {}};
  world.table().set_plain_reference("There", base::make_ref<core::Reference>(*world.orb, ior));
  Call call(*world.orb);
  EXPECT_FALSE(call.send("There"));
  EXPECT_EQ(call.request.reply_kind(), core::ServerRequest::Reply::Forward);
  ior::Ior target;
  EXPECT_EQ(world.locate("There", &target), core::Dispatcher::Location::Forward);
  EXPECT_EQ(target.type_id, "IDL:Elsewhere:1.0");
  EXPECT_EQ(world.send("Their"), SystemErrorId::OBJECT_NOT_EXIST);
  world.table().set_plain_reference("There", nullptr);
  EXPECT_EQ(world.send("There"), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(world.locate("There"), core::Dispatcher::Location::Unknown);
}

TEST(Dispatch, ManyUserIdsAreAllFound) {
  tiny::Servant servant;
  World world;
  Policies policies = user_ids();
  policies.multiple_id = true;
  const auto adapter = world.make("many", policies);
  for (int i = 0; i < 2000; ++i)
    ASSERT_EQ(adapter->activate_with_id(servant, std::to_string(i)), Outcome::Ok);
  for (int i = 0; i < 2000; ++i)
    ASSERT_EQ(world.send(world.key(*adapter, std::to_string(i))), SystemErrorId::None);
  for (int i = 0; i < 2000; i += 2) ASSERT_EQ(adapter->deactivate(std::to_string(i)), Outcome::Ok);
  for (int i = 0; i < 2000; ++i)
    ASSERT_EQ(world.send(world.key(*adapter, std::to_string(i))),
              i % 2 ? SystemErrorId::None : SystemErrorId::OBJECT_NOT_EXIST);
}

TEST(Locate, TellsWhetherARequestWouldFindItsObject) {
  tiny::Servant servant;
  World world;
  std::string id;
  ASSERT_EQ(world.root().activate(servant, id), Outcome::Ok);
  const std::string key = world.key(world.root(), id);
  const auto locate = [&](const std::string& k) { return world.locate(k); };
  EXPECT_EQ(locate(key), core::Dispatcher::Location::Here);
  EXPECT_EQ(locate("nothing"), core::Dispatcher::Location::Unknown);
  ASSERT_EQ(world.root().deactivate(id), Outcome::Ok);
  EXPECT_EQ(locate(key), core::Dispatcher::Location::Unknown);
  EXPECT_EQ(servant.calls(), 0);
}

}  // namespace
}  // namespace corbel::poa
