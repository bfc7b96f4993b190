// How ORBs begin, run and end.
#include <malloc.h>
#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <future>
#include <iterator>
#include <sstream>
#include <thread>

#include "orb/ior/ior.h"
#include "tests/lifecycle/support.h"
#include "tests/support/other_locale.h"

namespace {

using namespace lifecycle;

TEST(OrbIdentity, TheSameIdGivesTheSameOrb) {
  CORBA::ORB_var a = make_orb("one"), b = make_orb("one"), c = make_orb("two");
  EXPECT_EQ(a.in(), b.in());
  EXPECT_NE(a.in(), c.in());
  EXPECT_EQ(take(a->id()), "one");
  a->destroy();
  c->destroy();
}

TEST(OrbIdentity, AnArgumentNamesTheOrbAsWell) {
  CORBA::ORB_var a = make_orb("", {"-ORBid", "named"}), b = make_orb("named"), c = make_orb("");
  EXPECT_EQ(a.in(), b.in());
  EXPECT_NE(a.in(), c.in());
  a->destroy();
  c->destroy();
}

TEST(OrbIdentity, TheProgramsChoiceGoesBeforeArgumentsAndEnvironment) {
  setenv("CORBEL_ID", "from-outside", 1);
  CORBA::ORB_var a = make_orb("one", {"-ORBid", "named"}), b = make_orb("two");
  EXPECT_EQ(take(a->id()), "one");
  EXPECT_EQ(take(b->id()), "two");
  unsetenv("CORBEL_ID");
  a->destroy();
  b->destroy();
}

TEST(OrbIdentity, AfterDestroyTheIdIsFree) {
  CORBA::ORB_var a = make_orb("again");
  a->destroy();
  CORBA::ORB_var b = make_orb("again");
  EXPECT_NE(a.in(), b.in());
  EXPECT_EQ(take(b->id()), "again");
  b->destroy();
}

TEST(OrbIdentity, TakesItsOptionsAndLeavesTheOthers) {
  std::string words[] = {"program", "first", "-ORBmaxGIOPVersion", "1.1", "second", "-ORBid", "o", "-x"};
  char* argv[9] = {};
  for (int i = 0; i < 8; ++i) argv[i] = words[i].data();
  int argc = 8;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "");
  ASSERT_EQ(argc, 4);
  EXPECT_STREQ(argv[1], "first");
  EXPECT_STREQ(argv[2], "second");
  EXPECT_STREQ(argv[3], "-x");
  EXPECT_EQ(argv[4], nullptr);
  orb->destroy();
}

TEST(OrbIdentity, AnArrayWithoutRoomBehindItsArgumentsIsLeftAsItIs) {
  std::string program = "program", own = "-x", guard = "guard";
  char* argv[3] = {program.data(), own.data(), guard.data()};
  int argc = 2;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "no room");
  EXPECT_EQ(argc, 2);
  EXPECT_STREQ(argv[1], "-x");
  EXPECT_EQ(argv[2], guard.data());
  orb->destroy();
}

TEST(OrbIdentity, BadOptionsAreRefusedAndLeaveNoOrbBehind) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{"-ORBnoSuchOption", "1"},
                                                  {"-ORBid"},
                                                  {"-ORBthreadPoolSize", "none"},
                                                  {"-ORBthreadPoolSize", "0"},
                                                  {"-ORBmaxGIOPVersion", "1.3"},
                                                  {"-ORBserverModel", "both"},
                                                  {"-ORBendPoint", "giop:smoke:x"},
                                                  {"-ORBendPoint", "giop:tcp:h:99999"},
                                                  {"-ORBtransports", "tcp,unyx"},
                                                  {"-ORBInitRef", "NoUrl"}})
    EXPECT_EQ(raised_name([&] { make_orb("bad", options); }), "BAD_PARAM") << options[0];
  CORBA::ORB_var orb = make_orb("bad");
  EXPECT_EQ(take(orb->id()), "bad");
  orb->destroy();
}

std::string refusal_of(const std::vector<std::string>& options) {
  try {
    make_orb("bad", options);
  } catch (const CORBA::SystemException& e) {
    return e.what();
  }
  return "taken";
}

TEST(OrbOptions, ABadValueIsAnsweredWithWhatToWrite) {
  const std::string text = refusal_of({"-ORBthreadPoolSize", "0"});
  for (const char* part :
       {"-ORBthreadPoolSize 0:", "-ORBthreadPoolSize N", "1 to 4096", "CORBEL_THREAD_POOL_SIZE"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  const std::string longest = refusal_of({"-ORBendPoint", "giop:smoke:x"});
  for (const char* part :
       {"giop:smoke:x", "giop:shm:NAME", "giop:ssl:HOST:PORT", "(in the environment CORBEL_END_POINT)"})
    EXPECT_NE(longest.find(part), std::string::npos) << longest;
}

TEST(OrbOptions, ARefusalNamesTheArgumentThatItIsAbout) {
  for (const auto& [options, said] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"-ORBnoSuchOption", "1"}, "-ORBnoSuchOption is no option"},
           {{"-ORB"}, "-ORB is no option"},
           {{"-ORBsslKeyFile", "key.pem"}, "-ORBsslKeyFile is unknown to this program: link Corbel::tls"},
           {{"-ORBcompression", "1"}, "-ORBcompression is unknown to this program: link Corbel::ziop"},
           {{"-ORBserverId=x"}, "-ORBserverId=x: write -ORBserverId NAME"},
           {{"-ORBprofileCalls", "/no/such/file"}, "/no/such/file cannot be written: No such file"},
           {{"-ORBserverId"}, "-ORBserverId lacks its value: write -ORBserverId NAME"},
           {{"-ORBtcpKeepAlive"}, "-ORBtcpKeepAlive lacks its value"},
           {{"-ORBtraceFile"}, "-ORBtraceFile lacks its value"}})
    EXPECT_NE(refusal_of(options).find(said), std::string::npos) << refusal_of(options);
  setenv("CORBEL_SERVER_MODEL", "none", 1);
  EXPECT_NE(refusal_of({}).find("CORBEL_SERVER_MODEL=none:"), std::string::npos) << refusal_of({});
  unsetenv("CORBEL_SERVER_MODEL");
}

TEST(OrbOptions, AreKnownInAnyCaseAndByTheEnvironment) {
  CORBA::ORB_var orb = make_orb("", {"-orbID", "lower", "-ORBEndpoint", "iiop://127.0.0.1:0"});
  EXPECT_EQ(take(orb->id()), "") << "only -ORB begins an option";
  orb->destroy();
  orb = make_orb("", {"-ORBID", "lower", "-ORBEndpoint", "iiop://127.0.0.1:0"});
  EXPECT_EQ(take(orb->id()), "lower");
  orb->destroy();
  setenv("CORBEL_ID", "from-outside", 1);
  orb = make_orb("");
  EXPECT_EQ(take(orb->id()), "from-outside");
  orb->destroy();
  orb = make_orb("", {"-ORBid", "given"});
  EXPECT_EQ(take(orb->id()), "given");
  orb->destroy();
  setenv("CORBEL_SERVER_MODEL", "none", 1);
  EXPECT_EQ(raised_name([] { make_orb(""); }), "BAD_PARAM");
  unsetenv("CORBEL_SERVER_MODEL");
  unsetenv("CORBEL_ID");
}

// A command line as it is written for one of the peers, and what ORB_init says of it.
std::string said_of(const std::vector<std::string>& options) {
  testing::internal::CaptureStderr();
  CORBA::ORB_var orb = make_orb("peers", options);
  orb->destroy();
  return testing::internal::GetCapturedStderr();
}

TEST(OrbOptions, ThoseOfThePeersAreTakenAndNamedIfSomethingIsMissing) {
  EXPECT_EQ(said_of({"-ORBtraceLevel", "5", "-ORBmaxServerThreadPoolSize", "8", "-ORBtraceLocking", "0",
                     "-ORBthreadPerConnectionPolicy", "0", "-ORBverifyObjectExistsAndType", "0",
                     "-ORBsupportBootstrapAgent", "0"}),
            "");
  EXPECT_EQ(said_of({"-ORBSkipServiceConfigOpen", "-ORBDebugLevel", "10", "-ORBDottedDecimalAddresses", "1",
                     "-ORBDebug", "-ORBGestalt", "LOCAL", "-ORBCollocation", "global"}),
            "");
  EXPECT_EQ(said_of({"-ORBsvcConf", "svc.conf", "-ORBcopyValuesInLocalCalls", "0", "-ORBObjRefStyle", "URL"}),
            "corbel: -ORBSvcConf svc.conf has no effect here\n"
            "corbel: -ORBcopyValuesInLocalCalls 0 has no effect here\n"
            "corbel: -ORBObjRefStyle URL has no effect here\n");
  EXPECT_EQ(raised_name([] { make_orb("peers", {"-ORBtraceLevel"}); }), "BAD_PARAM");
}

TEST(OrbOptions, AreKnownInATurkishLocale) {
  const corbel::testing_support::TurkishLocale locale;
  if (!locale.there()) GTEST_SKIP() << "there is no Turkish locale";
  CORBA::ORB_var orb =
      make_orb("", {"-ORBID", "turkish", "-ORBmaxgiopversion", "1.1", "-ORBNATIVECharCodeSet", "iso-8859-1",
                    "-ORBSERVERid", "x", "-ORBKEYFORMAT", "OMNIORB", "-ORBTRACEINVOCATIONS", "1"});
  EXPECT_EQ(take(orb->id()), "turkish");
  orb->destroy();
}

TEST(OrbOptions, ThoseOfTaoAreAllTaken) {
  for (const char* name :
       {"NoServerSideNameLookups", "CDRTradeoff", "Resources", "HandleLoggingStrategyEvents", "LingerTimeout",
        "IMREndpointsInIOR", "NoProprietaryActivation", "UseParallelConnects", "ParallelConnectDelay",
        "SingleReadOptimization", "DisableRTCollocation", "UseLocalMemoryPool", "MaxMessageSize",
        "IPMulticastLoop", "ForwardDelay"})
    EXPECT_EQ(said_of({std::string("-ORB") + name, "7"}), "") << name;
  for (const char* name : {"DontRoute",
                           "IPHopLimit",
                           "ImplRepoServicePort",
                           "PreferredInterface",
                           "EnforcePreferredInterface",
                           "PreferIPV6Interfaces",
                           "UseIPV6LinkLocal",
                           "UseIMR",
                           "FTSendFullGroupTC",
                           "DynamicThreadPoolName",
                           "AllowZIOPNoServerPolicies",
                           "ForwardOnTransientLimit",
                           "ForwardOnCommFailureLimit",
                           "ForwardOnObjectNotExistLimit",
                           "ForwardOnInvObjrefLimit",
                           "ForwardOnReplyClosedLimit",
                           "ForwardOnceOnObjectNotExist",
                           "ForwardOnceOnCommFailure",
                           "ForwardOnceOnTransient",
                           "ForwardOnceOnInvObjref"})
    EXPECT_EQ(said_of({std::string("-ORB") + name, "1"}),
              std::string("corbel: -ORB") + name + " 1 has no effect here\n");
  EXPECT_EQ(said_of({"-ORBUseIMR", "0", "-ORBForwardOnTransientLimit", "0", "-ORBIPHopLimit", "-1"}), "");
}

TEST(OrbOptions, ALaneHasTwoWords) {
  for (const std::string option : {"-ORBLaneEndpoint", "-ORBLaneListenEndpoints"}) {
    EXPECT_EQ(said_of({option, "2:0", "iiop://1.2@:1"}),
              "corbel: " + option + " 2:0 iiop://1.2@:1 has no effect here\n");
    EXPECT_NE(refusal_of({option, "2:0"}).find(option + " lacks its value"), std::string::npos);
  }
}

TEST(OrbOptions, ARefusalNamesTheOptionThatMayBeMeant) {
  for (const auto& [argument, said] :
       {std::pair{"-ORBserverModl", "; did you mean -ORBserverModel?"},
        {"-ORBENDPONT", "; did you mean -ORBendPoint?"},
        {"-ORBtcpKeepAlif", "; did you mean -ORBtcpKeepAlive?"},
        {"-ORBnothingLikeIt", "; CORBA::_corbel_option_help() lists them all"}})
    EXPECT_NE(refusal_of({argument, "x"}).find(argument + std::string(" is no option") + said),
              std::string::npos)
        << refusal_of({argument, "x"});
  EXPECT_NE(refusal_of({"-ORB" + std::string(100'000, 'x')}).find("lists them all"), std::string::npos);
}

TEST(OrbOptions, TransportsThatAreNotLinkedAreNamedWithWhatTheyNeed) {
  CORBA::ORB_var server = make_orb("unlinked", {"-ORBtransports", "ssl"});
  try {
    PortableServer::POA_var poa = TwoOrbs::activate(server);
    ADD_FAILURE() << "it listens";
  } catch (const CORBA::INITIALIZE& e) {
    EXPECT_NE(std::string(e.what()).find("; ssl needs Corbel::tls"), std::string::npos) << e.what();
  }
  server->destroy();
  Pair pair({}, {"-ORBtransports", "ssl"});
  try {
    pair.remote->ping();
    ADD_FAILURE() << "it was reached";
  } catch (const CORBA::TRANSIENT& e) {
    EXPECT_NE(std::string(e.what()).find("; ssl needs Corbel::tls"), std::string::npos) << e.what();
  }
}

TEST(OrbOptions, EndpointsMayBeWrittenAsTaoHasThem) {
  Pair named({"-ORBListenEndpoints",
              "iiop://1.2@127.0.0.1:0,1.2@127.0.0.1:0/hostname_in_ior=localhost;iiop://127.0.0.1:0"});
  CORBA::String_var ior = named.server->object_to_string(named.remote);
  corbel::ior::Ior parsed;
  ASSERT_FALSE(corbel::ior::parse_ior(ior.in(), parsed));
  ASSERT_EQ(parsed.profiles.size(), 1u);
  const auto addresses = corbel::ior::addresses(*corbel::ior::decode_iiop(parsed.profiles[0]));
  ASSERT_EQ(addresses.size(), 4u);  // that of the Pair first
  EXPECT_EQ(addresses[0].host, "127.0.0.1");
  EXPECT_EQ(addresses[1].host, "localhost");
  EXPECT_EQ(addresses[2].host, "localhost");
  EXPECT_EQ(addresses[3].host, "127.0.0.1");
  named.remote->ping();
  EXPECT_EQ(said_of({"-ORBListenEndpoints", "iiop://127.0.0.1:0/portspan=5&reuse_addr=1"}),
            "corbel: /reuse_addr=1 of an endpoint has no effect here\n");
  EXPECT_EQ(raised_name([] { make_orb("peers", {"-ORBListenEndpoints", "diop://a:1"}); }), "BAD_PARAM");
  EXPECT_EQ(raised_name([] {
              make_orb("none", {"-ORBListenEndpoints", "iiop://127.0.0.1:0,x:y"});
            }),
            "BAD_PARAM");
}

TEST(OrbOptions, TaosNamesOfServicesAreInitialReferences) {
  CORBA::ORB_var orb = make_orb("", {"-ORBNameServiceIOR", "corbaloc::127.0.0.1:1/NameService"});
  CORBA::Object_var names = orb->resolve_initial_references("NameService");
  EXPECT_FALSE(CORBA::is_nil(names));
  orb->destroy();
}

TEST(OrbOptions, AllAreInTheReadme) {
  std::ifstream file(LIFECYCLE_README);
  const std::string readme((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::istringstream help(CORBA::_corbel_option_help());
  int count = 0;
  for (std::string line; std::getline(help, line); ++count) {
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    EXPECT_NE(readme.find("`" + name), std::string::npos) << name;
  }
  EXPECT_GT(count, 15);
}

TEST(OrbEnd, EveryOperationOnADestroyedOrbRaisesObjectNotExist) {
  Pair pair;
  pair.client->destroy();
  CORBA::ORB_ptr orb = pair.client;
  const std::string gone = "OBJECT_NOT_EXIST";
  EXPECT_EQ(raised_name([&] { take(orb->id()); }), gone);
  EXPECT_EQ(raised_name([&] { take(orb->object_to_string(pair.remote)); }), gone);
  EXPECT_EQ(raised_name([&] { orb->string_to_object(pair.ior.c_str()); }), gone);
  EXPECT_EQ(raised_name([&] { CORBA::ORB::ObjectIdList_var names = orb->list_initial_services(); }), gone);
  EXPECT_EQ(raised_name([&] { orb->resolve_initial_references("RootPOA"); }), gone);
  EXPECT_EQ(raised_name([&] { orb->register_initial_reference("X", pair.remote); }), gone);
  EXPECT_EQ(raised_name([&] { orb->run(); }), gone);
  EXPECT_EQ(raised_name([&] { orb->perform_work(); }), gone);
  EXPECT_EQ(raised_name([&] { orb->work_pending(); }), gone);
  EXPECT_EQ(raised_name([&] { orb->shutdown(false); }), gone);
  EXPECT_EQ(raised_name([&] { orb->destroy(); }), gone);
  EXPECT_EQ(raised_name([&] { pair.remote->ping(); }), gone);
  // What needs no ORB goes on working.
  Contract::Everything_var copy = Contract::Everything::_duplicate(pair.remote);
  EXPECT_TRUE(copy->_is_equivalent(pair.remote));
  EXPECT_EQ(copy->_hash(100), pair.remote->_hash(100));
  pair.client = make_orb("pair-client");  // for ~Pair
}

TEST(OrbEnd, OperationsOnAnOrbThatIsShutDownRaiseBadInvOrder) {
  Pair pair;
  pair.remote->ping();
  pair.client->shutdown(true);
  CORBA::ORB_ptr orb = pair.client;
  const std::string late = "BAD_INV_ORDER/4f4d0004/NO";
  EXPECT_EQ(raised([&] { orb->string_to_object(pair.ior.c_str()); }), late);
  EXPECT_EQ(raised([&] { orb->resolve_initial_references("RootPOA"); }), late);
  EXPECT_EQ(raised([&] { orb->perform_work(); }), late);
  EXPECT_EQ(raised([&] { orb->work_pending(); }), late);
  EXPECT_EQ(raised([&] { orb->run(); }), late);
  EXPECT_EQ(raised([&] { pair.remote->ping(); }), late);
  EXPECT_EQ(raised([&] { orb->shutdown(true); }), "none");
}

TEST(OrbEnd, AnAdapterOfADestroyedOrbRaisesObjectNotExist) {
  Pair pair;
  pair.server->destroy();
  EXPECT_EQ(raised_name([&] { pair.poa->activate_object(pair.servant); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(raised_name([&] { take(pair.poa->the_name()); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(raised_name([&] { pair.local->ping(); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(raised_name([&] { pair.remote->ping(); }), "TRANSIENT");
  pair.server = make_orb("pair-server");
}

TEST(OrbRun, EveryThreadInsideReturnsAtShutdown) {
  for (const char* model : {"pool", "reactive"}) {
    Pair pair({"-ORBserverModel", model});
    std::vector<std::future<void>> runs;
    for (int i = 0; i < 4; ++i) runs.push_back(std::async(std::launch::async, [&] { pair.server->run(); }));
    for (int i = 0; i < 20; ++i) EXPECT_EQ(pair.remote->minus(i), i - 1);
    pair.server->shutdown(false);
    for (auto& run : runs) EXPECT_EQ(run.wait_for(kPatience), std::future_status::ready) << model;
  }
}

TEST(OrbRun, PerformWorkServesWhatIsPending) {
  Pair pair({"-ORBserverModel", "reactive"});
  EXPECT_FALSE(pair.server->work_pending());
  auto call = std::async(std::launch::async, [&] { return pair.remote->minus(8); });
  const auto limit = std::chrono::steady_clock::now() + kPatience;
  int worked = 0;
  while (call.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
    ASSERT_LT(std::chrono::steady_clock::now(), limit);
    if (!pair.server->work_pending()) continue;
    pair.server->perform_work();
    ++worked;
  }
  EXPECT_EQ(call.get(), 7);
  EXPECT_GE(worked, 2);  // the connection, the request
  EXPECT_FALSE(pair.server->work_pending());
  pair.server->perform_work();  // returns without work
}

// While one stands no thread can be made: there is no room for its stack.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_attr_t none;
    pthread_getattr_default_np(&before_);
    pthread_getattr_default_np(&none);
    pthread_attr_setstacksize(&none, std::size_t{1} << 50);
    EXPECT_EQ(pthread_setattr_default_np(&none), 0);
    pthread_attr_destroy(&none);
  }
  ~NoMoreThreads() {
    EXPECT_EQ(pthread_setattr_default_np(&before_), 0);
    pthread_attr_destroy(&before_);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

 private:
  pthread_attr_t before_;
};

TEST(OrbRun, AServerWithoutAnyThreadIsRefusedUntilThereCanBeOne) {
  CORBA::ORB_var server = make_orb("threadless", on_loopback()), client = make_orb("client");
  {
    const NoMoreThreads none;
    EXPECT_EQ(raised_name([&] { PortableServer::POA_var root = TwoOrbs::activate(server); }), "NO_RESOURCES");
  }
  PortableServer::POA_var poa = TwoOrbs::activate(server);
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var object = poa->id_to_reference(id);
  object = client->string_to_object(take(server->object_to_string(object)).c_str());
  Contract::Everything_var remote = Contract::Everything::_unchecked_narrow(object);
  EXPECT_EQ(remote->minus(3), 2);
  client->destroy();
  server->destroy();
}

TEST(OrbRun, InThePoolModelNothingIsLeftToPerform) {
  Pair pair;
  EXPECT_EQ(pair.remote->minus(1), 0);
  EXPECT_FALSE(pair.server->work_pending());
  pair.server->perform_work();
}

// Waiting for the end from inside an upcall would wait for itself: refused, and nothing has changed.
void refuse_the_end_in_an_upcall(Contract::Everything_ptr target, Pair& pair) {
  std::string shutdown, destroy;
  pair.servant->script = [&] {
    shutdown = raised([&] { pair.server->shutdown(true); });
    destroy = raised([&] { pair.server->destroy(); });
  };
  EXPECT_EQ(target->minus(3), 2);
  EXPECT_EQ(shutdown, "BAD_INV_ORDER/4f4d0003/NO");
  EXPECT_EQ(destroy, "BAD_INV_ORDER/4f4d0003/NO");
  pair.servant->script = nullptr;
  EXPECT_EQ(target->minus(2), 1);
  CORBA::ORB_var same = make_orb("pair-server");
  EXPECT_EQ(same.in(), pair.server.in());
}

TEST(OrbShutdown, ThatWaitsIsRefusedInAnUpcall) {
  Pair pair;
  refuse_the_end_in_an_upcall(pair.remote, pair);
}

TEST(OrbShutdown, ThatWaitsIsRefusedInACollocatedUpcall) {
  Pair pair;
  refuse_the_end_in_an_upcall(pair.local, pair);
}

TEST(OrbShutdown, WithoutWaitingItLetsTheUpcallThatAskedForItAnswer) {
  Pair pair;
  pair.servant->script = [&] { pair.server->shutdown(false); };
  EXPECT_EQ(pair.remote->minus(3), 2);
  EXPECT_EQ(raised([&] { pair.remote->ping(); }), "TRANSIENT/4f4d0002/NO");
}

TEST(OrbShutdown, AnUpcallMayEndAnotherOrb) {
  Pair pair;
  CORBA::ORB_var other = make_orb("other");
  pair.servant->script = [&] { other->destroy(); };
  EXPECT_EQ(pair.remote->minus(3), 2);
  EXPECT_EQ(raised_name([&] { take(other->id()); }), "OBJECT_NOT_EXIST");
}

TEST(OrbShutdown, WaitsForTheUpcallsThatRun) {
  for (const char* model : {"pool", "reactive"}) {
    Pair pair({"-ORBserverModel", model});
    Gate gate;
    pair.servant->script = [&] { gate.wait(); };
    std::thread loop([&] {
      if (*model == 'r') pair.server->run();
    });
    auto call = std::async(std::launch::async, [&] { return pair.remote->minus(5); });
    ASSERT_TRUE(gate.wait_until_inside(1));
    auto end = std::async(std::launch::async, [&] { pair.server->shutdown(true); });
    EXPECT_EQ(end.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout) << model;
    gate.open();
    EXPECT_EQ(end.wait_for(kPatience), std::future_status::ready) << model;
    EXPECT_EQ(call.get(), 4) << model;
    loop.join();
  }
}

TEST(OrbShutdown, ClientsOfHeldRequestsAreToldThatNothingWasDone) {
  Pair pair;
  PortableServer::POAManager_var manager = pair.poa->the_POAManager();
  pair.remote->ping();
  manager->hold_requests(false);
  std::vector<std::future<std::string>> calls;
  for (int i = 0; i < 3; ++i)
    calls.push_back(std::async(std::launch::async, [&] { return raised([&] { pair.remote->minus(1); }); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  pair.server->shutdown(true);
  for (auto& call : calls) {
    ASSERT_EQ(call.wait_for(kPatience), std::future_status::ready);
    const std::string text = call.get();
    EXPECT_EQ(text.substr(0, 9), "TRANSIENT");
    EXPECT_EQ(text.substr(text.size() - 3), "/NO");
  }
}

// A thread that has been joined may be listed for a moment still.
int count_threads() {
  int least = count_entries("/proc/self/task");
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    least = std::min(least, count_entries("/proc/self/task"));
  }
  return least;
}

void use_two_orbs(const char* model) {
  Pair pair({"-ORBserverModel", model});
  std::thread loop([&] {
    if (*model == 'r') pair.server->run();
  });
  EXPECT_EQ(pair.remote->minus(2), 1);
  EXPECT_EQ(pair.local->minus(2), 1);
  std::thread other([&] { pair.remote->ping(); });
  other.join();
  pair.server->shutdown(true);
  loop.join();
}

// Bytes are counted where the C library counts them; elsewhere LeakSanitizer does.
std::size_t bytes_in_use() { return mallinfo2().uordblks; }

TEST(OrbEnd, AHundredRoundsLeaveNoThreadDescriptorOrByte) {
  for (int i = 0; i < 10; ++i) use_two_orbs(i % 2 ? "pool" : "reactive");
  const int threads = count_threads(), descriptors = count_entries("/proc/self/fd");
  std::size_t before = 0, after = 0;
  for (int hundreds = 0; hundreds < 3;
       ++hundreds) {  // what is made once may be made late, by threads that race
    before = bytes_in_use();
    for (int i = 0; i < 100; ++i) use_two_orbs(i % 2 ? "pool" : "reactive");
    EXPECT_EQ(count_threads(), threads);
    EXPECT_EQ(count_entries("/proc/self/fd"), descriptors);
    after = bytes_in_use();
    if (after <= before + 4096) break;
  }
  EXPECT_LE(after, before + 4096);  // an ORB alone is more than a hundredth of it
}

TEST(OrbConnections, ToServersThatHaveEndedAreGivenUp) {
  CORBA::ORB_var caller = make_orb("caller");
  const int before = count_entries("/proc/self/fd");
  for (int i = 0; i < 100; ++i) {
    CORBA::ORB_var orb = make_orb("ends", on_loopback());
    PortableServer::POA_var poa = TwoOrbs::activate(orb);
    PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var object = poa->id_to_reference(id.in());
    CORBA::Object_var imported = caller->string_to_object(take(orb->object_to_string(object)).c_str());
    Contract::Everything_var everything = Contract::Everything::_narrow(imported);
    EXPECT_EQ(everything->minus(2), 1);
    orb->destroy();
  }
  EXPECT_LT(count_entries("/proc/self/fd"), before + 40);
  caller->destroy();
}

TEST(OrbEnd, ManyAtOnceInTheirOwnThreads) {
  std::vector<std::future<CORBA::Long>> threads;
  for (int t = 0; t < 8; ++t) {
    threads.push_back(std::async(std::launch::async, [t] {
      CORBA::Long sum = 0;
      for (int i = 0; i < 5; ++i) {
        const std::string id = "thread-" + std::to_string(t);
        CORBA::ORB_var orb = make_orb(id.c_str(), on_loopback());
        PortableServer::POA_var poa = TwoOrbs::activate(orb);
        PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
        PortableServer::ObjectId_var oid = poa->activate_object(servant);
        CORBA::Object_var object = poa->id_to_reference(oid.in());
        const std::string ior = take(orb->object_to_string(object));
        CORBA::ORB_var caller = make_orb((id + "-caller").c_str());
        CORBA::Object_var imported = caller->string_to_object(ior.c_str());
        Contract::Everything_var everything = Contract::Everything::_narrow(imported);
        sum += everything->minus(2);
        caller->destroy();
        orb->destroy();
      }
      return sum;
    }));
  }
  for (auto& t : threads) EXPECT_EQ(t.get(), 5);
}

}  // namespace
