// Adapters as their clients see them: policies, states, default servants, and calls without a socket.
#include <dirent.h>
#include <sys/stat.h>

#include <future>
#include <thread>

#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;
using namespace PortableServer;

constexpr const char* kGone = "OBJECT_NOT_EXIST/4f4d0002/NO";

// Answers with what POACurrent says of its upcall.
class CurrentServant : public EverythingServant {
 public:
  explicit CurrentServant(CORBA::ORB_ptr orb) {
    CORBA::Object_var object = orb->resolve_initial_references("POACurrent");
    current = Current::_narrow(object);
  }
  char* label() override {
    ObjectId_var id = current->get_object_id();
    POA_var poa = current->get_POA();
    return CORBA::string_dup((take(poa->the_name()) + "/" + take(ObjectId_to_string(id))).c_str());
  }
  Current_var current;
};

int sockets_open() {
  int count = 0;
  DIR* const d = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(d)) {
    struct stat status;
    if (fstatat(dirfd(d), entry->d_name, &status, 0) == 0 && S_ISSOCK(status.st_mode)) ++count;
  }
  closedir(d);
  return count;
}

// The adapter drops its count soon after the last reply has left.
void expect_released(const ServantBase& servant) {
  for (int i = 0; i < 5000 && servant._refcount_value() != 1; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(servant._refcount_value(), 1u);
}

class Adapters : public testing::Test {
 protected:
  Adapters() {
    server = make_orb("adapters", on_loopback());
    client = make_orb("callers");
    root = TwoOrbs::activate(server);
    manager = root->the_POAManager();
    CORBA::Object_var object = server->resolve_initial_references("POACurrent");
    current = Current::_narrow(object);
    servant = new CurrentServant(server);
  }
  ~Adapters() override {
    client->destroy();
    server->destroy();
  }
  template <typename... Policies>
  POA_ptr create(const char* name, Policies*... policies) {
    CORBA::PolicyList list;
    list.length(sizeof...(policies));
    CORBA::ULong i = 0;
    ((list[i++] = policies), ...);
    return root->create_POA(name, manager, list);
  }
  Contract::Everything_ptr remote(CORBA::Object_ptr local) {
    const std::string ior = take(server->object_to_string(local));
    CORBA::Object_var object = client->string_to_object(ior.c_str());
    return Contract::Everything::_unchecked_narrow(object);
  }
  Contract::Everything_ptr remote(POA_ptr poa, const ObjectId& id) {
    CORBA::Object_var object = poa->create_reference_with_id(id, "IDL:Contract/Everything:1.0");
    return remote(object.in());
  }
  CORBA::Policy_ptr user_ids() { return root->create_id_assignment_policy(USER_ID); }
  CORBA::Policy_ptr multiple() { return root->create_id_uniqueness_policy(MULTIPLE_ID); }
  CORBA::Policy_ptr default_servants() { return root->create_request_processing_policy(USE_DEFAULT_SERVANT); }
  CORBA::Policy_ptr non_retain() { return root->create_servant_retention_policy(NON_RETAIN); }
  CORBA::Policy_ptr persistent() { return root->create_lifespan_policy(PERSISTENT); }
  CORBA::Policy_ptr implicit() { return root->create_implicit_activation_policy(IMPLICIT_ACTIVATION); }

  CORBA::ORB_var server, client;
  POA_var root;
  POAManager_var manager;
  Current_var current;
  Servant_var<CurrentServant> servant;
};

TEST_F(Adapters, UserIdsReachTheirObjects) {
  POA_var poa = create("users", user_ids());
  ObjectId_var id = string_to_ObjectId("chosen"), other = string_to_ObjectId("other");
  poa->activate_object_with_id(id, servant);
  Contract::Everything_var it = remote(poa, id);
  EXPECT_EQ(take(it->label()), "users/chosen");
  EXPECT_EQ(raised_name([&] { poa->activate_object(servant); }), "WrongPolicy");
  EXPECT_EQ(raised_name([&] { poa->activate_object_with_id(other, servant); }), "ServantAlreadyActive");
  Servant_var<CurrentServant> second = new CurrentServant(server);
  EXPECT_EQ(raised_name([&] { poa->activate_object_with_id(id, second); }), "ObjectAlreadyActive");
  it = remote(poa, other);
  EXPECT_EQ(raised([&] { it->ping(); }), kGone);
  EXPECT_EQ(raised_name([&] { CORBA::Object_var object = poa->create_reference("IDL:X:1.0"); }),
            "WrongPolicy");
}

TEST_F(Adapters, WithMultipleIdsOneServantIsManyObjects) {
  POA_var poa = create("multiple", user_ids(), multiple());
  for (const char* name : {"a", "b", "c"}) {
    ObjectId_var id = string_to_ObjectId(name);
    poa->activate_object_with_id(id, servant);
    Contract::Everything_var it = remote(poa, id);
    EXPECT_EQ(take(it->label()), std::string("multiple/") + name);
  }
  EXPECT_EQ(raised_name([&] { ObjectId_var id = poa->servant_to_id(servant); }), "WrongPolicy");
}

TEST_F(Adapters, ADefaultServantAnswersForWhoeverIsNotActive) {
  POA_var poa = create("default", user_ids(), multiple(), default_servants());
  ObjectId_var any = string_to_ObjectId("any"), own = string_to_ObjectId("own");
  Contract::Everything_var it = remote(poa, any);
  EXPECT_EQ(raised([&] { it->ping(); }), "OBJ_ADAPTER/4f4d0003/NO");
  poa->set_servant(servant);
  EXPECT_EQ(take(it->label()), "default/any");
  Servant_var<EverythingServant> special = new EverythingServant;
  poa->activate_object_with_id(own, special);
  it = remote(poa, own);
  EXPECT_EQ(take(it->label()), "none");
  poa->deactivate_object(own);
  EXPECT_EQ(take(it->label()), "default/own");
  POA_var plain = create("plain");
  EXPECT_EQ(raised_name([&] { plain->set_servant(servant); }), "WrongPolicy");
}

TEST_F(Adapters, WithoutRetentionTheDefaultServantAnswersForAll) {
  POA_var poa = create("forgetful", user_ids(), multiple(), default_servants(), non_retain());
  poa->set_servant(servant);
  for (int i = 0; i < 5; ++i) {
    const std::string name = "object-" + std::to_string(i);
    ObjectId_var id = string_to_ObjectId(name.c_str());
    Contract::Everything_var it = remote(poa, id);
    EXPECT_EQ(take(it->label()), "forgetful/" + name);
    EXPECT_EQ(raised_name([&] { poa->activate_object_with_id(id, servant); }), "WrongPolicy");
  }
}

TEST_F(Adapters, ImplicitActivationIsForThoseWhoAskForIt) {
  POA_var willing = create("willing", implicit());
  CORBA::Object_var object = willing->servant_to_reference(servant);
  Contract::Everything_var it = remote(object);
  EXPECT_EQ(it->minus(2), 1);
  POA_var unwilling = create("unwilling");
  Servant_var<EverythingServant> other = new EverythingServant;
  EXPECT_EQ(raised_name([&] { CORBA::Object_var none = unwilling->servant_to_reference(other); }),
            "ServantNotActive");
}

TEST_F(Adapters, PersistentAdaptersGiveTheSameReferencesWhenMadeAgain) {
  POA_var poa = create("lasting", user_ids(), persistent());
  ObjectId_var id = string_to_ObjectId("x");
  poa->activate_object_with_id(id, servant);
  Contract::Everything_var it = remote(poa, id);
  EXPECT_EQ(take(it->label()), "lasting/x");
  poa->destroy(false, true);
  EXPECT_EQ(raised([&] { it->ping(); }), kGone);
  poa = create("lasting", user_ids(), persistent());
  poa->activate_object_with_id(id, servant);
  EXPECT_EQ(take(it->label()), "lasting/x");
}

TEST_F(Adapters, TransientAdaptersDoNot) {
  POA_var poa = create("passing", user_ids());
  ObjectId_var id = string_to_ObjectId("x");
  poa->activate_object_with_id(id, servant);
  Contract::Everything_var it = remote(poa, id);
  EXPECT_EQ(take(it->label()), "passing/x");
  poa->destroy(false, true);
  poa = create("passing", user_ids());
  poa->activate_object_with_id(id, servant);
  EXPECT_EQ(raised([&] { it->ping(); }), kGone);
}

TEST_F(Adapters, IllegalPoliciesAreRefusedWithTheirPlaceInTheList) {
  const auto index = [&](auto... policies) {
    try {
      POA_var poa = create("illegal", policies...);
      return -1;
    } catch (const POA::InvalidPolicy& e) {
      return static_cast<int>(e.index);
    }
  };
  EXPECT_EQ(index(non_retain()), 0);
  EXPECT_EQ(index(user_ids(), default_servants()), 1);
  EXPECT_EQ(index(user_ids(), implicit()), 1);
  EXPECT_EQ(index(multiple(), default_servants(), non_retain(), implicit()), 3);
  EXPECT_EQ(index(persistent(), static_cast<CORBA::Policy_ptr>(root->create_lifespan_policy(TRANSIENT))), 1);
  EXPECT_EQ(index(CORBA::Policy::_nil()), 0);
  EXPECT_EQ(raised_name([&] { POA_var poa = root->find_POA("illegal", false); }), "AdapterNonExistent");
}

TEST_F(Adapters, AreFoundByNameAndNotTwice) {
  POA_var poa = create("once");
  EXPECT_EQ(raised_name([&] { POA_var again = create("once"); }), "AdapterAlreadyExists");
  POA_var found = root->find_POA("once", false);
  EXPECT_TRUE(found->_is_equivalent(poa));
  EXPECT_EQ(raised_name([&] { POA_var none = root->find_POA("never", true); }), "AdapterNonExistent");
  poa->destroy(false, false);
  EXPECT_EQ(raised_name([&] { POA_var none = root->find_POA("once", false); }), "AdapterNonExistent");
}

TEST_F(Adapters, CurrentTellsOfUpcallsOnly) {
  EXPECT_EQ(raised_name([&] { POA_var poa = current->get_POA(); }), "NoContext");
  EXPECT_EQ(raised_name([&] { ObjectId_var id = current->get_object_id(); }), "NoContext");
  EXPECT_EQ(raised_name([&] { CORBA::Object_var object = current->get_reference(); }), "NoContext");
  EXPECT_EQ(raised_name([&] { Servant_var<ServantBase> s = current->get_servant(); }), "NoContext");
  POA_var poa = create("users", user_ids());
  Servant_var<ScriptedServant> scripted = new ScriptedServant;
  ObjectId_var id = string_to_ObjectId("it");
  poa->activate_object_with_id(id, scripted);
  CORBA::Object_var object = poa->id_to_reference(id);
  bool same_servant = false, same_object = false;
  scripted->script = [&] {
    ServantBase_var s = current->get_servant();
    same_servant = s.in() == scripted.in();
    CORBA::Object_var self = current->get_reference();
    same_object = self->_is_equivalent(object);
    // A nested upcall has its own.
    ObjectId_var other_id = string_to_ObjectId("other");
    poa->activate_object_with_id(other_id, servant);
    CORBA::Object_var nested = poa->id_to_reference(other_id);
    Contract::Everything_var other = Contract::Everything::_narrow(nested);
    EXPECT_EQ(take(other->label()), "users/other");
    ObjectId_var mine = current->get_object_id();
    EXPECT_EQ(take(ObjectId_to_string(mine)), "it");
  };
  Contract::Everything_var it = remote(object.in());
  EXPECT_EQ(it->minus(1), 0);
  EXPECT_TRUE(same_servant);
  EXPECT_TRUE(same_object);
}

TEST_F(Adapters, AnObjectMayEndItselfInItsOwnUpcall) {
  Servant_var<ScriptedServant> scripted = new ScriptedServant;
  ObjectId_var id = root->activate_object(scripted);
  CORBA::Object_var object = root->id_to_reference(id);
  Contract::Everything_var it = remote(object.in());
  scripted->script = [&] { root->deactivate_object(id); };
  EXPECT_EQ(it->minus(1), 0);
  EXPECT_EQ(raised([&] { it->minus(1); }), kGone);
  expect_released(*scripted);
  EXPECT_EQ(raised_name([&] { root->deactivate_object(id); }), "ObjectNotActive");
}

TEST_F(Adapters, DeactivationReturnsAtOnceAndTheCountGoesWithTheLastRequest) {
  Servant_var<ScriptedServant> scripted = new ScriptedServant;
  Gate gate;
  scripted->script = [&] { gate.wait(); };
  ObjectId_var id = root->activate_object(scripted);
  CORBA::Object_var object = root->id_to_reference(id);
  Contract::Everything_var it = remote(object.in());
  auto call = std::async(std::launch::async, [&] { return it->minus(4); });
  ASSERT_TRUE(gate.wait_until_inside(1));
  root->deactivate_object(id);
  EXPECT_EQ(scripted->_refcount_value(), 2u);
  EXPECT_EQ(raised([&] { it->ping(); }), kGone);
  gate.open();
  EXPECT_EQ(call.get(), 3);
  expect_released(*scripted);
}

TEST_F(Adapters, ManagersHoldDiscardAndRefuse) {
  CORBA::PolicyList none;
  POA_var poa = root->create_POA("managed", POAManager::_nil(), none);
  POAManager_var own = poa->the_POAManager();
  EXPECT_EQ(own->get_state(), POAManager::HOLDING);
  ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var object = poa->id_to_reference(id);
  Contract::Everything_var it = remote(object.in());
  auto held = std::async(std::launch::async, [&] { return it->minus(4); });
  EXPECT_EQ(held.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  own->activate();
  EXPECT_EQ(held.get(), 3);
  own->discard_requests(true);
  EXPECT_EQ(raised([&] { it->ping(); }), "TRANSIENT/4f4d0001/NO");
  own->hold_requests(true);
  held = std::async(std::launch::async, [&] { return it->minus(5); });
  EXPECT_EQ(held.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  own->activate();
  EXPECT_EQ(held.get(), 4);
  own->deactivate(false, true);
  EXPECT_EQ(raised([&] { it->ping(); }), "OBJ_ADAPTER/4f4d0001/NO");
  EXPECT_EQ(raised_name([&] { own->activate(); }), "AdapterInactive");
  EXPECT_EQ(raised_name([&] { own->hold_requests(false); }), "AdapterInactive");
  EXPECT_EQ(own->get_state(), POAManager::INACTIVE);
  // Its brothers go on.
  CORBA::Object_var brother = root->servant_to_reference(servant);
  Contract::Everything_var other = remote(brother.in());
  EXPECT_EQ(other->minus(2), 1);
}

// Whoever waits for a reply while it makes a servant or an adapter reads what others send: it cannot wait for
// itself, but that is no fault of theirs.
struct AdaptersOfAReactiveServer : testing::Test {
  AdaptersOfAReactiveServer() {
    CORBA::Object_var object = server->string_to_object(pair.ior.c_str());
    far = Contract::Everything::_unchecked_narrow(object);
    pair.servant->script = [this] { gate.wait(); };
  }
  POA_ptr make(POA_ptr parent, const char* name) {
    POAManager_var manager = root->the_POAManager();
    CORBA::PolicyList policies;
    policies.length(3);
    policies[0] = root->create_request_processing_policy(USE_SERVANT_MANAGER);
    policies[1] = root->create_id_assignment_policy(USER_ID);
    policies[2] = root->create_lifespan_policy(PERSISTENT);
    return parent->create_POA(name, manager, policies);
  }
  std::string reference_of(POA_ptr poa) {
    ObjectId_var id = string_to_ObjectId("x");
    CORBA::Object_var object = poa->create_reference_with_id(id, "IDL:Contract/Everything:1.0");
    return take(server->object_to_string(object));
  }
  void expect_that_others_are_to_ask_again(const std::string& ior) {
    std::thread loop([&] { EXPECT_EQ(raised([&] { server->run(); }), "none"); });
    const auto call = [&](const char* name) {
      CORBA::ORB_var orb = make_orb(name);
      CORBA::Object_var there = orb->string_to_object(ior.c_str());
      Contract::Everything_var it = Contract::Everything::_unchecked_narrow(there);
      const std::string result = raised([&] { EXPECT_EQ(it->minus(3), 2); });
      orb->destroy();
      return result;
    };
    auto first = std::async(std::launch::async, [&] { return call("first"); });
    EXPECT_TRUE(gate.wait_until_inside(1));
    EXPECT_EQ(call("second"), "TRANSIENT/4f4d0001/NO");
    gate.open();
    EXPECT_EQ(first.get(), "none");
    EXPECT_EQ(call("third"), "none");
    server->shutdown(false);
    loop.join();
    server->destroy();
  }
  struct Maker final : ServantActivator {
    explicit Maker(AdaptersOfAReactiveServer& test) : test(test) {}
    PortableServer::Servant incarnate(const ObjectId&, POA_ptr) override {
      if (waits) test.far->minus(1);
      servant->_add_ref();
      return servant;
    }
    void etherealize(const ObjectId&, POA_ptr, PortableServer::Servant ended, CORBA::Boolean,
                     CORBA::Boolean) override {
      ended->_remove_ref();
    }
    AdaptersOfAReactiveServer& test;
    Servant_var<EverythingServant> servant = new EverythingServant;
    bool waits = false;
  };

  Pair pair;  // the far end
  CORBA::ORB_var server = make_orb("reactive", on_loopback({"-ORBserverModel", "reactive"}));
  POA_var root = TwoOrbs::activate(server);
  Contract::Everything_var far;
  Gate gate;
  Maker* const maker = new Maker(*this);
  ServantActivator_var owner = maker;
};

TEST_F(AdaptersOfAReactiveServer, TellOthersToAskAgainWhileTheOnlyThreadMakesTheObject) {
  maker->waits = true;
  POA_var poa = make(root, "on demand");
  poa->set_servant_manager(maker);
  expect_that_others_are_to_ask_again(reference_of(poa));
}

TEST_F(AdaptersOfAReactiveServer, TellOthersToAskAgainWhileTheOnlyThreadMakesTheAdapter) {
  struct AdapterMaker final : AdapterActivator {
    explicit AdapterMaker(AdaptersOfAReactiveServer& test) : test(test) {}
    CORBA::Boolean unknown_adapter(POA_ptr parent, const char* name) override {
      test.far->minus(1);
      POA_var poa = test.make(parent, name);
      poa->set_servant_manager(test.maker);
      return true;
    }
    AdaptersOfAReactiveServer& test;
  };
  POA_var poa = make(root, "late");
  const std::string ior = reference_of(poa);
  poa->destroy(false, true);
  AdapterActivator_var adapter_maker = new AdapterMaker(*this);
  root->the_activator(adapter_maker);
  expect_that_others_are_to_ask_again(ior);
}

TEST_F(Adapters, CallsInsideTheProcessNeverOpenASocket) {
  CORBA::Object_var object = root->servant_to_reference(servant);
  Contract::Everything_var it = Contract::Everything::_narrow(object);
  const int before = sockets_open();
  EXPECT_EQ(it->minus(3), 2);
  EXPECT_TRUE(it->_is_a("IDL:Contract/Base:1.0"));
  EXPECT_FALSE(it->_non_existent());
  // Neither by a reference that went through its string form ...
  const std::string ior = take(server->object_to_string(object));
  object = server->string_to_object(ior.c_str());
  it = Contract::Everything::_narrow(object);
  EXPECT_EQ(it->minus(3), 2);
  // ... nor from other threads, nor nested.
  std::thread other([&] { EXPECT_EQ(it->minus(3), 2); });
  other.join();
  Servant_var<ScriptedServant> scripted = new ScriptedServant;
  scripted->script = [&] { EXPECT_EQ(it->minus(7), 6); };
  CORBA::Object_var nested = root->servant_to_reference(scripted);
  Contract::Everything_var outer = Contract::Everything::_narrow(nested);
  EXPECT_EQ(outer->minus(1), 0);
  EXPECT_EQ(sockets_open(), before);
  Contract::Everything_var far = remote(object.in());
  EXPECT_EQ(far->minus(3), 2);
  EXPECT_EQ(sockets_open(), before + 2);  // so that the count is known to see sockets
}

TEST_F(Adapters, ExceptionsAreTheSameNearAndFar) {
  ObjectId_var id = root->activate_object(servant);
  CORBA::Object_var object = root->id_to_reference(id);
  Contract::Everything_var near = Contract::Everything::_narrow(object), far = remote(object.in());
  const auto everything_raised = [&](Contract::Everything_ptr it) {
    std::vector<std::string> all;
    all.push_back(raised([&] { it->fail(); }));
    all.push_back(raised([&] { it->refuse(0); }));
    try {
      it->refuse(3);
    } catch (const Contract::Refused& e) {
      all.push_back(std::string(e.why.in()) + std::to_string(e.code));
    }
    all.push_back(raised([&] { it->bounded("far too long"); }));
    Contract::Callback_var wrong = Contract::Callback::_unchecked_narrow(it);
    all.push_back(raised([&] { wrong->twice(1); }));
    all.push_back(raised([&] {
      it->text(nullptr, CORBA::String_var(CORBA::string_dup("")).inout(), CORBA::String_var().out());
    }));
    manager->discard_requests(false);
    all.push_back(raised([&] { it->ping(); }));
    manager->activate();
    root->deactivate_object(id);
    all.push_back(raised([&] { it->ping(); }));
    root->activate_object_with_id(id, servant);
    return all;
  };
  const std::vector<std::string> from_near = everything_raised(near), from_far = everything_raised(far);
  EXPECT_EQ(from_near, from_far);
  EXPECT_EQ(from_near.size(), 8u);
  for (const std::string& one : from_near) EXPECT_NE(one, "none");
}

TEST_F(Adapters, ServantsOnTheStackOutliveTheirActivation) {
  EverythingServant on_stack;
  ObjectId_var id = root->activate_object(&on_stack);
  EXPECT_EQ(on_stack._refcount_value(), 2u);
  CORBA::Object_var object = root->id_to_reference(id);
  Contract::Everything_var it = remote(object.in());
  EXPECT_EQ(it->minus(2), 1);
  root->deactivate_object(id);
  expect_released(on_stack);
}

// However large it is, nothing of it has left by then.
TEST_F(Adapters, AnExceptionOfPostinvokeTakesTheReplysPlace) {
  struct Refusing final : ServantLocator {
    Servant preinvoke(const ObjectId&, POA_ptr, const char*, Cookie&) override { return &everything; }
    void postinvoke(const ObjectId&, POA_ptr, const char*, Cookie, Servant) override {
      if (refuses) throw CORBA::NO_PERMISSION(9, CORBA::COMPLETED_YES);
    }
    EverythingServant everything;
    bool refuses = true;
  };
  Refusing* const locator = new Refusing;
  ServantLocator_var owner = locator;
  POA_var poa = create("locator", root->create_request_processing_policy(USE_SERVANT_MANAGER),
                       root->create_servant_retention_policy(NON_RETAIN));
  poa->set_servant_manager(locator);
  CORBA::Object_var object = poa->create_reference(Contract::Everything::_corbel_id);
  Contract::Everything_var it = remote(object.in());
  for (const CORBA::ULong size : {1u, 20'000u, 200'000u}) {
    Contract::Octets octets, other_octets;
    octets.length(size);
    Contract::Octets_var more_octets;
    Contract::Longs longs, other_longs;
    longs.length(size);
    Contract::Longs_var more_longs;
    const auto give_octets = [&] {
      Contract::Octets_var given = it->give_octets(octets, other_octets, more_octets.out());
      EXPECT_EQ(given->length(), size);
    };
    const auto give_longs = [&] {
      Contract::Longs_var given = it->give_longs(longs, other_longs, more_longs.out());
      EXPECT_EQ(given->length(), size);
    };
    locator->refuses = true;
    EXPECT_EQ(raised(give_octets), "NO_PERMISSION/9/YES") << size;
    EXPECT_EQ(raised(give_longs), "NO_PERMISSION/9/YES") << size;
    locator->refuses = false;
    EXPECT_EQ(raised(give_octets), "none") << size;
    EXPECT_EQ(raised(give_longs), "none") << size;
  }
}

}  // namespace
