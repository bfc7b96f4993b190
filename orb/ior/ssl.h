// TAG_SSL_SEC_TRANS: where and how an object is reached by TLS (CORBA Security Service 1.8, module SSLIOP).
#pragma once

#include <cstdint>
#include <optional>

#include "orb/ior/ior.h"

namespace corbel::ior {

// Security::AssociationOptions.
inline constexpr std::uint16_t kSslNoProtection = 1;
inline constexpr std::uint16_t kSslIntegrity = 2;
inline constexpr std::uint16_t kSslConfidentiality = 4;
inline constexpr std::uint16_t kSslDetectReplay = 8;
inline constexpr std::uint16_t kSslDetectMisordering = 16;
inline constexpr std::uint16_t kSslTrustInTarget = 32;
inline constexpr std::uint16_t kSslTrustInClient = 64;
inline constexpr std::uint16_t kSslAnyProtection = 126;

struct SslComponent {
  std::uint16_t target_supports = 0;
  std::uint16_t target_requires = 0;
  std::uint16_t port = 0;  // of the profile's host
};
TaggedComponent encode_ssl(const SslComponent& ssl);
// Nothing if it is malformed.
std::optional<SslComponent> decode_ssl(const TaggedComponent& component);

}  // namespace corbel::ior
