// The Dynamic Invocation Interface: requests, their arguments and results, how they end.
#include <corbel/dynamic.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "anything.any.h"
#include "contract.any.h"
#include "tests/calls/everything.h"
#include "tests/dynamic/outcomes.h"
#include "tests/dynamic/requests.h"

namespace {

INSTANTIATE_TEST_SUITE_P(Giop, Requests, testing::Values("1.0", "1.1", "1.2"),
                         [](const auto& i) { return std::string("v1_") + i.param[2]; });

TEST_P(Requests, PassNumbersOfEveryType) {
  CORBA::Request_var r = request("numbers");
  r->add_in_arg() <<= CORBA::Short{-1};
  r->add_in_arg() <<= CORBA::UShort{65535};
  r->add_in_arg() <<= CORBA::Long{-70000};
  r->add_in_arg() <<= CORBA::ULong{4000000000u};
  r->add_in_arg() <<= CORBA::LongLong{-5000000000ll};
  r->add_in_arg() <<= CORBA::ULongLong{6000000000ull};
  r->add_in_arg() <<= CORBA::Float{1.5f};
  r->add_in_arg() <<= CORBA::Double{2.25};
  r->add_in_arg() <<= CORBA::Any::from_octet(200);
  r->add_in_arg() <<= CORBA::Any::from_char('A');
  r->add_in_arg() <<= CORBA::Any::from_boolean(true);
  r->add_inout_arg("m") <<= CORBA::Long{41};
  r->add_out_arg("n").replace(CORBA::_tc_double, nullptr);
  r->set_return_type(CORBA::_tc_longlong);
  r->invoke();
  ASSERT_EQ(exception_of(r), "none");
  EXPECT_EQ(value_of<CORBA::LongLong>(r->return_value()),
            -1 + 65535 - 70000 + 4000000000ll - 5000000000ll + 6000000000ll + 200 + 'A' + 1);
  EXPECT_EQ(value_of<CORBA::Long>(*r->arguments()->item(11)->value()), 42);
  EXPECT_EQ(value_of<CORBA::Double>(*r->arguments()->item(12)->value()), 3.75);
  EXPECT_STREQ(r->arguments()->item(12)->name(), "n");
}

TEST_P(Requests, PassStrings) {
  CORBA::Request_var r = request("text");
  CORBA::Any& a = r->add_in_arg();
  CORBA::Any& b = r->add_inout_arg();
  CORBA::Any& c = r->add_out_arg();
  c.replace(CORBA::_tc_string, nullptr);
  r->set_return_type(CORBA::_tc_string);
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{3'000'000}}) {
    const std::string text(size, 'x');
    a <<= text.c_str();
    b <<= "b";
    r->invoke();
    ASSERT_EQ(exception_of(r), "none");
    EXPECT_EQ(value_of<const char*>(r->return_value()), text);
    EXPECT_EQ(value_of<const char*>(b), text);
    EXPECT_STREQ(value_of<const char*>(c), "b");
  }
}

// The operation gives its first argument as the result and the second's new value, and the second as the
// third.
template <typename T, typename Same>
void give(CORBA::Request_var r, CORBA::TypeCode_ptr type, const T& a, const T& b, Same same) {
  r->add_in_arg() <<= a;
  r->add_inout_arg() <<= b;
  r->add_out_arg().replace(type, nullptr);
  r->set_return_type(type);
  r->invoke();
  ASSERT_EQ(exception_of(r), "none");
  const T* found;
  ASSERT_TRUE(r->return_value() >>= found);
  EXPECT_TRUE(same(*found, a));
  ASSERT_TRUE(*r->arguments()->item(1)->value() >>= found);
  EXPECT_TRUE(same(*found, a));
  ASSERT_TRUE(*r->arguments()->item(2)->value() >>= found);
  EXPECT_TRUE(same(*found, b));
}

TEST_P(Requests, PassConstructedTypes) {
  Contract::Point p{3, 'p', 6, 9, 0.75}, q{8, 'q', 16, 9, 2};
  give(request("give_point"), Contract::_tc_Point, p, q,
       [](const auto& x, const auto& y) { return x.x == y.x && x.z == y.z; });
  Contract::Person ada, none;
  ada.name = "Ada", ada.age = 36;
  ada.nicknames.length(2);
  ada.nicknames[1] = "Countess of a county whose name is long";
  give(request("give_person"), Contract::_tc_Person, ada, none, [](const auto& x, const auto& y) {
    return std::string(x.name) == y.name.in() && x.nicknames.length() == y.nicknames.length();
  });
  Contract::Octets few, many;
  few.length(3);
  many.length(1'000'000);
  for (CORBA::ULong i = 0; i < many.length(); ++i) many[i] = static_cast<CORBA::Octet>(i);
  give(request("give_octets"), Contract::_tc_Octets, many, few, [](const auto& x, const auto& y) {
    return x.length() == y.length() && x[x.length() - 1] == y[y.length() - 1];
  });
  Contract::Points points, no_points;
  points.length(1000);
  for (CORBA::ULong i = 0; i < points.length(); ++i) points[i] = {static_cast<CORBA::Short>(i), 'x', 1, 2, 3};
  give(request("give_points"), Contract::_tc_Points, points, no_points, [](const auto& x, const auto& y) {
    return x.length() == y.length() && (x.length() == 0 || x[x.length() - 1].x == y[y.length() - 1].x);
  });
  Contract::Value number, text;
  number.number(5);
  text.text("five");
  give(request("give_value"), Contract::_tc_Value, number, text,
       [](const auto& x, const auto& y) { return x._d() == y._d(); });
}

TEST_P(Requests, PassReferences) {
  PortableServer::Servant_var<CallbackServant> servant = new CallbackServant;
  PortableServer::ObjectId_var id = orbs.client_poa->activate_object(servant);
  CORBA::Object_var object = orbs.client_poa->id_to_reference(id.in());
  Contract::Callback_var callback = Contract::Callback::_narrow(object);
  CORBA::Request_var r = request("reference");
  r->add_in_arg() <<= object.in();
  r->add_inout_arg() <<= Contract::Callback::_nil();
  r->add_out_arg().replace(Contract::_tc_Callback, nullptr);
  r->set_return_type(CORBA::_tc_Object);
  r->invoke();
  ASSERT_EQ(exception_of(r), "none");
  CORBA::Object_var result;
  ASSERT_TRUE(r->return_value() >>= CORBA::Any::to_object(result));
  EXPECT_TRUE(result->_is_equivalent(object));
  r = request("call_back");
  r->add_in_arg() <<= callback.in();
  r->add_in_arg() <<= CORBA::Long{4};
  r->set_return_type(CORBA::_tc_long);
  r->invoke();
  ASSERT_EQ(exception_of(r), "none");
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 9);
}

TEST_P(Requests, AreReusedWithNewValues) {
  CORBA::Request_var r = request("plus");
  CORBA::Any& argument = r->add_in_arg();
  r->set_return_type(CORBA::_tc_long);
  for (CORBA::Long n = 0; n < 1000; ++n) {
    argument <<= n;
    r->invoke();
    ASSERT_EQ(exception_of(r), "none");
    ASSERT_EQ(value_of<CORBA::Long>(r->return_value()), n + 1);
  }
}

TEST_P(Requests, AreReusedAfterAnException) {
  CORBA::Request_var r = request("refuse");
  CORBA::Any& code = r->add_in_arg();
  r->exceptions()->add(Contract::_tc_Empty);
  for (const CORBA::Long n : {0, 1, 0}) {
    code <<= n;
    r->invoke();
    EXPECT_EQ(exception_of(r), n == 0 ? "UnknownUserException" : "UNKNOWN/4f4d0001/0");
  }
}

TEST_P(Requests, TellListedUserExceptions) {
  CORBA::Request_var r = request("refuse");
  r->add_in_arg() <<= CORBA::Long{7};
  r->exceptions()->add(Contract::_tc_Empty);
  r->exceptions()->add(Contract::_tc_Refused);
  r->invoke();
  auto* const unknown = CORBA::UnknownUserException::_downcast(r->env()->exception());
  ASSERT_TRUE(unknown);
  const Contract::Refused* refused;
  ASSERT_TRUE(unknown->exception() >>= refused);
  EXPECT_STREQ(refused->why, "because");
  EXPECT_EQ(refused->code, 7);
  const Contract::Empty* empty;
  EXPECT_FALSE(unknown->exception() >>= empty);
}

TEST_P(Requests, TellStandardExceptions) {
  CORBA::Request_var r = request("fail");
  r->invoke();
  EXPECT_EQ(exception_of(r), "NO_PERMISSION/5/0");
  r = request("no_such_operation");
  r->invoke();
  EXPECT_EQ(exception_of(r), "BAD_OPERATION/4f4d0002/1");
  const std::string long_name(300, 'x');  // kept by nobody
  r = request(long_name.c_str());
  for (int i = 0; i < 3; ++i) {
    r->invoke();
    EXPECT_EQ(exception_of(r), "BAD_OPERATION/4f4d0002/1");
  }
}

TEST_P(Requests, RefuseResultsOfOtherTypes) {
  CORBA::Request_var r = request("plus");
  r->add_in_arg() <<= CORBA::Long{-3};
  for (CORBA::TypeCode_ptr const type :
       {CORBA::_tc_string, CORBA::_tc_longlong, Contract::_tc_People, CORBA::_tc_any, CORBA::_tc_TypeCode}) {
    r->set_return_type(type);
    r->invoke();
    EXPECT_EQ(exception_of(r), "MARSHAL/0/0") << type->kind();
  }
  r->set_return_type(CORBA::_tc_long);
  r->invoke();
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), -2);
  r->set_return_type(CORBA::_tc_void);
  r->invoke();
  EXPECT_EQ(exception_of(r), "none");
}

TEST_P(Requests, RefuseResultsThatHoldMoreThanTheirTypes) {
  CORBA::Request_var r = request("plus");
  r->add_in_arg() <<= CORBA::Long{69999};
  r->set_return_type(CORBA::_tc_short);
  r->invoke();
  EXPECT_EQ(exception_of(r), "MARSHAL/0/0");
  r->set_return_type(CORBA::_tc_long);
  r->invoke();
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 70000);

  Contract::Person ada;
  r = request("give_person");  // whose second parameter comes back, too
  r->add_in_arg() <<= ada;
  r->add_inout_arg() <<= ada;
  r->set_return_type(Contract::_tc_Person);
  r->invoke();
  EXPECT_EQ(exception_of(r), "MARSHAL/0/0");
  r->add_out_arg().replace(Contract::_tc_Person, nullptr);
  r->invoke();
  EXPECT_EQ(exception_of(r), "none");
}

TEST_P(Requests, RefuseExceptionsThatHoldMoreThanTheirTypes) {
  CORBA::Request_var r = request("refuse");
  r->add_in_arg() <<= CORBA::Long{7};
  const CORBA::TypeCode_var empty =
      orbs.client->create_exception_tc(Contract::_tc_Refused->id(), "Refused", CORBA::StructMemberSeq());
  r->exceptions()->add(empty);
  r->invoke();
  EXPECT_EQ(exception_of(r), "MARSHAL/0/0");
}

TEST_P(Requests, RefuseArgumentsWithoutTypeOrValue) {
  CORBA::Request_var r = request("plus");
  CORBA::Any& argument = r->add_in_arg();
  EXPECT_EQ(thrown([&] { r->invoke(); }), "BAD_PARAM/0/1");
  EXPECT_EQ(thrown([&] { r->send_deferred(); }), "BAD_PARAM/0/1");
  EXPECT_EQ(thrown([&] { r->send_oneway(); }), "BAD_PARAM/0/1");
  argument.replace(CORBA::_tc_long, nullptr);
  r->invoke();
  EXPECT_EQ(exception_of(r), "BAD_PARAM/0/1");
  argument <<= CORBA::Long{1};
  r->set_return_type(CORBA::_tc_long);
  r->invoke();
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
}

TEST_P(Requests, GoOneWay) {
  CORBA::Request_var r = request("note");
  CORBA::Any& n = r->add_in_arg();
  for (CORBA::Long i = 1; i <= 10; ++i) {
    n <<= i;
    r->send_oneway();
    EXPECT_EQ(exception_of(r), "none");
  }
  EXPECT_EQ(it->noted(), 55);
}

TEST_P(Requests, AreMadeWithEverythingAtOnce) {
  CORBA::NVList_var arguments;
  orbs.client->create_list(1, arguments);
  CORBA::Any five;
  five <<= CORBA::Long{5};
  arguments->add_value("n", five, CORBA::ARG_IN | CORBA::IN_COPY_VALUE);
  CORBA::NamedValue_var result;
  orbs.client->create_named_value(result);
  result->value()->replace(CORBA::_tc_long, nullptr);
  CORBA::ExceptionList_var exceptions;
  orbs.client->create_exception_list(exceptions);
  CORBA::ContextList_var contexts;
  orbs.client->create_context_list(contexts);
  CORBA::Context_var context;
  orbs.client->get_default_context(context);
  CORBA::Request_var r;
  it->_create_request(context, "plus", arguments, result, exceptions, contexts, r, CORBA::OUT_LIST_MEMORY);
  EXPECT_EQ(r->arguments(), arguments.in());
  EXPECT_EQ(r->result(), result.in());
  EXPECT_EQ(r->exceptions(), exceptions.in());
  EXPECT_EQ(r->contexts(), contexts.in());
  EXPECT_EQ(r->ctx(), context.in());
  EXPECT_STREQ(r->operation(), "plus");
  EXPECT_TRUE(r->target()->_is_equivalent(it));
  r->invoke();
  EXPECT_EQ(value_of<CORBA::Long>(*result->value()), 6);
  it->_create_request(nullptr, "minus", arguments, result, r, 0);
  r->invoke();
  EXPECT_EQ(value_of<CORBA::Long>(*result->value()), 4);
}

// Its class refuses to be written.
class Refusing : public virtual OBV_Stubborn, public virtual CORBA::DefaultValueRefCountBase {
 public:
  void marshal(CORBA::DataOutputStream&) override { throw CORBA::BAD_PARAM(7, CORBA::COMPLETED_NO); }
  void unmarshal(CORBA::DataInputStream&) override {}
  CORBA::ValueBase* _copy_value() override { return new Refusing; }
};

TEST_P(Requests, EndWithWhatTheClassOfAnArgumentRaises) {
  if (GetParam() == std::string("1.0")) return;  // no values there
  Stubborn_var value = new Refusing;
  CORBA::Request_var r = request("give_any");
  r->add_in_arg() <<= value.in();
  for (int i = 0; i < 2; ++i) {
    r->invoke();
    EXPECT_EQ(exception_of(r), "BAD_PARAM/7/1");
    r->send_oneway();
    EXPECT_EQ(exception_of(r), "BAD_PARAM/7/1");
    r->send_deferred();
    EXPECT_TRUE(r->poll_response());
    r->get_response();
    EXPECT_EQ(exception_of(r), "BAD_PARAM/7/1");
    r->send_deferred();
    r->get_response();
    EXPECT_EQ(exception_of(r), "BAD_PARAM/7/1");
  }
}

TEST(RequestsAtHome, ObjectsOfTheSameOrbAreCalled) {
  TwoOrbs orbs;
  CORBA::Object_var object = orbs.poa->id_to_reference(orbs.id.in());
  CORBA::Request_var r = object->_request("plus");
  CORBA::Any& n = r->add_in_arg();
  r->set_return_type(CORBA::_tc_long);
  n <<= CORBA::Long{1};
  r->invoke();
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
  n <<= CORBA::Long{2};
  r->send_deferred();
  EXPECT_TRUE(r->poll_response());
  r->get_response();
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 3);
  r = object->_request("note");
  r->add_in_arg() <<= CORBA::Long{4};
  r->send_oneway();
  EXPECT_EQ(orbs.everything->noted(), 4);
}

// Does with the request that it is called by what the test says, while that is under way.
class Meddler : public EverythingServant {
 public:
  CORBA::Long plus(CORBA::Long n) override {
    outcome = thrown(meddle);
    return n + 1;
  }
  std::function<void()> meddle;
  std::string outcome;
};

class Meddled : public testing::Test {
 protected:
  CORBA::Request_var plus() {
    CORBA::Object_var object = orbs.poa->id_to_reference(id.in());
    CORBA::Request_var r = object->_request("plus");
    r->add_in_arg() <<= CORBA::Long{1};
    r->set_return_type(CORBA::_tc_long);
    return r;
  }
  TwoOrbs orbs;
  PortableServer::Servant_var<Meddler> meddler = new Meddler;
  PortableServer::ObjectId_var id = orbs.poa->activate_object(meddler);
};

TEST_F(Meddled, RequestsAreNotSentAgainByTheUpcallsThatTheyLeadTo) {
  CORBA::Request_var r = plus();
  void (CORBA::Request::*const ways[])() = {&CORBA::Request::invoke, &CORBA::Request::send_oneway,
                                            &CORBA::Request::send_deferred};
  for (const auto way : ways) {
    meddler->meddle = [&] { (r.in()->*way)(); };
    r->invoke();
    EXPECT_EQ(meddler->outcome, "BAD_INV_ORDER/4f4d000a/1");
    EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
    r->send_deferred();
    EXPECT_EQ(meddler->outcome, "BAD_INV_ORDER/4f4d000a/1");
    r->get_response();
    EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
  }
}

TEST_F(Meddled, RequestsAreNotWaitedForByTheUpcallsThatTheyLeadTo) {
  CORBA::Request_var r = plus();
  meddler->meddle = [&] { r->get_response(); };
  r->invoke();
  EXPECT_EQ(meddler->outcome, "BAD_INV_ORDER/4f4d000d/1");
  meddler->meddle = [&] { r->poll_response(); };
  r->send_deferred();
  EXPECT_EQ(meddler->outcome, "BAD_INV_ORDER/4f4d000c/1");
}

TEST_F(Meddled, RequestsOutliveTheirReleaseByTheUpcallsThatTheyLeadTo) {
  void (CORBA::Request::*const ways[])() = {&CORBA::Request::invoke, &CORBA::Request::send_oneway,
                                            &CORBA::Request::send_deferred};
  for (const auto way : ways) {
    CORBA::Request_var r = plus();
    meddler->outcome.clear();
    meddler->meddle = [&] { r = CORBA::Request::_nil(); };
    (r.in()->*way)();
    EXPECT_EQ(meddler->outcome, "none");
  }
}

TEST(RequestsAtHome, NilAndLocalObjectsHaveNone) {
  CORBA::Object_var nil = CORBA::Object::_nil();
  EXPECT_EQ(thrown([&] { nil->_request("x"); }), "INV_OBJREF/0/1");
  class Here : public CORBA::LocalObject {};
  CORBA::Object_var here = new Here;
  EXPECT_EQ(thrown([&] { here->_request("x"); }), "NO_IMPLEMENT/4f4d0004/1");
  TwoOrbs orbs;
  CORBA::Object_ptr const it = orbs.everything.in();
  EXPECT_EQ(thrown([&] { it->_request(""); }), "BAD_PARAM/0/1");
  EXPECT_EQ(thrown([&] { it->_request(nullptr); }), "BAD_PARAM/0/1");
  CORBA::Request_var r;
  EXPECT_EQ(thrown([&] { it->_create_request(nullptr, "x", nullptr, nullptr, r, 0x400); }), "INV_FLAG/0/1");
}

}  // namespace
