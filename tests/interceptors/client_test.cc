// Client request interceptors: the points and their order, what may be asked where, exceptions and forwards.
#include <corbel/any.h>
#include <corbel/dynamic.h>

#include <new>

#include "orb/ior/ior.h"
#include "tests/interceptors/support.h"
#include "tests/support/failing_new.h"

namespace {

using namespace interceptors;

class ClientPoints : public Intercepted {};

TEST_F(ClientPoints, AReplyIsReceivedInReverseOrder) {
  EXPECT_EQ(pair.remote->plus(1), 2);
  EXPECT_EQ(calls.take(),
            (Strings{"A.send_request", "B.send_request", "B.receive_reply", "A.receive_reply"}));
}

TEST_F(ClientPoints, ExceptionsHaveAPointOfTheirOwn) {
  EXPECT_EQ(raised([&] { pair.remote->refuse(3); }), "Refused");
  EXPECT_EQ(raised([&] { pair.remote->fail(); }), "NO_PERMISSION/5/YES");
  const Strings once{"A.send_request", "B.send_request", "B.receive_exception", "A.receive_exception"};
  Strings twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_EQ(calls.take(), twice);
}

TEST_F(ClientPoints, AOneWayThatNobodyAnswersIsReceivedAsOther) {
  b->scripts["receive_other"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(info->reply_status(), PI::SUCCESSFUL);
    EXPECT_FALSE(info->response_expected());
    EXPECT_EQ(info->sync_scope(), Messaging::SYNC_WITH_TRANSPORT);
    EXPECT_EQ(raised([&] { info->forward_reference(); }), kNotHere);
  };
  pair.remote->note(1);
  EXPECT_EQ(calls.take(),
            (Strings{"A.send_request", "B.send_request", "B.receive_other", "A.receive_other"}));
}

TEST_F(ClientPoints, AOneWayThatIsAnsweredIsReceivedAsAReply) {
  for (const Messaging::SyncScope scope : {Messaging::SYNC_WITH_SERVER, Messaging::SYNC_WITH_TARGET}) {
    CORBA::Any value;
    value <<= scope;
    CORBA::PolicyList policies;
    policies.length(1);
    policies[0] = pair.client->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, value);
    CORBA::Object_var object = pair.remote->_set_policy_overrides(policies, CORBA::SET_OVERRIDE);
    Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
    a->scripts["receive_reply"] = [&](PI::ClientRequestInfo_ptr info) {
      EXPECT_EQ(info->sync_scope(), scope);
      EXPECT_TRUE(info->response_expected());
    };
    everything->note(1);
    EXPECT_EQ(calls.take(),
              (Strings{"A.send_request", "B.send_request", "B.receive_reply", "A.receive_reply"}));
  }
}

TEST_F(ClientPoints, AServerThatCannotBeReachedIsAnException) {
  pair.server->shutdown(true);
  a->scripts["receive_exception"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(info->reply_status(), PI::SYSTEM_EXCEPTION);
    EXPECT_EQ(take(info->received_exception_id()), "IDL:omg.org/CORBA/TRANSIENT:1.0");
  };
  EXPECT_EQ(raised_name([&] { pair.remote->ping(); }), "TRANSIENT");
  EXPECT_EQ(calls.take(),
            (Strings{"A.send_request", "B.send_request", "B.receive_exception", "A.receive_exception"}));
  // The same where it has never been bound.
  CORBA::Object_var fresh = pair.client->string_to_object(pair.ior.c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(fresh);
  EXPECT_EQ(raised_name([&] { everything->minus(1); }), "TRANSIENT");
  EXPECT_EQ(calls.take().size(), 4u);
}

// ---- what may be asked where

TEST_F(ClientPoints, TellOfTheRequestAndItsTarget) {
  CORBA::ULong id = 0;
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    id = info->request_id();
    EXPECT_EQ(take(info->operation()), "plus");
    EXPECT_TRUE(info->response_expected());
    EXPECT_EQ(info->sync_scope(), Messaging::SYNC_WITH_TARGET);
    CORBA::Object_var target = info->target(), effective = info->effective_target();
    EXPECT_TRUE(target->_is_equivalent(pair.remote));
    EXPECT_TRUE(effective->_is_equivalent(pair.remote));
    IOP::TaggedProfile_var profile = info->effective_profile();
    EXPECT_EQ(profile->tag, IOP::TAG_INTERNET_IOP);
    EXPECT_EQ(profile->profile_data[1], 1) << "of IIOP 1.2";
    EXPECT_EQ(profile->profile_data[2], 2);
    IOP::TaggedComponent_var sets = info->get_effective_component(IOP::TAG_CODE_SETS);
    EXPECT_EQ(sets->tag, IOP::TAG_CODE_SETS);
    EXPECT_GT(sets->component_data.length(), 8u);
    IOP::TaggedComponentSeq_var all = info->get_effective_components(IOP::TAG_CODE_SETS);
    EXPECT_EQ(all->length(), 1u);
    EXPECT_EQ(raised([&] { info->get_effective_component(0x43420001); }), "BAD_PARAM/4f4d001c/NO");
    EXPECT_EQ(raised([&] { info->get_effective_components(0x43420001); }), "BAD_PARAM/4f4d001c/NO");
  };
  a->scripts["receive_reply"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(info->request_id(), id);
    EXPECT_EQ(take(info->operation()), "plus");
    EXPECT_EQ(info->reply_status(), PI::SUCCESSFUL);
  };
  EXPECT_EQ(pair.remote->plus(1), 2);
  EXPECT_EQ(calls.take().size(), 4u);
}

TEST_F(ClientPoints, TellOfTheProfileInUse) {
  corbel::ior::Ior ior;
  ASSERT_FALSE(corbel::ior::parse_ior(pair.ior, ior));
  auto unreachable = *corbel::ior::decode_iiop(ior, 0);
  unreachable.address = {"127.0.0.1", 1};
  unreachable.components.clear();
  ior.profiles.insert(ior.profiles.begin(), corbel::ior::encode_iiop(unreachable));
  CORBA::Object_var object = pair.client->string_to_object(corbel::ior::to_string(ior).c_str());
  Contract::Everything_var it = Contract::Everything::_unchecked_narrow(object);
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    IOP::TaggedProfile_var profile = info->effective_profile();
    EXPECT_EQ(text_of(new CORBA::OctetSeq(profile->profile_data)), ior.profiles[1].data);
    IOP::TaggedComponent_var sets = info->get_effective_component(IOP::TAG_CODE_SETS);
    EXPECT_EQ(sets->tag, IOP::TAG_CODE_SETS);
  };
  EXPECT_EQ(raised([&] { it->ping(); }), "none");
}

TEST_F(ClientPoints, TellRequestsApartThatAreUnderWayTogether) {
  std::vector<CORBA::ULong> ids;
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    ids.push_back(info->request_id());
    if (ids.size() == 1) pair.remote->ping();
  };
  pair.remote->ping();
  ASSERT_EQ(ids.size(), 2u);
  EXPECT_NE(ids[0], ids[1]);
}

TEST_F(ClientPoints, RefuseWhatIsNotThereYetOrNoMore) {
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(raised([&] { info->reply_status(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->forward_reference(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->get_reply_service_context(kContext); }), kNotHere);
    EXPECT_EQ(raised([&] { info->received_exception(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->received_exception_id(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->result(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->arguments(); }), kNotTold);
    EXPECT_EQ(raised([&] { info->exceptions(); }), kNotTold);
    EXPECT_EQ(raised([&] { info->contexts(); }), kNotTold);
    EXPECT_EQ(raised([&] { info->operation_context(); }), kNotTold);
  };
  PI::ClientRequestInfo_var kept;
  a->scripts["receive_reply"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(raised([&] { info->add_request_service_context(context(kContext, ""), true); }), kNotHere);
    EXPECT_EQ(raised([&] { info->received_exception(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->forward_reference(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->result(); }), kNotTold);
    EXPECT_EQ(raised([&] { info->arguments(); }), kNotTold);
    kept = PI::ClientRequestInfo::_duplicate(info);
  };
  pair.remote->ping();
  EXPECT_EQ(raised([&] { kept->operation(); }), kNotHere) << "the call is over";
  EXPECT_EQ(raised([&] { kept->target(); }), kNotHere);
  a->scripts["receive_exception"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(raised([&] { info->arguments(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->result(); }), kNotHere);
  };
  EXPECT_EQ(raised_name([&] { pair.remote->fail(); }), "NO_PERMISSION");
}

TEST_F(ClientPoints, TellOfTheException) {
  b->scripts["receive_exception"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(info->reply_status(), PI::USER_EXCEPTION);
    EXPECT_EQ(take(info->received_exception_id()), Contract::Refused::_corbel_id);
    CORBA::Any_var any = info->received_exception();
    const CORBA::UNKNOWN* unknown = nullptr;
    ASSERT_TRUE(any.in() >>= unknown) << "static stubs have no TypeCode of it";
    EXPECT_EQ(unknown->minor(), kOmg | 3);
  };
  try {
    pair.remote->refuse(3);
    ADD_FAILURE() << "nothing was raised";
  } catch (const Contract::Refused& e) {
    EXPECT_STREQ(e.why.in(), "because") << "it arrives whole all the same";
  }
  b->scripts["receive_exception"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(info->reply_status(), PI::SYSTEM_EXCEPTION);
    EXPECT_EQ(take(info->received_exception_id()), "IDL:omg.org/CORBA/NO_PERMISSION:1.0");
    CORBA::Any_var any = info->received_exception();
    const CORBA::NO_PERMISSION* found = nullptr;
    ASSERT_TRUE(any.in() >>= found);
    EXPECT_EQ(found->minor(), 5u);
    EXPECT_EQ(found->completed(), CORBA::COMPLETED_YES);
  };
  EXPECT_EQ(raised_name([&] { pair.remote->fail(); }), "NO_PERMISSION");
}

// ---- service contexts

TEST_F(ClientPoints, ServiceContextsTravelBothWays) {
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(raised([&] { info->get_request_service_context(kContext); }), "BAD_PARAM/4f4d001a/NO");
    info->add_request_service_context(context(kContext, "one"), false);
    EXPECT_EQ(raised([&] { info->add_request_service_context(context(kContext, "two"), false); }),
              "BAD_INV_ORDER/4f4d000f/NO");
    info->add_request_service_context(context(kContext, "three"), true);
    info->add_request_service_context(context(kContext + 1, ""), true);
  };
  b->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(text(info->get_request_service_context(kContext)), "three");
  };
  std::string arrived = "nothing";
  x->scripts["receive_request_service_contexts"] = [&](PI::ServerRequestInfo_ptr info) {
    arrived = text(info->get_request_service_context(kContext)) +
              text(info->get_request_service_context(kContext + 1));
    info->add_reply_service_context(context(kContext, "back"), false);
  };
  a->scripts["receive_reply"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(text(info->get_request_service_context(kContext)), "three");
    EXPECT_EQ(text(info->get_reply_service_context(kContext)), "back");
    EXPECT_EQ(raised([&] { info->get_reply_service_context(kContext + 1); }), "BAD_PARAM/4f4d001a/NO");
  };
  EXPECT_EQ(pair.remote->plus(1), 2);
  EXPECT_EQ(arrived, "three");
  arrived = "nothing";
  Contract::Octets octets;
  octets.length(1 << 20);  // sent from where it is, and asked about first
  Contract::Octets in_out;
  Contract::Octets_var out, result = pair.remote->give_octets(octets, in_out, out);
  EXPECT_EQ(result->length(), 1u << 20);
  EXPECT_EQ(arrived, "three");
  EXPECT_EQ(calls.take().size(), 8u);
}

TEST_F(ClientPoints, ContextsOfAnyLengthGoWithRequestsThatHaveNoArguments) {
  std::size_t length = 0, arrived = 0;
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    info->add_request_service_context(context(kContext, std::string(length, 'x')), false);
  };
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr info) {
    arrived = text(info->get_request_service_context(kContext)).size();
  };
  for (; length < 9; ++length) {
    pair.remote->ping();
    EXPECT_EQ(arrived, length);
  }
}

TEST_F(ClientPoints, ContextsAreThoseOfOneCall) {
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    info->add_request_service_context(context(kContext, "once"), false);
  };
  pair.remote->ping();
  a->scripts.clear();
  x->scripts["receive_request_service_contexts"] = [&](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(raised([&] { info->get_request_service_context(kContext); }), "BAD_PARAM/4f4d001a/NO");
  };
  pair.remote->ping();
  EXPECT_EQ(requests.take().size(), 12u);
}

// ---- what interceptors raise

TEST_F(ClientPoints, AnExceptionBeforeTheRequestEndsIt) {
  b->scripts["send_request"] = [](PI::ClientRequestInfo_ptr) {
    throw CORBA::NO_MEMORY(4, CORBA::COMPLETED_NO);
  };
  a->scripts["receive_exception"] = [](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(take(info->received_exception_id()), "IDL:omg.org/CORBA/NO_MEMORY:1.0");
  };
  EXPECT_EQ(raised([&] { pair.remote->ping(); }), "NO_MEMORY/4/NO");
  EXPECT_EQ(calls.take(), (Strings{"A.send_request", "B.send_request", "A.receive_exception"}))
      << "the one that raised it is not told";
  EXPECT_EQ(requests.take(), Strings{}) << "nothing was sent";
}

TEST_F(ClientPoints, AnExceptionBehindTheReplyTakesItsPlace) {
  b->scripts["receive_reply"] = [](PI::ClientRequestInfo_ptr) {
    throw CORBA::NO_MEMORY(4, CORBA::COMPLETED_YES);
  };
  EXPECT_EQ(raised([&] { pair.remote->ping(); }), "NO_MEMORY/4/YES");
  EXPECT_EQ(calls.take(),
            (Strings{"A.send_request", "B.send_request", "B.receive_reply", "A.receive_exception"}));
  b->scripts.clear();
  b->scripts["receive_exception"] = [](PI::ClientRequestInfo_ptr) {
    throw CORBA::NO_MEMORY(6, CORBA::COMPLETED_NO);
  };
  EXPECT_EQ(raised([&] { pair.remote->refuse(1); }), "NO_MEMORY/6/NO");
  pair.remote->ping();
}

TEST_F(ClientPoints, AnotherExceptionIsWhatTheNextAreToldOf) {
  b->scripts["receive_exception"] = [](PI::ClientRequestInfo_ptr) {
    throw CORBA::NO_MEMORY(6, CORBA::COMPLETED_YES);
  };
  std::string told;
  a->scripts["receive_exception"] = [&](PI::ClientRequestInfo_ptr info) {
    told = take(info->received_exception_id());
    EXPECT_EQ(info->reply_status(), PI::SYSTEM_EXCEPTION);
  };
  EXPECT_EQ(raised([&] { pair.remote->refuse(1); }), "NO_MEMORY/6/YES");
  EXPECT_EQ(told, "IDL:omg.org/CORBA/NO_MEMORY:1.0");
}

TEST_F(ClientPoints, WhatIsNoStandardExceptionIsUnknown) {
  a->scripts["send_request"] = [](PI::ClientRequestInfo_ptr) { throw Contract::Empty(); };
  EXPECT_EQ(raised_name([&] { pair.remote->ping(); }), "UNKNOWN");
  a->scripts["send_request"] = [](PI::ClientRequestInfo_ptr) { throw 7; };
  EXPECT_EQ(raised_name([&] { pair.remote->ping(); }), "UNKNOWN");
}

// ---- forwards

class Forwards : public ClientPoints {
 protected:
  Forwards() : second(new EverythingServant) {
    id = pair.poa->activate_object(second);
    CORBA::Object_var object = pair.poa->id_to_reference(id);
    CORBA::String_var ior = pair.server->object_to_string(object);
    elsewhere = pair.client->string_to_object(ior);
    second->label("second");
  }
  PortableServer::Servant_var<EverythingServant> second;
  PortableServer::ObjectId_var id;
  CORBA::Object_var elsewhere;
};

TEST_F(Forwards, FromSendRequestTheCallIsMadeElsewhere) {
  bool once = true;
  b->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr) {
    if (std::exchange(once, false)) throw PI::ForwardRequest(elsewhere);
  };
  a->scripts["receive_other"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(info->reply_status(), PI::LOCATION_FORWARD);
    CORBA::Object_var to = info->forward_reference();
    EXPECT_TRUE(to->_is_equivalent(elsewhere));
    CORBA::Object_var effective = info->effective_target();
    EXPECT_TRUE(effective->_is_equivalent(pair.remote)) << "that is where this attempt went";
  };
  a->scripts["receive_reply"] = [&](PI::ClientRequestInfo_ptr info) {
    CORBA::Object_var target = info->target(), effective = info->effective_target();
    EXPECT_TRUE(target->_is_equivalent(pair.remote));
    EXPECT_TRUE(effective->_is_equivalent(elsewhere));
  };
  EXPECT_EQ(take(pair.remote->label()), "second");
  EXPECT_EQ(calls.take(), (Strings{"A.send_request", "B.send_request", "A.receive_other", "A.send_request",
                                   "B.send_request", "B.receive_reply", "A.receive_reply"}));
}

TEST_F(Forwards, FromTheLastPointsToo) {
  bool once = true;
  b->scripts["receive_exception"] = [&](PI::ClientRequestInfo_ptr) {
    if (std::exchange(once, false)) throw PI::ForwardRequest(elsewhere);
  };
  EXPECT_EQ(raised([&] { pair.remote->refuse(0); }), "Empty");
  EXPECT_EQ(calls.take(),
            (Strings{"A.send_request", "B.send_request", "B.receive_exception", "A.receive_other",
                     "A.send_request", "B.send_request", "B.receive_exception", "A.receive_exception"}));
}

TEST_F(Forwards, OfTheServerAreReceivedAsOther) {
  bool once = true;
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr) {
    if (std::exchange(once, false)) throw PI::ForwardRequest(elsewhere);
  };
  b->scripts["receive_other"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(info->reply_status(), PI::LOCATION_FORWARD);
    CORBA::Object_var to = info->forward_reference();
    EXPECT_TRUE(to->_is_equivalent(elsewhere));
  };
  EXPECT_EQ(take(pair.remote->label()), "second");
  EXPECT_EQ(calls.take(),
            (Strings{"A.send_request", "B.send_request", "B.receive_other", "A.receive_other",
                     "A.send_request", "B.send_request", "B.receive_reply", "A.receive_reply"}));
}

TEST_F(Forwards, FromReceiveOtherTheNextAreToldOfTheOtherObject) {
  bool once = true;
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr) {
    if (std::exchange(once, false)) throw PI::ForwardRequest(elsewhere);
  };
  b->scripts["receive_other"] = [&](PI::ClientRequestInfo_ptr) { throw PI::ForwardRequest(pair.remote); };
  a->scripts["receive_other"] = [&](PI::ClientRequestInfo_ptr info) {
    CORBA::Object_var to = info->forward_reference();
    EXPECT_TRUE(to->_is_equivalent(pair.remote));
  };
  EXPECT_EQ(take(pair.remote->label()), "none") << "where the last of them sent it";
  EXPECT_EQ(calls.take(),
            (Strings{"A.send_request", "B.send_request", "B.receive_other", "A.receive_other",
                     "A.send_request", "B.send_request", "B.receive_reply", "A.receive_reply"}));
}

TEST_F(Forwards, EndWithAnExceptionOfReceiveOther) {
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr) { throw PI::ForwardRequest(elsewhere); };
  b->scripts["receive_other"] = [](PI::ClientRequestInfo_ptr) {
    throw CORBA::NO_MEMORY(4, CORBA::COMPLETED_NO);
  };
  EXPECT_EQ(raised([&] { pair.remote->ping(); }), "NO_MEMORY/4/NO");
  EXPECT_EQ(calls.take(),
            (Strings{"A.send_request", "B.send_request", "B.receive_other", "A.receive_exception"}));
}

TEST_F(Forwards, OfRepliesAreRefused) {
  b->scripts["receive_reply"] = [&](PI::ClientRequestInfo_ptr) { throw PI::ForwardRequest(elsewhere); };
  EXPECT_EQ(raised_name([&] { pair.remote->ping(); }), "BAD_PARAM");
}

TEST_F(Forwards, ThatLeadNowhereAnyMoreAreTakenBackWithARetry) {
  bool once = true;
  b->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr) {
    if (std::exchange(once, false)) throw PI::ForwardRequest(elsewhere);
  };
  EXPECT_EQ(take(pair.remote->label()), "second");
  pair.poa->deactivate_object(id);
  (void)calls.take();
  a->scripts["receive_other"] = [](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(info->reply_status(), PI::TRANSPORT_RETRY);
    EXPECT_EQ(raised([&] { info->forward_reference(); }), kNotHere);
  };
  EXPECT_EQ(take(pair.remote->label()), "none") << "the first object's";
  EXPECT_EQ(calls.take(),
            (Strings{"A.send_request", "B.send_request", "B.receive_other", "A.receive_other",
                     "A.send_request", "B.send_request", "B.receive_reply", "A.receive_reply"}));
}

// Servant managers that send all requests on to one object.
struct ForwardingActivator : virtual PortableServer::ServantActivator, virtual CORBA::LocalObject {
  explicit ForwardingActivator(CORBA::Object_ptr to) : target(CORBA::Object::_duplicate(to)) {}
  PortableServer::Servant incarnate(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    throw PortableServer::ForwardRequest(target.in());
  }
  void etherealize(const PortableServer::ObjectId&, PortableServer::POA_ptr, PortableServer::Servant,
                   CORBA::Boolean, CORBA::Boolean) override {}
  CORBA::Object_var target;
};
struct ForwardingLocator : virtual PortableServer::ServantLocator, virtual CORBA::LocalObject {
  explicit ForwardingLocator(CORBA::Object_ptr to) : target(CORBA::Object::_duplicate(to)) {}
  PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                    Cookie&) override {
    throw PortableServer::ForwardRequest(target.in());
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                  PortableServer::Servant) override {}
  CORBA::Object_var target;
};

TEST_F(Forwards, OfServantManagersTakeServiceContextsBothWays) {
  CORBA::Object_var target = pair.poa->id_to_reference(id);
  for (const bool retain : {true, false}) {
    CORBA::PolicyList list(3);
    list.length(3);
    list[0] = pair.poa->create_id_assignment_policy(PortableServer::USER_ID);
    list[1] = pair.poa->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
    list[2] = pair.poa->create_servant_retention_policy(retain ? PortableServer::RETAIN
                                                               : PortableServer::NON_RETAIN);
    PortableServer::POAManager_var manager = pair.poa->the_POAManager();
    PortableServer::POA_var poa = pair.poa->create_POA(retain ? "activator" : "locator", manager, list);
    PortableServer::ServantManager_var forwarding;
    if (retain) forwarding = new ForwardingActivator(target);
    else forwarding = new ForwardingLocator(target);
    poa->set_servant_manager(forwarding);
    PortableServer::ObjectId_var moved = PortableServer::string_to_ObjectId("moved");
    CORBA::Object_var there = poa->create_reference_with_id(moved, Contract::Everything::_corbel_id);
    CORBA::Object_var here =
        pair.client->string_to_object(take(pair.server->object_to_string(there)).c_str());
    Contract::Everything_var remote = Contract::Everything::_unchecked_narrow(here);

    int attempts = 0, arrivals = 0;
    Strings arrived, returned;
    a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
      info->add_request_service_context(context(kContext, "attempt " + std::to_string(++attempts)), false);
    };
    x->scripts["receive_request_service_contexts"] = [&](PI::ServerRequestInfo_ptr info) {
      arrived.push_back(text(info->get_request_service_context(kContext)));
      info->add_reply_service_context(context(kContext, "reply " + std::to_string(++arrivals)), false);
    };
    const auto note = [&](PI::ClientRequestInfo_ptr info) {
      returned.push_back(text(info->get_reply_service_context(kContext)));
    };
    a->scripts["receive_other"] = a->scripts["receive_reply"] = note;
    EXPECT_EQ(take(remote->label()), "second");
    EXPECT_EQ(arrived, (Strings{"attempt 1", "attempt 2"}));
    EXPECT_EQ(returned, (Strings{"reply 1", "reply 2"}));
  }
}

TEST_F(Forwards, InACircleEnd) {
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr) { throw PI::ForwardRequest(elsewhere); };
  EXPECT_EQ(raised_name([&] { pair.remote->ping(); }), "TRANSIENT");
  EXPECT_LT(calls.take().size(), 40u);
}

TEST_F(Forwards, ToNothingAreRefused) {
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr) {
    throw PI::ForwardRequest(CORBA::Object::_nil());
  };
  EXPECT_EQ(raised_name([&] { pair.remote->ping(); }), "BAD_PARAM");
}

// ---- calls inside of calls

TEST_F(ClientPoints, CallsThatInterceptorsMakeAreIntercepted) {
  int depth = 0;
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    if (depth++ == 0) {
      EXPECT_EQ(pair.remote->plus(4), 5);
      EXPECT_EQ(take(info->operation()), "ping") << "the outer one is as it was";
    }
  };
  pair.remote->ping();
  EXPECT_EQ(calls.take(),
            (Strings{"A.send_request", "A.send_request", "B.send_request", "B.receive_reply",
                     "A.receive_reply", "B.send_request", "B.receive_reply", "A.receive_reply"}));
}

TEST_F(ClientPoints, CallsInTheSameProcessAreInterceptedAtBothEnds) {
  Record both;
  Client* const client = new Client("C", both);
  Server* const server = new Server("S", both);
  PI::ClientRequestInterceptor_var own_client = client;
  PI::ServerRequestInterceptor_var own_server = server;
  OnInit init("alone", [&](PI::ORBInitInfo_ptr info) {
    info->add_client_request_interceptor(client);
    info->add_server_request_interceptor(server);
  });
  CORBA::ORB_var orb = make_orb("alone", on_loopback());
  PortableServer::POA_var poa = TwoOrbs::activate(orb);
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var object = poa->id_to_reference(id);
  Contract::Everything_var everything = Contract::Everything::_narrow(object);
  (void)both.take();
  client->scripts["send_request"] = [](PI::ClientRequestInfo_ptr info) {
    info->add_request_service_context(context(kContext, "inside"), false);
  };
  server->scripts["receive_request_service_contexts"] = [](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(text(info->get_request_service_context(kContext)), "inside");
    info->add_reply_service_context(context(kContext, "and back"), false);
  };
  client->scripts["receive_reply"] = [](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(text(info->get_reply_service_context(kContext)), "and back");
  };
  EXPECT_EQ(everything->plus(1), 2);
  EXPECT_EQ(both.take(), (Strings{"C.send_request", "S.receive_request_service_contexts", "S.receive_request",
                                  "S.send_reply", "C.receive_reply"}));
  client->scripts.clear();
  server->scripts.clear();
  EXPECT_EQ(raised([&] { everything->refuse(0); }), "Empty");
  EXPECT_EQ(both.take(), (Strings{"C.send_request", "S.receive_request_service_contexts", "S.receive_request",
                                  "S.send_exception", "C.receive_exception"}));
  orb->destroy();
}

// Memory runs out behind send_request, where the request gets its contexts: no lock is lost with it.
TEST(ClientContexts, ThereIsNoMemoryForKeepNobodyElse) {
  Record record;
  Client* const client = new Client("A", record);
  PI::ClientRequestInterceptor_var own = client;
  OnInit init("pair-client", [&](PI::ORBInitInfo_ptr info) { info->add_client_request_interceptor(client); });
  Pair pair;
  int n = 0;
  client->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    info->add_request_service_context(context(0x5678, std::string(2000, 'x')), false);
    allocation_that_fails = n;
  };
  for (int i = 1; i < 12; ++i) {
    n = i;
    try {
      pair.remote->minus(1);
    } catch (const std::bad_alloc&) {
    } catch (const CORBA::SystemException&) {
    }
    allocation_that_fails = n = 0;
    EXPECT_EQ(pair.remote->minus(i), i - 1);
  }
}

TEST(ClientContexts, ThereIsNoMemoryForEndADeferredRequestForInterceptors) {
  Record record;
  Client* const client = new Client("A", record);
  PI::ClientRequestInterceptor_var own = client;
  OnInit init("pair-client", [&](PI::ORBInitInfo_ptr info) { info->add_client_request_interceptor(client); });
  Pair pair;
  int n = 0, failures = 0;
  client->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    info->add_request_service_context(context(0x5678, std::string(2000, 'x')), false);
    allocation_that_fails = n;
  };
  pair.remote->ping();
  (void)record.take();
  for (int i = 1; i < 12; ++i) {
    CORBA::Request_var request = pair.remote->_request("ping");
    n = i;
    try {
      request->send_deferred();
    } catch (const std::bad_alloc&) {
      ++failures;
    } catch (const CORBA::SystemException&) {
      ++failures;
    }
    allocation_that_fails = n = 0;
    request = CORBA::Request::_nil();
    const Strings points = record.take();
    ASSERT_EQ(points.size(), 2u) << i;
    EXPECT_EQ(points[1], "A.receive_other") << i;
  }
  EXPECT_GT(failures, 0);
}

}  // namespace
