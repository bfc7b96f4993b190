// Decimal numbers of up to 31 digits: values of fixed-point constants (CORBA 3.4 part 1, "Constant
// Declaration").
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace corbel::idl::omg {

// digits / 10^scale. No leading zeros; none at the end behind the point. Zero has no digits.
struct Decimal {
  static constexpr int kMostDigits = 31;
  bool negative = false;
  std::string digits;  // '0' to '9', most significant first
  int scale = 0;       // not negative

  int whole_digits() const {
    const int n = static_cast<int>(digits.size()) - scale;
    return n < 0 ? 0 : n;
  }
};

// "12.50": nothing if malformed or of more than 31 digits.
std::optional<Decimal> parse_decimal(std::string_view text);
std::string to_string(const Decimal& value);

// Results of more than 31 digits lose their last ones behind the point; nothing if even then they do not fit.
std::optional<Decimal> add(const Decimal& a, const Decimal& b);
std::optional<Decimal> multiply(const Decimal& a, const Decimal& b);
// `b` is not zero.
std::optional<Decimal> divide(const Decimal& a, const Decimal& b);

}  // namespace corbel::idl::omg
