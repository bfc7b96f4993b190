// What may become of a reference between calls: RebindPolicy, _validate_connection.
#include "tests/policies/support.h"

namespace {

using namespace policies;

class Rebinding : public testing::Test {
 protected:
  Rebinding() {
    CORBA::Object_var object = pair->server->resolve_initial_references("omniINSPOA");
    PortableServer::POA_var named = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var poa_manager = named->the_POAManager();
    poa_manager->activate();
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("Name");
    named->activate_object_with_id(id, pair->servant);
    corbel::ior::Ior ior;
    EXPECT_FALSE(corbel::ior::parse_ior(pair->ior, ior));
    const auto profile = corbel::ior::decode_iiop(ior.profiles[0]);
    url = "corbaloc::127.0.0.1:" + std::to_string(profile->address.port) + "/Name";
  }
  // Where requests for the name go from now on.
  void forward() { corbel::cpp::set_plain_reference(pair->server, "Name", pair->local); }
  Contract::Everything_var named(Messaging::RebindMode mode) {
    CORBA::Object_var object = pair->client->string_to_object(url.c_str());
    Contract::Everything_var narrowed = Contract::Everything::_unchecked_narrow(object);
    return with(narrowed.in(), {rebind(pair->client, mode)});
  }
  static std::string call(Contract::Everything_ptr object) {
    return raised([&] { object->plus(1); });
  }

  std::unique_ptr<Pair> pair = std::make_unique<Pair>();
  std::string url;
};

TEST_F(Rebinding, AFirstForwardIsPartOfBinding) {
  forward();
  for (const Messaging::RebindMode mode :
       {Messaging::TRANSPARENT, Messaging::NO_REBIND, Messaging::NO_RECONNECT}) {
    Contract::Everything_var object = named(mode);
    EXPECT_EQ(call(object), "none");
    EXPECT_EQ(call(object), "none");
  }
}

TEST_F(Rebinding, ABoundReferenceIsForwardedOnlyIfThatIsAllowed) {
  Contract::Everything_var free = named(Messaging::TRANSPARENT), fixed = named(Messaging::NO_REBIND),
                           strict = named(Messaging::NO_RECONNECT);
  for (const Contract::Everything_var& object : {free, fixed, strict}) EXPECT_EQ(call(object), "none");
  forward();
  for (const Contract::Everything_var& object : {free, fixed}) EXPECT_EQ(call(object), "none");
  for (const Contract::Everything_var& object : {strict}) {
    EXPECT_EQ(call(object), "REBIND/0/NO");
    EXPECT_EQ(call(object), "REBIND/0/NO");
    CORBA::PolicyList_var blame;
    EXPECT_TRUE(object->_validate_connection(blame.out()));
    EXPECT_EQ(blame->length(), 0u);
    EXPECT_EQ(call(object), "none");
  }
}

TEST_F(Rebinding, ThreadsAndOrbsHaveItToo) {
  Contract::Everything_var object = named(Messaging::TRANSPARENT);
  CORBA::Object_var plain = pair->client->string_to_object(url.c_str());
  object = Contract::Everything::_unchecked_narrow(plain);
  EXPECT_EQ(call(object), "none");
  forward();
  {
    ThreadPolicies mine(pair->client, {rebind(pair->client, Messaging::NO_RECONNECT)});
    EXPECT_EQ(call(object), "REBIND/0/NO");
  }
  EXPECT_EQ(call(object), "none");
}

// The client can tell by the policies that come into force that its calls go elsewhere.
TEST_F(Rebinding, AForwardThatChangesPoliciesIsOneToAnotherQuality) {
  PortableServer::POAManager_var poa_manager = pair->poa->the_POAManager();
  int number = 0;
  const auto object_with = [&](const std::vector<CORBA::Policy_var>& of_adapter) {
    const std::string name = "quality " + std::to_string(++number);
    PortableServer::POA_var poa = pair->poa->create_POA(name.c_str(), poa_manager, list(of_adapter));
    PortableServer::ObjectId_var id = poa->activate_object(pair->servant);
    return CORBA::Object_var(poa->id_to_reference(id));
  };
  const auto forward_to = [&](const CORBA::Object_var& object) {
    corbel::cpp::set_plain_reference(pair->server, "Name", object);
  };
  Contract::Everything_var fixed = named(Messaging::NO_REBIND), free = named(Messaging::TRANSPARENT);
  for (const Contract::Everything_var& object : {fixed, free}) EXPECT_EQ(call(object), "none");
  forward_to(object_with({roundtrip(pair->server, kLong)}));
  EXPECT_EQ(call(free), "none");
  EXPECT_EQ(call(fixed), "REBIND/0/NO");
  // Whoever has a shorter limit anyway sees no difference.
  Contract::Everything_var shorter = named(Messaging::TRANSPARENT);
  shorter =
      with(shorter.in(), {rebind(pair->client, Messaging::NO_REBIND), roundtrip(pair->client, kLong / 2)});
  forward_to(CORBA::Object_var(CORBA::Object::_duplicate(pair->local)));
  EXPECT_EQ(call(shorter), "none");
  forward_to(object_with({roundtrip(pair->server, kLong)}));
  EXPECT_EQ(call(shorter), "none");
}

// What nobody has set is no policy of the client's that could exclude anything.
TEST_F(Rebinding, PoliciesOfServersExcludeOnlyWhatIsSetHere) {
  PortableServer::POAManager_var poa_manager = pair->poa->the_POAManager();
  PortableServer::POA_var poa = pair->poa->create_POA(
      "fixed", poa_manager,
      list({rebind(pair->server, Messaging::NO_REBIND), scope(pair->server, Messaging::SYNC_WITH_TARGET)}));
  PortableServer::ObjectId_var id = poa->activate_object(pair->servant);
  CORBA::Object_var object = poa->id_to_reference(id);
  object = pair->client->string_to_object(lifecycle::take(pair->server->object_to_string(object)).c_str());
  CORBA::PolicyList_var blame;
  EXPECT_TRUE(object->_validate_connection(blame.out()));
  EXPECT_EQ(blame->length(), 0u);
  CORBA::Policy_var policy = object->_get_policy(Messaging::REBIND_POLICY_TYPE);
  Messaging::RebindPolicy_var mode = Messaging::RebindPolicy::_narrow(policy);
  EXPECT_EQ(mode->rebind_mode(), Messaging::NO_REBIND);
  policy = object->_get_policy(Messaging::SYNC_SCOPE_POLICY_TYPE);
  Messaging::SyncScopePolicy_var followed = Messaging::SyncScopePolicy::_narrow(policy);
  EXPECT_EQ(followed->synchronization(), Messaging::SYNC_WITH_TARGET);
  policy = object->_get_client_policy(Messaging::REBIND_POLICY_TYPE);
  mode = Messaging::RebindPolicy::_narrow(policy);
  EXPECT_EQ(mode->rebind_mode(), Messaging::TRANSPARENT);

  // Set here, the same value is a policy.
  ThreadPolicies mine(pair->client, {rebind(pair->client, Messaging::TRANSPARENT)});
  EXPECT_FALSE(object->_validate_connection(blame.out()));
  ASSERT_EQ(blame->length(), 1u);
  EXPECT_EQ((*blame)[0u]->policy_type(), Messaging::REBIND_POLICY_TYPE);
  EXPECT_EQ(raised_name([&] { object->_get_policy(Messaging::REBIND_POLICY_TYPE); }), "INV_POLICY");
  EXPECT_EQ(raised_name([&] { object->_non_existent(); }), "INV_POLICY");
}

TEST_F(Rebinding, OptionsOfTheOrbCountAsSetWherePoliciesOfServersAreLookedAt) {
  PortableServer::POAManager_var poa_manager = pair->poa->the_POAManager();
  PortableServer::POA_var poa = pair->poa->create_POA(
      "followed", poa_manager, list({scope(pair->server, Messaging::SYNC_WITH_TARGET)}));
  PortableServer::ObjectId_var id = poa->activate_object(pair->servant);
  CORBA::Object_var object = poa->id_to_reference(id);
  const std::string ior = lifecycle::take(pair->server->object_to_string(object));
  CORBA::ORB_var orb = lifecycle::make_orb("unfollowed", {"-ORBdefaultSyncScope", "none"});
  object = orb->string_to_object(ior.c_str());
  CORBA::PolicyList_var blame;
  EXPECT_FALSE(object->_validate_connection(blame.out()));
  EXPECT_EQ(blame->length(), 1u);
  EXPECT_EQ(raised_name([&] { object->_get_policy(Messaging::SYNC_SCOPE_POLICY_TYPE); }), "INV_POLICY");
  orb->destroy();
}

// A server that ends and comes back at the same address, with objects of the same keys.
class Returning {
 public:
  Returning() { start(); }
  ~Returning() { server->destroy(); }
  void restart() {
    server->destroy();
    start();
  }
  std::string ior;

 private:
  void start() {
    server = lifecycle::make_orb("returning", {"-ORBserverId", "returning", "-ORBendPoint",
                                               "giop:tcp:127.0.0.1:" + std::to_string(port)});
    PortableServer::POA_var root = TwoOrbs::activate(server);
    CORBA::Policy_var user_id = policy(server, 19, CORBA::Long{PortableServer::USER_ID}),
                      persistent = policy(server, 17, CORBA::Long{PortableServer::PERSISTENT});
    PortableServer::POAManager_var poa_manager = root->the_POAManager();
    PortableServer::POA_var poa = root->create_POA("kept", poa_manager, list({user_id, persistent}));
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("one");
    PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
    poa->activate_object_with_id(id, servant);
    CORBA::Object_var object = poa->id_to_reference(id);
    ior = lifecycle::take(server->object_to_string(object));
    corbel::ior::Ior parsed;
    EXPECT_FALSE(corbel::ior::parse_ior(ior, parsed));
    port = corbel::ior::decode_iiop(parsed.profiles[0])->address.port;
  }
  CORBA::ORB_var server;
  unsigned port = 0;
};

TEST_F(Rebinding, AnEndedConnectionIsOpenedAnewOnlyIfThatIsAllowed) {
  Returning server;
  const auto imported = [&](Messaging::RebindMode mode) {
    CORBA::Object_var object = pair->client->string_to_object(server.ior.c_str());
    Contract::Everything_var narrowed = Contract::Everything::_unchecked_narrow(object);
    return with(narrowed.in(), {rebind(pair->client, mode)});
  };
  Contract::Everything_var free = imported(Messaging::TRANSPARENT), fixed = imported(Messaging::NO_REBIND),
                           strict = imported(Messaging::NO_RECONNECT);
  for (const Contract::Everything_var& object : {free, fixed, strict}) EXPECT_EQ(call(object), "none");
  server.restart();
  EXPECT_EQ(call(strict), "REBIND/0/NO");
  EXPECT_EQ(call(fixed), "none");
  EXPECT_EQ(call(free), "none");
  EXPECT_EQ(call(strict), "REBIND/0/NO");
  CORBA::PolicyList_var blame;
  EXPECT_TRUE(strict->_validate_connection(blame.out()));
  EXPECT_EQ(call(strict), "none");
}

// The ORB's connection to its server has ended, which is not seen until it is written to.
TEST_F(Rebinding, AReferenceThatWasNeverBoundMayBe) {
  Returning server;
  const auto imported = [&](Messaging::RebindMode mode) {
    CORBA::Object_var object = pair->client->string_to_object(server.ior.c_str());
    Contract::Everything_var narrowed = Contract::Everything::_unchecked_narrow(object);
    return with(narrowed.in(), {rebind(pair->client, mode)});
  };
  Contract::Everything_var free = imported(Messaging::TRANSPARENT),
                           strict = imported(Messaging::NO_RECONNECT),
                           validated = imported(Messaging::NO_RECONNECT);
  EXPECT_EQ(call(free), "none");
  server.restart();
  EXPECT_EQ(call(strict), "none");
  server.restart();
  CORBA::PolicyList_var blame;
  EXPECT_EQ(raised([&] { validated->_validate_connection(blame.out()); }), "none");
  EXPECT_EQ(call(strict), "REBIND/0/NO");
}

TEST_F(Rebinding, ValidationTellsWhetherTheObjectCanBeReached) {
  CORBA::PolicyList_var blame;
  EXPECT_TRUE(pair->remote->_validate_connection(blame.out()));
  EXPECT_TRUE(pair->local->_validate_connection(blame.out()));
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = pair->poa->activate_object(servant);
  CORBA::Object_var object = pair->poa->id_to_reference(id);
  CORBA::String_var ior = pair->server->object_to_string(object);
  CORBA::Object_var gone = pair->client->string_to_object(ior);
  pair->poa->deactivate_object(id);
  EXPECT_EQ(raised_name([&] { gone->_validate_connection(blame.out()); }), "OBJECT_NOT_EXIST");
  gone = pair->client->string_to_object("corbaloc::127.0.0.1:1/nobody");
  EXPECT_EQ(raised_name([&] { gone->_validate_connection(blame.out()); }), "TRANSIENT");
  Silent silent;
  Contract::Everything_var nobody = silent.object(pair->client);
  nobody = with(nobody.in(), {roundtrip(pair->client, 100 * kMillisecond)});
  EXPECT_EQ(raised_name([&] { nobody->_validate_connection(blame.out()); }), "TIMEOUT");
}

}  // namespace
