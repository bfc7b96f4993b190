// CORBA 3.4 part 1, "ServantLocator Interface".
#include <gtest/gtest.h>

#include <thread>

#include "tests/unit/poa/servant_managers.h"

namespace corbel::poa {
namespace {

struct Locators : testing::Test {
  base::Ref<NotingLocator> locator = base::make_ref<NotingLocator>();
  World world;
  base::Ref<Adapter> adapter = world.make("a", on_demand(false));
  Locators() { EXPECT_EQ(adapter->set_locator(locator), Outcome::Ok); }
  std::string key() { return world.key(*adapter, "x"); }
};

TEST_F(Locators, AreCalledAroundEachRequest) {
  EXPECT_EQ(world.send(key()), SystemErrorId::None);
  EXPECT_EQ(Call(*world.orb).send(key(), "other").id, SystemErrorId::BAD_OPERATION);
  EXPECT_EQ(locator->before, (std::vector<std::string>{"x.nothing", "x.other"}));
  EXPECT_EQ(locator->after, locator->before);
  EXPECT_EQ(locator->servant.holders(), 0) << "the adapter does not count it";
}

TEST_F(Locators, RunInTheRequestsThreadAndOutsideOfItsUpcall) {
  std::vector<std::thread::id> threads;
  const auto note = [&] { threads.push_back(std::this_thread::get_id()); };
  locator->making = [&](std::string_view, Incarnation& result) {
    note();
    EXPECT_EQ(current_target(), nullptr);
    result.servant = &locator->servant;
  };
  locator->servant.during = [&] {
    note();
    ASSERT_NE(current_target(), nullptr);
    EXPECT_EQ(current_target()->id, "x");
    std::string id;
    EXPECT_EQ(adapter->servant_to_id(locator->servant, id), Outcome::Ok);
    EXPECT_EQ(id, "x");
  };
  locator->ending = [&] {
    note();
    EXPECT_EQ(current_target(), nullptr);
    return SystemError();
  };
  EXPECT_EQ(world.send(key()), SystemErrorId::None);
  EXPECT_EQ(threads, std::vector<std::thread::id>(3, std::this_thread::get_id()));
}

TEST_F(Locators, AnErrorBehindTheOperationTakesThePlaceOfItsReply) {
  locator->ending = [] { return SystemError{SystemErrorId::NO_MEMORY, Completion::Yes, 3, nullptr}; };
  const SystemError error = Call(*world.orb).send(key());
  EXPECT_EQ(error.id, SystemErrorId::NO_MEMORY);
  EXPECT_EQ(error.minor, 3u);
  EXPECT_EQ(locator->servant.calls(), 1);
}

TEST_F(Locators, WithoutAServantNothingIsCalledBehind) {
  locator->making = [](std::string_view, Incarnation& result) {
    result.error = {SystemErrorId::OBJECT_NOT_EXIST, Completion::No, 0, nullptr};
  };
  EXPECT_EQ(world.send(key()), SystemErrorId::OBJECT_NOT_EXIST);
  locator->making = [](std::string_view, Incarnation&) {};
  EXPECT_EQ(Call(*world.orb).send(key()).minor, 0x4f4d0007u);
  locator->making = [&](std::string_view, Incarnation& result) { result.forward = world.orb->import({}); };
  Call call(*world.orb);
  (void)call.send(key());
  EXPECT_EQ(call.request.reply_kind(), core::ServerRequest::Reply::Forward);
  EXPECT_TRUE(locator->after.empty());
}

TEST_F(Locators, AreMissedWhereThereIsNone) {
  const auto none = world.make("none", on_demand(false));
  const SystemError error = Call(*world.orb).send(world.key(*none, "x"));
  EXPECT_EQ(error.id, SystemErrorId::OBJ_ADAPTER);
  EXPECT_EQ(error.minor, 0x4f4d0004u);
}

TEST_F(Locators, TheirAdaptersHaveNoActiveObjects) {
  core::Servant* found = nullptr;
  std::string id;
  EXPECT_EQ(adapter->activate_with_id(locator->servant, "x"), Outcome::WrongPolicy);
  EXPECT_EQ(adapter->deactivate("x"), Outcome::WrongPolicy);
  EXPECT_EQ(adapter->id_to_servant("x", found), Outcome::WrongPolicy);
  EXPECT_EQ(adapter->active_servant("x", found), Outcome::WrongPolicy);
  EXPECT_EQ(adapter->servant_to_id(locator->servant, id), Outcome::WrongPolicy);
  EXPECT_EQ(world.locate(key()), core::Dispatcher::Location::Here);
}

TEST_F(Locators, MayDestroyTheirAdapterDuringTheRequest) {
  locator->making = [&](std::string_view, Incarnation& result) {
    EXPECT_EQ(adapter->destroy(true, false), Outcome::Ok);
    result.servant = &locator->servant;
  };
  EXPECT_EQ(world.send(key()), SystemErrorId::None);
  EXPECT_EQ(locator->after.size(), 1u);
}

}  // namespace
}  // namespace corbel::poa
