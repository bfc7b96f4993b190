// The Dynamic Invocation Interface: requests, their arguments and results, how they end.
#include <corbel/dynamic.h>
#include <corbel/fork.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "anything.any.h"
#include "contract.any.h"
#include "orb/base/address_sanitizer.h"
#include "orb/base/thread_sanitizer.h"
#include "tests/calls/everything.h"
#include "tests/dynamic/outcomes.h"

namespace {

std::string exception_of(CORBA::Request_ptr request) {
  CORBA::Exception* const e = request->env()->exception();
  if (!e) return "none";
  const auto* const standard = CORBA::SystemException::_downcast(e);
  return standard ? text_of(*standard) : e->_name();
}
class Requests : public testing::TestWithParam<const char*> {
 protected:
  TwoOrbs orbs{"pool", GetParam()};
  Contract::Everything_ptr it = orbs.everything.in();
  CORBA::Request_var request(const char* operation) { return it->_request(operation); }
};
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

// ---- replies that are waited for later

// Answers when it is told to.
class Slow : public EverythingServant {
 public:
  CORBA::Long plus(CORBA::Long n) override {
    ++inside;
    while (!open) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return n + 1;
  }
  std::atomic<bool> open{false};
  std::atomic<int> inside{0};
};

class Deferred : public Requests {
 protected:
  ~Deferred() override { slow->open = true; }
  PortableServer::Servant_var<Slow> slow = new Slow;
  Contract::Everything_var waiting = [this] {
    PortableServer::ObjectId_var id = orbs.poa->activate_object(slow);
    CORBA::Object_var local = orbs.poa->id_to_reference(id.in());
    CORBA::String_var text = orbs.server->object_to_string(local);
    CORBA::Object_var object = orbs.client->string_to_object(text);
    return Contract::Everything::_unchecked_narrow(object);
  }();
  CORBA::Request_var plus(CORBA::Object_ptr target, CORBA::Long n) {
    CORBA::Request_var r = target->_request("plus");
    r->add_in_arg() <<= n;
    r->set_return_type(CORBA::_tc_long);
    return r;
  }
};
INSTANTIATE_TEST_SUITE_P(Giop, Deferred, testing::Values("1.0", "1.1", "1.2"),
                         [](const auto& i) { return std::string("v1_") + i.param[2]; });

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

TEST_P(Deferred, ReplyIsGotLater) {
  CORBA::Request_var r = plus(waiting, 1);
  r->send_deferred();
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(r->poll_response());
  slow->open = true;
  r->get_response();
  ASSERT_EQ(exception_of(r), "none");
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
}

TEST_P(Deferred, PollFindsTheReply) {
  CORBA::Request_var r = plus(waiting, 1);
  for (int round = 0; round < 3; ++round) {
    slow->open = false;
    r->send_deferred();
    EXPECT_FALSE(r->poll_response());
    slow->open = true;
    while (!r->poll_response()) std::this_thread::yield();
    EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
    EXPECT_TRUE(r->poll_response());
    r->get_response();
  }
}

TEST_P(Deferred, RepliesOfManyComeInAnyOrder) {
  std::vector<CORBA::Request_var> all;
  for (CORBA::Long n = 0; n < 50; ++n) {
    all.push_back(plus(n == 0 ? waiting.in() : it, n));
    all.back()->send_deferred();
  }
  for (CORBA::Long n = 49; n > 0; --n) {
    all[static_cast<std::size_t>(n)]->get_response();
    EXPECT_EQ(value_of<CORBA::Long>(all[static_cast<std::size_t>(n)]->return_value()), n + 1);
  }
  EXPECT_FALSE(all[0]->poll_response());
  slow->open = true;
  all[0]->get_response();
  EXPECT_EQ(value_of<CORBA::Long>(all[0]->return_value()), 1);
}

TEST_P(Deferred, OrdinaryCallsReadItsReply) {
  CORBA::Request_var r = plus(it, 8);
  r->send_deferred();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(it->minus(3), 2);
  EXPECT_TRUE(r->poll_response());
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 9);
}

TEST_P(Deferred, ThreadsThatCallMeanwhileAreNotDisturbed) {
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      while (!stop)
        if (it->minus(3) != 2) ++wrong;
    });
  CORBA::Request_var r = plus(it, 0);
  for (CORBA::Long n = 0; n < 300; ++n) {
    *r->arguments()->item(0)->value() <<= n;
    r->send_deferred();
    if (n % 3 == 0)
      while (!r->poll_response()) std::this_thread::yield();
    r->get_response();
    ASSERT_EQ(value_of<CORBA::Long>(r->return_value()), n + 1);
  }
  stop = true;
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST_P(Deferred, ReleaseWhileUnderWayLeavesTheConnectionInOrder) {
  for (int i = 0; i < 20; ++i) {
    CORBA::Request_var r = plus(waiting, 1);
    r->send_deferred();
  }
  slow->open = true;
  for (CORBA::Long n = 0; n < 20; ++n) EXPECT_EQ(it->minus(n), n - 1);
}

TEST_P(Deferred, ArgumentsStayAsTheyWereSent) {
  Contract::Octets octets;
  octets.length(200'000);
  octets[199'999] = 7;
  CORBA::Request_var r = it->_request("give_octets");
  CORBA::Any& a = r->add_in_arg();
  a <<= octets;
  r->add_inout_arg() <<= Contract::Octets();
  r->add_out_arg().replace(Contract::_tc_Octets, nullptr);
  r->set_return_type(Contract::_tc_Octets);
  r->send_deferred();
  r->get_response();
  const Contract::Octets* found;
  ASSERT_TRUE(r->return_value() >>= found);
  EXPECT_EQ((*found)[199'999], 7);
}

TEST_P(Deferred, WrongOrderIsRefused) {
  CORBA::Request_var r = plus(waiting, 1);
  EXPECT_EQ(thrown([&] { r->get_response(); }), "BAD_INV_ORDER/4f4d000b/1");
  EXPECT_EQ(thrown([&] { r->poll_response(); }), "BAD_INV_ORDER/4f4d000b/1");
  r->send_deferred();
  EXPECT_EQ(thrown([&] { r->send_deferred(); }), "BAD_INV_ORDER/4f4d000a/1");
  EXPECT_EQ(thrown([&] { r->invoke(); }), "BAD_INV_ORDER/4f4d000a/1");
  EXPECT_EQ(thrown([&] { r->send_oneway(); }), "BAD_INV_ORDER/4f4d000a/1");
  slow->open = true;
  r->get_response();
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
  EXPECT_EQ(thrown([&] { r->get_response(); }), "BAD_INV_ORDER/4f4d000c/1");
  EXPECT_EQ(thrown([&] { r->poll_response(); }), "BAD_INV_ORDER/4f4d000c/1");
  r->invoke();
  EXPECT_EQ(thrown([&] { r->get_response(); }), "BAD_INV_ORDER/4f4d000d/1");
  EXPECT_EQ(thrown([&] { r->poll_response(); }), "BAD_INV_ORDER/4f4d000d/1");
}

TEST_P(Deferred, ExceptionsAreToldWhenTheReplyIsGot) {
  CORBA::Request_var r = it->_request("fail");
  r->send_deferred();
  r->get_response();
  EXPECT_EQ(exception_of(r), "NO_PERMISSION/5/0");
  r = it->_request("refuse");
  r->add_in_arg() <<= CORBA::Long{0};
  r->exceptions()->add(Contract::_tc_Empty);
  r->send_deferred();
  while (!r->poll_response()) std::this_thread::yield();
  EXPECT_EQ(exception_of(r), "UnknownUserException");
}

TEST_P(Deferred, EndOfTheServerIsTold) {
  CORBA::Request_var r = plus(it, 1);
  r->send_deferred();
  r->get_response();
  CORBA::Request_var late = plus(waiting, 1);
  late->send_deferred();
  EXPECT_FALSE(late->poll_response());
  orbs.server->shutdown(false);
  slow->open = true;
  late->get_response();
  // Its reply still came, or the connection ended before it.
  const std::string how = exception_of(late);
  EXPECT_TRUE(how == "none" || how.rfind("COMM_FAILURE", 0) == 0 || how.rfind("TRANSIENT", 0) == 0) << how;
}

// Sanitizers do not let children of many threads go on as these do; tests/lifecycle has what there is for
// them.
#if !defined(CORBEL_ASAN) && !defined(CORBEL_TSAN)
template <typename Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    corbel::after_fork(true);
    _exit(body());
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_P(Deferred, RequestUnderWayIsTheParentsAfterFork) {
  CORBA::Request_var r = plus(waiting, 1);
  r->send_deferred();
  EXPECT_EQ(in_child([&] {
              r->get_response();
              if (exception_of(r) == "none") return 1;
              CORBA::Request_var own = plus(it, 4);
              own->send_deferred();
              own->get_response();
              return exception_of(own) == "none" && value_of<CORBA::Long>(own->return_value()) == 5 ? 0 : 2;
            }),
            0);
  EXPECT_EQ(in_child([&] {
              r = CORBA::Request::_nil();
              CORBA::Request_var own = plus(it, 5);
              own->invoke();
              return exception_of(own) == "none" ? 0 : 2;
            }),
            0);
  EXPECT_FALSE(r->poll_response());
  slow->open = true;
  r->get_response();
  ASSERT_EQ(exception_of(r), "none");
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
}

// Who read the replies is not in the child.
TEST_P(Deferred, RequestThatAnotherThreadWasToReadForIsLostAfterFork) {
  std::thread other([&] { EXPECT_EQ(waiting->plus(3), 4); });
  while (slow->inside < 1) std::this_thread::yield();
  CORBA::Request_var got = plus(waiting, 1), polled = plus(waiting, 2);
  CORBA::RequestSeq several;
  several.length(1);
  several[0] = plus(waiting, 3);
  got->send_deferred();
  polled->send_deferred();
  orbs.client->send_multiple_requests_deferred(several);
  EXPECT_EQ(in_child([&] {
              got->get_response();
              if (exception_of(got).rfind("COMM_FAILURE", 0) != 0) return 1;
              if (!polled->poll_response() || exception_of(polled).rfind("COMM_FAILURE", 0) != 0) return 2;
              CORBA::Request_var next;
              orbs.client->get_next_response(next);
              return exception_of(next).rfind("COMM_FAILURE", 0) == 0 ? 0 : 3;
            }),
            0);
  slow->open = true;
  other.join();
  for (const CORBA::Request_var& r : {got, polled}) {
    r->get_response();
    EXPECT_EQ(exception_of(r), "none");
  }
}
#endif

TEST_P(Deferred, SeveralAreSentAndGotAsTheyCome) {
  EXPECT_EQ(thrown([&] { orbs.client->poll_next_response(); }), "BAD_INV_ORDER/4f4d000b/1");
  CORBA::Request_var none;
  EXPECT_EQ(thrown([&] { orbs.client->get_next_response(none); }), "BAD_INV_ORDER/4f4d000b/1");
  CORBA::RequestSeq all;
  all.length(4);
  for (CORBA::ULong i = 0; i < 4; ++i)
    all[i] = plus(i == 0 ? waiting.in() : it, static_cast<CORBA::Long>(i))._retn();
  orbs.client->send_multiple_requests_deferred(all);
  CORBA::Long sum = 0;
  for (int i = 0; i < 3; ++i) {
    CORBA::Request_var next;
    orbs.client->get_next_response(next);
    sum += value_of<CORBA::Long>(next->return_value());
  }
  EXPECT_EQ(sum, 2 + 3 + 4);
  EXPECT_FALSE(orbs.client->poll_next_response());
  slow->open = true;
  while (!orbs.client->poll_next_response()) std::this_thread::yield();
  CORBA::Request_var last;
  orbs.client->get_next_response(last);
  EXPECT_EQ(last.in(), all[0].in());
  EXPECT_EQ(value_of<CORBA::Long>(last->return_value()), 1);
  EXPECT_EQ(thrown([&] { orbs.client->poll_next_response(); }), "BAD_INV_ORDER/4f4d000b/1");
}

TEST_P(Deferred, SeveralThreadsMaySendAndGetAtOnce) {
  std::atomic<CORBA::Long> sum = 0;
  constexpr CORBA::Long kThreads = 4, kEach = 50;
  std::vector<std::thread> threads;
  for (CORBA::Long t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      CORBA::RequestSeq all;
      all.length(kEach);
      for (CORBA::Long i = 0; i < kEach; ++i) all[i] = plus(it, kEach * t + i)._retn();
      orbs.client->send_multiple_requests_deferred(all);
      for (CORBA::Long i = 0; i < kEach; ++i) {
        CORBA::Request_var next;
        orbs.client->get_next_response(next);
        sum += value_of<CORBA::Long>(next->return_value());
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, kThreads * kEach * (kThreads * kEach + 1) / 2);
  EXPECT_EQ(thrown([&] { orbs.client->poll_next_response(); }), "BAD_INV_ORDER/4f4d000b/1");
}

TEST_P(Deferred, WhereOneOfSeveralCannotBeSentThoseBeforeItAreUnderWay) {
  CORBA::Request_var untyped = it->_request("plus");
  untyped->add_in_arg();
  CORBA::Request_var under_way = plus(waiting, 7);
  under_way->send_deferred();
  for (CORBA::Request_ptr unsendable : {CORBA::Request::_nil(), untyped.in(), under_way.in()}) {
    CORBA::RequestSeq all;
    all.length(3);
    all[0] = plus(it, 1)._retn();
    all[1] = CORBA::Request::_duplicate(unsendable);
    all[2] = plus(it, 2)._retn();
    EXPECT_NE(thrown([&] { orbs.client->send_multiple_requests_deferred(all); }), "none");
    CORBA::Request_var next;
    orbs.client->get_next_response(next);
    EXPECT_EQ(next.in(), all[0].in());
    EXPECT_EQ(value_of<CORBA::Long>(next->return_value()), 2);
    EXPECT_EQ(thrown([&] { all[2]->get_response(); }), "BAD_INV_ORDER/4f4d000b/1");
  }
  slow->open = true;
  under_way->get_response();
  EXPECT_EQ(value_of<CORBA::Long>(under_way->return_value()), 8);
}

// A value in an Any, which tells whether there is one.
int counted_longs = 0;
constexpr corbel::cpp::AnyOperations kCountedLong = {
    [](const void* value) -> void* {
      return ++counted_longs, new CORBA::Long(*static_cast<const CORBA::Long*>(value));
    },
    [](void* value) { --counted_longs, delete static_cast<CORBA::Long*>(value); },
    [](corbel::cdr::Encoder& out, const void* value) { out.put(*static_cast<const CORBA::Long*>(value)); },
    nullptr};

TEST_P(Deferred, SeveralThatAreGotOneByOneAreLetGo) {
  for (int i = 0; i < 3; ++i) {
    CORBA::RequestSeq one;
    one.length(1);
    one[0] = plus(it, 1)._retn();
    ++counted_longs;
    one[0]->arguments()->item(0)->value()->_corbel_adopt(*CORBA::_tc_long, new CORBA::Long(i), kCountedLong);
    orbs.client->send_multiple_requests_deferred(one);
    while (i != 0 && !one[0]->poll_response()) std::this_thread::yield();
    if (i != 2) one[0]->get_response();
    EXPECT_EQ(exception_of(one[0]), "none");
    EXPECT_EQ(value_of<CORBA::Long>(one[0]->return_value()), i + 1);
  }
  EXPECT_EQ(counted_longs, 0);
}

TEST_P(Deferred, NextResponseMayBeOfARequestThatWasSentAlone) {
  CORBA::Request_var late = plus(waiting, 1), soon = plus(it, 2), next;
  late->send_deferred();
  soon->send_deferred();
  orbs.client->get_next_response(next);
  EXPECT_EQ(next.in(), soon.in());
  EXPECT_EQ(value_of<CORBA::Long>(next->return_value()), 3);
  EXPECT_EQ(thrown([&] { soon->get_response(); }), "BAD_INV_ORDER/4f4d000c/1");
  EXPECT_FALSE(orbs.client->poll_next_response());
  slow->open = true;
  orbs.client->get_next_response(next);
  EXPECT_EQ(next.in(), late.in());
  // What has been got, is sent otherwise, or is released does not come.
  soon->send_deferred();
  soon->get_response();
  soon->send_deferred();
  while (!soon->poll_response()) std::this_thread::yield();
  soon->invoke();
  plus(it, 3)->send_deferred();
  EXPECT_EQ(thrown([&] { orbs.client->poll_next_response(); }), "BAD_INV_ORDER/4f4d000b/1");
}

// Whoever is first has the reply, and the other one is told.
TEST_P(Deferred, ThreadsMayGetTheirOwnWhileOthersGetAny) {
  constexpr int kRequests = 400;
  std::atomic<int> own = 0, any = 0, taken = 0, wrong = 0;
  std::atomic<bool> all_sent = false;
  std::thread others([&] {
    for (bool last = false; !last;) {
      last = all_sent;
      const std::string how = thrown([&] {
        CORBA::Request_var next;
        orbs.client->get_next_response(next);
        value_of<CORBA::Long>(next->return_value()) == 6 ? ++any : ++wrong;
      });
      if (how == "none") last = false;
      else if (how != "BAD_INV_ORDER/4f4d000b/1") ++wrong;
    }
  });
  for (int i = 0; i < kRequests; ++i) {
    CORBA::Request_var r = plus(it, 5);
    r->send_deferred();
    const std::string how = thrown([&] {
      if (i % 2 == 0)
        while (!r->poll_response()) continue;
      else r->get_response();
      if (value_of<CORBA::Long>(r->return_value()) != 6) ++wrong;
    });
    if (how == "BAD_INV_ORDER/4f4d000c/1") ++taken;
    else if (how != "none") ++wrong;
    else if (i % 2 != 0) ++own;
  }
  all_sent = true;
  others.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(any, taken.load());
  EXPECT_LE(own + any, kRequests);
}

TEST_P(Deferred, SeveralGoOneWay) {
  CORBA::RequestSeq all;
  all.length(5);
  for (CORBA::ULong i = 0; i < 5; ++i) {
    CORBA::Request_var r = it->_request("note");
    r->add_in_arg() <<= static_cast<CORBA::Long>(i);
    all[i] = r._retn();
  }
  orbs.client->send_multiple_requests_oneway(all);
  EXPECT_EQ(it->noted(), 10);
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

TEST(RequestsAtHome, ReactiveClientsReadWhatTheyPollFor) {
  TwoOrbs orbs("reactive-deferred");
  std::thread server([&] { orbs.server->run(); });
  orbs.connect();
  CORBA::Request_var r = orbs.everything->_request("plus");
  r->add_in_arg() <<= CORBA::Long{1};
  r->set_return_type(CORBA::_tc_long);
  r->send_deferred();
  while (!r->poll_response()) std::this_thread::yield();
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
  r->get_response();
  r->send_deferred();
  r->get_response();
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
  orbs.server->shutdown(false);
  server.join();
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

TEST(RequestsAtHome, TimeLimitsHold) {
  TwoOrbs orbs;
  const char* args[] = {"test", "-ORBclientCallTimeOutPeriod", "100", nullptr};
  int argc = 3;
  CORBA::ORB_var hurried = CORBA::ORB_init(argc, const_cast<char**>(args), "hurried");
  {
    PortableServer::Servant_var<Slow> slow = new Slow;
    PortableServer::ObjectId_var id = orbs.poa->activate_object(slow);
    CORBA::Object_var local = orbs.poa->id_to_reference(id.in());
    CORBA::String_var text = orbs.server->object_to_string(local);
    CORBA::Object_var object = hurried->string_to_object(text);
    CORBA::Request_var r = object->_request("plus");
    r->add_in_arg() <<= CORBA::Long{1};
    r->set_return_type(CORBA::_tc_long);
    const auto is_late = [&] {
      return exception_of(r).find("TIMEOUT") == 0 || exception_of(r).find("TRANSIENT") == 0;
    };
    r->invoke();
    EXPECT_TRUE(is_late()) << exception_of(r);
    r->send_deferred();
    r->get_response();
    EXPECT_TRUE(is_late()) << exception_of(r);
    r->send_deferred();
    while (!r->poll_response()) std::this_thread::yield();
    EXPECT_TRUE(is_late()) << exception_of(r);
    r->get_response();
    // What passes before the reply is asked for counts.
    r->send_deferred();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_TRUE(r->poll_response());
    EXPECT_TRUE(is_late()) << exception_of(r);
    slow->open = true;
    r->get_response();
  }
  hurried->destroy();
}

// A port where nobody answers, nor even accepts unless it is told to: it has no threads here.
class SilentPort {
 public:
  SilentPort() {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address_), size), 0);
    EXPECT_EQ(listen(socket_, 5), 0);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address_), &size);
  }
  ~SilentPort() { close(socket_); }
  CORBA::Object_var object(CORBA::ORB_ptr orb) const {
    const std::string url = "corbaloc::1.2@127.0.0.1:" + std::to_string(ntohs(address_.sin_port)) + "/key";
    return orb->string_to_object(url.c_str());
  }
  // All of the next connection is read, and nothing is answered.
  void swallow() const {
    const int connection = accept(socket_, nullptr, nullptr);
    char octets[4096];
    while (read(connection, octets, sizeof octets) > 0) continue;
    EXPECT_EQ(close(connection), 0);
  }
  // The next connection is reset.
  void reset() const {
    const int connection = accept(socket_, nullptr, nullptr);
    const linger at_once{1, 0};
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    EXPECT_EQ(close(connection), 0);
  }

 private:
  const int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address_{};
};

TEST(RequestsAtHome, NoThreadWaitsForTheirReplies) {
  const SilentPort port;
  const char* args[] = {"test", "-ORBtransports", "tcp", nullptr};
  int argc = 3;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, const_cast<char**>(args), "deferring");
  {
    CORBA::Object_var object = port.object(orb);
    const auto threads = [] {
      return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                           std::filesystem::directory_iterator());
    };
    std::vector<CORBA::Request_var> all;
    const auto send = [&] {
      all.emplace_back(object->_request("ping"));
      all.back()->send_deferred();
      EXPECT_FALSE(all.back()->poll_response());
    };
    send();
    const auto before = threads();
    for (int i = 0; i < 40; ++i) send();
    EXPECT_EQ(threads(), before);
  }
  orb->destroy();
}

TEST(RequestsAtHome, AreRefusedOnceAConnectionHasNoIdForMore) {
  const SilentPort port;
  std::thread peer([&] { port.swallow(); });
  const char* args[] = {"test", "-ORBtransports", "tcp", nullptr};
  int argc = 3;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, const_cast<char**>(args), "deferring");
  {
    CORBA::Object_var object = port.object(orb);
    std::vector<CORBA::Request_var> all;
    const auto send = [&] {
      all.emplace_back(object->_request("ping"));
      all.back()->send_deferred();
    };
    for (int i = 0; i < 4095; ++i) send();
    EXPECT_FALSE(all.back()->poll_response());
    send();
    all.back()->get_response();
    EXPECT_EQ(exception_of(all.back()), "NO_RESOURCES/0/1");
    all.erase(all.begin());  // whose reply nobody wants
    send();
    EXPECT_FALSE(all.back()->poll_response());
  }
  orb->destroy();
  peer.join();
}

TEST(RequestsAtHome, AreOverWhereAOneWayFindsTheEndOfTheirConnection) {
  const SilentPort port;
  const char* args[] = {"test", "-ORBtransports", "tcp", nullptr};
  int argc = 3;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, const_cast<char**>(args), "deferring");
  {
    CORBA::Object_var object = port.object(orb);
    CORBA::Request_var polled = object->_request("ping"), note = object->_request("note");
    note->add_in_arg() <<= CORBA::Long{1};
    CORBA::RequestSeq others;
    others.length(1);
    others[0] = object->_request("ping");
    polled->send_deferred();
    orb->send_multiple_requests_deferred(others);
    note->send_oneway();  // the first in a while looks whether the connection has ended, the next does not
    port.reset();
    note->send_oneway();
    const auto comes_true = [](auto condition) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      return condition();
    };
    ASSERT_TRUE(comes_true([&] { return polled->poll_response(); }));
    polled->get_response();
    EXPECT_EQ(exception_of(polled).rfind("COMM_FAILURE", 0), 0u) << exception_of(polled);
    ASSERT_TRUE(comes_true([&] { return orb->poll_next_response(); }));
    CORBA::Request_var other;
    orb->get_next_response(other);
    EXPECT_EQ(exception_of(other).rfind("COMM_FAILURE", 0), 0u) << exception_of(other);
  }
  orb->destroy();
}

// Of a single-threaded adapter: sends more than fits into a socket that nobody reads.
class Sending : public EverythingServant {
 public:
  explicit Sending(CORBA::Object_ptr peer) : peer_(CORBA::Object::_duplicate(peer)) {}
  CORBA::Long minus(CORBA::Long n) override {
    Contract::Octets octets;
    octets.length(200'000);  // below what asks first where its object is
    for (; sent < 500; ++sent) {
      CORBA::Request_var r = peer_->_request("take");
      r->add_in_arg() <<= octets;
      r->send_deferred();
      if (exception_of(r) != "none") break;
    }
    return n;
  }
  std::atomic<int> sent{0};

 private:
  CORBA::Object_var peer_;
};

TEST(RequestsAtHome, ThatWaitForRoomKeepNobodyOutOfTheirUpcallsAdapter) {
  auto port = std::make_unique<SilentPort>();
  TwoOrbs orbs;
  const char* args[] = {"test", "-ORBclientCallTimeOutPeriod", "5000", nullptr};
  int argc = 3;
  CORBA::ORB_var hurried = CORBA::ORB_init(argc, const_cast<char**>(args), "hurried");
  {
    CORBA::PolicyList policies;
    policies.length(1);
    policies[0] = orbs.poa->create_thread_policy(PortableServer::SINGLE_THREAD_MODEL);
    PortableServer::POAManager_var manager = orbs.poa->the_POAManager();
    PortableServer::POA_var poa = orbs.poa->create_POA("single", manager, policies);
    CORBA::Object_var peer = port->object(orbs.client);
    PortableServer::Servant_var<Sending> sending = new Sending(peer);
    PortableServer::ObjectId_var id = poa->activate_object(sending);
    CORBA::Object_var object = poa->id_to_reference(id);
    CORBA::String_var text = orbs.server->object_to_string(object);
    object = orbs.client->string_to_object(text);
    CORBA::Request_var first = object->_request("minus"), second;
    first->add_in_arg() <<= CORBA::Long{1};
    first->set_return_type(CORBA::_tc_long);
    first->send_deferred();
    int before;
    do {
      before = sending->sent;
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    } while ((before == 0 && !first->poll_response()) || before != sending->sent);
    EXPECT_GT(sending->sent, 0);
    EXPECT_LT(sending->sent, 500);
    object = hurried->string_to_object(text);
    second = object->_request("ping");
    second->invoke();
    EXPECT_EQ(exception_of(second), "none");
    port = nullptr;  // with what has connected
    first->get_response();
  }
  hurried->destroy();
}

// A profile only looks on.
TEST(RequestsAtHome, AreSentAndWaitedForLaterWhereCallsAreCounted) {
  const std::string file = testing::TempDir() + "deferred-profile-" + std::to_string(getpid());
  TwoOrbs orbs;
  const char* args[] = {"test", "-ORBprofileCalls", file.c_str(), nullptr};
  int argc = 3;
  CORBA::ORB_var counted = CORBA::ORB_init(argc, const_cast<char**>(args), "counted");
  {
    PortableServer::Servant_var<Slow> slow = new Slow;
    PortableServer::ObjectId_var id = orbs.poa->activate_object(slow);
    CORBA::Object_var local = orbs.poa->id_to_reference(id.in());
    CORBA::String_var text = orbs.server->object_to_string(local);
    CORBA::Object_var object = counted->string_to_object(text);
    CORBA::Request_var r = object->_request("plus");
    r->add_in_arg() <<= CORBA::Long{1};
    r->set_return_type(CORBA::_tc_long);
    r->send_deferred();
    EXPECT_FALSE(r->poll_response());
    slow->open = true;
    r->get_response();
    ASSERT_EQ(exception_of(r), "none");
    EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
  }
  counted->destroy();
  counted = CORBA::ORB::_nil();
  std::ifstream in(file);
  const std::string profile{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(profile.find("\n1 8 plus"), std::string::npos) << profile;
  std::remove(file.c_str());
}

}  // namespace
