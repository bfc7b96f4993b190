#include "orb/cdr/wide_forms.h"

#include <algorithm>
#include <cstring>

namespace corbel::cdr {
namespace {

constexpr std::uint32_t kMostCodePoint = 0x10ffff;
constexpr std::uint32_t kByteOrderMark = 0xfeff, kSwappedMark = 0xfffe;
constexpr std::size_t kMostOctets = 0x7ffffff0;

bool is_surrogate(std::uint32_t c) { return (c & ~0x7ffu) == 0xd800; }

std::uint32_t unit_at(const char* p, bool little) {
  const auto a = static_cast<unsigned char>(p[0]), b = static_cast<unsigned char>(p[1]);
  return little ? static_cast<std::uint32_t>(b << 8 | a) : static_cast<std::uint32_t>(a << 8 | b);
}

std::size_t octets_of(std::uint32_t c, std::uint32_t wide) {
  switch (wide) {
    case form::kUcs4:
      return 4;
    case form::kWideUtf8:
      return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    default:
      return c > 0xffff ? 4 : 2;
  }
}

void store_unit(char*& to, std::uint32_t unit) {
  *to++ = static_cast<char>(unit >> 8);
  *to++ = static_cast<char>(unit);
}

// At most four octets, of a set of GIOP 1.2.
void store_point(char*& to, std::uint32_t c, std::uint32_t wide) {
  if (wide == form::kUcs4) {  // in the order of the message
    store(to, c);
    to += 4;
  } else if (wide == form::kWideUtf8) {
    const std::size_t size = octets_of(c, wide);
    if (size == 1) {
      *to++ = static_cast<char>(c);
      return;
    }
    *to++ = static_cast<char>((0xf00u >> size) | c >> 6 * (size - 1));
    for (std::size_t i = size - 1; i-- > 0;) *to++ = static_cast<char>(0x80 | (c >> 6 * i & 0x3f));
  } else if (c > 0xffff) {
    store_unit(to, 0xd800 + ((c - 0x10000) >> 10));
    store_unit(to, 0xdc00 + ((c - 0x10000) & 0x3ff));
  } else {
    store_unit(to, c);
  }
}

// The code point of the UTF-8 sequence at `at`, which steps over it; above all of them if it is malformed.
std::uint32_t next_utf8(const char*& at, const char* end) {
  const auto octet = [&](std::ptrdiff_t i) { return static_cast<unsigned char>(at[i]); };
  const std::uint32_t first = octet(0);
  if (first < 0x80) return ++at, first;
  const int size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || end - at < size) return kMostCodePoint + 1;
  std::uint32_t c = first & (0x7fu >> size);
  for (int i = 1; i < size; ++i) {
    if ((octet(i) & 0xc0) != 0x80) return kMostCodePoint + 1;
    c = c << 6 | (octet(i) & 0x3f);
  }
  if (octets_of(c, form::kWideUtf8) != static_cast<std::size_t>(size)) return kMostCodePoint + 1;
  at += size;
  return c;
}

// Appends the code points of so many octets, which may begin with a byte-order mark if `marks`. False if they
// are malformed.
bool parse(const char* at, std::size_t size, std::uint32_t wide, bool swap, bool marks,
           std::wstring& points) {
  const char* const end = at + size;
  bool little = false;
  if (wide == form::kUtf16 || wide == form::kUcs2) {
    if (size % 2 != 0) return false;
    // A single character may be the mark itself.
    if (marks && size > 2 && (unit_at(at, false) == kByteOrderMark || unit_at(at, false) == kSwappedMark)) {
      little = unit_at(at, false) == kSwappedMark;
      at += 2;
    }
  } else if (wide == form::kUcs4 && size % 4 != 0) {
    return false;
  }
  points.reserve(wide == form::kUcs4       ? size / 4
                 : wide == form::kWideUtf8 ? static_cast<std::size_t>(std::count_if(
                                                 at, end, [](char octet) { return (octet & 0xc0) != 0x80; }))
                                           : size / 2);
  while (at != end) {
    std::uint32_t c;
    if (wide == form::kUcs4) {
      c = load<std::uint32_t>(at, swap);
      at += 4;
    } else if (wide == form::kWideUtf8) {
      c = next_utf8(at, end);
    } else {
      c = unit_at(at, little);
      at += 2;
      if ((c & ~0x3ffu) == 0xd800 && at != end && (unit_at(at, little) & ~0x3ffu) == 0xdc00) {
        c = 0x10000 + ((c & 0x3ff) << 10) + (unit_at(at, little) & 0x3ff);
        at += 2;
      }
    }
    if (c > kMostCodePoint || is_surrogate(c)) return false;
    points += static_cast<wchar_t>(c);
  }
  return true;
}

// GIOP 1.1: units in the order of the message, strings with a terminator.
bool read_units(Decoder& in, bool single, std::wstring& points) {
  std::uint32_t count = 1;
  if (!single && (!in.get_count(count, 2) || count == 0)) return in.fail();
  std::string octets;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint16_t unit;
    if (!in.get(unit)) return false;
    if (!single && i + 1 == count) {
      if (unit != 0) return in.fail();
      break;
    }
    octets += static_cast<char>(unit >> 8);
    octets += static_cast<char>(unit);
  }
  return parse(octets.data(), octets.size(), form::kUtf16, false, false, points) || in.fail_at_text();
}

}  // namespace

bool read_wide(Decoder& in, bool single, std::wstring& points) {
  points.clear();
  if (in.older() > 1) return in.fail();
  if (in.older() == 1) return read_units(in, single, points);
  std::uint32_t size;
  if (single) {
    std::uint8_t octets;
    if (!in.get(octets) || octets == 0 || octets > 6) return in.fail();
    size = octets;
  } else if (!in.get_count(size, 1)) {
    return false;
  }
  const char* const at = in.chunk<1>(size);
  if (!at) return false;
  if (!parse(at, size, in.form() & form::kWide, in.swap(), true, points)) return in.fail_at_text();
  return !single || points.size() == 1 || in.fail_at_text();
}

void write_wide(Encoder& out, bool single, const wchar_t* points, std::size_t count) {
  const bool old = out.older() == 1;
  const std::uint32_t wide = old ? form::kUtf16 : out.form() & form::kWide;
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto c = static_cast<std::uint32_t>(points[i]);
    if (is_surrogate(c) || c > kMostCodePoint || (c > 0xffff && (wide == form::kUcs2 || (old && single))))
      return out.fail(
          {SystemErrorId::DATA_CONVERSION, Completion::No, 0x4f4d0001,
           "a wide character is no Unicode code point, or the set agreed with the peer lacks it"});
    size += octets_of(c, wide);
  }
  if (size > kMostOctets)
    return out.fail({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a wide string is too long for a message"});
  if (old) {
    if (!single) out.put(static_cast<std::uint32_t>(size / 2 + 1));
  } else if (single) {
    out.put(static_cast<std::uint8_t>(size));
  } else {
    // Text that itself begins with what a reader takes for a byte-order mark stands behind a real one.
    const auto first = count != 0 ? static_cast<std::uint32_t>(points[0]) : 0;
    const bool marked =
        (wide == form::kUtf16 || wide == form::kUcs2) && (first == kByteOrderMark || first == kSwappedMark);
    out.put(static_cast<std::uint32_t>(size + (marked ? 2 : 0)));
    char* to = out.chunk<1>(marked ? 2 : 0);
    if (marked) store_unit(to, kByteOrderMark);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto c = static_cast<std::uint32_t>(points[i]);
    char octets[4];
    char* end = octets;
    store_point(end, c, wide);
    if (!old) {
      const auto here = static_cast<std::size_t>(end - octets);
      std::memcpy(out.chunk<1>(here), octets, here);
      continue;
    }
    for (const char* unit = octets; unit != end; unit += 2)
      out.put(static_cast<std::uint16_t>(unit_at(unit, false)));
  }
  if (old && !single) out.put<std::uint16_t>(0);
}

}  // namespace corbel::cdr
