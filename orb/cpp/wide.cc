#include <corbel/cpp/wide.h>

#include <cmath>
#include <cstring>
#include <cwchar>
#include <limits>
#include <new>
#include <string>

#include "orb/cdr/wide_forms.h"
#include "orb/ior/assigned.h"

namespace CORBA {

WChar* wstring_alloc(ULong length) {
  auto* const text = new (std::nothrow) WChar[length + std::size_t{1}];
  if (text) text[0] = L'\0';
  return text;
}

WChar* wstring_dup(const WChar* text) {
  if (!text) return nullptr;
  const std::size_t length = std::wcslen(text);
  WChar* const copy = wstring_alloc(static_cast<ULong>(length));
  if (copy) std::wmemcpy(copy, text, length + 1);
  return copy;
}

void wstring_free(WChar* text) { delete[] text; }

}  // namespace CORBA

namespace corbel::cpp {
namespace {

using CORBA::WChar;

constexpr std::uint32_t kMostCodePoint = 0x10ffff;
constexpr std::uint32_t kByteOrderMark = 0xfeff;
constexpr std::uint32_t kSwappedMark = 0xfffe;

bool is_high(std::uint32_t unit) { return (unit & ~0x3ffu) == 0xd800; }
bool is_low(std::uint32_t unit) { return (unit & ~0x3ffu) == 0xdc00; }
bool is_surrogate(std::uint32_t unit) { return (unit & ~0x7ffu) == 0xd800; }

// GIOP 1.0 has no wide characters.
bool refused(cdr::Encoder& out) {
  if ((out.form() & cdr::form::kNoWide) != 0) {
    out.fail({SystemErrorId::CODESET_INCOMPATIBLE, Completion::No, assigned::kOmgMinor | 1,
              "the server's set of wide characters is not Unicode, and it converts none that is"});
    return true;
  }
  if (out.older() < 2) return false;
  const std::uint32_t minor = out.older() == 2 ? 5 : 6;
  out.fail({SystemErrorId::MARSHAL, Completion::No, assigned::kOmgMinor | minor,
            "wide characters need GIOP 1.1: the reference, or -ORBmaxGIOPVersion, says 1.0"});
  return true;
}

void no_code_point(cdr::Encoder& out) {
  out.fail({SystemErrorId::DATA_CONVERSION, Completion::No, assigned::kOmgMinor | 1,
            "a wide character is no Unicode code point, or half a surrogate pair"});
}

// Two units for what lies above the basic plane.
std::uint32_t high_of(std::uint32_t c) { return 0xd800 + ((c - 0x10000) >> 10); }
std::uint32_t low_of(std::uint32_t c) { return 0xdc00 + ((c - 0x10000) & 0x3ff); }

void store_big_endian(char*& to, std::uint32_t unit) {
  *to++ = static_cast<char>(unit >> 8);
  *to++ = static_cast<char>(unit & 0xff);
}

std::uint32_t load_unit(const char* at, bool little) {
  const auto a = static_cast<unsigned char>(at[0]), b = static_cast<unsigned char>(at[1]);
  return little ? b << 8 | a : a << 8 | b;
}

// Units into code points: how many, or -1 if a pair is broken. `to` has room for as many as there are units.
template <typename Unit>
std::ptrdiff_t join(std::size_t count, WChar* to, const Unit& unit) {
  WChar* const begin = to;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t c = unit(i);
    if (is_surrogate(c)) {
      if (!is_high(c) || ++i == count || !is_low(unit(i))) return -1;
      c = 0x10000 + ((c - 0xd800) << 10) + (unit(i) - 0xdc00);
    }
    *to++ = static_cast<WChar>(c);
  }
  return to - begin;
}

}  // namespace

void put_wchar(cdr::Encoder& out, WChar value) {
  if (refused(out)) return;
  if (cdr::has_wide_form(out.form())) [[unlikely]]
    return cdr::write_wide(out, true, &value, 1);
  const auto c = static_cast<std::uint32_t>(value);
  if (is_surrogate(c) || c > kMostCodePoint || (out.older() == 1 && c > 0xffff)) return no_code_point(out);
  if (out.older() == 1) return out.put(static_cast<std::uint16_t>(c));
  char* to = out.chunk<1>(c > 0xffff ? 5 : 3);
  *to++ = c > 0xffff ? 4 : 2;
  if (c > 0xffff) store_big_endian(to, high_of(c));
  store_big_endian(to, c > 0xffff ? low_of(c) : c);
}

void put_wstring(cdr::Encoder& out, const WChar* text, std::uint32_t bound) {
  if (refused(out)) return;
  const std::size_t length = text ? std::wcslen(text) : 0;
  if (!text || (bound != 0 && length > bound))
    return out.fail({SystemErrorId::BAD_PARAM, Completion::No, 0,
                     text ? "a wide string is longer than its bound" : "a null pointer is no wide string"});
  if (cdr::has_wide_form(out.form())) [[unlikely]]
    return cdr::write_wide(out, false, text, length);
  std::size_t units = length;
  std::uint32_t odd = 0;  // the only test inside the loop of common text
  for (std::size_t i = 0; i < length; ++i) {
    const auto c = static_cast<std::uint32_t>(text[i]);
    odd |= (c > 0xffff) | is_surrogate(c);
  }
  if (odd)
    for (std::size_t i = 0; i < length; ++i) {
      const auto c = static_cast<std::uint32_t>(text[i]);
      if (is_surrogate(c) || c > kMostCodePoint) return no_code_point(out);
      units += c > 0xffff;
    }
  if (units > 0x3fffffff)
    return out.fail({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a wide string is too long for a message"});
  const bool old = out.older() == 1;
  // Text that itself begins with what a reader takes for a byte-order mark stands behind a real one.
  const auto first = static_cast<std::uint32_t>(text[0]);
  const bool marked = !old && (first == kByteOrderMark || first == kSwappedMark);
  out.put(static_cast<std::uint32_t>(old ? units + 1 : (units + marked) * 2));
  if (marked) {
    char* to = out.chunk<1>(2);
    store_big_endian(to, kByteOrderMark);
  }
  // In pieces that fit the encoder's scratch space.
  constexpr std::size_t kPiece = 1024;
  for (std::size_t i = 0; i < length;) {
    const std::size_t count = length - i < kPiece ? length - i : kPiece;
    std::size_t size = count * 2;
    if (odd)
      for (std::size_t k = i; k < i + count; ++k)
        size += static_cast<std::uint32_t>(text[k]) > 0xffff ? 2 : 0;
    char* to = old ? out.chunk<2>(size) : out.chunk<1>(size);
    for (const std::size_t end = i + count; i < end; ++i) {
      const auto c = static_cast<std::uint32_t>(text[i]);
      const std::uint32_t pair[2] = {c > 0xffff ? high_of(c) : c, low_of(c)};
      for (int k = 0; k < (c > 0xffff ? 2 : 1); ++k) {
        if (old) cdr::store(to, static_cast<std::uint16_t>(pair[k])), to += 2;
        else store_big_endian(to, pair[k]);
      }
    }
  }
  if (old) out.put<std::uint16_t>(0);
}

// Of a set other than UTF-16.
static bool get_wide_form(cdr::Decoder& in, WChar*& text, std::uint32_t bound) {
  std::wstring points;
  if (!cdr::read_wide(in, false, points)) return false;
  if ((bound != 0 && points.size() > bound) || points.find(L'\0') != std::wstring::npos) return in.fail();
  WChar* const fresh = CORBA::wstring_alloc(static_cast<CORBA::ULong>(points.size()));
  if (!fresh) return in.fail();
  std::wmemcpy(fresh, points.c_str(), points.size() + 1);
  CORBA::wstring_free(text);
  text = fresh;
  return true;
}

bool get_wchar(cdr::Decoder& in, WChar& value) {
  if (in.older() > 1) return in.fail();
  if (cdr::has_wide_form(in.form())) [[unlikely]] {
    std::wstring points;
    if (!cdr::read_wide(in, true, points)) return false;
    value = points[0];
    return true;
  }
  if (in.older() == 1) {
    std::uint16_t unit;
    if (!in.get(unit)) return false;
    if (is_surrogate(unit)) return in.fail_at_text();
    value = unit;
    return true;
  }
  std::uint8_t size;
  if (!in.get(size) || size < 2 || size > 6 || size % 2 != 0) return in.fail();
  const char* at = in.chunk<1>(size);
  if (!at) return false;
  bool little = false;
  if (size > 2 && (load_unit(at, false) == kByteOrderMark || load_unit(at, true) == kByteOrderMark)) {
    little = load_unit(at, true) == kByteOrderMark;
    at += 2, size = static_cast<std::uint8_t>(size - 2);
  }
  WChar joined[3];
  const auto unit = [&](std::size_t i) { return load_unit(at + 2 * i, little); };
  if (join(size / 2u, joined, unit) != 1) return in.fail_at_text();
  value = joined[0];
  return true;
}

bool get_wstring(cdr::Decoder& in, WChar*& text, std::uint32_t bound) {
  if (in.older() > 1) return in.fail();
  if (cdr::has_wide_form(in.form())) [[unlikely]]
    return get_wide_form(in, text, bound);
  std::uint32_t size;
  std::size_t units;
  const char* at;
  bool little = false;
  if (in.older() == 1) {
    // Units of the message's order, the last one is the terminator.
    if (!in.get_length(size, 2)) return false;
    if (size == 0) return in.fail();
    at = in.chunk<2>(std::size_t{size} * 2);
    if (!at || load_unit(at + std::size_t{size} * 2 - 2, false) != 0) return in.fail();
    units = size - 1;
    little = in.swap() != cdr::kHostIsLittleEndian;
  } else {
    if (!in.get_length(size, 1)) return false;
    at = in.chunk<1>(size);
    if (!at || size % 2 != 0) return in.fail();
    units = size / 2;
    if (units != 0 && (load_unit(at, false) == kByteOrderMark || load_unit(at, true) == kByteOrderMark)) {
      little = load_unit(at, true) == kByteOrderMark;
      at += 2, --units;
    }
  }
  WChar* const fresh = CORBA::wstring_alloc(static_cast<CORBA::ULong>(units));
  if (!fresh) return in.fail();
  const std::ptrdiff_t length =
      join(units, fresh, [&](std::size_t i) { return load_unit(at + 2 * i, little); });
  if (length < 0 || (bound != 0 && static_cast<std::size_t>(length) > bound) ||
      std::wmemchr(fresh, L'\0', static_cast<std::size_t>(length))) {
    CORBA::wstring_free(fresh);
    return length < 0 ? in.fail_at_text() : in.fail();
  }
  fresh[length] = L'\0';
  CORBA::wstring_free(text);
  text = fresh;
  return true;
}

// ---- long double: sign, 15 bits of exponent, 112 bits of fraction behind an implied one. The x87 format has
// the same exponent and shows its leading one.

namespace {

constexpr int kBias = 16383;
constexpr std::uint64_t kTop = std::uint64_t{1} << 63;

struct Quad {
  std::uint64_t high, low;  // as one number of 128 bits
};

Quad to_quad(long double value) {
  Quad q{std::signbit(value) ? kTop : 0, 0};
  if (std::isnan(value)) return q.high |= std::uint64_t{0x7fff8} << 44, q;
  if (std::isinf(value)) return q.high |= std::uint64_t{0x7fff} << 48, q;
  if (value == 0) return q;
  // 128 bits, the first one set, hold the fraction of every format that a host has: of x87's 64, of
  // binary128's 113.
  static_assert(std::numeric_limits<long double>::digits <= 113);
  int exponent;
  const long double scaled = std::ldexp(std::frexp(std::fabs(value), &exponent), 64);
  auto first = static_cast<std::uint64_t>(scaled);
  auto second = static_cast<std::uint64_t>(std::ldexp(scaled - static_cast<long double>(first), 64));
  int biased = exponent - 1 + kBias;
  for (; biased <= 0; ++biased) {  // below the normal numbers: no implied one
    second = second >> 1 | first << 63;
    first >>= 1;
  }
  if ((first & kTop) == 0) biased = 0;
  q.high |= static_cast<std::uint64_t>(biased) << 48 | (first & ~kTop) >> 15;
  q.low = first << 49 | second >> 15;
  return q;
}

// The whole number `first` x 2^64 + `rest`, by 2^64, as the host has it: with 64 digits or fewer it is
// rounded once, to the nearest, and to the even one of two.
long double rounded(std::uint64_t first, std::uint64_t rest) {
  constexpr int kDigits = std::numeric_limits<long double>::digits;
  if constexpr (kDigits > 64)
    return static_cast<long double>(first) + std::ldexp(static_cast<long double>(rest), -64);
  if constexpr (kDigits < 64) return static_cast<long double>(first | (rest != 0 ? 1 : 0));
  const bool up = rest > kTop || (rest == kTop && (first & 1) != 0);
  return static_cast<long double>(first) + (up ? 1.0L : 0.0L);
}

// The nearest number that the host has.
long double from_quad(Quad q) {
  const bool negative = (q.high & kTop) != 0;
  const int biased = static_cast<int>(q.high >> 48 & 0x7fff);
  const std::uint64_t fraction = q.high & 0xffffffffffff;
  long double value;
  if (biased == 0x7fff) {
    value = fraction != 0 || q.low != 0 ? std::numeric_limits<long double>::quiet_NaN()
                                        : std::numeric_limits<long double>::infinity();
  } else {
    const std::uint64_t one = biased != 0 ? kTop : 0;
    value = std::ldexp(rounded(one | fraction << 15 | q.low >> 49, q.low << 15),
                       (biased != 0 ? biased : 1) - kBias - 63);
  }
  return negative ? -value : value;
}

}  // namespace

void put_long_double(cdr::Encoder& out, CORBA::LongDouble value) {
  const Quad q = to_quad(value);
  char* const to = out.chunk<8>(16);
  cdr::store(to, cdr::kHostIsLittleEndian ? q.low : q.high);
  cdr::store(to + 8, cdr::kHostIsLittleEndian ? q.high : q.low);
}

bool get_long_double(cdr::Decoder& in, CORBA::LongDouble& value) {
  const char* const from = in.chunk<8>(16);
  if (!from) return false;
  const auto first = cdr::load<std::uint64_t>(from, in.swap()),
             second = cdr::load<std::uint64_t>(from + 8, in.swap());
  const bool little = in.swap() != cdr::kHostIsLittleEndian;
  value = from_quad(little ? Quad{second, first} : Quad{first, second});
  return true;
}

}  // namespace corbel::cpp
