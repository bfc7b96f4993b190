// Directives and macros: a stream of tokens of the main file and all it includes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/source/lexer.h"

namespace corbel::idl {

struct PreprocessorOptions {
  std::vector<std::string> include_dirs;
  std::string standard_dir;          // of CORBA's own IDL, looked through last; may be empty
  std::vector<std::string> defines;  // NAME, NAME=TEXT or NAME(A,B)=TEXT
  std::vector<std::string> undefines;
  std::size_t largest_file = SourceManager::kLargestFile;
  // Gives the text of a file, nothing if it cannot be read. In-memory sources come this way too.
  std::function<std::optional<std::string>(const std::string& path)> read_file;
};

// Not thread-safe.
class Preprocessor {
 public:
  Preprocessor(SourceManager& sources, Diagnostics& diagnostics, PreprocessorOptions options);
  ~Preprocessor();

  // False (and a diagnostic) if the file cannot be read.
  bool open(const std::string& path);
  // Never Newline; pragmas and the borders of files come as tokens.
  Token next();
  void next(Token& token);  // the same, in the place of an old token
  // As an #include of a file of CORBA's own would: what it holds comes next. False if there is no such file.
  bool import_standard(const std::string& name, Span where);

  // Paths of all files read, the main file first.
  const std::vector<std::string>& files_read() const { return files_read_; }
  // Names in the #include directives of the main file.
  const std::vector<std::string>& direct_includes() const { return direct_includes_; }
  // Which of these are files of the standard directory, and what they are called there.
  const std::map<std::string, std::string>& standard_includes() const { return standard_includes_; }
  std::uint32_t main_file() const { return main_file_; }
  const SourceManager& sources() const { return sources_; }

 private:
  static constexpr std::size_t kDeepestInclude = 64;      // stops files that include themselves
  static constexpr int kDeepestExpansion = 100;           // stops macros nested until the stack ends
  static constexpr std::size_t kMostExpansion = 400'000;  // of one macro: stops those that double and double
  static constexpr std::size_t kMostGrowth = 4;  // tokens of macros for each byte read: stops many of these
  // These two stop files that include each other in many ways.
  static constexpr std::size_t kMostFiles = 16'384;
  static constexpr std::size_t kMostBytes = 128 << 20;

  struct Macro {
    bool function_like = false;
    bool variadic = false;  // its last parameter takes all further arguments
    std::vector<std::string> parameters;
    std::vector<Token> body;
  };
  struct Conditional {
    Span span;
    bool taken;      // this branch is read
    bool any_taken;  // some branch of it was
    bool seen_else = false;
    bool parent_taken;
  };
  struct File {
    std::uint32_t id = 0;
    std::unique_ptr<Lexer> lexer;
    std::vector<Conditional> conditionals;
    bool line_start = true;
    std::size_t directory = 0;  // the candidate of include() it was found at, for #include_next
    // A guard: the file is nothing but one #ifndef NAME ... #endif.
    enum class Guard { Possible, Inside, Closed, None } guard = Guard::Possible;
    std::string guard_name;
  };

  bool within_budget(Span where, std::size_t size);
  bool push_file(const std::string& path, std::string text);
  void predefine(const std::string& definition);
  bool skipping() const;
  Token raw();  // from pending tokens or the file
  void raw(Token& token);
  bool from_line(Token& token);
  void pop_file(Token& end);
  void directive(const Token& hash);
  void line_mark(const Token& name);
  void include(const Token& hash, bool next);
  bool enter(const std::string& name, const std::string& path, const std::string& standard, Span where);
  bool read_before(const std::string& path) const;
  std::string guard_key(const std::string& path) const;
  void mind_guard(const Token& directive, const std::vector<Token>& rest);
  static std::string bracketed(const std::vector<Token>& tokens);
  void define(Span where, const std::vector<Token>& tokens);
  static bool parameters(const std::vector<Token>& tokens, std::size_t& at, Macro& macro);
  void conditional(const Token& hash, const Token& name);
  std::vector<Token> line_tokens();
  bool evaluate(std::vector<Token> tokens, Span where);
  Token is_defined(Token operation);
  bool expand(const Token& name);
  bool expand_place(const Token& name);
  bool grows_too_much() const;
  Token argument_token();
  bool arguments(const Token& name, const Macro& macro, std::vector<std::vector<Token>>& arguments);
  std::vector<Token> substitute(const Token& name, const Macro& macro,
                                const std::vector<std::vector<Token>>& arguments);
  void refuse_expansion(const Token& name);
  std::vector<Token> expand_all(std::vector<Token> tokens);

  SourceManager& sources_;
  Diagnostics& diagnostics_;
  PreprocessorOptions options_;
  std::vector<File> files_;
  std::map<std::string, Macro> macros_;
  // By path of a file that gives nothing a second time: the macro that guards it, empty for #pragma once.
  std::map<std::string, std::string> guards_;
  std::vector<Token> pending_;  // reversed
  std::size_t bytes_read_ = 0;
  bool budget_spent_ = false;
  std::size_t expanded_ = 0;       // tokens, in all
  std::size_t expanded_here_ = 0;  // since something was read from a file
  int depth_ = 0;                  // of expand_all
  bool isolated_ = false;          // only pending_ is read
  bool in_arguments_ = false;      // of a macro, which directives must not change
  bool in_condition_ = false;      // `defined` is an operator, in what macros expand to, too
  bool condition_is_bad_ = false;  // and has been reported
  bool expansion_refused_ = false;
  std::vector<std::string> files_read_;
  std::vector<std::string> direct_includes_;
  std::map<std::string, std::string> standard_includes_;
  std::uint32_t main_file_ = 0;
  std::vector<std::string> kept_comments_;
};

}  // namespace corbel::idl
