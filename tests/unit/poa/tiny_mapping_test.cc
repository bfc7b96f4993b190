// Core and adapters serve a mapping of a hundred lines.
#include "tests/unit/poa/tiny_mapping.h"

#include <gtest/gtest.h>

#include "tests/unit/poa/support.h"

namespace corbel::poa {
namespace {

struct TinyMapping : testing::Test {
  TinyMapping() {
    EXPECT_FALSE(world.orb->start_server());
    std::string id;
    EXPECT_EQ(world.root().activate(servant, id), Outcome::Ok);
    EXPECT_FALSE(world.orb->make_reference(tiny::kId, world.key(world.root(), id), reference));
  }
  tiny::Servant servant, inner;  // outlive the adapters
  World world;
  base::Ref<core::Reference> reference;
};

TEST_F(TinyMapping, CallsInThisProcess) {
  std::string result;
  EXPECT_FALSE(tiny::nothing(*reference));
  EXPECT_FALSE(tiny::echo(*reference, "hello", result));
  EXPECT_EQ(result, "hello");
  EXPECT_EQ(servant.calls(), 2);
}

TEST_F(TinyMapping, CallsThroughASocket) {
  const auto client = base::make_ref<core::Orb>(options("client"));
  const auto remote = client->import(reference->ior());
  ASSERT_FALSE(remote->local());
  std::string result;
  EXPECT_FALSE(tiny::nothing(*remote));
  EXPECT_FALSE(tiny::echo(*remote, "hello", result));
  EXPECT_EQ(result, "hello");
  EXPECT_EQ(servant.calls(), 2);
  world.table().shutdown(true);
  EXPECT_EQ(tiny::nothing(*remote).id, SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_FALSE(client->destroy());
}

TEST_F(TinyMapping, ANestedCallRunsInsideTheOuterOne) {
  std::string id;
  ASSERT_EQ(world.root().activate(inner, id), Outcome::Ok);
  base::Ref<core::Reference> to_inner;
  ASSERT_FALSE(world.orb->make_reference(tiny::kId, world.key(world.root(), id), to_inner));
  servant.during = [&] { EXPECT_FALSE(tiny::nothing(*to_inner)); };
  EXPECT_FALSE(tiny::nothing(*reference));
  EXPECT_EQ(inner.calls(), 1);
}

}  // namespace
}  // namespace corbel::poa
