// Calls whose messages may be compressed. They are out of the ordinary: each header is written anew, since it
// has a context that says how to reply.
#include <mutex>

#include "orb/core/client_connection.h"
#include "orb/core/client_invocation.h"
#include "orb/core/compression.h"
#include "orb/core/orb.h"
#include "orb/ior/assigned.h"

namespace corbel::core {

void ClientInvocation::consider_compression(const CallSettings& settings) {
  if (settings.get(CallSetting::Compression) == 0 || !target_->orb().compression()) return;
  if (!compressed_) compressed_ = std::make_unique<CompressedCall>();
  compressed_->settings = settings;
  compresses_ = out_of_the_ordinary_ = true;
}

void ClientInvocation::end_compression() {
  compresses_ = false;
  compressed_->how = {};
  compressed_->message = base::Memory();
}

// What the server that the header is written for has to do with it.
void ClientInvocation::negotiate_compression(std::string& contexts, std::uint32_t& count) {
  compressed_->how = {};
  compressed_->context.clear();
  if (binding_->version.minor < 2 || binding_->policies.empty()) return;
  Compression& compression = *target_->orb().compression();
  compressed_->how = compression.for_request(compressed_->settings, binding_->policies, compressed_->context);
  if (compressed_->context.empty()) return;
  binding_->connection->expect_compressed(compression);
  const auto size = static_cast<std::uint32_t>(compressed_->context.size());
  contexts.resize((contexts.size() + 3) & ~std::size_t{3});
  const std::uint32_t head[] = {assigned::kContextInvocationPolicies, size};
  contexts.append(reinterpret_cast<const char*>(head), sizeof head).append(compressed_->context);
  ++count;
}

int ClientInvocation::compress(iovec* parts, int count) {
  std::size_t size;
  if (!compressed_->how ||
      !target_->orb().compression()->compress(compressed_->how, parts, count, compressed_->message, size))
    return count;
  parts[0] = {compressed_->message.data(), size};
  return 1;
}

// It takes long to prepare such a message, so that is done without locks.
ClientConnection::Outcome ClientConnection::exchange_apart(ClientInvocation& invocation) {
  if (!has_stream_ || !invocation.expects_reply()) return exchange(invocation);
  AbstractServer* const server = orb_.server();
  AbstractServer* const loop = server ? attach(*server) : nullptr;
  invocation.state.store(ClientInvocation::Waiting, std::memory_order_relaxed);
  invocation.sleeping = false;
  {
    std::lock_guard lock(mutex_);
    if (!add(invocation)) return Outcome::NotSent;
  }
  iovec parts[kMostParts];
  const int count = invocation.prepare(parts);
  bool reading = false;
  const Sent sent = write(parts, count, invocation.send_deadline(), reading);
  return sent == Sent::All ? await_reply(invocation, loop, reading) : not_sent(invocation, sent, reading);
}

}  // namespace corbel::core
