#include "compiler/frontends/omg/decimal.h"

#include <algorithm>
#include <utility>

namespace corbel::idl::omg {
namespace {

void strip_front(std::string& digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
}

// In the one form that a value has.
std::optional<Decimal> normal(Decimal v) {
  strip_front(v.digits);
  const int surplus = std::max(static_cast<int>(v.digits.size()), v.scale) - Decimal::kMostDigits;
  if (surplus > v.scale) return std::nullopt;
  if (surplus > 0) {
    v.scale -= surplus;
    v.digits.resize(v.digits.size() - std::min(v.digits.size(), static_cast<std::size_t>(surplus)));
  }
  while (v.scale > 0 && v.digits.ends_with('0')) v.digits.pop_back(), --v.scale;
  if (v.digits.empty()) return Decimal{};
  return v;
}

// Both as long, at the same scale.
void align(std::string& a, std::string& b, int scale_a, int scale_b) {
  a.append(static_cast<std::size_t>(std::max(0, scale_b - scale_a)), '0');
  b.append(static_cast<std::size_t>(std::max(0, scale_a - scale_b)), '0');
  const std::size_t length = std::max(a.size(), b.size()) + 1;
  a.insert(0, length - a.size(), '0');
  b.insert(0, length - b.size(), '0');
}

std::string sum(const std::string& a, const std::string& b) {
  std::string out(a.size(), '0');
  int carry = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const int d = a[i] - '0' + b[i] - '0' + carry;
    out[i] = static_cast<char>('0' + d % 10);
    carry = d / 10;
  }
  return out;
}

// a >= b
std::string difference(const std::string& a, const std::string& b) {
  std::string out(a.size(), '0');
  int borrow = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const int d = a[i] - b[i] - borrow;
    borrow = d < 0;
    out[i] = static_cast<char>('0' + d + 10 * borrow);
  }
  return out;
}

}  // namespace

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal v;
  const auto point = text.find('.');
  v.digits = std::string(text.substr(0, point));
  if (point != text.npos) {
    v.digits += text.substr(point + 1);
    v.scale = static_cast<int>(text.size() - point - 1);
  }
  if (v.digits.empty() || v.digits.find_first_not_of("0123456789") != v.digits.npos) return std::nullopt;
  while (v.scale > 0 && v.digits.ends_with('0')) v.digits.pop_back(), --v.scale;
  strip_front(v.digits);
  if (std::max(static_cast<int>(v.digits.size()), v.scale) > Decimal::kMostDigits) return std::nullopt;
  return normal(v);
}

std::string to_string(const Decimal& value) {
  std::string text = value.digits;
  const auto scale = static_cast<std::size_t>(value.scale);
  if (text.size() <= scale) text.insert(0, scale + 1 - text.size(), '0');
  if (scale > 0) text.insert(text.size() - scale, ".");
  return value.negative ? "-" + text : text;
}

std::optional<Decimal> add(const Decimal& a, const Decimal& b) {
  std::string x = a.digits, y = b.digits;
  align(x, y, a.scale, b.scale);
  const int scale = std::max(a.scale, b.scale);
  if (a.negative == b.negative) return normal({a.negative, sum(x, y), scale});
  if (x >= y) return normal({a.negative, difference(x, y), scale});
  return normal({b.negative, difference(y, x), scale});
}

std::optional<Decimal> multiply(const Decimal& a, const Decimal& b) {
  std::string out(a.digits.size() + b.digits.size(), '0');
  for (std::size_t i = a.digits.size(); i-- > 0;) {
    int carry = 0;
    for (std::size_t k = b.digits.size(); k-- > 0;) {
      char& at = out[i + k + 1];
      const int d = at - '0' + (a.digits[i] - '0') * (b.digits[k] - '0') + carry;
      at = static_cast<char>('0' + d % 10);
      carry = d / 10;
    }
    out[i] = static_cast<char>(out[i] + carry);
  }
  return normal({a.negative != b.negative, std::move(out), a.scale + b.scale});
}

// By hand, as at school, until 31 digits are there or nothing is left.
std::optional<Decimal> divide(const Decimal& a, const Decimal& b) {
  Decimal out{a.negative != b.negative, "", a.scale - b.scale};
  std::string rest, significant;
  std::size_t next = 0;
  while (
      next < a.digits.size() || out.scale < 0 ||
      (!rest.empty() && significant.size() < Decimal::kMostDigits && out.scale < 2 * Decimal::kMostDigits)) {
    if (next < a.digits.size()) rest += a.digits[next++];
    else rest += '0', ++out.scale;
    strip_front(rest);
    char digit = '0';
    for (std::string x = rest, y = b.digits; x.size() >= y.size(); x = rest, y = b.digits) {
      align(x, y, 0, 0);
      if (x < y) break;
      rest = difference(x, y);
      strip_front(rest);
      ++digit;
    }
    out.digits += digit;
    if (!significant.empty() || digit != '0') significant += digit;
  }
  return normal(std::move(out));
}

}  // namespace corbel::idl::omg
