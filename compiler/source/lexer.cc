#include "compiler/source/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace corbel::idl {
namespace {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Most of a contract's bytes are those of words.
constexpr auto kWordCharacters = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c)
    table[c] = is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c));
  return table;
}();

// "  * text " to "text".
std::string trim_comment_line(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r'))
    line.remove_suffix(1);
  while (!line.empty() && (line.front() == '*' || line.front() == '/' || line.front() == '!'))
    line.remove_prefix(1);
  if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  return std::string(line);
}

}  // namespace

Lexer::Lexer(const SourceManager& sources, Diagnostics& diagnostics, std::uint32_t file)
    : diagnostics_(diagnostics), text_(sources.text(file)), file_(file) {
  if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // a byte order mark of UTF-8
}

void Lexer::report(Kind kind, std::size_t begin, std::size_t end, std::string message) {
  if (quiet_) return;
  diagnostics_.report(kind, {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)},
                      std::move(message));
}

void Lexer::skip_continuations() {
  while (peek() == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n')))
    at_ += peek(1) == '\n' ? 2 : 3;
}

void Lexer::comment(Token& token) {
  const std::size_t begin = at_;
  if (peek(1) == '/') {
    const auto is_continued = [this](std::size_t end) {
      return end < text_.size() && (text_[end - 1] == '\\' || text_.substr(end - 2, 2) == "\\\r");
    };
    do at_ = std::min(text_.find('\n', at_ + 1), text_.size());
    while (is_continued(at_));
    // Each line without the backslash that continues it.
    std::string_view body = text_.substr(begin + 2, at_ - begin - 2);
    for (auto end = body.find('\n'); end != body.npos; end = body.find('\n')) {
      const std::string_view line = body.substr(0, body.rfind('\\', end));
      token.comments.push_back(trim_comment_line(line));
      body.remove_prefix(end + 1);
    }
    token.comments.push_back(trim_comment_line(body));
    return;
  }
  const auto end = text_.find("*/", begin + 2);
  if (end == text_.npos) {
    report(Kind::Unterminated, begin, begin + 2, "this comment has no end; close it with */");
    at_ = text_.size();
    return;
  }
  std::string_view body = text_.substr(begin + 2, end - begin - 2);
  at_ = end + 2;
  while (!body.empty()) {
    const auto newline = body.find('\n');
    std::string line = trim_comment_line(body.substr(0, newline));
    const bool edge = token.comments.empty() || newline == body.npos;
    if (!line.empty() || !edge) token.comments.push_back(std::move(line));
    if (newline == body.npos) break;
    body.remove_prefix(newline + 1);
  }
}

// True at the end of a line.
bool Lexer::skip_blank(Token& token) {
  for (;;) {
    const char c = peek();
    if (c == '\n') return true;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
      comment(token);
    } else {
      const std::size_t begin = at_;
      skip_continuations();
      if (at_ == begin) return false;
      continue;
    }
    token.space_before = true;
  }
}

Token Lexer::next() {
  Token token;
  next(token);
  return token;
}

void Lexer::next(Token& token) {
  token.space_before = false;
  token.expansion = nullptr;
  token.text.clear();
  token.comments.clear();
  for (;;) {
    const bool end_of_line = skip_blank(token);
    const std::size_t begin = at_;
    if (at_ >= text_.size()) {
      token.type = Token::Type::End;
    } else if (end_of_line) {
      ++at_;
      token.type = Token::Type::Newline;
    } else if (is_letter(peek())) {
      word(token);
    } else if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
      number(token);
    } else if (peek() == '"' || peek() == '\'') {
      quoted(token, peek());
    } else if (!punctuator(token)) {
      continue;
    }
    token.span = {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
    return;
  }
}

void Lexer::word(Token& token) {
  if (peek() == 'L' && (peek(1) == '\'' || peek(1) == '"')) {
    ++at_;
    quoted(token, peek());
    token.type = token.type == Token::Type::Char ? Token::Type::WideChar : Token::Type::WideString;
    return;
  }
  token.type = Token::Type::Identifier;
  do {
    const std::size_t begin = at_;
    while (at_ < text_.size() && kWordCharacters[static_cast<unsigned char>(text_[at_])]) ++at_;
    token.text.append(text_, begin, at_ - begin);
    skip_continuations();
  } while (kWordCharacters[static_cast<unsigned char>(peek())]);
}

void Lexer::number(Token& token) {
  token.type = Token::Type::Integer;
  const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
  for (;;) {
    const char c = peek();
    if (!hex && (c == '.' || c == 'e' || c == 'E')) {
      token.type = Token::Type::Float;
      if (c != '.' && (peek(1) == '+' || peek(1) == '-')) {
        token.text += c;
        ++at_;
      }
    } else if (!hex && (c == 'd' || c == 'D')) {
      token.type = Token::Type::FixedLiteral;
    } else if (!is_letter(c) && !is_digit(c)) {
      return;
    }
    token.text += peek();
    ++at_;
    skip_continuations();
  }
}

void Lexer::quoted(Token& token, char quote) {
  token.type = quote == '"' ? Token::Type::String : Token::Type::Char;
  const std::size_t begin = at_;
  token.text += quote;
  ++at_;
  for (skip_continuations(); at_ < text_.size() && peek() != quote && peek() != '\n'; skip_continuations()) {
    if (peek() == '\\' && at_ + 1 < text_.size()) {
      token.text += peek();
      ++at_;
    }
    token.text += peek();
    ++at_;
  }
  if (peek() != quote) {
    report(Kind::Unterminated, begin, at_, fmt::format("this literal has no end; close it with {}", quote));
    if (quote == '\'') token.text = "' ";
  } else {
    ++at_;
  }
  token.text += quote;
}

// False if no token begins here; what stood here was reported and skipped.
bool Lexer::punctuator(Token& token) {
  static constexpr std::string_view kLong[] = {"...", "::", "<<", ">>", "##", "&&",
                                               "||",  "==", "!=", "<=", ">="};
  static constexpr std::string_view kShort = "{}[]()<>;:,=+-*/%~|&^#!?@.";
  token.type = Token::Type::Punctuator;
  const std::string_view rest = text_.substr(at_);
  for (const std::string_view p : kLong) {
    if (!rest.starts_with(p)) continue;
    token.text = p;
    at_ += p.size();
    return true;
  }
  if (kShort.find(rest[0]) == kShort.npos) {
    const std::size_t begin = at_++;
    while (static_cast<unsigned char>(rest[0]) >= 0x80 && static_cast<unsigned char>(peek()) >= 0x80) ++at_;
    report(
        Kind::BadCharacter, begin, at_,
        fmt::format("the character 0x{:02x} has no place in IDL outside of literals and comments; remove it",
                    static_cast<unsigned char>(rest[0])));
    return false;
  }
  token.text = rest[0];
  ++at_;
  return true;
}

bool Lexer::before_parenthesis() const {
  Lexer ahead = *this;
  ahead.quiet_ = true;
  Token blank;
  while (ahead.skip_blank(blank) && ahead.at_ < ahead.text_.size()) ++ahead.at_;
  return ahead.peek() == '(';
}

std::string Lexer::rest_of_line() {
  std::string line;
  Token ignored;
  bool in_quotes = false;  // where nothing is a comment
  while (at_ < text_.size() && peek() != '\n') {
    skip_continuations();
    in_quotes = in_quotes != (peek() == '"');
    if (!in_quotes && peek() == '/' && (peek(1) == '/' || peek(1) == '*')) {
      comment(ignored);
    } else if (peek() != '\n' && at_ < text_.size()) {
      line += peek();
      ++at_;
    }
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.pop_back();
  line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

bool Lexer::header_name(std::string& name) {
  Token blank;
  skip_blank(blank);
  if (peek() != '<') return false;
  const auto end = text_.find_first_of(">\n", at_);
  if (end == text_.npos || text_[end] != '>') return false;
  name = text_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
  return true;
}

}  // namespace corbel::idl
