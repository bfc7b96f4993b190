// Reply and LocateReply messages, and the bodies the ORB itself puts into them.
#pragma once

#include <cstdint>

#include <corbel/base/error.h>
#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

#include "orb/giop/message.h"
#include "orb/giop/service_context.h"
#include "orb/ior/ior.h"

namespace corbel::giop {

enum class ReplyStatus : std::uint32_t {
  NoException,
  UserException,
  SystemException,
  LocationForward,
  LocationForwardPerm,
  NeedsAddressingMode
};

struct ReplyHeader {
  std::uint32_t request_id;
  ReplyStatus status;
  ServiceContexts contexts;
};

bool decode_reply_slow(cdr::Decoder& in, Version version, ReplyHeader& header);
// `in` stands behind the message header and is left at the body.
inline bool decode_reply(cdr::Decoder& in, Version version, ReplyHeader& header) {
  // Without service contexts the body of 1.2 follows at once, at a multiple of 8.
  const char* const p = in.position();
  if (version.minor < 2 || in.remaining() < 12 || cdr::load<std::uint32_t>(p + 8, false) != 0) [[unlikely]]
    return decode_reply_slow(in, version, header);
  in.chunk<1>(12);
  header.request_id = cdr::load<std::uint32_t>(p, in.swap());
  const auto status = cdr::load<std::uint32_t>(p + 4, in.swap());
  header.status = static_cast<ReplyStatus>(status);
  return status <= static_cast<std::uint32_t>(ReplyStatus::NeedsAddressingMode);
}

// First eight octets of an unfragmented Reply of 1.2 in host byte order, the kind most clients see most.
inline constexpr char kCommonReply[] = {'G', 'I', 'O', 'P', 1, 2, cdr::kHostIsLittleEndian ? 1 : 0, 1};
// The request id of a Reply or LocateReply, before all is checked; 0 if it is too short. `in` stands behind
// the message header.
std::uint32_t peek_reply_id(const Header& header, cdr::Decoder in);

// Without service contexts a reply's header has this size in every version, and its body follows at once.
inline constexpr std::size_t kReplyHeaderSize = 24;
inline void write_reply_header(char* to, Version version, std::uint32_t request_id, ReplyStatus status) {
  write(to, MessageType::Reply, version, 0);
  const bool contexts_last = version.minor >= 2;
  cdr::store(to + 12, contexts_last ? request_id : 0u);
  cdr::store(to + 16, contexts_last ? static_cast<std::uint32_t>(status) : request_id);
  cdr::store(to + 20, contexts_last ? 0u : static_cast<std::uint32_t>(status));
}

// The same with one context, of zeroes, which moves the body on by 32 octets.
inline constexpr std::size_t kPaddedReplyHeaderSize = kReplyHeaderSize + 32;
void write_padded_reply_header(char* to, Version version, std::uint32_t request_id, ReplyStatus status);

// The same with contexts, for a body or none to follow. Until 1.1 zeroes may follow the last one's data, so
// that the body stands where it was marshaled for.
std::string make_reply_header(Version version, std::uint32_t request_id, ReplyStatus status,
                              const std::vector<ServiceContext>& contexts, bool body);
// As they stand in a message, from the first one on. Nothing pads the last, which nothing may follow.
std::string encode_contexts(const std::vector<ServiceContext>& contexts);

enum class LocateStatus : std::uint32_t {
  UnknownObject,
  ObjectHere,
  ObjectForward,
  ObjectForwardPerm,
  SystemException,
  NeedsAddressingMode
};
inline constexpr std::size_t kLocateReplySize = 20;
// `in` stands behind the message header and is left at the body.
bool decode_locate_reply(cdr::Decoder& in, Version version, std::uint32_t& request_id, LocateStatus& status);
// Decodes the body, which nothing pads: `read` takes a decoder and must come to the end of the message. Some
// ORBs of 1.2 pad it as they pad that of a Reply; that is accepted.
template <typename Read>
bool decode_locate_body(cdr::Decoder& in, const Read& read) {
  const cdr::Decoder start = in;
  if (read(in) && in.remaining() == 0) return true;
  in = start;
  return in.chunk<8>(0) && read(in);
}
void write_locate_reply(char* to, Version version, std::uint32_t request_id, LocateStatus status);

void encode_system_exception(cdr::Encoder& out, const SystemError& error);
bool decode_system_exception(cdr::Decoder& in, SystemError& error);

}  // namespace corbel::giop
