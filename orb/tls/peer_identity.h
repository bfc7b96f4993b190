// Who a TLS peer is, from its verified certificates.
#pragma once

#include <openssl/types.h>

#include <memory>
#include <string>

#include <corbel/transport/stream.h>

namespace corbel::tls {

// "CN=server,O=Example"
std::string subject_of(const X509* certificate);
// Null if the peer has shown no certificate.
std::unique_ptr<transport::PeerIdentity> identity_of(const SSL* ssl);

}  // namespace corbel::tls
