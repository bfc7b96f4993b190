// TLS on a raw socket by OpenSSL and nothing else: the baseline of calls over TLS. One SSL_write per message,
// read-ahead on, everything else at its default.
#pragma once

#include <openssl/types.h>

#include <cstddef>
#include <string>

#include "raw_socket.h"

namespace bench {

class TlsSocket {
 public:
  // Takes the descriptor over and makes the handshake. With a file of certificate and key it is the server's
  // end; the client trusts everybody. Throws std::runtime_error.
  TlsSocket(int descriptor, const std::string& key_file);
  TlsSocket(const TlsSocket&) = delete;
  TlsSocket& operator=(const TlsSocket&) = delete;
  ~TlsSocket();

  // As Socket's.
  void write(const void* data, std::size_t size) const;
  std::size_t read_some(void* data, std::size_t size) const;
  bool read(void* data, std::size_t size) const;

 private:
  Socket socket_;
  SSL_CTX* context_;
  SSL* ssl_;
};

}  // namespace bench
