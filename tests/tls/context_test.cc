// Settings, certificates and keys: what is refused when an ORB starts, what changes while it runs.
#include "pair.h"

namespace {

using namespace tls_test;

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
  const std::shared_ptr<X509_CRL> crl(X509_CRL_new(), X509_CRL_free);
  X509_CRL_set_version(crl.get(), X509_CRL_VERSION_2);
  X509_CRL_set_issuer_name(crl.get(), X509_get_subject_name(files.ca.certificate.get()));
  const std::shared_ptr<ASN1_TIME> now(ASN1_TIME_new(), ASN1_TIME_free);
  X509_gmtime_adj(now.get(), -60);
  X509_CRL_set1_lastUpdate(crl.get(), now.get());
  X509_REVOKED* const revoked = X509_REVOKED_new();
  X509_REVOKED_set_serialNumber(revoked, X509_get_serialNumber(server.certificate.get()));
  X509_REVOKED_set_revocationDate(revoked, now.get());
  X509_CRL_add0_revoked(crl.get(), revoked);
  const std::shared_ptr<ASN1_TIME> later(ASN1_TIME_new(), ASN1_TIME_free);
  X509_gmtime_adj(later.get(), 86400);
  X509_CRL_set1_nextUpdate(crl.get(), later.get());
  X509_CRL_sign(crl.get(), files.ca.key.get(), EVP_sha256());
  files.client.crl_file = files.folder.path("crl.pem");
  FILE* const out = std::fopen(files.client.crl_file.c_str(), "w");
  PEM_write_X509_CRL(out, crl.get());
  std::fclose(out);
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
