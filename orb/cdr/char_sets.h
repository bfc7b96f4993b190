// Sets of characters whose first 128 are those of ASCII: ISO 8859-1, ASCII itself and UTF-8 are always there,
// the others where a program links Corbel::codesets. Chars and strings are converted from one to another by
// way of Unicode while they are read and written (Encoder, Decoder).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace corbel::cdr {

struct CharSet {
  std::uint32_t id;        // in the OSF Character and Code Set Registry
  const char* name;        // as omniORB spells it
  std::uint16_t from;      // octets below are the code points of their value
  std::uint16_t count;     // of octets that may be characters; 0: UTF-8
  const char16_t* points;  // code points of the octets from `from` to `count`, 0 where there is none
};

// The number of a set, as form::of_sets takes it. 0 is none.
inline constexpr std::uint32_t kLatin1 = 1, kUtf8 = 2, kAscii = 3;
// Those that are known are numbered from 1; null behind the last one.
const CharSet* char_set(std::uint32_t number);
// Upper case or lower; also a number of the registry, in decimal digits or behind 0x. 0 if it is not known.
std::uint32_t find_char_set(std::string_view name);
std::uint32_t find_char_set(std::uint32_t id);
// Whether text of one may be meant to travel in the other. The characters of a set that is neither Unicode
// nor ASCII are mostly not in another one.
inline bool convertible(std::uint32_t native, std::uint32_t wire) {
  return native == wire || native == kUtf8 || wire == kUtf8 || wire == kAscii;
}

// More sets, which a library brings: numbered from kAscii + 1.
struct MoreCharSets {
  const CharSet* sets;
  std::uint32_t count;
};

// Whether all are below 128.
bool is_ascii(const char* text, std::size_t size);

}  // namespace corbel::cdr

// Null where Corbel::codesets is not linked.
extern "C" const corbel::cdr::MoreCharSets corbel_more_char_sets [[gnu::weak]];
