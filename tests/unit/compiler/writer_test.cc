#include "compiler/source/writer.h"

#include <gtest/gtest.h>

#include <sstream>

namespace corbel::idl {
namespace {

TEST(Writer, IndentsBlocks) {
  Writer w;
  w.open("if ({}) {{", "x");
  w.line("f();");
  w.close();
  EXPECT_EQ(w.text(), "if (x) {\n  f();\n}\n");
}

TEST(Writer, DirectivesStandAtTheLeftAndEmptyLinesAreEmpty) {
  Writer w;
  w.indent();
  w.line("#include <x>\n\nf();");
  EXPECT_EQ(w.text(), "#include <x>\n\n  f();\n");
}

TEST(Writer, BreaksLongLinesBehindCommasOutsideOfLiterals) {
  std::string list;
  for (int i = 0; i < 40; ++i) list += fmt::format("\"a, b\", argument{}, ", i);
  Writer w;
  w.indent();
  w.line("f(" + list + "end);");
  std::istringstream lines(w.text());
  std::string all;
  bool first = true;
  for (std::string line; std::getline(lines, line); first = false) {
    EXPECT_LE(line.size(), Writer::kMostColumns);
    EXPECT_EQ(line.find_first_not_of(' '), first ? 2u : 6u);
    all += (first ? "" : " ") + line.substr(first ? 2 : 6);
  }
  EXPECT_EQ(all, "f(" + list + "end);");
}

TEST(Writer, CommentsStayWhole) {
  const std::string comment = "// " + std::string(200, 'x') + ", y";
  Writer w;
  w.line(comment);
  EXPECT_EQ(w.text(), comment + "\n");
}

TEST(Writer, FunctionsOfOneStatementStandOnOneLineIfThereIsRoom) {
  Writer w;
  w.function("int f()", "return 1;");
  w.function("int " + std::string(100, 'g') + "()", "return 1;");
  EXPECT_EQ(w.text(), "int f() { return 1; }\nint " + std::string(100, 'g') + "() {\n  return 1;\n}\n");
}

TEST(Writer, LiteralsEscapeWhatCxxWouldTakeOtherwise) {
  EXPECT_EQ(quoted("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(quoted("\x01\xff"), R"("\001\377")");
  EXPECT_EQ(quoted("what?"
                   "?="),
            R"("what?\?=")");
}

}  // namespace
}  // namespace corbel::idl
