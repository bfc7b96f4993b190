// The other end of a raw program: a socket, or TLS on it where the program is compiled with BENCH_TLS. Then
// the server's --key names the file of its certificate and key.
#pragma once

#include "support.h"

#ifdef BENCH_TLS
#include "raw_tls.h"
#else
#include "raw_socket.h"
#endif

namespace bench {

#ifdef BENCH_TLS
struct Peer : TlsSocket {
  Peer(int descriptor, const Options& options)
      : TlsSocket(descriptor, options.text("role") == "server" ? options.text("key") : "") {}
};
#else
struct Peer : Socket {
  Peer(int descriptor, const Options&) : Socket(descriptor) {}
};
#endif

}  // namespace bench
