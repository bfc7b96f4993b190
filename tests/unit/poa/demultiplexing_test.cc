// Every strategy of finding objects finds the same ones.
#include <corbel/demultiplexing.h>

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "orb/poa/hint_table.h"
#include "orb/poa/key.h"
#include "orb/poa/perfect_ids.h"
#include "tests/unit/poa/classic_support.h"
#include "tests/unit/poa/support.h"

namespace corbel::poa {
namespace {

constexpr int kIds = 300;

std::string id_of(int n) { return "object " + std::to_string(n); }

std::shared_ptr<const PerfectIds> perfect_ids() {
  std::vector<std::string> ids;
  for (int n = 0; n < kIds; ++n) ids.push_back(id_of(n));
  return std::make_shared<const PerfectIds>(ids);
}

struct Demultiplexing : testing::TestWithParam<ObjectDemultiplexing> {
  Policies policies() const {
    Policies p = user_ids(true);
    p.multiple_id = true;
    p.demultiplexing = GetParam();
    if (GetParam() == ObjectDemultiplexing::PerfectHash) p.perfect_ids = perfect_ids();
    return p;
  }
};

INSTANTIATE_TEST_SUITE_P(Strategies, Demultiplexing,
                         testing::Values(ObjectDemultiplexing::Default, ObjectDemultiplexing::Linear,
                                         ObjectDemultiplexing::Hash, ObjectDemultiplexing::PerfectHash,
                                         ObjectDemultiplexing::VerifiedActive));

TEST_P(Demultiplexing, FindsWhatIsActiveAndNothingElse) {
  tiny::Servant servants[kIds];
  World world;
  const auto adapter = world.make("a", policies());
  std::map<int, bool> model;
  std::minstd_rand random(1);
  for (int turn = 0; turn < 4000; ++turn) {
    const int n = static_cast<int>(random() % kIds);
    if (turn % 3 != 0) {
      const int before = servants[n].calls();
      const auto answer = world.send(world.key(*adapter, id_of(n)));
      EXPECT_EQ(answer, model[n] ? SystemErrorId::None : SystemErrorId::OBJECT_NOT_EXIST);
      EXPECT_EQ(servants[n].calls(), before + model[n]);
    } else if (model[n]) {
      EXPECT_EQ(adapter->activate_with_id(servants[n], id_of(n)), Outcome::ObjectAlreadyActive);
      EXPECT_EQ(adapter->deactivate(id_of(n)), Outcome::Ok);
      model[n] = false;
    } else {
      EXPECT_EQ(adapter->deactivate(id_of(n)), Outcome::ObjectNotActive);
      EXPECT_EQ(adapter->activate_with_id(servants[n], id_of(n)), Outcome::Ok);
      model[n] = true;
    }
  }
  EXPECT_EQ(world.send(world.key(*adapter, "another")), SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_EQ(world.send(world.key(*adapter, "")), SystemErrorId::OBJECT_NOT_EXIST);
}

TEST_P(Demultiplexing, AWrongHintInAKeyChangesNothing) {
  tiny::Servant servants[2];
  World world;
  const auto adapter = world.make("a", policies());
  ASSERT_EQ(adapter->activate_with_id(servants[0], id_of(0)), Outcome::Ok);
  ASSERT_EQ(adapter->activate_with_id(servants[1], id_of(1)), Outcome::Ok);
  for (const std::uint32_t hint : {hint_of(id_of(1)), 0u, 0xffffffffu}) {
    const std::string forged =
        PersistentKey{hint_of(adapter->path()), adapter->path(), hint, id_of(0)}.text();
    EXPECT_EQ(world.send(forged), SystemErrorId::None);
  }
  EXPECT_EQ(servants[0].calls(), 3);
  EXPECT_EQ(servants[1].calls(), 0);
}

TEST_P(Demultiplexing, AnObjectLeavesItsAdapterWithItsLastRequest) {
  tiny::Servant servant;
  World world;
  const auto adapter = world.make("a", policies());
  ASSERT_EQ(adapter->activate_with_id(servant, id_of(7)), Outcome::Ok);
  servant.during = [&] {
    EXPECT_EQ(adapter->deactivate(id_of(7)), Outcome::Ok);
    EXPECT_EQ(servant.holders(), 1);
  };
  EXPECT_EQ(world.send(world.key(*adapter, id_of(7))), SystemErrorId::None);
  EXPECT_EQ(servant.holders(), 0);
}

TEST_P(Demultiplexing, DestroyingTheAdapterReleasesAllItsServants) {
  std::vector<tiny::Servant> servants(kIds);
  World world;
  const auto adapter = world.make("a", policies());
  for (int n = 0; n < kIds; ++n)
    ASSERT_EQ(adapter->activate_with_id(servants[static_cast<std::size_t>(n)], id_of(n)), Outcome::Ok);
  ASSERT_EQ(adapter->destroy(true, true), Outcome::Ok);
  for (const auto& servant : servants) EXPECT_EQ(servant.holders(), 0);
}

TEST(DemultiplexingOfSystemIds, WorksByEveryStrategyThatNeedsNoIdsBeforehand) {
  for (const auto how :
       {ObjectDemultiplexing::Default, ObjectDemultiplexing::Linear, ObjectDemultiplexing::Hash,
        ObjectDemultiplexing::Active, ObjectDemultiplexing::VerifiedActive})
    for (const bool persistent : {false, true}) {
      Policies p;
      p.persistent = persistent;
      p.demultiplexing = how;
      if (!allows(p, how)) continue;
      tiny::Servant servants[50];
      World world;
      const auto adapter = world.make("a", p);
      std::string ids[50];
      for (int n = 0; n < 50; ++n) ASSERT_EQ(adapter->activate(servants[n], ids[n]), Outcome::Ok);
      for (int n = 0; n < 50; n += 2) ASSERT_EQ(adapter->deactivate(ids[n]), Outcome::Ok);
      for (int n = 0; n < 50; ++n)
        EXPECT_EQ(world.send(world.key(*adapter, ids[n])),
                  n % 2 == 0 ? SystemErrorId::OBJECT_NOT_EXIST : SystemErrorId::None);
      // One that was active, and one that was only announced.
      std::string announced, id;
      ASSERT_EQ(adapter->new_id(announced), Outcome::Ok);
      ASSERT_EQ(adapter->activate_with_id(servants[0], announced), Outcome::Ok);
      ASSERT_EQ(adapter->activate_with_id(servants[2], ids[4]), Outcome::Ok);
      EXPECT_EQ(world.send(world.key(*adapter, announced)), SystemErrorId::None);
      EXPECT_EQ(world.send(world.key(*adapter, ids[4])), SystemErrorId::None);
      EXPECT_EQ(servants[0].calls() + servants[2].calls() + servants[4].calls(), 2);
      EXPECT_EQ(adapter->servant_to_id(servants[2], id), Outcome::Ok);
      EXPECT_EQ(id, ids[4]);
    }
}

TEST(PerfectHash, KnowsNoIdsButThoseItWasMadeOf) {
  tiny::Servant servant;
  World world;
  Policies p = user_ids();
  p.demultiplexing = ObjectDemultiplexing::PerfectHash;
  p.perfect_ids = perfect_ids();
  const auto adapter = world.make("a", p);
  EXPECT_EQ(adapter->activate_with_id(servant, "another"), Outcome::UnknownId);
  EXPECT_EQ(servant.holders(), 0);
  EXPECT_EQ(adapter->activate_with_id(servant, id_of(3)), Outcome::Ok);
}

TEST(PerfectHash, GivesEachIdAPlaceOfItsOwn) {
  for (const std::size_t count : {0u, 1u, 2u, 3u, 100u, 10'000u, 100'000u}) {
    std::vector<std::string> ids;
    for (std::size_t n = 0; n < count; ++n) ids.push_back(std::string(n % 23, 'x') + std::to_string(n));
    ids.insert(ids.end(), ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count / 2));
    const PerfectIds hash(ids);
    ASSERT_TRUE(hash.valid());
    EXPECT_LE(hash.places(), 3 * count + 2);
    std::vector<bool> taken(hash.places());
    for (std::size_t n = 0; n < count; ++n) {
      ASSERT_LT(hash.place(ids[n]), hash.places());
      EXPECT_FALSE(taken[hash.place(ids[n])]);
      EXPECT_TRUE(hash.may_be(ids[n]));
      taken[hash.place(ids[n])] = true;
    }
  }
}

TEST(DemultiplexingPolicies, ContradictOthersWhereTheyCannotWork) {
  const auto refused = [](std::vector<PolicyValue> list, ObjectDemultiplexing how) {
    list.push_back({PolicyType::ObjectDemultiplexing, static_cast<std::uint32_t>(how)});
    Policies policies;
    std::uint16_t index = 0;
    const bool good = read_policies(list, policies, index);
    EXPECT_TRUE(good || index == list.size() - 1);
    return !good;
  };
  const PolicyValue user{PolicyType::IdAssignment, static_cast<std::uint32_t>(IdAssignment::User)};
  const PolicyValue persistent{PolicyType::Lifespan, static_cast<std::uint32_t>(Lifespan::Persistent)};
  const std::vector<PolicyValue> without_map{
      {PolicyType::ServantRetention, static_cast<std::uint32_t>(ServantRetention::NonRetain)},
      {PolicyType::RequestProcessing, static_cast<std::uint32_t>(RequestProcessing::ServantManager)}};
  for (const auto how :
       {ObjectDemultiplexing::Linear, ObjectDemultiplexing::Hash, ObjectDemultiplexing::Active,
        ObjectDemultiplexing::VerifiedActive, ObjectDemultiplexing::PerfectHash})
    EXPECT_TRUE(refused(without_map, how));
  EXPECT_FALSE(refused({}, ObjectDemultiplexing::Active));
  EXPECT_TRUE(refused({user}, ObjectDemultiplexing::Active));
  EXPECT_TRUE(refused({persistent}, ObjectDemultiplexing::Active));
  EXPECT_TRUE(refused({}, ObjectDemultiplexing::PerfectHash));
  EXPECT_FALSE(refused({user}, ObjectDemultiplexing::PerfectHash));
  EXPECT_FALSE(refused({user, persistent}, ObjectDemultiplexing::VerifiedActive));
  EXPECT_TRUE(refused({}, static_cast<ObjectDemultiplexing>(6)));
}

using classic::Classic;
using classic::Echo;
using classic::Echo_var;
using classic::EchoServant;

TEST_F(Classic, AnAdapterIsGivenAStrategyByPolicy) {
  std::vector<PortableServer::ObjectId> ids(2);
  PortableServer::ObjectId_var known = PortableServer::string_to_ObjectId("known");
  PortableServer::ObjectId_var unknown = PortableServer::string_to_ObjectId("unknown");
  ids[0] = known.in();
  corbel::ObjectDemultiplexingPolicy_var policy = new corbel::ObjectDemultiplexingPolicy(ids);
  CORBA::Policy_var copy = policy->copy();
  CORBA::PolicyList list(2);
  list.length(2);
  list[0] = root->create_id_assignment_policy(PortableServer::USER_ID);
  list[1] = CORBA::Policy::_duplicate(copy.in());
  PortableServer::POAManager_var manager = root->the_POAManager();
  PortableServer::POA_var adapter = root->create_POA("perfect", manager, list);
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  EXPECT_THROW(adapter->activate_object_with_id(unknown, servant), CORBA::BAD_PARAM);
  adapter->activate_object_with_id(known, servant);
  CORBA::Object_var object = adapter->id_to_reference(known);
  Echo_var echo = Echo::_narrow(object);
  CORBA::String_var result = echo->echo("hello");
  EXPECT_STREQ(result.in(), "hello");

  list[0] = root->create_id_assignment_policy(PortableServer::SYSTEM_ID);
  try {
    PortableServer::POA_var none = root->create_POA("none", manager, list);
    FAIL();
  } catch (const PortableServer::POA::InvalidPolicy& e) {
    EXPECT_EQ(e.index, 1);
  }
}

TEST(DemultiplexingOption, IsForAdaptersWhosePoliciesAllowItAndSayNothing) {
  core::Options o = options();
  o.demultiplexing = ObjectDemultiplexing::Active;
  World world(o);
  EXPECT_EQ(world.root().policies().demultiplexing, ObjectDemultiplexing::Active);
  EXPECT_EQ(world.make("a", user_ids())->policies().demultiplexing, ObjectDemultiplexing::Default);
  Policies linear;
  linear.demultiplexing = ObjectDemultiplexing::Linear;
  EXPECT_EQ(world.make("b", linear)->policies().demultiplexing, ObjectDemultiplexing::Linear);
}

TEST(DemultiplexingOption, IsAnArgumentOfTheOrb) {
  const std::pair<const char*, ObjectDemultiplexing> names[] = {
      {"linear", ObjectDemultiplexing::Linear},
      {"hash", ObjectDemultiplexing::Hash},
      {"active", ObjectDemultiplexing::Active},
      {"verified", ObjectDemultiplexing::VerifiedActive}};
  for (const auto& [name, how] : names) {
    core::Options o;
    std::vector<std::string> arguments{"-ORBobjectDemultiplexing", name};
    EXPECT_FALSE(core::parse_options(arguments, o));
    EXPECT_EQ(o.demultiplexing, how);
  }
  core::Options o;
  std::vector<std::string> arguments{"-ORBobjectDemultiplexing", "perfect"};
  EXPECT_EQ(core::parse_options(arguments, o).id, SystemErrorId::BAD_PARAM) << "needs ids";
}

TEST(DemultiplexingPolicies, APerfectHashIsNotMadeWithoutItsIds) {
  EXPECT_THROW(corbel::ObjectDemultiplexingPolicy{corbel::ObjectDemultiplexing::perfect_hash},
               CORBA::BAD_PARAM);
}

}  // namespace
}  // namespace corbel::poa
