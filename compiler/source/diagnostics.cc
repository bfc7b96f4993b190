#include "compiler/source/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace corbel::idl {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Kind::Count_)> kNames = {
    "file-not-found",
    "file-too-large",
    "include-depth",
    "bad-directive",
    "unbalanced-conditional",
    "bad-macro",
    "user-error",
    "user-warning",
    "bad-character",
    "unterminated",
    "bad-literal",
    "syntax",
    "nesting-too-deep",
    "unsupported-construct",
    "redefinition",
    "case-clash",
    "keyword-clash",
    "changed-meaning",
    "unknown-name",
    "ambiguous-name",
    "not-a-type",
    "not-a-constant",
    "not-an-exception",
    "bad-base",
    "inherited-clash",
    "incomplete-type",
    "recursive-type",
    "bad-oneway",
    "bad-constant-type",
    "out-of-range",
    "division-by-zero",
    "bad-operand",
    "bad-bound",
    "bad-discriminator",
    "bad-label",
    "duplicate-label",
    "bad-pragma",
    "repository-id-clash",
    "too-many-errors"};

void render_place(std::string& out, Span span, std::string_view severity, std::string_view message,
                  const SourceManager& sources) {
  const auto [line, column, path] = sources.position(span.file, span.begin);
  fmt::format_to(std::back_inserter(out), "{}:{}:{}: {}: {}\n", path, line, column, severity, message);
  const std::string_view text = sources.line_at(span.file, span.begin);
  std::string marks;
  for (const char c : text.substr(0, std::min<std::size_t>(column - 1, text.size())))
    marks += c == '\t' ? '\t' : ' ';
  marks += '^';
  const std::size_t width = std::min<std::size_t>(span.end > span.begin ? span.end - span.begin : 1,
                                                  text.size() >= column ? text.size() - (column - 1) : 1);
  if (width > 1) marks.append(width - 1, '~');
  fmt::format_to(std::back_inserter(out), "  {}\n  {}\n", text, marks);
}

}  // namespace

std::string_view kind_name(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }
Severity kind_severity(Kind kind) { return kind == Kind::UserWarning ? Severity::Warning : Severity::Error; }

void Diagnostics::report(Kind kind, Span span, std::string message, std::vector<Note> notes) {
  if (kind_severity(kind) == Severity::Error && ++errors_ > kMostErrors) {
    if (errors_ == kMostErrors + 1)
      all_.push_back({Kind::TooManyErrors,
                      span,
                      fmt::format("more than {} errors; mend the first ones and try again", kMostErrors),
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
