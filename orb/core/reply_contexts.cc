#include "orb/core/reply_contexts.h"

#include "orb/core/compression.h"
#include "orb/core/orb.h"
#include "orb/giop/reply.h"

namespace corbel::core {
namespace {

// False where it is to be sent as it is.
bool compress_reply(ServerRequest& request, const iovec* parts, int count, base::Memory& memory,
                    std::size_t& size) {
  Orb& orb = request.orb();
  Compression* const compression = orb.compression();
  const char* context;
  std::uint32_t context_size;
  if (!compression || request.version().minor < 2 || !request.compression_offer(context, context_size))
    return false;
  CallSettings settings;
  if (Dispatcher* const dispatcher = orb.dispatcher())
    if (const auto own = dispatcher->policies_of(request.key(), request.key_size())) settings = own->replies;
  settings.add(orb.call_settings());
  const Compressing how = compression->for_reply(settings, context, context_size);
  return how && compression->compress(how, parts, count, memory, size);
}

}  // namespace

SpecialReply::SpecialReply(ServerRequest& request, const iovec* parts, int count)
    : parts_(parts, parts + count) {
  std::size_t size = 0;
  for (const iovec& part : parts_) size += part.iov_len;
  if (!request.reply_contexts().empty()) {
    const std::size_t body = size - giop::kReplyHeaderSize;
    header_ = giop::make_reply_header(request.version(), request.header().request_id,
                                      static_cast<giop::ReplyStatus>(request.reply_kind()),
                                      request.reply_contexts(), body != 0);
    request.clear_reply_contexts();
    giop::set_message_size(header_.data(), header_.size() + body);
    parts_[0].iov_base = static_cast<char*>(parts_[0].iov_base) + giop::kReplyHeaderSize;
    parts_[0].iov_len -= giop::kReplyHeaderSize;
    if (parts_[0].iov_len == 0) parts_.erase(parts_.begin());
    parts_.insert(parts_.begin(), {header_.data(), header_.size()});
  }
  if (compress_reply(request, parts_.data(), this->count(), compressed_, size))
    parts_ = {{compressed_.data(), size}};
}

}  // namespace corbel::core
