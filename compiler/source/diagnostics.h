// What the compiler has to say about its input. How a message is worded: CONTRIBUTING.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/source_manager.h"

namespace corbel::idl {

// Every kind of diagnostic. A test fails when one has no example under tests/idl/negative.
enum class Kind {
  FileNotFound,
  FileTooLarge,
  IncludeDepth,
  BadDirective,
  UnbalancedConditional,
  BadMacro,
  UserError,
  UserWarning,
  BadCharacter,
  Unterminated,
  BadLiteral,
  Syntax,
  NestingTooDeep,
  Unsupported,
  GeneratedClash,
  Redefinition,
  CaseClash,
  KeywordClash,
  ReservedWord,
  ChangedMeaning,
  UnknownName,
  AmbiguousName,
  NotAType,
  NotAConstant,
  NotAnException,
  BadBase,
  BadValue,
  BadAnnotation,
  UnknownAnnotation,
  IgnoredAnnotation,
  BadTemplate,
  InheritedClash,
  IncompleteType,
  RecursiveType,
  EmptyType,
  BadOneway,
  LocalType,
  BadConstantType,
  OutOfRange,
  DivisionByZero,
  BadOperand,
  BadBound,
  BadDiscriminator,
  BadLabel,
  DuplicateLabel,
  BadPragma,
  RepositoryIdClash,
  TooManyErrors,
  Count_
};

enum class Severity { Error, Warning };

// "unknown-name"; stable, shown in brackets behind the message.
std::string_view kind_name(Kind kind);
Severity kind_severity(Kind kind);

struct Note {
  Span span;
  std::string message;
};

struct Diagnostic {
  Kind kind;
  Span span;
  std::string message;
  std::vector<Note> notes;
};

// Collects; beyond the limit of errors it only counts. Not thread-safe.
class Diagnostics {
 public:
  static constexpr int kMostErrors = 50;

  void report(Kind kind, Span span, std::string message, std::vector<Note> notes = {});
  bool has_errors() const { return errors_ > 0; }
  int errors() const { return errors_; }
  // The compilation should stop: more errors would only be noise.
  bool exhausted() const { return errors_ > most_errors_; }
  void limit_errors(int most) { most_errors_ = most; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  int errors_ = 0;
  int most_errors_ = kMostErrors;
};

// file:line:column: severity: message [kind], the line, and a caret under the span; notes the same way.
std::string render(const Diagnostic& diagnostic, const SourceManager& sources);

}  // namespace corbel::idl
