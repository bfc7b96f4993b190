// The classic C++ mapping of the adapters.
#include <gtest/gtest.h>

#include "tests/unit/poa/classic_support.h"

namespace {

using namespace classic;

TEST_F(Classic, ThisActivatesImplicitlyAndCallsArrive) {
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  Echo_var echo = servant->_this();
  CORBA::String_var result = echo->echo("hello");
  EXPECT_STREQ(result.in(), "hello");
  Echo_var again = servant->_this();
  EXPECT_TRUE(again->_is_equivalent(echo.in()));
  servant->target = CORBA::Object::_duplicate(echo.in());
  result = echo->echo("this");
  EXPECT_STREQ(result.in(), "same");
}

TEST_F(Classic, TheAdapterHoldsItsOwnCountOfAServant) {
  bool gone = false;
  PortableServer::ObjectId_var id;
  {
    PortableServer::Servant_var<EchoServant> servant = new EchoServant(&gone);
    EXPECT_EQ(servant->_refcount_value(), 1u);
    id = root->activate_object(servant);
    EXPECT_EQ(servant->_refcount_value(), 2u);
  }
  EXPECT_FALSE(gone);
  root->deactivate_object(id.in());
  EXPECT_TRUE(gone);
}

TEST_F(Classic, CurrentNamesTheTargetInsideAnUpcallOnly) {
  PortableServer::POA_var adapter = user_ids("mine");
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("object");
  adapter->activate_object_with_id(id.in(), servant);
  CORBA::Object_var object = adapter->id_to_reference(id.in());
  servant->orb = orb.in();
  servant->target = CORBA::Object::_duplicate(object.in());
  Echo_var echo = Echo::_narrow(object.in());
  CORBA::String_var result = echo->echo("current");
  EXPECT_STREQ(result.in(), "mine/object");

  object = orb->resolve_initial_references("POACurrent");
  PortableServer::Current_var current = PortableServer::Current::_narrow(object.in());
  EXPECT_THROW(current->get_POA(), PortableServer::Current::NoContext);
  EXPECT_THROW(current->get_object_id(), PortableServer::Current::NoContext);
  EXPECT_THROW(current->get_reference(), PortableServer::Current::NoContext);
  EXPECT_THROW(current->get_servant(), PortableServer::Current::NoContext);
}

TEST_F(Classic, WhateverAServantThrowsBecomesASystemException) {
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  Echo_var echo = servant->_this();
  const auto system = thrown<CORBA::NO_PERMISSION>(echo, "system");
  EXPECT_EQ(system.minor(), 7u);
  EXPECT_EQ(system.completed(), CORBA::COMPLETED_YES);
  EXPECT_EQ(thrown<CORBA::UNKNOWN>(echo, "user").minor(), 0x4f4d0001u);
  EXPECT_EQ(thrown<CORBA::NO_MEMORY>(echo, "memory").completed(), CORBA::COMPLETED_MAYBE);
  EXPECT_EQ(thrown<CORBA::UNKNOWN>(echo, "foreign").minor(), 0u);
  EXPECT_EQ(thrown<CORBA::BAD_PARAM>(echo, "null").completed(), CORBA::COMPLETED_YES)
      << "the result had no encoding";
}

TEST_F(Classic, ImplicitOperationsAreAnswered) {
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  CORBA::Object_var object = servant->_this();
  Echo_var echo = corbel::cpp::unchecked_narrow<Echo>(object.in());
  EXPECT_TRUE(object->_is_a("IDL:Echo:1.0"));
  EXPECT_TRUE(object->_is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_FALSE(object->_is_a("IDL:Other:1.0"));
  EXPECT_FALSE(object->_non_existent());
  CORBA::String_var id = echo->call("", "_repository_id");
  EXPECT_STREQ(id.in(), "IDL:Echo:1.0");
  EXPECT_EQ(thrown<CORBA::BAD_OPERATION>(echo, "", "nonsense").completed(), CORBA::COMPLETED_NO);
  EXPECT_EQ(thrown<CORBA::INTF_REPOS>(echo, "", "_interface").completed(), CORBA::COMPLETED_NO);
  for (const char* spelling : {"_non_existent", "_not_existent"}) {
    const corbel::cpp::Operation operation{{spelling, 13, false}, nullptr, 0};
    corbel::cpp::Call call(*object, operation);
    bool answer = true;
    EXPECT_TRUE(call.invoke().get_boolean(answer));
    EXPECT_FALSE(answer);
  }
  constexpr corbel::cpp::Operation component{{"_component", 10, false}, nullptr, 0};
  corbel::cpp::Call call(*object, component);
  CORBA::Object_ptr result = object.in();
  EXPECT_TRUE(corbel::cpp::ObjectTraits<CORBA::Object>::get(call.invoke(), result));
  EXPECT_EQ(result, nullptr);
}

TEST_F(Classic, ADeactivatedObjectDoesNotExist) {
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  Echo_var echo = servant->_this();
  PortableServer::ObjectId_var id = root->reference_to_id(echo.in());
  root->deactivate_object(id.in());
  EXPECT_TRUE(echo->_non_existent());
  EXPECT_EQ(thrown<CORBA::OBJECT_NOT_EXIST>(echo, "hello").completed(), CORBA::COMPLETED_NO);
  EXPECT_THROW(root->deactivate_object(id.in()), PortableServer::POA::ObjectNotActive);
}

TEST_F(Classic, ConversionsRaiseWhatTheSpecificationSays) {
  PortableServer::POA_var a = user_ids("a"), b = user_ids("b");
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("x");
  EXPECT_THROW(a->id_to_servant(id.in()), PortableServer::POA::ObjectNotActive);
  EXPECT_THROW(a->servant_to_id(servant), PortableServer::POA::ServantNotActive);
  EXPECT_THROW(a->activate_object(servant), PortableServer::POA::WrongPolicy);
  EXPECT_THROW(a->get_servant(), PortableServer::POA::WrongPolicy);
  EXPECT_THROW(a->create_reference("IDL:Echo:1.0"), PortableServer::POA::WrongPolicy);
  a->activate_object_with_id(id.in(), servant);
  EXPECT_THROW(a->activate_object_with_id(id.in(), servant), PortableServer::POA::ObjectAlreadyActive);
  CORBA::Object_var reference = a->servant_to_reference(servant);
  PortableServer::ServantBase_var found = a->reference_to_servant(reference.in());
  EXPECT_EQ(found.in(), servant.in());
  EXPECT_THROW(b->reference_to_id(reference.in()), PortableServer::POA::WrongAdapter);
  EXPECT_THROW(root->create_reference_with_id(id.in(), ""), CORBA::BAD_PARAM);
  EXPECT_THROW(a->activate_object_with_id(id.in(), nullptr), CORBA::BAD_PARAM);
}

TEST_F(Classic, AdaptersHaveNamesParentsAndChildren) {
  PortableServer::POA_var child = make("child", {});
  CORBA::String_var name = child->the_name();
  EXPECT_STREQ(name.in(), "child");
  PortableServer::POA_var parent = child->the_parent();
  EXPECT_TRUE(parent->_is_equivalent(root.in()));
  PortableServer::POAList_var children = root->the_children();
  ASSERT_EQ(children->length(), 1u);
  EXPECT_TRUE(children[0u]->_is_equivalent(child.in()));
  EXPECT_THROW(make("child", {}), PortableServer::POA::AdapterAlreadyExists);
  EXPECT_THROW(root->find_POA("none", true), PortableServer::POA::AdapterNonExistent);
  PortableServer::POAManager_var one = root->the_POAManager(), two = child->the_POAManager();
  EXPECT_TRUE(one->_is_equivalent(two.in()));
  child->destroy(true, true);
  EXPECT_THROW(child->the_name(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(root->find_POA("child", false), PortableServer::POA::AdapterNonExistent);
}

TEST_F(Classic, AnIllegalPolicyListIsRefusedWithTheIndex) {
  CORBA::PolicyList policies(2);
  policies.length(2);
  policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root->create_request_processing_policy(PortableServer::USE_DEFAULT_SERVANT);
  try {
    make("bad", policies);
    ADD_FAILURE() << "accepted";
  } catch (const PortableServer::POA::InvalidPolicy& e) {
    EXPECT_EQ(e.index, 1);
  }
}

TEST_F(Classic, PoliciesKeepTheirValues) {
  CORBA::Policy_var policy = root->create_lifespan_policy(PortableServer::PERSISTENT);
  EXPECT_EQ(policy->policy_type(), 17u);
  CORBA::Policy_var copy = policy->copy();
  PortableServer::LifespanPolicy_var lifespan = PortableServer::LifespanPolicy::_narrow(copy.in());
  ASSERT_TRUE(lifespan.in());
  EXPECT_EQ(lifespan->value(), PortableServer::PERSISTENT);
  EXPECT_FALSE(PortableServer::ThreadPolicy::_narrow(copy.in()));
}

TEST_F(Classic, ManagersRaiseWhenInactive) {
  PortableServer::POA_var child = root->create_POA("own", nullptr, {});
  PortableServer::POAManager_var manager = child->the_POAManager();
  EXPECT_EQ(manager->get_state(), PortableServer::POAManager::HOLDING);
  manager->activate();
  EXPECT_EQ(manager->get_state(), PortableServer::POAManager::ACTIVE);
  manager->deactivate(false, true);
  EXPECT_THROW(manager->activate(), PortableServer::POAManager::AdapterInactive);
  EXPECT_EQ(manager->get_state(), PortableServer::POAManager::INACTIVE);
}

TEST_F(Classic, PlainKeysAreReachedByCorbaloc) {
  CORBA::Object_var object = orb->resolve_initial_references("omniINSPOA");
  PortableServer::POA_var plain = PortableServer::POA::_narrow(object.in());
  PortableServer::POAManager_var manager = plain->the_POAManager();
  manager->activate();
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("Echo");
  plain->activate_object_with_id(id.in(), servant);
  CORBA::Object_var reference = plain->id_to_reference(id.in());
  Echo_var echo = Echo::_narrow(reference.in());
  CORBA::String_var result = echo->echo("plain");
  EXPECT_STREQ(result.in(), "plain");
}

TEST(ObjectIds, AreTextWhereTheyHaveNoZeroOctet) {
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("text");
  EXPECT_EQ(id->length(), 4u);
  CORBA::String_var text = PortableServer::ObjectId_to_string(id.in());
  EXPECT_STREQ(text.in(), "text");
  id[2u] = 0;
  EXPECT_THROW(PortableServer::ObjectId_to_string(id.in()), CORBA::BAD_PARAM);
}

}  // namespace
