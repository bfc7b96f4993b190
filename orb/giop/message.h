// The header of every GIOP message (CORBA 3.4 part 2, "GIOP Message Formats").
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <corbel/cdr/bytes.h>

namespace corbel::giop {

struct Version {
  std::uint8_t major = 1;
  std::uint8_t minor = 2;
  bool operator==(const Version&) const = default;
};

enum class MessageType : std::uint8_t {
  Request,
  Reply,
  CancelRequest,
  LocateRequest,
  LocateReply,
  CloseConnection,
  MessageError,
  Fragment
};

inline constexpr std::size_t kHeaderSize = 12;

struct Header {
  Version version;
  bool swap = false;            // the body is not in host byte order
  bool more_fragments = false;  // 1.1 on
  MessageType type = MessageType::Request;
  std::uint32_t size = 0;  // octets after the header
};

enum class ParseResult { Ok, BadMagic, BadVersion, BadTypeOrFlags };

inline ParseResult parse(const char* at, Header& header) {
  if (std::memcmp(at, "GIOP", 4) != 0) return ParseResult::BadMagic;
  header.version = {static_cast<std::uint8_t>(at[4]), static_cast<std::uint8_t>(at[5])};
  if (header.version.major != 1 || header.version.minor > 2) return ParseResult::BadVersion;
  const auto flags = static_cast<std::uint8_t>(at[6]);
  const auto type = static_cast<std::uint8_t>(at[7]);
  const bool first = header.version.minor == 0;
  if (flags > (first ? 1 : 3) || type > (first ? 6 : 7)) return ParseResult::BadTypeOrFlags;
  header.swap = ((flags & 1) != 0) != cdr::kHostIsLittleEndian;
  header.more_fragments = (flags & 2) != 0;
  header.type = static_cast<MessageType>(type);
  header.size = cdr::load<std::uint32_t>(at + 8, header.swap);
  return ParseResult::Ok;
}

// Writes a header in host byte order, last fragment.
inline void write(char* at, MessageType type, Version version, std::uint32_t size) {
  std::memcpy(at, "GIOP", 4);
  at[4] = static_cast<char>(version.major);
  at[5] = static_cast<char>(version.minor);
  at[6] = cdr::kHostIsLittleEndian ? 1 : 0;
  at[7] = static_cast<char>(type);
  cdr::store(at + 8, size);
}

// `size` counts the whole message.
inline void set_message_size(char* message, std::size_t size) {
  cdr::store(message + 8, static_cast<std::uint32_t>(size - kHeaderSize));
}

}  // namespace corbel::giop
