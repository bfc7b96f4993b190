// Tokens back to text, for -E.
#pragma once

#include <string>

#include "compiler/source/lexer.h"

namespace corbel::idl {

// Keeps the lines of the source; a `# LINE "FILE"` line stands where another file begins or goes on.
class TokenPrinter {
 public:
  explicit TokenPrinter(const SourceManager& sources) : sources_(sources) {}
  void print(const Token& token);
  // All that was printed, ended by a newline.
  std::string text() const { return line_ == 0 ? text_ : text_ + '\n'; }

 private:
  void go_to(Span span);

  const SourceManager& sources_;
  std::string text_;
  std::uint32_t file_ = 0;
  std::uint32_t line_ = 0;  // 0: nothing printed yet
};

}  // namespace corbel::idl
