// Limits of time: at which level they are set, what they are limits of, and what servers do meanwhile.
#include <corbel/location_forward.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "tests/policies/support.h"

namespace {

using namespace policies;

TimeBase::UtcT utc_from_now(std::int64_t milliseconds) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  TimeBase::UtcT utc{};
  utc.time = 0x01b21dd213814000 + static_cast<TimeBase::TimeT>(now.tv_sec) * 10'000'000 +
             static_cast<TimeBase::TimeT>(now.tv_nsec) / 100 +
             static_cast<TimeBase::TimeT>(milliseconds) * kMillisecond;
  return utc;
}

// The server's minus() waits for its gate.
class Deadlines : public testing::Test {
 protected:
  Deadlines() {
    pair.servant->script = [this] { gate.wait(); };
  }
  ~Deadlines() override { gate.open(); }

  std::string wait(Contract::Everything_ptr object) {
    return raised([&] { object->minus(1); });
  }
  CORBA::Policy_var roundtrip(TimeBase::TimeT time) { return policies::roundtrip(pair.client, time); }
  CORBA::Policy_var of_client(CORBA::PolicyType type, TimeBase::TimeT time) {
    return policy(pair.client, type, time);
  }

  Gate gate;
  Pair pair;
  // A call that is not kept ends far sooner, whatever else the machine does; one that is kept, later.
  static constexpr TimeBase::TimeT kShort = 300 * kMillisecond;
  static constexpr std::chrono::milliseconds kLater{500};
  const std::string timed_out = "TIMEOUT/43420001/MAYBE", too_late = "TIMEOUT/43420001/NO";
};

TEST_F(Deadlines, CallsEndWhenTheirReferencesLimitHasPassed) {
  Contract::Everything_var limited = with(pair.remote.in(), {roundtrip(kShort)});
  EXPECT_EQ(wait(limited), timed_out);
  EXPECT_EQ(pair.remote->plus(1), 2);
  // The late reply of the first disturbs no other.
  gate.open();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(pair.remote->plus(i), i + 1);
  EXPECT_EQ(pair.remote->minus(3), 2);
}

TEST_F(Deadlines, EveryLevelHasItsLimitAndTheNarrowestCounts) {
  CORBA::PolicyManager_var orbs = manager(pair.client);
  orbs->set_policy_overrides(list({roundtrip(kShort)}), CORBA::SET_OVERRIDE);
  EXPECT_EQ(wait(pair.remote), timed_out);
  {
    ThreadPolicies mine(pair.client, {roundtrip(kLong)});
    std::thread opener([this] {
      EXPECT_TRUE(gate.wait_until_inside(2));
      std::this_thread::sleep_for(kLater);
      gate.open();
    });
    EXPECT_EQ(wait(pair.remote), "none");
    opener.join();
  }
  gate.close();
  orbs->set_policy_overrides(list({roundtrip(kLong)}), CORBA::SET_OVERRIDE);
  ThreadPolicies mine(pair.client, {roundtrip(kShort)});
  EXPECT_EQ(wait(pair.remote), timed_out);
  Contract::Everything_var patient = with(pair.remote.in(), {roundtrip(0)});  // no limit
  std::thread opener([this] {
    std::this_thread::sleep_for(kLater);
    gate.open();
  });
  EXPECT_EQ(wait(patient), "none");
  opener.join();
}

TEST_F(Deadlines, AVeryLongLimitIsNone) {
  gate.open();
  for (const TimeBase::TimeT time : {~TimeBase::TimeT{0}, ~TimeBase::TimeT{0} / 200}) {
    Contract::Everything_var patient = with(pair.remote.in(), {roundtrip(time)});
    EXPECT_EQ(patient->plus(1), 2);
  }
}

TEST_F(Deadlines, ARequestsLimitIsOverOnceItIsSent) {
  Contract::Everything_var limited =
      with(pair.remote.in(), {of_client(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, kShort)});
  std::thread opener([this] {
    EXPECT_TRUE(gate.wait_until_inside(1));
    std::this_thread::sleep_for(kLater);
    gate.open();
  });
  EXPECT_EQ(wait(limited), "none");
  opener.join();
}

// Nothing sends a request to a server that takes no connection: its limit ends the call, not the 10 seconds
// that the ORB gives the connection.
class RequestLimits : public Deadlines {
 protected:
  RequestLimits() { full_.fill(); }
  std::string call(Contract::Everything_ptr nobody) {
    const auto begun = std::chrono::steady_clock::now();
    const std::string outcome = raised([&] { nobody->ping(); });
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(8));
    return outcome;
  }
  CORBA::Policy_var limit(TimeBase::TimeT time) {
    return of_client(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, time);
  }
  CORBA::Policy_var connection_limit() {
    return of_client(corbel::messaging::CONNECTION_TIMEOUT_POLICY_TYPE, 600 * kMillisecond);
  }
  Contract::Everything_var nobody(CORBA::ORB_ptr orb) { return full_.object(orb); }

 private:
  Silent full_{0};

 protected:
  Contract::Everything_var unreachable = nobody(pair.client);
  // What the connection's own limit makes of it.
  const std::string unconnected = "TRANSIENT/4f4d0002/NO";
};

TEST_F(RequestLimits, OfThreadsAreKept) {
  ThreadPolicies mine(pair.client, {limit(kShort)});
  EXPECT_EQ(call(unreachable), too_late);
}

TEST_F(RequestLimits, OfOrbsAreKept) {
  CORBA::PolicyManager_var orbs = manager(pair.client);
  orbs->set_policy_overrides(list({limit(kShort)}), CORBA::SET_OVERRIDE);
  EXPECT_EQ(call(unreachable), too_late);
}

TEST_F(RequestLimits, OfTheNarrowestLevelCount) {
  CORBA::PolicyManager_var orbs = manager(pair.client);
  orbs->set_policy_overrides(list({limit(kShort)}), CORBA::SET_OVERRIDE);
  {
    ThreadPolicies mine(pair.client, {limit(kLong), connection_limit()});
    EXPECT_EQ(call(unreachable), unconnected);
    Contract::Everything_var limited = with(unreachable.in(), {limit(kShort)});
    EXPECT_EQ(call(limited), too_late);
  }
  orbs->set_policy_overrides(list({limit(kLong)}), CORBA::SET_OVERRIDE);
  ThreadPolicies mine(pair.client, {limit(kShort), connection_limit()});
  EXPECT_EQ(call(unreachable), too_late);
  Contract::Everything_var patient = with(unreachable.in(), {limit(kLong)});
  EXPECT_EQ(call(patient), unconnected);
}

TEST_F(RequestLimits, OfOptionsAreKept) {
  CORBA::ORB_var orb = lifecycle::make_orb("request-limit", {"-ORBrequestTimeout", "300"});
  EXPECT_EQ(call(nobody(orb)), too_late);
  orb->destroy();
}

TEST_F(RequestLimits, OfOptionsAreOverOnceTheRequestIsSent) {
  CORBA::ORB_var orb = lifecycle::make_orb("request-limit", {"-ORBrequestTimeout", "300"});
  CORBA::Object_var object = orb->string_to_object(pair.ior.c_str());
  Contract::Everything_var limited = Contract::Everything::_unchecked_narrow(object);
  std::thread opener([this] {
    EXPECT_TRUE(gate.wait_until_inside(1));
    std::this_thread::sleep_for(kLater);
    gate.open();
  });
  EXPECT_EQ(wait(limited), "none");
  opener.join();
  orb->destroy();
}

// More at once than the system takes for a server that does not read; how each of them ends.
std::vector<std::future<std::string>> crowd(const Contract::Everything_var& nobody) {
  constexpr int kMany = 40;
  std::vector<std::future<std::string>> all;
  for (int i = 0; i < kMany; ++i)
    all.push_back(std::async(std::launch::async, [nobody] {
      Contract::Octets in, inout;
      in.length(250'000);  // below what asks first where its object is
      return raised_name(
          [&] { Contract::Octets_var out, result = nobody->give_octets(in, inout, out.out()); });
    }));
  return all;
}

// The others wait for their replies, unless half a message has ended the connection.
TEST_F(Deadlines, AServerThatDoesNotReadHoldsARequestNoLongerThanItsLimit) {
  Silent silent;
  Contract::Everything_var nobody = silent.object(pair.client);
  nobody = with(nobody.in(), {of_client(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, 100 * kMillisecond),
                              roundtrip(15'000 * kMillisecond)});
  const auto begin = std::chrono::steady_clock::now();
  auto all = crowd(nobody);
  const auto has_ended = [](auto& call) {
    return call.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready;
  };
  while (std::none_of(all.begin(), all.end(), has_ended)) {
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(14)) << "by the other limit";
  int timeouts = 0;
  for (auto& call : all) {
    const std::string outcome = call.get();
    EXPECT_TRUE(outcome == "TIMEOUT" || outcome == "COMM_FAILURE") << outcome;
    timeouts += outcome == "TIMEOUT";
  }
  EXPECT_GT(timeouts, 0);
}

// A large request is preceded by one that asks where its object is, and so is a validation.
TEST_F(Deadlines, ARequestsLimitHoldsWhileItsObjectIsAskedFor) {
  Silent silent;
  Contract::Everything_var nobody = silent.object(pair.client);
  Contract::Octets in, inout;
  in.length(1'000'000);
  const auto begun = std::chrono::steady_clock::now();
  for (const CORBA::Policy_var& limit :
       {of_client(Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, kShort),
        policy(pair.client, Messaging::REQUEST_END_TIME_POLICY_TYPE, utc_from_now(1'000))}) {
    Contract::Everything_var limited = with(nobody.in(), {limit, roundtrip(20'000 * kMillisecond)});
    EXPECT_EQ(raised([&] { Contract::Octets_var out, result = limited->give_octets(in, inout, out.out()); }),
              too_late);
    CORBA::PolicyList_var blame;
    EXPECT_EQ(raised([&] { limited->_validate_connection(blame.out()); }), too_late);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(15));
}

TEST_F(Deadlines, ATimeOfDayIsADeadline) {
  const auto until = [&](CORBA::PolicyType type, std::int64_t milliseconds) {
    return with(pair.remote.in(), {policy(pair.client, type, utc_from_now(milliseconds))});
  };
  Contract::Everything_var limited = until(Messaging::REPLY_END_TIME_POLICY_TYPE, 60'000);
  EXPECT_EQ(limited->plus(1), 2);
  limited = until(Messaging::REPLY_END_TIME_POLICY_TYPE, 100);
  EXPECT_EQ(raised_name([&] { limited->minus(1); }), "TIMEOUT");
  EXPECT_EQ(wait(limited), too_late);
  limited = until(Messaging::REQUEST_END_TIME_POLICY_TYPE, -1);
  EXPECT_EQ(wait(limited), too_late);
  limited =
      with(pair.remote.in(), {policy(pair.client, Messaging::REPLY_END_TIME_POLICY_TYPE, TimeBase::UtcT{})});
  EXPECT_EQ(wait(limited), too_late);
  limited = until(Messaging::REQUEST_END_TIME_POLICY_TYPE, 60'000);
  gate.open();
  EXPECT_EQ(wait(limited), "none");
}

TEST_F(Deadlines, AConnectionThatIsNeverSetUpIsGivenUp) {
  Silent full(0);
  full.fill();
  Contract::Everything_var nobody = full.object(pair.client);
  for (const CORBA::PolicyType type : {CORBA::PolicyType{corbel::messaging::CONNECTION_TIMEOUT_POLICY_TYPE},
                                       CORBA::PolicyType{Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE},
                                       CORBA::PolicyType{Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE}}) {
    Contract::Everything_var limited = with(nobody.in(), {of_client(type, 100 * kMillisecond)});
    const auto begun = std::chrono::steady_clock::now();
    const std::string outcome = raised([&] { limited->ping(); });
    EXPECT_EQ(outcome,
              type == corbel::messaging::CONNECTION_TIMEOUT_POLICY_TYPE ? "TRANSIENT/4f4d0002/NO" : too_late);
    // Not the 10 seconds of the ORB.
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(8));
  }
}

// To try them all takes far longer.
TEST_F(Deadlines, AddressesAreTriedUntilThen) {
  corbel::ior::Ior ior;
  for (int i = 0; i < 20; ++i) {
    corbel::ior::IiopProfile profile;
    profile.minor = 2;
    profile.address = {"127.1.0.1", 1};
    profile.object_key = "nobody";
    for (int j = 0; j < 1'000; ++j)
      profile.components.push_back(corbel::ior::encode_alternate_address(
          {"127." + std::to_string(2 + i) + "." + std::to_string(j / 250) + "." + std::to_string(j % 250),
           1}));
    ior.profiles.push_back(corbel::ior::encode_iiop(profile));
  }
  CORBA::ORB_var orb = lifecycle::make_orb("tcp-only", {"-ORBtransports", "tcp"});
  CORBA::Object_var object = orb->string_to_object(corbel::ior::to_string(ior).c_str());
  Contract::Everything_var nobody = Contract::Everything::_unchecked_narrow(object);
  nobody = with(nobody.in(), {policies::roundtrip(orb, 5 * kMillisecond)});
  EXPECT_EQ(raised([&] { nobody->ping(); }), too_late);
  orb->destroy();
}

TEST_F(Deadlines, WhoWaitsForAnothersAttemptToConnectWaitsForItsOwnLimit) {
  Silent full(0);
  full.fill();
  Contract::Everything_var nobody = full.object(pair.client);
  Contract::Everything_var first = with(nobody.in(), {roundtrip(2'000 * kMillisecond)});
  std::atomic<bool> ended{false};
  std::thread other([&] {
    EXPECT_EQ(raised([&] { first->ping(); }), too_late);
    ended = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  Contract::Everything_var limited = with(nobody.in(), {roundtrip(100 * kMillisecond)});
  EXPECT_EQ(raised([&] { limited->ping(); }), too_late);
  EXPECT_FALSE(ended);
  other.join();
}

TEST_F(Deadlines, WhoWaitsForAnothersRequestWaitsForItsOwnLimit) {
  Silent silent;
  Contract::Everything_var nobody = silent.object(pair.client);
  auto others = crowd(with(nobody.in(), {roundtrip(10'000 * kMillisecond)}));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  for (int i = 0; i < 5; ++i) {
    Contract::Everything_var limited = with(nobody.in(), {roundtrip(100 * kMillisecond)});
    EXPECT_EQ(raised_name([&] { limited->ping(); }), "TIMEOUT");
  }
  for (auto& other : others) EXPECT_EQ(other.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  int timeouts = 0;
  for (auto& other : others) timeouts += other.get() == "TIMEOUT";
  EXPECT_GT(timeouts, 0);
}

TEST_F(Deadlines, OfAServersAdapterHoldForReferencesThatMoveThereForGood) {
  Contract::Everything_var patient = with(pair.remote.in(), {roundtrip(kLong)});
  EXPECT_EQ(patient->plus(1), 2);
  PortableServer::POAManager_var poa_manager = pair.poa->the_POAManager();
  PortableServer::POA_var poa =
      pair.poa->create_POA("limited", poa_manager, list({policies::roundtrip(pair.server, kShort)}));
  PortableServer::Servant_var<lifecycle::ScriptedServant> slow = new lifecycle::ScriptedServant;
  PortableServer::ObjectId_var id = poa->activate_object(slow);
  CORBA::Object_var there = poa->id_to_reference(id);
  pair.servant->script = [&] { throw corbel::LocationForward(there, true); };
  EXPECT_EQ(patient->minus(1), 0);
  slow->script = [this] { gate.wait(); };
  std::thread opener([this] {
    EXPECT_TRUE(gate.wait_until_inside(1));
    std::this_thread::sleep_for(kLater);
    gate.open();
  });
  EXPECT_EQ(wait(patient), timed_out);
  opener.join();
}

TEST_F(Deadlines, CallsToObjectsOfTheSameProcessAreNotCutShort) {
  gate.open();
  Contract::Everything_var limited =
      with(pair.local.in(), {policies::roundtrip(pair.server, 50 * kMillisecond)});
  pair.servant->script = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  EXPECT_EQ(limited->minus(1), 0);
}

TEST_F(Deadlines, PoliciesHoldForCallsThatNarrowAndAsk) {
  Silent silent;
  Contract::Everything_var nobody = silent.object(pair.client);
  nobody = with(nobody.in(), {roundtrip(100 * kMillisecond)});
  EXPECT_EQ(raised_name([&] { nobody->_non_existent(); }), "TIMEOUT");
  EXPECT_EQ(raised_name([&] { Contract::Callback_var c = Contract::Callback::_narrow(nobody); }), "TIMEOUT");
}

}  // namespace
