#include "orb/cdr/char_sets.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>
#include <string>

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

#include "orb/base/ascii.h"

namespace corbel::cdr {
namespace {

constexpr CharSet kSets[] = {{0x00010001, "ISO-8859-1", 256, 256, nullptr},
                             {0x05010001, "UTF-8", 128, 0, nullptr},
                             {0x00010020, "US-ASCII", 128, 128, nullptr}};
constexpr std::uint32_t kKnown = sizeof kSets / sizeof *kSets;

constexpr std::uint32_t kMalformed = 0xffffffff, kLacking = 0xfffffffe;
constexpr std::size_t kPiece = 1024;

constexpr SystemError data_conversion(const char* detail) {
  return {SystemErrorId::DATA_CONVERSION, Completion::No, 0x4f4d0001, detail};
}

// The code point of the UTF-8 sequence at `from`, which steps over it.
std::uint32_t next_utf8(const unsigned char*& from, const unsigned char* end) {
  const std::uint32_t first = *from;
  if (first < 0x80) return ++from, first;
  const int size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || end - from < size) return kMalformed;
  std::uint32_t point = first & (0x7fu >> size);
  for (int i = 1; i < size; ++i) {
    if ((from[i] & 0xc0) != 0x80) return kMalformed;
    point = point << 6 | (from[i] & 0x3f);
  }
  // Not the shortest form, half a surrogate pair, or beyond Unicode.
  if (point < (size == 4   ? 0x10000u
               : size == 3 ? 0x800u
                           : 0) ||
      (point & ~0x7ffu) == 0xd800 || point > 0x10ffff)
    return kMalformed;
  from += size;
  return point;
}

std::uint32_t next(const CharSet& set, const unsigned char*& from, const unsigned char* end) {
  if (set.count == 0) return next_utf8(from, end);
  const std::uint32_t octet = *from++;
  if (octet < set.from) return octet;
  if (octet >= set.count) return kLacking;
  const char16_t point = set.points[octet - set.from];
  return point == 0 ? kLacking : point;
}

// Writes a code point in at most 4 octets; none if the set lacks it.
std::size_t store_point(const CharSet& set, std::uint32_t point, char* to) {
  if (set.count != 0) {
    std::uint32_t octet = point;
    if (point >= set.from) {
      const char16_t* const end = set.points + (set.points ? set.count - set.from : 0);
      const char16_t* const found = std::find(set.points, end, static_cast<char16_t>(point));
      if (found == end || point > 0xffff) return 0;
      octet = set.from + static_cast<std::uint32_t>(found - set.points);
    }
    *to = static_cast<char>(octet);
    return 1;
  }
  if (point < 0x80) return *to = static_cast<char>(point), 1;
  const std::size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  for (std::size_t i = size - 1; i != 0; --i, point >>= 6) to[i] = static_cast<char>(0x80 | (point & 0x3f));
  *to = static_cast<char>((0xf00u >> size & 0xf0) | point);
  return size;
}

struct Conversion {
  const CharSet &from, &to;
};
Conversion outward(std::uint32_t form) {
  return {*char_set(form >> form::kNativeShift & 0xff), *char_set(form >> form::kWireShift & 0xff)};
}
Conversion inward(std::uint32_t form) {
  const Conversion out = outward(form);
  return {out.to, out.from};
}

// Converts characters until `room` octets are full, to nowhere if `to` is null; `from` comes to stand behind
// the last one. Gives the octets' number; `bad` tells that the next character cannot be converted.
[[gnu::noinline]] std::size_t convert(const Conversion& c, const char*& from, const char* end, char* to,
                                      std::size_t room, bool& bad) {
  std::size_t used = 0;
  bad = false;
  while (from != end && used + 4 <= room) {
    char octets[4];
    auto* p = reinterpret_cast<const unsigned char*>(from);
    const std::uint32_t point = next(c.from, p, reinterpret_cast<const unsigned char*>(end));
    const std::size_t size = point >= kLacking ? 0 : store_point(c.to, point, octets);
    bad = size == 0;
    if (bad) break;
    from = reinterpret_cast<const char*>(p);
    if (to) std::memcpy(to + used, octets, size);
    used += size;
  }
  return used;
}

// Of the whole text.
std::size_t converted_size(const Conversion& c, const char* text, std::size_t length, bool& bad) {
  return convert(c, text, text + length, nullptr, ~std::size_t{0}, bad);
}

// Chars are one octet each on both sides, that of their code point where the set is UTF-8.
bool convert_all(const Conversion& c, char* chars, std::size_t count) {
  for (; count != 0; --count, ++chars) {
    const auto* from = reinterpret_cast<const unsigned char*>(chars);
    if (*from < 0x80) continue;
    const std::uint32_t point = c.from.count == 0 ? *from : next(c.from, from, from + 1);
    char octets[4] = {static_cast<char>(point)};
    if (c.to.count == 0 ? point > 0xff : point >= kLacking || store_point(c.to, point, octets) == 0)
      return false;
    *chars = octets[0];
  }
  return true;
}

}  // namespace

const CharSet* char_set(std::uint32_t number) {
  if (number - 1 < kKnown) return &kSets[number - 1];
  const MoreCharSets* const more = &corbel_more_char_sets;
  return more && number != 0 && number - 1 - kKnown < more->count ? &more->sets[number - 1 - kKnown]
                                                                  : nullptr;
}

std::uint32_t find_char_set(std::string_view name) {
  const bool hex = name.starts_with("0x");
  std::uint32_t id = 0;
  const char* const end = name.data() + name.size();
  const auto number = std::from_chars(name.data() + (hex ? 2 : 0), end, id, hex ? 16 : 10);
  if (number.ec == std::errc() && number.ptr == end) return find_char_set(id);
  std::uint32_t i = 1;
  for (const CharSet* set; (set = char_set(i)); ++i)
    if (base::same_without_case(set->name, name)) return i;
  return 0;
}

std::uint32_t find_char_set(std::uint32_t id) {
  std::uint32_t i = 1;
  for (const CharSet* set; (set = char_set(i)); ++i)
    if (set->id == id) return i;
  return 0;
}

// ---- reading

bool Decoder::fail_at_text() {
  form_ |= form::kBadText;
  return fail();
}

bool Decoder::convert_text(const char*& text, std::uint32_t& length) {
  if (is_ascii(text, length)) return true;
  const Conversion c = inward(form_);
  bool bad;
  const std::size_t size = converted_size(c, text, length, bad);
  if (bad || size > 0x7fffffff) return fail_at_text();
  // Without an arena (in a client, in an Any) strings are copied at once.
  constexpr std::size_t kKeep = 256 * 1024;
  thread_local std::string buffer;
  char* to;
  if (arena_) {
    to = static_cast<char*>(scratch(size + 1));
    if (!to) return fail();
  } else {
    if (buffer.capacity() > kKeep && size < kKeep) std::string().swap(buffer);
    buffer.resize(size + 1);
    to = buffer.data();
  }
  convert(c, text, text + length, to, size + 3, bad);
  to[size] = '\0';
  text = to;
  length = static_cast<std::uint32_t>(size);
  return true;
}

bool Decoder::convert_chars(char* chars, std::size_t count) {
  return is_ascii(chars, count) || convert_all(inward(form_), chars, count) || fail_at_text();
}

// ---- writing

void Encoder::put_converted(const char* s, std::size_t length) {
  const Conversion c = outward(form_);
  bool bad;
  const std::size_t total = converted_size(c, s, length, bad);
  if (bad)
    return fail(
        data_conversion("a string is malformed in the program's char set, or has characters that the "
                        "set agreed with the peer does not have"));
  if (total > 0x7ffffff0)
    return fail({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a string is longer than a message can be"});
  put(static_cast<std::uint32_t>(total + 1));
  char piece[kPiece];
  for (const char* const end = s + length; s != end;) run<1>(piece, convert(c, s, end, piece, kPiece, bad));
  put('\0');
}

void Encoder::convert_chars(char* chars, std::size_t count) {
  if (!is_ascii(chars, count) && !convert_all(outward(form_), chars, count))
    fail(
        data_conversion("a char is none in the program's set, or is not one octet in the set agreed "
                        "with the peer; strings may carry it"));
}

void Encoder::run_converted(const char* chars, std::size_t count) {
  if (is_ascii(chars, count)) return run<1>(chars, count);
  for (std::size_t i = 0; i < count; i += kPiece) {
    char piece[kPiece];
    const std::size_t now = std::min(kPiece, count - i);
    std::memcpy(piece, chars + i, now);
    convert_chars(piece, now);
    run<1>(piece, now);
  }
}

}  // namespace corbel::cdr
