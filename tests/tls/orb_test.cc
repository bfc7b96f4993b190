// Whole ORBs over TLS: who may call whom, what callers learn, and servers among peers that speak no TLS, or
// stop speaking it.
#include <arpa/inet.h>
#include <corbel/identity.h>
#include <corbel/poa.h>
#include <corbel/tls.h>
#include <dirent.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <optional>
#include <thread>

#include "contract.skel.h"
#include "orb/ior/ior.h"
#include "orb/ior/ssl.h"
#include "orb/ior/url.h"
#include "pair.h"

namespace {

using namespace tls_test;
using Arguments = std::vector<std::string>;

class Orb {
 public:
  explicit Orb(const Arguments& options, bool reactive = false) {
    static int number = 0;
    corbel::tls::use();
    std::vector<std::string> words{"test"};
    words.insert(words.end(), options.begin(), options.end());
    if (reactive) words.insert(words.end(), {"-ORBserverModel", "reactive"});
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    int argc = static_cast<int>(argv.size());
    orb = CORBA::ORB_init(argc, argv.data(), ("tls-" + std::to_string(++number)).c_str());
  }
  ~Orb() { orb->destroy(); }
  CORBA::ORB_var orb;
};

// Answers who called.
class WhoServant : public POA_Contract::Callback {
 public:
  CORBA::Long twice(CORBA::Long n) override {
    const corbel::PeerIdentity* const caller = corbel::caller();
    std::lock_guard lock(mutex);
    subject = caller ? caller->subject : "nobody";
    certificates = caller ? caller->certificates.size() : 0;
    return 2 * n;
  }
  std::mutex mutex;
  std::string subject;
  std::size_t certificates = 0;
};

class Server : public Orb {
 public:
  explicit Server(const Arguments& options, bool reactive = false)
      : Orb(with_endpoint(options), reactive), servant(new WhoServant) {
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id.in());
    CORBA::String_var text = orb->object_to_string(object);
    reference = text.in();
    if (reactive) loop = std::thread([this] { orb->run(); });
  }
  ~Server() {
    if (!loop.joinable()) return;
    orb->shutdown(false);
    loop.join();
  }
  static Arguments with_endpoint(Arguments options) {
    if (std::find(options.begin(), options.end(), "-ORBendPoint") == options.end())
      options.insert(options.end(), {"-ORBendPoint", "giop:ssl:127.0.0.1:0"});
    return options;
  }
  corbel::ior::IiopProfile profile() const {
    corbel::ior::Ior ior;
    EXPECT_FALSE(corbel::ior::parse_ior(reference, ior));
    return *corbel::ior::decode_iiop(ior.profiles.at(0));
  }
  corbel::ior::SslComponent ssl() const {
    for (const auto& component : profile().components)
      if (const auto found = corbel::ior::decode_ssl(component)) return *found;
    return {};
  }
  PortableServer::Servant_var<WhoServant> servant;
  std::string reference;
  std::thread loop;
};

// What a call gives: "" or the exception's text.
std::string call(Orb& client, const std::string& reference) {
  try {
    CORBA::Object_var object = client.orb->string_to_object(reference.c_str());
    Contract::Callback_var callback = Contract::Callback::_unchecked_narrow(object);
    EXPECT_EQ(callback->twice(21), 42);
    return "";
  } catch (const CORBA::SystemException& e) {
    return e.what();
  }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

class TlsOrbs : public testing::Test {
 protected:
  Certified files;
  Arguments server{"-ORBsslCAFile", files.server.ca_file, "-ORBsslKeyFile", files.server.key_file};
  Arguments client{"-ORBsslCAFile", files.server.ca_file, "-ORBsslKeyFile", files.client_key};
  Arguments client_without_key{"-ORBsslCAFile", files.server.ca_file};

  static Arguments with(Arguments options, const Arguments& more) {
    options.insert(options.end(), more.begin(), more.end());
    return options;
  }
};

TEST_F(TlsOrbs, AServantKnowsItsCallerAndTheCallerItsServer) {
  for (const bool reactive : {false, true}) {
    Server s(server, reactive);
    Orb c(client);
    EXPECT_EQ(call(c, s.reference), "");
    EXPECT_EQ(s.servant->subject, "CN=client,O=Corbel tests");
    EXPECT_EQ(s.servant->certificates, 2u);
    CORBA::Object_var object = c.orb->string_to_object(s.reference.c_str());
    Contract::Callback_var callback = Contract::Callback::_unchecked_narrow(object);
    corbel::PeerIdentity identity;
    EXPECT_FALSE(corbel::server_of(callback, identity));
    EXPECT_EQ(callback->twice(1), 2);
    ASSERT_TRUE(corbel::server_of(callback, identity));
    EXPECT_EQ(identity.subject, "CN=server,O=Corbel tests");
  }
  EXPECT_FALSE(corbel::caller());
}

TEST_F(TlsOrbs, AReferenceSaysWhatItsServerWants) {
  Server strict(server);
  EXPECT_EQ(strict.profile().address.port, 0);
  EXPECT_NE(strict.ssl().port, 0);
  EXPECT_EQ(strict.ssl().target_requires & corbel::ior::kSslTrustInClient, corbel::ior::kSslTrustInClient);
  EXPECT_EQ(strict.ssl().target_supports & corbel::ior::kSslNoProtection, 0);
  Server open({"-ORBsslKeyFile", files.server.key_file});
  EXPECT_EQ(open.ssl().target_requires, corbel::ior::kSslIntegrity | corbel::ior::kSslConfidentiality);
  EXPECT_EQ(open.ssl().target_supports & corbel::ior::kSslTrustInClient, 0);
  Server both(with(server, {"-ORBendPoint", "giop:tcp:127.0.0.1:0", "-ORBendPoint", "giop:ssl:127.0.0.1:0"}));
  EXPECT_NE(both.profile().address.port, 0);
  EXPECT_NE(both.ssl().port, 0);
  EXPECT_NE(both.ssl().port, both.profile().address.port);
  EXPECT_NE(both.ssl().target_supports & corbel::ior::kSslNoProtection, 0);
}

// As TAO's, which listen to plain calls only to refuse them.
TEST_F(TlsOrbs, WhatRequiresProtectionBesideAPlainPortIsCalledWithIt) {
  Server both(with(server, {"-ORBendPoint", "giop:tcp:127.0.0.1:0", "-ORBendPoint", "giop:ssl:127.0.0.1:0"}));
  corbel::ior::IiopProfile profile = both.profile();
  for (auto& component : profile.components)
    if (auto ssl = corbel::ior::decode_ssl(component)) {
      ssl->target_supports &= static_cast<std::uint16_t>(~corbel::ior::kSslNoProtection);
      component = corbel::ior::encode_ssl(*ssl);
    }
  const std::string requiring = to_string(corbel::ior::Ior{"", {corbel::ior::encode_iiop(profile)}});
  Orb secure(with(client, {"-ORBtransports", "shm,unix,tcp,ssl"}));
  EXPECT_EQ(call(secure, both.reference), "");
  EXPECT_NE(both.servant->subject, "CN=client,O=Corbel tests");
  EXPECT_EQ(call(secure, requiring), "");
  EXPECT_EQ(both.servant->subject, "CN=client,O=Corbel tests");
  Orb trusts_nobody({"-ORBtransports", "tcp,ssl"});
  EXPECT_TRUE(contains(call(trusts_nobody, requiring), "NO_PERMISSION"));
  Orb plain({"-ORBtransports", "tcp"});
  EXPECT_EQ(call(plain, requiring), "");
}

TEST_F(TlsOrbs, AServerOfBothIsReachedEitherWay) {
  Server both(with(server, {"-ORBendPoint", "giop:tcp:127.0.0.1:0", "-ORBendPoint", "giop:ssl:127.0.0.1:0"}));
  Orb plain({"-ORBtransports", "tcp"});
  EXPECT_EQ(call(plain, both.reference), "");
  EXPECT_EQ(both.servant->subject, "nobody");
  Orb secure(with(client, {"-ORBtransports", "ssl,tcp"}));
  EXPECT_EQ(call(secure, both.reference), "");
  EXPECT_EQ(both.servant->subject, "CN=client,O=Corbel tests");
}

TEST_F(TlsOrbs, WhatProtectsIsNotReplacedByWhatDoesNot) {
  Server both(with(server, {"-ORBendPoint", "giop:tcp:127.0.0.1:0", "-ORBendPoint", "giop:ssl:127.0.0.1:0"}));
  Orb secure({"-ORBtransports", "ssl,tcp"});  // trusts nobody
  EXPECT_TRUE(contains(call(secure, both.reference), "NO_PERMISSION"));
  both.servant->subject = "not called";
  EXPECT_NE(call(secure, both.reference), "");
  EXPECT_EQ(both.servant->subject, "not called");
  Server only(server);
  Orb plain({"-ORBtransports", "tcp"});
  EXPECT_TRUE(contains(call(plain, only.reference), "TLS only"));
}

TEST_F(TlsOrbs, WhatIsCutWhileItProtectsIsNotReplacedByAnotherProfileThatDoesNot) {
  corbel::transport::TcpListener listener;
  std::string why;
  ASSERT_TRUE(listener.listen("127.0.0.1:0", why)) << why;
  corbel::transport::HostAndPorts at;
  EXPECT_TRUE(corbel::transport::parse_host_and_ports(listener.address(""), at));
  std::thread cutter([&] {
    bool flag = false;
    corbel::transport::wait_ready(listener.descriptor(), true, false, in_seconds(10));
    const auto socket = listener.accept(flag);
    const auto context = context_of(files.server);
    const auto ctx = context->current();
    const std::shared_ptr<SSL> ssl(SSL_new(ctx.get()), SSL_free);
    SSL_set_fd(ssl.get(), socket.get());
    EXPECT_EQ(SSL_accept(ssl.get()), 1);
    char located[1024];
    EXPECT_GT(SSL_read(ssl.get(), located, sizeof located), 0);
  });
  Server plain({"-ORBendPoint", "giop:tcp:127.0.0.1:0"});
  auto cut = plain.profile();
  cut.components = {corbel::ior::encode_ssl({102, 6, at.first})};
  cut.address.port = 0;
  Orb c(with(client, {"-ORBtransports", "ssl,tcp"}));
  const std::string reference = corbel::ior::to_string(
      {"", {corbel::ior::encode_iiop(cut), corbel::ior::encode_iiop(plain.profile())}});
  CORBA::Object_var object = c.orb->string_to_object(reference.c_str());
  Contract::Everything_var it = Contract::Everything::_unchecked_narrow(object);
  Contract::Chars large;  // so that the object is located first, and nothing is in doubt
  large.length(1 << 20);
  try {
    Contract::Chars_var back = it->give_chars(large);
    ADD_FAILURE() << "somebody answered";
  } catch (const CORBA::TRANSIENT& e) {
    EXPECT_TRUE(contains(e.what(), "the connection ended before the request was sent")) << e.what();
  } catch (const CORBA::SystemException& e) {  // BAD_OPERATION, of the other profile's object
    ADD_FAILURE() << e.what();
  }
  cutter.join();
}

TEST_F(TlsOrbs, ACallerWithoutTheCertificateThatIsWantedLearnsSo) {
  Server s(server);
  Orb c(client_without_key);
  for (int i = 0; i < 2; ++i) {
    const std::string error = call(c, s.reference);
    EXPECT_TRUE(contains(error, "NO_PERMISSION") && contains(error, "completed NO")) << error;
    EXPECT_TRUE(contains(error, "-ORBsslKeyFile")) << error;
  }
  Orb right(client);
  EXPECT_EQ(call(right, s.reference), "");
}

TEST_F(TlsOrbs, AServerThatIsNotTrustedIsNotCalledAndTheErrorNamesItsCertificate) {
  Server s(server);
  Orb stranger({"-ORBsslKeyFile", files.client_key});
  std::string error = call(stranger, s.reference);
  EXPECT_TRUE(contains(error, "NO_PERMISSION")) << error;
  files.folder.write("server.pem", issue({"impostor", "DNS:elsewhere.example"}, &files.ca));
  Orb c(client);
  error = call(c, s.reference);
  EXPECT_TRUE(contains(error, "NO_PERMISSION") && contains(error, "CN=impostor") &&
              contains(error, "mismatch"))
      << error;
  Orb relaxed(with(client, {"-ORBsslCheckHost", "0"}));
  EXPECT_EQ(call(relaxed, s.reference), "");
  Orb named(with(client, {"-ORBsslServerName", "elsewhere.example"}));
  EXPECT_EQ(call(named, s.reference), "");
}

TEST_F(TlsOrbs, ATlsReferenceToAPlainPortSaysSo) {
  Server plain({"-ORBendPoint", "giop:tcp:127.0.0.1:0"});
  auto profile = plain.profile();
  profile.components = {corbel::ior::encode_ssl({102, 6, profile.address.port})};
  profile.address.port = 0;
  Orb c(client);
  const std::string error = call(c, corbel::ior::to_string({"", {corbel::ior::encode_iiop(profile)}}));
  EXPECT_TRUE(contains(error, "TRANSIENT") && contains(error, "plain port")) << error;
  Orb p({});
  EXPECT_EQ(call(p, plain.reference), "");
}

TEST_F(TlsOrbs, AUrlLeadsToATlsPort) {
  Server s(server);
  Orb c(client);
  EXPECT_EQ(call(c, "corbaloc:ssliop:1.2@127.0.0.1:" + std::to_string(s.ssl().port) + "/" +
                        corbel::ior::escape(s.profile().object_key)),
            "");
  EXPECT_EQ(s.servant->subject, "CN=client,O=Corbel tests");
}

TEST_F(TlsOrbs, AnIpv6AddressIsPublishedAndReached) {
  const corbel::transport::Descriptor any(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in6 loopback{AF_INET6, 0, 0, IN6ADDR_LOOPBACK_INIT, 0};
  if (::bind(any.get(), reinterpret_cast<const sockaddr*>(&loopback), sizeof loopback) != 0)
    GTEST_SKIP() << "this host has no IPv6 loopback address";
  files.folder.write("server.pem", issue({"server of IPv6", "IP:::1"}, &files.ca));
  Server s(with(server, {"-ORBendPoint", "giop:ssl:[::1]:0"}));
  EXPECT_EQ(s.profile().address.host, "::1");
  EXPECT_EQ(s.profile().address.port, 0);
  Orb c(client);
  EXPECT_EQ(call(c, s.reference), "");
  EXPECT_EQ(call(c, "corbaloc:ssliop:1.2@[::1]:" + std::to_string(s.ssl().port) + "/" +
                        corbel::ior::escape(s.profile().object_key)),
            "");
  EXPECT_EQ(s.servant->subject, "CN=client,O=Corbel tests");
}

TEST_F(TlsOrbs, APortOfARangeIsTakenPublishedAndReached) {
  Server first(server);
  const std::uint16_t port = first.ssl().port;
  const auto last = static_cast<std::uint16_t>(std::min(port + 50, 65535));
  Server second(with(
      server, {"-ORBendPoint", "giop:ssl:127.0.0.1:" + std::to_string(port) + "-" + std::to_string(last)}));
  EXPECT_GT(second.ssl().port, port);
  EXPECT_LE(second.ssl().port, last);
  Orb c(client);
  EXPECT_EQ(call(c, second.reference), "");
  EXPECT_EQ(second.servant->subject, "CN=client,O=Corbel tests");
}

TEST_F(TlsOrbs, SettingsThatCannotBeUsedFailWhenTheOrbIsMade) {
  const auto error_of = [](const Arguments& options) {
    try {
      Server s(options);
    } catch (const CORBA::SystemException& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_TRUE(contains(error_of({"-ORBsslKeyFile", "/no/such"}), "/no/such"));
  EXPECT_TRUE(contains(error_of({"-ORBsslCAFile", files.server.ca_file}), "-ORBsslKeyFile"));
  EXPECT_TRUE(contains(error_of(with(server, {"-ORBsslVerifyMode", "maybe"})), "-ORBsslVerifyMode"));
  EXPECT_TRUE(
      contains(error_of(with(server, {"-ORBsslVerifyMode", "none", "-ORBsslClientCertificates", "require"})),
               "-ORBsslClientCertificates"));
  EXPECT_TRUE(contains(error_of(with(server, {"-ORBsslMinVersion", "1.0"})), "-ORBsslMinVersion"));
  EXPECT_TRUE(contains(error_of(with(server, {"-ORBsslAcceptTimeOut", "0"})), "-ORBsslAcceptTimeOut"));
}

TEST_F(TlsOrbs, TheKeyMayStandInTheFileOfItsCertificates) {
  Server s({"-ORBsslCAFile", files.server.ca_file, "-ORBsslCertificateFile", files.server.key_file});
  Orb c(client);
  EXPECT_EQ(call(c, s.reference), "");
}

TEST_F(TlsOrbs, OmniOrbsVerifyModesAreUnderstood) {
  Server request(with(server, {"-ORBsslVerifyMode", "peer"}));
  Orb without(client_without_key);
  EXPECT_EQ(call(without, request.reference), "");
  EXPECT_EQ(request.servant->subject, "nobody");
  Server require(with(server, {"-ORBsslVerifyMode", "peer,fail,once"}));
  EXPECT_TRUE(contains(call(without, require.reference), "NO_PERMISSION"));
  Orb trusting({"-ORBsslVerifyMode", "none"});
  EXPECT_EQ(call(trusting, request.reference), "");
}

TEST_F(TlsOrbs, ARunningServerTakesItsNewCertificate) {
  Server s(server);
  files.folder.write("server.pem", issue({"renewed"}, &files.ca));
  Orb c(client);
  CORBA::Object_var object = c.orb->string_to_object(s.reference.c_str());
  Contract::Callback_var callback = Contract::Callback::_unchecked_narrow(object);
  EXPECT_EQ(callback->twice(1), 2);
  corbel::PeerIdentity identity;
  ASSERT_TRUE(corbel::server_of(callback, identity));
  EXPECT_EQ(identity.subject, "CN=renewed,O=Corbel tests");
}

TEST_F(TlsOrbs, WhoeverIsNamedIsToldOfANewCertificateThatCannotBeUsed) {
  static std::string told;  // by this thread: it makes the connection
  told.clear();
  Orb c(client);
  Server s(server);
  files.folder.write_text("client.pem", "broken");
  corbel::tls::on_reload_failure([](const char* what) { told += what; });
  EXPECT_EQ(call(c, s.reference), "");
  corbel::tls::on_reload_failure(nullptr);
  EXPECT_TRUE(contains(told, "client.pem")) << told;
  EXPECT_EQ(s.servant->subject, "CN=client,O=Corbel tests");
}

TEST_F(TlsOrbs, AuthoritiesOfADirectoryAreTrustedUnderTheHashesOfTheirNames) {
  Server s(server);
  const std::string directory = files.folder.path("authorities");
  std::filesystem::create_directory(directory);
  Orb c({"-ORBsslCAPath", directory, "-ORBsslKeyFile", files.client_key});
  EXPECT_TRUE(contains(call(c, s.reference), "NO_PERMISSION"));
  char name[16];
  std::snprintf(name, sizeof name, "%08lx.0", X509_subject_name_hash(files.ca.certificate.get()));
  files.folder.write(std::string("authorities/") + name, files.ca, false);
  EXPECT_EQ(call(c, s.reference), "");
}

TEST_F(TlsOrbs, NewConnectionsTrustTheAuthoritiesOfTheFileAsItIsNow) {
  const Issued other = authority("another authority");
  files.folder.write("server.pem", issue({"server of another"}, &other));
  files.folder.write("client.pem", issue({"client of another", ""}, &other));
  Server s(server);
  Orb c(client);
  EXPECT_TRUE(contains(call(c, s.reference), "NO_PERMISSION"));
  files.folder.write("ca.pem", other, false);  // both ends trust it
  EXPECT_EQ(call(c, s.reference), "");
  EXPECT_EQ(s.servant->subject, "CN=client of another,O=Corbel tests");
}

TEST_F(TlsOrbs, NewConnectionsKnowTheRevocationsOfTheFileAsItIsNow) {
  const Issued revoked_server = issue({"server"}, &files.ca),
               revoked_client = issue({"client", ""}, &files.ca);
  const auto none = revocations(files.ca, {});
  files.folder.write("server.pem", revoked_server);
  files.folder.write("client.pem", revoked_client);
  const Arguments of_server{"-ORBsslCRLFile", files.folder.write("of-server.pem", none.get())};
  const Arguments of_client{"-ORBsslCRLFile", files.folder.write("of-client.pem", none.get())};
  Server s(with(server, of_server));
  Orb c(with(client, of_client)), before(with(client, of_client));
  EXPECT_EQ(call(before, s.reference), "");
  files.folder.write("of-client.pem", revocations(files.ca, {revoked_server}).get());
  std::string error = call(c, s.reference);
  EXPECT_TRUE(contains(error, "NO_PERMISSION") && contains(error, "revoked")) << error;
  EXPECT_EQ(call(before, s.reference), "");  // over its connection
  files.folder.write("of-client.pem", none.get());
  files.folder.write("of-server.pem", revocations(files.ca, {revoked_client}).get());
  EXPECT_TRUE(contains(call(c, s.reference), "NO_PERMISSION"));
  files.folder.write("of-server.pem", none.get());
  EXPECT_EQ(call(c, s.reference), "");
}

// What stands in the environment while the object lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
};

TEST_F(TlsOrbs, TheEnvironmentNamesFilesToo) {
  const Issued own = issue({"from the environment"}, &files.ca);
  const Variable ca("CORBEL_SSL_CAFILE", files.server.ca_file);
  const Variable key("CORBEL_SSL_KEY_FILE", files.folder.write("locked.pem", own, true, "open sesame"));
  const Variable certificate("CORBEL_SSL_CERTIFICATE_FILE", files.folder.write("own.pem", own, false));
  const Variable password("CORBEL_SSL_KEY_PASSWORD_FILE",
                          files.folder.write_text("password", "open sesame\n"));
  Server s({});
  Orb c({});
  EXPECT_EQ(call(c, s.reference), "");
  EXPECT_EQ(s.servant->subject, "CN=from the environment,O=Corbel tests");
  const Variable revoked("CORBEL_SSL_CRLFILE",
                         files.folder.write("crl.pem", revocations(files.ca, {own}).get()));
  Orb informed({});
  EXPECT_TRUE(contains(call(informed, s.reference), "revoked"));
}

TEST_F(TlsOrbs, ArgumentsCountBeforeTheEnvironmentAndThatBeforeDefaults) {
  const Variable ca("CORBEL_SSL_CAFILE", files.server.ca_file);
  const auto key = [&](const char* name) { return files.folder.write(name, issue({name, ""}, &files.ca)); };
  Server s(server);
  const auto caller = [&](const Arguments& options) {
    Orb c(options);
    const std::string error = call(c, s.reference);
    return error.empty() ? s.servant->subject : error;
  };
  corbel::tls::set_default("sslKeyFile", key("default").c_str());
  EXPECT_EQ(caller({}), "CN=default,O=Corbel tests");
  {
    const Variable in_environment("CORBEL_SSL_KEY_FILE", key("environment"));
    EXPECT_EQ(caller({}), "CN=environment,O=Corbel tests");
    EXPECT_EQ(caller({"-ORBsslKeyFile", key("argument")}), "CN=argument,O=Corbel tests");
  }
  corbel::tls::set_default("sslKeyFile", "");
  EXPECT_TRUE(contains(caller({}), "NO_PERMISSION"));
}

TEST_F(TlsOrbs, CiphersOfTheOptionsAreThoseOfTheConnections) {
  const auto negotiated = [&](const Server& s, int version) {
    files.client.key_file = files.client_key;
    const auto context = context_of(files.client);
    const auto ctx = context->current();
    SSL_CTX_set_max_proto_version(ctx.get(), version);
    bool timed_out;
    auto socket = corbel::transport::connect_tcp("127.0.0.1", s.ssl().port, in_seconds(10), timed_out);
    const std::shared_ptr<SSL> ssl(SSL_new(ctx.get()), SSL_free);
    SSL_set_fd(ssl.get(), socket.get());
    return std::string(SSL_connect(ssl.get()) == 1 ? SSL_get_cipher_name(ssl.get()) : "none");
  };
  const char* const old_cipher = "ECDHE-ECDSA-CHACHA20-POLY1305";
  const char* const suite = "TLS_CHACHA20_POLY1305_SHA256";
  Server s(with(server, {"-ORBsslCiphers", old_cipher, "-ORBsslCipherSuites", suite}));
  EXPECT_EQ(negotiated(s, TLS1_2_VERSION), old_cipher);
  EXPECT_EQ(negotiated(s, TLS1_3_VERSION), suite);
  Orb same(with(client, {"-ORBsslCipherSuites", suite}));
  EXPECT_EQ(call(same, s.reference), "");
  Orb other(with(client, {"-ORBsslMinVersion", "1.3", "-ORBsslCipherSuites", "TLS_AES_128_GCM_SHA256"}));
  const std::string error = call(other, s.reference);
  EXPECT_TRUE(contains(error, "TRANSIENT") && contains(error, "cipher")) << error;
}

TEST_F(TlsOrbs, ManyThreadsShareAConnection) {
  Server s(server);
  Orb c(client);
  CORBA::Object_var object = c.orb->string_to_object(s.reference.c_str());
  Contract::Callback_var callback = Contract::Callback::_unchecked_narrow(object);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) EXPECT_EQ(callback->twice(i), 2 * i);
    });
  for (std::thread& t : threads) t.join();
}

// ---- hostile peers, in both server models

std::size_t descriptors() {
  std::size_t count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (readdir(folder)) ++count;
  closedir(folder);
  return count;
}

class Raw {
 public:
  explicit Raw(CORBA::UShort port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~Raw() { close(socket_); }
  void write(const std::string& bytes) { (void)!send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  bool has_ended() {
    char octet;
    const ssize_t n = recv(socket_, &octet, 1, MSG_DONTWAIT | MSG_PEEK);
    return n == 0 || (n < 0 && errno == ECONNRESET);
  }
  // Until the server ends the connection; false if it does not within the time.
  bool ended(int seconds) {
    const timeval limit{seconds, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    char buffer[4096];
    ssize_t n;
    while ((n = recv(socket_, buffer, sizeof buffer, 0)) > 0) {
    }
    return n == 0 || errno == ECONNRESET;
  }

 private:
  int socket_;
};

TEST_F(TlsOrbs, ClientsThatSayNothingCostTheEndOfAServerNoWork) {
  const auto processor_time = [] {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
  };
  for (const bool reactive : {false, true}) {
    auto s = std::make_unique<Server>(server, reactive);
    Orb c(client);
    const Raw silent(s->ssl().port), silent_too(s->ssl().port);
    EXPECT_EQ(call(c, s->reference), "");  // they have been accepted
    const double before = processor_time();
    s = nullptr;
    EXPECT_LT(processor_time() - before, 0.5);
  }
}

class TlsHostileOrbs : public TlsOrbs, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    s.emplace(with(server, {"-ORBsslAcceptTimeOut", "3000"}), GetParam());
    c.emplace(client);
    EXPECT_EQ(call(*c, s->reference), "");
    before = descriptors();
  }
  void TearDown() override {
    EXPECT_EQ(call(*c, s->reference), "");  // others are served
    std::size_t now = 0;
    for (int i = 0; i < 1000 && (now = descriptors()) > before; ++i) usleep(20'000);
    EXPECT_LE(now, before);
  }
  std::optional<Server> s;
  std::optional<Orb> c;
  std::size_t before = 0;
};

TEST_P(TlsHostileOrbs, SilenceGarbageAndHalfAHelloLoseTheirConnections) {
  const std::string hello("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
  std::string garbage;
  for (int i = 0; i < 5000; ++i) garbage += static_cast<char>(i * 131);
  std::vector<std::unique_ptr<Raw>> peers;
  for (const std::string& bytes :
       {std::string(), hello, garbage, std::string("GIOP\1\2\1\0\0\0\0\0", 12),
        std::string("GET / HTTP/1.0\r\n\r\n"), std::string("\x16\x03\x00\x00\x04\x01\x00\x00\x00", 9),
        std::string("\x80\x2e\x01\x00\x02", 5), std::string("\x15\x03\x01\x00\x02\x02\x28", 7),
        hello + std::string(4000, '\xff')}) {
    peers.push_back(std::make_unique<Raw>(s->ssl().port));
    peers.back()->write(bytes);
  }
  EXPECT_EQ(call(*c, s->reference), "");
  for (std::size_t i = 0; i < peers.size(); ++i) EXPECT_TRUE(peers[i]->ended(20)) << "peer " << i;
}

TEST_P(TlsHostileOrbs, ASlowHelloRunsOutOfTime) {
  Raw peer(s->ssl().port);
  std::string hello("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
  hello.resize(0x200);  // as long as it says
  std::size_t said = 0;
  while (said < hello.size() && !peer.has_ended()) {
    peer.write(std::string(1, hello[said++]));
    usleep(150'000);
    EXPECT_EQ(call(*c, s->reference), "");
  }
  EXPECT_LT(said, hello.size());
}

TEST_P(TlsHostileOrbs, ADowngradeIsRefused) {
  // A client of TLS 1.1 by hand: OpenSSL made to speak it.
  const std::shared_ptr<SSL_CTX> ctx(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  SSL_CTX_set_min_proto_version(ctx.get(), TLS1_1_VERSION);
  SSL_CTX_set_max_proto_version(ctx.get(), TLS1_1_VERSION);
  SSL_CTX_set_cipher_list(ctx.get(), "ALL:@SECLEVEL=0");
  std::string why;
  bool timed_out;
  auto socket = corbel::transport::connect_tcp("127.0.0.1", s->ssl().port, in_seconds(10), timed_out);
  const std::shared_ptr<SSL> ssl(SSL_new(ctx.get()), SSL_free);
  SSL_set_fd(ssl.get(), socket.get());
  EXPECT_NE(SSL_connect(ssl.get()), 1);
  EXPECT_EQ(ERR_GET_REASON(ERR_peek_last_error()), SSL_R_TLSV1_ALERT_PROTOCOL_VERSION);
  ERR_clear_error();
}

TEST_P(TlsHostileOrbs, RenegotiationIsRefused) {
  files.client.key_file = files.client_key;
  const auto context = context_of(files.client);
  const auto ctx = context->current();
  SSL_CTX_set_max_proto_version(ctx.get(), TLS1_2_VERSION);
  SSL_CTX_clear_options(ctx.get(), SSL_OP_NO_RENEGOTIATION);
  bool timed_out;
  auto socket = corbel::transport::connect_tcp("127.0.0.1", s->ssl().port, in_seconds(10), timed_out);
  const std::shared_ptr<SSL> ssl(SSL_new(ctx.get()), SSL_free);
  SSL_set_fd(ssl.get(), socket.get());
  ASSERT_EQ(SSL_connect(ssl.get()), 1);
  EXPECT_EQ(SSL_renegotiate(ssl.get()), 1);
  EXPECT_NE(SSL_do_handshake(ssl.get()), 1);
  ERR_clear_error();
}

TEST_P(TlsHostileOrbs, APeerThatVanishesInItsHandshakeLeavesNothing) {
  for (int i = 0; i < 50; ++i) {
    Raw peer(s->ssl().port);
    peer.write(std::string("\x16\x03\x01", 3));
  }
}

INSTANTIATE_TEST_SUITE_P(Model, TlsHostileOrbs, testing::Bool(),
                         [](const auto& info) { return info.param ? "reactive" : "pool"; });

}  // namespace
