// Why a TLS connection could not be made or went on no longer, in words for whoever has to put it right.
#pragma once

#include <string>

struct ssl_st;

namespace corbel::tls {

enum class FailureKind {
  None,
  PeerRefused,  // this end does not accept the peer's certificate
  SelfRefused,  // the peer does not accept this end's certificate, or its lack
  NoAgreement,  // no common version, cipher or signature algorithm
  NotTls,       // what came is no TLS
  Broken,       // the connection ended, or what came was not what was sent
  TimedOut
};

struct Failure {
  FailureKind kind = FailureKind::None;
  std::string text;
  explicit operator bool() const { return kind != FailureKind::None; }
};

// A certificate that verification rejected, noted while the handshake ran.
struct RejectedCertificate {
  int error = 0;  // X509_V_OK: none
  int depth = 0;  // 0: the peer's own; above it what it was signed with
  std::string subject;
};

// What OpenSSL's error queue of this thread says of an operation that has just failed; the queue is empty
// afterwards. `wanted`: whether the peer has asked for a certificate in the TLS 1.2 handshake that failed.
// There it has agreed to version and cipher, and no alert says that a certificate is missing (RFC
// 5246, 7.4.6).
Failure take_failure(const RejectedCertificate& rejected, bool wanted = false);

// The queue's last entry as text, and an empty queue; for settings that cannot be used.
std::string take_error_text();

}  // namespace corbel::tls
