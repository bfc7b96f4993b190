#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <limits>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

constexpr Integer kMost = std::numeric_limits<std::uint64_t>::max();
constexpr int kNoDigit = 99;

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char l = static_cast<char>(c | 32);
  return l >= 'a' && l <= 'f' ? l - 'a' + 10 : kNoDigit;
}

// One character or escape of a literal; -1 if malformed.
int read_character(std::string_view& s) {
  const char c = s.front();
  s.remove_prefix(1);
  if (c != '\\') return static_cast<unsigned char>(c);
  if (s.empty()) return -1;
  const char e = s.front();
  s.remove_prefix(1);
  static constexpr std::string_view kNames = "ntvbrfa\\?'\"", kValues = "\n\t\v\b\r\f\a\\?'\"";
  if (const auto i = kNames.find(e); i != kNames.npos) return static_cast<unsigned char>(kValues[i]);
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
    if (value <= kMost) value = value * base + d;
  }
  return integer_result(value, token.span);
}

ConstantValue Parser::float_literal(const Token& token) {
  ConstantValue v;
  const char* const last = token.text.data() + token.text.size();
  const auto [end, error] = std::from_chars(token.text.data(), last, v.real);
  if (error == std::errc::result_out_of_range) {
    report(Kind::OutOfRange, token.span, "this value does not fit double");
    return v;
  }
  if (error != std::errc() || end != last) return bad_literal(token, "it is no floating-point number");
  v.kind = ConstantValue::Kind::Float;
  v.span = token.span;
  return v;
}

ConstantValue Parser::text_literal(const Token& token) {
  ConstantValue v;
  v.span = token.span;
  std::string_view body = std::string_view(token.text).substr(1, token.text.size() - 2);
  while (!body.empty()) {
    const int c = read_character(body);
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

// Neighbouring strings are one.
ConstantValue Parser::strings() {
  ConstantValue v = literal(take());
  while (peek().type == Token::Type::String) {
    const ConstantValue more = literal(take());
    if (more.kind == ConstantValue::Kind::Error) v.kind = more.kind;
    v.text += more.text;
  }
  return v;
}

}  // namespace corbel::idl::omg
