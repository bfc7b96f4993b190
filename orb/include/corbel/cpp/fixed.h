// Fixed-point decimals of up to 31 digits (OMG C++ mapping 1.3, "Mapping for Fixed"; CORBA 3.4 part 2,
// "Fixed-Point Decimal Type"). Included by generated code that needs them.
//
// Results that need more than 31 digits lose their last ones behind the point; where digits before the point
// do not fit, DATA_CONVERSION is raised. As safe as a number.
#pragma once

#include <cstddef>

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>
#include <corbel/cpp/types.h>

namespace corbel::cpp {

template <typename T, bool = __is_class(T)>
struct FundamentalType {
  typedef T type;
};
template <typename T>
struct FundamentalType<T, true> {};

}  // namespace corbel::cpp

namespace CORBA {

class [[gnu::visibility("default")]] Fixed {
 public:
  static constexpr int kMostDigits = 31;
  template <typename Number>
  using Fundamental = typename corbel::cpp::FundamentalType<Number>::type;

  constexpr Fixed() = default;
  Fixed(int value) : Fixed(static_cast<long long>(value)) {}
  Fixed(unsigned value) : Fixed(value, 0, 0, false) {}
  Fixed(long value) : Fixed(static_cast<long long>(value)) {}
  Fixed(unsigned long value) : Fixed(value, 0, 0, false) {}
  Fixed(long long value);
  Fixed(unsigned long long value) : Fixed(value, 0, 0, false) {}
  // The nearest decimal of 15 (double) or 18 digits.
  Fixed(double value);
  Fixed(long double value);
  // [+|-]digits[.digits][d|D]
  explicit Fixed(const char* text);
  // For generated constants: (high * 2^64 + low) / 10^scale.
  constexpr Fixed(ULongLong low, ULongLong high, UShort scale, bool negative)
      : low_(low), high_(high), scale_(scale), negative_(negative) {}

  // Cut off behind the point; DATA_CONVERSION if it does not fit.
  operator LongLong() const;
  operator long double() const;

  // Away from zero from 5 on, or cut off. A larger scale adds zeros, as far as 31 digits go.
  Fixed round(UShort scale) const;
  Fixed truncate(UShort scale) const;

  Fixed& operator+=(const Fixed& other) { return *this = sum(*this, other); }
  Fixed& operator-=(const Fixed& other) { return *this = sum(*this, -other); }
  Fixed& operator*=(const Fixed& other) { return *this = product(*this, other); }
  // By zero: DATA_CONVERSION.
  Fixed& operator/=(const Fixed& other) { return *this = quotient(*this, other); }
  Fixed& operator++() { return *this += Fixed(1); }
  Fixed& operator--() { return *this -= Fixed(1); }
  Fixed operator++(int) {
    const Fixed old = *this;
    ++*this;
    return old;
  }
  Fixed operator--(int) {
    const Fixed old = *this;
    --*this;
    return old;
  }
  Fixed operator+() const { return *this; }
  Fixed operator-() const { return {low_, high_, scale_, (low_ | high_) != 0 && !negative_}; }
  bool operator!() const { return (low_ | high_) == 0; }

  UShort fixed_digits() const;
  UShort fixed_scale() const { return scale_; }
  // Room for a sign, 31 digits, a leading zero, the point and the terminator; gives `to`.
  static constexpr std::size_t kTextSize = 36;
  char* to_string(char* to) const;

  // -1, 0 or 1.
  static int compare(const Fixed& a, const Fixed& b);
  friend Fixed operator+(Fixed a, const Fixed& b) { return a += b; }
  friend Fixed operator-(Fixed a, const Fixed& b) { return a -= b; }
  friend Fixed operator*(Fixed a, const Fixed& b) { return a *= b; }
  friend Fixed operator/(Fixed a, const Fixed& b) { return a /= b; }
  friend bool operator==(const Fixed& a, const Fixed& b) { return compare(a, b) == 0; }
  friend bool operator!=(const Fixed& a, const Fixed& b) { return compare(a, b) != 0; }
  friend bool operator<(const Fixed& a, const Fixed& b) { return compare(a, b) < 0; }
  friend bool operator>(const Fixed& a, const Fixed& b) { return compare(a, b) > 0; }
  friend bool operator<=(const Fixed& a, const Fixed& b) { return compare(a, b) <= 0; }
  friend bool operator>=(const Fixed& a, const Fixed& b) { return compare(a, b) >= 0; }

  // With C++'s own numbers.
  template <typename Number, typename = Fundamental<Number>>
  friend Fixed operator+(const Fixed& a, Number b) {
    return a + Fixed(b);
  }
  template <typename Number, typename = Fundamental<Number>>
  friend Fixed operator+(Number a, const Fixed& b) {
    return Fixed(a) + b;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend Fixed operator-(const Fixed& a, Number b) {
    return a - Fixed(b);
  }
  template <typename Number, typename = Fundamental<Number>>
  friend Fixed operator-(Number a, const Fixed& b) {
    return Fixed(a) - b;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend Fixed operator*(const Fixed& a, Number b) {
    return a * Fixed(b);
  }
  template <typename Number, typename = Fundamental<Number>>
  friend Fixed operator*(Number a, const Fixed& b) {
    return Fixed(a) * b;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend Fixed operator/(const Fixed& a, Number b) {
    return a / Fixed(b);
  }
  template <typename Number, typename = Fundamental<Number>>
  friend Fixed operator/(Number a, const Fixed& b) {
    return Fixed(a) / b;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend bool operator==(const Fixed& a, Number b) {
    return compare(a, Fixed(b)) == 0;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend bool operator==(Number a, const Fixed& b) {
    return compare(Fixed(a), b) == 0;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend bool operator!=(const Fixed& a, Number b) {
    return compare(a, Fixed(b)) != 0;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend bool operator!=(Number a, const Fixed& b) {
    return compare(Fixed(a), b) != 0;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend bool operator<(const Fixed& a, Number b) {
    return compare(a, Fixed(b)) < 0;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend bool operator<(Number a, const Fixed& b) {
    return compare(Fixed(a), b) < 0;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend bool operator>(const Fixed& a, Number b) {
    return compare(a, Fixed(b)) > 0;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend bool operator>(Number a, const Fixed& b) {
    return compare(Fixed(a), b) > 0;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend bool operator<=(const Fixed& a, Number b) {
    return compare(a, Fixed(b)) <= 0;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend bool operator<=(Number a, const Fixed& b) {
    return compare(Fixed(a), b) <= 0;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend bool operator>=(const Fixed& a, Number b) {
    return compare(a, Fixed(b)) >= 0;
  }
  template <typename Number, typename = Fundamental<Number>>
  friend bool operator>=(Number a, const Fixed& b) {
    return compare(Fixed(a), b) >= 0;
  }

  // On streams of characters, standard or not.
  template <typename Stream>
  friend auto operator<<(Stream& out, const Fixed& value) -> decltype(out << "") {
    char text[Fixed::kTextSize];
    return out << static_cast<const char*>(value.to_string(text));
  }
  template <typename Stream>
  friend auto operator>>(Stream& in, Fixed& value) -> decltype(in.putback('0')) {
    char text[64];
    std::size_t length = 0;
    char c = ' ';
    while (in.get(c) && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) continue;
    while (in && length < sizeof text - 1 && ((c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+')) {
      text[length++] = c;
      if (!in.get(c)) break;
    }
    if (in) in.putback(c);
    else if (length != 0) in.clear();
    else return in;
    text[length] = '\0';
    value = Fixed(text);
    return in;
  }

  // ---- for the ORB
  ULongLong _corbel_low() const { return low_; }
  ULongLong _corbel_high() const { return high_; }
  bool _corbel_negative() const { return negative_; }
  // digits / 2 + 1 octets of packed decimals of that scale. False if the digits before the point do not fit:
  // through a reference to this class anything can be assigned to a fixed<digits, scale>.
  bool _corbel_pack(unsigned char* to, int digits, int scale) const;
  // False if that is no decimal.
  bool _corbel_unpack(const unsigned char* from, int digits, int scale);
  // As fixed<digits, scale>: digits behind are cut off; DATA_CONVERSION if those before do not fit.
  Fixed _corbel_fitted(int digits, int scale) const;

 private:
  static Fixed sum(const Fixed& a, const Fixed& b);
  static Fixed product(const Fixed& a, const Fixed& b);
  static Fixed quotient(const Fixed& a, const Fixed& b);

  ULongLong low_ = 0, high_ = 0;
  UShort scale_ = 0;
  bool negative_ = false;
};

typedef Fixed& Fixed_out;

}  // namespace CORBA

namespace corbel::cpp {

// IDL's fixed<Digits, Scale>: what is assigned is cut to it, or raises DATA_CONVERSION.
template <int Digits, int Scale>
class Fixed : public CORBA::Fixed {
 public:
  constexpr Fixed() : CORBA::Fixed(0, 0, Scale, false) {}
  template <typename T>
  Fixed(const T& value) : CORBA::Fixed(CORBA::Fixed(value)._corbel_fitted(Digits, Scale)) {}
  Fixed(const Fixed&) = default;
  Fixed& operator=(const Fixed&) = default;
  template <typename T>
  Fixed& operator=(const T& value) {
    CORBA::Fixed::operator=(CORBA::Fixed(value)._corbel_fitted(Digits, Scale));
    return *this;
  }
  Fixed& operator+=(const CORBA::Fixed& other) { return *this = CORBA::Fixed(*this) + other; }
  Fixed& operator-=(const CORBA::Fixed& other) { return *this = CORBA::Fixed(*this) - other; }
  Fixed& operator*=(const CORBA::Fixed& other) { return *this = CORBA::Fixed(*this) * other; }
  Fixed& operator/=(const CORBA::Fixed& other) { return *this = CORBA::Fixed(*this) / other; }
  Fixed& operator++() { return *this += CORBA::Fixed(1); }
  Fixed& operator--() { return *this -= CORBA::Fixed(1); }
  Fixed operator++(int) {
    const Fixed old = *this;
    ++*this;
    return old;
  }
  Fixed operator--(int) {
    const Fixed old = *this;
    --*this;
    return old;
  }
};

// A number that does not fit is the encoder's DATA_CONVERSION.
[[gnu::visibility("default")]] void put_fixed(cdr::Encoder& out, const CORBA::Fixed& value, int digits,
                                              int scale);

}  // namespace corbel::cpp

namespace corbel::cdr {

template <int Digits, int Scale>
void marshal(Encoder& out, const cpp::Fixed<Digits, Scale>& value) {
  cpp::put_fixed(out, value, Digits, Scale);
}
template <int Digits, int Scale>
bool unmarshal(Decoder& in, cpp::Fixed<Digits, Scale>& value) {
  const char* const p = in.chunk<1>(Digits / 2 + 1);
  if (!p) return false;
  return value._corbel_unpack(reinterpret_cast<const unsigned char*>(p), Digits, Scale) || in.fail();
}

}  // namespace corbel::cdr
