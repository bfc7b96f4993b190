#include "compiler/source/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace corbel::idl {
namespace {

struct Registered {
  Kind kind;
  std::string_view name;
  Severity severity;
};
constexpr Registered kRegistered[] = {
    {Kind::FileNotFound, "file-not-found", Severity::Error},
    {Kind::FileTooLarge, "file-too-large", Severity::Error},
    {Kind::IncludeDepth, "include-depth", Severity::Error},
    {Kind::BadDirective, "bad-directive", Severity::Error},
    {Kind::UnbalancedConditional, "unbalanced-conditional", Severity::Error},
    {Kind::BadMacro, "bad-macro", Severity::Error},
    {Kind::UserError, "user-error", Severity::Error},
    {Kind::UserWarning, "user-warning", Severity::Warning},
    {Kind::BadCharacter, "bad-character", Severity::Error},
    {Kind::Unterminated, "unterminated", Severity::Error},
    {Kind::BadLiteral, "bad-literal", Severity::Error},
    {Kind::Syntax, "syntax", Severity::Error},
    {Kind::NestingTooDeep, "nesting-too-deep", Severity::Error},
    {Kind::Unsupported, "unsupported-construct", Severity::Error},
    {Kind::GeneratedClash, "generated-clash", Severity::Error},
    {Kind::Redefinition, "redefinition", Severity::Error},
    {Kind::CaseClash, "case-clash", Severity::Error},
    {Kind::KeywordClash, "keyword-clash", Severity::Error},
    {Kind::ReservedWord, "reserved-word", Severity::Warning},
    {Kind::ChangedMeaning, "changed-meaning", Severity::Error},
    {Kind::UnknownName, "unknown-name", Severity::Error},
    {Kind::AmbiguousName, "ambiguous-name", Severity::Error},
    {Kind::NotAType, "not-a-type", Severity::Error},
    {Kind::NotAConstant, "not-a-constant", Severity::Error},
    {Kind::NotAnException, "not-an-exception", Severity::Error},
    {Kind::BadBase, "bad-base", Severity::Error},
    {Kind::BadValue, "bad-value", Severity::Error},
    {Kind::BadAnnotation, "bad-annotation", Severity::Error},
    {Kind::UnknownAnnotation, "unknown-annotation", Severity::Warning},
    {Kind::IgnoredAnnotation, "ignored-annotation", Severity::Warning},
    {Kind::BadTemplate, "bad-template", Severity::Error},
    {Kind::InheritedClash, "inherited-clash", Severity::Error},
    {Kind::IncompleteType, "incomplete-type", Severity::Error},
    {Kind::RecursiveType, "recursive-type", Severity::Error},
    {Kind::EmptyType, "empty-type", Severity::Error},
    {Kind::BadOneway, "bad-oneway", Severity::Error},
    {Kind::LocalType, "local-type", Severity::Error},
    {Kind::BadConstantType, "bad-constant-type", Severity::Error},
    {Kind::OutOfRange, "out-of-range", Severity::Error},
    {Kind::DivisionByZero, "division-by-zero", Severity::Error},
    {Kind::BadOperand, "bad-operand", Severity::Error},
    {Kind::BadBound, "bad-bound", Severity::Error},
    {Kind::BadDiscriminator, "bad-discriminator", Severity::Error},
    {Kind::BadLabel, "bad-label", Severity::Error},
    {Kind::DuplicateLabel, "duplicate-label", Severity::Error},
    {Kind::BadPragma, "bad-pragma", Severity::Error},
    {Kind::RepositoryIdClash, "repository-id-clash", Severity::Error},
    {Kind::TooManyErrors, "too-many-errors", Severity::Error},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kRegistered); ++i)
    if (kRegistered[i].kind != static_cast<Kind>(i)) return false;
  return std::size(kRegistered) == static_cast<std::size_t>(Kind::Count_);
}
static_assert(in_order(), "every kind is registered, in the order of the enumeration");

constexpr std::size_t kWidestExcerpt = 160;  // stops a line of megabytes from being shown whole
constexpr std::size_t kBeforeCaret = 60;

// The part of a line around [begin, end) that is shown, free of control characters, and where the span stands
// in it.
struct Excerpt {
  std::string text;
  std::size_t begin, end;
};

Excerpt excerpt(std::string_view line, std::size_t begin, std::size_t end) {
  begin = std::min(begin, line.size());
  end = std::clamp(end, begin, line.size());
  Excerpt e{"", begin, end};
  std::size_t from = 0;
  if (line.size() > kWidestExcerpt) {
    from = begin > kBeforeCaret ? begin - kBeforeCaret : 0;
    if (from > 0) e.text = "...";
    e.begin = begin - from + e.text.size();
    e.end = std::min(end - from, kWidestExcerpt) + e.text.size();
  }
  for (const char c : line.substr(from, kWidestExcerpt)) {
    const auto u = static_cast<unsigned char>(c);
    e.text += (u < 0x20 && c != '\t') || u == 0x7f ? '?' : c;
  }
  if (line.size() > from + kWidestExcerpt) e.text += "...";
  return e;
}

void render_place(std::string& out, Span span, std::string_view severity, std::string_view message,
                  const SourceManager& sources) {
  const auto [line, column, path] = sources.position(span.file, span.begin);
  fmt::format_to(std::back_inserter(out), "{}:{}:{}: {}: {}\n", path, line, column, severity, message);
  const std::string_view whole = sources.line_at(span.file, span.begin);
  if (whole.empty()) return;
  const Excerpt e = excerpt(whole, column - 1, column - 1 + (span.end - std::min(span.begin, span.end)));
  std::string marks;
  for (const char c : e.text.substr(0, e.begin)) marks += c == '\t' ? '\t' : ' ';
  marks += '^';
  if (e.end > e.begin + 1) marks.append(e.end - e.begin - 1, '~');
  fmt::format_to(std::back_inserter(out), "  {}\n  {}\n", e.text, marks);
}

}  // namespace

std::string_view kind_name(Kind kind) { return kRegistered[static_cast<std::size_t>(kind)].name; }
Severity kind_severity(Kind kind) { return kRegistered[static_cast<std::size_t>(kind)].severity; }

void Diagnostics::report(Kind kind, Span span, std::string message, std::vector<Note> notes) {
  if (kind_severity(kind) == Severity::Error && ++errors_ > most_errors_) {
    if (errors_ == most_errors_ + 1)
      all_.push_back({Kind::TooManyErrors,
                      span,
                      fmt::format("more than {} errors; mend the first ones and try again", most_errors_),
                      {}});
    return;
  }
  all_.push_back({kind, span, std::move(message), std::move(notes)});
}

std::string render(const Diagnostic& d, const SourceManager& sources) {
  std::string out;
  render_place(out, d.span, kind_severity(d.kind) == Severity::Error ? "error" : "warning",
               fmt::format("{} [{}]", d.message, kind_name(d.kind)), sources);
  for (const Note& n : d.notes) render_place(out, n.span, "note", n.message, sources);
  return out;
}

}  // namespace corbel::idl
