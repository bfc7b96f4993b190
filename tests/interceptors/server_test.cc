// Server request interceptors: the points and their order, what may be asked where, exceptions and forwards.
#include <corbel/any.h>

#include "tests/interceptors/support.h"

namespace {

using namespace interceptors;

class ServerPoints : public Intercepted {
 protected:
  // Of a request that the object was reached by, with its end.
  static Strings points(const std::string& end) {
    return {"X.receive_request_service_contexts",
            "Y.receive_request_service_contexts",
            "X.receive_request",
            "Y.receive_request",
            "Y." + end,
            "X." + end};
  }
  // One-ways have no reply to wait for.
  Strings wait_for(std::size_t count) {
    Strings all;
    for (int i = 0; i < 2000 && all.size() < count; ++i) {
      const Strings more = requests.take();
      all.insert(all.end(), more.begin(), more.end());
      if (all.size() < count) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return all;
  }
};

TEST_F(ServerPoints, ComeInTheirOrder) {
  pair.remote->ping();
  EXPECT_EQ(requests.take(), points("send_reply"));
  EXPECT_EQ(raised([&] { pair.remote->refuse(0); }), "Empty");
  EXPECT_EQ(requests.take(), points("send_exception"));
  EXPECT_EQ(raised_name([&] { pair.remote->fail(); }), "NO_PERMISSION");
  EXPECT_EQ(requests.take(), points("send_exception"));
  pair.remote->note(4);
  EXPECT_EQ(wait_for(6), points("send_reply")) << "which goes nowhere";
}

TEST_F(ServerPoints, ExceptionsOfOneWaysHaveTheirs) {
  struct Failing : EverythingServant {
    void note(CORBA::Long) override { throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_YES); }
  };
  PortableServer::Servant_var<Failing> servant = new Failing;
  PortableServer::ObjectId_var id = pair.poa->activate_object(servant);
  CORBA::Object_var object = pair.poa->id_to_reference(id);
  object = pair.client->string_to_object(take(pair.server->object_to_string(object)).c_str());
  Contract::Everything_var remote = Contract::Everything::_unchecked_narrow(object);
  remote->note(1);
  EXPECT_EQ(wait_for(6), points("send_exception"));
}

TEST_F(ServerPoints, StandAroundServantManagers) {
  struct Locator : virtual PortableServer::ServantLocator, virtual CORBA::LocalObject {
    explicit Locator(Record& r) : record(r) {}
    PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                      Cookie&) override {
      record.add("preinvoke");
      return &servant;
    }
    void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                    PortableServer::Servant) override {
      record.add("postinvoke");
    }
    Record& record;
    EverythingServant servant;
  };
  CORBA::PolicyList list;
  list.length(2);
  list[0] = pair.poa->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  list[1] = pair.poa->create_servant_retention_policy(PortableServer::NON_RETAIN);
  PortableServer::POAManager_var manager = pair.poa->the_POAManager();
  PortableServer::POA_var poa = pair.poa->create_POA("locator", manager, list);
  PortableServer::ServantManager_var locator = new Locator(requests);
  poa->set_servant_manager(locator);
  CORBA::Object_var object = poa->create_reference(Contract::Everything::_corbel_id);
  object = pair.client->string_to_object(take(pair.server->object_to_string(object)).c_str());
  Contract::Everything_var remote = Contract::Everything::_unchecked_narrow(object);
  remote->ping();
  EXPECT_EQ(requests.take(), (Strings{"X.receive_request_service_contexts",
                                      "Y.receive_request_service_contexts", "preinvoke", "X.receive_request",
                                      "Y.receive_request", "postinvoke", "Y.send_reply", "X.send_reply"}));
}

TEST_F(ServerPoints, RequestsOfTheOrbItselfHaveThemToo) {
  EXPECT_FALSE(pair.remote->_non_existent());
  EXPECT_EQ(requests.take(), points("send_reply"));
}

TEST_F(ServerPoints, ARequestForNothingNeverReachesItsTarget) {
  x->scripts["send_exception"] = [](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(raised([&] { info->object_id(); }), kNotTold);
    EXPECT_EQ(raised([&] { info->adapter_id(); }), kNotTold);
    EXPECT_EQ(raised([&] { info->adapter_name(); }), kNotTold);
    CORBA::Any_var any = info->sending_exception();
    const CORBA::OBJECT_NOT_EXIST* found = nullptr;
    EXPECT_TRUE(any.in() >>= found);
  };
  pair.poa->deactivate_object(pair.id);
  EXPECT_EQ(raised_name([&] { pair.remote->ping(); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(requests.take(),
            (Strings{"X.receive_request_service_contexts", "Y.receive_request_service_contexts",
                     "Y.send_exception", "X.send_exception"}));
}

TEST_F(ServerPoints, ReceiveRequestAndTheLastOneRunWhereTheOperationDoes) {
  std::thread::id at_target, in_operation, at_last;
  bool called = false;
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr) {
    at_target = std::this_thread::get_id();
    EXPECT_FALSE(called);
    CORBA::Object_var object = pair.server->resolve_initial_references("POACurrent");
    PortableServer::Current_var current = PortableServer::Current::_narrow(object);
    PortableServer::ObjectId_var id = current->get_object_id();
    EXPECT_EQ(text_of(id._retn()), text_of(new PortableServer::ObjectId(pair.id.in())));
  };
  pair.servant->script = [&] {
    in_operation = std::this_thread::get_id();
    called = true;
  };
  x->scripts["send_reply"] = [&](PI::ServerRequestInfo_ptr) { at_last = std::this_thread::get_id(); };
  EXPECT_EQ(pair.remote->minus(1), 0);
  EXPECT_EQ(at_target, in_operation);
  EXPECT_EQ(at_last, in_operation);
}

TEST_F(ServerPoints, TellOfTheTarget) {
  const auto known = [&](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(take(info->operation()), "plus");
    EXPECT_EQ(take(info->orb_id()), "pair-server");
    EXPECT_NO_THROW(CORBA::String_var(info->server_id()));
    PI::ObjectId_var id = info->object_id();
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(id->get_buffer()), id->length()),
              std::string(reinterpret_cast<const char*>(pair.id->get_buffer()), pair.id->length()));
    CORBA::OctetSeq_var adapter = info->adapter_id(), of_poa = pair.poa->id();
    EXPECT_EQ(text_of(adapter._retn()), text_of(of_poa._retn()));
    PI::AdapterName_var name = info->adapter_name();
    ASSERT_EQ(name->length(), 1u);
    EXPECT_STREQ(name[0], "RootPOA");
  };
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr info) {
    known(info);
    EXPECT_EQ(take(info->target_most_derived_interface()), Contract::Everything::_corbel_id);
    EXPECT_TRUE(info->target_is_a(Contract::Left::_corbel_id));
    EXPECT_FALSE(info->target_is_a(Contract::Callback::_corbel_id));
    EXPECT_EQ(raised([&] { info->arguments(); }), kNotTold);
    EXPECT_EQ(raised([&] { info->result(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->reply_status(); }), kNotHere);
  };
  x->scripts["send_reply"] = [&](PI::ServerRequestInfo_ptr info) {
    known(info);
    EXPECT_EQ(info->reply_status(), PI::SUCCESSFUL);
    EXPECT_EQ(raised([&] { info->target_is_a(Contract::Left::_corbel_id); }), kNotHere);
    EXPECT_EQ(raised([&] { info->target_most_derived_interface(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->sending_exception(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->result(); }), kNotTold);
    EXPECT_EQ(raised([&] { info->arguments(); }), kNotTold);
    EXPECT_EQ(raised([&] { info->operation_context(); }), kNotTold);
  };
  EXPECT_EQ(pair.remote->plus(1), 2);
  EXPECT_EQ(requests.take(), points("send_reply"));
}

TEST_F(ServerPoints, BeforeTheTargetIsKnownTellOfTheRequestOnly) {
  PI::ServerRequestInfo_var kept;
  x->scripts["receive_request_service_contexts"] = [&](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(take(info->operation()), "ping");
    EXPECT_TRUE(info->response_expected());
    EXPECT_EQ(info->sync_scope(), Messaging::SYNC_WITH_TARGET);
    for (const std::string& result :
         {raised([&] { info->arguments(); }), raised([&] { info->exceptions(); }),
          raised([&] { info->contexts(); }), raised([&] { info->object_id(); }),
          raised([&] { info->adapter_id(); }), raised([&] { info->adapter_name(); }),
          raised([&] { info->server_id(); }), raised([&] { info->orb_id(); }),
          raised([&] { info->target_is_a(""); }), raised([&] { info->target_most_derived_interface(); }),
          raised([&] { info->sending_exception(); }), raised([&] { info->reply_status(); }),
          raised([&] { info->get_reply_service_context(1); }), raised([&] { info->forward_reference(); })})
      EXPECT_EQ(result, kNotHere);
    kept = PI::ServerRequestInfo::_duplicate(info);
  };
  pair.remote->ping();
  EXPECT_EQ(raised([&] { kept->operation(); }), kNotHere) << "the request is over";
}

TEST_F(ServerPoints, TellNothingInBetween) {
  PI::ServerRequestInfo_var kept;
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr info) {
    kept = PI::ServerRequestInfo::_duplicate(info);
  };
  bool asked = false;
  pair.servant->script = [&] {
    asked = true;
    for (const std::string& result :
         {raised([&] { kept->target_is_a(Contract::Left::_corbel_id); }),
          raised([&] { kept->target_most_derived_interface(); }), raised([&] { kept->operation(); }),
          raised([&] { kept->object_id(); }), raised([&] { kept->reply_status(); })})
      EXPECT_EQ(result, kNotHere);
  };
  EXPECT_EQ(pair.remote->minus(1), 0);
  EXPECT_TRUE(asked);
}

TEST_F(ServerPoints, TellOfTheException) {
  x->scripts["send_exception"] = [](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(info->reply_status(), PI::SYSTEM_EXCEPTION);
    CORBA::Any_var any = info->sending_exception();
    const CORBA::NO_PERMISSION* found = nullptr;
    ASSERT_TRUE(any.in() >>= found);
    EXPECT_EQ(found->minor(), 5u);
    for (const std::string& result :
         {raised([&] { info->arguments(); }), raised([&] { info->operation_context(); }),
          raised([&] { info->result(); })})
      EXPECT_EQ(result, kNotHere);
    EXPECT_EQ(raised([&] { info->exceptions(); }), kNotTold);
    EXPECT_EQ(raised([&] { info->contexts(); }), kNotTold);
  };
  EXPECT_EQ(raised_name([&] { pair.remote->fail(); }), "NO_PERMISSION");
  x->scripts["send_exception"] = [](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(info->reply_status(), PI::USER_EXCEPTION);
    CORBA::Any_var any = info->sending_exception();
    const CORBA::UNKNOWN* found = nullptr;
    ASSERT_TRUE(any.in() >>= found) << "static skeletons have no TypeCode of it";
    EXPECT_EQ(found->minor(), kOmg | 3);
  };
  EXPECT_EQ(raised([&] { pair.remote->refuse(0); }), "Empty");
  EXPECT_EQ(requests.take().size(), 12u);
}

TEST_F(ServerPoints, AddContextsToTheReplyAtEveryPoint) {
  const auto add = [](IOP::ServiceId id, const char* what) {
    return [=](PI::ServerRequestInfo_ptr info) {
      info->add_reply_service_context(context(kContext + id, what), false);
    };
  };
  x->scripts["receive_request_service_contexts"] = add(0, "first");
  x->scripts["receive_request"] = add(1, "second");
  x->scripts["send_reply"] = [&](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(text(info->get_reply_service_context(kContext)), "first");
    EXPECT_EQ(raised([&] { add(0, "again")(info); }), "BAD_INV_ORDER/4f4d000f/NO");
    info->add_reply_service_context(context(kContext, "other"), true);
    add(2, "third")(info);
  };
  x->scripts["send_exception"] = add(2, "of an exception");
  std::string seen;
  a->scripts["receive_reply"] = a->scripts["receive_exception"] = [&](PI::ClientRequestInfo_ptr info) {
    seen.clear();
    for (const IOP::ServiceId id : {0, 1, 2})
      seen += text(info->get_reply_service_context(kContext + id)) + " ";
  };
  pair.remote->ping();
  EXPECT_EQ(seen, "other second third ");
  EXPECT_EQ(raised([&] { pair.remote->refuse(0); }), "Empty");
  EXPECT_EQ(seen, "first second of an exception ");
}

TEST_F(ServerPoints, OneWaysSayHowFarTheyAreFollowed) {
  for (const auto& [scope, answered] : {std::pair{Messaging::SYNC_WITH_TRANSPORT, false},
                                        {Messaging::SYNC_WITH_SERVER, true},
                                        {Messaging::SYNC_WITH_TARGET, true}}) {
    CORBA::Any value;
    value <<= scope;
    CORBA::PolicyList policies;
    policies.length(1);
    policies[0] = pair.client->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, value);
    CORBA::Object_var object = pair.remote->_set_policy_overrides(policies, CORBA::SET_OVERRIDE);
    Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
    x->scripts["receive_request_service_contexts"] = [&, wanted = scope,
                                                      response = answered](PI::ServerRequestInfo_ptr info) {
      EXPECT_EQ(info->sync_scope(), wanted);
      EXPECT_EQ(info->response_expected(), response);
    };
    everything->note(1);
    EXPECT_EQ(wait_for(6), points("send_reply")) << scope;
  }
  x->scripts.clear();
  EXPECT_EQ(pair.remote->noted(), 3);
}

// ---- what interceptors raise

TEST_F(ServerPoints, AnExceptionAtTheFirstPointIsTheReply) {
  bool called = false;
  pair.servant->script = [&] { called = true; };
  y->scripts["receive_request_service_contexts"] = [](PI::ServerRequestInfo_ptr) {
    throw CORBA::NO_PERMISSION(8, CORBA::COMPLETED_NO);
  };
  EXPECT_EQ(raised([&] { pair.remote->minus(1); }), "NO_PERMISSION/8/NO");
  EXPECT_EQ(requests.take(), (Strings{"X.receive_request_service_contexts",
                                      "Y.receive_request_service_contexts", "X.send_exception"}));
  EXPECT_FALSE(called);
}

TEST_F(ServerPoints, AnExceptionAtTheTargetIsTheReply) {
  bool called = false;
  pair.servant->script = [&] { called = true; };
  x->scripts["receive_request"] = [](PI::ServerRequestInfo_ptr) {
    throw CORBA::NO_PERMISSION(8, CORBA::COMPLETED_NO);
  };
  EXPECT_EQ(raised([&] { pair.remote->minus(1); }), "NO_PERMISSION/8/NO");
  EXPECT_EQ(requests.take(),
            (Strings{"X.receive_request_service_contexts", "Y.receive_request_service_contexts",
                     "X.receive_request", "Y.send_exception", "X.send_exception"}))
      << "all that were asked first are told";
  EXPECT_FALSE(called);
}

TEST_F(ServerPoints, AnExceptionBehindTheOperationTakesTheReplysPlace) {
  y->scripts["send_reply"] = [](PI::ServerRequestInfo_ptr) {
    throw CORBA::NO_MEMORY(3, CORBA::COMPLETED_YES);
  };
  EXPECT_EQ(raised([&] { pair.remote->ping(); }), "NO_MEMORY/3/YES");
  const Strings all = requests.take();
  EXPECT_EQ(all.back(), "X.send_exception");
  y->scripts["send_reply"] = [&](PI::ServerRequestInfo_ptr) { throw PI::ForwardRequest(pair.remote); };
  EXPECT_EQ(raised_name([&] { pair.remote->ping(); }), "BAD_PARAM") << "replies are not forwarded";
}

TEST_F(ServerPoints, AnotherExceptionIsWhatTheNextAreToldOf) {
  y->scripts["send_exception"] = [](PI::ServerRequestInfo_ptr) {
    throw CORBA::NO_MEMORY(3, CORBA::COMPLETED_YES);
  };
  bool told = false;
  x->scripts["send_exception"] = [&](PI::ServerRequestInfo_ptr info) {
    CORBA::Any_var any = info->sending_exception();
    const CORBA::NO_MEMORY* found = nullptr;
    told = any.in() >>= found;
  };
  EXPECT_EQ(raised([&] { pair.remote->refuse(0); }), "NO_MEMORY/3/YES");
  EXPECT_TRUE(told);
}

TEST_F(ServerPoints, AForwardMayBecomeAnotherOneOrAnException) {
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr) { throw PI::ForwardRequest(pair.local); };
  PortableServer::Servant_var<EverythingServant> second = new EverythingServant;
  PortableServer::ObjectId_var id = pair.poa->activate_object(second);
  CORBA::Object_var elsewhere = pair.poa->id_to_reference(id);
  y->scripts["send_other"] = [&](PI::ServerRequestInfo_ptr) { throw PI::ForwardRequest(elsewhere); };
  x->scripts["send_other"] = [&](PI::ServerRequestInfo_ptr info) {
    CORBA::Object_var to = info->forward_reference();
    EXPECT_TRUE(to->_is_equivalent(elsewhere));
    throw CORBA::NO_MEMORY(3, CORBA::COMPLETED_NO);
  };
  EXPECT_EQ(raised([&] { pair.remote->ping(); }), "NO_MEMORY/3/NO");
  y->scripts["send_other"] = [](PI::ServerRequestInfo_ptr) {
    throw CORBA::NO_MEMORY(4, CORBA::COMPLETED_NO);
  };
  (void)requests.take();
  EXPECT_EQ(raised([&] { pair.remote->ping(); }), "NO_MEMORY/4/NO");
  const Strings all = requests.take();
  EXPECT_EQ(all.back(), "X.send_exception");
}

TEST_F(ServerPoints, ForwardsLeadElsewhere) {
  PortableServer::Servant_var<EverythingServant> second = new EverythingServant;
  second->label("second");
  PortableServer::ObjectId_var id = pair.poa->activate_object(second);
  CORBA::Object_var elsewhere = pair.poa->id_to_reference(id);
  for (const char* const point : {"receive_request_service_contexts", "receive_request", "send_exception"}) {
    CORBA::Object_var fresh = pair.client->string_to_object(pair.ior.c_str());
    Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(fresh);
    bool once = true;
    y->scripts[point] = [&](PI::ServerRequestInfo_ptr) {
      if (std::exchange(once, false)) throw PI::ForwardRequest(elsewhere);
    };
    int others = 0;
    x->scripts["send_other"] = [&](PI::ServerRequestInfo_ptr info) {
      ++others;
      EXPECT_EQ(info->reply_status(), PI::LOCATION_FORWARD);
      CORBA::Object_var to = info->forward_reference();
      EXPECT_TRUE(to->_is_equivalent(elsewhere));
    };
    if (std::string(point) == "send_exception") {
      EXPECT_EQ(raised([&] { everything->refuse(0); }), "Empty");
    }
    EXPECT_EQ(take(everything->label()), "second") << point;
    EXPECT_EQ(others, 1) << point;
    y->scripts.clear();
  }
}

// ---- interceptors for some requests only

TEST(Modes, LetInterceptorsSeeLocalOrRemoteCallsOnly) {
  Record record;
  const auto add = [&](PI::ORBInitInfo_ptr info, bool server, const char* name, PI::ProcessingMode mode) {
    PI::ORBInitInfo_3_1_var newer = PI::ORBInitInfo_3_1::_narrow(info);
    PI::ClientRequestInterceptor_var client = new Client(name, record);
    PI::ServerRequestInterceptor_var of_server = new Server(name, record);
    struct Fixed final : PI::ProcessingModePolicy {
      explicit Fixed(PI::ProcessingMode m) : mode(m) {}
      CORBA::PolicyType policy_type() override { return PI::PROCESSING_MODE_POLICY_TYPE; }
      CORBA::Policy_ptr copy() override { return new Fixed(mode); }
      void destroy() override {}
      PI::ProcessingMode processing_mode() override { return mode; }
      PI::ProcessingMode mode;
    };
    CORBA::PolicyList policies;
    policies.length(1);
    policies[0] = new Fixed(mode);
    if (server) newer->add_server_request_interceptor_with_policy(of_server, policies);
    else newer->add_client_request_interceptor_with_policy(client, policies);
  };
  OnInit server_init("pair-server", [&](PI::ORBInitInfo_ptr info) {
    add(info, true, "remote", PI::REMOTE_ONLY);
    add(info, true, "local", PI::LOCAL_ONLY);
    add(info, false, "own", PI::LOCAL_ONLY);
  });
  OnInit client_init("pair-client", [&](PI::ORBInitInfo_ptr info) {
    add(info, false, "caller", PI::REMOTE_ONLY);
    add(info, false, "nobody", PI::LOCAL_ONLY);
  });
  Pair pair;
  pair.remote->ping();
  EXPECT_EQ(record.take(), (Strings{"caller.send_request", "remote.receive_request_service_contexts",
                                    "remote.receive_request", "remote.send_reply", "caller.receive_reply"}));
  pair.local->ping();
  EXPECT_EQ(record.take(), (Strings{"own.send_request", "local.receive_request_service_contexts",
                                    "local.receive_request", "local.send_reply", "own.receive_reply"}));
}

}  // namespace
