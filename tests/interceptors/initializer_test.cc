// ORBInitializer and ORBInitInfo: what ORB_init does with them, and what is registered.
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "tests/interceptors/support.h"
#include "tests/interop/serve.h"

namespace {

using namespace interceptors;

// A local object of the program's.
class Thing final : public PI::PolicyFactory {
 public:
  CORBA::Policy_ptr create_policy(CORBA::PolicyType, const CORBA::Any&) override {
    throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY);
  }
};

TEST(Initializers, RunInsideOrbInitOnceForEachOrb) {
  int pre = 0, post = 0;
  OnInit init(
      "once", [&](PI::ORBInitInfo_ptr) { EXPECT_EQ(++pre, 1); },
      [&](PI::ORBInitInfo_ptr) {
        EXPECT_EQ(pre, 1);
        ++post;
      });
  CORBA::ORB_var orb = make_orb("once");
  EXPECT_EQ(post, 1);
  CORBA::ORB_var same = make_orb("once");
  EXPECT_EQ(post, 1);
  orb->destroy();
}

TEST(Initializers, OfAThreadThatAForkedChildHasNotAreNotWaitedFor) {
  std::promise<void> running, forked;
  OnInit init("forked", [&](PI::ORBInitInfo_ptr) {
    running.set_value();
    forked.get_future().wait();
  });
  CORBA::ORB_var orb;
  std::thread maker([&] { orb = make_orb("forked"); });
  running.get_future().wait();
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    CORBA::ORB_var same = make_orb("forked");
    _exit(0);
  }
  forked.set_value();
  maker.join();
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  orb->destroy();
}

TEST(Initializers, LearnTheArgumentsAndTheIdOfTheOrb) {
  OnInit init("told", [&](PI::ORBInitInfo_ptr info) {
    EXPECT_EQ(take(info->orb_id()), "told");
    CORBA::StringSeq_var arguments = info->arguments();
    ASSERT_EQ(arguments->length(), 2u);
    EXPECT_STREQ(arguments[0], "--first");
    EXPECT_STREQ(arguments[1], "second");
    IOP::CodecFactory_var factory = info->codec_factory();
    IOP::Codec_var codec = factory->create_codec({0, 1, 2});
    CORBA::OctetSeq_var octets = codec->encode_value(any(3));
    EXPECT_EQ(octets->length(), 8u);
  });
  CORBA::ORB_var orb = make_orb("told", {"--first", "second"});
  orb->destroy();
}

TEST(Initializers, AreOfNoUseAfterOrbInit) {
  PI::ORBInitInfo_var kept;
  OnInit init("kept", [&](PI::ORBInitInfo_ptr info) { kept = PI::ORBInitInfo::_duplicate(info); });
  CORBA::ORB_var orb = make_orb("kept");
  EXPECT_EQ(raised_name([&] { kept->orb_id(); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(raised_name([&] { kept->allocate_slot_id(); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(raised_name([&] { kept->resolve_initial_references("RootPOA"); }), "OBJECT_NOT_EXIST");
  orb->destroy();
}

TEST(Initializers, WhatTheyRaiseOrbInitRaises) {
  bool fail = true;
  OnInit init("failing", [&](PI::ORBInitInfo_ptr) {
    if (fail) throw CORBA::INITIALIZE(9, CORBA::COMPLETED_NO);
  });
  EXPECT_EQ(raised([&] { make_orb("failing"); }), "INITIALIZE/9/NO");
  fail = false;
  CORBA::ORB_var orb = make_orb("failing");  // there was none
  EXPECT_EQ(take(orb->id()), "failing");
  orb->destroy();
}

TEST(Initializers, OtherThreadsWaitUntilTheOrbIsInitialized) {
  lifecycle::Gate gate;
  std::atomic<bool> initialized{false};
  OnInit init("slow", nullptr, [&](PI::ORBInitInfo_ptr) {
    gate.wait();
    initialized = true;
  });
  std::thread first([&] { CORBA::ORB_var orb = make_orb("slow"); });
  ASSERT_TRUE(gate.wait_until_inside(1));
  std::atomic<bool> seen{false};
  std::thread second([&] {
    CORBA::ORB_var orb = make_orb("slow");
    seen = initialized.load();
  });
  CORBA::ORB_var other = make_orb("not so slow");  // nobody waits for another's
  other->destroy();
  gate.open();
  first.join();
  second.join();
  EXPECT_TRUE(seen);
  CORBA::ORB_var orb = make_orb("slow");
  orb->destroy();
}

TEST(Initializers, RegisterInitialReferences) {
  CORBA::Object_var thing = new Thing;
  OnInit init(
      "registering",
      [&](PI::ORBInitInfo_ptr info) {
        info->register_initial_reference("Thing", thing);
        EXPECT_EQ(raised([&] { info->register_initial_reference("Thing", thing); }), "InvalidName");
        EXPECT_EQ(raised([&] { info->register_initial_reference("", thing); }), "InvalidName");
        EXPECT_EQ(raised([&] { info->register_initial_reference("RootPOA", thing); }), "InvalidName");
        EXPECT_EQ(raised([&] { info->register_initial_reference("Nothing", nullptr); }),
                  "BAD_PARAM/4f4d001b/NO");
        EXPECT_EQ(raised([&] { info->resolve_initial_references("Thing"); }), kNotHere);
      },
      [&](PI::ORBInitInfo_ptr info) {
        CORBA::Object_var found = info->resolve_initial_references("Thing");
        EXPECT_EQ(found.in(), thing.in());
        EXPECT_EQ(raised([&] { info->resolve_initial_references("Nothing"); }), "InvalidName");
        CORBA::Object_var root = info->resolve_initial_references("RootPOA");
        PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
        EXPECT_TRUE(poa.in());
      });
  CORBA::ORB_var orb = make_orb("registering", on_loopback());
  CORBA::Object_var found = orb->resolve_initial_references("Thing");
  EXPECT_EQ(found.in(), thing.in());
  CORBA::ORB::ObjectIdList_var names = orb->list_initial_services();
  int listed = 0;
  for (CORBA::ULong i = 0; i < names->length(); ++i)
    for (const char* const name : {"Thing", "CodecFactory", "PICurrent"})
      listed += std::string(names[i]) == name;
  EXPECT_EQ(listed, 3);
  orb->destroy();
}

TEST(Initializers, NamesOfInterceptorsAreUniqueButForThoseWithoutOne) {
  Record record;
  OnInit init("names", [&](PI::ORBInitInfo_ptr info) {
    PI::ClientRequestInterceptor_var client = new Client("same", record);
    PI::ClientRequestInterceptor_var anonymous = new Client("", record);
    PI::ServerRequestInterceptor_var server = new Server("same", record);
    info->add_client_request_interceptor(client);
    try {
      info->add_client_request_interceptor(client);
      ADD_FAILURE() << "nothing was raised";
    } catch (const PI::ORBInitInfo::DuplicateName& e) {
      EXPECT_STREQ(e.name.in(), "same");
    }
    info->add_server_request_interceptor(server);  // of another kind
    info->add_client_request_interceptor(anonymous);
    info->add_client_request_interceptor(anonymous);
    EXPECT_EQ(raised_name([&] { info->add_client_request_interceptor(nullptr); }), "BAD_PARAM");
  });
  CORBA::ORB_var orb = make_orb("names");
  orb->destroy();
  EXPECT_EQ(record.take(), (Strings{"same.destroy", ".destroy", ".destroy", "same.destroy"}));
}

TEST(Initializers, CallsThatTheyMakeAreNotIntercepted) {
  Record record;
  Pair pair;
  PI::ClientRequestInterceptor_var client = new Client("A", record);
  const auto call = [&](CORBA::Object_ptr object) { EXPECT_FALSE(object->_non_existent()); };
  OnInit init(
      "calling", [&](PI::ORBInitInfo_ptr info) { info->add_client_request_interceptor(client); },
      [&](PI::ORBInitInfo_ptr info) {
        CORBA::Object_var object = info->resolve_initial_references("Pair");
        call(object);
      });
  CORBA::ORB_var orb = make_orb("calling", {"-ORBInitRef", "Pair=" + pair.ior});
  EXPECT_EQ(record.take(), Strings{});
  CORBA::Object_var object = orb->resolve_initial_references("Pair");
  call(object);
  EXPECT_EQ(record.take(), (Strings{"A.send_request", "A.receive_reply"}));
  orb->destroy();
}

TEST(Initializers, PoliciesOfInterceptorsAreModesOnly) {
  Record record;
  OnInit init("modes", [&](PI::ORBInitInfo_ptr info) {
    struct Other final : CORBA::Policy {
      CORBA::PolicyType policy_type() override { return 0x43420055; }
      CORBA::Policy_ptr copy() override { return new Other; }
      void destroy() override {}
    };
    CORBA::PolicyList policies;
    policies.length(1);
    policies[0] = new Other;
    PI::ORBInitInfo_3_1_var newer = PI::ORBInitInfo_3_1::_narrow(info);
    PI::ClientRequestInterceptor_var client = new Client("", record);
    PI::ServerRequestInterceptor_var server = new Server("", record);
    EXPECT_EQ(raised([&] { newer->add_client_request_interceptor_with_policy(client, policies); }),
              "PolicyError");
    EXPECT_EQ(raised([&] { newer->add_server_request_interceptor_with_policy(server, policies); }),
              "PolicyError");
  });
  CORBA::ORB_var orb = make_orb("modes");
  orb->destroy();
  EXPECT_EQ(record.take(), Strings{}) << "none was registered";
}

// ---- the end

TEST(Destruction, OfInterceptorsComesBehindTheLastRequest) {
  Record record;
  PI::ServerRequestInterceptor_var server = new Server("X", record);
  OnInit init("ending", [&](PI::ORBInitInfo_ptr info) { info->add_server_request_interceptor(server); });
  CORBA::ORB_var orb = make_orb("ending", on_loopback()), other = make_orb("other");
  PortableServer::POA_var poa = TwoOrbs::activate(orb);
  PortableServer::Servant_var<lifecycle::ScriptedServant> servant = new lifecycle::ScriptedServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var object = poa->id_to_reference(id);
  object = other->string_to_object(take(orb->object_to_string(object)).c_str());
  Contract::Everything_var remote = Contract::Everything::_unchecked_narrow(object);
  lifecycle::Gate gate;
  servant->script = [&] { gate.wait(); };
  std::thread caller([&] { EXPECT_EQ(remote->minus(1), 0); });
  ASSERT_TRUE(gate.wait_until_inside(1));
  std::thread destroyer([&] { orb->destroy(); });
  while (raised([&] { CORBA::Object_var root = orb->resolve_initial_references("RootPOA"); }) == "none")
    std::this_thread::yield();  // until it has begun
  gate.open();
  caller.join();
  destroyer.join();
  other->destroy();
  EXPECT_EQ(record.take(), (Strings{"X.receive_request_service_contexts", "X.receive_request", "X.send_reply",
                                    "X.destroy"}));
}

TEST(Destruction, LetsInterceptorsCallOtherOrbs) {
  Pair pair;
  struct Caller final : PI::ClientRequestInterceptor {
    char* name() override { return CORBA::string_dup(""); }
    void destroy() override {
      result = raised([&] { EXPECT_EQ(target->plus(1), 2); });
    }
    void send_request(PI::ClientRequestInfo_ptr) override {}
    void send_poll(PI::ClientRequestInfo_ptr) override {}
    void receive_reply(PI::ClientRequestInfo_ptr) override {}
    void receive_exception(PI::ClientRequestInfo_ptr) override {}
    void receive_other(PI::ClientRequestInfo_ptr) override {}
    Contract::Everything_var target;
    std::string result;
  };
  Caller* const caller = new Caller;
  PI::ClientRequestInterceptor_var own = caller;
  OnInit init("calling", [&](PI::ORBInitInfo_ptr info) { info->add_client_request_interceptor(own); });
  for (const char* const model : {"none", "pool", "connection", "reactive"}) {
    const bool serves = std::string(model) != "none";
    CORBA::ORB_var orb = make_orb("calling", serves ? on_loopback({"-ORBserverModel", model}) : Strings{});
    if (serves) PortableServer::POA_var poa = TwoOrbs::activate(orb);
    CORBA::Object_var object = orb->string_to_object(pair.ior.c_str());
    caller->target = Contract::Everything::_narrow(object);
    orb->destroy();
    EXPECT_EQ(caller->result, "none") << model;
    EXPECT_EQ(raised_name([&] { caller->target->ping(); }), "OBJECT_NOT_EXIST") << "nobody calls afterwards";
  }
}

// The calls of other threads are given up, and their interceptors hear of it before.
TEST(Destruction, OfInterceptorsComesBehindTheLastCall) {
  for (const char* const model : {"none", "pool", "connection", "reactive"}) {
    Record record;
    PI::ClientRequestInterceptor_var client = new Client("A", record);
    OnInit init("ending", [&](PI::ORBInitInfo_ptr info) { info->add_client_request_interceptor(client); });
    lifecycle::Gate gate;  // the server is in it longer than the caller waits
    Pair pair;
    const bool serves = std::string(model) != "none";
    CORBA::ORB_var orb = make_orb("ending", serves ? on_loopback({"-ORBserverModel", model}) : Strings{});
    if (serves) PortableServer::POA_var poa = TwoOrbs::activate(orb);
    CORBA::Object_var object = orb->string_to_object(pair.ior.c_str());
    Contract::Everything_var remote = Contract::Everything::_unchecked_narrow(object);
    pair.servant->script = [&] { gate.wait(); };
    std::string result;
    std::thread caller([&] { result = raised_name([&] { remote->minus(1); }); });
    EXPECT_TRUE(gate.wait_until_inside(1));
    orb->destroy();
    const Strings seen = record.take();
    gate.open();
    caller.join();
    EXPECT_EQ(result, "COMM_FAILURE") << model;
    EXPECT_EQ(seen, (Strings{"A.send_request", "A.receive_exception", "A.destroy"})) << model;
    EXPECT_EQ(record.take(), Strings{}) << model;
  }
}

TEST(Destruction, OfInterceptorsComesBehindTheLastCallBackOverAClientsConnection) {
  for (const char* const model : {"pool", "connection", "reactive"}) {
    Record record;
    PI::ClientRequestInterceptor_var client = new Client("A", record);
    OnInit init("pair-server",
                [&](PI::ORBInitInfo_ptr info) { info->add_client_request_interceptor(client); });
    struct Keeper final : EverythingServant {
      CORBA::Long call_back(Contract::Callback_ptr target, CORBA::Long) override {
        kept = Contract::Callback::_duplicate(target);
        return 0;
      }
      Contract::Callback_var kept;
    };
    struct Waiting final : CallbackServant {
      CORBA::Long twice(CORBA::Long n) override {
        gate.wait();
        return 2 * n;
      }
      lifecycle::Gate gate;
    };
    Pair pair({"-ORBserverModel", model, "-ORBtransports", "tcp", "-ORBacceptBiDirectionalGIOP", "1"},
              {"-ORBtransports", "tcp", "-ORBpublishHost", "127.0.0.2", "-ORBofferBiDirectionalGIOP", "1"});
    std::thread loop([&] { run(pair.server.in()); });
    PortableServer::Servant_var<Keeper> keeper = new Keeper;
    PortableServer::ObjectId_var id = pair.poa->activate_object(keeper);
    CORBA::Object_var object = pair.poa->id_to_reference(id);
    object = pair.client->string_to_object(take(pair.server->object_to_string(object)).c_str());
    Contract::Everything_var remote = Contract::Everything::_unchecked_narrow(object);
    PortableServer::POA_var poa = TwoOrbs::activate(pair.client);
    PortableServer::Servant_var<Waiting> waiting = new Waiting;
    PortableServer::ObjectId_var own = poa->activate_object(waiting);
    object = poa->id_to_reference(own);
    Contract::Callback_var target = Contract::Callback::_unchecked_narrow(object);
    EXPECT_EQ(remote->call_back(target, 1), 0);
    std::string result;
    std::thread caller([&] { result = raised_name([&] { keeper->kept->twice(1); }); });
    EXPECT_TRUE(waiting->gate.wait_until_inside(1));
    pair.server->destroy();
    const Strings seen = record.take();
    waiting->gate.open();
    caller.join();
    loop.join();
    EXPECT_EQ(result, "COMM_FAILURE") << model;
    EXPECT_EQ(seen, (Strings{"A.send_request", "A.receive_exception", "A.destroy"})) << model;
    EXPECT_EQ(record.take(), Strings{}) << model;
    keeper->kept = Contract::Callback::_nil();
    pair.server = make_orb("pair-server");
  }
}

TEST(Destruction, IsRefusedInAnInterceptor) {
  Record record;
  Client* const client = new Client("A", record);
  PI::ClientRequestInterceptor_var own = client;
  OnInit init("inside", [&](PI::ORBInitInfo_ptr info) { info->add_client_request_interceptor(client); });
  Pair pair;
  CORBA::ORB_var orb = make_orb("inside");
  std::string result;
  client->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr) {
    result = raised([&] { orb->destroy(); });
  };
  CORBA::Object_var object = orb->string_to_object(pair.ior.c_str());
  Contract::Everything_var remote = Contract::Everything::_unchecked_narrow(object);
  EXPECT_EQ(remote->minus(1), 0);
  EXPECT_EQ(result, "BAD_INV_ORDER/4f4d0003/NO");
  orb->destroy();
  EXPECT_EQ(record.take(), (Strings{"A.send_request", "A.receive_reply", "A.destroy"}));
}

TEST(Destruction, LetsInterceptorsWaitForWhoeverDestroysTheOrbToo) {
  struct Waiting final : PI::IORInterceptor {
    char* name() override { return CORBA::string_dup(""); }
    void destroy() override {
      other = std::thread([&] { result = raised_name([&] { orb->destroy(); }); });
      other.join();
    }
    void establish_components(PI::IORInfo_ptr) override {}
    CORBA::ORB_var orb;
    std::thread other;
    std::string result;
  };
  Waiting* const waiting = new Waiting;
  PI::IORInterceptor_var own = waiting;
  OnInit init("joined", [&](PI::ORBInitInfo_ptr info) { info->add_ior_interceptor(own); });
  CORBA::ORB_var orb = make_orb("joined");
  waiting->orb = orb;
  orb->destroy();
  EXPECT_EQ(waiting->result, "OBJECT_NOT_EXIST");
  waiting->orb = CORBA::ORB::_nil();
}

TEST(Initializers, NilIsNoInitializer) {
  EXPECT_EQ(raised_name([] { PI::register_orb_initializer(nullptr); }), "BAD_PARAM");
}

TEST(Initializers, SlotsAreNumberedFromNothing) {
  OnInit init("numbers", [&](PI::ORBInitInfo_ptr info) {
    EXPECT_EQ(info->allocate_slot_id(), 0u);
    EXPECT_EQ(info->allocate_slot_id(), 1u);
  });
  CORBA::ORB_var orb = make_orb("numbers");
  orb->destroy();
}

}  // namespace
