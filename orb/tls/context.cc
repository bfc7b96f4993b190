#include "orb/tls/context.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "orb/tls/failure.h"
#include "orb/transport/inherited.h"

namespace corbel::tls {
namespace {

// Forward secrecy and authenticated encryption; every TLS 1.2 of the last ten years has one of them.
constexpr const char* kCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";
constexpr base::Deadline kRetryNs = 1'000'000'000;

// Never asks at a terminal: without a password a locked key is an error.
int give_password(char* to, int size, int, void* user) {
  const auto& password = *static_cast<const std::string*>(user);
  if (password.size() > static_cast<std::size_t>(size)) return -1;
  std::memcpy(to, password.data(), password.size());
  return static_cast<int>(password.size());
}

bool read_password(const std::string& file, std::string& password, std::string& why) {
  if (file.empty()) return true;
  std::ifstream in(file);
  if (std::getline(in, password)) return true;
  why = "-ORBsslKeyPasswordFile '" + file + "' cannot be read";
  return false;
}

void free_context(SSL_CTX* context) {
  const transport::HoldsUpFork inside;
  SSL_CTX_free(context);
}

std::string cannot(const char* what, const std::string& file, const char* option) {
  return std::string(what) + " '" + file + "' cannot be used (" + take_error_text() + "): see -ORBssl" +
         option;
}

bool load_trust(SSL_CTX* ctx, const Settings& s, std::string& why) {
  std::error_code ignored;
  if (s.ca_file.empty() && s.ca_path.empty()) {
    SSL_CTX_set_default_verify_paths(ctx);
  } else {
    if (!s.ca_file.empty() && SSL_CTX_load_verify_file(ctx, s.ca_file.c_str()) != 1) {
      why = cannot("the file of certificate authorities", s.ca_file, "CAFile");
      return false;
    }
    if (!s.ca_path.empty()) {
      if (!std::filesystem::is_directory(s.ca_path, ignored)) {  // OpenSSL looks there only when it verifies
        why = "-ORBsslCAPath '" + s.ca_path + "' is no directory";
        return false;
      }
      if (SSL_CTX_load_verify_dir(ctx, s.ca_path.c_str()) != 1) {
        why = cannot("the directory of certificate authorities", s.ca_path, "CAPath");
        return false;
      }
    }
  }
  // A server names whom it trusts, so that clients with several certificates can choose.
  if (!s.ca_file.empty()) SSL_CTX_set_client_CA_list(ctx, SSL_load_client_CA_file(s.ca_file.c_str()));
  if (!s.crl_file.empty()) {
    X509_STORE* const store = SSL_CTX_get_cert_store(ctx);
    X509_LOOKUP* const lookup = X509_STORE_add_lookup(store, X509_LOOKUP_file());
    if (!lookup || X509_load_crl_file(lookup, s.crl_file.c_str(), X509_FILETYPE_PEM) < 1) {
      why = cannot("the file of revoked certificates", s.crl_file, "CRLFile");
      return false;
    }
    X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
  }
  return true;
}

bool load_identity(SSL_CTX* ctx, const Settings& s, std::string& why) {
  const std::string& certificates = s.certificate_file.empty() ? s.key_file : s.certificate_file;
  if (certificates.empty()) return true;
  const std::string& key = s.key_file.empty() ? s.certificate_file : s.key_file;
  if (SSL_CTX_use_certificate_chain_file(ctx, certificates.c_str()) != 1) {
    why = cannot("the certificate", certificates, s.certificate_file.empty() ? "KeyFile" : "CertificateFile");
    return false;
  }
  if (SSL_CTX_use_PrivateKey_file(ctx, key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(ctx) != 1) {
    why = cannot("the private key", key, "KeyFile and -ORBsslKeyPassword");
    return false;
  }
  return true;
}

bool set_protocol(SSL_CTX* ctx, const Settings& s, std::string& why) {
  int version = 0;
  if (s.min_version.empty() || s.min_version == "1.2") version = TLS1_2_VERSION;
  else if (s.min_version == "1.3") version = TLS1_3_VERSION;
  if (version == 0) {
    why = "write -ORBsslMinVersion 1.2 or 1.3: older versions of TLS are not secure";
    return false;
  }
  SSL_CTX_set_min_proto_version(ctx, version);
  if (SSL_CTX_set_cipher_list(ctx, s.ciphers.empty() ? kCiphers : s.ciphers.c_str()) != 1) {
    why = cannot("the list of ciphers", s.ciphers, "Ciphers");
    return false;
  }
  if (!s.cipher_suites.empty() && SSL_CTX_set_ciphersuites(ctx, s.cipher_suites.c_str()) != 1) {
    why = cannot("the list of cipher suites", s.cipher_suites, "CipherSuites");
    return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<Context> Context::make(Settings settings, Report report, std::string& why) {
  std::unique_ptr<Context> context(new Context(std::move(settings), std::move(report)));
  context->seen_ = context->look();
  context->handle_ = context->build(why);
  if (!context->handle_) return nullptr;
  return context;
}

ContextHandle Context::current() {
  std::string why;
  bool changed;
  ContextHandle handle;
  {
    std::lock_guard lock(mutex_);
    std::vector<Stamp> now = look();  // before the files are read: a change meanwhile is seen next time
    changed = now != seen_;
    if (changed || (retry_at_ != base::kNoDeadline && base::now() >= retry_at_)) {
      seen_ = std::move(now);
      retry_at_ = base::now() + kRetryNs;  // if it fails, for want of memory, too
      if (ContextHandle fresh = build(why)) {
        handle_ = std::move(fresh);
        retry_at_ = base::kNoDeadline;
      }
    }
    handle = handle_;
  }
  if (!why.empty() && changed && report_) report_(why + "; what was read before is used on");
  return handle;
}

std::vector<Context::Stamp> Context::look() const {
  std::vector<Stamp> stamps;
  for (const std::string* file : {&settings_.ca_file, &settings_.ca_path, &settings_.certificate_file,
                                  &settings_.key_file, &settings_.key_password_file, &settings_.crl_file}) {
    Stamp stamp;
    struct stat s {};
    if (!file->empty() && ::stat(file->c_str(), &s) == 0)
      stamp = {static_cast<std::uint64_t>(s.st_dev), static_cast<std::uint64_t>(s.st_ino), s.st_size,
               s.st_ctim.tv_sec, s.st_ctim.tv_nsec};
    stamps.push_back(stamp);
  }
  return stamps;
}

ContextHandle Context::build(std::string& why) const {
  ERR_clear_error();  // what the application has left is no reason of ours
  ContextHandle handle;
  const transport::HoldsUpFork inside;
  handle = ContextHandle(SSL_CTX_new(TLS_method()), free_context);
  SSL_CTX* const ctx = handle.get();
  if (!ctx) {
    why = "OpenSSL cannot be used: " + take_error_text();
    return nullptr;
  }
  // No resumption: connections of an ORB live long, and each new one is to see the certificates as they are
  // now.
  SSL_CTX_set_options(ctx, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET |
                               SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_num_tickets(ctx, 0);
  SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_default_passwd_cb(ctx, give_password);
  std::string password = settings_.key_password;
  SSL_CTX_set_default_passwd_cb_userdata(ctx, &password);
  const bool good = read_password(settings_.key_password_file, password, why) &&
                    set_protocol(ctx, settings_, why) && load_trust(ctx, settings_, why) &&
                    load_identity(ctx, settings_, why);
  // A context that connections keep alive must not point to the password.
  SSL_CTX_set_default_passwd_cb(ctx, nullptr);
  SSL_CTX_set_default_passwd_cb_userdata(ctx, nullptr);
  ERR_clear_error();
  return good ? handle : nullptr;
}

}  // namespace corbel::tls
