// The keys of omniORB's and TAO's persistent objects. omniORB's octets are those that 4.2.5 writes. TAO's are
// made by hand, of the form that its sources and published references of its servers have.
#include "orb/poa/foreign_key.h"

#include <gtest/gtest.h>

#include <corbel/keys.h>

#include "orb/poa/key.h"
#include "tests/unit/poa/classic_support.h"
#include "tests/unit/poa/support.h"

namespace corbel::poa {
namespace {

using namespace std::string_literals;

// A first slot's hint on a little-endian machine, with its generation.
const std::string kHint = "\0\0\0\0\1\0\0\0"s;
const std::string kNoHint = "\xff\xff\xff\xff\0\0\0\0"s;

Policies persistent(KeyFormat format, bool user_id = true) {
  Policies p;
  p.persistent = true;
  p.user_id = user_id;
  p.multiple_id = true;
  p.key_format = format;
  return p;
}

std::string path_of(KeyFormat format, std::vector<std::string> names) {
  std::vector<const std::string*> pointers;
  for (const std::string& name : names) pointers.push_back(&name);
  std::string path;
  return foreign_path(format, pointers, path) ? path : "refused";
}

// ---- the octets

TEST(OmniOrbKey, IsTheNamesAndTheId) {
  const std::string key =
      "\xff"
      "Alpha\xff"
      "Beta\0one"s;
  ForeignKey parts;
  ASSERT_TRUE(parse_foreign_key(KeyFormat::OmniOrb, key, parts));
  EXPECT_EQ(parts.path, path_of(KeyFormat::OmniOrb, {"Alpha", "Beta"}));
  EXPECT_EQ(parts.id, "one");
  EXPECT_EQ(names_of(parts.path), (std::vector<std::string_view>{"Alpha", "Beta"}));
  EXPECT_EQ(make_foreign_key(KeyFormat::OmniOrb, parts.path, "one", true, true), key);
}

TEST(OmniOrbKey, AnIdMayHaveAnyOctets) {
  const std::string adapter =
      "\xff"
      "Alpha\0"s;
  const std::string any = adapter + "\xff\xfe\0\1z"s;
  ForeignKey parts;
  ASSERT_TRUE(parse_foreign_key(KeyFormat::OmniOrb, any, parts));
  EXPECT_EQ(parts.id, "\xff\xfe\0\1z"s);
  ASSERT_TRUE(parse_foreign_key(KeyFormat::OmniOrb, adapter, parts));
  EXPECT_EQ(parts.id, "");
}

TEST(OmniOrbKey, ANameMayBeEmptyButHoldsNoneOfTheOctetsThatMeanSomething) {
  EXPECT_EQ(path_of(KeyFormat::OmniOrb, {""}), "\xff\0"s);
  EXPECT_EQ(names_of("\xff\0"s), (std::vector<std::string_view>{""}));
  for (const std::string& name : {"a\xff"s, "\xfe"s, "a\0b"s})
    EXPECT_EQ(path_of(KeyFormat::OmniOrb, {"a", name}), "refused");
}

TEST(OmniOrbKey, WhatHasNoNameOrNoEndIsNone) {
  ForeignKey parts;
  for (const std::string& key : {""s, "\xff"s,
                                 "\xff"
                                 "Alpha"s,
                                 "Alpha\0one"s, "\xfe(6\2k\0\0\0\0\0"s})
    EXPECT_FALSE(parse_foreign_key(KeyFormat::OmniOrb, key, parts));
}

TEST(TaoKey, OfAUsersIdTellsTheSizeOfItsPathAndHasTwoHints) {
  const std::string key = "\x14\1\x0f\0NUP\0\0\0\x1a"s + kHint + "RootPOA\0child_poa\0"s + kHint + "Grid";
  ForeignKey parts;
  ASSERT_TRUE(parse_foreign_key(KeyFormat::Tao, key, parts));
  EXPECT_EQ(parts.path, path_of(KeyFormat::Tao, {"child_poa"}));
  EXPECT_TRUE(parts.user_id);
  ASSERT_TRUE(take_id_hint(KeyFormat::Tao, true, parts));
  EXPECT_EQ(parts.id, "Grid");
  const std::string made = make_foreign_key(KeyFormat::Tao, parts.path, "Grid", true, true);
  EXPECT_EQ(made, "\x14\1\x0f\0NUP\0\0\0\x1a"s + kNoHint + "RootPOA\0child_poa\0"s + kNoHint + "Grid");
}

TEST(TaoKey, OfAnAdapterThatRetainsNothingHasOneHint) {
  const std::string key = "\x14\1\x0f\0NUP\0\0\0\x18"s + kHint + "RootPOA\0Session\0"s + "12345678id";
  ForeignKey parts;
  ASSERT_TRUE(parse_foreign_key(KeyFormat::Tao, key, parts));
  ASSERT_TRUE(take_id_hint(KeyFormat::Tao, false, parts));
  EXPECT_EQ(parts.id, "12345678id");
  EXPECT_EQ(make_foreign_key(KeyFormat::Tao, parts.path, parts.id, true, false),
            "\x14\1\x0f\0NUP\0\0\0\x18"s + kNoHint + "RootPOA\0Session\0"s + "12345678id");
}

TEST(TaoKey, WithoutHintsIsShorter) {
  const std::string key = "\x14\1\x0f\0NUP\0\0\0\x0c"s + "RootPOA\0a\0b\0"s + "id";
  ForeignKey parts;
  ASSERT_TRUE(parse_foreign_key(KeyFormat::TaoNoHints, key, parts));
  EXPECT_EQ(names_of(parts.path), (std::vector<std::string_view>{"a", "b"}));
  ASSERT_TRUE(take_id_hint(KeyFormat::TaoNoHints, true, parts));
  EXPECT_EQ(parts.id, "id");
  EXPECT_EQ(make_foreign_key(KeyFormat::TaoNoHints, parts.path, "id", true, true), key);
}

TEST(TaoKey, OfASystemsIdEndsWithItsFourOctets) {
  const std::string key = "\x14\1\x0f\0NSP"s + kHint + "RootPOA\0factory_POA\0"s + kHint + "\1\0\0\0"s;
  ForeignKey parts;
  ASSERT_TRUE(parse_foreign_key(KeyFormat::Tao, key, parts));
  EXPECT_EQ(parts.path, path_of(KeyFormat::Tao, {"factory_POA"}));
  EXPECT_FALSE(parts.user_id);
  ASSERT_TRUE(take_id_hint(KeyFormat::Tao, true, parts));
  EXPECT_EQ(parts.id, "\1\0\0\0"s);
  EXPECT_EQ(make_foreign_key(KeyFormat::Tao, parts.path, parts.id, false, true),
            "\x14\1\x0f\0NSP"s + kNoHint + "RootPOA\0factory_POA\0"s + kNoHint + "\1\0\0\0"s);
  EXPECT_EQ(make_foreign_key(KeyFormat::Tao, parts.path, "longer", false, true), "");
}

// In early versions the root had no name.
TEST(TaoKey, OfAnOldVersionHasNoNameOfTheRoot) {
  const std::string key = "\x14\1\x0f\0NUP\0\0\0\x13"s + kHint + "\0child_poa\0"s + kHint + "factory";
  ForeignKey parts;
  ASSERT_TRUE(parse_foreign_key(KeyFormat::Tao, key, parts));
  EXPECT_EQ(parts.path, path_of(KeyFormat::Tao, {"child_poa"}));
}

TEST(TaoKey, WhatIsNotAPersistentOneIsNone) {
  const std::string good = "\x14\1\x0f\0NUP\0\0\0\x1a"s + kHint + "RootPOA\0child_poa\0"s + kHint + "Grid";
  ForeignKey parts;
  for (std::size_t size = 0; size < 7 + 4 + 0x1a; ++size)
    EXPECT_FALSE(parse_foreign_key(KeyFormat::Tao, good.substr(0, size), parts)) << size;
  for (const std::size_t octet : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 19, 36}) {
    std::string bad = good;
    bad[octet] = '\x7f';
    EXPECT_FALSE(parse_foreign_key(KeyFormat::Tao, bad, parts)) << octet;
  }
  ASSERT_TRUE(parse_foreign_key(KeyFormat::Tao, good.substr(0, 7 + 4 + 0x1a + 7), parts));
  EXPECT_FALSE(take_id_hint(KeyFormat::Tao, true, parts));
}

// ---- adapters that have them

class ForeignAdapter : public testing::TestWithParam<KeyFormat> {};
INSTANTIATE_TEST_SUITE_P(Formats, ForeignAdapter, testing::ValuesIn(kForeignFormats), [](const auto& i) {
  return i.param == KeyFormat::OmniOrb ? "omniorb" : i.param == KeyFormat::Tao ? "tao" : "tao_no_hints";
});

TEST_P(ForeignAdapter, WritesItsKeysAndReadsThemAndCorbels) {
  tiny::Servant servant;
  World world;
  const auto outer = world.make("outer", persistent(GetParam()));
  const auto inner = world.make("inner", persistent(GetParam()), outer.get());
  ASSERT_EQ(inner->activate_with_id(servant, "object"), Outcome::Ok);
  const std::string key = world.key(*inner, "object");
  EXPECT_EQ(key, make_foreign_key(GetParam(), path_of(GetParam(), {"outer", "inner"}), "object", true, true));
  EXPECT_EQ(world.send(key), SystemErrorId::None);
  EXPECT_EQ(world.locate(key), core::Dispatcher::Location::Here);
  std::string path;
  for (const char* name : {"server", "outer", "inner"}) ASSERT_TRUE(add_to_path(path, name));
  EXPECT_EQ(world.send(PersistentKey{0, path, 0, "object"}.text()), SystemErrorId::None);
  std::string id;
  EXPECT_EQ(inner->key_to_id(key, id), Outcome::Ok);
  EXPECT_EQ(id, "object");
  EXPECT_EQ(outer->key_to_id(key, id), Outcome::WrongAdapter);
  EXPECT_EQ(servant.calls(), 2);
}

TEST_P(ForeignAdapter, IsReachedAgainAfterARestartWhateverTheServersName) {
  tiny::Servant servant;
  std::string key;
  {
    World world(options("before"));
    key = world.key(*world.make("a", persistent(GetParam())), "object");
  }
  World world(options("after"));
  EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
  const auto adapter = world.make("a", persistent(GetParam()));
  EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
  ASSERT_EQ(adapter->activate_with_id(servant, "object"), Outcome::Ok);
  EXPECT_EQ(world.send(key), SystemErrorId::None);
  ASSERT_EQ(adapter->deactivate("object"), Outcome::Ok);
  EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(world.locate(key), core::Dispatcher::Location::Unknown);
}

TEST_P(ForeignAdapter, OfTheSameNameTakesThePlaceOfOneThatWasDestroyed) {
  tiny::Servant first, second;
  World world;
  for (tiny::Servant* servant : {&first, &second}) {
    const auto adapter = world.make("a", persistent(GetParam()));
    ASSERT_EQ(adapter->activate_with_id(*servant, "object"), Outcome::Ok);
    const std::string key = world.key(*adapter, "object");
    EXPECT_EQ(world.send(key), SystemErrorId::None);
    ASSERT_EQ(adapter->destroy(false, true), Outcome::Ok);
    EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
  }
  EXPECT_EQ(first.calls(), 1);
  EXPECT_EQ(second.calls(), 1);
}

TEST_P(ForeignAdapter, IsNotReachedByKeysOfAnotherFormat) {
  tiny::Servant servant;
  World world;
  world.make("of another format", persistent(KeyFormat::OmniOrb));
  world.make("of a third one", persistent(KeyFormat::Tao));
  const auto adapter = world.make("a", persistent(GetParam()));
  ASSERT_EQ(adapter->activate_with_id(servant, "12345678object"), Outcome::Ok);
  for (const KeyFormat other : kForeignFormats) {
    if (other == GetParam()) continue;
    const std::string key = make_foreign_key(other, path_of(other, {"a"}), "12345678object", true, true);
    EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
  }
  EXPECT_EQ(servant.calls(), 0);
}

TEST_P(ForeignAdapter, IsMadeByAnActivatorWhereTheOrbsOptionNamesTheFormat) {
  struct Maker : AdapterActivator {
    SystemError unknown_adapter(Adapter& parent, const std::string& name, bool& made) override {
      ++calls;
      base::Ref<Adapter> child;
      made = parent.create_child(name, policies, base::Ref<Manager>::share(&parent.manager()), child) ==
             Outcome::Ok;
      child->set_activator_of_children(base::Ref<AdapterActivator>::share(this));
      (void)child->activate_with_id(servant, "object");
      return {};
    }
    int calls = 0;
    Policies policies;
    tiny::Servant servant;
  };
  const auto maker = base::make_ref<Maker>();
  maker->policies = persistent(GetParam());
  const std::string key =
      make_foreign_key(GetParam(), path_of(GetParam(), {"outer", "inner"}), "object", true, true);
  {
    World world;  // which was not told
    world.root().set_activator_of_children(maker);
    EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
    EXPECT_EQ(maker->calls, 0);
  }
  core::Options o = options();
  o.key_format = GetParam();
  World world(o);
  world.root().set_activator_of_children(maker);
  EXPECT_EQ(world.locate(key), core::Dispatcher::Location::Here);
  EXPECT_EQ(maker->calls, 0);
  EXPECT_EQ(world.send(key), SystemErrorId::None);
  EXPECT_EQ(maker->calls, 2);
  EXPECT_EQ(world.send(key.substr(0, key.size() - 1)), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(maker->calls, 2);
  (void)world.orb->destroy();
}

// An activator may make another kind of adapter than the key names: asked once, then nothing is there.
TEST_P(ForeignAdapter, ThatWasMadeForOtherKeysIsNotLookedForWithoutEnd) {
  core::Options o = options();
  o.key_format = GetParam();
  World world(o);
  world.make("a", persistent(KeyFormat::Corbel));
  const std::string key = make_foreign_key(GetParam(), path_of(GetParam(), {"a"}), "object", true, true);
  EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(world.locate(key), core::Dispatcher::Location::Unknown);
}

TEST(ForeignAdapters, WithSystemIdsTakeThoseThatTheOtherOrbMade) {
  tiny::Servant servant;
  World world;
  const auto omni = world.make("Sys", persistent(KeyFormat::OmniOrb, false));
  const std::string id = "(6\2k\1\0F\x96\0\0\0\1"s;
  ASSERT_EQ(omni->activate_with_id(servant, id), Outcome::Ok);
  EXPECT_EQ(world.send("\xff"
                       "Sys\0"s +
                       id),
            SystemErrorId::None);
  EXPECT_EQ(omni->activate_with_id(servant, "neither"), Outcome::BadId);
  const auto tao = world.make("Sys2", persistent(KeyFormat::Tao, false));
  ASSERT_EQ(tao->activate_with_id(servant, "\1\0\0\0"s), Outcome::Ok);
  const std::string path = "RootPOA\0Sys2\0"s;
  EXPECT_EQ(world.send("\x14\1\x0f\0NSP"s + kHint + path + kHint + "\1\0\0\0"s), SystemErrorId::None);
  // Ids made here are of Corbel's own form, and so are the keys that TAO's cannot be.
  std::string made;
  ASSERT_EQ(tao->activate(servant, made), Outcome::Ok);
  EXPECT_EQ(world.key(*tao, made)[0], kPersistentFormat);
  EXPECT_EQ(world.send(world.key(*tao, made)), SystemErrorId::None);
  ASSERT_EQ(omni->activate(servant, made), Outcome::Ok);
  EXPECT_EQ(world.key(*omni, made),
            "\xff"
            "Sys\0"s +
                made);
  EXPECT_EQ(world.send(world.key(*omni, made)), SystemErrorId::None);
}

TEST(ForeignAdapters, TaosKeysTellUsersIdsFromTheSystems) {
  tiny::Servant servant;
  World world;
  const auto adapter = world.make("a", persistent(KeyFormat::Tao));
  ASSERT_EQ(adapter->activate_with_id(servant, "1234"), Outcome::Ok);
  const std::string path = "RootPOA\0a\0"s;
  EXPECT_EQ(world.send("\x14\1\x0f\0NUP\0\0\0\x12"s + kHint + path + kHint + "1234"), SystemErrorId::None);
  EXPECT_EQ(world.send("\x14\1\x0f\0NSP"s + kHint + path + kHint + "1234"), SystemErrorId::OBJECT_NOT_EXIST);
}

TEST(ForeignAdapters, NamesThatTheirKeysCannotHoldAreRefused) {
  World world;
  base::Ref<Adapter> child;
  EXPECT_EQ(world.root().create_child("\xff", persistent(KeyFormat::OmniOrb), nullptr, child),
            Outcome::NameUnfit);
  EXPECT_EQ(world.root().create_child("\xff", persistent(KeyFormat::Tao), nullptr, child), Outcome::Ok);
  EXPECT_EQ(child->create_child("a", persistent(KeyFormat::OmniOrb), nullptr, child), Outcome::NameUnfit);
}

TEST(ForeignAdapters, PlainKeysThatLookAlikeAreNamesWhereTheFormatIsNotRead) {
  tiny::Servant servant;
  World world;
  Adapter& named = world.table().named();
  ASSERT_EQ(named.manager().change(Manager::State::Active, false), Outcome::Ok);
  const std::string key =
      "\xff"
      "Alpha\0one"s;
  ASSERT_EQ(named.activate_with_id(servant, key), Outcome::Ok);
  EXPECT_EQ(world.send(key), SystemErrorId::None);
  world.make("Alpha", persistent(KeyFormat::OmniOrb));
  EXPECT_EQ(world.send(key), SystemErrorId::OBJECT_NOT_EXIST);
}

// ---- the policy of the classic mapping

using KeyFormatPolicy = classic::Classic;

TEST_F(KeyFormatPolicy, NeedsAPersistentAdapter) {
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = corbel::create_key_format_policy(KeyFormat::OmniOrb);
  EXPECT_EQ(policies[0]->policy_type(), corbel::kKeyFormatPolicyType);
  PortableServer::POA_var poa;
  try {
    poa = make("a", policies);
    ADD_FAILURE();
  } catch (const PortableServer::POA::InvalidPolicy& e) {
    EXPECT_EQ(e.index, 0);
  }
  policies.length(2);
  policies[1] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  poa = make("a", policies);
  EXPECT_THROW(make("\xfe", policies), CORBA::BAD_PARAM);
}

}  // namespace
}  // namespace corbel::poa
