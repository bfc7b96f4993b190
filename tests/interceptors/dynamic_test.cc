// Requests without stubs and servants without skeletons: interceptors are told what these know of the types.
#include <corbel/any.h>
#include <corbel/dynamic.h>

#include <future>
#include <thread>

#include "contract.any.h"
#include "tests/interceptors/support.h"

namespace {

using namespace interceptors;

template <typename T>
T value_of(const CORBA::Any& any) {
  T value{};
  EXPECT_TRUE(any >>= value);
  return value;
}
CORBA::TCKind kind(const CORBA::Any& any) {
  CORBA::TypeCode_var type = any.type();
  return type->kind();
}

class DynamicCalls : public Intercepted {};

TEST_F(DynamicCalls, TellTheirArgumentsAndTheResult) {
  a->scripts["send_request"] = [](PI::ClientRequestInfo_ptr info) {
    Dynamic::ParameterList_var all = info->arguments();
    ASSERT_EQ(all->length(), 3u);
    EXPECT_EQ(all[0].mode, CORBA::PARAM_IN);
    EXPECT_STREQ(value_of<const char*>(all[0].argument), "a");
    EXPECT_EQ(all[1].mode, CORBA::PARAM_INOUT);
    EXPECT_STREQ(value_of<const char*>(all[1].argument), "b");
    EXPECT_EQ(all[2].mode, CORBA::PARAM_OUT);
    EXPECT_EQ(kind(all[2].argument), CORBA::tk_null) << "it is not there yet";
    EXPECT_EQ(raised([&] { info->result(); }), kNotHere);
  };
  b->scripts["receive_reply"] = [](PI::ClientRequestInfo_ptr info) {
    Dynamic::ParameterList_var all = info->arguments();
    ASSERT_EQ(all->length(), 3u);
    EXPECT_STREQ(value_of<const char*>(all[0].argument), "a");
    EXPECT_STREQ(value_of<const char*>(all[1].argument), "a");
    EXPECT_STREQ(value_of<const char*>(all[2].argument), "b");
    CORBA::Any_var result = info->result();
    EXPECT_STREQ(value_of<const char*>(result.in()), "a");
  };
  for (const bool deferred : {false, true}) {
    CORBA::Request_var request = pair.remote->_request("text");
    request->add_in_arg() <<= "a";
    request->add_inout_arg() <<= "b";
    request->add_out_arg().replace(CORBA::_tc_string, nullptr);
    request->set_return_type(CORBA::_tc_string);
    if (deferred) {
      request->send_deferred();
      request->get_response();
    } else {
      request->invoke();
    }
    EXPECT_STREQ(value_of<const char*>(request->return_value()), "a") << "which the caller gets all the same";
    EXPECT_STREQ(value_of<const char*>(*request->arguments()->item(2)->value()), "b");
  }
  EXPECT_EQ(calls.take().size(), 8u);
}

TEST_F(DynamicCalls, WithoutArgumentsAndResultTellSo) {
  a->scripts["receive_reply"] = [](PI::ClientRequestInfo_ptr info) {
    Dynamic::ParameterList_var all = info->arguments();
    EXPECT_EQ(all->length(), 0u);
    Dynamic::ExceptionList_var exceptions = info->exceptions();
    EXPECT_EQ(exceptions->length(), 0u);
    CORBA::Any_var result = info->result();
    EXPECT_EQ(kind(result.in()), CORBA::tk_void);
  };
  CORBA::Request_var request = pair.remote->_request("ping");
  request->invoke();
  EXPECT_EQ(calls.take().size(), 4u);
}

TEST_F(DynamicCalls, TellTheExceptionsOfTheirList) {
  a->scripts["send_request"] = [](PI::ClientRequestInfo_ptr info) {
    Dynamic::ExceptionList_var all = info->exceptions();
    ASSERT_EQ(all->length(), 1u);
    EXPECT_TRUE(all[0]->equal(Contract::_tc_Refused));
  };
  bool told = false;
  a->scripts["receive_exception"] = [&](PI::ClientRequestInfo_ptr info) {
    CORBA::Any_var any = info->received_exception();
    const Contract::Refused* refused = nullptr;
    const CORBA::UNKNOWN* unknown = nullptr;
    told = any.in() >>= refused;
    if (told) EXPECT_STREQ(refused->why.in(), "because");
    else EXPECT_TRUE(any.in() >>= unknown) << "one that is not in the list";
    EXPECT_EQ(raised([&] { info->arguments(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->result(); }), kNotHere);
  };
  for (const CORBA::Long code : {3, 0}) {
    CORBA::Request_var request = pair.remote->_request("refuse");
    request->add_in_arg() <<= code;
    request->exceptions()->add(Contract::_tc_Refused);
    request->invoke();
    EXPECT_EQ(told, code != 0);
    EXPECT_TRUE(request->env()->exception());
  }
}

TEST_F(DynamicCalls, TellTheirContext) {
  a->scripts["send_request"] = [](PI::ClientRequestInfo_ptr info) {
    Dynamic::ContextList_var names = info->contexts();
    ASSERT_EQ(names->length(), 1u);
    EXPECT_STREQ(names[0], "user.*");
    Dynamic::RequestContext_var sent = info->operation_context();
    ASSERT_EQ(sent->length(), 2u);
    EXPECT_STREQ(sent[0], "user.name");
    EXPECT_STREQ(sent[1], "Ada");
  };
  CORBA::Context_var context;
  pair.client->get_default_context(context.out());
  CORBA::Any ada, other;
  ada <<= "Ada";
  other <<= "left out";
  context->set_one_value("user.name", ada);
  context->set_one_value("other", other);
  CORBA::Request_var request = pair.remote->_request("ping");
  request->contexts()->add("user.*");
  request->ctx(context);
  request->invoke();
  EXPECT_EQ(calls.take().size(), 4u);
}

// ---- servants

// Each operation has an inout and an out parameter, adds one to the first and gives 9; before and after it
// has asked for them it does what the test says.
class DynamicServant final : public PortableServer::DynamicImplementation {
 public:
  explicit DynamicServant(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  void invoke(CORBA::ServerRequest_ptr request) override {
    if (before) before(*request);
    CORBA::NVList_ptr parameters;
    orb_->create_list(0, parameters);
    CORBA::Any& n = *parameters->add(CORBA::ARG_INOUT)->value();
    n.replace(CORBA::_tc_long, nullptr);
    *parameters->add(CORBA::ARG_OUT)->value() <<= CORBA::Long{0};
    request->arguments(parameters);
    if (after) after(*request);
    if (raises) return;
    n <<= CORBA::Long{value_of<CORBA::Long>(n) + 1};
    CORBA::Any result;
    result <<= CORBA::Long{9};
    request->set_result(result);
  }
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup(Contract::Everything::_corbel_id);
  }
  typedef std::function<void(CORBA::ServerRequest&)> Step;
  Step before, after;
  bool raises = false;

 private:
  CORBA::ORB_var orb_;
};

class DynamicServants : public Intercepted {
 protected:
  DynamicServants() {
    PortableServer::ObjectId_var id = pair.poa->activate_object(servant);
    CORBA::Object_var object = pair.poa->id_to_reference(id);
    object = pair.client->string_to_object(take(pair.server->object_to_string(object)).c_str());
    remote = Contract::Everything::_unchecked_narrow(object);
  }
  // How the call of an operation of the servant ends.
  std::string ends() {
    CORBA::Request_var request = remote->_request("anything");
    request->add_inout_arg() <<= CORBA::Long{4};
    request->add_out_arg().replace(CORBA::_tc_long, nullptr);
    request->set_return_type(CORBA::_tc_long);
    request->exceptions()->add(Contract::_tc_Refused);
    request->invoke();
    if (CORBA::Exception* const e = request->env()->exception()) return raised([&] { e->_raise(); });
    return std::to_string(value_of<CORBA::Long>(request->return_value())) + " " +
           std::to_string(value_of<CORBA::Long>(*request->arguments()->item(0)->value()));
  }
  PortableServer::Servant_var<DynamicServant> servant = new DynamicServant(pair.server);
  Contract::Everything_var remote;
};

TEST_F(DynamicServants, TellArgumentsAndResult) {
  x->scripts["receive_request"] = [](PI::ServerRequestInfo_ptr info) {
    Dynamic::ParameterList_var all = info->arguments();
    ASSERT_EQ(all->length(), 2u);
    EXPECT_EQ(all[0].mode, CORBA::PARAM_INOUT);
    EXPECT_EQ(value_of<CORBA::Long>(all[0].argument), 4);
    EXPECT_EQ(all[1].mode, CORBA::PARAM_OUT);
    EXPECT_EQ(kind(all[1].argument), CORBA::tk_null);
    Dynamic::RequestContext_var sent = info->operation_context();
    EXPECT_EQ(sent->length(), 0u);
    EXPECT_EQ(raised([&] { info->exceptions(); }), kNotTold) << "the servant does not say which there are";
    EXPECT_EQ(raised([&] { info->contexts(); }), kNotTold);
    EXPECT_EQ(take(info->target_most_derived_interface()), Contract::Everything::_corbel_id);
    EXPECT_TRUE(info->target_is_a(Contract::Everything::_corbel_id));
  };
  x->scripts["send_reply"] = [](PI::ServerRequestInfo_ptr info) {
    Dynamic::ParameterList_var all = info->arguments();
    ASSERT_EQ(all->length(), 2u);
    EXPECT_EQ(value_of<CORBA::Long>(all[0].argument), 5);
    CORBA::Any_var result = info->result();
    EXPECT_EQ(value_of<CORBA::Long>(result.in()), 9);
  };
  EXPECT_EQ(ends(), "9 5");
  EXPECT_EQ(requests.take().size(), 6u);
}

TEST_F(DynamicServants, TellWhatContextCame) {
  Strings told;
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr info) {
    Dynamic::RequestContext_var sent = info->operation_context();
    for (CORBA::ULong i = 0; i < sent->length(); ++i) told.emplace_back(sent[i]);
  };
  CORBA::Context_var context;
  pair.client->get_default_context(context.out());
  CORBA::Any ada;
  ada <<= "Ada";
  context->set_one_value("user", ada);
  CORBA::Request_var request = remote->_request("anything");
  request->add_inout_arg() <<= CORBA::Long{4};
  request->contexts()->add("user");
  request->ctx(context);
  request->add_out_arg().replace(CORBA::_tc_long, nullptr);
  request->set_return_type(CORBA::_tc_long);
  request->invoke();
  EXPECT_FALSE(request->env()->exception());
  EXPECT_EQ(told, (Strings{"user", "Ada"}));
}

TEST_F(DynamicServants, TellTheExceptionThatTheySet) {
  servant->raises = true;
  servant->after = [](CORBA::ServerRequest& request) {
    CORBA::Any exception;
    exception <<= Contract::Refused("because", 7);
    request.set_exception(exception);
  };
  bool told = false;
  x->scripts["send_exception"] = [&](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(info->reply_status(), PI::USER_EXCEPTION);
    CORBA::Any_var any = info->sending_exception();
    const Contract::Refused* refused = nullptr;
    told = any.in() >>= refused;
  };
  EXPECT_EQ(ends(), "UnknownUserException");
  EXPECT_TRUE(told);
}

TEST_F(DynamicServants, AreReachedWhenTheyAskForTheArguments) {
  servant->before = [&](CORBA::ServerRequest&) { requests.add("before"); };
  servant->after = [&](CORBA::ServerRequest&) { requests.add("after"); };
  EXPECT_EQ(ends(), "9 5");
  EXPECT_EQ(requests.take(),
            (Strings{"X.receive_request_service_contexts", "Y.receive_request_service_contexts", "before",
                     "X.receive_request", "Y.receive_request", "after", "Y.send_reply", "X.send_reply"}));
}

TEST_F(DynamicServants, AreReachedOnceAlsoWithoutArguments) {
  const Strings points{"X.receive_request_service_contexts",
                       "Y.receive_request_service_contexts",
                       "X.receive_request",
                       "Y.receive_request",
                       "Y.send_exception",
                       "X.send_exception"};
  x->scripts["receive_request"] = [](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(raised([&] { info->arguments(); }), kNotTold);
    EXPECT_EQ(raised([&] { info->operation_context(); }), kNotTold);
  };
  servant->before = [](CORBA::ServerRequest& request) {
    CORBA::Any exception;
    exception <<= CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO);
    request.set_exception(exception);
    throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO);
  };
  EXPECT_EQ(ends(), "NO_PERMISSION/5/NO");
  EXPECT_EQ(requests.take(), points);
  servant->before = [](CORBA::ServerRequest&) { throw CORBA::NO_PERMISSION(6, CORBA::COMPLETED_NO); };
  EXPECT_EQ(ends(), "NO_PERMISSION/6/NO");
  EXPECT_EQ(requests.take(), points);
  EXPECT_FALSE(remote->_non_existent()) << "which the servant is not asked about";
  EXPECT_EQ(requests.take().size(), 6u);
}

TEST_F(DynamicServants, DoNothingWhenAnInterceptorAnswers) {
  bool ran = false;
  servant->after = [&](CORBA::ServerRequest&) { ran = true; };
  y->scripts["receive_request"] = [](PI::ServerRequestInfo_ptr) {
    throw CORBA::NO_PERMISSION(8, CORBA::COMPLETED_NO);
  };
  EXPECT_EQ(ends(), "NO_PERMISSION/8/NO");
  EXPECT_FALSE(ran);
  // Not even one that goes on all the same.
  servant->before = [](CORBA::ServerRequest& request) {
    CORBA::Any exception;
    exception <<= Contract::Refused("because", 7);
    request.set_exception(exception);
    throw 1;
  };
  EXPECT_EQ(ends(), "NO_PERMISSION/8/NO");
  bool once = true;
  y->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr) {
    if (std::exchange(once, false)) throw PI::ForwardRequest(pair.local);
  };
  servant->before = nullptr;
  EXPECT_EQ(ends(), "BAD_OPERATION/4f4d0002/NO") << "of the other servant";
}

// Their reply is waited for later, and only comes once the test lets it.
class DeferredCalls : public Intercepted {
 protected:
  DeferredCalls() {
    x->scripts["receive_request"] = [allowed = open.get_future().share()](auto) { allowed.wait(); };
  }
  CORBA::Request_var sent() {
    CORBA::Request_var request = pair.remote->_request("ping");
    request->send_deferred();
    return request;
  }
  std::promise<void> open;
};

TEST_F(DeferredCalls, AreUnderWayBetweenTheirPoints) {
  CORBA::Request_var request = sent();
  EXPECT_EQ(calls.take(), (Strings{"A.send_request", "B.send_request"}));
  EXPECT_FALSE(request->poll_response());
  EXPECT_EQ(calls.take(), Strings{});
  open.set_value();
  request->get_response();
  EXPECT_EQ(calls.take(), (Strings{"B.receive_reply", "A.receive_reply"}));
  EXPECT_FALSE(request->env()->exception());
}

TEST_F(DeferredCalls, EndForTheInterceptorsWhereThePollFindsTheReply) {
  CORBA::Request_var request = sent();
  (void)calls.take();
  open.set_value();
  while (!request->poll_response()) std::this_thread::yield();
  EXPECT_EQ(calls.take(), (Strings{"B.receive_reply", "A.receive_reply"}));
  request->get_response();
  EXPECT_EQ(calls.take(), Strings{});
}

TEST_F(DeferredCalls, ThatNobodyWaitsForEndOtherwise) {
  CORBA::ULong status = PI::SYSTEM_EXCEPTION;
  a->scripts["receive_other"] = [&](PI::ClientRequestInfo_ptr info) {
    status = static_cast<CORBA::ULong>(info->reply_status());
    EXPECT_STREQ(take(info->operation()).c_str(), "ping");
  };
  sent();
  EXPECT_EQ(calls.take(),
            (Strings{"A.send_request", "B.send_request", "B.receive_other", "A.receive_other"}));
  EXPECT_EQ(status, static_cast<CORBA::ULong>(PI::SUCCESSFUL));
  open.set_value();
  pair.remote->ping();
}

TEST_F(DeferredCalls, ThatAnInterceptorRefusesDoNotLeave) {
  b->scripts["send_request"] = [](auto) { throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_NO); };
  CORBA::Request_var request = sent();
  request->get_response();
  EXPECT_EQ(calls.take(), (Strings{"A.send_request", "B.send_request", "A.receive_exception"}));
  ASSERT_TRUE(request->env()->exception());
  EXPECT_STREQ(request->env()->exception()->_name(), "NO_PERMISSION");
  EXPECT_EQ(requests.take(), Strings{});
  open.set_value();
}

TEST_F(DeferredCalls, MayEndInAnotherThreadWithAnOutcomeThatAnInterceptorChanges) {
  b->scripts["receive_reply"] = [](auto) { throw CORBA::NO_RESOURCES(8, CORBA::COMPLETED_YES); };
  CORBA::Request_var request = sent();
  open.set_value();
  std::thread([&] { request->get_response(); }).join();
  EXPECT_EQ(calls.take(),
            (Strings{"A.send_request", "B.send_request", "B.receive_reply", "A.receive_exception"}));
  ASSERT_TRUE(request->env()->exception());
  EXPECT_STREQ(request->env()->exception()->_name(), "NO_RESOURCES");
}

TEST_F(DeferredCalls, AreSentAgainAsOftenAsAnInterceptorForwardsThem) {
  int forwards = 0;
  b->scripts["send_request"] = [&](auto) {
    if (++forwards < 3) throw PI::ForwardRequest(pair.remote);
  };
  CORBA::Request_var request = sent();
  open.set_value();
  request->get_response();
  EXPECT_FALSE(request->env()->exception());
  EXPECT_EQ(forwards, 3);
}

TEST_F(DeferredCalls, CallNoInterceptorThatHasBeenDestroyed) {
  CORBA::Request_var request = sent();
  pair.client->destroy();
  pair.client = make_orb("another", on_loopback({}));  // which the end of the test destroys
  EXPECT_EQ(calls.take(), (Strings{"A.send_request", "B.send_request", "A.destroy", "B.destroy"}));
  open.set_value();
  request->get_response();
  EXPECT_TRUE(request->env()->exception());
  request = CORBA::Request::_nil();
  EXPECT_EQ(calls.take(), Strings{});
}

}  // namespace
