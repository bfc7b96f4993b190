// Both ends of a TLS connection over loopback, and the certificates that they need.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "certificates.h"
#include "orb/tls/tls_stream.h"
#include "orb/transport/tcp.h"

namespace tls_test {

using corbel::tls::ClientCertificates;
using corbel::tls::Context;
using corbel::tls::FailureKind;
using corbel::tls::Settings;
using corbel::tls::TlsStream;
using corbel::transport::Io;
using corbel::transport::IoResult;
using corbel::transport::Stream;

inline corbel::base::Deadline in_seconds(int n) { return corbel::base::now() + n * 1'000'000'000LL; }

struct RawPair {
  std::unique_ptr<Stream> client, server;
  RawPair() {
    namespace transport = corbel::transport;
    transport::TcpListener listener;
    std::string why;
    EXPECT_TRUE(listener.listen("127.0.0.1:0", why)) << why;
    transport::HostAndPorts at;
    EXPECT_TRUE(transport::parse_host_and_ports(listener.address(""), at));
    bool flag = false;
    client = std::make_unique<transport::TcpStream>(
        transport::connect_tcp("127.0.0.1", at.first, in_seconds(10), flag), transport::KeepAlive{});
    transport::wait_ready(listener.descriptor(), true, false, in_seconds(10));
    server = std::make_unique<transport::TcpStream>(listener.accept(flag), transport::KeepAlive{});
  }
};

// An authority, a server and a client that it has signed; settings that fit.
struct Certified {
  Folder folder;
  Issued ca = authority();
  Settings server, client;
  Certified() {
    const std::string ca_file = folder.write("ca.pem", ca, false);
    server.ca_file = client.ca_file = ca_file;
    server.key_file = folder.write("server.pem", issue({"server"}, &ca));
    server.clients = ClientCertificates::None;
    client_key = folder.write("client.pem", issue({"client", ""}, &ca));
  }
  std::string client_key;
};

inline std::unique_ptr<Context> context_of(const Settings& settings) {
  std::string why;
  auto context = Context::make(settings, nullptr, why);
  EXPECT_TRUE(context) << why;
  return context;
}

// Reads until there is something, or the end.
inline IoResult read_some(Stream& stream, char* to, std::size_t size) {
  for (;;) {
    const IoResult result = stream.read(to, size);
    if (result.status != Io::WouldBlock && result.status != Io::TimedOut) return result;
  }
}

inline std::string read_exactly(Stream& stream, std::size_t size) {
  std::string text(size, '\0');
  std::size_t got = 0;
  while (got < size) {
    const IoResult result = read_some(stream, text.data() + got, size - got);
    if (result.status != Io::Ok) break;
    got += result.bytes;
  }
  text.resize(got);
  return text;
}

// Writes all of it, waiting for room.
inline bool write_all(Stream& stream, const char* from, std::size_t size) {
  while (size != 0) {
    const iovec part{const_cast<char*>(from), size};
    const IoResult result = stream.try_write(&part, 1);
    if (result.status == Io::WouldBlock || (result.status == Io::Ok && result.bytes < size))
      corbel::transport::wait_ready(stream.descriptor(), false, true, in_seconds(10));
    else if (result.status != Io::Ok) return false;
    from += result.bytes;
    size -= result.bytes;
  }
  return true;
}

struct Pair {
  std::unique_ptr<Context> server_context, client_context;
  std::unique_ptr<TlsStream> server, client;
  bool client_done = false;

  Pair(const Settings& server_settings, const Settings& client_settings,
       const std::string& host = "127.0.0.1")
      : server_context(context_of(server_settings)), client_context(context_of(client_settings)) {
    RawPair raw;
    server = TlsStream::server(std::move(raw.server), server_context->current(), server_context->settings());
    client =
        TlsStream::client(std::move(raw.client), client_context->current(), client_context->settings(), host);
  }
  // Handshakes and carries one octet each way, so that both ends know how it ended.
  bool open() {
    bool server_done = false;
    std::thread serving([&] {
      char c;
      if (read_some(*server, &c, 1).status == Io::Ok) server_done = write_all(*server, &c, 1);
    });
    char c = 'x';
    client_done = client->handshake(in_seconds(10));
    const bool all = client_done && write_all(*client, &c, 1) && read_some(*client, &c, 1).status == Io::Ok;
    if (!all) client->interrupt();
    serving.join();
    return all && server_done;
  }
};

}  // namespace tls_test
