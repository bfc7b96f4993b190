// The Dynamic Skeleton Interface: servants that know at run time only what is called, behind every kind of
// adapter.
#include <corbel/dynamic.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "any.any.h"
#include "any.stub.h"
#include "contract.any.h"
#include "tests/calls/everything.h"
#include "tests/dynamic/outcomes.h"

namespace {

constexpr const char* kEverything = "IDL:Contract/Everything:1.0";

// Does what the test says for each operation.
class Scripted : public PortableServer::DynamicImplementation {
 public:
  typedef std::function<void(CORBA::ServerRequest&)> Body;
  explicit Scripted(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  void invoke(CORBA::ServerRequest_ptr request) override {
    const auto body = operations.find(request->operation());
    if (body == operations.end()) throw CORBA::BAD_OPERATION(0x4f4d0002, CORBA::COMPLETED_NO);
    body->second(*request);
  }
  char* _primary_interface(const PortableServer::ObjectId& id, PortableServer::POA_ptr poa) override {
    CORBA::String_var name = poa->the_name();
    asked = std::string(name.in()) + "/" +
            std::string(reinterpret_cast<const char*>(id.get_buffer()), id.length());
    return CORBA::string_dup(kEverything);
  }
  // A list of parameters, which the request takes over.
  CORBA::NVList_ptr list() {
    CORBA::NVList_ptr made;
    orb_->create_list(0, made);
    return made;
  }
  static CORBA::Any& add(CORBA::NVList_ptr list, CORBA::TypeCode_ptr type, CORBA::Flags flags) {
    CORBA::Any& value = *list->add(flags)->value();
    value.replace(type, nullptr);
    return value;
  }
  // An operation that gives its first argument, and the second in the third's place.
  void gives(const char* operation, CORBA::TypeCode_ptr type) {
    operations[operation] = [this, type](CORBA::ServerRequest& r) {
      CORBA::NVList_ptr parameters = list();
      CORBA::Any& a = add(parameters, type, CORBA::ARG_IN);
      CORBA::Any& b = add(parameters, type, CORBA::ARG_INOUT);
      CORBA::Any& c = add(parameters, type, CORBA::ARG_OUT);
      r.arguments(parameters);
      c = b;
      b = a;
      r.set_result(a);
    };
  }

  std::map<std::string, Body> operations;
  std::string asked;

 private:
  CORBA::ORB_var orb_;
};

class Dynamic : public testing::TestWithParam<const char*> {
 protected:
  TwoOrbs orbs{"pool", GetParam()};
  PortableServer::Servant_var<Scripted> servant = new Scripted(orbs.server);
  Contract::Everything_var it = [this] {
    PortableServer::ObjectId_var id = orbs.poa->activate_object(servant);
    CORBA::Object_var local = orbs.poa->id_to_reference(id.in());
    return seen(local);
  }();
  Contract::Everything_ptr seen(CORBA::Object_ptr local) {
    CORBA::String_var text = orbs.server->object_to_string(local);
    CORBA::Object_var object = orbs.client->string_to_object(text);
    return Contract::Everything::_unchecked_narrow(object);
  }
};
INSTANTIATE_TEST_SUITE_P(Giop, Dynamic, testing::Values("1.0", "1.1", "1.2"),
                         [](const auto& i) { return std::string("v1_") + i.param[2]; });

TEST_P(Dynamic, ServesEveryPassingMode) {
  servant->gives("text", CORBA::_tc_string);
  servant->gives("give_octets", Contract::_tc_Octets);
  servant->gives("give_person", Contract::_tc_Person);
  servant->gives("give_points", Contract::_tc_Points);
  CORBA::String_var b = CORBA::string_dup("b"), c;
  CORBA::String_var r = it->text("a", b.inout(), c.out());
  EXPECT_STREQ(r, "a");
  EXPECT_STREQ(b, "a");
  EXPECT_STREQ(c, "b");
  Contract::Octets many, few;
  many.length(500'000);
  many[499'999] = 9;
  Contract::Octets_var out, result;
  result = it->give_octets(many, few, out);
  EXPECT_EQ(result->length(), 500'000u);
  EXPECT_EQ(few[499'999], 9);
  EXPECT_EQ(out->length(), 0u);
  Contract::Person ada, none;
  ada.name = "Ada";
  Contract::Person_var person_out, person;
  person = it->give_person(ada, none, person_out);
  EXPECT_STREQ(person->name, "Ada");
  Contract::Points points, no_points;
  points.length(3000);
  points[2999].z = 1.5;
  Contract::Points_var points_out, points_result;
  points_result = it->give_points(points, no_points, points_out);
  EXPECT_EQ(points_result.in()[2999].z, 1.5);
}

TEST_P(Dynamic, ServesVoidAttributesAndOneWays) {
  CORBA::Long noted = 0;
  servant->operations["ping"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr none = servant->list();
    r.arguments(none);
  };
  servant->operations["_get_count"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr none = servant->list();
    r.arguments(none);
    CORBA::Any seven;
    seven <<= CORBA::Long{7};
    r.set_result(seven);
  };
  servant->operations["note"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr parameters = servant->list();
    CORBA::Any& n = Scripted::add(parameters, CORBA::_tc_long, CORBA::ARG_IN);
    r.arguments(parameters);
    noted = value_of<CORBA::Long>(n);
  };
  it->ping();
  EXPECT_EQ(it->count(), 7);
  it->note(12);
  it->ping();
  EXPECT_EQ(noted, 12);
}

TEST_P(Dynamic, ServesRequestsWithoutStubs) {
  servant->gives("give_value", Contract::_tc_Value);
  CORBA::Request_var r = it->_request("give_value");
  Contract::Value number, text;
  number.number(5);
  text.text("five");
  r->add_in_arg() <<= number;
  r->add_inout_arg() <<= text;
  r->add_out_arg().replace(Contract::_tc_Value, nullptr);
  r->set_return_type(Contract::_tc_Value);
  for (int i = 0; i < 3; ++i) {
    *r->arguments()->item(1)->value() <<= text;
    r->invoke();
    ASSERT_FALSE(r->env()->exception());
    const Contract::Value* found;
    ASSERT_TRUE(*r->arguments()->item(2)->value() >>= found);
    EXPECT_STREQ(found->text(), "five");
  }
}

TEST_P(Dynamic, AnswersWhatEveryObjectIsAsked) {
  EXPECT_TRUE(it->_is_a(kEverything));
  EXPECT_TRUE(it->_is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_FALSE(it->_is_a("IDL:Contract/Other:1.0"));
  EXPECT_FALSE(it->_non_existent());
  CORBA::String_var id = it->_repository_id();
  EXPECT_STREQ(id, kEverything);
  EXPECT_EQ(thrown([&] { it->ping(); }), "BAD_OPERATION/4f4d0002/1");
}

TEST_P(Dynamic, RaisesWhatItIsTold) {
  std::function<void(CORBA::Any&)> make;
  servant->operations["refuse"] = [&](CORBA::ServerRequest& r) {
    CORBA::Any exception;
    make(exception);
    r.set_exception(exception);
  };
  make = [](CORBA::Any& a) { a <<= Contract::Refused("because", 7); };
  try {
    it->refuse(1);
    FAIL();
  } catch (const Contract::Refused& e) {
    EXPECT_STREQ(e.why, "because");
    EXPECT_EQ(e.code, 7);
  }
  make = [](CORBA::Any& a) { a <<= Contract::Empty(); };
  EXPECT_THROW(it->refuse(1), Contract::Empty);
  make = [](CORBA::Any& a) { a <<= CORBA::NO_PERMISSION(5, CORBA::COMPLETED_YES); };
  EXPECT_EQ(thrown([&] { it->refuse(1); }), "NO_PERMISSION/5/0");
  make = [](CORBA::Any& a) { a <<= CORBA::Long{1}; };
  EXPECT_EQ(thrown([&] { it->refuse(1); }), "BAD_PARAM/4f4d0015/1");
  servant->operations["refuse"] = [&](CORBA::ServerRequest&) {
    throw CORBA::NO_RESOURCES(3, CORBA::COMPLETED_MAYBE);
  };
  EXPECT_EQ(thrown([&] { it->refuse(1); }), "NO_RESOURCES/3/2");
  servant->operations["refuse"] = [&](CORBA::ServerRequest&) { throw 1; };
  EXPECT_EQ(thrown([&] { it->refuse(1); }), "UNKNOWN/0/2");
}

TEST_P(Dynamic, PassesOnExceptionsThatArrivedInAnAny) {
  CORBA::Request_var inner = orbs.everything->_request("refuse");
  inner->add_in_arg() <<= CORBA::Long{9};
  inner->exceptions()->add(Contract::_tc_Refused);
  servant->operations["refuse"] = [&](CORBA::ServerRequest& r) {
    inner->invoke();
    r.set_exception(CORBA::UnknownUserException::_downcast(inner->env()->exception())->exception());
  };
  try {
    it->refuse(1);
    FAIL();
  } catch (const Contract::Refused& e) {
    EXPECT_STREQ(e.why, "because");
    EXPECT_EQ(e.code, 9);
  }
}

TEST_P(Dynamic, ExceptionsTakeThePlaceOfResults) {
  servant->operations["plus"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr parameters = servant->list();
    CORBA::Any& n = Scripted::add(parameters, CORBA::_tc_long, CORBA::ARG_IN);
    r.arguments(parameters);
    r.set_result(n);
    CORBA::Any exception;
    exception <<= CORBA::NO_PERMISSION(1, CORBA::COMPLETED_YES);
    r.set_exception(exception);
  };
  EXPECT_EQ(thrown([&] { it->plus(1); }), "NO_PERMISSION/1/0");
}

TEST_P(Dynamic, ExceptionsTakeThePlaceOfResultsThatLeaveInFragments) {
  servant->operations["_get_label"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr none = servant->list();
    r.arguments(none);
    CORBA::Any label, exception;
    label <<= std::string(1'000'000, 'x').c_str();
    r.set_result(label);
    exception <<= CORBA::NO_PERMISSION(1, CORBA::COMPLETED_YES);
    r.set_exception(exception);
  };
  EXPECT_EQ(thrown([&] { CORBA::String_var label = it->label(); }), "NO_PERMISSION/1/0");
}

TEST_P(Dynamic, RefusesArgumentsOfOtherTypes) {
  servant->operations["plus"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr parameters = servant->list();
    Scripted::add(parameters, Contract::_tc_People, CORBA::ARG_IN);
    r.arguments(parameters);
  };
  EXPECT_EQ(thrown([&] { it->plus(1'000'000'000); }), "MARSHAL/0/1");
  servant->operations["plus"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr parameters = servant->list();
    parameters->add(CORBA::ARG_IN);
    r.arguments(parameters);
  };
  EXPECT_EQ(thrown([&] { it->plus(1); }), "BAD_PARAM/0/1");
}

TEST_P(Dynamic, RefusesArgumentsThatAreMoreThanItsListSays) {
  servant->operations["plus"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr parameters = servant->list();
    Scripted::add(parameters, CORBA::_tc_short, CORBA::ARG_IN);
    r.arguments(parameters);
  };
  EXPECT_EQ(thrown([&] { it->plus(70000); }), "MARSHAL/4f4d0003/1");
}

// It is a reply without results, which only the caller knows to be wrong.
TEST_P(Dynamic, WithoutAResultTheReplyIsEmpty) {
  servant->operations["plus"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr parameters = servant->list();
    Scripted::add(parameters, CORBA::_tc_long, CORBA::ARG_IN);
    r.arguments(parameters);
  };
  EXPECT_EQ(thrown([&] { it->plus(1); }), "MARSHAL/0/0");
  CORBA::Request_var r = it->_request("plus");
  r->add_in_arg() <<= CORBA::Long{1};
  r->invoke();
  EXPECT_FALSE(r->env()->exception());
}

TEST_P(Dynamic, OutParametersWithoutAValueAreRefused) {
  bool fills = false;
  servant->operations["text"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr parameters = servant->list();
    const CORBA::Any& a = Scripted::add(parameters, CORBA::_tc_string, CORBA::ARG_IN);
    Scripted::add(parameters, CORBA::_tc_string, CORBA::ARG_INOUT);
    CORBA::Any& c = Scripted::add(parameters, CORBA::_tc_string, CORBA::ARG_OUT);
    r.arguments(parameters);
    if (fills) c <<= "c";
    r.set_result(a);
  };
  CORBA::String_var b = CORBA::string_dup("b"), c, result;
  EXPECT_EQ(thrown([&] { result = it->text("a", b.inout(), c.out()); }).substr(0, 10), "BAD_PARAM/");
  fills = true;
  result = it->text("a", b.inout(), c.out());
  EXPECT_STREQ(c, "c");
}

TEST_P(Dynamic, CallsOutOfTurnAreRefused) {
  std::string first, second;
  const auto as_called = [&](Scripted::Body body) { servant->operations["ping"] = std::move(body); };
  CORBA::Any some, exception;
  some <<= CORBA::Long{1};
  exception <<= CORBA::NO_PERMISSION(1, CORBA::COMPLETED_YES);
  as_called([&](CORBA::ServerRequest& r) {
    first = thrown([&] { r.set_result(some); });
    second = thrown([&] { r.ctx(); });
  });
  EXPECT_EQ(thrown([&] { it->ping(); }), "BAD_INV_ORDER/4f4d0007/1");
  EXPECT_EQ(first, "BAD_INV_ORDER/4f4d0009/1");
  EXPECT_EQ(second, "BAD_INV_ORDER/4f4d0008/1");
  as_called([&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr nil = nullptr;
    first = thrown([&] { r.arguments(nil); });
    CORBA::NVList_ptr none = servant->list();
    r.arguments(none);
    CORBA::NVList_var again = servant->list();
    second = thrown([&] { r.arguments(again); });
  });
  it->ping();
  EXPECT_EQ(first, "BAD_PARAM/0/1");
  EXPECT_EQ(second, "BAD_INV_ORDER/4f4d0007/1");
  as_called([&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr none = servant->list();
    r.arguments(none);
    r.set_result(some);
    first = thrown([&] { r.set_result(some); });
    second = thrown([&] { r.ctx(); });
  });
  it->ping();
  EXPECT_EQ(first, "BAD_INV_ORDER/4f4d0009/1");
  EXPECT_EQ(second, "BAD_INV_ORDER/4f4d0008/1");
  as_called([&](CORBA::ServerRequest& r) {
    r.set_exception(exception);
    CORBA::NVList_var none = servant->list();
    first = thrown([&] { r.arguments(none); });
    second = thrown([&] { r.set_result(some); });
  });
  EXPECT_EQ(thrown([&] { it->ping(); }), "NO_PERMISSION/1/0");
  EXPECT_EQ(first, "BAD_INV_ORDER/4f4d0007/1");
  EXPECT_EQ(second, "BAD_INV_ORDER/4f4d0009/1");
}

TEST_P(Dynamic, ThisIsTheRequestsTarget) {
  EXPECT_EQ(thrown([&] { servant->_this(); }), "WrongPolicy");
  CORBA::Object_var self;
  servant->operations["ping"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr none = servant->list();
    r.arguments(none);
    self = servant->_this();
  };
  it->ping();
  EXPECT_TRUE(self->_is_equivalent(it));
}

TEST_P(Dynamic, ReferencesToOtherObjectsHaveTheirInterface) {
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = orbs.poa->create_id_uniqueness_policy(PortableServer::MULTIPLE_ID);
  PortableServer::POAManager_var manager = orbs.poa->the_POAManager();
  PortableServer::POA_var poa = orbs.poa->create_POA("several", manager, policies);
  PortableServer::ObjectId_var one = poa->activate_object(servant), other = poa->activate_object(servant);
  servant->operations["ping"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr none = servant->list();
    r.arguments(none);
    servant->asked.clear();
    CORBA::Object_var reference = poa->id_to_reference(other.in());
  };
  CORBA::Object_var local = poa->id_to_reference(one.in());
  Contract::Everything_var object = seen(local);
  object->ping();
  EXPECT_EQ(servant->asked,
            "several/" + std::string(reinterpret_cast<const char*>(other->get_buffer()), other->length()));
}

TEST_P(Dynamic, ContextsArrive) {
  std::string user;
  servant->operations["surroundings"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr parameters = servant->list();
    CORBA::Any& name = Scripted::add(parameters, CORBA::_tc_string, CORBA::ARG_IN);
    r.arguments(parameters);
    CORBA::Context_ptr const context = r.ctx();
    r.set_result(name);
    if (CORBA::is_nil(context)) {
      user = "nil";
      return;
    }
    try {
      CORBA::NVList_var values;
      context->get_values(nullptr, 0, "user", values.out());
      user = value_of<const char*>(*values->item(0)->value());
    } catch (const CORBA::BAD_CONTEXT&) {
      user = "not there";
    }
  };
  CORBA::Context_var context;
  orbs.client->get_default_context(context);
  CORBA::Any ada;
  ada <<= "ada";
  context->set_one_value("user", ada);
  CORBA::Request_var r = it->_request("surroundings");
  r->add_in_arg() <<= "name";
  r->set_return_type(CORBA::_tc_string);
  r->invoke();  // without its context clause
  ASSERT_FALSE(r->env()->exception());
  EXPECT_EQ(user, "nil");
  r->contexts()->add("user");
  r->invoke();  // without a context, which its clause is about
  ASSERT_FALSE(r->env()->exception());
  EXPECT_EQ(user, "not there");
  r->ctx(context);
  r->invoke();
  ASSERT_FALSE(r->env()->exception());
  EXPECT_EQ(user, "ada");
  EXPECT_STREQ(value_of<const char*>(r->return_value()), "name");
}

// ---- adapters of every kind

CORBA::PolicyList policies(PortableServer::POA_ptr root,
                           PortableServer::ServantRetentionPolicyValue retention,
                           PortableServer::RequestProcessingPolicyValue processing) {
  CORBA::PolicyList list;
  list.length(4);
  list[0] = root->create_servant_retention_policy(retention);
  list[1] = root->create_request_processing_policy(processing);
  list[2] = root->create_id_assignment_policy(PortableServer::USER_ID);
  list[3] = root->create_id_uniqueness_policy(PortableServer::MULTIPLE_ID);
  return list;
}

class Activator : public PortableServer::ServantActivator {
 public:
  explicit Activator(PortableServer::Servant servant) : servant_(servant) {}
  PortableServer::Servant incarnate(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    servant_->_add_ref();
    return servant_;
  }
  void etherealize(const PortableServer::ObjectId&, PortableServer::POA_ptr, PortableServer::Servant servant,
                   CORBA::Boolean, CORBA::Boolean) override {
    servant->_remove_ref();
  }

 private:
  PortableServer::Servant servant_;
};

class Locator : public PortableServer::ServantLocator {
 public:
  explicit Locator(PortableServer::Servant servant) : servant_(servant) {}
  PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                    PortableServer::ServantLocator::Cookie&) override {
    return servant_;
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                  PortableServer::ServantLocator::Cookie, PortableServer::Servant) override {}

 private:
  PortableServer::Servant servant_;
};

TEST_P(Dynamic, ServesUnderEveryRequestProcessingPolicy) {
  std::string self;
  servant->operations["ping"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr none = servant->list();
    r.arguments(none);
    CORBA::Object_var object = servant->_this();
    CORBA::String_var id = object->_repository_id();
    self = id.in();
  };
  PortableServer::POAManager_var manager = orbs.poa->the_POAManager();
  struct Case {
    const char* name;
    PortableServer::ServantRetentionPolicyValue retention;
    PortableServer::RequestProcessingPolicyValue processing;
  };
  for (const Case& c : {Case{"map", PortableServer::RETAIN, PortableServer::USE_ACTIVE_OBJECT_MAP_ONLY},
                        Case{"default", PortableServer::RETAIN, PortableServer::USE_DEFAULT_SERVANT},
                        Case{"default_only", PortableServer::NON_RETAIN, PortableServer::USE_DEFAULT_SERVANT},
                        Case{"activator", PortableServer::RETAIN, PortableServer::USE_SERVANT_MANAGER},
                        Case{"locator", PortableServer::NON_RETAIN, PortableServer::USE_SERVANT_MANAGER}}) {
    PortableServer::POA_var poa =
        orbs.poa->create_POA(c.name, manager, policies(orbs.poa, c.retention, c.processing));
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("one");
    PortableServer::ServantManager_var keeper;
    if (c.processing == PortableServer::USE_ACTIVE_OBJECT_MAP_ONLY) {
      poa->activate_object_with_id(id, servant);
    } else if (c.processing == PortableServer::USE_DEFAULT_SERVANT) {
      poa->set_servant(servant);
    } else {
      if (c.retention == PortableServer::RETAIN) keeper = new Activator(servant);
      else keeper = new Locator(servant);
      poa->set_servant_manager(keeper);
    }
    CORBA::Object_var local = poa->create_reference_with_id(id, kEverything);
    Contract::Everything_var object = seen(local);
    self.clear();
    object->ping();
    EXPECT_EQ(self, kEverything) << c.name;
    EXPECT_TRUE(object->_is_a(kEverything)) << c.name;
    servant->asked.clear();
    Contract::Everything_var unknown = [&] {
      CORBA::Object_var without = poa->create_reference_with_id(id, "");
      return seen(without);
    }();
    CORBA::String_var asked = unknown->_repository_id();
    EXPECT_STREQ(asked, kEverything) << c.name;
    EXPECT_EQ(servant->asked, std::string(c.name) + "/one");
    object->ping();
    poa->destroy(true, true);
  }
}

// Sends everybody on to another object.
class Forwarder : public PortableServer::ServantLocator {
 public:
  explicit Forwarder(CORBA::Object_ptr to) : to_(CORBA::Object::_duplicate(to)) {}
  PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                    PortableServer::ServantLocator::Cookie&) override {
    ++asked;
    throw PortableServer::ForwardRequest(to_);
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                  PortableServer::ServantLocator::Cookie, PortableServer::Servant) override {}
  std::atomic<int> asked{0};

 private:
  CORBA::Object_var to_;
};

TEST_P(Dynamic, IsReachedByRequestsThatAreForwarded) {
  servant->gives("text", CORBA::_tc_string);
  PortableServer::POAManager_var manager = orbs.poa->the_POAManager();
  PortableServer::POA_var poa = orbs.poa->create_POA(
      "forwards", manager,
      policies(orbs.poa, PortableServer::NON_RETAIN, PortableServer::USE_SERVANT_MANAGER));
  PortableServer::ObjectId_var own = orbs.poa->servant_to_id(servant);
  CORBA::Object_var target = orbs.poa->id_to_reference(own.in());
  auto* const forwarder = new Forwarder(target);
  PortableServer::ServantManager_var manages = forwarder;
  poa->set_servant_manager(manages);
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("one");
  for (const bool deferred : {false, true}) {
    CORBA::Object_var local = poa->create_reference_with_id(id, kEverything);
    Contract::Everything_var object = seen(local);
    CORBA::Request_var r = object->_request("text");
    for (const char* const text : {"first", "second"}) {
      if (r->arguments()->count() == 0) {
        r->add_in_arg();
        r->add_inout_arg();
        r->add_out_arg().replace(CORBA::_tc_string, nullptr);
        r->set_return_type(CORBA::_tc_string);
      }
      *r->arguments()->item(0)->value() <<= text;
      *r->arguments()->item(1)->value() <<= "b";
      if (deferred) r->send_deferred(), r->get_response();
      else r->invoke();
      ASSERT_FALSE(r->env()->exception());
      EXPECT_STREQ(value_of<const char*>(r->return_value()), text);
      EXPECT_STREQ(value_of<const char*>(*r->arguments()->item(1)->value()), text);
      EXPECT_STREQ(value_of<const char*>(*r->arguments()->item(2)->value()), "b");
    }
  }
  EXPECT_GE(forwarder->asked, 1);
}

TEST_P(Dynamic, WhatAServantKeepsOutlivesTheRequest) {
  CORBA::Any copy;
  CORBA::NVList_var list;
  CORBA::NamedValue_var item;
  servant->operations["text"] = [&](CORBA::ServerRequest& r) {
    CORBA::NVList_ptr parameters = servant->list();
    const CORBA::Any& a = Scripted::add(parameters, CORBA::_tc_string, CORBA::ARG_IN);
    Scripted::add(parameters, CORBA::_tc_string, CORBA::ARG_INOUT);
    CORBA::Any& c = Scripted::add(parameters, CORBA::_tc_string, CORBA::ARG_OUT);
    r.arguments(parameters);
    c <<= "c";
    r.set_result(a);
    if (list.in()) return;
    copy = a;
    list = CORBA::NVList::_duplicate(parameters);
    item = CORBA::NamedValue::_duplicate(parameters->item(1));
  };
  for (const char* const text : {"first", "other"}) {
    CORBA::String_var b = CORBA::string_dup(text), c;
    CORBA::String_var result = it->text(text, b.inout(), c.out());
    EXPECT_STREQ(result, text);
    EXPECT_STREQ(b, text);
  }
  EXPECT_STREQ(value_of<const char*>(copy), "first");
  EXPECT_STREQ(value_of<const char*>(*list->item(0)->value()), "first");
  EXPECT_STREQ(value_of<const char*>(*list->item(2)->value()), "c");
  list = CORBA::NVList::_nil();
  EXPECT_STREQ(value_of<const char*>(*item->value()), "first");
}

// Large sequences are kept in their messages, whose headers are of every length here.
TEST_P(Dynamic, LargeArgumentsThatAreKeptOutliveTheirRequests) {
  std::vector<CORBA::Any> kept;
  for (const auto& [operation, type] :
       {std::pair{"give_octets", Contract::_tc_Octets}, std::pair{"give_longs", Contract::_tc_Longs},
        std::pair{"give_points", Contract::_tc_Points}})
    servant->operations[operation] = [&, type = type](CORBA::ServerRequest& r) {
      CORBA::NVList_ptr parameters = servant->list();
      const CORBA::Any& a = Scripted::add(parameters, type, CORBA::ARG_IN);
      CORBA::Any& b = Scripted::add(parameters, type, CORBA::ARG_INOUT);
      CORBA::Any& c = Scripted::add(parameters, type, CORBA::ARG_OUT);
      r.arguments(parameters);
      kept.push_back(a);
      r.set_result(a);
      c = b;
      b = a;
    };
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.get_buffer(), a.get_buffer() + a.length(), b.get_buffer(),
                      b.get_buffer() + b.length());
  };
  constexpr CORBA::ULong kCount = 8'000;
  constexpr int kObjects = 9;
  for (int i = 0; i < kObjects; ++i) {
    PortableServer::POAManager_var manager = orbs.poa->the_POAManager();
    PortableServer::POA_var poa =
        orbs.poa->create_POA(std::string(i + 1, 'x').c_str(), manager, CORBA::PolicyList());
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var local = poa->id_to_reference(id);
    Contract::Everything_var object = seen(local);
    Contract::Octets octets, no_octets;
    Contract::Longs longs, no_longs;
    Contract::Points points, no_points;
    octets.length(4 * kCount), longs.length(kCount), points.length(kCount);
    for (CORBA::ULong at = 0; at < kCount; ++at) {
      octets[4 * at] = static_cast<CORBA::Octet>(at + i);
      longs[at] = static_cast<CORBA::Long>(at) + i;
      points[at] = {static_cast<CORBA::Short>(at), 'p', i, 7, at + 0.5};
    }
    Contract::Octets_var octets_out, octets_result = object->give_octets(octets, no_octets, octets_out);
    EXPECT_TRUE(same(octets_result.in(), octets));
    EXPECT_TRUE(same(no_octets, octets));
    Contract::Longs_var longs_out, longs_result = object->give_longs(longs, no_longs, longs_out);
    EXPECT_TRUE(same(longs_result.in(), longs));
    EXPECT_TRUE(same(no_longs, longs));
    Contract::Points_var points_out, points_result = object->give_points(points, no_points, points_out);
    ASSERT_EQ(points_result->length(), kCount);
    ASSERT_EQ(no_points.length(), kCount);
    EXPECT_EQ(points_result.in()[0].x, 0);
    EXPECT_EQ(points_result.in()[0].o, 7);
    EXPECT_EQ(no_points[kCount - 1].z, kCount - 0.5);
  }
  ASSERT_EQ(kept.size(), 3u * kObjects);
  for (int i = 0; i < kObjects; ++i) {
    const auto& octets = *value_of<const Contract::Octets*>(kept[3 * i]);
    const auto& longs = *value_of<const Contract::Longs*>(kept[3 * i + 1]);
    const auto& points = *value_of<const Contract::Points*>(kept[3 * i + 2]);
    ASSERT_EQ(octets.length(), 4 * kCount);
    ASSERT_EQ(longs.length(), kCount);
    ASSERT_EQ(points.length(), kCount);
    for (CORBA::ULong at = 0; at < kCount; ++at) {
      ASSERT_EQ(octets[4 * at], static_cast<CORBA::Octet>(at + i));
      ASSERT_EQ(longs[at], static_cast<CORBA::Long>(at) + i);
      ASSERT_EQ(points[at].x, static_cast<CORBA::Short>(at));
      ASSERT_EQ(points[at].tag, 'p');
      ASSERT_EQ(points[at].y, i);
      ASSERT_EQ(points[at].o, 7);
      ASSERT_EQ(points[at].z, at + 0.5);
    }
    CORBA::Any again = kept[3 * i + 2];
    again <<= CORBA::Any::from_octet(1);
    EXPECT_EQ(value_of<const Contract::Points*>(kept[3 * i + 2])->length(), kCount);
  }
}

TEST(DynamicAtHome, ObjectsOfTheSameOrbAreCalled) {
  TwoOrbs orbs;
  PortableServer::Servant_var<Scripted> servant = new Scripted(orbs.server);
  servant->gives("text", CORBA::_tc_string);
  PortableServer::ObjectId_var id = orbs.poa->activate_object(servant);
  CORBA::Object_var object = orbs.poa->id_to_reference(id.in());
  Contract::Everything_var it = Contract::Everything::_narrow(object);
  ASSERT_TRUE(it.in());
  CORBA::String_var b = CORBA::string_dup("b"), c;
  CORBA::String_var r = it->text("a", b.inout(), c.out());
  EXPECT_STREQ(r, "a");
  EXPECT_STREQ(c, "b");
}

}  // namespace
