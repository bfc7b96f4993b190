#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/source/preprocessor.h"
#include "tests/unit/compiler/compile_text.h"

namespace corbel::idl::test {
namespace {

TEST(Preprocessor, ReplacesObjectMacros) { EXPECT_EQ(preprocessed("#define N 42\nN M N"), "42 M 42"); }

TEST(Preprocessor, ReplacesFunctionMacrosOnlyBeforeParentheses) {
  EXPECT_EQ(preprocessed("#define F(x) <x>\nF(1) F F\n(2)"), "<1> F <2>");
}

TEST(Preprocessor, MakesStringsOfArguments) {
  EXPECT_EQ(preprocessed("#define S(x) #x\nS(a  b) S(\"q\") S()"), "\"a b\" \"\\\"q\\\"\" \"\"");
}

TEST(Preprocessor, PastesTokensWithoutExpandingThem) {
  EXPECT_EQ(preprocessed("#define A wrong\n#define P(x, y) x##y\nP(A, B) P(, B) P(A,)"), "AB B wrong");
}

TEST(Preprocessor, VariadicMacrosTakeAllFurtherArguments) {
  EXPECT_EQ(preprocessed("#define F(x, ...) <x> [__VA_ARGS__]\nF(1) F(1, 2) F(1, (2, 3), 4)"),
            "<1> [] <1> [2] <1> [(2, 3), 4]");
  EXPECT_EQ(preprocessed("#define S(...) #__VA_ARGS__\nS(a, b) S()"), "\"a, b\" \"\"");
}

TEST(Preprocessor, ExpandsArgumentsBeforeTheyAreReplaced) {
  EXPECT_EQ(preprocessed("#define ONE 1\n#define ID(x) x\nID(ID(ONE))"), "1");
}

TEST(Preprocessor, StopsMacrosThatNameThemselves) {
  EXPECT_EQ(preprocessed("#define A B\n#define B A\n#define S S s\nA B S"), "A B S s");
}

TEST(Preprocessor, JoinsContinuedLinesEvenInsideNames) {
  EXPECT_EQ(preprocessed("ab\\\ncd \\\r\n e"), "abcd e");
}

TEST(Preprocessor, KeepsPragmas) {
  EXPECT_EQ(preprocessed("#pragma prefix \"x\" // why\na"), "#pragma prefix \"x\" a");
}

TEST(Preprocessor, DoesNotReadDirectivesInsideALine) {
  EXPECT_EQ(preprocessed("a #define b"), "a #define b");
}

TEST(Preprocessor, ADirectiveBehindAFunctionMacrosNameIsStillOne) {
  EXPECT_EQ(preprocessed("#define F(x) x\nF\n#define G g\nG"), "F g");
}

TEST(Preprocessor, LeavesOutWhatIsWrongInSkippedText) {
  EXPECT_EQ(kinds_of("#if 0\ndon't \" $ /* x */ #error\n#endif\ninterface A {};"), std::vector<Kind>{});
}

TEST(Preprocessor, LooksBesideTheIncludingFileFirst) {
  auto options = in_memory({{"a/main.idl", "#include \"x.idl\"\n#include <x.idl>\n"},
                            {"a/x.idl", "beside"},
                            {"inc/x.idl", "from directory"}});
  options.include_dirs = {"inc"};
  Compilation c;
  const std::string text = preprocess("a/main.idl", options, c);
  EXPECT_NE(text.find("# 1 \"a/x.idl\"\nbeside"), std::string::npos) << text;
  EXPECT_NE(text.find("# 1 \"inc/x.idl\"\nfrom directory"), std::string::npos) << text;
  EXPECT_EQ(c.files_read, (std::vector<std::string>{"a/main.idl", "a/x.idl", "inc/x.idl"}));
}

std::vector<std::string> files_read(const std::string& main, const std::string& included) {
  Compilation c;
  (void)preprocess("main.idl", in_memory({{"main.idl", main}, {"x.idl", included}}), c);
  return c.files_read;
}

TEST(Preprocessor, ReadsAGuardedFileOnce) {
  const std::string twice = "#include \"x.idl\"\n#include \"x.idl\"\n";
  for (const char* text :
       {"#pragma once\na", "// why\n#ifndef X\n#define X\n#if 0\n#else\n#endif\na\n#endif // X\n"})
    EXPECT_EQ(files_read(twice, text), (std::vector<std::string>{"main.idl", "x.idl"})) << text;
}

TEST(Preprocessor, ReadsAgainWhatIsNoGuard) {
  const std::vector<std::string> both{"main.idl", "x.idl", "x.idl"};
  const std::string twice = "#include \"x.idl\"\n#include \"x.idl\"\n";
  for (const char* text :
       {"#ifndef X\n#define X\n#endif\na", "b\n#ifndef X\n#define X\n#endif\n",
        "#ifndef X\n#define X\n#else\na\n#endif\n", "#ifndef X\na\n#endif\n",
        "#define Y\n#ifndef X\n#define X\n#endif\n", "#ifndef X\n#define X\n#endif\n#ifndef Z\n#endif\n"})
    EXPECT_EQ(files_read(twice, text), both) << text;
  EXPECT_EQ(
      files_read("#include \"x.idl\"\n#undef X\n#include \"x.idl\"\n", "#ifndef X\n#define X\n#endif\n"),
      both);
}

TEST(Preprocessor, IncludeNextGoesOnBehindTheDirectoryOfItsFile) {
  auto options = in_memory({{"main.idl", "#include <x.idl>\n"},
                            {"a/x.idl", "first\n#include_next <x.idl>\n"},
                            {"b/x.idl", "second"}});
  options.include_dirs = {"a", "b"};
  Compilation c;
  (void)preprocess("main.idl", options, c);
  EXPECT_EQ(c.files_read, (std::vector<std::string>{"main.idl", "a/x.idl", "b/x.idl"}));
}

TEST(Preprocessor, EndsIncludesOfAFileByItself) {
  EXPECT_EQ(kinds(*compile("main.idl", in_memory({{"main.idl", "#include \"main.idl\"\n"}}))),
            std::vector<Kind>{Kind::IncludeDepth});
}

TEST(Preprocessor, BoundsHowManyFilesAreIncluded) {
  Files files{{"20", ""}};
  for (int i = 0; i < 20; ++i) {
    const std::string line = "#include \"" + std::to_string(i + 1) + "\"\n";
    files[std::to_string(i)] = line + line;
  }
  EXPECT_EQ(kinds(*compile("0", in_memory(files))), std::vector<Kind>{Kind::IncludeDepth});
}

TEST(Preprocessor, BoundsHowMuchIsIncluded) {
  const std::string large(10 << 20, ' ');
  std::string main;
  for (int i = 0; i < 20; ++i) main += "#include \"large.idl\"\n";
  EXPECT_EQ(kinds(*compile("main.idl", in_memory({{"main.idl", main}, {"large.idl", large}}))),
            std::vector<Kind>{Kind::IncludeDepth});
}

TEST(Preprocessor, RefusesFilesBeyondTheLimit) {
  auto options = in_memory({{"main.idl", std::string(100, ' ')}});
  options.largest_file = 99;
  EXPECT_EQ(kinds(*compile("main.idl", options)), std::vector<Kind>{Kind::FileTooLarge});
  options.largest_file = 100;
  EXPECT_TRUE(compile("main.idl", options)->ok());
}

TEST(Preprocessor, BoundsWhatMacrosGrowTo) {
  std::string text = "#define M0 x x x x x x x x x x\n";
  for (int i = 1; i < 30; ++i) {
    const std::string m = " M" + std::to_string(i - 1);
    text += "#define M" + std::to_string(i) + m + m + m + m + "\n";
  }
  const auto found = kinds_of(text + "M29\n");
  EXPECT_EQ(std::count(found.begin(), found.end(), Kind::BadMacro), 1);
}

TEST(Preprocessor, BoundsWhatArgumentsGrowTo) {
  std::string body, call = "1";
  for (int i = 0; i < 32; ++i) body += " a";
  for (int i = 0; i < 40; ++i) call = "F(" + call + ")";
  const auto found = kinds_of("#define F(a)" + body + "\nconst long X = " + call + ";");
  EXPECT_EQ(std::count(found.begin(), found.end(), Kind::BadMacro), 1);
}

TEST(Preprocessor, BoundsNestingOfMacroCalls) {
  std::string text = "#define F(x) x\n";
  for (int i = 0; i < 5000; ++i) text += "F(";
  text += "1" + std::string(5000, ')');
  const auto found = kinds_of(text);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), Kind::BadMacro);
}

}  // namespace
}  // namespace corbel::idl::test
