// Bytes to tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/diagnostics.h"

namespace corbel::idl {

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
  bool no_expand = false;  // the name of a macro inside its own expansion
  std::string text;        // as written; line continuations removed
  Span span;
  std::vector<std::string> comments;  // documentation comments before it, a line each

  bool is(std::string_view t) const {
    return (type == Type::Punctuator || type == Type::Identifier) && text == t;
  }
};

// Lexes one file. Comments and continuations are handled here, directives are not.
class Lexer {
 public:
  Lexer(const SourceManager& sources, Diagnostics& diagnostics, std::uint32_t file)
      : diagnostics_(diagnostics), text_(sources.text(file)), file_(file) {}
  Token next();
  std::uint32_t offset() const { return static_cast<std::uint32_t>(at_); }
  // The rest of the line as it stands, comments removed; for #pragma and #error.
  std::string rest_of_line();
  // For #include: a name in angle brackets follows.
  bool header_name(std::string& name);

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool skip_blank(Token& token);
  void skip_continuations();
  void comment(Token& token);
  void quoted(Token& token, char quote);
  void number(Token& token);
  void punctuator(Token& token);

  Diagnostics& diagnostics_;
  std::string_view text_;
  std::uint32_t file_;
  std::size_t at_ = 0;
};

}  // namespace corbel::idl
