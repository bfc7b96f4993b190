// How policies are made, kept and found again.
#include <thread>

#include "tests/policies/support.h"

namespace {

using namespace policies;
using lifecycle::kOmg;
using lifecycle::make_orb;

class Framework : public testing::Test {
 protected:
  ~Framework() override { orb->destroy(); }

  // Why there is none; -1 if there is one.
  template <typename Value>
  int refusal(CORBA::PolicyType type, const Value& value) {
    try {
      policy(orb, type, value);
      return -1;
    } catch (const CORBA::PolicyError& e) {
      return e.reason;
    }
  }
  static TimeBase::TimeT time_of(CORBA::Policy_ptr policy) {
    Messaging::RelativeRoundtripTimeoutPolicy_var p =
        Messaging::RelativeRoundtripTimeoutPolicy::_narrow(policy);
    return p.in() ? p->relative_expiry() : ~TimeBase::TimeT{0};
  }
  CORBA::Object_var object() { return orb->string_to_object("corbaloc::127.0.0.1:1/none"); }

  CORBA::ORB_var orb = make_orb("framework", lifecycle::on_loopback());
};

TEST_F(Framework, PoliciesSayWhatTheyWereMadeOf) {
  CORBA::Policy_var p = roundtrip(orb, 5 * kMillisecond);
  EXPECT_EQ(p->policy_type(), Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE);
  EXPECT_EQ(time_of(p), 5 * kMillisecond);
  CORBA::Policy_var copy = p->copy();
  p->destroy();
  EXPECT_EQ(time_of(copy), 5 * kMillisecond);

  p = policy(orb, Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, TimeBase::TimeT{7});
  Messaging::RelativeRequestTimeoutPolicy_var request = Messaging::RelativeRequestTimeoutPolicy::_narrow(p);
  ASSERT_TRUE(request.in());
  EXPECT_EQ(request->relative_expiry(), 7u);
  Messaging::RelativeRoundtripTimeoutPolicy_var other = Messaging::RelativeRoundtripTimeoutPolicy::_narrow(p);
  EXPECT_TRUE(CORBA::is_nil(other));

  p = scope(orb, Messaging::SYNC_WITH_SERVER);
  Messaging::SyncScopePolicy_var sync = Messaging::SyncScopePolicy::_narrow(p);
  ASSERT_TRUE(sync.in());
  EXPECT_EQ(sync->synchronization(), Messaging::SYNC_WITH_SERVER);

  p = rebind(orb, Messaging::NO_RECONNECT);
  Messaging::RebindPolicy_var mode = Messaging::RebindPolicy::_narrow(p);
  ASSERT_TRUE(mode.in());
  EXPECT_EQ(mode->rebind_mode(), Messaging::NO_RECONNECT);

  TimeBase::UtcT utc{};
  utc.time = 123456789;
  p = policy(orb, Messaging::REPLY_END_TIME_POLICY_TYPE, utc);
  Messaging::ReplyEndTimePolicy_var end = Messaging::ReplyEndTimePolicy::_narrow(p);
  ASSERT_TRUE(end.in());
  EXPECT_EQ(end->end_time().time, 123456789u);
  p = policy(orb, Messaging::REQUEST_END_TIME_POLICY_TYPE, utc);
  Messaging::RequestEndTimePolicy_var request_end = Messaging::RequestEndTimePolicy::_narrow(p);
  ASSERT_TRUE(request_end.in());
  EXPECT_EQ(request_end->end_time().time, 123456789u);

  p = policy(orb, corbel::messaging::CONNECTION_TIMEOUT_POLICY_TYPE, kMillisecond);
  auto connect = corbel::messaging::ConnectionTimeoutPolicy::_narrow(p);
  ASSERT_TRUE(connect);
  EXPECT_EQ(connect->relative_expiry(), kMillisecond);
  CORBA::release(connect);

  p = policy(orb, BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, BiDirPolicy::BOTH);
  BiDirPolicy::BidirectionalPolicy_var both = BiDirPolicy::BidirectionalPolicy::_narrow(p);
  ASSERT_TRUE(both.in());
  EXPECT_EQ(both->value(), BiDirPolicy::BOTH);
}

TEST_F(Framework, WhatIsNoPolicyIsRefusedWithAReason) {
  EXPECT_EQ(refusal(0x7fffffff, CORBA::ULong{1}), CORBA::BAD_POLICY);
  EXPECT_EQ(refusal(Messaging::QUEUE_ORDER_POLICY_TYPE, CORBA::UShort{1}), CORBA::UNSUPPORTED_POLICY);
  EXPECT_EQ(refusal(Messaging::REQUEST_START_TIME_POLICY_TYPE, TimeBase::UtcT{}), CORBA::UNSUPPORTED_POLICY);
  EXPECT_EQ(refusal(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, "soon"), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refusal(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, CORBA::ULong{1}), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refusal(Messaging::REPLY_END_TIME_POLICY_TYPE, TimeBase::TimeT{1}), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refusal(Messaging::SYNC_SCOPE_POLICY_TYPE, CORBA::Short{4}), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(refusal(Messaging::SYNC_SCOPE_POLICY_TYPE, CORBA::Short{-1}), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(refusal(Messaging::REBIND_POLICY_TYPE, CORBA::Short{3}), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(refusal(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, CORBA::UShort{2}), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(refusal(17, CORBA::Long{2}), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(refusal(17, "PERSISTENT"), CORBA::BAD_POLICY_TYPE);
}

TEST_F(Framework, AdaptersTakePoliciesThatTheOrbMade) {
  PortableServer::POA_var root = TwoOrbs::activate(orb);
  CORBA::Policy_var user_id = policy(orb, 19, CORBA::Long{PortableServer::USER_ID});
  CORBA::Policy_var lifespan = policy(orb, 17, CORBA::ULong{PortableServer::PERSISTENT});
  PortableServer::LifespanPolicy_var narrowed = PortableServer::LifespanPolicy::_narrow(lifespan);
  ASSERT_TRUE(narrowed.in());
  EXPECT_EQ(narrowed->value(), PortableServer::PERSISTENT);
  PortableServer::POAManager_var manager = root->the_POAManager();
  PortableServer::POA_var child = root->create_POA("child", manager, list({user_id}));
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("chosen");
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  child->activate_object_with_id(id, servant);  // WrongPolicy in an adapter that makes ids
}

TEST_F(Framework, AnotherLibraryAddsAKind) {
  constexpr CORBA::PolicyType kType = 0x43420fff;
  EXPECT_EQ(refusal(kType, CORBA::Long{1}), CORBA::BAD_POLICY);
  const auto factory = [](const CORBA::Any& any) -> CORBA::Policy_ptr {
    CORBA::Short value;
    if (!(any >>= value)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
    return new PortableServer::LifespanPolicy(PortableServer::PERSISTENT);
  };
  EXPECT_TRUE(corbel::messaging::register_policy_kind(kType, factory));
  EXPECT_TRUE(corbel::messaging::register_policy_kind(kType, factory));
  EXPECT_EQ(refusal(kType, CORBA::Long{1}), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refusal(kType, CORBA::Short{1}), -1);
  EXPECT_FALSE(corbel::messaging::register_policy_kind(Messaging::REBIND_POLICY_TYPE, factory));
}

TEST_F(Framework, ManagersKeepOnePolicyOfAType) {
  CORBA::PolicyManager_var orbs = manager(orb);
  ASSERT_TRUE(orbs.in());
  CORBA::PolicyCurrent_var threads = current(orb);
  ASSERT_TRUE(threads.in());
  for (CORBA::PolicyManager_ptr m : {orbs.in(), static_cast<CORBA::PolicyManager_ptr>(threads.in())}) {
    const auto kept = [&](const CORBA::PolicyTypeSeq& types = CORBA::PolicyTypeSeq()) {
      CORBA::PolicyList_var policies = m->get_policy_overrides(types);
      std::vector<CORBA::PolicyType> found;
      for (CORBA::ULong i = 0; i < policies->length(); ++i) found.push_back((*policies)[i]->policy_type());
      std::sort(found.begin(), found.end());
      return found;
    };
    using Types = std::vector<CORBA::PolicyType>;
    EXPECT_EQ(kept(), Types());
    m->set_policy_overrides(list({roundtrip(orb, 1), scope(orb, 1)}), CORBA::SET_OVERRIDE);
    EXPECT_EQ(kept(), (Types{24, 32}));
    m->set_policy_overrides(list({roundtrip(orb, 2), rebind(orb, 1)}), CORBA::ADD_OVERRIDE);
    EXPECT_EQ(kept(), (Types{23, 24, 32}));
    CORBA::PolicyTypeSeq wanted;
    wanted.length(2);
    wanted[0] = 32;
    wanted[1] = 31;
    EXPECT_EQ(kept(wanted), Types{32});
    CORBA::PolicyList_var found = m->get_policy_overrides(wanted);
    EXPECT_EQ(time_of((*found)[0]), 2u);
    m->set_policy_overrides(CORBA::PolicyList(), CORBA::ADD_OVERRIDE);
    EXPECT_EQ(kept().size(), 3u);

    // What is refused changes nothing.
    try {
      m->set_policy_overrides(list({scope(orb, 0), CORBA::Policy_var(), CORBA::Policy_var()}),
                              CORBA::SET_OVERRIDE);
      FAIL();
    } catch (const CORBA::InvalidPolicies& e) {
      ASSERT_EQ(e.indices.length(), 2u);
      EXPECT_EQ(e.indices[0], 1);
      EXPECT_EQ(e.indices[1], 2);
    }
    const auto set = [&](std::vector<CORBA::Policy_var> policies) {
      return raised([&] { m->set_policy_overrides(list(policies), CORBA::SET_OVERRIDE); });
    };
    EXPECT_EQ(set({scope(orb, 0), scope(orb, 1)}), "BAD_PARAM/4f4d001e/NO");
    EXPECT_EQ(set({policy(orb, 17, CORBA::Long{0})}), "NO_PERMISSION/0/NO");
    EXPECT_EQ(kept().size(), 3u);
    m->set_policy_overrides(CORBA::PolicyList(), CORBA::SET_OVERRIDE);
    EXPECT_EQ(kept(), Types());
  }
}

TEST_F(Framework, ManagersAreFoundByTheirNamesOnly) {
  CORBA::Object_var object = orb->resolve_initial_references("ORBPolicyManager");
  CORBA::PolicyCurrent_var not_current = CORBA::PolicyCurrent::_narrow(object);
  EXPECT_TRUE(CORBA::is_nil(not_current));
  object = orb->resolve_initial_references("PolicyCurrent");
  CORBA::PolicyManager_var base = CORBA::PolicyManager::_narrow(object);
  ASSERT_TRUE(base.in());
  CORBA::PolicyCurrent_var again = CORBA::PolicyCurrent::_narrow(base);
  EXPECT_TRUE(again.in());
  CORBA::Current_var current = CORBA::Current::_narrow(base);
  EXPECT_TRUE(current.in());
  object = orb->resolve_initial_references("RootPOA");
  base = CORBA::PolicyManager::_narrow(object);
  EXPECT_TRUE(CORBA::is_nil(base));
  base = CORBA::PolicyManager::_narrow(nullptr);
  EXPECT_TRUE(CORBA::is_nil(base));
}

TEST_F(Framework, ThreadsHaveTheirOwn) {
  ThreadPolicies mine(orb, {roundtrip(orb, 1)});
  std::thread([&] {
    CORBA::PolicyCurrent_var c = current(orb);
    CORBA::PolicyList_var policies = c->get_policy_overrides(CORBA::PolicyTypeSeq());
    EXPECT_EQ(policies->length(), 0u);
    c->set_policy_overrides(list({roundtrip(orb, 2)}), CORBA::SET_OVERRIDE);
  }).join();
  CORBA::Object_var o = object();
  CORBA::Policy_var p = o->_get_client_policy(32);
  EXPECT_EQ(time_of(p), 1u);
}

TEST_F(Framework, ReferencesAreGivenPoliciesByCopy) {
  CORBA::Object_var plain = object();
  CORBA::Object_var one = plain->_set_policy_overrides(list({roundtrip(orb, 1)}), CORBA::SET_OVERRIDE);
  CORBA::Object_var two = one->_set_policy_overrides(list({scope(orb, 0)}), CORBA::ADD_OVERRIDE);
  CORBA::Object_var three = two->_set_policy_overrides(list({rebind(orb, 1)}), CORBA::SET_OVERRIDE);
  const auto count = [](CORBA::Object_ptr o) {
    CORBA::PolicyList_var policies = o->_get_policy_overrides(CORBA::PolicyTypeSeq());
    return policies->length();
  };
  EXPECT_EQ(count(plain), 0u);
  EXPECT_EQ(count(one), 1u);
  EXPECT_EQ(count(two), 2u);
  EXPECT_EQ(count(three), 1u);
  EXPECT_TRUE(plain->_is_equivalent(two));
  EXPECT_EQ(plain->_hash(1000), two->_hash(1000));
  // All that is made of it has them; what arrives by its text has not.
  Contract::Everything_var narrowed = Contract::Everything::_unchecked_narrow(two);
  EXPECT_EQ(count(narrowed), 2u);
  CORBA::String_var text = orb->object_to_string(two);
  CORBA::Object_var read = orb->string_to_object(text);
  EXPECT_EQ(count(read), 0u);
  EXPECT_EQ(raised([&] {
              plain->_set_policy_overrides(list({policy(orb, 16, CORBA::Long{0})}), CORBA::SET_OVERRIDE);
            }),
            "NO_PERMISSION/0/NO");
}

TEST_F(Framework, TheNarrowestLevelCounts) {
  CORBA::PolicyManager_var orbs = manager(orb);
  CORBA::Object_var plain = object();
  const auto effective = [&](CORBA::Object_ptr o) {
    CORBA::Policy_var p = o->_get_client_policy(32);
    return p.in() ? time_of(p) : 0;
  };
  EXPECT_EQ(effective(plain), 0u);
  orbs->set_policy_overrides(list({roundtrip(orb, 1), scope(orb, 2)}), CORBA::SET_OVERRIDE);
  EXPECT_EQ(effective(plain), 1u);
  CORBA::Object_var own = plain->_set_policy_overrides(list({roundtrip(orb, 3)}), CORBA::SET_OVERRIDE);
  {
    ThreadPolicies mine(orb, {roundtrip(orb, 2)});
    EXPECT_EQ(effective(plain), 2u);
    EXPECT_EQ(effective(own), 3u);
  }
  EXPECT_EQ(effective(plain), 1u);
  EXPECT_EQ(effective(own), 3u);
  // Each type for itself.
  CORBA::Policy_var sync = own->_get_client_policy(24);
  Messaging::SyncScopePolicy_var s = Messaging::SyncScopePolicy::_narrow(sync);
  EXPECT_EQ(s->synchronization(), Messaging::SYNC_WITH_SERVER);
  orbs->set_policy_overrides(CORBA::PolicyList(), CORBA::SET_OVERRIDE);
  EXPECT_EQ(effective(plain), 0u);
}

TEST_F(Framework, WhereNothingIsSetTheDefaultIsTold) {
  CORBA::ORB_var other = make_orb("defaults", {"-ORBclientCallTimeOutPeriod", "250", "-ORBrequestTimeout",
                                               "120", "-ORBdefaultSyncScope", "Target"});
  CORBA::Object_var o = other->string_to_object("corbaloc::127.0.0.1:1/none");
  CORBA::Policy_var p = o->_get_client_policy(32);
  EXPECT_EQ(time_of(p), 250 * kMillisecond);
  p = o->_get_client_policy(31);
  Messaging::RelativeRequestTimeoutPolicy_var request = Messaging::RelativeRequestTimeoutPolicy::_narrow(p);
  EXPECT_EQ(request->relative_expiry(), 120 * kMillisecond);
  p = o->_get_client_policy(24);
  Messaging::SyncScopePolicy_var s = Messaging::SyncScopePolicy::_narrow(p);
  EXPECT_EQ(s->synchronization(), Messaging::SYNC_WITH_TARGET);
  o = object();
  p = o->_get_client_policy(24);
  s = Messaging::SyncScopePolicy::_narrow(p);
  EXPECT_EQ(s->synchronization(), Messaging::SYNC_WITH_TRANSPORT);
  p = o->_get_client_policy(23);
  Messaging::RebindPolicy_var r = Messaging::RebindPolicy::_narrow(p);
  EXPECT_EQ(r->rebind_mode(), Messaging::TRANSPARENT);
  p = o->_get_client_policy(31);
  EXPECT_TRUE(CORBA::is_nil(p));
  EXPECT_EQ(raised([&] { o->_get_client_policy(17); }), "INV_POLICY/4f4d0002/NO");
  EXPECT_EQ(raised([&] { o->_get_policy(4711); }), "INV_POLICY/4f4d0002/NO");
  other->destroy();
}

TEST_F(Framework, LocalAndNilReferencesHaveNone) {
  CORBA::Object_var local = orb->resolve_initial_references("PolicyCurrent");
  EXPECT_EQ(raised_name([&] { local->_set_policy_overrides(CORBA::PolicyList(), CORBA::SET_OVERRIDE); }),
            "NO_IMPLEMENT");
  EXPECT_EQ(raised_name([&] { local->_get_policy(32); }), "NO_IMPLEMENT");
  CORBA::PolicyList_var blame;
  EXPECT_EQ(raised_name([&] { local->_validate_connection(blame.out()); }), "NO_IMPLEMENT");
  CORBA::Object_ptr nil = CORBA::Object::_nil();
  EXPECT_EQ(raised_name([&]() __attribute__((no_sanitize("undefined"))) { nil->_get_client_policy(32); }),
            "INV_OBJREF");
}

// ---- what servers say in their references

struct Value {
  CORBA::PolicyType type;
  std::string octets;  // an encapsulation in host order
};

template <typename Number>
Value exposed(CORBA::PolicyType type, Number number) {
  std::string octets(sizeof(Number) * 2, '\0');
  octets[0] = corbel::cdr::kHostIsLittleEndian;
  std::memcpy(octets.data() + sizeof(Number), &number, sizeof number);
  return {type, octets};
}

std::string component(const std::vector<Value>& values) {
  corbel::cdr::Encoder out;
  out.reset();
  out.put<std::uint8_t>(corbel::cdr::kHostIsLittleEndian);
  out.put(static_cast<std::uint32_t>(values.size()));
  for (const Value& v : values) {
    out.put(v.type);
    out.put_octets(v.octets.data(), static_cast<std::uint32_t>(v.octets.size()));
  }
  return {out.data(), out.size()};
}

CORBA::Object_var exposing(CORBA::ORB_ptr orb, const std::string& component) {
  corbel::ior::IiopProfile profile{1, 2, {"127.0.0.1", 1}, "key", {{2, component}}};
  const corbel::ior::Ior ior{"", {corbel::ior::encode_iiop(profile)}};
  return orb->string_to_object(corbel::ior::to_string(ior).c_str());
}

TEST_F(Framework, WhatServersSayCountsToo) {
  CORBA::Object_var o = exposing(orb, component({exposed(32, kMillisecond), exposed(23, CORBA::Short{1})}));
  CORBA::Policy_var p = o->_get_policy(32);
  EXPECT_EQ(time_of(p), kMillisecond);
  p = o->_get_client_policy(32);
  EXPECT_TRUE(CORBA::is_nil(p));
  // Of two limits the shorter one holds.
  for (const TimeBase::TimeT own : {kMillisecond / 2, kMillisecond * 2}) {
    CORBA::Object_var limited = o->_set_policy_overrides(list({roundtrip(orb, own)}), CORBA::SET_OVERRIDE);
    p = limited->_get_policy(32);
    EXPECT_EQ(time_of(p), std::min(own, kMillisecond));
  }
  constexpr CORBA::PolicyType kConnection = corbel::messaging::CONNECTION_TIMEOUT_POLICY_TYPE;
  CORBA::Object_var slow = exposing(orb, component({exposed(kConnection, kMillisecond)}));
  p = slow->_get_policy(kConnection);
  corbel::messaging::ConnectionTimeoutPolicy_var connecting =
      corbel::messaging::ConnectionTimeoutPolicy::_narrow(p);
  ASSERT_FALSE(CORBA::is_nil(connecting));
  EXPECT_EQ(connecting->relative_expiry(), kMillisecond);

  CORBA::Object_var agreeing = o->_set_policy_overrides(list({rebind(orb, 1)}), CORBA::SET_OVERRIDE);
  p = agreeing->_get_policy(23);
  Messaging::RebindPolicy_var r = Messaging::RebindPolicy::_narrow(p);
  EXPECT_EQ(r->rebind_mode(), Messaging::NO_REBIND);

  CORBA::Object_var contrary = o->_set_policy_overrides(list({rebind(orb, 2)}), CORBA::SET_OVERRIDE);
  EXPECT_EQ(raised([&] { contrary->_get_policy(23); }), "INV_POLICY/4f4d0001/NO");
  CORBA::PolicyList_var blame;
  EXPECT_FALSE(contrary->_validate_connection(blame.out()));
  ASSERT_EQ(blame->length(), 1u);
  EXPECT_EQ((*blame)[0u]->policy_type(), 23u);
  EXPECT_EQ(raised_name([&] { contrary->_non_existent(); }), "INV_POLICY");
}

TEST_F(Framework, MalformedPoliciesOfServersSayNothing) {
  const std::string whole = component({exposed(32, kMillisecond)});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CORBA::Object_var o = exposing(orb, whole.substr(0, size));
    CORBA::Policy_var p = o->_get_policy(32);
    EXPECT_TRUE(CORBA::is_nil(p)) << size;
  }
  std::string many = whole;
  std::memset(many.data() + 4, '\xff', 4);
  CORBA::Object_var o = exposing(orb, many);
  CORBA::Policy_var p = o->_get_policy(32);
  EXPECT_TRUE(CORBA::is_nil(p));
  o = exposing(orb, component({exposed(24, CORBA::Short{9}), {32, ""}, {32, "\1"}}));
  p = o->_get_policy(32);
  EXPECT_TRUE(CORBA::is_nil(p));
  p = o->_get_policy(24);
  EXPECT_TRUE(p.in());
}

}  // namespace
