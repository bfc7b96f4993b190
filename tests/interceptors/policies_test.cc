// Policies of the program's own: PolicyFactory, where such policies stand, and what interceptors see of them.
#include <corbel/any.h>

#include "tests/interceptors/support.h"

namespace {

using namespace interceptors;

constexpr CORBA::PolicyType kType = 0x43420055;

class Number final : public CORBA::Policy {
 public:
  explicit Number(CORBA::Long n) : value(n) {}
  CORBA::PolicyType policy_type() override { return kType; }
  CORBA::Policy_ptr copy() override { return new Number(value); }
  void destroy() override {}
  const CORBA::Long value;
};

class Factory final : public PI::PolicyFactory {
 public:
  CORBA::Policy_ptr create_policy(CORBA::PolicyType type, const CORBA::Any& value) override {
    EXPECT_EQ(type, kType);
    CORBA::Long n;
    if (!(value >>= n)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
    return new Number(n);
  }
};

CORBA::Long value_of(CORBA::Policy_ptr adopted) {
  CORBA::Policy_var owner = adopted;
  const auto* const number = dynamic_cast<Number*>(owner.in());
  return number ? number->value : -1;
}

class OwnPolicies : public testing::Test {
 protected:
  void add_factory(PI::ORBInitInfo_ptr info) {
    PI::PolicyFactory_var factory = new Factory;
    info->register_policy_factory(kType, factory);
    EXPECT_EQ(raised([&] { info->register_policy_factory(kType, factory); }), "BAD_INV_ORDER/4f4d0010/NO");
    EXPECT_EQ(raised_name([&] { info->register_policy_factory(kType + 1, nullptr); }), "BAD_PARAM");
  }
  Record record;
  Client* const a = new Client("A", record);
  Server* const x = new Server("X", record);
  PI::ClientRequestInterceptor_var own_a = a;
  PI::ServerRequestInterceptor_var own_x = x;
  OnInit client_init{"pair-client", [this](PI::ORBInitInfo_ptr info) {
                       add_factory(info);
                       info->add_client_request_interceptor(a);
                     }};
  OnInit server_init{"pair-server", [this](PI::ORBInitInfo_ptr info) {
                       add_factory(info);
                       info->add_server_request_interceptor(x);
                     }};
  Pair pair;
};

TEST_F(OwnPolicies, AreMadeByTheirFactory) {
  EXPECT_EQ(value_of(pair.client->create_policy(kType, any(3))), 3);
  CORBA::Any wrong;
  wrong <<= CORBA::Any::from_boolean(true);
  EXPECT_EQ(raised([&] { pair.client->create_policy(kType, wrong); }), "PolicyError");
  EXPECT_EQ(raised([&] { pair.client->create_policy(kType + 1, any(3)); }), "PolicyError");
  CORBA::ORB_var other = make_orb("without");
  EXPECT_EQ(raised([&] { other->create_policy(kType, any(3)); }), "PolicyError") << "each ORB has its own";
  other->destroy();
}

TEST_F(OwnPolicies, OfAReferenceAreSeenByTheClientsInterceptors) {
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = pair.client->create_policy(kType, any(3));
  CORBA::Object_var object = pair.remote->_set_policy_overrides(policies, CORBA::SET_OVERRIDE);
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  std::vector<CORBA::Long> seen;
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    seen.push_back(value_of(info->get_request_policy(kType)));
    EXPECT_EQ(raised([&] { info->get_request_policy(0x43420099); }), "INV_POLICY/4f4d0002/NO");
    CORBA::Policy_var scope = info->get_request_policy(Messaging::SYNC_SCOPE_POLICY_TYPE);
    EXPECT_TRUE(scope.in());
  };
  everything->ping();
  pair.remote->ping();
  EXPECT_EQ(seen, (std::vector<CORBA::Long>{3, -1}));
}

TEST_F(OwnPolicies, OfAnAdapterAreSeenByTheServersInterceptors) {
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = pair.server->create_policy(kType, any(4));
  PortableServer::POAManager_var manager = pair.poa->the_POAManager();
  PortableServer::POA_var child = pair.poa->create_POA("child", manager, policies);
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = child->activate_object(servant);
  CORBA::Object_var object = child->id_to_reference(id);
  CORBA::String_var ior = pair.server->object_to_string(object);
  object = pair.client->string_to_object(ior);
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  std::vector<CORBA::Long> seen;
  x->scripts["receive_request_service_contexts"] =
      x->scripts["send_reply"] = [&](PI::ServerRequestInfo_ptr info) {
        seen.push_back(value_of(info->get_server_policy(kType)));
        EXPECT_EQ(raised([&] { info->get_server_policy(0x43420099); }), "INV_POLICY/4f4d0003/NO");
      };
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr info) {
    PI::AdapterName_var name = info->adapter_name();
    ASSERT_GE(name->length(), 1u);
    EXPECT_STREQ(name[name->length() - 1], name->length() == 2 ? "child" : "RootPOA");
  };
  everything->ping();
  pair.remote->ping();
  EXPECT_EQ(seen, (std::vector<CORBA::Long>{4, 4, -1, -1}));
}

TEST_F(OwnPolicies, WithoutAFactoryAreNoneOfAnAdapters) {
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = new Number(1);
  CORBA::ORB_var other = make_orb("without", on_loopback());
  PortableServer::POA_var root = TwoOrbs::activate(other);
  EXPECT_EQ(raised([&] { root->create_POA("child", nullptr, policies); }), "InvalidPolicy");
  other->destroy();
}

TEST_F(OwnPolicies, OfModesAreMadeOfNumbers) {
  CORBA::Any value;
  value <<= PI::REMOTE_ONLY;
  CORBA::Policy_var policy = pair.client->create_policy(PI::PROCESSING_MODE_POLICY_TYPE, value);
  PI::ProcessingModePolicy_var mode = PI::ProcessingModePolicy::_narrow(policy);
  ASSERT_TRUE(mode.in());
  EXPECT_EQ(mode->processing_mode(), PI::REMOTE_ONLY);
  value <<= CORBA::Short{7};
  EXPECT_EQ(raised([&] { pair.client->create_policy(PI::PROCESSING_MODE_POLICY_TYPE, value); }),
            "PolicyError");
}

}  // namespace
