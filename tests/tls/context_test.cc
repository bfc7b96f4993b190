// Settings, certificates and keys: what is refused when an ORB starts, what changes while it runs.
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/resource.h>

#include <chrono>

#include "pair.h"

namespace {

using namespace tls_test;
using corbel::tls::ContextHandle;

std::string refused(const Settings& settings) {
  std::string why;
  EXPECT_FALSE(Context::make(settings, nullptr, why));
  return why;
}

TEST(TlsContext, SaysWhichFileCannotBeUsed) {
  Certified files;
  Settings s = files.server;
  s.key_file = "/no/such/file";
  EXPECT_NE(refused(s).find("/no/such/file"), std::string::npos);
  s = files.server;
  s.ca_file = files.folder.write_text("empty.pem", "nothing");
  EXPECT_NE(refused(s).find("-ORBsslCAFile"), std::string::npos) << refused(s);
  s = files.server;
  s.ciphers = "NONE-SUCH";
  EXPECT_NE(refused(s).find("NONE-SUCH"), std::string::npos);
  s = files.server;
  s.min_version = "1.1";
  EXPECT_NE(refused(s).find("-ORBsslMinVersion"), std::string::npos);
  s = files.server;
  s.crl_file = files.server.key_file;
  EXPECT_NE(refused(s).find("-ORBsslCRLFile"), std::string::npos);
}

TEST(TlsContext, SaysWhyAFileCannotBeUsed) {
  Certified files;
  const auto reason = [&](std::string Settings::*which, const std::string& value) {
    Settings s = files.server;
    s.*which = value;
    return refused(s);
  };
  for (auto which :
       {&Settings::key_file, &Settings::certificate_file, &Settings::ca_file, &Settings::crl_file})
    EXPECT_NE(reason(which, "/no/such/file").find("No such file"), std::string::npos)
        << reason(which, "/no/such/file");
  EXPECT_NE(reason(&Settings::ca_path, "/no/such/folder").find("'/no/such/folder' is no directory"),
            std::string::npos);
  const std::string no_key = files.folder.write("no key.pem", issue({"server"}, &files.ca), false);
  EXPECT_NE(reason(&Settings::key_file, no_key).find("there is none in it"), std::string::npos)
      << reason(&Settings::key_file, no_key);
}

TEST(TlsContext, AKeyMustFitItsCertificate) {
  Certified files;
  Settings s = files.server;
  s.certificate_file = files.folder.write("certificate.pem", issue({"server"}, &files.ca), false);
  EXPECT_NE(refused(s).find("private key"), std::string::npos) << refused(s);
}

TEST(TlsContext, ALockedKeyNeedsItsPassword) {
  Certified files;
  files.server.key_file = files.folder.write("locked.pem", issue({"server"}, &files.ca), true, "open sesame");
  EXPECT_NE(refused(files.server).find("-ORBsslKeyPassword"), std::string::npos);
  files.server.key_password = "wrong";
  EXPECT_NE(refused(files.server), "");
  files.server.key_password = "open sesame";
  EXPECT_TRUE(Pair(files.server, files.client).open());
}

TEST(TlsContext, ARevokedCertificateIsRefused) {
  Certified files;
  const Issued server = issue({"server"}, &files.ca);
  files.server.key_file = files.folder.write("revoked.pem", server);
  files.client.crl_file = files.folder.write("crl.pem", revocations(files.ca, {server}).get());
  Pair pair(files.server, files.client);
  EXPECT_FALSE(pair.open());
  EXPECT_NE(pair.client->failure().text.find("revoked"), std::string::npos) << pair.client->failure().text;
  files.server.key_file = files.folder.write("good.pem", issue({"server"}, &files.ca));
  EXPECT_TRUE(Pair(files.server, files.client).open());
}

std::string subject_seen(Context& server, Context& client) {
  RawPair raw;
  auto s = TlsStream::server(std::move(raw.server), server.current(), server.settings());
  auto c = TlsStream::client(std::move(raw.client), client.current(), client.settings(), "127.0.0.1");
  std::thread serving([&] {
    char octet;
    (void)read_some(*s, &octet, 1);
  });
  std::string subject = "none";
  if (c->handshake(in_seconds(10)) && c->identity()) subject = c->identity()->subject;
  c->interrupt();
  serving.join();
  return subject;
}

TEST(TlsContext, NewConnectionsSeeChangedCertificatesAndABrokenFileChangesNothing) {
  Certified files;
  std::string report, why;
  const auto server = Context::make(
      files.server, [&](const std::string& text) { report = text; }, why);
  ASSERT_TRUE(server) << why;
  const auto client = context_of(files.client);
  EXPECT_EQ(subject_seen(*server, *client), "CN=server,O=Corbel tests");
  files.folder.write("server.pem", issue({"renewed"}, &files.ca));
  EXPECT_EQ(subject_seen(*server, *client), "CN=renewed,O=Corbel tests");
  EXPECT_EQ(report, "");
  files.folder.write_text("server.pem", "broken");
  EXPECT_EQ(subject_seen(*server, *client), "CN=renewed,O=Corbel tests");
  EXPECT_NE(report.find("server.pem"), std::string::npos) << report;
  report.clear();
  EXPECT_EQ(subject_seen(*server, *client), "CN=renewed,O=Corbel tests");
  EXPECT_EQ(report, "");  // said once
  std::filesystem::remove(files.server.key_file);
  EXPECT_EQ(subject_seen(*server, *client), "CN=renewed,O=Corbel tests");
  EXPECT_NE(report, "");
  files.folder.write("server.pem", issue({"again"}, &files.ca));
  EXPECT_EQ(subject_seen(*server, *client), "CN=again,O=Corbel tests");
}

TEST(TlsContext, FilesThatCouldNotBeReadForAnotherReasonAreReadLater) {
  Certified files;
  std::string report, why;
  const auto server = Context::make(
      files.server, [&](const std::string& text) { report = text; }, why);
  ASSERT_TRUE(server) << why;
  files.folder.write("server.pem", issue({"renewed"}, &files.ca));
  {
    rlimit allowed{};
    getrlimit(RLIMIT_NOFILE, &allowed);
    const rlimit none{0, allowed.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    const ContextHandle old = server->current();  // no descriptor is left
    setrlimit(RLIMIT_NOFILE, &allowed);
  }
  EXPECT_NE(report, "");
  const auto client = context_of(files.client);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  std::string seen;
  do seen = subject_seen(*server, *client);
  while (seen == "CN=server,O=Corbel tests" && std::chrono::steady_clock::now() < until);
  EXPECT_EQ(seen, "CN=renewed,O=Corbel tests");
}

TEST(TlsContext, AKeyMayBeRenewedTogetherWithItsPassword) {
  Certified files;
  files.server.key_file = files.folder.write("locked.pem", issue({"first"}, &files.ca), true, "open sesame");
  files.server.certificate_file.clear();
  files.server.key_password_file = files.folder.write_text("password", "open sesame\n");
  const auto server = context_of(files.server), client = context_of(files.client);
  EXPECT_EQ(subject_seen(*server, *client), "CN=first,O=Corbel tests");
  files.folder.write("locked.pem", issue({"second"}, &files.ca), true, "abracadabra");
  EXPECT_EQ(subject_seen(*server, *client), "CN=first,O=Corbel tests");
  files.folder.write_text("password", "abracadabra\n");
  EXPECT_EQ(subject_seen(*server, *client), "CN=second,O=Corbel tests");
}

// What both ends agree on where the server speaks this version at most, or "none".
std::string negotiated(const Settings& server, const Settings& client, int version) {
  const auto server_context = context_of(server), client_context = context_of(client);
  const ContextHandle serving = server_context->current(), calling = client_context->current();
  SSL_CTX_set_max_proto_version(serving.get(), version);
  const std::shared_ptr<SSL> s(SSL_new(serving.get()), SSL_free), c(SSL_new(calling.get()), SSL_free);
  BIO *below_server = nullptr, *below_client = nullptr;
  BIO_new_bio_pair(&below_server, 0, &below_client, 0);
  SSL_set_bio(s.get(), below_server, below_server);
  SSL_set_bio(c.get(), below_client, below_client);
  SSL_set_accept_state(s.get());
  SSL_set_connect_state(c.get());
  bool done = false;
  for (int round = 0; round < 20 && !done; ++round) {
    const bool client_done = SSL_do_handshake(c.get()) == 1, server_done = SSL_do_handshake(s.get()) == 1;
    done = client_done && server_done;
  }
  ERR_clear_error();
  return done ? SSL_get_cipher_name(c.get()) : "none";
}

// Ciphers of either end decide in the version that they are of, and in no other.
void expect_to_decide(std::string Settings::*list, int version, const char* one, const char* other) {
  Certified files;
  const Settings server = files.server, client = files.client;
  for (const char* cipher : {one, other}) {
    files.server.*list = cipher;
    EXPECT_EQ(negotiated(files.server, client, version), cipher);
    files.client.*list = cipher;
    EXPECT_EQ(negotiated(server, files.client, version), cipher);
    EXPECT_EQ(negotiated(files.server, files.client, version), cipher);
    files.client.*list = cipher == one ? other : one;
    EXPECT_EQ(negotiated(files.server, files.client, version), "none");
    const int another = version == TLS1_2_VERSION ? TLS1_3_VERSION : TLS1_2_VERSION;
    EXPECT_NE(negotiated(files.server, files.client, another), "none");
  }
}

TEST(TlsContext, CiphersDecideInTls12) {
  expect_to_decide(&Settings::ciphers, TLS1_2_VERSION, "ECDHE-ECDSA-AES256-GCM-SHA384",
                   "ECDHE-ECDSA-CHACHA20-POLY1305");
}

TEST(TlsContext, CipherSuitesDecideInTls13) {
  expect_to_decide(&Settings::cipher_suites, TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256",
                   "TLS_CHACHA20_POLY1305_SHA256");
}

TEST(TlsContext, AConnectionOutlivesTheCertificatesItWasMadeWith) {
  Certified files;
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  files.folder.write("server.pem", issue({"renewed"}, &files.ca));
  (void)pair.server_context->current();
  ASSERT_TRUE(write_all(*pair.client, "still", 5));
  EXPECT_EQ(read_exactly(*pair.server, 5), "still");
}

}  // namespace
