#include "compiler/source/token_printer.h"

#include <fmt/format.h>

namespace corbel::idl {
namespace {

constexpr std::uint32_t kMostEmptyLines = 8;  // a larger gap is a line mark

// Tokens that would become one if they touched.
bool would_join(char left, char right) {
  const auto word = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
  };
  return (word(left) && word(right)) ||
         (left == right && (left == ':' || left == '<' || left == '>' || left == '#'));
}

}  // namespace

void TokenPrinter::go_to(Span span) {
  const auto [line, column, path] = sources_.position(span.file, span.begin);
  const bool near = line_ != 0 && span.file == file_ && line >= line_ && line - line_ <= kMostEmptyLines;
  if (near) {
    text_.append(line - line_, '\n');
  } else {
    if (line_ != 0) text_ += '\n';
    fmt::format_to(std::back_inserter(text_), "# {} \"{}\"\n", line, path);
  }
  file_ = span.file;
  line_ = line;
}

void TokenPrinter::print(const Token& token) {
  if (token.type == Token::Type::FileEnter || token.type == Token::Type::FileLeave) return;
  go_to(token.span);
  if (token.type == Token::Type::Pragma) {
    text_ += "#pragma " + token.text;
    return;
  }
  const char first = token.is_wide() ? 'L' : token.text.front();
  const bool space =
      !text_.empty() && text_.back() != '\n' && (token.space_before || would_join(text_.back(), first));
  if (space) text_ += ' ';
  if (token.is_wide()) text_ += 'L';
  text_ += token.text;
}

}  // namespace corbel::idl
