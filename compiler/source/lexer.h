// Bytes to tokens.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/diagnostics.h"

namespace corbel::idl {

// A macro that is being expanded, and what was being expanded around it.
struct Expansion {
  std::string macro;
  int depth;
  std::shared_ptr<const Expansion> outer;
};

struct Token {
  enum class Type : std::uint8_t {
    End,
    Newline,  // Newline only inside the preprocessor
    Identifier,
    Integer,
    Float,
    FixedLiteral,
    Char,
    String,
    WideChar,
    WideString,
    Punctuator,
    Pragma,  // text: what follows #pragma
    FileEnter,
    FileLeave  // an #include begins, ends: pragma prefixes are scoped by it
  };
  Type type = Type::End;
  bool space_before = false;
  std::shared_ptr<const Expansion>
      expansion;     // the macros whose expansion gave it; none of them applies again
  std::string text;  // as written; line continuations removed, and the L of wide literals
  Span span;
  std::vector<std::string> comments;  // documentation comments before it, a line each

  // The first character decides mostly; `t` is not empty.
  bool is(std::string_view t) const {
    return text[0] == t[0] && (type == Type::Punctuator || type == Type::Identifier) && text == t;
  }
  bool is_wide() const { return type == Type::WideChar || type == Type::WideString; }
};

// Lexes one file. Comments and continuations are handled here, directives are not.
class Lexer {
 public:
  Lexer(const SourceManager& sources, Diagnostics& diagnostics, std::uint32_t file);
  Token next();
  void next(Token& token);  // the same, in the place of an old token
  std::uint32_t offset() const { return static_cast<std::uint32_t>(at_); }
  // The rest of the line as it stands, comments removed; for #pragma and #error.
  std::string rest_of_line();
  // Whether '(' comes next, perhaps on a later line; nothing is consumed.
  bool before_parenthesis() const;
  // In text that #if leaves out nothing is wrong.
  void set_quiet(bool quiet) { quiet_ = quiet; }
  // For #include: a name in angle brackets follows.
  bool header_name(std::string& name);

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool skip_blank(Token& token);
  void skip_continuations();
  void comment(Token& token);
  void quoted(Token& token, char quote);
  void word(Token& token);
  void number(Token& token);
  bool punctuator(Token& token);
  void report(Kind kind, std::size_t begin, std::size_t end, std::string message);

  Diagnostics& diagnostics_;
  std::string_view text_;
  std::uint32_t file_;
  std::size_t at_ = 0;
  bool quiet_ = false;
};

}  // namespace corbel::idl
