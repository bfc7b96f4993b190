#include "orb/tls/peer_identity.h"

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace corbel::tls {
namespace {

std::string der(const X509* certificate) {
  const int size = i2d_X509(certificate, nullptr);
  if (size <= 0) return {};
  std::string bytes(static_cast<std::size_t>(size), '\0');
  auto* at = reinterpret_cast<unsigned char*>(bytes.data());
  i2d_X509(certificate, &at);
  return bytes;
}

}  // namespace

std::string subject_of(const X509* certificate) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), BIO_free);
  if (!bio || X509_NAME_print_ex(bio.get(), X509_get_subject_name(certificate), 0,
                                 XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB) < 0)
    return {};
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

std::unique_ptr<transport::PeerIdentity> identity_of(const SSL* ssl) {
  X509* const own = SSL_get0_peer_certificate(ssl);
  if (!own) return nullptr;
  auto identity = std::make_unique<transport::PeerIdentity>();
  identity->subject = subject_of(own);
  const STACK_OF(X509)* const chain = SSL_get0_verified_chain(ssl);
  const int count = chain ? sk_X509_num(chain) : 0;
  for (int i = 0; i < count; ++i) identity->certificates.push_back(der(sk_X509_value(chain, i)));
  if (count == 0) identity->certificates.push_back(der(own));
  return identity;
}

}  // namespace corbel::tls
