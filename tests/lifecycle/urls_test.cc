// Object URLs and initial references, from the text to the call.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <thread>

#include "orb/ior/ior.h"
#include "orb/ior/url.h"
#include "tests/lifecycle/support.h"
#include "tests/support/other_locale.h"

namespace {

using namespace lifecycle;

// The first IIOP profile of a reference.
corbel::ior::IiopProfile profile_of(const std::string& text) {
  corbel::ior::Ior ior;
  if (corbel::ior::parse_ior(text, ior)) return {};
  for (const auto& p : ior.profiles)
    if (const auto iiop = corbel::ior::decode_iiop(p)) return *iiop;
  return {};
}

bool host_has_ipv6() {
  std::ifstream addresses("/proc/net/if_inet6");
  std::string line;
  while (std::getline(addresses, line))
    if (line.substr(0, 32) == "00000000000000000000000000000001") return true;
  return false;
}

// A port where nobody listens: bound, never listening, so it stays nobody's.
class DeadPort {
 public:
  DeadPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    bind(socket_, reinterpret_cast<sockaddr*>(&address), length);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length);
    text = std::to_string(ntohs(address.sin_port));
  }
  ~DeadPort() { close(socket_); }
  DeadPort(const DeadPort&) = delete;
  DeadPort& operator=(const DeadPort&) = delete;
  std::string text;

 private:
  int socket_;
};

class Urls : public testing::Test {
 protected:
  // Makes the server's object known under a plain key.
  void publish(const std::string& key) {
    CORBA::Object_var object = pair.server->resolve_initial_references("omniINSPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    PortableServer::ObjectId id;
    id.length(static_cast<CORBA::ULong>(key.size()));
    for (CORBA::ULong i = 0; i < id.length(); ++i) id[i] = static_cast<CORBA::Octet>(key[i]);
    PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
    poa->activate_object_with_id(id, servant);
  }
  std::string call(CORBA::ORB_ptr orb, const std::string& url) {
    return raised([&] {
      CORBA::Object_var object = orb->string_to_object(url.c_str());
      Contract::Everything_var everything = Contract::Everything::_narrow(object);
      if (CORBA::is_nil(everything)) throw CORBA::INV_OBJREF();
      if (everything->minus(10) != 9) throw CORBA::DATA_CONVERSION();
    });
  }
  std::string call(const std::string& url) { return call(pair.client, url); }

  Pair pair;
  std::string port = std::to_string(profile_of(pair.ior).address.port);
};

TEST_F(Urls, AnIorMayBeWrittenInEitherCase) {
  std::string upper = pair.ior, lower = pair.ior;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  for (char& c : lower) c = static_cast<char>(std::tolower(c));
  EXPECT_EQ(call(upper), "none");
  EXPECT_EQ(call(lower), "none");
  EXPECT_EQ(call(pair.ior + "\n"), "none");
}

TEST_F(Urls, SchemesAreKnownInATurkishLocale) {
  const corbel::testing_support::TurkishLocale locale;
  if (!locale.there()) GTEST_SKIP() << "there is no Turkish locale";
  publish("Everything");
  EXPECT_EQ(call("ior:" + pair.ior.substr(4)), "none");
  EXPECT_EQ(call("IIOPLOC://127.0.0.1:" + port + "/Everything"), "none");
  EXPECT_EQ(raised_name([&] { pair.client->string_to_object("FILE:///no/such/file"); }),
            raised_name([&] { pair.client->string_to_object("file:///no/such/file"); }));
}

TEST_F(Urls, NilHasAStringForm) {
  const std::string nil = take(pair.client->object_to_string(CORBA::Object::_nil()));
  EXPECT_EQ(nil.substr(0, 4), "IOR:");
  CORBA::Object_var object = pair.client->string_to_object(nil.c_str());
  EXPECT_TRUE(CORBA::is_nil(object));
}

TEST_F(Urls, CorbalocReachesAPlainKey) {
  publish("Everything");
  EXPECT_EQ(call("corbaloc:iiop:127.0.0.1:" + port + "/Everything"), "none");
  EXPECT_EQ(call("corbaloc::127.0.0.1:" + port + "/Everything"), "none");
  EXPECT_EQ(call("CORBALOC::127.0.0.1:" + port + "/Everything"), "none");
  for (const char* version : {"1.0", "1.1", "1.2"})
    EXPECT_EQ(call("corbaloc:iiop:" + std::string(version) + "@localhost:" + port + "/Everything"), "none");
  EXPECT_EQ(call("corbaloc::127.0.0.1:" + port + "/Nobody"), "OBJECT_NOT_EXIST/4f4d0002/NO");
}

TEST_F(Urls, KeysOfAnyOctetsCanBeEscaped) {
  std::string key;
  for (int i = 0; i < 256; ++i) key += static_cast<char>(i);
  key[0] = 'K';  // what begins with 1 or 2 is a key of the adapters' own format
  publish(key);
  EXPECT_EQ(call("corbaloc::127.0.0.1:" + port + "/" + corbel::ior::escape(key)), "none");
  publish("with space");
  EXPECT_EQ(call("corbaloc::127.0.0.1:" + port + "/with%20space"), "none");
}

TEST_F(Urls, ALaterAddressServesWhenTheFirstOnesDoNot) {
  publish("Everything");
  const DeadPort dead;
  EXPECT_EQ(call("corbaloc::127.0.0.1:" + dead.text + ",iiop:1.2@127.0.0.1:" + port + "/Everything"), "none");
  EXPECT_EQ(call("corbaloc::127.0.0.1:" + dead.text + ",:127.0.0.1:" + dead.text + "/Everything"),
            "TRANSIENT/4f4d0002/NO");
}

TEST_F(Urls, WithoutAPortItIsTheAssignedOne) {
  CORBA::Object_var object = pair.client->string_to_object("corbaloc::127.0.0.1/Key");
  EXPECT_EQ(profile_of(take(pair.client->object_to_string(object))).address.port, 2809);
  object = pair.client->string_to_object("corbaloc::[::1]/Key");
  EXPECT_EQ(profile_of(take(pair.client->object_to_string(object))).address,
            (corbel::ior::Address{"::1", 2809}));
}

TEST_F(Urls, RirMeansAnInitialReference) {
  pair.client->register_initial_reference("Mine", pair.remote);
  EXPECT_EQ(call("corbaloc:rir:/Mine"), "none");
  EXPECT_EQ(call("Corbaloc:rir:/M%69ne"), "none");
  pair.client->register_initial_reference("NameService", pair.remote);
  EXPECT_EQ(call("corbaloc:rir:"), "none");
  CORBA::Object_var root = pair.client->string_to_object("corbaloc:rir:/RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
  EXPECT_EQ(take(poa->the_name()), "RootPOA");
  EXPECT_EQ(call("corbaloc:rir:/Nobody"), "BAD_PARAM/4f4d0009/NO");
}

TEST_F(Urls, AFileMayHoldTheUrl) {
  const auto path = std::filesystem::path(testing::TempDir()) / ("corbel-url-" + std::to_string(getpid()));
  std::ofstream(path) << pair.ior << "\n";
  EXPECT_EQ(call("file://" + path.string()), "none");
  publish("Everything");
  std::ofstream(path) << "corbaloc::127.0.0.1:" << port << "/Everything\n";
  EXPECT_EQ(call("file://" + path.string()), "none");
  std::ofstream(path) << "file://" << path.string() << "\n";
  EXPECT_EQ(call("file://" + path.string()), "BAD_PARAM/4f4d0009/NO");
  std::ofstream(path) << "no URL\n";
  EXPECT_EQ(call("file://" + path.string()), "BAD_PARAM/4f4d0007/NO");
  std::filesystem::remove(path);
  EXPECT_EQ(call("file://" + path.string()), "BAD_PARAM/4f4d0009/NO");
}

TEST_F(Urls, BadOnesRaiseBadParamWithTheStandardMinorCodes) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "7"},
      {"http://localhost/x", "7"},
      {"corbaname", "7"},
      {"corbaloc:ftp:host/k", "8"},
      {"corbaloc::host:port/k", "8"},
      {"corbaloc::[::1/k", "8"},
      {"corbaloc::host/%4", "9"},
      {"file:///no/such/file/anywhere", "9"},
      {"IOR:", "a"},
      {"IOR:0", "a"},
      {"IOR:xy", "a"},
      {"IOR:00000000", "a"},
      {"IOR:000000000000000100000000000000010000000000000004", "a"},
  };
  for (const auto& [url, minor] : cases)
    EXPECT_EQ(call(url), std::string("BAD_PARAM/4f4d000") + minor + "/NO") << url;
  EXPECT_EQ(raised_name([&] { pair.client->string_to_object(nullptr); }), "BAD_PARAM");
}

TEST_F(Urls, InitRefNamesInitialReferences) {
  publish("Everything");
  CORBA::ORB_var orb = make_orb("init-ref", {"-ORBInitRef", "One=" + pair.ior, "-ORBInitRef",
                                             "Two=corbaloc::127.0.0.1:" + port + "/Everything", "-ORBInitRef",
                                             "Three=corbaloc:rir:/Two", "-ORBInitRef", "Bad=smoke:signal",
                                             "-ORBInitRef", "Circle=corbaloc:rir:/Circle", "-ORBInitRef",
                                             "A=corbaloc:rir:/B", "-ORBInitRef", "B=corbaloc:rir:/A"});
  for (const char* name : {"One", "Two", "Three", "One"}) {
    CORBA::Object_var object = orb->resolve_initial_references(name);
    Contract::Everything_var everything = Contract::Everything::_narrow(object);
    EXPECT_EQ(everything->minus(5), 4) << name;
  }
  EXPECT_EQ(raised([&] { orb->resolve_initial_references("Bad"); }), "BAD_PARAM/4f4d0007/NO");
  EXPECT_EQ(raised([&] { orb->resolve_initial_references("Circle"); }), "BAD_PARAM/4f4d0009/NO");
  EXPECT_EQ(raised([&] { orb->resolve_initial_references("A"); }), "BAD_PARAM/4f4d0009/NO");
  EXPECT_EQ(raised_name([&] { orb->resolve_initial_references("Four"); }), "InvalidName");
  EXPECT_EQ(raised_name([&] { orb->resolve_initial_references(""); }), "InvalidName");
  orb->destroy();
}

TEST_F(Urls, DefaultInitRefIsAskedForEveryOtherName) {
  publish("Service/One");
  publish("Service/a%b");
  CORBA::ORB_var orb = make_orb(
      "default-init-ref",
      {"-ORBDefaultInitRef", "corbaloc::127.0.0.1:" + port + "/Service", "-ORBInitRef", "Two=" + pair.ior});
  for (const char* name : {"One", "Two", "a%b"}) {
    CORBA::Object_var object = orb->resolve_initial_references(name);
    Contract::Everything_var everything = Contract::Everything::_narrow(object);
    EXPECT_EQ(everything->minus(5), 4) << name;
  }
  EXPECT_EQ(call(orb, "corbaloc:rir:/One"), "none");
  EXPECT_EQ(call(orb, "corbaloc:rir:/Three"), "OBJECT_NOT_EXIST/4f4d0002/NO");
  CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
  EXPECT_FALSE(CORBA::is_nil(poa));
  orb->destroy();
  orb = make_orb("default-init-ref", {"-ORBDefaultInitRef", "corbaloc:rir:"});
  EXPECT_EQ(raised([&] { orb->resolve_initial_references("One"); }), "BAD_PARAM/4f4d0009/NO");
  orb->destroy();
}

TEST_F(Urls, RegisteredReferencesAreListedAndResolved) {
  CORBA::ORB_var orb = make_orb("registered", {"-ORBInitRef", "Given=" + pair.ior});
  orb->register_initial_reference("Mine", pair.remote);
  CORBA::ORB::ObjectIdList_var names = orb->list_initial_services();
  std::set<std::string> set;
  for (CORBA::ULong i = 0; i < names->length(); ++i) EXPECT_TRUE(set.insert(names[i].in()).second);
  EXPECT_EQ(set, (std::set<std::string>{"Given", "IORTable", "Mine", "ORBPolicyManager", "POACurrent",
                                        "PolicyCurrent", "RootPOA", "omniINSPOA"}));
  for (const std::string& name : set) {
    CORBA::Object_var object = orb->resolve_initial_references(name.c_str());
    EXPECT_FALSE(CORBA::is_nil(object)) << name;
  }
  CORBA::Object_var mine = orb->resolve_initial_references("Mine");
  EXPECT_TRUE(mine->_is_equivalent(pair.remote));
  EXPECT_EQ(raised_name([&] { orb->register_initial_reference("Mine", pair.remote); }), "InvalidName");
  EXPECT_EQ(raised_name([&] { orb->register_initial_reference("RootPOA", pair.remote); }), "InvalidName");
  EXPECT_EQ(raised_name([&] { orb->register_initial_reference("", pair.remote); }), "InvalidName");
  EXPECT_EQ(raised([&] { orb->register_initial_reference("Nil", CORBA::Object::_nil()); }),
            "BAD_PARAM/4f4d001b/NO");
  orb->destroy();
}

// Keeps its ORB, as such an object may.
struct Here : CORBA::LocalObject {
  Here(CORBA::ORB_ptr orb, std::atomic<int>& ended) : orb_(CORBA::ORB::_duplicate(orb)), ended_(ended) {}
  ~Here() override { ++ended_; }

 private:
  CORBA::ORB_var orb_;
  std::atomic<int>& ended_;
};

TEST_F(Urls, ALocalObjectIsAnInitialReferenceOfItsProcess) {
  std::atomic<int> ended{0};
  CORBA::ORB_var orb = make_orb("local-reference");
  EXPECT_EQ(raised_name([&] { orb->resolve_initial_references("Here"); }), "InvalidName");
  CORBA::Object_var here = new Here(orb, ended);
  orb->register_initial_reference("Here", here);
  CORBA::Object_var found = orb->resolve_initial_references("Here");
  EXPECT_EQ(found.in(), here.in());
  found = orb->string_to_object("corbaloc:rir:/Here");
  EXPECT_EQ(found.in(), here.in());
  CORBA::ORB::ObjectIdList_var names = orb->list_initial_services();
  int listed = 0;
  for (CORBA::ULong i = 0; i < names->length(); ++i) listed += std::string("Here") == names[i].in();
  EXPECT_EQ(listed, 1);
  // No name is taken twice, by whichever kind.
  for (const char* const name : {"Here", "RootPOA", ""}) {
    EXPECT_EQ(raised_name([&] { orb->register_initial_reference(name, here); }), "InvalidName") << name;
    EXPECT_EQ(raised_name([&] { orb->register_initial_reference(name, pair.remote); }), "InvalidName")
        << name;
  }
  // Nobody else gets it.
  EXPECT_EQ(raised([&] { (void)take(orb->object_to_string(found)); }), "MARSHAL/4f4d0004/NO");
  EXPECT_EQ(raised_name([&] { pair.client->resolve_initial_references("Here"); }), "InvalidName");
  found = here = CORBA::Object::_nil();
  EXPECT_EQ(ended, 0);
  orb->destroy();
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(raised_name([&] { orb->register_initial_reference("Here", pair.remote); }), "OBJECT_NOT_EXIST");
}

TEST_F(Urls, OneOfManyThreadsRegistersALocalObjectOfAName) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> ended{0}, registered{0};
    CORBA::ORB_var orb = make_orb("local-references");
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        CORBA::Object_var here = new Here(orb, ended);
        try {
          orb->register_initial_reference("Here", here);
          ++registered;
        } catch (const CORBA::ORB::InvalidName&) {
        }
      });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(registered, 1);
    EXPECT_EQ(ended, 3);
    orb->destroy();
    EXPECT_EQ(ended, 4);
  }
}

// ---- where a server listens and what it says about it

TEST(Endpoints, AnIpv6ServerIsCalledByIorAndByCorbaloc) {
  if (!host_has_ipv6()) GTEST_SKIP() << "this host has no IPv6 loopback address";
  CORBA::ORB_var server = make_orb("v6-server", {"-ORBendPoint", "giop:tcp:[::1]:0"});
  CORBA::ORB_var client = make_orb("v6-client");
  CORBA::Object_var plain = server->resolve_initial_references("omniINSPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(plain);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("Six");
  poa->activate_object_with_id(id, servant);
  CORBA::Object_var local = poa->id_to_reference(id);
  const std::string ior = take(server->object_to_string(local));
  EXPECT_EQ(profile_of(ior).address.host, "::1");
  const std::string port = std::to_string(profile_of(ior).address.port);
  for (const std::string& url :
       {ior, "corbaloc::[::1]:" + port + "/Six", "corbaloc:iiop:1.0@[::1]:" + port + "/Six"}) {
    CORBA::Object_var object = client->string_to_object(url.c_str());
    Contract::Everything_var everything = Contract::Everything::_narrow(object);
    EXPECT_EQ(everything->minus(7), 6) << url;
  }
  client->destroy();
  server->destroy();
}

TEST(Endpoints, SeveralMayBeListenedAtAndEachIsInTheReference) {
  std::vector<std::string> options{"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBendPoint",
                                   "giop:tcp:127.0.0.1:0"};
  if (host_has_ipv6()) options.insert(options.end(), {"-ORBendPoint", "giop:tcp:[::1]:0"});
  CORBA::ORB_var server = make_orb("many-ends", options), client = make_orb("many-ends-client");
  PortableServer::POA_var poa = TwoOrbs::activate(server);
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var local = poa->id_to_reference(id);
  corbel::ior::Ior all;
  ASSERT_FALSE(corbel::ior::parse_ior(take(server->object_to_string(local)), all));
  ASSERT_EQ(all.profiles.size(), 1u);
  auto profile = *corbel::ior::decode_iiop(all.profiles[0]);
  const auto addresses = corbel::ior::addresses(profile);
  EXPECT_EQ(addresses.size(), options.size() / 2);
  profile.components.clear();
  for (const auto& address : addresses) {
    profile.address = address;
    const std::string one = corbel::ior::to_string({all.type_id, {corbel::ior::encode_iiop(profile)}});
    CORBA::Object_var object = client->string_to_object(one.c_str());
    Contract::Everything_var everything = Contract::Everything::_narrow(object);
    EXPECT_EQ(everything->minus(7), 6);
    EXPECT_TRUE(object->_is_equivalent(object));
  }
  client->destroy();
  server->destroy();
}

TEST(Endpoints, ThePublishedHostIsWhatReferencesCarry) {
  Pair pair({"-ORBpublishHost", "localhost"});
  EXPECT_EQ(profile_of(pair.ior).address.host, "localhost");
  EXPECT_EQ(pair.remote->minus(2), 1);
  EXPECT_EQ(pair.local->minus(2), 1);
}

TEST(Endpoints, AHostNameIsListenedAtAndPublished) {
  CORBA::ORB_var server = make_orb("by-name", {"-ORBendPoint", "giop:tcp:localhost:0"}),
                 client = make_orb("caller");
  PortableServer::POA_var poa = TwoOrbs::activate(server);
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var local = poa->id_to_reference(id);
  const std::string ior = take(server->object_to_string(local));
  EXPECT_EQ(profile_of(ior).address.host, "localhost");
  CORBA::Object_var object = client->string_to_object(ior.c_str());
  Contract::Everything_var everything = Contract::Everything::_narrow(object);
  EXPECT_EQ(everything->minus(2), 1);
  client->destroy();
  server->destroy();
}

TEST(Endpoints, WithoutAnAddressEveryInterfaceIsListenedAt) {
  CORBA::ORB_var server = make_orb("everywhere"), client = make_orb("caller");
  CORBA::Object_var plain = server->resolve_initial_references("omniINSPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(plain);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("It");
  poa->activate_object_with_id(id, servant);
  CORBA::Object_var local = poa->id_to_reference(id);
  const auto address = profile_of(take(server->object_to_string(local))).address;
  std::vector<std::string> hosts{"127.0.0.1", address.host};
  if (host_has_ipv6()) hosts.push_back("[::1]");
  for (const std::string& host : hosts) {
    CORBA::Object_var object =
        client->string_to_object(("corbaloc::" + host + ":" + std::to_string(address.port) + "/It").c_str());
    Contract::Everything_var everything = Contract::Everything::_narrow(object);
    EXPECT_EQ(everything->minus(2), 1) << host;
  }
  client->destroy();
  server->destroy();
}

// What it says names the option that leads out.
void expect_refused(const std::string& endpoint) {
  CORBA::ORB_var orb = make_orb("refused", {"-ORBendPoint", endpoint});
  try {
    PortableServer::POA_var poa = TwoOrbs::activate(orb);
    ADD_FAILURE() << endpoint << " was listened at";
  } catch (const CORBA::INITIALIZE& e) {
    EXPECT_NE(std::string(e.what()).find("-ORBendPoint"), std::string::npos) << e.what();
  }
  // It stays refused, and the ORB is still a client.
  EXPECT_EQ(raised_name([&] { PortableServer::POA_var poa = TwoOrbs::activate(orb); }), "INITIALIZE")

      << endpoint;
  orb->destroy();
}

TEST(Endpoints, ThatCannotBeHadAreRefusedWithWhatToDo) {
  Pair pair;
  const std::string taken = std::to_string(profile_of(pair.ior).address.port);
  expect_refused("giop:tcp:127.0.0.1:" + taken);
  expect_refused("giop:tcp:192.0.2.1:0");
  expect_refused("giop:tcp:no-such-host.invalid:0");
}

// Listens, but its queue is full: who connects hears nothing.
class SilentPort {
 public:
  SilentPort() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    bind(sockets_[0], reinterpret_cast<sockaddr*>(&address), length);
    listen(sockets_[0], 0);
    getsockname(sockets_[0], reinterpret_cast<sockaddr*>(&address), &length);
    text = std::to_string(ntohs(address.sin_port));
    for (int i = 1; i < kCount; ++i) connect(sockets_[i], reinterpret_cast<sockaddr*>(&address), length);
  }
  ~SilentPort() {
    for (const int s : sockets_) close(s);
  }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;
  std::string text;

 private:
  static constexpr int kCount = 4;
  int sockets_[kCount] = {open(), open(), open(), open()};
  static int open() { return ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }
};

TEST(Connecting, ThreadsThatWaitTogetherGiveUpTogether) {
  const SilentPort silent;
  CORBA::ORB_var client = make_orb("patient", {"-ORBconnectTimeout", "500"});
  CORBA::Object_var object = client->string_to_object(("corbaloc::127.0.0.1:" + silent.text + "/x").c_str());
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::future<std::string>> calls;
  for (int i = 0; i < 16; ++i)
    calls.push_back(
        std::async(std::launch::async, [&] { return raised([&] { object->_is_a("IDL:X:1.0"); }); }));
  for (auto& call : calls) EXPECT_EQ(call.get(), "TRANSIENT/4f4d0002/NO");
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(took, std::chrono::milliseconds(500));
  EXPECT_LT(took, std::chrono::seconds(6));  // one after the other they would take eight
  client->destroy();
}

TEST(Connecting, ProfilesAreTriedInTheirOrder) {
  Pair pair;
  const DeadPort dead;
  corbel::ior::Ior good;
  ASSERT_FALSE(corbel::ior::parse_ior(pair.ior, good));
  corbel::ior::IiopProfile profile = *corbel::ior::decode_iiop(good.profiles.at(0));
  profile.address.port = static_cast<std::uint16_t>(std::stoi(dead.text));
  const corbel::ior::TaggedProfile unreachable = corbel::ior::encode_iiop(profile);
  const corbel::ior::TaggedProfile foreign{0x12345678, "not one of IIOP"};
  const std::string ior =
      corbel::ior::to_string({good.type_id, {foreign, unreachable, good.profiles.at(0), unreachable}});
  CORBA::Object_var object = pair.client->string_to_object(ior.c_str());
  Contract::Everything_var everything = Contract::Everything::_narrow(object);
  EXPECT_EQ(everything->minus(2), 1);
  EXPECT_EQ(take(pair.client->object_to_string(object)), ior);  // nothing of it is lost
  const std::string none = corbel::ior::to_string({good.type_id, {foreign}});
  object = pair.client->string_to_object(none.c_str());
  EXPECT_EQ(raised_name([&] { object->_non_existent(); }), "INV_OBJREF");
}

}  // namespace
