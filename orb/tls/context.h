// What TLS connections are made from: settings, certificates and keys, and their reload when files change.
#pragma once

#include <openssl/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <corbel/base/deadline.h>

#include "orb/base/mutex.h"

namespace corbel::tls {

enum class ClientCertificates {
  None,     // not asked for
  Request,  // verified where there is one
  Require
};

struct Settings {
  std::string ca_file;           // PEM: whom to trust; with ca_path empty as well, whom the system trusts
  std::string ca_path;           // directory of such files, named by hash
  std::string certificate_file;  // PEM: this end's certificate and what signed it; empty: in key_file
  std::string key_file;          // PEM
  std::string key_password;
  std::string key_password_file;  // its first line, in place of key_password
  std::string crl_file;     // PEM: certificates that were revoked; checked along the whole chain where given
  std::string min_version;  // "1.2" (where empty) or "1.3"
  std::string ciphers;  // of TLS 1.2, in OpenSSL's notation; empty: forward secrecy and authenticated only
  std::string cipher_suites;  // of TLS 1.3
  bool verify = true;         // the server's certificate by a client, client certificates by a server
  bool check_host = true;     // a server's certificate must be for the host of the reference
  std::string server_name;    // the name that it must be for instead
  ClientCertificates clients = ClientCertificates::None;
  std::uint32_t handshake_timeout_ms = 10'000;  // for a peer to finish the handshake, at a server
};

using ContextHandle = std::shared_ptr<SSL_CTX>;

// Thread-safe. One for each ORB.
class Context {
 public:
  // `report` is told, from the thread that makes a connection, of changed files that cannot be used.
  using Report = std::function<void(const std::string&)>;
  // Null where the settings cannot be used; `why` then says which and why.
  static std::unique_ptr<Context> make(Settings settings, Report report, std::string& why);

  const Settings& settings() const { return settings_; }
  // For one new connection, after a look at the files: those that changed are read again. Where that fails
  // what was read before stays, and it is tried again a second later: that it fails may have had other
  // reasons than the files.
  ContextHandle current();

 private:
  // What tells a changed file from the same one.
  struct Stamp {
    std::uint64_t device = 0, inode = 0;
    std::int64_t size = -1, seconds = 0, nanoseconds = 0;
    bool operator==(const Stamp&) const = default;
  };

  Context(Settings settings, Report report) : settings_(std::move(settings)), report_(std::move(report)) {}
  std::vector<Stamp> look() const;
  ContextHandle build(std::string& why) const;

  const Settings settings_;
  const Report report_;
  base::Mutex mutex_;
  ContextHandle handle_;
  std::vector<Stamp> seen_;
  base::Deadline retry_at_ = base::kNoDeadline;  // where they could not be used
};

}  // namespace corbel::tls
