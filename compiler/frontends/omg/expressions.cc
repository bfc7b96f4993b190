#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

struct Operator {
  std::string_view text;
  int precedence;
};
constexpr Operator kOperators[] = {{"|", 1}, {"^", 2}, {"&", 3}, {"<<", 4}, {">>", 4},
                                   {"+", 5}, {"-", 5}, {"*", 6}, {"/", 6},  {"%", 6}};

struct Range {
  Integer low, high;
};
Range range_of(aoi::Basic b) {
  switch (b) {
    case aoi::Basic::Octet:
      return {0, 255};
    case aoi::Basic::Short:
      return {INT16_MIN, INT16_MAX};
    case aoi::Basic::UShort:
      return {0, UINT16_MAX};
    case aoi::Basic::Long:
      return {INT32_MIN, INT32_MAX};
    case aoi::Basic::ULong:
      return {0, UINT32_MAX};
    case aoi::Basic::LongLong:
      return {INT64_MIN, INT64_MAX};
    case aoi::Basic::Int8:
      return {INT8_MIN, INT8_MAX};
    case aoi::Basic::UInt8:
      return {0, UINT8_MAX};
    default:
      return {0, kMostInteger};
  }
}

bool is_unsigned(aoi::Basic b) {
  return b == aoi::Basic::Octet || b == aoi::Basic::UShort || b == aoi::Basic::ULong ||
         b == aoi::Basic::ULongLong || b == aoi::Basic::UInt8;
}

std::string to_text(Integer v) {
  return v < 0 ? fmt::format("{}", static_cast<std::int64_t>(v))
               : fmt::format("{}", static_cast<std::uint64_t>(v));
}

// The value that a constant was given.
void value_of(const aoi::Constant& c, ConstantValue& v) {
  using K = ConstantValue::Kind;
  if (const auto* i = std::get_if<std::int64_t>(&c.value)) v.kind = K::Integer, v.integer = *i;
  else if (const auto* u = std::get_if<std::uint64_t>(&c.value)) v.kind = K::Integer, v.integer = *u;
  else if (const auto* d = std::get_if<double>(&c.value)) v.kind = K::Float, v.real = *d;
  else if (const auto* b = std::get_if<bool>(&c.value)) v.kind = K::Boolean, v.integer = *b;
  else if (const auto* l = std::get_if<long double>(&c.value)) v.kind = K::Float, v.real = *l;
  else if (const auto* x = std::get_if<std::string>(&c.value)) v.kind = K::String, v.text = *x;
  else if (const auto* w = std::get_if<std::u32string>(&c.value)) v.kind = K::WideString, v.wide = *w;
  else if (const auto* f = std::get_if<aoi::FixedValue>(&c.value)) {
    std::string_view text = f->text;
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    v.kind = K::Fixed, v.fixed = *parse_decimal(text), v.fixed.negative = negative;
  }
  if (v.kind != K::Integer) return;
  const aoi::Type* const type = aoi::resolve(c.type);
  if (type && type->kind == aoi::Type::Kind::Basic && type->basic == aoi::Basic::Char) v.kind = K::Char;
  if (type && type->kind == aoi::Type::Kind::Basic && type->basic == aoi::Basic::WChar) v.kind = K::WideChar;
  if (!c.enum_type) return;
  v.kind = K::Enumerator;
  v.enumeration = c.enum_type;
  v.text = c.enum_type->enumerators[static_cast<std::size_t>(v.integer)].name;
}

}  // namespace

// What `~` gives depends on the type that is wanted: all bits of an unsigned type, or of a signed one.
ConstantValue Parser::expression(const aoi::Type* wanted) {
  const aoi::Type* const type = aoi::resolve(wanted);
  all_ones_ = -1;
  if (type && type->kind == aoi::Type::Kind::Basic && is_unsigned(type->basic))
    all_ones_ = range_of(type->basic).high;
  return binary(0);
}

ConstantValue Parser::binary(int least) {
  const DepthGuard guard(depth_);
  if (depth_ > kDeepest) {
    report(Kind::NestingTooDeep, peek().span, fmt::format("expressions are nested deeper than {}", kDeepest));
    throw Abandon{};
  }
  ConstantValue left = unary();
  for (;;) {
    const Operator* found = nullptr;
    for (const Operator& o : kOperators)
      if (peek().is(o.text) && o.precedence > least) found = &o;
    if (!found) return left;
    const Token op = take();
    const ConstantValue right = binary(found->precedence);
    left = apply(op, left, right);
  }
}

ConstantValue Parser::integer_result(Integer value, Span span) {
  ConstantValue v;
  v.span = span;
  if (value < kLeastInteger || value > kMostInteger) {
    report(Kind::OutOfRange, span, "this value fits neither long long nor unsigned long long");
    return v;
  }
  v.kind = ConstantValue::Kind::Integer;
  v.integer = value;
  return v;
}

ConstantValue Parser::unary() {
  const Token op = peek();
  if (!op.is("-") && !op.is("+") && !op.is("~")) return primary();
  take();
  const DepthGuard guard(depth_);
  if (depth_ > kDeepest) {
    report(Kind::NestingTooDeep, op.span, fmt::format("expressions are nested deeper than {}", kDeepest));
    throw Abandon{};
  }
  ConstantValue v = unary();
  if (v.kind == ConstantValue::Kind::Error) return v;
  if (v.kind == ConstantValue::Kind::Float && op.text != "~") {
    if (op.text == "-") v.real = -v.real;
    return v;
  }
  if (v.kind == ConstantValue::Kind::Fixed && op.text != "~") {
    if (op.text == "-" && !v.fixed.digits.empty()) v.fixed.negative = !v.fixed.negative;
    return v;
  }
  if (v.kind != ConstantValue::Kind::Integer) {
    report(Kind::BadOperand, op.span, fmt::format("'{}' needs a number", op.text));
    return {};
  }
  if (op.text == "-") return integer_result(-v.integer, op.span);
  if (op.text == "~") {
    const bool fits = v.integer >= 0 && v.integer <= all_ones_;
    return integer_result(fits ? all_ones_ - v.integer : ~v.integer, op.span);
  }
  return v;
}

ConstantValue Parser::named_constant() {
  const Token first = peek();
  Symbol* const s = scoped_name();
  ConstantValue v;
  v.span = {first.span.file, first.span.begin, last_.span.end};
  if (!s) return v;
  if (s->kind == Symbol::Kind::Enumerator) {
    v.kind = ConstantValue::Kind::Enumerator;
    v.integer = s->ordinal;
    v.text = s->name;
    v.enumeration = static_cast<const aoi::Enum*>(s->decl);
  } else if (s->kind != Symbol::Kind::Declaration || !s->decl || s->decl->kind != aoi::Decl::Kind::Constant) {
    report(Kind::NotAConstant, v.span, fmt::format("'{}' is no constant", s->name),
           {{s->span, "declared here"}});
  } else {
    value_of(static_cast<const aoi::Constant&>(*s->decl), v);
  }
  return v;
}

ConstantValue Parser::primary() {
  const Token t = peek();
  if (accept("(")) {
    ConstantValue v = binary(0);
    expect(")", "behind the expression");
    return v;
  }
  if (t.is("TRUE") || t.is("FALSE")) {
    take();
    ConstantValue v;
    v.kind = ConstantValue::Kind::Boolean;
    v.integer = t.text == "TRUE";
    v.span = t.span;
    return v;
  }
  if (t.type == Token::Type::Identifier && is_keyword(t.text)) syntax_error("a constant expression");
  if (t.type == Token::Type::Identifier || t.is("::")) return named_constant();
  switch (t.type) {
    case Token::Type::Integer:
    case Token::Type::Float:
    case Token::Type::Char:
    case Token::Type::FixedLiteral:
    case Token::Type::WideChar:
      return literal(take());
    case Token::Type::String:
    case Token::Type::WideString:
      return strings();
    default:
      syntax_error("a constant expression");
  }
}

ConstantValue Parser::apply(const Token& op, const ConstantValue& a, const ConstantValue& b) {
  using K = ConstantValue::Kind;
  if (a.kind == K::Error || b.kind == K::Error) return {};
  const bool arithmetic = op.text == "+" || op.text == "-" || op.text == "*" || op.text == "/";
  if (a.kind == K::Float && b.kind == K::Float && arithmetic) return apply_to_floats(op, a, b);
  if (a.kind == K::Fixed && b.kind == K::Fixed && arithmetic) return apply_to_fixed(op, a, b);
  if (a.kind == K::Integer && b.kind == K::Integer) return apply_to_integers(op, a, b);
  report(Kind::BadOperand, op.span,
         fmt::format("'{}' needs two integers{}", op.text,
                     arithmetic ? ", two floating-point or two fixed-point numbers" : ""));
  return {};
}

ConstantValue Parser::apply_to_fixed(const Token& op, const ConstantValue& a, const ConstantValue& b) {
  if (op.text == "/" && b.fixed.digits.empty()) {
    report(Kind::DivisionByZero, op.span, "this divides by zero");
    return {};
  }
  Decimal right = b.fixed;
  if (op.text == "-" && !right.digits.empty()) right.negative = !right.negative;
  const auto result = op.text == "*"   ? multiply(a.fixed, right)
                      : op.text == "/" ? divide(a.fixed, right)
                                       : add(a.fixed, right);
  ConstantValue v = a;
  if (result) {
    v.fixed = *result;
    return v;
  }
  report(Kind::OutOfRange, op.span, "the result has more than 31 digits before the point");
  return {};
}

ConstantValue Parser::apply_to_floats(const Token& op, const ConstantValue& a, const ConstantValue& b) {
  if (op.text == "/" && b.real == 0) {
    report(Kind::DivisionByZero, op.span, "this divides by zero");
    return {};
  }
  ConstantValue v = a;
  if (op.text == "+") v.real += b.real;
  else if (op.text == "-") v.real -= b.real;
  else if (op.text == "*") v.real *= b.real;
  else v.real /= b.real;
  if (std::isfinite(v.real)) return v;
  report(Kind::OutOfRange, op.span, "the result does not fit long double");
  return {};
}

ConstantValue Parser::apply_to_integers(const Token& op, const ConstantValue& a, const ConstantValue& b) {
  const Integer x = a.integer, y = b.integer;
  if (op.text == "<<" || op.text == ">>") {
    if (y < 0 || y > 63) {
      report(Kind::OutOfRange, b.span, "a shift is by 0 to 63");
      return {};
    }
    const int n = static_cast<int>(y);
    return integer_result(op.text == ">>" ? x >> n : x << n, op.span);
  }
  if ((op.text == "/" || op.text == "%") && y == 0) {
    report(Kind::DivisionByZero, op.span, "this divides by zero");
    return {};
  }
  Integer product = 0;
  switch (op.text[0]) {
    case '|':
      return integer_result(x | y, op.span);
    case '^':
      return integer_result(x ^ y, op.span);
    case '&':
      return integer_result(x & y, op.span);
    case '+':
      return integer_result(x + y, op.span);
    case '-':
      return integer_result(x - y, op.span);
    case '*':
      return integer_result(__builtin_mul_overflow(x, y, &product) ? kMostInteger + 1 : product, op.span);
    case '/':
      return integer_result(x / y, op.span);
    default:
      return integer_result(x % y, op.span);
  }
}

// Digits behind the point that the type does not have are cut off.
bool Parser::convert_fixed(const ConstantValue& value, const aoi::Type& type, aoi::ConstantValue& out) {
  Decimal d = value.fixed;
  if (type.digits != 0) {
    for (; d.scale > type.scale && d.scale > 0; --d.scale)
      if (!d.digits.empty()) d.digits.pop_back();
    if (d.digits.empty()) d = {};
    if (d.whole_digits() > type.digits - type.scale) {
      report(Kind::OutOfRange, value.span,
             fmt::format("{} does not fit fixed<{}, {}>", to_string(value.fixed), type.digits, type.scale));
      return false;
    }
  }
  out = aoi::FixedValue{to_string(d)};
  return true;
}

bool Parser::convert_text(const ConstantValue& value, const aoi::Type& type, aoi::ConstantValue& out) {
  const bool wide = type.kind == aoi::Type::Kind::WString;
  const std::size_t length = wide ? value.wide.size() : value.text.size();
  if (value.kind != (wide ? ConstantValue::Kind::WideString : ConstantValue::Kind::String)) {
    report(Kind::BadOperand, value.span,
           wide ? "this is no wide string; write L\"...\"" : "this is no string");
    return false;
  }
  if (type.bound != 0 && length > type.bound) {
    report(Kind::OutOfRange, value.span,
           fmt::format("the string has {} characters, its type holds {}", length, type.bound));
    return false;
  }
  if (wide) out = value.wide;
  else out = value.text;
  return true;
}

// The value in the form of the declared type; false if it was reported as unfit.
bool Parser::convert(const ConstantValue& value, const aoi::Type* type, aoi::ConstantValue& out) {
  using K = ConstantValue::Kind;
  const aoi::Type* const t = aoi::resolve(type);
  if (value.kind == K::Error || !t) return false;
  const auto misfit = [&](std::string_view wanted) {
    report(Kind::BadOperand, value.span, fmt::format("this is no {}", wanted));
    return false;
  };
  if (t->kind == aoi::Type::Kind::String || t->kind == aoi::Type::Kind::WString)
    return convert_text(value, *t, out);
  if (t->kind == aoi::Type::Kind::Fixed)
    return value.kind == K::Fixed ? convert_fixed(value, *t, out) : misfit("fixed-point number; write 1.5d");
  if (t->kind == aoi::Type::Kind::Named && t->decl->kind == aoi::Decl::Kind::Enum) {
    if (value.kind != K::Enumerator || value.enumeration != t->decl)
      return misfit(fmt::format("enumerator of '{}'", t->decl->name));
    out = static_cast<std::int64_t>(value.integer);
    return true;
  }
  if (t->kind != aoi::Type::Kind::Basic) return false;
  switch (t->basic) {
    case aoi::Basic::Boolean:
      if (value.kind != K::Boolean) return misfit("boolean; write TRUE or FALSE");
      out = value.integer != 0;
      return true;
    case aoi::Basic::Char:
      if (value.kind != K::Char) return misfit("char");
      out = static_cast<std::int64_t>(value.integer);
      return true;
    case aoi::Basic::WChar:
      if (value.kind != K::WideChar) return misfit("wchar; write L'x'");
      out = static_cast<std::int64_t>(value.integer);
      return true;
    case aoi::Basic::Float:
    case aoi::Basic::Double:
    case aoi::Basic::LongDouble: {
      if (value.kind != K::Float && value.kind != K::Integer) return misfit("floating-point number");
      const long double real = value.kind == K::Float ? value.real : static_cast<long double>(value.integer);
      const long double size = std::abs(real);
      const bool is_float = t->basic == aoi::Basic::Float;
      // From halfway to the first number beyond the largest one on nothing is rounded to that.
      if ((is_float && size >= 0x1.ffffffp127L) ||
          (t->basic == aoi::Basic::Double && size >= 0x1.fffffffffffff8p1023L)) {
        report(Kind::OutOfRange, value.span,
               fmt::format("this value does not fit {}", is_float ? "float" : "double"));
        return false;
      }
      if (t->basic == aoi::Basic::LongDouble) out = real;
      else if (is_float && size > std::numeric_limits<float>::max())
        out = std::copysign(double{std::numeric_limits<float>::max()}, static_cast<double>(real));
      else out = static_cast<double>(real);
      return true;
    }
    default:
      break;
  }
  if (value.kind != K::Integer) return misfit("integer");
  const auto [low, high] = range_of(t->basic);
  if (value.integer < low || value.integer > high) {
    report(Kind::OutOfRange, value.span,
           fmt::format("{} is outside of the type's range, {} to {}", to_text(value.integer), to_text(low),
                       to_text(high)));
    return false;
  }
  if (t->basic == aoi::Basic::ULongLong) out = static_cast<std::uint64_t>(value.integer);
  else out = static_cast<std::int64_t>(value.integer);
  return true;
}

bool Parser::positive(const ConstantValue& value, std::uint32_t& out, std::string_view what) {
  if (value.kind == ConstantValue::Kind::Error) return false;
  if (value.kind != ConstantValue::Kind::Integer || value.integer < 1 || value.integer > UINT32_MAX) {
    report(Kind::BadBound, value.span, fmt::format("{} is a positive integer below 2^32", what));
    return false;
  }
  out = static_cast<std::uint32_t>(value.integer);
  return true;
}

}  // namespace corbel::idl::omg
