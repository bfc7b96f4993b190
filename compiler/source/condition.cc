#include "compiler/source/condition.h"

#include <cstdint>
#include <cstdlib>
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

class Evaluator {
 public:
  Evaluator(const std::vector<Token>& tokens, Span where, Diagnostics& diagnostics)
      : tokens_(tokens), where_(where), diagnostics_(diagnostics) {}

  bool run() {
    const std::int64_t value = binary(0);
    if (at_ != tokens_.size()) fail();
    return !failed_ && value != 0;
  }

 private:
  static constexpr int kDeepest = 200;

  bool accept(std::string_view text) {
    if (at_ < tokens_.size() && tokens_[at_].text == text) {
      ++at_;
      return true;
    }
    return false;
  }
  std::int64_t fail() {
    if (!failed_) diagnostics_.report(Kind::BadDirective, where_, "this condition is malformed");
    failed_ = true;
    at_ = tokens_.size();
    return 0;
  }
  std::int64_t unary() {
    if (++depth_ > kDeepest) return fail();
    std::int64_t value = 0;
    if (accept("!")) {
      value = !unary();
    } else if (accept("-")) {
      value = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(unary()));
    } else if (accept("+")) {
      value = unary();
    } else if (accept("~")) {
      value = ~unary();
    } else if (accept("(")) {
      value = binary(0);
      if (!accept(")")) fail();
    } else if (at_ < tokens_.size() && tokens_[at_].type == Token::Type::Integer) {
      value = static_cast<std::int64_t>(std::strtoull(tokens_[at_++].text.c_str(), nullptr, 0));
    } else if (at_ < tokens_.size() && tokens_[at_].type == Token::Type::Identifier) {
      ++at_;  // a name that is no macro counts as 0
    } else {
      fail();
    }
    --depth_;
    return value;
  }
  std::int64_t binary(int least) {
    std::int64_t left = unary();
    while (at_ < tokens_.size()) {
      const Operator* found = nullptr;
      for (const Operator& o : kOperators)
        if (tokens_[at_].text == o.text && o.precedence > least) found = &o;
      if (!found) break;
      ++at_;
      left = apply(found->text, left, binary(found->precedence));
    }
    return left;
  }
  std::int64_t apply(std::string_view op, std::int64_t a, std::int64_t b) {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    if (op == "||") return a || b;
    if (op == "&&") return a && b;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == "&") return a & b;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == "<<") return static_cast<std::int64_t>(ua << (ub & 63));
    if (op == ">>") return a >> (ub & 63);
    if (op == "+") return static_cast<std::int64_t>(ua + ub);
    if (op == "-") return static_cast<std::int64_t>(ua - ub);
    if (op == "*") return static_cast<std::int64_t>(ua * ub);
    if (b == 0 || (b == -1 && a == INT64_MIN)) return fail();
    return op == "/" ? a / b : a % b;
  }

  const std::vector<Token>& tokens_;
  Span where_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

bool evaluate_condition(const std::vector<Token>& tokens, Span where, Diagnostics& diagnostics) {
  return Evaluator(tokens, where, diagnostics).run();
}

}  // namespace corbel::idl
