#include "orb/poa/policies.h"

#include <gtest/gtest.h>

namespace corbel::poa {
namespace {

template <typename Value>
PolicyValue is(Value value) {
  PolicyType type{};
  if constexpr (std::is_same_v<Value, Thread>) type = PolicyType::Thread;
  if constexpr (std::is_same_v<Value, Lifespan>) type = PolicyType::Lifespan;
  if constexpr (std::is_same_v<Value, IdUniqueness>) type = PolicyType::IdUniqueness;
  if constexpr (std::is_same_v<Value, IdAssignment>) type = PolicyType::IdAssignment;
  if constexpr (std::is_same_v<Value, ImplicitActivation>) type = PolicyType::ImplicitActivation;
  if constexpr (std::is_same_v<Value, ServantRetention>) type = PolicyType::ServantRetention;
  if constexpr (std::is_same_v<Value, RequestProcessing>) type = PolicyType::RequestProcessing;
  return {type, static_cast<std::uint32_t>(value)};
}

int refused_at(const std::vector<PolicyValue>& list) {
  Policies policies;
  std::uint16_t index = 0;
  return read_policies(list, policies, index) ? -1 : index;
}

TEST(Policies, AnEmptyListMeansTheDefaultsOfTheSpecification) {
  Policies policies{true, true, true, false, true, true};
  std::uint16_t index;
  ASSERT_TRUE(read_policies({}, policies, index));
  EXPECT_EQ(policies, Policies());
}

TEST(Policies, EveryPolicyIsRead) {
  Policies policies;
  std::uint16_t index;
  ASSERT_TRUE(read_policies(
      {is(Thread::OrbControlled), is(Lifespan::Persistent), is(IdUniqueness::Multiple),
       is(IdAssignment::User), is(ServantRetention::NonRetain), is(RequestProcessing::DefaultServant)},
      policies, index));
  EXPECT_EQ(policies, (Policies{true, true, true, false, false, true}));
  ASSERT_TRUE(read_policies({is(ImplicitActivation::Yes)}, policies, index));
  EXPECT_TRUE(policies.implicit_activation);
  ASSERT_TRUE(read_policies({is(Thread::SingleThread)}, policies, index));
  EXPECT_EQ(policies.thread, Thread::SingleThread);
  ASSERT_TRUE(read_policies({is(Thread::MainThread)}, policies, index));
  EXPECT_EQ(policies.thread, Thread::MainThread);
  ASSERT_TRUE(read_policies({is(RequestProcessing::ServantManager)}, policies, index));
  EXPECT_TRUE(policies.servant_manager);
}

// All 2^5 x 3 lists without a thread policy: legal exactly if the specification's four rules hold.
TEST(Policies, LegalAreExactlyTheCombinationsThatTheSpecificationAllows) {
  int legal = 0;
  for (std::uint32_t bits = 0; bits < 32; ++bits) {
    for (const auto processing : {RequestProcessing::ActiveObjectMapOnly, RequestProcessing::DefaultServant,
                                  RequestProcessing::ServantManager}) {
      const auto lifespan = static_cast<Lifespan>(bits & 1);
      const auto uniqueness = static_cast<IdUniqueness>(bits >> 1 & 1);
      const auto assignment = static_cast<IdAssignment>(bits >> 2 & 1);
      const auto activation = static_cast<ImplicitActivation>(bits >> 3 & 1);
      const auto retention = static_cast<ServantRetention>(bits >> 4 & 1);
      const bool retain = retention == ServantRetention::Retain;
      const bool implicit = activation == ImplicitActivation::Yes;
      const bool servant = processing == RequestProcessing::DefaultServant;
      const bool manager = processing == RequestProcessing::ServantManager;
      const bool allowed = (retain || servant || manager) &&
                           (!servant || uniqueness == IdUniqueness::Multiple) &&
                           (!implicit || (retain && assignment == IdAssignment::System));
      const int at = refused_at(
          {is(lifespan), is(uniqueness), is(assignment), is(activation), is(retention), is(processing)});
      EXPECT_EQ(at < 0, allowed) << bits << ' ' << static_cast<int>(processing);
      if (allowed) ++legal;
    }
  }
  EXPECT_EQ(legal, 42);
}

TEST(Policies, TheRefusalNamesThePolicyToBlame) {
  EXPECT_EQ(refused_at({is(Lifespan::Persistent), is(RequestProcessing::DefaultServant)}), 1);
  EXPECT_EQ(refused_at({is(Lifespan::Transient), {PolicyType::Thread, 3}}), 1);
  EXPECT_EQ(refused_at({is(IdAssignment::User), is(ServantRetention::NonRetain)}), 1);
  EXPECT_EQ(refused_at({is(IdAssignment::User), is(ImplicitActivation::Yes)}), 1);
  EXPECT_EQ(refused_at({is(RequestProcessing::DefaultServant)}), 0);
}

TEST(Policies, ASecondOpinionIsRefusedButARepetitionIsNot) {
  EXPECT_EQ(refused_at({is(Lifespan::Persistent), is(IdAssignment::User), is(Lifespan::Transient)}), 2);
  EXPECT_EQ(refused_at({is(Lifespan::Persistent), is(Lifespan::Persistent)}), -1);
}

TEST(Policies, UnknownTypesAndValuesAreRefused) {
  EXPECT_EQ(refused_at({is(Lifespan::Transient), {static_cast<PolicyType>(15), 0}}), 1);
  EXPECT_EQ(refused_at({{static_cast<PolicyType>(23), 0}}), 0);
  EXPECT_EQ(refused_at({{static_cast<PolicyType>(0xffffffff), 0}}), 0);
  EXPECT_EQ(refused_at({{PolicyType::Lifespan, 2}}), 0);
}

}  // namespace
}  // namespace corbel::poa
