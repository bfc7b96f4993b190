#include "raw_tls.h"

#include <openssl/ssl.h>

#include <stdexcept>

namespace bench {

TlsSocket::TlsSocket(int descriptor, const std::string& key_file)
    : socket_(descriptor), context_(SSL_CTX_new(TLS_method())), ssl_(nullptr) {
  if (!key_file.empty() && (SSL_CTX_use_certificate_chain_file(context_, key_file.c_str()) != 1 ||
                            SSL_CTX_use_PrivateKey_file(context_, key_file.c_str(), SSL_FILETYPE_PEM) != 1))
    throw std::runtime_error("cannot read " + key_file);
  ssl_ = SSL_new(context_);
  SSL_set_fd(ssl_, descriptor);
  SSL_set_read_ahead(ssl_, 1);
  if ((key_file.empty() ? SSL_connect(ssl_) : SSL_accept(ssl_)) != 1)
    throw std::runtime_error("the TLS handshake failed");
}

TlsSocket::~TlsSocket() {
  SSL_free(ssl_);
  SSL_CTX_free(context_);
}

void TlsSocket::write(const void* data, std::size_t size) const {
  std::size_t written;
  if (SSL_write_ex(ssl_, data, size, &written) != 1 || written != size)
    throw std::runtime_error("SSL_write failed");
}

std::size_t TlsSocket::read_some(void* data, std::size_t size) const {
  std::size_t got = 0;
  return SSL_read_ex(ssl_, data, size, &got) == 1 ? got : 0;
}

bool TlsSocket::read(void* data, std::size_t size) const {
  auto* to = static_cast<char*>(data);
  while (size > 0) {
    const std::size_t got = read_some(to, size);
    if (got == 0) return false;
    to += got;
    size -= got;
  }
  return true;
}

}  // namespace bench
