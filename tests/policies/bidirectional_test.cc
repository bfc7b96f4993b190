// The BidirectionalPolicy: of adapters, which take callbacks and let others be called so, and of references,
// threads and ORBs, whose connections offer them. Where the client says that its objects are, nobody listens:
// without the offer a callback is not possible.
#include <thread>

#include "tests/policies/support.h"

namespace {

using namespace policies;
using lifecycle::make_orb;
using lifecycle::on_loopback;

CORBA::Policy_var bidirectional(CORBA::ORB_ptr orb, BiDirPolicy::BidirectionalPolicyValue value) {
  return policy(orb, BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, value);
}

// Calls back over another connection than the one that the request came on, if it is told so.
class Caller final : public EverythingServant {
 public:
  explicit Caller(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  CORBA::Long call_back(Contract::Callback_ptr target, CORBA::Long n) override {
    if (!apart) return EverythingServant::call_back(target, n);
    Contract::Callback_var other = with(target, {bidirectional(orb_, BiDirPolicy::NORMAL)});
    return EverythingServant::call_back(other, n);
  }
  bool apart = false;

 private:
  CORBA::ORB_var orb_;
};

class BidirectionalPolicies : public testing::Test {
 protected:
  explicit BidirectionalPolicies(const std::vector<std::string>& of_server = {},
                                 const std::vector<std::string>& of_client = {})
      : server(make_orb("server", on_loopback(and_also({"-ORBtransports", "tcp"}, of_server)))),
        client(make_orb(
            "client",
            on_loopback(and_also({"-ORBtransports", "tcp", "-ORBpublishHost", "127.0.0.2"}, of_client)))),
        server_root(TwoOrbs::activate(server)),
        client_root(TwoOrbs::activate(client)),
        caller(new Caller(server)),
        callback(new CallbackServant) {
    PortableServer::POA_var accepting = adapter(server, server_root);
    PortableServer::ObjectId_var id = accepting->activate_object(caller);
    CORBA::Object_var object = accepting->id_to_reference(id);
    CORBA::String_var ior = server->object_to_string(object);
    object = client->string_to_object(ior);
    everything = Contract::Everything::_unchecked_narrow(object);
  }
  ~BidirectionalPolicies() override {
    client->destroy();
    server->destroy();
  }
  static std::vector<std::string> and_also(std::vector<std::string> options,
                                           const std::vector<std::string>& more) {
    options.insert(options.end(), more.begin(), more.end());
    return options;
  }
  static PortableServer::POA_ptr adapter(CORBA::ORB_ptr orb, PortableServer::POA_ptr root) {
    PortableServer::POAManager_var manager = root->the_POAManager();
    return root->create_POA("both ways", manager, list({bidirectional(orb, BiDirPolicy::BOTH)}));
  }
  Contract::Callback_ptr callback_in(PortableServer::POA_ptr poa) {
    PortableServer::ObjectId_var id = poa->activate_object(callback);
    CORBA::Object_var object = poa->id_to_reference(id);
    return Contract::Callback::_narrow(object);
  }
  static std::string call_back(Contract::Everything_ptr through, Contract::Callback_ptr target) {
    return raised_name([&] { EXPECT_EQ(through->call_back(target, 20), 41); });
  }

  CORBA::ORB_var server, client;
  PortableServer::POA_var server_root, client_root;
  PortableServer::Servant_var<Caller> caller;
  PortableServer::Servant_var<CallbackServant> callback;
  Contract::Everything_var everything;
};

// What a callback comes to where the connection is there for it, but not the object's adapter.
constexpr const char* kOffered = "OBJ_ADAPTER";
constexpr const char* kNotOffered = "TRANSIENT";

TEST_F(BidirectionalPolicies, AdaptersAtBothEndsAreEnough) {
  PortableServer::POA_var poa = adapter(client, client_root);
  Contract::Callback_var target = callback_in(poa);
  EXPECT_EQ(call_back(everything, target), "none");
}

TEST_F(BidirectionalPolicies, WithoutItNothingIsOffered) {
  Contract::Callback_var target = callback_in(client_root);
  EXPECT_EQ(call_back(everything, target), kNotOffered);
}

TEST_F(BidirectionalPolicies, ConnectionsThatWereThereBeforeTheAdapterOfferNothing) {
  everything->ping();
  PortableServer::POA_var poa = adapter(client, client_root);
  Contract::Callback_var target = callback_in(poa);
  EXPECT_EQ(call_back(everything, target), kNotOffered);
  CORBA::String_var ior = client->object_to_string(everything);
  CORBA::Object_var object = client->string_to_object(ior);
  Contract::Everything_var later = Contract::Everything::_unchecked_narrow(object);
  EXPECT_EQ(call_back(later, target), "none");
}

TEST_F(BidirectionalPolicies, AReferenceThatHasItTakesAConnectionThatOffersCallbacks) {
  Contract::Callback_var target = callback_in(client_root);
  Contract::Everything_var both = with(everything.in(), {bidirectional(client, BiDirPolicy::BOTH)});
  EXPECT_EQ(call_back(both, target), kOffered);
}

TEST_F(BidirectionalPolicies, ObjectsOfAdaptersWithoutItAreNotFoundOverTheClientsConnection) {
  Contract::Callback_var target = callback_in(client_root);
  Contract::Everything_var both = with(everything.in(), {bidirectional(client, BiDirPolicy::BOTH)});
  EXPECT_EQ(call_back(both, target), kOffered);
  CORBA::String_var ior = client->object_to_string(target);
  CORBA::Object_var seen = server->string_to_object(ior);
  CORBA::PolicyList_var inconsistent;
  EXPECT_EQ(raised_name([&] { seen->_validate_connection(inconsistent.out()); }), kOffered);
}

TEST_F(BidirectionalPolicies, AReferenceMayExcludeItWhereTheAdapterHasIt) {
  PortableServer::POA_var poa = adapter(client, client_root);
  Contract::Callback_var target = callback_in(poa);
  Contract::Everything_var normal = with(everything.in(), {bidirectional(client, BiDirPolicy::NORMAL)});
  EXPECT_EQ(call_back(normal, target), kNotOffered);
  EXPECT_EQ(call_back(everything, target), "none");  // on another connection
}

TEST_F(BidirectionalPolicies, AnOrbHasItForAllReferencesThatDoNotExcludeIt) {
  manager(client)->set_policy_overrides(list({bidirectional(client, BiDirPolicy::BOTH)}),
                                        CORBA::SET_OVERRIDE);
  Contract::Callback_var target = callback_in(client_root);
  Contract::Everything_var normal = with(everything.in(), {bidirectional(client, BiDirPolicy::NORMAL)});
  EXPECT_EQ(call_back(normal, target), kNotOffered);  // first: what another connection offers helps it, too
  EXPECT_EQ(call_back(everything, target), kOffered);
}

TEST_F(BidirectionalPolicies, AThreadHasItForTheReferencesThatItBinds) {
  Contract::Callback_var target = callback_in(client_root);
  ThreadPolicies set(client, {bidirectional(client, BiDirPolicy::BOTH)});
  EXPECT_EQ(call_back(everything, target), kOffered);
}

TEST_F(BidirectionalPolicies, ACallbackThroughAReferenceThatExcludesItDoesNotTakeTheClientsConnection) {
  PortableServer::POA_var poa = adapter(client, client_root);
  Contract::Callback_var target = callback_in(poa);
  caller->apart = true;
  EXPECT_EQ(call_back(everything, target), kNotOffered);
  caller->apart = false;
  EXPECT_EQ(call_back(everything, target), "none");
}

// A client that reads callbacks only while it runs its loop, and its object as the server has it.
class UnreadCallbacks : public BidirectionalPolicies {
 protected:
  UnreadCallbacks()
      : BidirectionalPolicies({"-ORBmaxUnsentBytes", "100000"}, {"-ORBserverModel", "reactive"}) {
    PortableServer::POA_var poa = adapter(client, client_root);
    PortableServer::ObjectId_var id = poa->activate_object(noting);
    CORBA::Object_var object = poa->id_to_reference(id);
    CORBA::String_var ior = client->object_to_string(object);
    everything->ping();
    object = server->string_to_object(ior);
    Contract::Everything_var over_it = Contract::Everything::_unchecked_narrow(object);
    unread = with(over_it.in(), {scope(server, Messaging::SYNC_NONE)});
  }
  // Until no more is taken; how many were.
  int fill() {
    int taken = -1;
    std::string outcome = "none";
    for (; outcome == "none"; ++taken) outcome = raised([&] { unread->note(1); });
    EXPECT_EQ(outcome, "TRANSIENT/43420003/NO");
    return taken;
  }

  PortableServer::Servant_var<EverythingServant> noting = new EverythingServant;
  Contract::Everything_var unread;
};

TEST_F(UnreadCallbacks, HoldUpNobodyWithNone) {
  const int taken = fill();
  std::thread loop([&] { client->run(); });
  EXPECT_TRUE(lifecycle::comes_true([&] { return noting->noted() == taken; })) << noting->noted();
  client->shutdown(false);
  loop.join();
}

TEST_F(UnreadCallbacks, DoNotHoldUpTheEndOfTheOrb) {
  int more = fill();
  while (more != 0) {  // there was room in the socket still
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    more = fill();
  }
  const auto begun = std::chrono::steady_clock::now();
  server->destroy();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, lifecycle::kPatience);
  server = make_orb("server");
}

TEST_F(BidirectionalPolicies, ReferencesSayWhichTheyHave) {
  const auto value_of = [](CORBA::Object_ptr object) {
    CORBA::Policy_var policy = object->_get_policy(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE);
    BiDirPolicy::BidirectionalPolicy_var narrowed = BiDirPolicy::BidirectionalPolicy::_narrow(policy);
    return narrowed.in() ? narrowed->value() : 99;
  };
  EXPECT_EQ(value_of(everything), BiDirPolicy::NORMAL);
  Contract::Everything_var both = with(everything.in(), {bidirectional(client, BiDirPolicy::BOTH)});
  EXPECT_EQ(value_of(both), BiDirPolicy::BOTH);
  CORBA::PolicyTypeSeq types;
  CORBA::PolicyList_var overrides = both->_get_policy_overrides(types);
  ASSERT_EQ(overrides->length(), 1u);
  EXPECT_EQ(overrides[0]->policy_type(), BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE);
}

}  // namespace
