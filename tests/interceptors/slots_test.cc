// PICurrent: what its slots hold for threads, calls, requests and interceptors.
#include <corbel/any.h>

#include <atomic>
#include <thread>

#include "tests/interceptors/support.h"

namespace {

using namespace interceptors;

class SlotsOf : public Intercepted {
 protected:
  static PI::Current_var current(CORBA::ORB_ptr orb) {
    CORBA::Object_var object = orb->resolve_initial_references("PICurrent");
    return PI::Current::_narrow(object);
  }
  PI::Current_var client = current(pair.client), server = current(pair.server);
};

TEST_F(SlotsOf, AThreadAreItsOwn) {
  EXPECT_EQ(number(client->get_slot(slot)), -1);
  client->set_slot(slot, any(5));
  EXPECT_EQ(number(client->get_slot(slot)), 5);
  EXPECT_EQ(number(server->get_slot(slot)), -1) << "each ORB has its own";
  std::thread([&] { EXPECT_EQ(number(client->get_slot(slot)), -1); }).join();
  CORBA::Any_var unset = server->get_slot(slot);
  CORBA::TypeCode_var type = unset->type();
  EXPECT_EQ(type->kind(), CORBA::tk_null);
}

TEST_F(SlotsOf, AnUnknownNumberAreInvalid) {
  EXPECT_EQ(raised([&] { client->get_slot(slot + 1); }), "InvalidSlot");
  EXPECT_EQ(raised([&] { client->set_slot(slot + 1, any(1)); }), "InvalidSlot");
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(raised([&] { info->get_slot(slot + 1); }), "InvalidSlot");
  };
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(raised([&] { info->get_slot(slot + 1); }), "InvalidSlot");
    EXPECT_EQ(raised([&] { info->set_slot(slot + 1, any(1)); }), "InvalidSlot");
  };
  pair.remote->ping();
  EXPECT_EQ(calls.take().size() + requests.take().size(), 10u);
}

TEST_F(SlotsOf, AnOrbThatIsBeingInitializedAreClosed) {
  OnInit init("closed", nullptr, [&](PI::ORBInitInfo_ptr info) {
    const PI::SlotId id = info->allocate_slot_id();
    CORBA::Object_var object = info->resolve_initial_references("PICurrent");
    PI::Current_var current = PI::Current::_narrow(object);
    EXPECT_EQ(raised([&] { current->get_slot(id); }), kNotHere);
    EXPECT_EQ(raised([&] { current->set_slot(id, any(1)); }), kNotHere);
  });
  CORBA::ORB_var orb = make_orb("closed");
  EXPECT_EQ(number(current(orb)->get_slot(0)), -1);
  orb->destroy();
}

TEST_F(SlotsOf, ACallAreThoseOfItsThreadWhenItBegan) {
  client->set_slot(slot, any(5));
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(number(info->get_slot(slot)), 5);
    EXPECT_EQ(number(client->get_slot(slot)), 5);
    client->set_slot(slot, any(6));
    EXPECT_EQ(number(info->get_slot(slot)), 5) << "the call's are a copy";
  };
  b->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(number(client->get_slot(slot)), 6);
    EXPECT_EQ(number(info->get_slot(slot)), 5);
  };
  a->scripts["receive_reply"] = [&](PI::ClientRequestInfo_ptr info) {
    EXPECT_EQ(number(info->get_slot(slot)), 5);
  };
  pair.remote->ping();
  EXPECT_EQ(number(client->get_slot(slot)), 5) << "what interceptors set is not the caller's";
  EXPECT_EQ(calls.take().size(), 4u);
}

TEST_F(SlotsOf, ACallThatIsMadeAgainAreTheSame) {
  client->set_slot(slot, any(5));
  std::vector<CORBA::Long> seen;
  bool once = true;
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    seen.push_back(number(info->get_slot(slot)));
    client->set_slot(slot, any(6));
    if (std::exchange(once, false)) throw PI::ForwardRequest(pair.remote);
  };
  pair.remote->ping();
  EXPECT_EQ(seen, (std::vector<CORBA::Long>{5, 5}));
}

TEST_F(SlotsOf, AnInterceptorsOwnCallsTellThemFromOthers) {
  int outer = 0, inner = 0;
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    if (number(info->get_slot(slot)) == 1) {
      ++inner;
      return;
    }
    ++outer;
    client->set_slot(slot, any(1));
    EXPECT_EQ(pair.remote->plus(1), 2);
  };
  pair.remote->ping();
  pair.remote->ping();
  EXPECT_EQ(outer, 2);
  EXPECT_EQ(inner, 2);
}

TEST_F(SlotsOf, ARequestAreEmptyAndThenTheOperations) {
  x->scripts["receive_request_service_contexts"] = [&](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(number(info->get_slot(slot)), -1);
    info->set_slot(slot, any(7));
  };
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(number(info->get_slot(slot)), 7);
    EXPECT_EQ(number(server->get_slot(slot)), 7);
  };
  pair.servant->script = [&] {
    EXPECT_EQ(number(server->get_slot(slot)), 7);
    server->set_slot(slot, any(8));
  };
  x->scripts["send_reply"] = [&](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(number(info->get_slot(slot)), 8) << "what the operation set";
  };
  EXPECT_EQ(pair.remote->minus(1), 0);
  EXPECT_EQ(pair.remote->minus(1), 0) << "nothing is left of the one before";
  EXPECT_EQ(requests.take().size(), 12u);
}

TEST_F(SlotsOf, ARequestGoToTheMainThreadAndBack) {
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = pair.poa->create_thread_policy(PortableServer::MAIN_THREAD_MODEL);
  PortableServer::POAManager_var manager = pair.poa->the_POAManager();
  PortableServer::POA_var poa = pair.poa->create_POA("main", manager, policies);
  PortableServer::Servant_var<lifecycle::ScriptedServant> servant = new lifecycle::ScriptedServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var object = poa->id_to_reference(id);
  const std::string ior = take(pair.server->object_to_string(object));
  object = pair.client->string_to_object(ior.c_str());
  Contract::Everything_var remote = Contract::Everything::_unchecked_narrow(object);
  const auto main = std::this_thread::get_id();
  x->scripts["receive_request_service_contexts"] = [&](PI::ServerRequestInfo_ptr info) {
    info->set_slot(slot, any(7));
  };
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(number(info->get_slot(slot)), 7);
    EXPECT_EQ(std::this_thread::get_id(), main);
  };
  servant->script = [&] {
    EXPECT_EQ(std::this_thread::get_id(), main);
    EXPECT_EQ(number(server->get_slot(slot)), 7);
    server->set_slot(slot, any(8));
  };
  x->scripts["send_reply"] = [&](PI::ServerRequestInfo_ptr info) {
    EXPECT_EQ(number(info->get_slot(slot)), 8) << "what the operation set";
    EXPECT_EQ(std::this_thread::get_id(), main);
  };
  server->set_slot(slot, any(1));
  std::atomic<bool> done{false};
  std::thread caller([&] {
    EXPECT_EQ(remote->minus(1), 0);
    done = true;
  });
  while (!done)
    if (pair.server->work_pending()) pair.server->perform_work();
  caller.join();
  EXPECT_EQ(number(server->get_slot(slot)), 1) << "the main thread's own";
  EXPECT_EQ(requests.take().size(), 6u);
}

TEST_F(SlotsOf, ARequestSetAtTheTargetAreTheOperationsToo) {
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr info) { info->set_slot(slot, any(9)); };
  CORBA::Long seen = 0;
  pair.servant->script = [&] { seen = number(server->get_slot(slot)); };
  pair.remote->minus(1);
  EXPECT_EQ(seen, 9);
}

TEST_F(SlotsOf, TheThreadSetAtTheTargetAreTheOperationsAndNotYetTheRequests) {
  x->scripts["receive_request_service_contexts"] = [&](PI::ServerRequestInfo_ptr info) {
    info->set_slot(slot, any(8));
  };
  x->scripts["receive_request"] = [&](PI::ServerRequestInfo_ptr info) {
    server->set_slot(slot, any(9));
    EXPECT_EQ(number(info->get_slot(slot)), 8);
  };
  CORBA::Long seen = 0, at_last = 0;
  pair.servant->script = [&] { seen = number(server->get_slot(slot)); };
  x->scripts["send_reply"] = [&](PI::ServerRequestInfo_ptr info) { at_last = number(info->get_slot(slot)); };
  pair.remote->minus(1);
  EXPECT_EQ(seen, 9);
  EXPECT_EQ(at_last, 9);
}

TEST_F(SlotsOf, TheServerReachTheCallsThatAnOperationMakes) {
  // An ORB that serves and calls.
  Record record;
  Client* const nested = new Client("N", record);
  PI::ClientRequestInterceptor_var own = nested;
  OnInit init("both", [&](PI::ORBInitInfo_ptr info) {
    info->add_client_request_interceptor(nested);
    Server* const first = new Server("F", record);
    PI::ServerRequestInterceptor_var own_first = first;
    first->scripts["receive_request_service_contexts"] = [](PI::ServerRequestInfo_ptr i) {
      i->set_slot(0, any(11));
    };
    info->add_server_request_interceptor(first);
    EXPECT_EQ(info->allocate_slot_id(), 0u);
  });
  CORBA::ORB_var orb = make_orb("both", on_loopback());
  PortableServer::POA_var poa = TwoOrbs::activate(orb);
  PortableServer::Servant_var<lifecycle::ScriptedServant> servant = new lifecycle::ScriptedServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var object = poa->id_to_reference(id);
  Contract::Everything_var local = Contract::Everything::_narrow(object);
  CORBA::Object_var imported = orb->string_to_object(pair.ior.c_str());
  Contract::Everything_var other = Contract::Everything::_unchecked_narrow(imported);
  PI::Current_var here = current(orb);
  here->set_slot(0, any(10));
  Strings seen;
  nested->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    seen.push_back(take(info->operation()) + " " + std::to_string(number(info->get_slot(0))));
  };
  servant->script = [&] { other->ping(); };
  EXPECT_EQ(local->minus(1), 0);
  EXPECT_EQ(seen, (Strings{"minus 10", "ping 11"}));
  EXPECT_EQ(number(here->get_slot(0)), 10) << "the operation ran in this thread, with slots of its own";
  orb->destroy();
}

}  // namespace
