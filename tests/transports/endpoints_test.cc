// Endpoints of every transport: where servers listen, what references say of it, what clients choose.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "orb/transport/tcp.h"
#include "tests/transports/support.h"

namespace transports {
namespace {

namespace ior = corbel::ior;

constexpr const char* kTcp = "giop:tcp:127.0.0.1:0";
// Nobody listens there.
constexpr const char* kNowhere = "giop:tcp:127.0.0.1:1";

std::string reference_with(const ior::IiopProfile& profile) {
  return ior::to_string({"IDL:Contract/Everything:1.0", {ior::encode_iiop(profile)}});
}

TEST(Endpoints, APortOfARangeIsTaken) {
  const Server first({"-ORBendPoint", kTcp});
  const auto port = first.profiles().at(0).address.port;
  const auto last = static_cast<std::uint16_t>(std::min(port + 50, 65535));
  const Server second(
      {"-ORBendPoint", "giop:tcp:127.0.0.1:" + std::to_string(port) + "-" + std::to_string(last)});
  EXPECT_GT(second.profiles().at(0).address.port, port);
  EXPECT_LE(second.profiles().at(0).address.port, last);
  EXPECT_EQ(call(second.text), "none");
}

TEST(Endpoints, ARangeWithoutAFreePortIsRefused) {
  const Server first({"-ORBendPoint", kTcp});
  const std::string port = std::to_string(first.profiles().at(0).address.port);
  EXPECT_EQ(raised_name([&] {
              Server({"-ORBendPoint", "giop:tcp:127.0.0.1:" + port + "-" + port});
            }),
            "INITIALIZE");
}

TEST(Endpoints, ARefusalSaysWhatIsWrongWithTheAddress) {
  const Server first({"-ORBendPoint", kTcp});
  const std::string taken = "127.0.0.1:" + std::to_string(first.profiles().at(0).address.port);
  for (const auto& [address, said] : {std::pair{taken, "another process has the port"},
                                      std::pair{std::string("198.51.100.1:0"), "none of this host's"},
                                      std::pair{std::string("no..such..host:0"), "has no address"}}) {
    std::string text = "listened at";
    try {
      Server({"-ORBendPoint", "giop:tcp:" + address});
    } catch (const CORBA::INITIALIZE& e) {
      text = e.what();
    }
    EXPECT_NE(text.find(said), std::string::npos) << text;
  }
}

TEST(Endpoints, MalformedOnesAreRefused) {
  for (const char* text :
       {"giop:tcp:127.0.0.1:9-8", "giop:tcp:127.0.0.1:0-9", "giop:tcp:127.0.0.1:1-", "giop:tcp:[::1",
        "giop:tcp:127.0.0.1:70000", "giop:tcp", "giop:nothing:127.0.0.1:0", "giop:"})
    EXPECT_EQ(raised_name([&] { make_orb("refused", {"-ORBendPoint", text}); }), "BAD_PARAM") << text;
}

TEST(Endpoints, OneMayBePublishedWithoutBeingListenedAt) {
  const Server server({"-ORBendPoint", kTcp, "-ORBendPointNoListen", "giop:tcp:router.example:4000"});
  const auto profiles = server.profiles();
  ASSERT_EQ(profiles.size(), 1u);
  const auto addresses = ior::addresses(profiles[0]);
  ASSERT_EQ(addresses.size(), 2u);
  EXPECT_EQ(addresses[1], (ior::Address{"router.example", 4000}));
}

TEST(Endpoints, SeveralHaveProfilesOfTheirOwnBeforeIiop1_2) {
  for (const char* version : {"1.0", "1.1"}) {
    const Server server({"-ORBmaxGIOPVersion", version, "-ORBendPoint", kTcp, "-ORBendPointNoListen",
                         "giop:tcp:router.example:4000"});
    const auto profiles = server.profiles();
    ASSERT_EQ(profiles.size(), 2u);
    EXPECT_EQ(profiles[1].address, (ior::Address{"router.example", 4000}));
    EXPECT_EQ(profiles[0].object_key, profiles[1].object_key);
  }
}

TEST(Endpoints, ThePublishedOneLeadsHereFromHere) {
  Server server({"-ORBendPoint", kTcp, "-ORBendPointNoListen", kNowhere});
  auto profile = server.profiles().at(0);
  profile.address = ior::addresses(profile).at(1);
  profile.components.clear();
  CORBA::Object_var object = server.orb->string_to_object(reference_with(profile).c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  EXPECT_EQ(raised([&] { everything->ping(); }), "none");
}

TEST(Endpoints, WhatIsPublishedHasAHostAndAPort) {
  for (const char* text : {"giop:tcp::4000", "giop:tcp:a:0", "giop:tcp:a:1-2"})
    EXPECT_EQ(raised_name([&] { make_orb("refused", {"-ORBendPointNoListen", text}); }), "BAD_PARAM") << text;
}

TEST(Endpoints, OthersMayBePublishedInPlaceOfThoseThatAreListenedAt) {
  const Server server({"-ORBendPoint", kTcp, "-ORBendPoint", "giop:unix:", "-ORBendPointPublish",
                       "giop:tcp:nat.example:4000,giop:tcp:nat.example:4001"});
  const auto profiles = server.profiles();
  ASSERT_EQ(profiles.size(), 1u);
  EXPECT_EQ(ior::addresses(profiles[0]),
            (std::vector<ior::Address>{{"nat.example", 4000}, {"nat.example", 4001}}));
  EXPECT_EQ(call(server.text, {"-ORBtransports", "unix"}), "none");  // another transport's stays
}

TEST(Endpoints, ThoseThatAreListenedAtMayBePublishedBesideOthers) {
  const Server server({"-ORBendPoint", kTcp, "-ORBendPointPublish", "addr,giop:tcp:nat.example:4000"});
  const auto addresses = ior::addresses(server.profiles().at(0));
  ASSERT_EQ(addresses.size(), 2u);
  EXPECT_EQ(addresses[0].host, "127.0.0.1");
  EXPECT_EQ(addresses[1], (ior::Address{"nat.example", 4000}));
}

TEST(Endpoints, AHostMayBePublishedWithThePortsThatAreListenedAt) {
  const Server server({"-ORBendPoint", kTcp, "-ORBendPoint", kTcp, "-ORBendPointPublish",
                       "giop:tcp:localhost:", "-ORBpublishHost", "other.example"});
  const auto addresses = ior::addresses(server.profiles().at(0));
  ASSERT_EQ(addresses.size(), 2u);
  for (const ior::Address& a : addresses) {
    EXPECT_EQ(a.host, "localhost");
    EXPECT_NE(a.port, 0);
  }
  EXPECT_EQ(call(server.text, {"-ORBtransports", "tcp"}), "none");
}

TEST(Endpoints, WithoutTcpEachTransportIsListenedAtOnce) {
  const Server server({"-ORBtransports", "shm,unix,unix"});
  const ior::IiopProfile profile = server.profiles().at(0);
  std::multiset<std::string> transports;
  for (const ior::TaggedComponent& c : profile.components) {
    std::string transport, address;
    if (c.tag == corbel::assigned::kComponentEndpoint && ior::decode_endpoint(c, transport, address))
      transports.insert(transport);
  }
  EXPECT_EQ(transports.count("unix"), 1u);
  EXPECT_EQ(transports.count("shm"), 1u);
}

// Not all who look for one address of it look for IPv6.
TEST(Endpoints, ANameIsListenedAtByIpv4WhereItHasThat) {
  const Server server({"-ORBendPoint", "giop:tcp:localhost:0"});
  const auto addresses = ior::addresses(server.profiles().at(0));
  ASSERT_EQ(addresses.size(), 1u);
  bool timed_out = false;
  EXPECT_TRUE(
      corbel::transport::connect_tcp("127.0.0.1", addresses[0].port, corbel::base::kNoDeadline, timed_out));
}

TEST(Endpoints, AHostIsPublishedAlone) {
  for (const auto& [first, second] : {std::pair{"giop:tcp:a:", "giop:tcp:b:"},
                                      {"giop:tcp:a:", "addr"},
                                      {"addr", "giop:tcp:a:"},
                                      {"giop:tcp:a:1", "giop:tcp:a:"}})
    EXPECT_EQ(raised_name([&, f = first, s = second] {
                make_orb("refused", {"-ORBendPointPublish", f, "-ORBendPointPublish", s});
              }),
              "BAD_PARAM")
        << first << ' ' << second;
}

TEST(Endpoints, OneMayBeListenedAtWithoutBeingPublished) {
  Server server({"-ORBendPointNoPublish", kTcp, "-ORBendPointPublish", "giop:tcp:nat.example:4000"});
  const auto addresses = ior::addresses(server.profiles().at(0));
  EXPECT_EQ(addresses, (std::vector<ior::Address>{{"nat.example", 4000}}));
  // That address leads here from here.
  CORBA::Object_var object = server.orb->string_to_object(server.text.c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  EXPECT_EQ(raised([&] { everything->ping(); }), "none");
}

// Sockets in a folder show where a server listens.
class Places : public testing::Test {
 protected:
  typedef std::set<std::string> Names;

  Places() {
    char name[] = "/tmp/corbel-places-XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~Places() override {
    std::filesystem::remove_all(folder_);
    for (const char* variable : kVariables) unsetenv(variable);
  }
  std::string at(const std::string& name) const { return "giop:unix:" + folder_ + "/" + name; }
  void in_environment(const std::string& open, const std::string& secret) {
    setenv(kVariables[0], at(open).c_str(), 1);
    setenv(kVariables[1], at(secret).c_str(), 1);
  }
  Names listened_at() const {
    Names names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.insert(entry.path().filename());
    return names;
  }
  static Names published_by(const Server& server) {
    Names names;
    const ior::IiopProfile profile = server.profiles().at(0);
    for (const ior::TaggedComponent& c : profile.components) {
      std::string transport, address;
      if (c.tag == corbel::assigned::kComponentEndpoint && ior::decode_endpoint(c, transport, address) &&
          transport == "unix")
        names.insert(address.substr(address.rfind('/') + 1));
    }
    return names;
  }

 private:
  static constexpr const char* kVariables[] = {"CORBEL_END_POINT", "CORBEL_END_POINT_NO_PUBLISH",
                                               "CORBEL_END_POINT_NO_LISTEN", "CORBEL_END_POINT_PUBLISH"};
  std::string folder_;
};

TEST_F(Places, OfBothKindsAreListenedAtInWhicheverOrderTheyAreGiven) {
  const std::vector<std::string> open{"-ORBendPoint", at("open")},
      secret{"-ORBendPointNoPublish", at("secret")};
  for (const auto& [first, second] : {std::pair(open, secret), std::pair(secret, open)}) {
    std::vector<std::string> options = first;
    options.insert(options.end(), second.begin(), second.end());
    const Server server(options);
    EXPECT_EQ(listened_at(), (Names{"open", "secret"}));
    EXPECT_EQ(published_by(server), Names{"open"});
  }
}

TEST_F(Places, OfTheEnvironmentAreReplacedByArgumentsOfTheirKindOnly) {
  in_environment("open", "secret");
  {
    const Server server({});
    EXPECT_EQ(listened_at(), (Names{"open", "secret"}));
    EXPECT_EQ(published_by(server), Names{"open"});
  }
  {
    const Server server({"-ORBendPoint", at("a"), "-ORBendPoint", at("b")});
    EXPECT_EQ(listened_at(), (Names{"a", "b", "secret"}));
    EXPECT_EQ(published_by(server), (Names{"a", "b"}));
  }
  {
    const Server server({"-ORBendPointNoPublish", at("a"), "-ORBendPointNoPublish", at("b")});
    EXPECT_EQ(listened_at(), (Names{"a", "b", "open"}));
    EXPECT_EQ(published_by(server), Names{"open"});
  }
}

// What a server publishes; its own port is told as 0.
std::vector<ior::Address> published_with(const std::vector<std::string>& options) {
  std::vector<std::string> all{"-ORBendPoint", kTcp};
  all.insert(all.end(), options.begin(), options.end());
  const Server server(all);
  std::vector<ior::Address> addresses = ior::addresses(server.profiles().at(0));
  for (ior::Address& a : addresses)
    if (a.host == "127.0.0.1") a.port = 0;
  return addresses;
}

TEST_F(Places, ThatAreOnlyPublishedAreReplacedByArgumentsOfTheirKindOnly) {
  typedef std::vector<ior::Address> Addresses;
  const ior::Address own{"127.0.0.1", 0};
  setenv("CORBEL_END_POINT_NO_LISTEN", "giop:tcp:env:4", 1);
  EXPECT_EQ(published_with({}), (Addresses{own, {"env", 4}}));
  EXPECT_EQ(
      published_with({"-ORBendPointNoListen", "giop:tcp:arg:1", "-ORBendPointNoListen", "giop:tcp:arg:2"}),
      (Addresses{own, {"arg", 1}, {"arg", 2}}));
  for (const char* list : {"giop:tcp:env:5", "addr,giop:tcp:env:5", "giop:tcp:env:"}) {
    setenv("CORBEL_END_POINT_PUBLISH", list, 1);
    EXPECT_EQ(published_with({"-ORBendPointPublish", "giop:tcp:arg:6"}), (Addresses{{"arg", 6}, {"env", 4}}))
        << list;
  }
  setenv("CORBEL_END_POINT_PUBLISH", "addr,giop:tcp:env:5", 1);
  EXPECT_EQ(published_with({"-ORBendPointNoListen", "giop:tcp:arg:1"}),
            (Addresses{own, {"arg", 1}, {"env", 5}}));
}

TEST_F(Places, AHostThatIsPublishedIsReplacedByArguments) {
  setenv("CORBEL_END_POINT_PUBLISH", "giop:tcp:env:", 1);
  EXPECT_EQ(published_with({}).at(0).host, "env");
  EXPECT_EQ(published_with({"-ORBpublishHost", "arg"}).at(0).host, "arg");
}

TEST(Endpoints, WhatIsPublishedInPlaceOfOthersHasAHostAndAPort) {
  for (const char* text : {"", "giop:tcp::4000", "giop:tcp::", "giop:tcp:a:0", "hostname", "giop:tcp:a:1,,",
                           "addr,giop:tcp:a:0", "giop:tcp:a:1,giop:tcp:b:", "giop:tcp:a:,giop:tcp:b:1"})
    EXPECT_EQ(raised_name([&] { make_orb("refused", {"-ORBendPointPublish", text}); }), "BAD_PARAM") << text;
}

TEST(Transports, WhereTcpIsLeftOutServersListenAtWhatThereIs) {
  const Server server({"-ORBtransports", "unix"});
  EXPECT_EQ(call(server.text, {"-ORBtransports", "unix"}), "none");
}

TEST(Transports, ThatAreLeftOutAreNotListenedAt) {
  EXPECT_EQ(raised_name([] {
              Server({"-ORBtransports", "tcp", "-ORBendPoint", "giop:unix:"});
            }),
            "INITIALIZE");
}

TEST(Transports, TheBestThatTheReferenceHasIsUsed) {
  const Server server({"-ORBendPoint", "giop:unix:", "-ORBendPointNoListen", kNowhere});
  EXPECT_EQ(call(server.text), "none");
  EXPECT_EQ(call(server.text, {"-ORBtransports", "tcp,unix"}),
            "none");  // the second once the first has failed
  EXPECT_EQ(call(server.text, {"-ORBtransports", "tcp"}), kUnreachable);
}

TEST(Transports, AReferenceWithoutAnyThatIsAllowedIsNotReached) {
  const Server server({"-ORBendPoint", kTcp});
  EXPECT_EQ(call(server.text, {"-ORBtransports", "unix"}), kUnreachable);
}

TEST(Transports, WhatDemandsProtectionIsReachedByNoOther) {
  const Server server({"-ORBendPoint", "giop:unix:"});
  auto profile = server.profiles().at(0);
  profile.components.push_back({corbel::assigned::kComponentSslSecTrans, std::string("\1\0\0\0\0\0\0\0", 8)});
  CORBA::ORB_var orb = make_orb(new_id().c_str());
  CORBA::Object_var object = orb->string_to_object(reference_with(profile).c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  try {
    everything->ping();
    ADD_FAILURE() << "it was called unprotected";
  } catch (const CORBA::TRANSIENT& e) {
    EXPECT_NE(std::string(e.what()).find("TLS"), std::string::npos) << e.what();
  }
  orb->destroy();
}

TEST(Transports, ComponentsThatMakeNoSenseAreIgnored) {
  const Server server({"-ORBendPoint", kTcp});
  auto profile = server.profiles().at(0);
  for (const std::string data : {"", "\1", "\2\0\0\0", "\1\0\0\0\xff\xff\xff\xff", "\1\0\0\0\5\0\0\0unix"})
    profile.components.push_back({corbel::assigned::kComponentEndpoint, data});
  profile.components.push_back(ior::encode_endpoint("unix", ""));
  profile.components.push_back(ior::encode_endpoint("unix", "0123456789abcdef/@elsewhere"));
  profile.components.push_back(ior::encode_endpoint("", ""));
  profile.components.push_back(ior::encode_endpoint("tcp", "127.0.0.1:1"));
  profile.components.push_back(ior::encode_endpoint("quic", "127.0.0.1:1"));
  EXPECT_EQ(call(reference_with(profile)), "none");
}

}  // namespace
}  // namespace transports
