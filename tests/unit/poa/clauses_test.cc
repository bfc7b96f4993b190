// Clauses of CORBA 3.4 part 1, chapter "Portable Object Adapter", that no other test shows:
// docs/conformance-poa.md.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <string>
#include <thread>

#include "tests/unit/poa/classic_support.h"

namespace {

using namespace classic;
using namespace PortableServer;

struct PoaClauses : Classic {
  POA_var with(const char* name, std::initializer_list<CORBA::Policy_ptr> all) {
    CORBA::PolicyList policies(4);
    policies.length(static_cast<CORBA::ULong>(all.size()));
    CORBA::ULong i = 0;
    for (CORBA::Policy_ptr const policy : all) policies[i++] = policy;
    return make(name, policies);
  }
  CORBA::Policy_ptr user() { return root->create_id_assignment_policy(USER_ID); }
  CORBA::Policy_ptr multiple() { return root->create_id_uniqueness_policy(MULTIPLE_ID); }
  CORBA::Policy_ptr default_servant() { return root->create_request_processing_policy(USE_DEFAULT_SERVANT); }
  CORBA::Policy_ptr non_retain() { return root->create_servant_retention_policy(NON_RETAIN); }

  Servant_var<EchoServant> servant = new EchoServant;
  ObjectId_var x = string_to_ObjectId("x"), y = string_to_ObjectId("y");
};

TEST_F(PoaClauses, TheRootActivatesImplicitlyUnderIdsOfItsOwn) {
  CORBA::Object_var object = root->servant_to_reference(servant);
  ObjectId_var id = root->servant_to_id(servant), again = root->reference_to_id(object);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(id->get_buffer()), id->length()),
            std::string(reinterpret_cast<const char*>(again->get_buffer()), again->length()));
  EXPECT_THROW(root->activate_object(servant), POA::ServantAlreadyActive);
  try {
    root->activate_object_with_id(x, servant);
    ADD_FAILURE() << "an id of no system";
  } catch (const CORBA::BAD_PARAM& e) {
    EXPECT_EQ(e.minor(), 0x4f4d000eu);
  }
  EXPECT_THROW(root->get_servant(), POA::WrongPolicy);
  EXPECT_THROW(root->get_servant_manager(), POA::WrongPolicy);
  POA_var none = root->the_parent();
  EXPECT_TRUE(CORBA::is_nil(none.in()));
  CORBA::String_var name = root->the_name();
  EXPECT_STREQ(name.in(), "RootPOA");
}

TEST_F(PoaClauses, AChildHasTheDefaultPoliciesWhateverItsParentHas) {
  POA_var parent = user_ids("parent");
  CORBA::PolicyList none;
  POA_var child = parent->create_POA("child", nullptr, none);
  ObjectId_var id = child->activate_object(servant);
  EXPECT_THROW(child->activate_object(servant), POA::ServantAlreadyActive) << "UNIQUE_ID";
  Servant_var<EchoServant> other = new EchoServant;
  EXPECT_THROW(child->servant_to_id(other), POA::ServantNotActive) << "NO_IMPLICIT_ACTIVATION";
}

TEST_F(PoaClauses, ChildrenAreThoseOfTheAdapterItself) {
  POA_var a = user_ids("a"), b = user_ids("b");
  CORBA::PolicyList none;
  POA_var below = a->create_POA("below", nullptr, none);
  std::set<std::string> names;
  POAList_var children = root->the_children();
  for (CORBA::ULong i = 0; i < children->length(); ++i) {
    CORBA::String_var name = children[i]->the_name();
    names.insert(name.in());
  }
  EXPECT_EQ(names, (std::set<std::string>{"a", "b"}));
  children = a->the_children();
  EXPECT_EQ(children->length(), 1u);
}

TEST_F(PoaClauses, AReferenceIsMadeWithoutAnActivationAndEqualToLaterOnes) {
  POA_var poa = user_ids("a");
  CORBA::Object_var first = poa->create_reference_with_id(x, Echo::_corbel_id);
  EXPECT_THROW(poa->id_to_servant(x), POA::ObjectNotActive);
  EXPECT_THROW(poa->id_to_reference(x), POA::ObjectNotActive);
  EXPECT_THROW(poa->reference_to_servant(first), POA::ObjectNotActive);
  EXPECT_TRUE(first->_non_existent());
  poa->activate_object_with_id(x, servant);
  CORBA::Object_var later = poa->id_to_reference(x),
                    same = poa->create_reference_with_id(x, Echo::_corbel_id);
  EXPECT_TRUE(first->_is_equivalent(later));
  EXPECT_TRUE(first->_is_equivalent(same));
  EXPECT_FALSE(first->_non_existent());
}

TEST_F(PoaClauses, EachReferenceOfASystemIdIsAnotherObjects) {
  CORBA::Object_var one = root->create_reference(Echo::_corbel_id),
                    two = root->create_reference(Echo::_corbel_id);
  EXPECT_FALSE(one->_is_equivalent(two));
  ObjectId_var id = root->reference_to_id(one);
  root->activate_object_with_id(id, servant);
  EXPECT_FALSE(one->_non_existent());
  EXPECT_TRUE(two->_non_existent());
}

TEST_F(PoaClauses, ADefaultServantIsTheServantOfIdsThatAreNotActive) {
  POA_var poa = with("default", {user(), multiple(), default_servant()});
  EXPECT_THROW(poa->get_servant(), POA::NoServant);
  EXPECT_THROW(poa->id_to_servant(x), POA::ObjectNotActive);
  poa->set_servant(servant);
  ServantBase_var found = poa->get_servant();
  EXPECT_EQ(found.in(), servant.in());
  found = poa->id_to_servant(x);
  EXPECT_EQ(found.in(), servant.in());
  Servant_var<EchoServant> other = new EchoServant;
  poa->activate_object_with_id(x, other);
  found = poa->id_to_servant(x);
  EXPECT_EQ(found.in(), other.in()) << "what is active comes first";
  EXPECT_THROW(poa->id_to_reference(y), POA::ObjectNotActive);
}

TEST_F(PoaClauses, WithoutRetentionADefaultServantIsWhomItServesInsideOfUpcallsOnly) {
  POA_var poa = with("forgetful", {user(), multiple(), default_servant(), non_retain()});
  poa->set_servant(servant);
  EXPECT_THROW(poa->servant_to_id(servant), POA::ServantNotActive);
  EXPECT_THROW(poa->servant_to_reference(servant), POA::ServantNotActive);
  EXPECT_THROW(poa->id_to_reference(x), POA::WrongPolicy);
  for (const ObjectId_var* const id : {&x, &y}) {
    CORBA::Object_var object = poa->create_reference_with_id(*id, Echo::_corbel_id);
    Echo_var echo = Echo::_narrow(object.in());
    servant->target = CORBA::Object::_duplicate(object.in());
    CORBA::String_var result = echo->echo("this");
    EXPECT_STREQ(result.in(), "same");
  }
}

TEST_F(PoaClauses, AReferenceOfNobodyOrOfAnotherOrbIsOfAnotherAdapter) {
  int argc = 0;
  CORBA::ORB_var other = CORBA::ORB_init(argc, nullptr, "other-clauses");
  CORBA::Object_var object = other->resolve_initial_references("RootPOA");
  POA_var elsewhere = POA::_narrow(object.in());
  CORBA::Object_var foreign = elsewhere->create_reference(Echo::_corbel_id);
  CORBA::Object_var local = CORBA::Object::_duplicate(root.in());
  for (CORBA::Object_ptr const wrong : {CORBA::Object::_nil(), foreign.in(), local.in()}) {
    EXPECT_THROW(root->reference_to_id(wrong), POA::WrongAdapter);
    EXPECT_THROW(root->reference_to_servant(wrong), POA::WrongAdapter);
  }
  foreign = object = CORBA::Object::_nil();
  elsewhere = POA::_nil();
  other->destroy();
}

TEST(References, OfAnAdapterAreItsOwnThoughTheyWereThereBeforeTheServer) {
  char folder[] = "/tmp/corbel-clauses-XXXXXX";
  ASSERT_TRUE(mkdtemp(folder));
  const std::string at = std::string("giop:unix:") + folder + "/socket";
  const auto start = [&] {
    const char* args[] = {"test", "-ORBendPoint", at.c_str(), "-ORBserverId", "clauses", nullptr};
    int argc = 5;
    return CORBA::ORB_init(argc, const_cast<char**>(args), "started-again");
  };
  const auto make = [](CORBA::ORB_ptr orb) {
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    POA_var root = POA::_narrow(object.in());
    CORBA::PolicyList policies(2);
    policies.length(2);
    policies[0] = root->create_id_assignment_policy(USER_ID);
    policies[1] = root->create_lifespan_policy(PERSISTENT);
    return root->create_POA("a", nullptr, policies);
  };
  const ObjectId_var x = string_to_ObjectId("x");
  CORBA::String_var text;
  {
    CORBA::ORB_var orb = start();
    POA_var poa = make(orb.in());
    CORBA::Object_var reference = poa->create_reference_with_id(x.in(), Echo::_corbel_id);
    text = orb->object_to_string(reference.in());
    orb->destroy();
  }
  CORBA::ORB_var orb = start();
  CORBA::Object_var early = orb->string_to_object(text.in());
  POA_var poa = make(orb.in());
  ObjectId_var id = poa->reference_to_id(early.in());
  EXPECT_STREQ(CORBA::String_var(ObjectId_to_string(id.in())).in(), "x");
  orb->destroy();
  std::filesystem::remove_all(folder);
}

TEST_F(PoaClauses, ADestroyedAdapterDoesNotExistForItsHolders) {
  POA_var poa = user_ids("a");
  CORBA::Object_var reference = poa->create_reference_with_id(x, Echo::_corbel_id);
  poa->destroy(true, true);
  EXPECT_THROW(poa->the_name(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(poa->the_POAManager(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(poa->the_children(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(poa->find_POA("b", true), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(poa->create_POA("b", nullptr, {}), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(poa->activate_object_with_id(x, servant), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(poa->create_reference_with_id(x, ""), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(poa->reference_to_id(reference), CORBA::OBJECT_NOT_EXIST);
  EXPECT_TRUE(reference->_non_existent());
  EXPECT_NO_THROW(poa->destroy(true, true)) << "who comes second has nothing left to do";
}

TEST_F(PoaClauses, ADestroyedAdapterIsThereForTheRequestsThatRunInIt) {
  static POA_ptr parent;
  static POA_var poa;
  static EchoServant* inside;
  parent = root.in();
  poa = user_ids("a");
  inside = servant.in();
  poa->activate_object_with_id(x, servant);
  servant->orb = orb.in();
  servant->target = poa->id_to_reference(x);
  Echo_var echo = Echo::_narrow(servant->target);
  servant->during = [] {
    poa->destroy(true, false);
    EXPECT_STREQ(CORBA::String_var(inside->current()).in(), "a/x");
    EXPECT_THROW(parent->create_POA("a", nullptr, {}), POA::AdapterAlreadyExists);
    try {
      POA_var child = poa->create_POA("b", nullptr, {});
      ADD_FAILURE() << "not raised";
    } catch (const CORBA::BAD_INV_ORDER& e) {
      EXPECT_EQ(e.minor(), 0x4f4d0011u);
    }
  };
  CORBA::String_var answer = echo->echo("hello");
  EXPECT_THROW(poa->the_name(), CORBA::OBJECT_NOT_EXIST);
  POA_var again = root->create_POA("a", nullptr, {});
  poa = nullptr;
}

TEST_F(PoaClauses, CreationWaitsForTheRequestsOfTheDestroyedAdapterThatHadTheName) {
  static POA_var poa;
  static std::atomic<bool> inside, let_go;
  inside = let_go = false;
  poa = user_ids("a");
  poa->activate_object_with_id(x, servant);
  CORBA::Object_var object = poa->id_to_reference(x);
  Echo_var echo = Echo::_narrow(object);
  servant->during = [] {
    poa->destroy(true, false);
    inside = true;
    while (!let_go) std::this_thread::yield();
  };
  std::thread caller([&] { CORBA::String_var answer = echo->echo("hello"); });
  while (!inside) std::this_thread::yield();
  std::atomic<bool> made{false};
  std::thread maker([&] {
    POA_var again = user_ids("a");
    made = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(made);
  let_go = true;
  caller.join();
  maker.join();
  EXPECT_TRUE(made);
  poa = nullptr;
}

TEST_F(PoaClauses, OperationsRefuseAdaptersWithoutTheirPolicy) {
  POA_var forgetful = with("forgetful", {user(), multiple(), default_servant(), non_retain()});
  EXPECT_THROW(forgetful->activate_object_with_id(x, servant), POA::WrongPolicy);
  EXPECT_THROW(forgetful->deactivate_object(x), POA::WrongPolicy);
  EXPECT_THROW(forgetful->create_reference(""), POA::WrongPolicy);
  POA_var users = user_ids("users");
  EXPECT_THROW(users->activate_object(servant), POA::WrongPolicy);
  EXPECT_THROW(users->set_servant(servant), POA::WrongPolicy);
  EXPECT_THROW(users->get_servant(), POA::WrongPolicy);
  EXPECT_THROW(users->get_servant_manager(), POA::WrongPolicy);
  EXPECT_THROW(users->deactivate_object(x), POA::ObjectNotActive);
  POA_var shared = with("shared", {user(), multiple()});
  EXPECT_THROW(shared->servant_to_id(servant), POA::WrongPolicy);
  EXPECT_THROW(shared->servant_to_reference(servant), POA::WrongPolicy);
}

}  // namespace
