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
  std::uint32_t request_id = 0;
  ReplyStatus status = ReplyStatus::NoException;
  ServiceContexts contexts;
};

// `in` stands behind the message header and is left at the body.
bool decode_reply(cdr::Decoder& in, Version version, ReplyHeader& header);
// The request id of a Reply or LocateReply, before all is checked; 0 if it is too short.
std::uint32_t peek_reply_id(const Header& header, const char* message, std::size_t size);

// Without service contexts a reply's header has this size in every version, and its body follows at once.
inline constexpr std::size_t kReplyHeaderSize = 24;
inline void write_reply_header(char* to, Version version, std::uint32_t request_id, ReplyStatus status) {
  write(to, MessageType::Reply, version, 0);
  const bool contexts_last = version.minor >= 2;
  cdr::store(to + 12, contexts_last ? request_id : 0u);
  cdr::store(to + 16, contexts_last ? static_cast<std::uint32_t>(status) : request_id);
  cdr::store(to + 20, contexts_last ? 0u : static_cast<std::uint32_t>(status));
}

enum class LocateStatus : std::uint32_t {
  UnknownObject,
  ObjectHere,
  ObjectForward,
  ObjectForwardPerm,
  SystemException,
  NeedsAddressingMode
};
inline constexpr std::size_t kLocateReplySize = 20;
void write_locate_reply(char* to, Version version, std::uint32_t request_id, LocateStatus status);

void encode_system_exception(cdr::Encoder& out, const SystemError& error);
bool decode_system_exception(cdr::Decoder& in, SystemError& error);

}  // namespace corbel::giop
