// The classic C++ mapping of servant managers, adapter activators and POAManagers.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/unit/poa/classic_support.h"

namespace {

using namespace classic;
using Notes = std::vector<std::string>;

std::string text(const PortableServer::ObjectId& id) {
  CORBA::String_var string = PortableServer::ObjectId_to_string(id);
  return string.in();
}

struct Activator : virtual PortableServer::ServantActivator, virtual CORBA::LocalObject {
  PortableServer::Servant incarnate(const PortableServer::ObjectId& oid,
                                    PortableServer::POA_ptr poa) override {
    CORBA::String_var name = poa->the_name();
    notes.push_back("incarnate " + text(oid) + " in " + name.in());
    return making();
  }
  void etherealize(const PortableServer::ObjectId& oid, PortableServer::POA_ptr,
                   PortableServer::Servant servant, CORBA::Boolean cleanup,
                   CORBA::Boolean remaining) override {
    notes.push_back("etherealize " + text(oid) + (cleanup ? ", at the end" : "") +
                    (remaining ? ", others remain" : ""));
    servant->_remove_ref();
    throw std::runtime_error("there is nobody to tell");
  }
  std::function<PortableServer::Servant()> making = [] { return new EchoServant; };
  Notes notes;
};

struct Locator : virtual PortableServer::ServantLocator, virtual CORBA::LocalObject {
  PortableServer::Servant preinvoke(const PortableServer::ObjectId& oid, PortableServer::POA_ptr,
                                    const char* operation, Cookie& cookie) override {
    notes.push_back("preinvoke " + text(oid) + "." + operation);
    cookie = &notes;
    return making();
  }
  void postinvoke(const PortableServer::ObjectId& oid, PortableServer::POA_ptr, const char* operation,
                  Cookie cookie, PortableServer::Servant servant) override {
    EXPECT_EQ(cookie, &notes);
    notes.push_back("postinvoke " + text(oid) + "." + operation);
    servant->_remove_ref();
    if (ending) ending();
  }
  std::function<PortableServer::Servant()> making = [] { return new EchoServant; };
  std::function<void()> ending;
  Notes notes;
};

struct ClassicManagers : Classic {
  PortableServer::POA_var with_manager(const char* name, bool retain) {
    CORBA::PolicyList policies(4);
    policies.length(4);
    policies[0] = root->create_id_assignment_policy(PortableServer::USER_ID);
    policies[1] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
    policies[2] =
        root->create_servant_retention_policy(retain ? PortableServer::RETAIN : PortableServer::NON_RETAIN);
    policies[3] = root->create_lifespan_policy(PortableServer::PERSISTENT);
    return make(name, policies);
  }
  Echo_var reference(PortableServer::POA_ptr poa, const char* id) {
    PortableServer::ObjectId_var oid = PortableServer::string_to_ObjectId(id);
    CORBA::Object_var object = poa->create_reference_with_id(oid.in(), Echo::_corbel_id);
    return Echo::_narrow(object.in());
  }
  static std::string call(const Echo_var& echo, const char* word) {
    CORBA::String_var result = echo->echo(word);
    return result.in();
  }
};

TEST_F(ClassicManagers, AnActivatorMakesServantsAndEndsThem) {
  PortableServer::POA_var poa = with_manager("a", true);
  corbel::cpp::ObjectVar<Activator> activator = new Activator;
  poa->set_servant_manager(activator.in());
  PortableServer::ServantManager_var found = poa->get_servant_manager();
  EXPECT_TRUE(found->_is_equivalent(activator.in()));
  Echo_var echo = reference(poa, "x");
  EXPECT_EQ(call(echo, "hello"), "hello");
  EXPECT_EQ(call(echo, "again"), "again");
  poa->destroy(true, true);
  EXPECT_EQ(activator->notes, (Notes{"incarnate x in a", "etherealize x, at the end"}));
}

TEST_F(ClassicManagers, ALocatorServesOneRequestAtATime) {
  PortableServer::POA_var poa = with_manager("a", false);
  corbel::cpp::ObjectVar<Locator> locator = new Locator;
  poa->set_servant_manager(locator.in());
  Echo_var echo = reference(poa, "x");
  EXPECT_EQ(call(echo, "hello"), "hello");
  EXPECT_FALSE(echo->_non_existent());
  EXPECT_EQ(locator->notes, (Notes{"preinvoke x.echo", "postinvoke x.echo", "preinvoke x._non_existent",
                                   "postinvoke x._non_existent"}));
  locator->ending = [] { throw CORBA::NO_RESOURCES(9, CORBA::COMPLETED_YES); };
  EXPECT_EQ(thrown<CORBA::NO_RESOURCES>(echo, "hello").minor(), 9u);
}

TEST_F(ClassicManagers, ForwardRequestSendsTheCallerOn) {
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  Echo_var elsewhere = servant->_this();
  for (const bool retain : {true, false}) {
    PortableServer::POA_var poa = with_manager(retain ? "activator" : "locator", retain);
    const auto forward = [&]() -> PortableServer::Servant {
      throw PortableServer::ForwardRequest(elsewhere.in());
    };
    corbel::cpp::ObjectVar<Activator> activator = new Activator;
    corbel::cpp::ObjectVar<Locator> locator = new Locator;
    activator->making = locator->making = forward;
    if (retain) poa->set_servant_manager(activator.in());
    else poa->set_servant_manager(locator.in());
    EXPECT_EQ(call(reference(poa, "x"), "hello"), "hello");
  }
}

TEST_F(ClassicManagers, WhateverTheyThrowBecomesASystemException) {
  PortableServer::POA_var poa = with_manager("a", true);
  corbel::cpp::ObjectVar<Activator> activator = new Activator;
  poa->set_servant_manager(activator.in());
  Echo_var echo = reference(poa, "x");
  activator->making = []() -> PortableServer::Servant { throw CORBA::NO_PERMISSION(3, CORBA::COMPLETED_NO); };
  EXPECT_EQ(thrown<CORBA::NO_PERMISSION>(echo, "hello").minor(), 3u);
  activator->making = []() -> PortableServer::Servant { throw Undeclared(); };
  EXPECT_EQ(thrown<CORBA::UNKNOWN>(echo, "hello").minor(), 0x4f4d0001u);
  activator->making = []() -> PortableServer::Servant { throw std::runtime_error("x"); };
  EXPECT_EQ(thrown<CORBA::UNKNOWN>(echo, "hello").minor(), 0u);
  activator->making = []() -> PortableServer::Servant { throw std::bad_alloc(); };
  (void)thrown<CORBA::NO_MEMORY>(echo, "hello");
  activator->making = []() -> PortableServer::Servant { throw PortableServer::ForwardRequest(); };
  (void)thrown<CORBA::OBJ_ADAPTER>(echo, "hello");
  activator->making = []() -> PortableServer::Servant { return nullptr; };
  EXPECT_EQ(thrown<CORBA::OBJ_ADAPTER>(echo, "hello").minor(), 0x4f4d0007u);
  activator->making = [] { return new EchoServant; };
  EXPECT_EQ(call(echo, "hello"), "hello");
}

TEST_F(ClassicManagers, AreRefusedWhereTheyDoNotBelong) {
  PortableServer::POA_var retain = with_manager("retain", true), none = with_manager("none", false);
  corbel::cpp::ObjectVar<Activator> activator = new Activator;
  corbel::cpp::ObjectVar<Locator> locator = new Locator;
  EXPECT_THROW(root->set_servant_manager(activator.in()), PortableServer::POA::WrongPolicy);
  EXPECT_THROW(root->get_servant_manager(), PortableServer::POA::WrongPolicy);
  EXPECT_THROW(retain->set_servant_manager(nullptr), CORBA::BAD_PARAM);
  EXPECT_THROW(retain->set_servant_manager(locator.in()), CORBA::OBJ_ADAPTER);
  EXPECT_THROW(none->set_servant_manager(activator.in()), CORBA::OBJ_ADAPTER);
  PortableServer::ServantManager_var found = retain->get_servant_manager();
  EXPECT_FALSE(found.in());
  retain->set_servant_manager(activator.in());
  try {
    retain->set_servant_manager(activator.in());
    ADD_FAILURE() << "set twice";
  } catch (const CORBA::BAD_INV_ORDER& e) {
    EXPECT_EQ(e.minor(), 0x4f4d0006u);
  }
}

struct Maker : virtual PortableServer::AdapterActivator, virtual CORBA::LocalObject {
  CORBA::Boolean unknown_adapter(PortableServer::POA_ptr parent, const char* name) override {
    names.push_back(name);
    if (making) making();
    if (names.back() == "none") return false;
    PortableServer::POAManager_var manager = parent->the_POAManager();
    PortableServer::POA_var child = parent->create_POA(name, manager.in(), {});
    child->the_activator(this);
    return true;
  }
  std::function<void()> making;
  Notes names;
};

TEST_F(ClassicManagers, FindPoaMakesAdaptersByTheirActivator) {
  corbel::cpp::ObjectVar<Maker> maker = new Maker;
  PortableServer::AdapterActivator_var none = root->the_activator();
  EXPECT_FALSE(none.in());
  EXPECT_THROW(root->find_POA("a", true), PortableServer::POA::AdapterNonExistent);
  root->the_activator(maker.in());
  PortableServer::AdapterActivator_var found = root->the_activator();
  EXPECT_TRUE(found->_is_equivalent(maker.in()));
  EXPECT_THROW(root->find_POA("a", false), PortableServer::POA::AdapterNonExistent);
  PortableServer::POA_var a = root->find_POA("a", true), b = a->find_POA("b", true);
  CORBA::String_var name = b->the_name();
  EXPECT_STREQ(name.in(), "b");
  EXPECT_THROW(root->find_POA("none", true), PortableServer::POA::AdapterNonExistent);
  maker->making = [] { throw std::runtime_error("x"); };
  try {
    PortableServer::POA_var never = root->find_POA("c", true);
    ADD_FAILURE() << "found";
  } catch (const CORBA::OBJ_ADAPTER& e) {
    EXPECT_EQ(e.minor(), 0x4f4d0001u);
  }
  EXPECT_EQ(maker->names, (Notes{"a", "b", "none", "c"}));
  root->the_activator(nullptr);
  EXPECT_THROW(root->find_POA("d", true), PortableServer::POA::AdapterNonExistent);
}

TEST_F(ClassicManagers, TheFactoryKnowsAllByTheirIds) {
  PortableServer::POAManagerFactory_var factory = root->the_POAManagerFactory();
  PortableServer::POAManager_var mine = factory->create_POAManager("mine", {});
  CORBA::String_var id = mine->get_id();
  EXPECT_STREQ(id.in(), "mine");
  EXPECT_EQ(mine->get_state(), PortableServer::POAManager::HOLDING);
  EXPECT_THROW(factory->create_POAManager("mine", {}),
               PortableServer::POAManagerFactory::ManagerAlreadyExists);
  PortableServer::POAManager_var found = factory->find("mine");
  EXPECT_TRUE(found->_is_equivalent(mine.in()));
  found = factory->find("RootPOAManager");
  PortableServer::POAManager_var of_root = root->the_POAManager();
  EXPECT_TRUE(found->_is_equivalent(of_root.in()));
  found = factory->find("none");
  EXPECT_FALSE(found.in());
  PortableServer::POAManagerFactory::POAManagerSeq_var all = factory->list();
  bool listed = false;
  for (CORBA::ULong i = 0; i < all->length(); ++i) listed |= all[i]->_is_equivalent(mine.in());
  EXPECT_TRUE(listed);
  CORBA::PolicyList policies(1);
  policies.length(1);
  policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  EXPECT_THROW(factory->create_POAManager("other", policies), CORBA::PolicyError);
}

// Destroys, deactivates and calls back while it serves, in a single-threaded adapter.
TEST_F(ClassicManagers, AServantMayEndItsOwnAdapterAndCallItself) {
  CORBA::PolicyList policies(1);
  policies.length(1);
  policies[0] = root->create_thread_policy(PortableServer::SINGLE_THREAD_MODEL);
  static PortableServer::POA_var poa;
  static Echo_var echo;
  static int depth;
  poa = make("single", policies);
  depth = 0;
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var object = poa->id_to_reference(id.in());
  echo = Echo::_narrow(object.in());
  servant->during = [] {
    if (++depth == 2) return;
    CORBA::String_var nested = echo->echo("nested");
    EXPECT_STREQ(nested.in(), "nested");
    try {
      poa->destroy(true, true);
      ADD_FAILURE() << "it would wait for itself";
    } catch (const CORBA::BAD_INV_ORDER& e) {
      EXPECT_EQ(e.minor(), 0x4f4d0003u);
    }
    poa->destroy(true, false);
    EXPECT_THROW(echo->echo("destroyed"), CORBA::OBJECT_NOT_EXIST);
  };
  EXPECT_EQ(call(echo, "hello"), "hello");
  EXPECT_EQ(depth, 2);
  poa = nullptr;
  echo = nullptr;
}

}  // namespace
