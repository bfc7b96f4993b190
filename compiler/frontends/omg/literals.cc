#include <fmt/format.h>
#include <locale.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

constexpr int kNoDigit = 99;

// What from_chars() calls so is infinite, or only too small to be a normal number. A point is a point here,
// whatever locale the program has set.
long double out_of_range(const char* literal) {
  const locale_t c = newlocale(LC_ALL_MASK, "C", nullptr);
  if (!c) return HUGE_VALL;
  const long double value = strtold_l(literal, nullptr, c);
  freelocale(c);
  return value;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char l = static_cast<char>(c | 32);
  return l >= 'a' && l <= 'f' ? l - 'a' + 10 : kNoDigit;
}

// A character of the source in a wide literal: UTF-8, or an octet of ISO 8859-1 where it is none.
int read_wide(std::string_view& s) {
  const auto first = static_cast<unsigned char>(s.front());
  const std::size_t length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
  int value = length == 1 ? first : first & (0x7f >> length);
  bool utf8 = s.size() >= length;
  for (std::size_t i = 1; utf8 && i < length; ++i) {
    utf8 = (static_cast<unsigned char>(s[i]) & 0xc0) == 0x80;
    value = value << 6 | (static_cast<unsigned char>(s[i]) & 0x3f);
  }
  utf8 = utf8 && value <= 0x10ffff;
  s.remove_prefix(utf8 ? length : 1);
  return utf8 ? value : first;
}

// One character or escape of a literal; -1 if malformed.
int read_character(std::string_view& s, bool wide) {
  if (wide && s.front() != '\\') return read_wide(s);
  const char c = s.front();
  s.remove_prefix(1);
  if (c != '\\') return static_cast<unsigned char>(c);
  if (s.empty()) return -1;
  const char e = s.front();
  s.remove_prefix(1);
  static constexpr std::string_view kNames = "ntvbrfa\\?'\"", kValues = "\n\t\v\b\r\f\a\\?'\"";
  if (const auto i = kNames.find(e); i != kNames.npos) return static_cast<unsigned char>(kValues[i]);
  if (e == 'u' && wide) {
    int value = 0, digits = 0;
    for (; !s.empty() && digits < 4 && digit(s.front()) != kNoDigit; s.remove_prefix(1), ++digits)
      value = value << 4 | digit(s.front());
    return digits == 0 ? -1 : value;
  }
  const bool hex = e == 'x';
  if (!hex && (e < '0' || e > '7')) return -1;
  int value = hex ? 0 : e - '0', digits = hex ? 0 : 1;
  while (!s.empty() && digits < (hex ? 2 : 3) &&
         (hex ? std::isxdigit(static_cast<unsigned char>(s[0])) : s[0] >= '0' && s[0] <= '7')) {
    const char d = s.front();
    value = value * (hex ? 16 : 8) + (d <= '9' ? d - '0' : (d | 32) - 'a' + 10);
    s.remove_prefix(1);
    ++digits;
  }
  return digits == 0 || value > 255 ? -1 : value;
}

}  // namespace

ConstantValue Parser::bad_literal(const Token& token, std::string_view why) {
  report(Kind::BadLiteral, token.span, fmt::format("'{}' is malformed: {}", token.text, why));
  return {};
}

ConstantValue Parser::literal(const Token& token) {
  switch (token.type) {
    case Token::Type::Integer:
      return integer_literal(token);
    case Token::Type::Float:
      return float_literal(token);
    case Token::Type::FixedLiteral:
      return fixed_literal(token);
    case Token::Type::WideChar:
    case Token::Type::WideString:
      return wide_literal(token);
    default:
      return text_literal(token);
  }
}

ConstantValue Parser::integer_literal(const Token& token) {
  const bool hex = token.text.size() > 1 && token.text[0] == '0' && (token.text[1] | 32) == 'x';
  const int base = hex ? 16 : token.text[0] == '0' ? 8 : 10;
  const std::string_view digits = std::string_view(token.text).substr(hex ? 2 : 0);
  if (digits.empty()) return bad_literal(token, "digits are missing");
  Integer value = 0;
  for (const char c : digits) {
    const int d = digit(c);
    if (d >= base)
      return bad_literal(token, base == 8 ? "a number that begins with 0 is octal" : "it has a wrong digit");
    if (value <= kMostInteger) value = value * base + d;
  }
  return integer_result(value, token.span);
}

ConstantValue Parser::float_literal(const Token& token) {
  ConstantValue v;
  const char* const last = token.text.data() + token.text.size();
  const auto [end, error] = std::from_chars(token.text.data(), last, v.real);
  if (error == std::errc::result_out_of_range) v.real = out_of_range(token.text.c_str());
  if (error == std::errc::result_out_of_range && std::isinf(v.real)) {
    report(Kind::OutOfRange, token.span, "this value does not fit long double");
    return v;
  }
  if (error == std::errc::invalid_argument || end != last)
    return bad_literal(token, "it is no floating-point number");
  v.kind = ConstantValue::Kind::Float;
  v.span = token.span;
  return v;
}

ConstantValue Parser::text_literal(const Token& token) {
  ConstantValue v;
  v.span = token.span;
  std::string_view body = std::string_view(token.text).substr(1, token.text.size() - 2);
  while (!body.empty()) {
    const int c = read_character(body, false);
    if (c < 0) return bad_literal(token, "it has an unknown or too large escape");
    v.text += static_cast<char>(c);
  }
  if (token.type == Token::Type::Char) {
    if (v.text.size() != 1) return bad_literal(token, "a char is one character");
    v.kind = ConstantValue::Kind::Char;
    v.integer = static_cast<unsigned char>(v.text[0]);
    return v;
  }
  if (v.text.find('\0') != v.text.npos) return bad_literal(token, "a string holds no zero character");
  v.kind = ConstantValue::Kind::String;
  return v;
}

// 12.5d
ConstantValue Parser::fixed_literal(const Token& token) {
  const auto value = parse_decimal(std::string_view(token.text).substr(0, token.text.size() - 1));
  if (!value) return bad_literal(token, "a fixed-point number has up to 31 digits");
  ConstantValue v;
  v.kind = ConstantValue::Kind::Fixed;
  v.span = token.span;
  v.fixed = *value;
  return v;
}

// L'x' and L"text"
ConstantValue Parser::wide_literal(const Token& token) {
  ConstantValue v;
  v.span = token.span;
  std::string_view body = std::string_view(token.text).substr(1, token.text.size() - 2);
  while (!body.empty()) {
    const int c = read_character(body, true);
    if (c < 0) return bad_literal(token, "it has an unknown or too large escape");
    const auto point = static_cast<char32_t>(c);
    const auto surrogate = [](char32_t p, char32_t first) { return p >= first && p < first + 0x400; };
    if (surrogate(point, 0xdc00) && !v.wide.empty() && surrogate(v.wide.back(), 0xd800))
      v.wide.back() = 0x10000 + ((v.wide.back() - 0xd800) << 10) + (point - 0xdc00);
    else v.wide += point;
  }
  for (const char32_t point : v.wide)
    if (point >= 0xd800 && point < 0xe000)
      return bad_literal(token, "it has half of a pair of surrogates; both together are one character");
  if (token.type == Token::Type::WideChar) {
    if (v.wide.size() != 1) return bad_literal(token, "a wchar is one character");
    v.kind = ConstantValue::Kind::WideChar;
    v.integer = v.wide[0];
    return v;
  }
  if (v.wide.find(U'\0') != v.wide.npos) return bad_literal(token, "a string holds no zero character");
  v.kind = ConstantValue::Kind::WideString;
  return v;
}

// Neighbouring strings are one.
ConstantValue Parser::strings() {
  const Token::Type type = peek().type;
  ConstantValue v = literal(take());
  while (peek().type == type) {
    const ConstantValue more = literal(take());
    if (more.kind == ConstantValue::Kind::Error) v.kind = more.kind;
    v.text += more.text;
    v.wide += more.wide;
  }
  return v;
}

}  // namespace corbel::idl::omg
