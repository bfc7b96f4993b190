#include "compiler/source/condition.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace corbel::idl {
namespace {

struct Operator {
  std::string_view text;
  int precedence;
};
constexpr Operator kOperators[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                                   {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                                   {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};

// As in C, arithmetic is in the widest type, unsigned where one operand is.
struct Number {
  std::uint64_t bits = 0;
  bool is_unsigned = false;
  std::int64_t value() const { return static_cast<std::int64_t>(bits); }
};

Number number(bool truth) { return {truth ? 1U : 0U, false}; }

std::optional<Number> integer_literal(std::string_view text) {
  bool is_unsigned = false;
  while (!text.empty() && std::string_view("uUlL").find(text.back()) != std::string_view::npos) {
    is_unsigned = is_unsigned || (text.back() | 32) == 'u';
    text.remove_suffix(1);
  }
  int base = text.size() > 1 && text[0] == '0' ? 8 : 10;
  if (base == 8 && (text[1] | 32) == 'x') {
    base = 16;
    text.remove_prefix(2);
  }
  Number n;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, n.bits, base);
  if (error != std::errc() || end != last) return std::nullopt;
  n.is_unsigned = is_unsigned || n.bits > INT64_MAX;
  return n;
}

class Evaluator {
 public:
  Evaluator(const std::vector<Token>& tokens, Span where, Diagnostics& diagnostics)
      : tokens_(tokens), where_(where), diagnostics_(diagnostics) {}

  bool run() {
    const Number value = ternary();
    if (at_ != tokens_.size()) fail("it goes on where it should end");
    return !failed_ && value.bits != 0;
  }

 private:
  static constexpr int kDeepest = 200;  // stops conditions that would overflow the stack

  bool accept(std::string_view text) {
    if (at_ >= tokens_.size() || !tokens_[at_].is(text)) return false;
    ++at_;
    return true;
  }
  Number fail(std::string_view why) {
    if (!failed_)
      diagnostics_.report(Kind::BadDirective, at_ < tokens_.size() ? tokens_[at_].span : where_,
                          "this condition cannot be evaluated: " + std::string(why));
    failed_ = true;
    at_ = tokens_.size();
    return {};
  }

  Number ternary() {
    if (++depth_ > kDeepest) return fail("it is nested too deep");
    Number value = binary(0);
    if (accept("?")) {
      const bool truth = value.bits != 0;
      const Number left = branch(truth, [this] { return ternary(); });
      if (!accept(":")) return fail("'?' wants a ':'");
      const Number right = branch(!truth, [this] { return ternary(); });
      value = truth ? left : right;
    }
    --depth_;
    return value;
  }
  // A part that does not count may divide by zero.
  template <typename F>
  Number branch(bool counts, F part) {
    unused_ += counts ? 0 : 1;
    const Number value = part();
    unused_ -= counts ? 0 : 1;
    return value;
  }

  Number unary() {
    if (++depth_ > kDeepest) return fail("it is nested too deep");
    Number value;
    if (accept("!")) value = number(unary().bits == 0);
    else if (accept("-")) value = unary(), value.bits = 0 - value.bits;
    else if (accept("+")) value = unary();
    else if (accept("~")) value = unary(), value.bits = ~value.bits;
    else value = primary();
    --depth_;
    return value;
  }
  Number primary() {
    if (accept("(")) {
      const Number value = ternary();
      return accept(")") ? value : fail("a ')' is missing");
    }
    if (at_ >= tokens_.size()) return fail("a value is missing at its end");
    const Token& t = tokens_[at_];
    if (t.type == Token::Type::Identifier) {  // a name that is no macro counts as 0
      ++at_;
      return {};
    }
    if (t.type == Token::Type::Char && t.text.size() == 3) {
      ++at_;
      return {static_cast<unsigned char>(t.text[1]), false};
    }
    const auto value = t.type == Token::Type::Integer ? integer_literal(t.text) : std::nullopt;
    if (!value) return fail("an integer is wanted here");
    ++at_;
    return *value;
  }
  Number binary(int least) {
    Number left = unary();
    while (at_ < tokens_.size()) {
      const Operator* found = nullptr;
      for (const Operator& o : kOperators)
        if (tokens_[at_].is(o.text) && o.precedence > least) found = &o;
      if (!found) break;
      ++at_;
      const bool decided = (found->text == "||" && left.bits != 0) || (found->text == "&&" && left.bits == 0);
      const Number right = branch(!decided, [&] { return binary(found->precedence); });
      left = apply(found->text, left, right);
    }
    return left;
  }
  Number apply(std::string_view op, Number a, Number b) {
    const bool u = a.is_unsigned || b.is_unsigned;
    const bool less = u ? a.bits < b.bits : a.value() < b.value();
    if (op == "||") return number(a.bits || b.bits);
    if (op == "&&") return number(a.bits && b.bits);
    if (op == "|") return {a.bits | b.bits, u};
    if (op == "^") return {a.bits ^ b.bits, u};
    if (op == "&") return {a.bits & b.bits, u};
    if (op == "==") return number(a.bits == b.bits);
    if (op == "!=") return number(a.bits != b.bits);
    if (op == "<") return number(less);
    if (op == ">=") return number(!less);
    if (op == "<=") return number(less || a.bits == b.bits);
    if (op == ">") return number(!less && a.bits != b.bits);
    if (op == "<<") return {b.bits > 63 ? 0 : a.bits << b.bits, a.is_unsigned};
    if (op == ">>") return shift_right(a, b.bits > 63 ? 63 : static_cast<int>(b.bits));
    if (op == "+") return {a.bits + b.bits, u};
    if (op == "-") return {a.bits - b.bits, u};
    if (op == "*") return {a.bits * b.bits, u};
    return divide(op, a, b, u);
  }
  static Number shift_right(Number a, int by) {
    return a.is_unsigned ? Number{a.bits >> by, true}
                         : Number{static_cast<std::uint64_t>(a.value() >> by), false};
  }
  Number divide(std::string_view op, Number a, Number b, bool u) {
    const bool overflow = !u && a.value() == INT64_MIN && b.value() == -1;
    if (b.bits == 0 || overflow) return unused_ > 0 ? Number{} : fail("it divides by zero");
    if (u) return {op == "/" ? a.bits / b.bits : a.bits % b.bits, true};
    const std::int64_t value = op == "/" ? a.value() / b.value() : a.value() % b.value();
    return {static_cast<std::uint64_t>(value), false};
  }

  const std::vector<Token>& tokens_;
  Span where_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int unused_ = 0;
  bool failed_ = false;
};

}  // namespace

bool evaluate_condition(const std::vector<Token>& tokens, Span where, Diagnostics& diagnostics) {
  return Evaluator(tokens, where, diagnostics).run();
}

}  // namespace corbel::idl
