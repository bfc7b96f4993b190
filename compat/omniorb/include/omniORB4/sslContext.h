// omniORB's sslContext as programs set it before ORB_init: where certificates are, and whom to verify. For
// programs that link Corbel::tls; including it is enough for their ORBs to speak TLS, as with omniORB's
// library.
#pragma once

#include <corbel/tls.h>

namespace corbel::compat {

// What is assigned is the default of an option from then on.
class SslSetting {
 public:
  constexpr explicit SslSetting(const char* option) : option_(option) {}
  SslSetting& operator=(const char* value) {
    value_ = value;
    tls::set_default(option_, value ? value : "");
    return *this;
  }
  operator const char*() const { return value_; }

 private:
  const char* option_;
  const char* value_ = nullptr;
};

// Of OpenSSL's SSL_VERIFY_ constants.
class SslVerifyMode {
 public:
  SslVerifyMode& operator=(int mode) {
    mode_ = mode;
    tls::set_default("sslVerifyMode", (mode & 1) == 0 ? "none" : (mode & 2) != 0 ? "peer,fail" : "peer");
    return *this;
  }
  operator int() const { return mode_; }

 private:
  int mode_ = 3;
};

inline const bool ssl_in_use = (tls::use(), true);

}  // namespace corbel::compat

class sslContext {
 public:
  static inline corbel::compat::SslSetting certificate_authority_file{"sslCAFile"};
  static inline corbel::compat::SslSetting certificate_authority_path{"sslCAPath"};
  static inline corbel::compat::SslSetting key_file{"sslKeyFile"};
  static inline corbel::compat::SslSetting key_file_password{"sslKeyPassword"};
  static inline corbel::compat::SslVerifyMode verify_mode;
};
