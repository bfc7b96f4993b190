// Limits of time as an application written for TAO sets them.
#include "echoS.h"
#include "tao/Messaging/Messaging.h"
#include "tao/PolicyC.h"
#include "tao/corba.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace {

class SlowEcho : public virtual POA_Echo {
 public:
  char* echo_string(const char* text) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    return CORBA::string_dup(text);
  }
  void ping() override {}
};

CORBA::ORB_ptr make_orb(const char* id) {
  int argc = 3;
  char program[] = "tao", option[] = "-ORBListenEndpoints", address[] = "iiop://127.0.0.1:0";
  char* argv[] = {program, option, address, nullptr};
  return CORBA::ORB_init(argc, argv, id);
}

class TaoPolicies : public testing::Test {
 protected:
  TaoPolicies() {
    CORBA::Object_var object = server->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    PortableServer::ServantBase_var servant = new SlowEcho;
    PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    object = poa->id_to_reference(id.in());
    CORBA::String_var ior = server->object_to_string(object.in());
    object = client->string_to_object(ior.in());
    echo = Echo::_narrow(object.in());
    TimeBase::TimeT timeout = 10000 * 50;  // 50 milliseconds
    any <<= timeout;
  }
  ~TaoPolicies() override {
    client->destroy();
    server->destroy();
  }
  static bool times_out(Echo_ptr echo) {
    try {
      CORBA::String_var said = echo->echo_string("slowly");
      return false;
    } catch (const CORBA::TIMEOUT&) {
      return true;
    }
  }

  CORBA::ORB_var server = make_orb("server"), client = make_orb("client");
  Echo_var echo;
  CORBA::Any any;
};

TEST_F(TaoPolicies, ObjectsThreadsAndOrbsAreGivenLimits) {
  CORBA::PolicyList policy_list(1);
  policy_list.length(1);
  policy_list[0] = client->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, any);

  CORBA::Object_var object = echo->_set_policy_overrides(policy_list, CORBA::SET_OVERRIDE);
  Echo_var limited = Echo::_narrow(object.in());
  EXPECT_TRUE(times_out(limited.in()));
  EXPECT_FALSE(times_out(echo.in()));

  object = client->resolve_initial_references("PolicyCurrent");
  CORBA::PolicyCurrent_var policy_current = CORBA::PolicyCurrent::_narrow(object.in());
  policy_current->set_policy_overrides(policy_list, CORBA::ADD_OVERRIDE);
  EXPECT_TRUE(times_out(echo.in()));
  CORBA::PolicyTypeSeq types(1);
  types.length(1);
  types[0] = Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE;
  CORBA::PolicyList_var found = policy_current->get_policy_overrides(types);
  ASSERT_EQ(found->length(), 1u);
  Messaging::RelativeRoundtripTimeoutPolicy_var policy =
      Messaging::RelativeRoundtripTimeoutPolicy::_narrow(found[0u]);
  EXPECT_EQ(policy->relative_expiry(), 500000u);
  CORBA::PolicyList none;
  policy_current->set_policy_overrides(none, CORBA::SET_OVERRIDE);
  EXPECT_FALSE(times_out(echo.in()));

  object = client->resolve_initial_references("ORBPolicyManager");
  CORBA::PolicyManager_var policy_manager = CORBA::PolicyManager::_narrow(object.in());
  policy_manager->set_policy_overrides(policy_list, CORBA::SET_OVERRIDE);
  EXPECT_TRUE(times_out(echo.in()));
  for (CORBA::ULong i = 0; i < policy_list.length(); ++i) policy_list[i]->destroy();
}

TEST_F(TaoPolicies, ConnectionsAndOnewaysHaveTheirs) {
  CORBA::PolicyList policies(2);
  policies.length(2);
  policies[0] = client->create_policy(TAO::CONNECTION_TIMEOUT_POLICY_TYPE, any);
  CORBA::Any scope;
  scope <<= Messaging::SYNC_WITH_TARGET;
  policies[1] = client->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, scope);
  TAO::ConnectionTimeoutPolicy_var timeout = TAO::ConnectionTimeoutPolicy::_narrow(policies[0]);
  ASSERT_FALSE(CORBA::is_nil(timeout.in()));
  EXPECT_EQ(timeout->relative_expiry(), 500000u);
  CORBA::Object_var object = echo->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
  CORBA::Policy_var set = object->_get_policy(Messaging::SYNC_SCOPE_POLICY_TYPE);
  EXPECT_EQ(set->policy_type(), Messaging::SYNC_SCOPE_POLICY_TYPE);
  CORBA::PolicyList_var inconsistent;
  EXPECT_TRUE(object->_validate_connection(inconsistent.out()));
}

}  // namespace
