// Feeds arbitrary bytes to the GIOP reader: headers, fragments, request and reply headers, offers of
// callbacks. What is decoded must lie inside the message; a connection's reader, which gets them in pieces,
// must come to the same messages as the assembler; and what is cut into fragments must come together again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "orb/core/message_reader.h"
#include "orb/giop/bidirectional.h"
#include "orb/giop/fragment_cutter.h"
#include "orb/giop/fragments.h"
#include "orb/giop/reply.h"
#include "orb/giop/request.h"
#include "orb/ior/ior.h"

namespace {

using namespace corbel;
using namespace corbel::giop;

void require(bool condition) {
  if (!condition) std::abort();
}

struct Bytes {
  const char* data;
  std::size_t size;
  void must_hold(const char* at, std::size_t length) const {
    require(length == 0 || (at >= data && length <= size && at <= data + size - length));
  }
};

void check_contexts(const ServiceContexts& contexts, Bytes message) {
  const char* data;
  std::uint32_t size;
  for (const std::uint32_t id : {0u, 1u, 5u})
    if (contexts.find(id, data, size)) message.must_hold(data, size);
  require(offered_listen_points(contexts).size() <= kMostListenPoints);
}

void read_reply_body(cdr::Decoder in, ReplyStatus status) {
  SystemError error;
  ior::Ior ior;
  if (status == ReplyStatus::SystemException) {
    if (decode_system_exception(in, error)) require(bool(error));
  } else if (status == ReplyStatus::LocationForward && ior::decode(in, ior)) {
    for (const auto& profile : ior.profiles) (void)ior::decode_iiop(profile);
  }
}

void read_message(const Header& header, Bytes message, const cdr::Fragments* fragments) {
  cdr::Decoder in(message.data, message.data + kHeaderSize, message.data + message.size, header.swap);
  if (fragments) in.set_fragments(*fragments);
  RequestHeader request;
  LocateRequestHeader locate;
  ReplyHeader reply;
  switch (header.type) {
    case MessageType::Request:
      if (!decode_request(in, header.version, request)) return;
      message.must_hold(request.key, request.key_size);
      require(request.operation[request.operation_length] == '\0');
      check_contexts(request.contexts, message);
      break;
    case MessageType::LocateRequest:
      if (decode_locate_request(in, header.version, locate)) message.must_hold(locate.key, locate.key_size);
      break;
    case MessageType::Reply:
      (void)peek_reply_id(header, in);
      if (!decode_reply(in, header.version, reply)) return;
      check_contexts(reply.contexts, message);
      read_reply_body(in, reply.status);
      break;
    default:
      break;
  }
}

constexpr std::size_t kMostSize = 1 << 16, kMostPendingBytes = 1 << 17;

// The messages that come out of the assembler until something is refused, told by their octets.
std::vector<std::string> assemble(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> messages;
  std::atomic<std::uint64_t> pending{0};
  {
    Assembler assembler(kMostSize, pending, kMostPendingBytes);
    const char* next = reinterpret_cast<const char*>(data);
    const char* const end = next + size;
    while (static_cast<std::size_t>(end - next) >= kHeaderSize) {
      Header header;
      if (parse(next, header) != ParseResult::Ok) break;
      const std::size_t total = kHeaderSize + std::size_t{header.size};
      if (total > kMostSize || total > static_cast<std::size_t>(end - next)) break;
      const std::vector<char> exact(next, next + total);  // an over-read leaves the block
      next += total;
      base::Memory whole;
      std::size_t whole_size = 0;
      const cdr::Fragments* fragments = nullptr;
      const auto result = assembler.add(header, exact.data(), exact.size(), whole, whole_size, fragments);
      require(pending <= kMostPendingBytes);
      if (result == Assembler::Result::PassThrough) {
        read_message(header, {exact.data(), exact.size()}, nullptr);
        if (header.type != MessageType::Fragment) messages.emplace_back(exact.begin(), exact.end());
      } else if (result == Assembler::Result::Complete) {
        Header complete;
        require(parse(whole.data(), complete) == ParseResult::Ok);
        require(!complete.more_fragments && kHeaderSize + complete.size == whole_size &&
                whole_size <= kMostSize);
        read_message(complete, {whole.data(), whole_size}, fragments);
        messages.emplace_back(whole.data(), whole_size);
      } else if (result != Assembler::Result::Pending) {
        break;
      }
    }
  }
  require(pending == 0);
  return messages;
}

// The same by the reader of a connection that gets `step` octets at a time, as far as it comes.
std::vector<std::string> read(const std::uint8_t* data, std::size_t size, std::size_t step) {
  std::vector<std::string> messages;
  std::atomic<std::uint64_t> pending{0};
  core::Options options;
  options.max_message_size = kMostSize;
  options.max_pending_bytes = kMostPendingBytes;
  {
    core::MessageReader reader(options, pending);
    for (std::size_t at = 0; at < size;) {
      const auto space = reader.space();
      require(space.at && space.size != 0);
      const std::size_t bytes = std::min({space.size, step, size - at});
      std::memcpy(space.at, data + at, bytes);
      reader.commit(bytes);
      at += bytes;
      for (;;) {
        core::Message message;
        const auto status = reader.next(message);
        if (status == core::MessageReader::Status::NeedMore) break;
        if (status != core::MessageReader::Status::Message) return messages;
        require(message.size > core::MessageReader::kMoveLimit ||
                (reinterpret_cast<std::uintptr_t>(message.data) & 15) == 0);
        require(kHeaderSize + message.header.size == message.size && !message.header.more_fragments);
        messages.emplace_back(message.data, message.size);
      }
    }
  }
  require(pending == 0);
  return messages;
}

void cut_and_put_together(const std::string& message) {
  Header header;
  if (parse(message.data(), header) != ParseResult::Ok || header.version.minor < 2 || header.swap ||
      !may_be_fragmented(header) || message.size() <= kLeastFragment)
    return;
  const iovec parts[] = {{const_cast<char*>(message.data()), 20},
                         {const_cast<char*>(message.data()) + 20, message.size() - 20}};
  FragmentCutter cutter(parts, message.size(), kLeastFragment);
  iovec pieces[FragmentCutter::kMostPieces];
  std::string wire;
  while (const int count = cutter.next(pieces))
    for (int i = 0; i < count; ++i) wire.append(static_cast<char*>(pieces[i].iov_base), pieces[i].iov_len);
  const auto together = assemble(reinterpret_cast<const std::uint8_t*>(wire.data()), wire.size());
  require(together.size() == 1 && together[0] == message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::string> messages = assemble(data, size);
  for (const std::string& message : messages) cut_and_put_together(message);
  for (const std::size_t step : {std::size_t{7}, std::size_t{4096}, size}) {
    if (step == 0) continue;
    const std::vector<std::string> others = read(data, size, step);
    // Bounds may be met at other places, so one of them may have gone on longer.
    for (std::size_t i = 0; i < std::min(messages.size(), others.size()); ++i)
      require(messages[i] == others[i]);
  }
  return 0;
}
