// Calls that are forwarded: to an object of the caller's own ORB, and by servants.
#include <corbel/groups.h>
#include <corbel/location_forward.h>

#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

template <typename Forward>
class ForwardingLocator : public virtual PortableServer::ServantLocator {
 public:
  explicit ForwardingLocator(Forward forward) : forward_(forward) {}
  PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                    Cookie&) override {
    throw forward_;
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                  PortableServer::Servant) override {}

 private:
  Forward forward_;
};

// The client's reference to an object whose manager, in the server, throws that.
template <typename Forward>
Contract::Everything_ptr with_manager(Pair& pair, Forward forward) {
  CORBA::PolicyList policies(3);
  policies.length(3);
  policies[0] = pair.poa->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  policies[1] = pair.poa->create_id_assignment_policy(PortableServer::USER_ID);
  policies[2] = pair.poa->create_servant_retention_policy(PortableServer::NON_RETAIN);
  PortableServer::POAManager_var manager = pair.poa->the_POAManager();
  PortableServer::POA_var elsewhere = pair.poa->create_POA("elsewhere", manager, policies);
  PortableServer::ServantLocator_var locator = new ForwardingLocator<Forward>(forward);
  elsewhere->set_servant_manager(locator);
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("moved");
  CORBA::Object_var object = elsewhere->create_reference_with_id(id, "IDL:Contract/Everything:1.0");
  object = pair.client->string_to_object(take(pair.server->object_to_string(object)).c_str());
  return Contract::Everything::_unchecked_narrow(object);
}

// The client's reference to an object of the server's that forwards to one of the client's own.
class MovingCalls : public testing::Test {
 protected:
  MovingCalls() {
    PortableServer::POA_var own = TwoOrbs::activate(pair.client);
    PortableServer::ObjectId_var id = own->activate_object(here);
    CORBA::Object_var object = own->id_to_reference(id);
    object = pair.server->string_to_object(take(pair.client->object_to_string(object)).c_str());
    moved = with_manager(pair, PortableServer::ForwardRequest(object));
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

// An object of the server's whose servant forwards, and the one that it forwards to.
class ForwardingServants : public testing::Test {
 protected:
  void forward(bool permanent) {
    pair.servant->script = [this, permanent] {
      ++forwarded;
      throw corbel::LocationForward(target, permanent);
    };
  }
  std::string text(CORBA::Object_ptr object) { return take(pair.client->object_to_string(object)); }

  Pair pair;
  PortableServer::Servant_var<ScriptedServant> other = new ScriptedServant;
  PortableServer::ObjectId_var id = pair.poa->activate_object(other);
  CORBA::Object_var target = pair.poa->id_to_reference(id);
  int forwarded = 0;
};

TEST_F(ForwardingServants, AreNotAskedTwice) {
  forward(false);
  int arrived = 0;
  other->script = [&] { ++arrived; };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pair.remote->minus(3), 2);
  EXPECT_EQ(arrived, 3);
  EXPECT_EQ(forwarded, 1);
}

TEST_F(ForwardingServants, LeaveAReferenceWhatItWas) {
  forward(false);
  pair.remote->minus(3);
  EXPECT_EQ(text(pair.remote), pair.ior);
}

TEST_F(ForwardingServants, ReplaceAReferenceForGood) {
  forward(true);
  EXPECT_EQ(pair.remote->minus(3), 2);
  const std::string to = take(pair.server->object_to_string(target));
  CORBA::Object_var expected = pair.client->string_to_object(to.c_str());
  EXPECT_TRUE(pair.remote->_is_equivalent(expected));
  EXPECT_NE(text(pair.remote), pair.ior);
}

TEST_F(ForwardingServants, LeaveAReferenceItsHashForGood) {
  const CORBA::ULong before = pair.remote->_hash(1'000'000);
  target = corbel::make_group({"domain", 7, 1}, {target.in()});
  forward(true);
  EXPECT_EQ(pair.remote->minus(3), 2);
  corbel::Group group;
  EXPECT_TRUE(corbel::group_of(pair.remote, group));
  EXPECT_EQ(pair.remote->_hash(1'000'000), before);
}

// LOCATION_FORWARD_PERM came with GIOP 1.2.
TEST_F(ForwardingServants, TellOlderClientsThatItIsForAWhile) {
  CORBA::ORB_var old = make_orb("older", on_loopback({"-ORBmaxGIOPVersion", "1.1"}));
  CORBA::Object_var object = old->string_to_object(pair.ior.c_str());
  Contract::Everything_var it = Contract::Everything::_unchecked_narrow(object);
  forward(true);
  EXPECT_EQ(it->minus(3), 2);
  EXPECT_EQ(forwarded, 1);
  CORBA::Object_var expected = old->string_to_object(pair.ior.c_str());
  EXPECT_TRUE(it->_is_equivalent(expected));
  old->destroy();
}

TEST_F(ForwardingServants, CannotForwardToNil) {
  pair.servant->script = [] { throw corbel::LocationForward(CORBA::Object::_nil()); };
  EXPECT_EQ(raised(([&] { pair.remote->minus(3); })), "OBJ_ADAPTER/0/MAYBE");
}

TEST_F(ForwardingServants, CannotForwardInACircle) {
  pair.servant->script = [this] { throw corbel::LocationForward(pair.local); };
  EXPECT_EQ(raised_name([&] { pair.remote->minus(3); }), "TRANSIENT");
}

TEST_F(ForwardingServants, MayBeManagersThatForwardForGood) {
  Contract::Everything_var it = with_manager(pair, corbel::LocationForward(target, true));
  EXPECT_EQ(it->minus(3), 2);
  CORBA::Object_var expected =
      pair.client->string_to_object(take(pair.server->object_to_string(target)).c_str());
  EXPECT_TRUE(it->_is_equivalent(expected));
}

}  // namespace
