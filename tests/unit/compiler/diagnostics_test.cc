#include "compiler/source/diagnostics.h"

#include <gtest/gtest.h>

#include <set>

namespace corbel::idl {
namespace {

std::string rendered(const std::string& text, Span span, std::vector<Note> notes = {}) {
  SourceManager sources;
  sources.add("a.idl", text);
  return render({Kind::UnknownName, span, "message", std::move(notes)}, sources);
}

TEST(Renderer, ShowsPlaceMessageKindLineAndSpan) {
  EXPECT_EQ(rendered("first\nthe second line\n", {0, 10, 16}),
            "a.idl:2:5: error: message [unknown-name]\n"
            "  the second line\n"
            "      ^~~~~~\n");
}

TEST(Renderer, ShowsNotesTheSameWay) {
  EXPECT_EQ(rendered("one\ntwo", {0, 4, 7}, {{{0, 0, 3}, "declared here"}}),
            "a.idl:2:1: error: message [unknown-name]\n"
            "  two\n"
            "  ^~~\n"
            "a.idl:1:1: note: declared here\n"
            "  one\n"
            "  ^~~\n");
}

TEST(Renderer, KeepsTabsSoThatTheCaretFits) {
  EXPECT_EQ(rendered("\tx\ty", {0, 3, 4}), "a.idl:1:4: error: message [unknown-name]\n  \tx\ty\n  \t \t^\n");
}

TEST(Renderer, EndsTheUnderlineWithTheLine) {
  EXPECT_EQ(rendered("ab\ncd", {0, 1, 5}), "a.idl:1:2: error: message [unknown-name]\n  ab\n   ^\n");
}

TEST(Renderer, PointsBehindTheLastByte) {
  EXPECT_EQ(rendered("ab", {0, 2, 2}), "a.idl:1:3: error: message [unknown-name]\n  ab\n    ^\n");
}

TEST(Renderer, ShowsNoExcerptOfNothing) {
  EXPECT_EQ(rendered("", {0, 0, 0}), "a.idl:1:1: error: message [unknown-name]\n");
}

TEST(Renderer, HidesControlCharactersAndCarriageReturns) {
  EXPECT_EQ(rendered("a\x1b[31m\r\n", {0, 0, 1}),
            "a.idl:1:1: error: message [unknown-name]\n  a?[31m\n  ^\n");
}

TEST(Renderer, CutsLongLinesAroundTheCaret) {
  const std::string shown =
      rendered(std::string(100000, 'x') + "HERE" + std::string(100000, 'y'), {0, 100000, 100004});
  EXPECT_LT(shown.size(), 500U);
  const auto excerpt = shown.find("  ...");
  const auto here = shown.find("HERE"), caret = shown.find("^~~~");
  ASSERT_NE(here, std::string::npos);
  const auto marks = shown.find('\n', excerpt) + 1;
  EXPECT_EQ(here - excerpt, caret - marks);
}

TEST(Diagnostics, HaveDistinctNames) {
  std::set<std::string_view> names;
  for (int i = 0; i < static_cast<int>(Kind::Count_); ++i) names.insert(kind_name(static_cast<Kind>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Kind::Count_));
  EXPECT_EQ(names.count(""), 0U);
}

TEST(Diagnostics, StopAtTheLimitButCountWarningsFreely) {
  Diagnostics d;
  d.limit_errors(2);
  for (int i = 0; i < 5; ++i) d.report(Kind::UserWarning, {}, "w");
  EXPECT_FALSE(d.has_errors());
  for (int i = 0; i < 5; ++i) d.report(Kind::Syntax, {}, "e");
  EXPECT_TRUE(d.exhausted());
  ASSERT_EQ(d.all().size(), 5U + 2U + 1U);
  EXPECT_EQ(d.all().back().kind, Kind::TooManyErrors);
}

TEST(SourceManager, FindsLinesAndColumns) {
  SourceManager s;
  s.add("a", "ab\n\ncd");
  EXPECT_EQ(s.position(0, 0).line, 1U);
  EXPECT_EQ(s.position(0, 2).column, 3U);
  EXPECT_EQ(s.position(0, 3).line, 2U);
  EXPECT_EQ(s.position(0, 6).line, 3U);
  EXPECT_EQ(s.position(0, 6).column, 3U);
  EXPECT_EQ(s.line_at(0, 3), "");
  EXPECT_EQ(s.line_at(0, 5), "cd");
}

TEST(SourceManager, FollowsLineMarks) {
  SourceManager s;
  s.add("a", "x\nmark\ny\nz");
  s.mark_line(0, 7, 100, "other");
  EXPECT_EQ(s.position(0, 0).path, "a");
  EXPECT_EQ(s.position(0, 7).line, 100U);
  EXPECT_EQ(s.position(0, 9).line, 101U);
  EXPECT_EQ(s.position(0, 9).path, "other");
}

}  // namespace
}  // namespace corbel::idl
