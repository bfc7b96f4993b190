// Certificates for tests, made when the test runs: an authority and what it signs, as PEM files of a
// directory that goes away with the object.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tls_test {

using Key = std::shared_ptr<EVP_PKEY>;
using Certificate = std::shared_ptr<X509>;

struct Issued {
  Key key;
  Certificate certificate;
};

inline Key make_key() { return {EVP_EC_gen("P-256"), EVP_PKEY_free}; }

struct Request {
  std::string name = "server";                       // CN
  std::string hosts = "DNS:localhost,IP:127.0.0.1";  // subjectAltName; empty: none
  long valid_from = -3600, valid_for = 86400;        // seconds from now
  bool authority = false;
};

inline void extend(X509* certificate, X509* issuer, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
  if (!extension) throw std::runtime_error(std::string("bad extension ") + value);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

// Signed by `issuer`, or by itself.
inline Issued issue(const Request& request, const Issued* issuer = nullptr) {
  Issued made{make_key(), {X509_new(), X509_free}};
  X509* const x = made.certificate.get();
  static long serial = 1000 + getpid();
  X509_set_version(x, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(x), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(x), request.valid_from);
  X509_gmtime_adj(X509_getm_notAfter(x), request.valid_for);
  X509_set_pubkey(x, made.key.get());
  X509_NAME* const name = X509_get_subject_name(x);
  X509_NAME_add_entry_by_txt(name, "O", MBSTRING_UTF8, reinterpret_cast<const unsigned char*>("Corbel tests"),
                             -1, -1, 0);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(request.name.c_str()), -1, -1, 0);
  X509_set_issuer_name(x, X509_get_subject_name(issuer ? issuer->certificate.get() : x));
  X509* const signer = issuer ? issuer->certificate.get() : x;
  extend(x, signer, NID_basic_constraints, request.authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
  extend(x, signer, NID_subject_key_identifier, "hash");
  if (!request.hosts.empty()) extend(x, signer, NID_subject_alt_name, request.hosts.c_str());
  if (X509_sign(x, issuer ? issuer->key.get() : made.key.get(), EVP_sha256()) == 0)
    throw std::runtime_error("cannot sign");
  return made;
}

inline Issued authority(const std::string& name = "authority") {
  return issue({name, "", -3600, 86400, true});
}

// Of certificates that the authority has signed.
inline std::shared_ptr<X509_CRL> revocations(const Issued& by, const std::vector<Issued>& revoked) {
  const std::shared_ptr<X509_CRL> list(X509_CRL_new(), X509_CRL_free);
  const auto in_seconds = [](long n) {
    return std::shared_ptr<ASN1_TIME>(X509_gmtime_adj(nullptr, n), ASN1_TIME_free);
  };
  X509_CRL_set_version(list.get(), X509_CRL_VERSION_2);
  X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(by.certificate.get()));
  X509_CRL_set1_lastUpdate(list.get(), in_seconds(-60).get());
  X509_CRL_set1_nextUpdate(list.get(), in_seconds(86400).get());
  for (const Issued& one : revoked) {
    X509_REVOKED* const entry = X509_REVOKED_new();
    X509_REVOKED_set_serialNumber(entry, X509_get_serialNumber(one.certificate.get()));
    X509_REVOKED_set_revocationDate(entry, in_seconds(-60).get());
    X509_CRL_add0_revoked(list.get(), entry);
  }
  if (X509_CRL_sign(list.get(), by.key.get(), EVP_sha256()) == 0) throw std::runtime_error("cannot sign");
  return list;
}

// A directory with PEM files.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/corbel-tls-XXXXXX";
    if (!mkdtemp(name)) throw std::runtime_error("no temporary directory");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }
  // Certificate (and what signed it, if given), then the key, which a password locks if there is one. In
  // place of an older file at once.
  std::string write(const std::string& name, const Issued& issued, bool with_key = true,
                    const char* password = nullptr, const Issued* above = nullptr) const {
    const std::string file = path(name), fresh = file + ".new";
    FILE* const out = std::fopen(fresh.c_str(), "w");
    PEM_write_X509(out, issued.certificate.get());
    if (above) PEM_write_X509(out, above->certificate.get());
    if (with_key)
      PEM_write_PrivateKey(out, issued.key.get(), password ? EVP_aes_256_cbc() : nullptr, nullptr, 0, nullptr,
                           const_cast<char*>(password));
    std::fclose(out);
    std::filesystem::rename(fresh, file);
    return file;
  }
  std::string write(const std::string& name, X509_CRL* list) const {
    const std::string file = path(name), fresh = file + ".new";
    FILE* const out = std::fopen(fresh.c_str(), "w");
    PEM_write_X509_CRL(out, list);
    std::fclose(out);
    std::filesystem::rename(fresh, file);
    return file;
  }
  std::string write_text(const std::string& name, const std::string& text) const {
    const std::string file = path(name), fresh = file + ".new";
    FILE* const out = std::fopen(fresh.c_str(), "w");
    std::fputs(text.c_str(), out);
    std::fclose(out);
    std::filesystem::rename(fresh, file);
    return file;
  }

 private:
  std::string path_;
};

}  // namespace tls_test
