// How characters stand in a message, where that may differ: what encoders and decoders know of it, as one
// number that those who keep octets of a message keep with them.
#pragma once

#include <cstdint>

namespace corbel::cdr::form {

// How wide characters are written: 0 as in GIOP 1.2, 1 as in 1.1, 2 as in a request of 1.0, 3 as in a reply
// of 1.0.
inline constexpr std::uint32_t kOlder = 3;
// Strings of the program and of the message are of different sets; the two numbers below say which.
inline constexpr std::uint32_t kConverts = 4;
// Of a decoder: it failed at text that is malformed, or that the program's set has no characters for.
inline constexpr std::uint32_t kBadText = 8;
// The peers have no set of wide characters in common.
inline constexpr std::uint32_t kNoWide = 16;
// Single chars differ, too.
inline constexpr std::uint32_t kConvertsChars = 32;
// The set of wide characters: these bits. The first is the rule.
inline constexpr std::uint32_t kWide = 0xc0, kUtf16 = 0, kUcs2 = 0x40, kUcs4 = 0x80, kWideUtf8 = 0xc0;
inline constexpr std::uint32_t kWireShift = 8, kNativeShift = 16;  // 8 bits each: cdr/char_sets.h
// Of a decoder: numbers are in the other byte order. Not part of what is kept.
inline constexpr std::uint32_t kSwapped = 1u << 24;
// All but kOlder, kBadText and kSwapped.
inline constexpr std::uint32_t kText = 0xfefffff4;

// What encoders and decoders are told (set_text) where the message's set and the program's are these; 0 if
// they are one. UTF-8 has one octet for a char of ASCII only. Where such a one stands alone it is the octet
// of its code point, as JacORB writes it: so between ISO 8859-1 and UTF-8, sets 1 and 2, single chars do not
// differ.
constexpr std::uint32_t of_sets(std::uint32_t wire, std::uint32_t native) {
  if (wire == native) return 0;
  return kConverts | (wire + native == 3 ? 0 : kConvertsChars) | wire << kWireShift | native << kNativeShift;
}

}  // namespace corbel::cdr::form
