// ISO 8859-1 in the program, UTF-8 on the wire: the code points of the one are those of the other up to
// U+00FF.
#include <algorithm>
#include <new>
#include <string>

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

namespace corbel::cdr {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// How long the UTF-8 sequence at `from` is if it is a well-formed one, and the character is in ISO 8859-1;
// else 0. `other` tells that it is well formed and is not.
std::size_t sequence(const unsigned char* from, std::size_t left, bool& other) {
  if (from[0] < 0x80) return 1;
  const std::size_t size = from[0] >= 0xf0 ? 4 : from[0] >= 0xe0 ? 3 : 2;
  if (from[0] < 0xc2 || from[0] > 0xf4 || size > left) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((from[i] & 0xc0) != 0x80) return 0;
  if ((from[0] == 0xe0 && from[1] < 0xa0) || (from[0] == 0xf0 && from[1] < 0x90))
    return 0;  // not the shortest form
  if ((from[0] == 0xed && from[1] > 0x9f) || (from[0] == 0xf4 && from[1] > 0x8f)) return 0;  // no characters
  other = from[0] > 0xc3;
  return other ? 0 : 2;
}

}  // namespace

bool Decoder::to_latin1(const char*& text, std::uint32_t& length) {
  const char* const end = text + length;
  const char* from = std::find_if_not(text, end, is_ascii);
  if (from == end) return true;
  // Without an arena (in a client, in an Any) strings are copied at once.
  thread_local std::string buffer;
  char* to;
  if (arena_) {
    to = static_cast<char*>(scratch(std::size_t{length} + 1));
    if (!to) return fail();
  } else {
    buffer.resize(std::size_t{length} + 1);
    to = buffer.data();
  }
  char* const begin = to;
  to = std::copy(text, from, to);
  while (from != end) {
    const auto* const p = reinterpret_cast<const unsigned char*>(from);
    bool other = false;
    const std::size_t size = sequence(p, static_cast<std::size_t>(end - from), other);
    if (other) form_ |= kLacksCharacter;
    if (size == 0) return fail();
    *to++ = static_cast<char>(size == 1 ? p[0] : (p[0] & 3) << 6 | (p[1] & 0x3f));
    from += size;
  }
  *to = '\0';
  text = begin;
  length = static_cast<std::uint32_t>(to - begin);
  return true;
}

void Encoder::put_utf8(const char* s, std::size_t length) {
  const auto size =
      length + static_cast<std::size_t>(std::count_if(s, s + length, [](char c) { return !is_ascii(c); })) +
      1;
  put(static_cast<std::uint32_t>(size));
  while (length != 0) {
    // No more at once than what a chunk may have without a check.
    const std::size_t part = std::min(length, kScratch / 2);
    char* to = chunk<1>(
        part + static_cast<std::size_t>(std::count_if(s, s + part, [](char c) { return !is_ascii(c); })));
    for (const char* const end = s + part; s != end; ++s) {
      const auto c = static_cast<unsigned char>(*s);
      if (c >= 0x80) *to++ = static_cast<char>(0xc0 | c >> 6);
      *to++ = static_cast<char>(c < 0x80 ? c : 0x80 | (c & 0x3f));
    }
    length -= part;
  }
  put('\0');
}

}  // namespace corbel::cdr
