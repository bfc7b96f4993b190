// Request, LocateRequest and CancelRequest messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <corbel/cdr/decoder.h>

#include "orb/giop/message.h"
#include "orb/giop/service_context.h"
#include "orb/ior/ior.h"

namespace corbel::giop {

// Views point into the message.
struct RequestHeader {
  std::uint32_t request_id = 0;
  bool response_expected = false;
  bool reply_early = false;  // before the object's operation begins (1.2, SYNC_WITH_SERVER)
  const char* key = nullptr;
  std::uint32_t key_size = 0;
  const char* operation = nullptr;  // terminated
  std::uint32_t operation_length = 0;
  ServiceContexts contexts;
};

// First eight octets of an unfragmented Request of 1.2 in host byte order, the kind most servers see most.
inline constexpr char kCommonRequest[] = {'G', 'I', 'O', 'P', 1, 2, cdr::kHostIsLittleEndian ? 1 : 0, 0};
inline constexpr char kSwappedRequest[] = {'G', 'I', 'O', 'P', 1, 2, cdr::kHostIsLittleEndian ? 0 : 1, 0};

bool decode_request_slow(cdr::Decoder& in, Version version, RequestHeader& header);
// False, and nothing has happened, unless it names its target by the key and has no service contexts.
bool decode_plain_request(cdr::Decoder& in, RequestHeader& header);
// `in` stands behind the message header and is left at the body. A target addressed by profile or reference
// (1.2) gives the key of its IIOP profile; where it has none, `key` is null, and the target is to be asked
// for by key.
inline bool decode_request(cdr::Decoder& in, Version version, RequestHeader& header) {
  if (version.minor >= 2 && !in.fragmented() && decode_plain_request(in, header)) [[likely]]
    return true;
  return decode_request_slow(in, version, header);
}

struct LocateRequestHeader {
  std::uint32_t request_id = 0;
  const char* key = nullptr;
  std::uint32_t key_size = 0;
};
bool decode_locate_request(cdr::Decoder& in, Version version, LocateRequestHeader& header);

// What all requests from one reference over one connection begin with: the message header and all up to and
// including the key (1.2), or the key alone (1.0, 1.1, where contexts come first). Prepared once per binding.
[[gnu::cold]] std::string make_prefix(Version version, std::string_view key);

// How a request of 1.2 names its target: by key, or where the server asked for more (NEEDS_ADDRESSING_MODE)
// by profile or by the whole reference.
enum class Addressing : std::uint16_t { Key, Profile, Reference };
// As above for 1.2, the target being profile `index` of `ior`.
[[gnu::cold]] std::string make_prefix(Addressing addressing, const ior::Ior& ior, std::uint32_t index);

// What is to be answered; response_flags of 1.2. Before that, all but Nothing is one.
enum class Response : std::uint8_t { Nothing = 0, Early = 1, Expected = 3 };

// One request's header, in any version such that its body begins at a multiple of 8: by alignment in 1.2, by
// zero octets in the principal, which has no meaning any more, before that.
struct RequestParts {
  Version version;
  const std::string& prefix;
  const char* operation;
  std::uint32_t operation_length;
  Response response;
  const char* contexts;  // encoded, aligned as from a multiple of 8, without count; null if none
  std::uint32_t contexts_size;
  std::uint32_t contexts_count;
  std::uint16_t operation_number = 0;  // see operation_number(); 0 if none
};
// A hint at the operation, 0 for none: two octets of the padding between the key and the operation, where
// there are two. Padding may hold anything, so a hint may, too.
inline std::uint32_t operation_number(const RequestHeader& header) {
  const auto gap = reinterpret_cast<std::uintptr_t>(header.operation) -
                   reinterpret_cast<std::uintptr_t>(header.key) - header.key_size;
  if (gap - 6 > 1) return 0;  // the operation's length is between, too
  const auto* const hint = reinterpret_cast<const unsigned char*>(header.operation) - 6;
  return std::uint32_t{hint[0]} << 8 | hint[1];
}
// Aligned to `alignment`, a power of two.
constexpr std::uint32_t aligned(std::uint32_t offset, std::uint32_t alignment) {
  return (offset + alignment - 1) & ~(alignment - 1);
}
std::uint32_t body_offset_1_0(const RequestParts& parts);
// Offset of the body; the header itself ends up to 7 octets earlier in 1.2, which matters where there is no
// body.
inline std::uint32_t body_offset(const RequestParts& parts) {
  if (parts.version.minor < 2) [[unlikely]]
    return body_offset_1_0(parts);
  const auto prefix = aligned(static_cast<std::uint32_t>(parts.prefix.size()), 4);
  return aligned(aligned(prefix + 4 + parts.operation_length + 1, 4) + 4 + parts.contexts_size, 8);
}
// Writes the header of a request to `to`, which has room for body_offset() octets; gives the offset where it
// ends. The request id is still to be set.
std::uint32_t write_request_header(char* to, const RequestParts& parts);
inline void set_request_id(char* message, Version version, std::uint32_t contexts_size, std::uint32_t id) {
  cdr::store(message + (version.minor >= 2 ? kHeaderSize : aligned(kHeaderSize + 4 + contexts_size, 4)), id);
}

// A whole LocateRequest for the target of these requests.
[[gnu::cold]] std::string make_locate_request(Version version, const std::string& prefix,
                                              std::uint32_t request_id);

inline constexpr std::size_t kCancelRequestSize = 16;
// The addressing that a NEEDS_ADDRESSING_MODE body asks for.
bool decode_addressing(cdr::Decoder& in, Addressing& addressing);

void write_cancel_request(char* to, Version version, std::uint32_t request_id);

}  // namespace corbel::giop
