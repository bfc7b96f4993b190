#include "orb/core/reference.h"

#include <gtest/gtest.h>

#include "orb/core/orb.h"

namespace corbel::core {
namespace {

ior::Ior at_port(std::uint16_t port) {
  ior::IiopProfile profile;
  profile.address = {"127.0.0.1", port};
  profile.object_key = "key";
  return {"", {ior::encode_iiop(profile)}};
}

// One of a call's profiles fails, and another thread's reply forwards the reference.
TEST(Reference, ProfilesThatFailedAreThoseOfTheTimeAndNotOfAForward) {
  const auto orb = base::make_ref<Orb>(Options{});
  const auto reference = base::make_ref<Reference>(*orb, at_port(1));
  base::Ref<Binding> binding;
  Forward tried;
  const auto bind = [&](const FailedProfiles& failed) {
    return reference->bind(binding, base::now() + 10'000'000'000, tried, kConnectTimeoutOfOrb, failed).id;
  };
  EXPECT_EQ(bind({}), SystemErrorId::TRANSIENT);  // nobody listens
  EXPECT_EQ(bind({1, 0}), SystemErrorId::INV_OBJREF);
  for (const bool permanent : {false, true}) {
    reference->forward(at_port(2), permanent);
    EXPECT_EQ(bind({1, 0}), SystemErrorId::TRANSIENT) << permanent;
  }
  reference->forward(at_port(3), false);
  EXPECT_EQ(bind({1, 3}), SystemErrorId::INV_OBJREF);
  EXPECT_TRUE(reference->forget_forward(tried));
  EXPECT_EQ(bind({1, 3}), SystemErrorId::TRANSIENT);
  EXPECT_FALSE(orb->shutdown(true));
}

}  // namespace
}  // namespace corbel::core
