#include <corbel/cpp/fixed.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include <corbel/cpp/exception.h>

#include "orb/ior/assigned.h"

namespace CORBA {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr int kMost = Fixed::kMostDigits;

[[noreturn]] void refuse(const char* detail) {
  corbel::cpp::raise({corbel::SystemErrorId::DATA_CONVERSION, corbel::Completion::No,
                      corbel::assigned::kOmgMinor | 1, detail});
}
[[noreturn]] void overflow() { refuse("a number does not fit into its fixed-point type"); }

Wide power(int n) {
  Wide p = 1;
  while (n-- > 0) p *= 10;
  return p;
}

int digits_of(Wide v) {
  int n = 0;
  for (; v != 0; v /= 10) ++n;
  return n;
}

// 256 bits, for what stands between two numbers of 31 digits and the result.
struct Wider {
  std::uint64_t limbs[4] = {};  // least significant first

  void multiply_add(std::uint64_t factor, std::uint64_t more) {
    for (std::uint64_t& l : limbs) {
      const Wide v = static_cast<Wide>(l) * factor + more;
      l = static_cast<std::uint64_t>(v);
      more = static_cast<std::uint64_t>(v >> 64);
    }
  }
  std::uint64_t divide(std::uint64_t by) {
    Wide rest = 0;
    for (int i = 3; i >= 0; --i) {
      rest = rest << 64 | limbs[i];
      limbs[i] = static_cast<std::uint64_t>(rest / by);
      rest %= by;
    }
    return static_cast<std::uint64_t>(rest);
  }
  bool fits() const { return limbs[2] == 0 && limbs[3] == 0 && low() < power(kMost); }
  Wide low() const { return static_cast<Wide>(limbs[1]) << 64 | limbs[0]; }
};

Wider wider(Wide v) {
  Wider w;
  w.limbs[0] = static_cast<std::uint64_t>(v);
  w.limbs[1] = static_cast<std::uint64_t>(v >> 64);
  return w;
}

Fixed make(Wide v, int scale, bool negative) {
  return {static_cast<ULongLong>(v), static_cast<ULongLong>(v >> 64), static_cast<UShort>(scale),
          v != 0 && negative};
}

// Digits behind the point go until 31 are left; then zeros at the end.
Fixed shortened(Wider v, int scale, bool negative, int least_scale) {
  while (!v.fits() || scale > kMost) {
    if (scale == 0) overflow();
    v.divide(10);
    --scale;
  }
  Wide n = v.low();
  while (scale > least_scale && n % 10 == 0) n /= 10, --scale;
  return make(n, scale, negative);
}

struct Parts {
  Wide number;
  int scale;
  bool negative;
};

Parts parts(const Fixed& f) {
  return {static_cast<Wide>(f._corbel_high()) << 64 | f._corbel_low(), f.fixed_scale(), f._corbel_negative()};
}

// In plain decimals, with a point in every locale. Below 1e31 that fits.
template <typename Float, std::size_t N>
void print(char (&text)[N], Float value, int behind) {
  *std::to_chars(text, text + N - 1, value, std::chars_format::fixed, behind > kMost ? kMost : behind).ptr =
      '\0';
}

// To the larger scale of the two, up to 62 digits.
void align(const Parts& x, const Parts& y, Wider& u, Wider& v) {
  u = wider(x.number), v = wider(y.number);
  for (int i = x.scale; i < y.scale; ++i) u.multiply_add(10, 0);
  for (int i = y.scale; i < x.scale; ++i) v.multiply_add(10, 0);
}

int order_of(const Wider& u, const Wider& v) {
  int order = 0;
  for (int i = 3; i >= 0 && order == 0; --i) order = u.limbs[i] < v.limbs[i] ? -1 : u.limbs[i] > v.limbs[i];
  return order;
}

Wide divide(Wider& number, Wide by) {
  // Bit by bit; the quotient has up to 206 bits, the rest stays below `by`.
  Wide rest = 0;
  Wider quotient;
  for (int i = 255; i >= 0; --i) {
    rest = rest << 1 | (number.limbs[i / 64] >> (i % 64) & 1);
    if (rest < by) continue;
    rest -= by;
    quotient.limbs[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  number = quotient;
  return rest;
}

}  // namespace

Fixed::Fixed(long long value)
    : low_(value < 0 ? 0 - static_cast<ULongLong>(value) : static_cast<ULongLong>(value)),
      negative_(value < 0) {}

Fixed::Fixed(double value) {
  char text[512];
  if (!std::isfinite(value) || std::fabs(value) >= 1e31) overflow();
  // As many digits behind the point as the precision of 15 leaves.
  const int whole = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
  const int behind = whole >= 15 ? 0 : whole < 15 - kMost ? kMost : 15 - whole;
  print(text, value, behind);
  *this = Fixed(text);
}

Fixed::Fixed(long double value) {
  char text[512];
  if (!std::isfinite(value) || std::fabs(value) >= 1e31L) overflow();
  const int whole = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
  const int behind = whole >= 18 ? 0 : whole < 18 - kMost ? kMost : 18 - whole;
  print(text, value, behind);
  *this = Fixed(text);
}

Fixed::Fixed(const char* text) {
  if (!text) throw BAD_PARAM();
  const char* p = text;
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  Wider number;
  int scale = 0, digits = 0;
  bool point = false;
  for (;; ++p) {
    if (*p == '.' && !point) {
      point = true;
    } else if (*p >= '0' && *p <= '9') {
      // Beyond 62 digits those behind the point say nothing any more.
      if (scale < kMost) {
        if (number.limbs[3] != 0) overflow();
        number.multiply_add(10, static_cast<std::uint64_t>(*p - '0'));
        scale += point;
      }
      ++digits;
    } else {
      break;
    }
  }
  if (*p == 'd' || *p == 'D') ++p;
  if (*p != '\0' || digits == 0) refuse("a text is no decimal number");
  *this = shortened(number, scale, negative, 0);
}

Fixed::operator LongLong() const {
  const Parts p = parts(truncate(0));
  const Wide most = static_cast<Wide>(1) << 63;
  if (p.number > most || (p.number == most && !p.negative)) overflow();
  const auto magnitude = static_cast<ULongLong>(p.number);
  return static_cast<LongLong>(p.negative ? 0 - magnitude : magnitude);
}

Fixed::operator long double() const {
  const Parts p = parts(*this);
  const long double v = static_cast<long double>(p.number) / static_cast<long double>(power(p.scale));
  return p.negative ? -v : v;
}

Fixed Fixed::truncate(UShort scale) const {
  if (scale > kMost) scale = kMost;
  Parts p = parts(*this);
  for (; p.scale > scale; --p.scale) p.number /= 10;
  for (; p.scale < scale && p.number < power(kMost - 1); ++p.scale) p.number *= 10;
  return make(p.number, p.scale, p.negative);
}

Fixed Fixed::round(UShort scale) const {
  Parts p = parts(*this);
  if (p.scale <= scale) return truncate(scale);
  const Wide unit = power(p.scale - scale);
  Wide rounded = p.number / unit;
  if (p.number % unit >= unit / 2) ++rounded;
  return make(rounded, scale, p.negative);
}

Fixed Fixed::sum(const Fixed& a, const Fixed& b) {
  const Parts x = parts(a), y = parts(b);
  const int scale = x.scale > y.scale ? x.scale : y.scale;
  Wider u, v;
  align(x, y, u, v);
  const int order = order_of(u, v);
  const bool adding = x.negative == y.negative;
  if (!adding && order < 0) {
    const Wider swapped = u;
    u = v;
    v = swapped;
  }
  std::uint64_t carry = 0;
  for (int i = 0; i < 4; ++i) {
    const Wide l = adding ? static_cast<Wide>(u.limbs[i]) + v.limbs[i] + carry
                          : static_cast<Wide>(u.limbs[i]) - v.limbs[i] - carry;
    u.limbs[i] = static_cast<std::uint64_t>(l);
    carry = adding ? static_cast<std::uint64_t>(l >> 64) : static_cast<std::uint64_t>(l >> 64) & 1;
  }
  return shortened(u, scale, adding || order >= 0 ? x.negative : y.negative, scale);
}

Fixed Fixed::product(const Fixed& a, const Fixed& b) {
  const Parts x = parts(a), y = parts(b);
  Wider v;
  // Limb by limb of the second.
  const std::uint64_t limbs[2] = {static_cast<std::uint64_t>(y.number),
                                  static_cast<std::uint64_t>(y.number >> 64)};
  for (int i = 0; i < 2; ++i) {
    Wider part = wider(x.number);
    part.multiply_add(limbs[i], 0);
    std::uint64_t carry = 0;
    for (int k = i; k < 4; ++k) {
      const Wide l = static_cast<Wide>(v.limbs[k]) + part.limbs[k - i] + carry;
      v.limbs[k] = static_cast<std::uint64_t>(l);
      carry = static_cast<std::uint64_t>(l >> 64);
    }
  }
  return shortened(v, x.scale + y.scale, x.negative != y.negative, 0);
}

Fixed Fixed::quotient(const Fixed& a, const Fixed& b) {
  const Parts x = parts(a), y = parts(b);
  if (y.number == 0) refuse("a fixed-point number was divided by zero");
  // As many digits of the dividend as 256 bits hold: enough for 31 of the result.
  Wider v = wider(x.number);
  int scale = x.scale - y.scale;
  for (int i = 2 * kMost - digits_of(x.number); i > 0; --i) v.multiply_add(10, 0), ++scale;
  divide(v, y.number);
  for (; scale < 0; ++scale) v.multiply_add(10, 0);
  return shortened(v, scale, x.negative != y.negative, 0);
}

UShort Fixed::fixed_digits() const {
  const int n = digits_of(static_cast<Wide>(high_) << 64 | low_);
  return static_cast<UShort>(n < scale_ ? scale_ : n == 0 ? 1 : n);
}

char* Fixed::to_string(char* to) const {
  char reversed[kTextSize];
  int n = 0;
  for (Wide v = static_cast<Wide>(high_) << 64 | low_; v != 0 || n <= scale_; v /= 10)
    reversed[n++] = static_cast<char>('0' + static_cast<int>(v % 10));
  char* at = to;
  if (negative_) *at++ = '-';
  while (n > 0) {
    *at++ = reversed[--n];
    if (n == scale_ && n > 0) *at++ = '.';
  }
  *at = '\0';
  return to;
}

int Fixed::compare(const Fixed& a, const Fixed& b) {
  // Not by their difference: it may need more digits than there are.
  const Parts x = parts(a), y = parts(b);
  if (x.negative != y.negative) return x.negative ? -1 : 1;
  Wider u, v;
  align(x, y, u, v);
  return x.negative ? order_of(v, u) : order_of(u, v);
}

Fixed Fixed::_corbel_fitted(int digits, int scale) const {
  Parts p = parts(truncate(static_cast<UShort>(scale)));
  for (; p.scale < scale; ++p.scale) {
    if (p.number >= power(kMost - 1)) overflow();
    p.number *= 10;
  }
  if (digits_of(p.number) > digits) overflow();
  return make(p.number, scale, p.negative);
}

bool Fixed::_corbel_pack(unsigned char* to, int digits, int scale) const {
  Parts p = parts(*this);
  const Wide beyond = power(digits);
  for (; p.scale > scale; --p.scale) p.number /= 10;
  for (; p.scale < scale && p.number < beyond; ++p.scale) p.number *= 10;
  if (p.number >= beyond) return false;
  const bool negative = p.negative && p.number != 0;
  Wide v = p.number;
  const int last = digits / 2;
  to[last] = static_cast<unsigned char>(static_cast<unsigned>(v % 10) << 4 | (negative ? 0xd : 0xc));
  v /= 10;
  for (int i = last - 1; i >= 0; --i) {
    const auto low = static_cast<unsigned>(v % 10);
    v /= 10;
    to[i] = static_cast<unsigned char>(static_cast<unsigned>(v % 10) << 4 | low);
    v /= 10;
  }
  return true;
}

bool Fixed::_corbel_unpack(const unsigned char* from, int digits, int scale) {
  const int last = digits / 2;
  Wide v = 0;
  for (int i = 0; i <= last; ++i) {
    const unsigned high = from[i] >> 4, low = from[i] & 15;
    if (high > 9 || (i < last && low > 9)) return false;
    v = v * 10 + high;
    if (i < last) v = v * 10 + low;
  }
  const unsigned sign = from[last] & 15;
  if ((sign != 0xc && sign != 0xd) || v >= power(digits)) return false;
  *this = make(v, scale, sign == 0xd);
  return true;
}

}  // namespace CORBA

namespace corbel::cpp {

void put_fixed(cdr::Encoder& out, const CORBA::Fixed& value, int digits, int scale) {
  unsigned char packed[CORBA::Fixed::kMostDigits / 2 + 1];
  if (!value._corbel_pack(packed, digits, scale))
    return out.fail({SystemErrorId::DATA_CONVERSION, Completion::No, assigned::kOmgMinor | 1,
                     "a fixed-point number has more digits than its IDL type"});
  const std::size_t size = static_cast<std::size_t>(digits) / 2 + 1;
  std::memcpy(out.chunk<1>(size), packed, size);
}

}  // namespace corbel::cpp
