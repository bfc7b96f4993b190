// How far one-ways are followed: SyncScopePolicy.
#include <corbel/core/invocation.h>
#include <corbel/transport/transport.h>

#include <atomic>
#include <thread>
#include <utility>

#include "tests/policies/support.h"

namespace {

using namespace policies;
namespace transport = corbel::transport;

// note() does what the test says first.
class NotingServant : public EverythingServant {
 public:
  void note(CORBA::Long n) override {
    if (script) script();
    EverythingServant::note(n);
    ++done;
  }
  std::function<void()> script;
  std::atomic<int> done{0};
};

class Delivery : public testing::TestWithParam<const char*> {
 protected:
  Delivery() : pair({}, {"-ORBmaxGIOPVersion", GetParam()}) {
    CORBA::Object_var object = pair.poa->servant_to_reference(servant);
    local = Contract::Everything::_unchecked_narrow(object);
    CORBA::String_var ior = pair.server->object_to_string(object);
    object = pair.client->string_to_object(ior);
    remote = Contract::Everything::_unchecked_narrow(object);
  }
  ~Delivery() override { gate.open(); }
  Contract::Everything_var scoped(Contract::Everything_ptr object, Messaging::SyncScope s) {
    return with(object, {scope(pair.client, s)});
  }
  // Of an object that is gone.
  Contract::Everything_var gone(bool of_server, Messaging::SyncScope s) {
    PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
    PortableServer::ObjectId_var id = pair.poa->activate_object(servant);
    CORBA::Object_var object = pair.poa->id_to_reference(id);
    pair.poa->deactivate_object(id);
    CORBA::String_var ior = pair.server->object_to_string(object);
    object = (of_server ? pair.server : pair.client)->string_to_object(ior);
    Contract::Everything_var narrowed = Contract::Everything::_unchecked_narrow(object);
    return scoped(narrowed, s);
  }
  bool older() const { return std::string(GetParam()) != "1.2"; }

  Gate gate;
  Pair pair;
  PortableServer::Servant_var<NotingServant> servant = new NotingServant;
  Contract::Everything_var local, remote;
};

TEST_P(Delivery, WithTargetWaitsUntilTheObjectIsDone) {
  Contract::Everything_var target = scoped(remote, Messaging::SYNC_WITH_TARGET);
  servant->script = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  for (int i = 1; i <= 5; ++i) {
    target->note(i);
    EXPECT_EQ(servant->done, i);
  }
  EXPECT_EQ(target->noted(), 15);
  servant->script = [] { throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO); };
  EXPECT_EQ(raised([&] { target->note(1); }), "NO_PERMISSION/5/NO");
  EXPECT_EQ(raised_name([&] { gone(false, Messaging::SYNC_WITH_TARGET)->note(1); }), "OBJECT_NOT_EXIST");
}

TEST_P(Delivery, WithServerWaitsUntilTheRequestHasArrived) {
  Contract::Everything_var target = scoped(remote, Messaging::SYNC_WITH_SERVER);
  if (older()) {  // which have no such answer: it comes when the object is done
    target->note(1);
    EXPECT_EQ(servant->done, 1);
  } else {
    servant->script = [this] { gate.wait(); };
    target->note(1);
    EXPECT_EQ(servant->done, 0);
    EXPECT_TRUE(gate.wait_until_inside(1));
    gate.open();
    while (servant->done < 1) std::this_thread::yield();  // nobody is inside of the script any more
    // What the object throws afterwards reaches nobody.
    servant->script = [] { throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO); };
    for (int i = 0; i < 10; ++i) target->note(1);
  }
  EXPECT_EQ(target->plus(1), 2);
  EXPECT_EQ(raised_name([&] { gone(false, Messaging::SYNC_WITH_SERVER)->note(1); }), "OBJECT_NOT_EXIST");
}

TEST_P(Delivery, WithTransportWaitsForNoAnswer) {
  servant->script = [this] { gate.wait(); };
  for (const Contract::Everything_var& target : {remote, scoped(remote, Messaging::SYNC_WITH_TRANSPORT)}) {
    target->note(1);
    EXPECT_EQ(servant->done, 0);
  }
  gone(false, Messaging::SYNC_WITH_TRANSPORT)->note(1);
}

TEST_P(Delivery, WithNoneEverythingLeavesInItsOrder) {
  Contract::Everything_var target = scoped(remote, Messaging::SYNC_NONE);
  servant->script = [this] { gate.wait(); };
  target->note(1);
  EXPECT_EQ(servant->done, 0);
  gate.open();
  for (int i = 0; i < 500; ++i) target->note(1);
  const auto until = std::chrono::steady_clock::now() + lifecycle::kPatience;
  while (servant->done < 501 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  EXPECT_EQ(remote->noted(), 501);
  // An ORB that ends lets them go first.
  for (int i = 0; i < 100; ++i) target->note(1);
  pair.client->destroy();
  while (servant->done < 601 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  EXPECT_EQ(servant->done, 601);
  pair.client = lifecycle::make_orb("pair-client");
}

TEST_P(Delivery, WithNoneAPeerThatDoesNotReadHoldsUpNobody) {
  CORBA::ORB_var other = lifecycle::make_orb("none", {"-ORBdefaultSyncScope", "none", "-ORBmaxUnsentBytes",
                                                      "100000", "-ORBmaxGIOPVersion", GetParam()});
  Silent silent;
  Contract::Everything_var nobody = silent.object(other);
  std::string outcome = "none";
  for (int i = 0; i < 1'000'000 && outcome == "none"; ++i) outcome = raised([&] { nobody->note(1); });
  EXPECT_EQ(outcome, "TRANSIENT/43420003/NO");
  // Others go on.
  CORBA::String_var ior = pair.client->object_to_string(remote);
  CORBA::Object_var object = other->string_to_object(ior);
  Contract::Everything_var target = Contract::Everything::_unchecked_narrow(object);
  target->note(1);
  const auto until = std::chrono::steady_clock::now() + lifecycle::kPatience;
  while (servant->done < 1 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  EXPECT_EQ(servant->done, 1);
  other->destroy();
}

TEST_P(Delivery, WithNoneALargeOneAsksNobodyWhereTheObjectIs) {
  CORBA::ORB_var other = lifecycle::make_orb("none", {"-ORBdefaultSyncScope", "none", "-ORBmaxGIOPVersion",
                                                      GetParam(), "-ORBclientCallTimeOutPeriod", "1000"});
  Silent silent;
  Contract::Everything_var nobody = silent.object(other);
  static constexpr corbel::core::Operation kLarge{"large", 5, true};
  corbel::SystemError error;
  corbel::core::Invocation* const call =
      corbel::core::Invocation::begin(*nobody->_corbel_reference(), kLarge, error);
  ASSERT_TRUE(call);
  const std::vector<char> octets(300'000);
  call->arguments().put_octets(octets.data(), static_cast<CORBA::ULong>(octets.size()));
  corbel::core::ReplyKind kind;
  EXPECT_FALSE(call->invoke(kind)) << "it has waited";
  call->end();
  other->destroy();
}

// Each takes an octet and no more. No network is needed for that, which would take what is sent.
class Deaf final : public transport::Stream {
 public:
  Deaf() { EXPECT_EQ(pipe(ends_), 0); }
  ~Deaf() override {
    close(ends_[0]);
    close(ends_[1]);
  }
  transport::IoResult read(char*, std::size_t) override { return nothing(); }
  transport::IoResult try_read(char*, std::size_t) override { return nothing(); }
  transport::IoResult try_write(const iovec*, int) override {
    return std::exchange(began_, true) ? nothing() : transport::IoResult{transport::Io::Ok, 1};
  }
  transport::Readiness wait(bool read, bool, transport::Deadline deadline) override {
    const auto ready = transport::wait_ready(ends_[0], true, false, deadline);
    return {read && ready.readable, ended_};
  }
  void set_read_timeout(int) override {}
  int descriptor() const override { return ends_[0]; }
  void interrupt() override {
    ended_ = true;
    EXPECT_EQ(::write(ends_[1], "x", 1), 1);
  }
  void stop_reading() override {}
  void finish_writing() override {}
  std::string peer() const override { return "deaf"; }

 private:
  transport::IoResult nothing() const { return {ended_ ? transport::Io::Failed : transport::Io::WouldBlock}; }
  int ends_[2];
  bool began_ = false;
  std::atomic<bool> ended_{false};
};

class DeafTransport final : public transport::Transport {
 public:
  const char* name() const override { return "deaf"; }
  std::unique_ptr<transport::Acceptor> listen(const std::string&, std::string&) override { return nullptr; }
  transport::ConnectResult connect(const std::string&, transport::Deadline) override {
    transport::ConnectResult result;
    result.stream = std::make_unique<Deaf>();
    return result;
  }
};

const transport::TransportKind kDeaf{
    "deaf", nullptr,
    [](const transport::TransportSettings&, std::string&) -> std::unique_ptr<transport::Transport> {
      return std::make_unique<DeafTransport>();
    }};

// One thread is idle: it meets the peer that does not read, and the message for the other is there already.
TEST_P(Delivery, WithNoneAPeerThatDoesNotReadHoldsUpNobodyWhoIsSentToAtOnce) {
  transport::register_transport(kDeaf);
  CORBA::ORB_var other = lifecycle::make_orb("none", {"-ORBdefaultSyncScope", "none", "-ORBmaxGIOPVersion",
                                                      GetParam(), "-ORBtransports", "deaf,tcp"});
  CORBA::String_var ior = pair.client->object_to_string(remote);
  CORBA::Object_var object = other->string_to_object(ior);
  Contract::Everything_var target = Contract::Everything::_unchecked_narrow(object);
  target->note(1);
  ASSERT_TRUE(lifecycle::comes_true([this] { return servant->done == 1; }));
  for (int round = 1; round <= 6; ++round) {  // there are more threads than that
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    corbel::ior::IiopProfile profile;
    profile.minor = 2;
    profile.object_key = "key";
    profile.components = {corbel::ior::encode_endpoint("deaf", std::to_string(round))};
    corbel::ior::Ior nobody;
    nobody.profiles = {corbel::ior::encode_iiop(profile)};
    object = other->string_to_object(corbel::ior::to_string(nobody).c_str());
    Contract::Everything_var deaf = Contract::Everything::_unchecked_narrow(object);
    deaf->note(1);
    target->note(1);
    ASSERT_TRUE(lifecycle::comes_true([&] { return servant->done == round + 1; })) << round;
  }
  other->destroy();
}

TEST_P(Delivery, ObjectsOfTheSameProcessAreToldOfTheSame) {
  servant->script = [] { throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO); };
  EXPECT_EQ(raised([&] { scoped(local, Messaging::SYNC_WITH_TARGET)->note(1); }), "NO_PERMISSION/5/NO");
  scoped(local, Messaging::SYNC_WITH_SERVER)->note(1);
  scoped(local, Messaging::SYNC_WITH_TRANSPORT)->note(1);
  local->note(1);
  EXPECT_EQ(raised_name([&] { gone(true, Messaging::SYNC_WITH_TARGET)->note(1); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(raised_name([&] { gone(true, Messaging::SYNC_WITH_SERVER)->note(1); }), "OBJECT_NOT_EXIST");
  gone(true, Messaging::SYNC_WITH_TRANSPORT)->note(1);
}

TEST_P(Delivery, TwoWaysAndOtherOnewaysOfTheConnectionAreAsBefore) {
  Contract::Everything_var target = scoped(remote, Messaging::SYNC_WITH_TARGET);
  for (int i = 0; i < 5; ++i) {
    remote->note(1);
    target->note(1);
    EXPECT_EQ(target->plus(i), i + 1);
    EXPECT_EQ(remote->plus(i), i + 1);
  }
  while (servant->done < 10) std::this_thread::yield();
}

TEST_P(Delivery, AnAnswerIsAwaitedNoLongerThanItsLimit) {
  servant->script = [this] { gate.wait(); };
  CORBA::PolicyManager_var orbs = manager(pair.client);
  orbs->set_policy_overrides(
      list({scope(pair.client, Messaging::SYNC_WITH_TARGET), roundtrip(pair.client, 50 * kMillisecond)}),
      CORBA::SET_OVERRIDE);
  EXPECT_EQ(raised_name([&] { remote->note(1); }), "TIMEOUT");
}

TEST_P(Delivery, OptionsSetItForTheWholeOrb) {
  CORBA::ORB_var other =
      lifecycle::make_orb("options", {"-ORBdefaultSyncScope", "target", "-ORBmaxGIOPVersion", GetParam()});
  CORBA::String_var ior = pair.client->object_to_string(remote);
  CORBA::Object_var object = other->string_to_object(ior);
  Contract::Everything_var target = Contract::Everything::_unchecked_narrow(object);
  servant->script = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  target->note(1);
  EXPECT_EQ(servant->done, 1);
  other->destroy();
  EXPECT_EQ(raised_name([] {
              lifecycle::make_orb("bad", {"-ORBdefaultSyncScope", "sometimes"});
            }),
            "BAD_PARAM");
}

INSTANTIATE_TEST_SUITE_P(Versions, Delivery, testing::Values("1.0", "1.1", "1.2"),
                         [](const auto& info) { return std::string(info.param).replace(1, 1, "_"); });

}  // namespace
