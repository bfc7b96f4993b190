#include "orb/tls/options.h"

#include <charconv>

namespace corbel::tls {
namespace {

constexpr std::uint32_t kLongestTime = 3600'000;

bool read_time(const std::string& text, std::uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0 && value <= kLongestTime;
}

// omniORB's words: "none", or "peer" with ",fail" and ",once" behind it.
bool read_verify_mode(std::string text, Settings& s) {
  if (text == "none") {
    s.verify = false;
    s.clients = ClientCertificates::None;
    return true;
  }
  constexpr const char* kOnce = ",once";  // renegotiation, which there is none of
  if (const auto at = text.find(kOnce); at != text.npos) text.erase(at, 5);
  if (text != "peer" && text != "peer,fail") return false;
  s.clients = text == "peer" ? ClientCertificates::Request : ClientCertificates::Require;
  return true;
}

bool read_client_certificates(const std::string& text, Settings& s) {
  if (text == "none") s.clients = ClientCertificates::None;
  else if (text == "request") s.clients = ClientCertificates::Request;
  else if (text == "require") s.clients = ClientCertificates::Require;
  else return false;
  return true;
}

}  // namespace

const transport::TransportOption kOptions[] = {
    {"sslCAFile", "FILE", "certificate authorities to trust, PEM; without it and sslCAPath: the system's"},
    {"sslCAPath", "DIRECTORY", "the same as files named by hash"},
    {"sslKeyFile", "FILE", "private key, PEM, with its certificates unless sslCertificateFile has them"},
    {"sslKeyPassword", "TEXT", "what unlocks the key"},
    {"sslKeyPasswordFile", "FILE", "the same: the first line of a file"},
    {"sslCertificateFile", "FILE", "own certificate and those between it and its authority, PEM"},
    {"sslCRLFile", "FILE", "revoked certificates, PEM"},
    {"sslVerifyMode", "none|peer|peer,fail",
     "verify no certificate, servers' and clients' where they show one, or demand clients'"},
    {"sslClientCertificates", "none|request|require",
     "what a server wants of clients; require where an authority is named, else none"},
    {"sslCheckHost", "0|1", "whether a server's certificate must be for the reference's host"},
    {"sslServerName", "NAME", "whom a server's certificate must be for in place of the reference's host"},
    {"sslMinVersion", "1.2|1.3", "oldest version of TLS spoken"},
    {"sslCiphers", "LIST", "ciphers of TLS 1.2, as OpenSSL writes them"},
    {"sslCipherSuites", "LIST", "cipher suites of TLS 1.3"},
    {"sslAcceptTimeOut", "MS", "time a client has for its handshake"},
    {nullptr, nullptr, nullptr}};

bool read_settings(const transport::TransportSettings& given, Settings& s, std::string& why) {
  const auto text = [&](const char* name, std::string& to) {
    if (const std::string* value = given.find(name)) to = *value;
  };
  text("sslCAFile", s.ca_file);
  text("sslCAPath", s.ca_path);
  text("sslKeyFile", s.key_file);
  text("sslKeyPassword", s.key_password);
  text("sslKeyPasswordFile", s.key_password_file);
  text("sslCertificateFile", s.certificate_file);
  text("sslCRLFile", s.crl_file);
  text("sslServerName", s.server_name);
  text("sslMinVersion", s.min_version);
  text("sslCiphers", s.ciphers);
  text("sslCipherSuites", s.cipher_suites);
  // Whoever names an authority means to know who calls.
  const bool authority = !s.ca_file.empty() || !s.ca_path.empty();
  s.clients = authority ? ClientCertificates::Require : ClientCertificates::None;
  if (const auto* v = given.find("sslVerifyMode"); v && !read_verify_mode(*v, s)) {
    why = "write -ORBsslVerifyMode none, peer or peer,fail";
    return false;
  }
  if (const auto* v = given.find("sslClientCertificates"); v && !read_client_certificates(*v, s)) {
    why = "write -ORBsslClientCertificates none, request or require";
    return false;
  }
  if (!s.verify && s.clients != ClientCertificates::None) {
    why =
        "-ORBsslVerifyMode none verifies nobody, so -ORBsslClientCertificates cannot ask for certificates: "
        "leave one of them out";
    return false;
  }
  if (const auto* v = given.find("sslCheckHost")) {
    if (*v != "0" && *v != "1") {
      why = "write -ORBsslCheckHost 0 or 1";
      return false;
    }
    s.check_host = *v == "1";
  }
  if (const auto* v = given.find("sslAcceptTimeOut"); v && !read_time(*v, s.handshake_timeout_ms)) {
    why = "write -ORBsslAcceptTimeOut and 1 to 3600000 milliseconds";
    return false;
  }
  return true;
}

}  // namespace corbel::tls
