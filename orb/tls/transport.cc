// The transport "ssl": TLS over TCP, in references the component TAG_SSL_SEC_TRANS (CORBA Security
// Service 1.8, "SECIOP and SSL", module SSLIOP).
#include <openssl/crypto.h>

#include <corbel/tls.h>
#include <corbel/transport/transport.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>

#include "orb/base/mutex.h"
#include "orb/ior/assigned.h"
#include "orb/ior/ssl.h"
#include "orb/tls/context.h"
#include "orb/tls/options.h"
#include "orb/tls/tls_stream.h"
#include "orb/transport/tcp.h"

namespace corbel::tls {
namespace {

using transport::ConnectResult;
using transport::HostAndPorts;

struct Process {
  base::Mutex mutex;
  std::map<std::string, std::string> defaults;
  void (*report)(const char*) = nullptr;
};

Process& process() {
  static auto* const instance = new Process;
  return *instance;
}

void report(const std::string& what) {
  Process& p = process();
  void (*to)(const char*);
  {
    std::lock_guard lock(p.mutex);
    to = p.report;
  }
  if (to) to(what.c_str());
  else std::fprintf(stderr, "Corbel: TLS: %s\n", what.c_str());
}

class TlsAcceptor final : public transport::Acceptor {
 public:
  TlsAcceptor(Context& context, const transport::KeepAlive& keep_alive)
      : context_(context), keep_alive_(keep_alive) {}
  transport::TcpListener listener;

  std::unique_ptr<transport::Stream> accept(bool& exhausted) override {
    transport::Descriptor socket = listener.accept(exhausted);
    if (!socket) return nullptr;
    return TlsStream::server(std::make_unique<transport::TcpStream>(std::move(socket), keep_alive_),
                             context_.current(), context_.settings());
  }
  int descriptor() const override { return listener.descriptor(); }
  std::string address(const std::string& host) const override { return listener.address(host); }
  void stop() override { listener.stop(); }

 private:
  Context& context_;
  const transport::KeepAlive keep_alive_;
};

class TlsTransport final : public transport::Transport {
 public:
  TlsTransport(std::unique_ptr<Context> context, const transport::KeepAlive& keep_alive)
      : context_(std::move(context)), keep_alive_(keep_alive) {}
  const char* name() const override { return "ssl"; }
  bool protects() const override { return true; }

  std::unique_ptr<transport::Acceptor> listen(const std::string& address, std::string& why) override {
    if (context_->settings().key_file.empty() && context_->settings().certificate_file.empty()) {
      why = "a server needs a certificate and its key: give -ORBsslKeyFile";
      return nullptr;
    }
    auto acceptor = std::make_unique<TlsAcceptor>(*context_, keep_alive_);
    if (!acceptor->listener.listen(address, why)) return nullptr;
    return acceptor;
  }

  ConnectResult connect(const std::string& address, base::Deadline deadline) override {
    ConnectResult result;
    HostAndPorts to;
    if (!transport::parse_host_and_ports(address, to)) return result;
    transport::Descriptor socket = transport::connect_tcp(to.host, to.first, deadline, result.timed_out);
    if (!socket) return result;
    auto stream = TlsStream::client(std::make_unique<transport::TcpStream>(std::move(socket), keep_alive_),
                                    context_->current(), context_->settings(), to.host);
    if (!stream) {
      result.why = "OpenSSL has no memory for another connection";
    } else if (stream->handshake(deadline)) {
      result.stream = std::move(stream);
    } else {
      const Failure& failure = stream->failure();
      result.timed_out = failure.kind == FailureKind::TimedOut;
      result.refused = failure.kind == FailureKind::PeerRefused || failure.kind == FailureKind::SelfRefused;
      result.why = "TLS with " + address + ": " + failure.text;
    }
    return result;
  }

  std::uint32_t component_tag() const override { return assigned::kComponentSslSecTrans; }
  std::string encode(const std::string& address, bool plain_too) const override {
    HostAndPorts at;
    (void)transport::parse_host_and_ports(address, at);
    const ClientCertificates clients = context_->settings().clients;
    ior::SslComponent ssl;
    ssl.port = at.first;
    ssl.target_requires = ior::kSslIntegrity | ior::kSslConfidentiality;
    ssl.target_supports =
        ssl.target_requires | ior::kSslDetectReplay | ior::kSslDetectMisordering | ior::kSslTrustInTarget;
    if (clients != ClientCertificates::None) ssl.target_supports |= ior::kSslTrustInClient;
    if (clients == ClientCertificates::Require) ssl.target_requires |= ior::kSslTrustInClient;
    if (plain_too) ssl.target_supports |= ior::kSslNoProtection;
    return ior::encode_ssl(ssl).data;
  }
  bool decode(const std::string& data, const std::string& host, std::string& address) const override {
    const auto ssl = ior::decode_ssl({assigned::kComponentSslSecTrans, data});
    if (!ssl || ssl->port == 0 || host.empty()) return false;
    address = transport::host_and_port(host, ssl->port);
    return true;
  }
  // TAO's servers write the port where they answer NO_PERMISSION.
  bool demands_protection(const std::string& data) const override {
    const auto ssl = ior::decode_ssl({assigned::kComponentSslSecTrans, data});
    return ssl && ssl->port != 0 && (ssl->target_requires & ior::kSslAnyProtection) != 0 &&
           (ssl->target_supports & ior::kSslNoProtection) == 0;
  }

 private:
  const std::unique_ptr<Context> context_;
  const transport::KeepAlive keep_alive_;
};

std::unique_ptr<transport::Transport> make(const transport::TransportSettings& given, std::string& why) {
  transport::TransportSettings all;
  {
    Process& p = process();
    std::lock_guard lock(p.mutex);
    for (const auto& [option, value] : p.defaults) all.set(option, value);
  }
  for (const transport::TransportOption* o = kOptions; o->name; ++o)
    if (const std::string* value = given.find(o->name)) all.set(o->name, *value);
  Settings settings;
  transport::KeepAlive keep_alive;
  if (!read_settings(all, settings, why) || !transport::read_keep_alive(given, keep_alive, why))
    return nullptr;
  auto context = Context::make(std::move(settings), report, why);
  return context ? std::make_unique<TlsTransport>(std::move(context), keep_alive) : nullptr;
}

const transport::TransportKind kSsl{"ssl", kOptions, make};

}  // namespace

void use() {
  // A process may end while threads of its ORBs run: OpenSSL must not be taken down under them.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);
  transport::register_transport(kSsl);
}

void set_default(const char* option, const char* value) {
  Process& p = process();
  std::lock_guard lock(p.mutex);
  p.defaults[option] = value;
}

void on_reload_failure(void (*report)(const char* what)) {
  Process& p = process();
  std::lock_guard lock(p.mutex);
  p.report = report;
}

}  // namespace corbel::tls
