#include "orb/tls/failure.h"

#include <openssl/err.h>
#include <openssl/pemerr.h>
#include <openssl/sslerr.h>
#include <openssl/x509_vfy.h>

#include <cstring>

namespace corbel::tls {
namespace {

std::string reason(unsigned long error) {
  const char* const text = ERR_reason_error_string(error);
  return text ? text : "error " + std::to_string(error);
}

// Alerts by which a peer says what it thinks of our certificate.
bool refuses_certificate(int reason) {
  switch (reason) {
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_SSLV3_ALERT_NO_CERTIFICATE:
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED:
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
      return true;
    default:
      return false;
  }
}

bool no_agreement(int reason) {
  switch (reason) {
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_WRONG_SSL_VERSION:
    case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
    case SSL_R_TLSV1_ALERT_INSUFFICIENT_SECURITY:
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
    case SSL_R_NO_SHARED_CIPHER:
    case SSL_R_NO_PROTOCOLS_AVAILABLE:
    case SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM:
    case SSL_R_VERSION_TOO_LOW:
    case SSL_R_INAPPROPRIATE_FALLBACK:
      return true;
    default:
      return false;
  }
}

bool not_tls(int reason) {
  switch (reason) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_HTTPS_PROXY_REQUEST:
    case SSL_R_UNKNOWN_PROTOCOL:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
      return true;
    default:
      return false;
  }
}

const char* advice(int error) {
  switch (error) {
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return "; see -ORBsslCAFile";
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return "; see -ORBsslServerName";
    default:
      return "";
  }
}

std::string describe(const RejectedCertificate& rejected) {
  std::string text = "the certificate of the peer is not accepted: ";
  text += X509_verify_cert_error_string(rejected.error);
  text += rejected.depth == 0 ? " (certificate "
                              : " (issuer " + std::to_string(rejected.depth) + " of its chain, ";
  return text + rejected.subject + ")" + advice(rejected.error);
}

}  // namespace

Failure take_failure(const RejectedCertificate& rejected, bool wanted) {
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  const int code = ERR_GET_REASON(error);
  if (rejected.error != X509_V_OK) return {FailureKind::PeerRefused, describe(rejected)};
  if (error == 0) return {FailureKind::Broken, "the TLS connection ended before it was ready"};
  if (code == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE)
    return {FailureKind::PeerRefused, "the peer has shown no certificate, and one is required"};
  if (refuses_certificate(code) || (wanted && code == SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE))
    return {FailureKind::SelfRefused,
            "the peer does not accept the certificate shown to it, or the lack of one: " + reason(error) +
                "; see -ORBsslKeyFile"};
  if (no_agreement(code))
    return {FailureKind::NoAgreement, "no TLS version, cipher or signature that both ends take: " +
                                          reason(error) + "; see -ORBsslMinVersion and -ORBsslCiphers"};
  if (not_tls(code))
    return {FailureKind::NotTls, "the peer does not speak TLS here (" + reason(error) +
                                     "): is it a plain port, or a plain client?"};
  return {FailureKind::Broken, "TLS failed: " + reason(error)};
}

// The first error is the cause; those behind it say who was concerned.
std::string take_error_text() {
  const unsigned long error = ERR_peek_error();
  ERR_clear_error();
  if (error == 0) return "no reason given";
  if (ERR_SYSTEM_ERROR(error)) return std::strerror(ERR_GET_REASON(error));
  const int library = ERR_GET_LIB(error), code = ERR_GET_REASON(error);
  if ((library == ERR_LIB_PEM && code == PEM_R_NO_START_LINE) ||
      (library == ERR_LIB_OSSL_DECODER && code == ERR_R_UNSUPPORTED))
    return "there is none in it, as PEM";
  return reason(error);
}

}  // namespace corbel::tls
