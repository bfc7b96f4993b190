#include "compiler/driver/compile.h"

#include <gtest/gtest.h>

#include <thread>

#include "compiler/aoi/dump.h"
#include "tests/unit/compiler/compile_text.h"

namespace corbel::idl::test {
namespace {

TEST(Compile, FindsSeveralErrorsInOneRun) {
  const auto c =
      compile_text("struct S { Gone a; };\ninterface I : Missing { void f(in); };\nconst long C = 1 / 0;");
  EXPECT_EQ(kinds(*c),
            (std::vector<Kind>{Kind::UnknownName, Kind::UnknownName, Kind::Syntax, Kind::DivisionByZero}));
}

TEST(Compile, SaysThatTheMainFileCannotBeRead) {
  const auto c = compile("gone.idl", in_memory({}));
  EXPECT_FALSE(c->readable);
  EXPECT_FALSE(c->ok());
  EXPECT_EQ(kinds(*c), std::vector<Kind>{Kind::FileNotFound});
}

TEST(Compile, GivesTheSameEveryTimeAndInEveryThread) {
  const std::string text =
      "module M { interface I { void f(in sequence<long> a) ; }; }; #\nstruct S { long a; };";
  const std::string expected = compile_text(text)->messages() + aoi::dump(compile_text(text)->contract);
  std::vector<std::string> results(8);
  std::vector<std::thread> threads;
  for (std::string& r : results)
    threads.emplace_back([&] {
      const auto c = compile_text(text);
      r = c->messages() + aoi::dump(c->contract);
    });
  for (std::thread& t : threads) t.join();
  for (const std::string& r : results) EXPECT_EQ(r, expected);
}

TEST(Compile, KeepsCommentsBeforeADeclaration) {
  const auto c = compile_text(
      "// licence\n\n// One.\n// Two.\nstruct S {\n  long a; // behind\n  /** About b.\n   *  More.\n   */\n "
      " long b;\n};");
  const auto& s = *static_cast<const aoi::Struct*>(c->contract.declarations[0]);
  EXPECT_EQ(s.comments, (std::vector<std::string>{"One.", "Two."}));
  EXPECT_EQ(s.fields[0].comments, std::vector<std::string>{});
  EXPECT_EQ(s.fields[1].comments, (std::vector<std::string>{"About b.", " More."}));
}

TEST(Compile, EndsOnHostileInput) {
  const auto many = [](const std::string& piece, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += piece;
    return all;
  };
  for (const std::string& text : {many("$", 30000),
                                  many("{", 30000),
                                  many("module M {", 30000),
                                  many("sequence<", 30000),
                                  "typedef " + many("sequence<", 30000),
                                  "const long c = " + many("(", 30000),
                                  "const long c = " + many("-", 30000),
                                  many("struct S {", 30000),
                                  many("union U switch (enum E", 20000),
                                  many("interface I : ", 20000),
                                  "interface A : " + many("B::", 30000),
                                  many("@a(", 30000),
                                  many("@", 30000),
                                  many("typedef long T;", 20000),
                                  many("#if 1\n", 30000),
                                  many("\"", 30000),
                                  many("/*", 30000),
                                  many("\\\n", 30000),
                                  many("::", 30000),
                                  "enum E {" + many("e,", 20000),
                                  many("case ", 30000),
                                  many("valuetype V {", 20000),
                                  "interface I { void f(" + many("in long a,", 20000),
                                  std::string(1000, '\0'),
                                  std::string("\xff\xfe\0\1", 4)}) {
    const auto c = compile_text(text);
    EXPECT_LE(c->diagnostics.all().size(), static_cast<std::size_t>(Diagnostics::kMostErrors + 1))
        << text.substr(0, 30);
  }
}

TEST(Compile, TakesTimeInProportionToDiamondsOfInterfaces) {
  std::string text = "interface A0 { typedef long T; void f(); }; interface B0 : A0 {};";
  for (int i = 1; i < 80; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "interface A" + n + " : A" + before + ", B" + before + " { attribute T of_" + n + "; };\n";
    text += "interface B" + n + " : A" + before + ", B" + before + " {};\n";
  }
  const auto c = compile_text(text);
  EXPECT_TRUE(c->ok()) << c->messages().substr(0, 500);
}

}  // namespace
}  // namespace corbel::idl::test
