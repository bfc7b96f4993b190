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

TEST(Preprocessor, ANamedParameterMayTakeTheRest) {
  EXPECT_EQ(preprocessed("#define F(x, rest...) x(rest)\nF(a) F(a, b, c)"), "a() a(b, c)");
}

TEST(Preprocessor, ACommaBeforeNoFurtherArgumentsGoes) {
  EXPECT_EQ(preprocessed("#define F(x, ...) x(1, ## __VA_ARGS__)\nF(a) F(a, b, c)"), "a(1) a(1, b, c)");
}

TEST(Preprocessor, RefusesMalformedParameters) {
  for (const char* parameters : {"(a b)", "(a,)", "(,a)", "(..., a)", "(a", "(a, a)", "(1)"})
    EXPECT_EQ(kinds_of("#define F" + std::string(parameters) + " a\n"), std::vector<Kind>{Kind::BadMacro})
        << parameters;
}

TEST(Preprocessor, KnowsTheFileAndTheLine) {
  EXPECT_EQ(preprocessed("a\n__LINE__ __FILE__\n#line 7 \"b.idl\"\n__LINE__ __FILE__"),
            "a 2 \"main.idl\" 7 \"b.idl\"");
  EXPECT_EQ(preprocessed("#define __LINE__ none\n__LINE__"), "none");
}

TEST(Preprocessor, AnIncludeTakesItsNameFromAMacro) {
  auto options = in_memory({{"main.idl", "#define A <x.idl>\n#define B \"x.idl\"\n#include A\n#include B\n"},
                            {"a/x.idl", ""},
                            {"x.idl", ""}});
  options.include_dirs = {"a"};
  Compilation c;
  (void)preprocess("main.idl", options, c);
  EXPECT_EQ(c.files_read, (std::vector<std::string>{"main.idl", "a/x.idl", "x.idl"}));
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

TEST(Preprocessor, JoinsContinuedLinesOfCommentsAndNumbers) {
  EXPECT_EQ(preprocessed("1\\\n2 // a \\\n still a comment\n3"), "12 3");
}

TEST(Preprocessor, QuotesKeepWhatLooksLikeAComment) {
  const auto c =
      compile_text("#pragma prefix \"a//b\" // why\nstruct S { long a; };\n#error see \"x://y\" /* z */");
  ASSERT_EQ(c->diagnostics.all().size(), 1U);
  EXPECT_EQ(c->diagnostics.all()[0].message, "#error see \"x://y\"");
  EXPECT_EQ(c->contract.declarations.at(0)->repository_id, "IDL:a//b/S:1.0");
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

// How often "x.idl" is read.
int reads(const std::string& main, const std::string& included) {
  CompileOptions options = in_memory({{"main.idl", main}, {"x.idl", included}});
  int count = 0;
  options.read_file = [&count, read = options.read_file](const std::string& path) {
    count += path == "x.idl" ? 1 : 0;
    return read(path);
  };
  Compilation c;
  (void)preprocess("main.idl", options, c);
  return count;
}

TEST(Preprocessor, ReadsAGuardedFileOnce) {
  const std::string twice = "#include \"x.idl\"\n#include \"x.idl\"\n";
  for (const char* text :
       {"#pragma once\na", "// why\n#ifndef X\n#define X\n#if 0\n#else\n#endif\na\n#endif // X\n"})
    EXPECT_EQ(reads(twice, text), 1) << text;
}

TEST(Preprocessor, KnowsAGuardedFileByAllItsPaths) {
  Compilation c;
  (void)preprocess("a/main.idl",
                   in_memory({{"a/main.idl", "#include \"x.idl\"\n#include \"../a/x.idl\"\n"},
                              {"a/x.idl", "#pragma once\na"},
                              {"a/../a/x.idl", "#pragma once\na"}}),
                   c);
  EXPECT_EQ(c.files_read, (std::vector<std::string>{"a/main.idl", "a/x.idl"}));
}

TEST(Preprocessor, ReadsAgainWhatIsNoGuard) {
  const std::string twice = "#include \"x.idl\"\n#include \"x.idl\"\n";
  for (const char* text :
       {"#ifndef X\n#define X\n#endif\na", "b\n#ifndef X\n#define X\n#endif\n",
        "#ifndef X\n#define X\n#else\na\n#endif\n", "#ifndef X\na\n#endif\n",
        "#define Y\n#ifndef X\n#define X\n#endif\n", "#ifndef X\n#define X\n#endif\n#ifndef Z\n#endif\n"})
    EXPECT_EQ(reads(twice, text), 2) << text;
  EXPECT_EQ(reads("#include \"x.idl\"\n#undef X\n#include \"x.idl\"\n", "#ifndef X\n#define X\n#endif\n"), 2);
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
  const std::string large = "/*" + std::string(10 << 20, 'x') + "*/";
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

TEST(Preprocessor, ManyMacrosInALongFileAreNoGrowth) {
  std::string text = "#define F(a) a a a a a a a a\n";
  for (int i = 0; i < 20'000; ++i) text += "// F is used on every line of a long file\nF(;)\n";
  EXPECT_EQ(kinds_of(text), std::vector<Kind>{});
}

TEST(Preprocessor, BoundsWhatManyMacrosGrowTo) {
  std::string text = "#define F(a)";
  for (int i = 0; i < 1000; ++i) text += " a";
  text += '\n';
  for (int i = 0; i < 1000; ++i) text += "F(;)\n";
  const auto found = kinds_of(text);
  EXPECT_EQ(std::count(found.begin(), found.end(), Kind::BadMacro), 1);
}

TEST(Preprocessor, BoundsWhatArgumentsGrowTo) {
  std::string body, call = "1";
  for (int i = 0; i < 32; ++i) body += " a";
  for (int i = 0; i < 40; ++i) call = "F(" + call + ")";
  const auto found = kinds_of("#define F(a)" + body + "\nconst long X = " + call + ";");
  EXPECT_EQ(std::count(found.begin(), found.end(), Kind::BadMacro), 1);
}

TEST(Preprocessor, ConditionsBetweenTheArgumentsOfAMacroAreObeyed) {
  EXPECT_EQ(preprocessed("#define F(a) <a>\nF(\n#ifdef NONE\n1 (\n#else\n2\n#endif\n) 3"), "<2> 3");
}

TEST(Preprocessor, MacrosOfTheCommandLineMayTakeArguments) {
  CompileOptions options = in_memory({{"main.idl", "F(1, 2) G H"}});
  options.defines = {"F(x,y)=y x", "G=a=b", "H"};
  Compilation c;
  const std::string all = preprocess("main.idl", options, c);
  EXPECT_NE(all.find("2 1 a=b 1"), all.npos) << all;
}

TEST(Preprocessor, OtherDirectivesBetweenTheArgumentsOfAMacroAreRefused) {
  EXPECT_EQ(kinds_of("#define F(a) a\nF(\n#undef F\nconst long x = 1;)\n"),
            std::vector<Kind>{Kind::BadDirective});
}

TEST(Preprocessor, BoundsNestingOfMacroCalls) {
  std::string text = "#define F(x) x\n";
  for (int i = 0; i < 500; ++i) text += "F(";
  text += "1" + std::string(500, ')');
  const auto found = kinds_of(text);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), Kind::BadMacro);
}

}  // namespace
}  // namespace corbel::idl::test
