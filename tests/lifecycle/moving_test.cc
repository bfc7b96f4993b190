// Calls that are forwarded to an object of the caller's own ORB.
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

class ForwardingLocator : public virtual PortableServer::ServantLocator {
 public:
  explicit ForwardingLocator(CORBA::Object_ptr to) : to_(CORBA::Object::_duplicate(to)) {}
  PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                    Cookie&) override {
    throw PortableServer::ForwardRequest(to_.in());
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                  PortableServer::Servant) override {}

 private:
  CORBA::Object_var to_;
};

// The client's reference to an object of the server's that forwards to one of the client's own.
class MovingCalls : public testing::Test {
 protected:
  MovingCalls() {
    PortableServer::POA_var own = TwoOrbs::activate(pair.client);
    PortableServer::ObjectId_var id = own->activate_object(here);
    CORBA::Object_var object = own->id_to_reference(id);
    object = pair.server->string_to_object(take(pair.client->object_to_string(object)).c_str());
    CORBA::PolicyList policies(3);
    policies.length(3);
    policies[0] = pair.poa->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
    policies[1] = pair.poa->create_id_assignment_policy(PortableServer::USER_ID);
    policies[2] = pair.poa->create_servant_retention_policy(PortableServer::NON_RETAIN);
    PortableServer::POAManager_var manager = pair.poa->the_POAManager();
    PortableServer::POA_var elsewhere = pair.poa->create_POA("elsewhere", manager, policies);
    PortableServer::ServantLocator_var locator = new ForwardingLocator(object);
    elsewhere->set_servant_manager(locator);
    id = PortableServer::string_to_ObjectId("moved");
    object = elsewhere->create_reference_with_id(id, "IDL:Contract/Everything:1.0");
    object = pair.client->string_to_object(take(pair.server->object_to_string(object)).c_str());
    moved = Contract::Everything::_unchecked_narrow(object);
  }

  Pair pair;
  PortableServer::Servant_var<ScriptedServant> here = new ScriptedServant;
  Contract::Everything_var moved;
};

TEST_F(MovingCalls, ReachTheObject) {
  int calls = 0;
  here->script = [&] { ++calls; };
  EXPECT_EQ(moved->minus(3), 2);
  EXPECT_EQ(calls, 1);
}

// They stayed in the caller's memory while they were to leave the process; results are not taken out of
// replies that came from elsewhere.
TEST_F(MovingCalls, TakeLargeArgumentsAlong) {
  for (const CORBA::ULong size : {100'000u, 1'000'000u}) {
    Contract::Octets in, inout;
    in.length(size);
    for (CORBA::ULong i = 0; i < size; ++i) in[i] = static_cast<CORBA::Octet>(i);
    Contract::Octets_var out;
    Contract::Octets_var result = moved->give_octets(in, inout, out.out());
    ASSERT_EQ(result->length(), size);
    for (CORBA::ULong i = 0; i < size; ++i) ASSERT_EQ(result[i], static_cast<CORBA::Octet>(i));
  }
}

}  // namespace
