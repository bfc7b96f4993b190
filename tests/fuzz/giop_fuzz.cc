// Feeds arbitrary bytes to the GIOP reader: headers, fragments, request and reply headers. What is decoded
// must lie inside the message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

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
      (void)peek_reply_id(header, message.data, message.size);
      if (!decode_reply(in, header.version, reply)) return;
      check_contexts(reply.contexts, message);
      read_reply_body(in, reply.status);
      break;
    default:
      break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::atomic<std::uint64_t> pending{0};
  {
    Assembler assembler(1 << 16, pending, 1 << 17);
    const char* next = reinterpret_cast<const char*>(data);
    const char* const end = next + size;
    while (static_cast<std::size_t>(end - next) >= kHeaderSize) {
      Header header;
      if (parse(next, header) != ParseResult::Ok) break;
      const std::size_t total = kHeaderSize + std::size_t{header.size};
      if (total > static_cast<std::size_t>(end - next)) break;
      const std::vector<char> exact(next, next + total);  // an over-read leaves the block
      next += total;
      base::Memory whole;
      std::size_t whole_size = 0;
      const cdr::Fragments* fragments = nullptr;
      const auto result = assembler.add(header, exact.data(), exact.size(), whole, whole_size, fragments);
      require(pending <= 1 << 17);
      if (result == Assembler::Result::PassThrough) {
        read_message(header, {exact.data(), exact.size()}, nullptr);
      } else if (result == Assembler::Result::Complete) {
        Header complete;
        require(parse(whole.data(), complete) == ParseResult::Ok);
        require(!complete.more_fragments && kHeaderSize + complete.size == whole_size &&
                whole_size <= 1 << 16);
        read_message(complete, {whole.data(), whole_size}, fragments);
      } else if (result != Assembler::Result::Pending) {
        break;
      }
    }
  }
  require(pending == 0);
  return 0;
}
