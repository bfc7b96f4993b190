// What the compiler makes of a contract grows with its length, whatever its constructs multiply to. Each
// contract here doubles something at every level: work in proportion to that would not end.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "compiler/aoi/dump.h"
#include "compiler/driver/generate.h"
#include "tests/unit/compiler/compile_text.h"

namespace corbel::idl::test {
namespace {

// Work that doubled at each would not end; of types whose size does double, as many as fit a message.
constexpr int kLevels = 48, kLevelsOfSizes = 24;

// `first`, and then `level` for each further level with $ for its number and % for the number before; last
// `end`, with $ for the last number.
std::string levels(int n, const std::string& first, const std::string& level, const std::string& end = "") {
  const auto fill = [](const std::string& text, int i) {
    std::string out;
    for (const char c : text)
      if (c == '$' || c == '%') out += std::to_string(c == '$' ? i : i - 1);
      else out += c;
    return out + '\n';
  };
  std::string text = fill(first, 0);
  for (int i = 1; i < n; ++i) text += fill(level, i);
  return text + fill(end, n - 1);
}

struct Construct {
  std::string name, first, level, end = {};
  double most = 2.5;  // of what twice the levels give, compared with once
  int levels = kLevels;
};

std::ostream& operator<<(std::ostream& out, const Construct& c) { return out << c.name; }

class Growth : public testing::TestWithParam<Construct> {
 protected:
  std::unique_ptr<Compilation> compiled(int n) const {
    auto c = compile_text(levels(n, GetParam().first, GetParam().level, GetParam().end));
    EXPECT_TRUE(c->ok()) << c->messages().substr(0, 500);
    check_sizes(c->contract, c->diagnostics);
    EXPECT_TRUE(c->ok()) << c->messages().substr(0, 500);
    return c;
  }
};

TEST_P(Growth, OfRepresentationsIsThatOfTheContract) {
  const auto small = compiled(GetParam().levels / 2), large = compiled(GetParam().levels);
  const auto in_proportion = [](std::size_t less, std::size_t more) {
    return static_cast<double>(more) <= GetParam().most * static_cast<double>(less) + 1000;
  };
  EXPECT_TRUE(in_proportion(aoi::dump(small->contract).size(), aoi::dump(large->contract).size()));
  for (const char* what : {"mint", "pres", "plan"})
    EXPECT_TRUE(in_proportion(dump(small->contract, what, {}).size(), dump(large->contract, what, {}).size()))
        << what;
}

TEST_P(Growth, OfCodeIsThatOfTheContract) {
  const auto size = [](Compilation& c) {
    std::size_t all = 0;
    prepare_generation(c.contract, c.diagnostics, {});
    if (!c.ok()) return all;  // of a construct for which there is no code yet
    for (const GeneratedFile& file : generate(c.contract, "main", {})) all += file.text.size();
    return all;
  };
  const auto small = compiled(GetParam().levels / 2), large = compiled(GetParam().levels);
  const std::size_t less = size(*small), more = size(*large);
  EXPECT_LE(static_cast<double>(more), GetParam().most * static_cast<double>(less)) << less << ' ' << more;
}

INSTANTIATE_TEST_SUITE_P(
    Doubling, Growth,
    testing::Values(
        Construct{"Arrays", "typedef long T0[2];", "typedef T% T$[2];",
                  "interface I { void f(inout T$ x); };", 3, kLevelsOfSizes},
        Construct{"Sequences", "typedef sequence<long> T0;", "typedef sequence<T%> T$;",
                  "interface I { T$ f(in T$ x); };"},
        Construct{"FixedStructs", "struct S0 { long a; octet b; };", "struct S$ { S% a, b; };",
                  "interface I { S$ f(in S$ x); };", 2.5, kLevelsOfSizes},
        Construct{"VariableStructs", "struct S0 { long a; string b; };",
                  "struct S$ { S% a; sequence<S%> b; };", "interface I { S$ f(in S$ x); any g(); };"},
        Construct{"Unions", "union U0 switch (long) { case 1: long a; case 2: string b; };",
                  "union U$ switch (long) { case 1: U% a; case 2: U% b; };",
                  "interface I { U$ f(in U$ x); };"},
        Construct{"FixedUnions", "union U0 switch (long) { case 1: long a; };",
                  "union U$ switch (long) { case 1: U% a; case 2: U% b; };",
                  "interface I { U$ f(in U$ x); };"},
        Construct{"Exceptions", "struct S0 { long a; };", "struct S$ { S% a; S% b; };",
                  "exception E { S$ a; S$ b; }; interface I { void f() raises (E); };", 2.5, kLevelsOfSizes},
        Construct{"DerivedStructs", "struct S0 { long a0; string b0; };",
                  "struct S$ : S% { long a$; S% b$; };", "interface I { void f(in S$ x); };", 5,
                  kLevelsOfSizes},
        Construct{"Boxes", "struct S0 { long a; }; valuetype B0 S0;",
                  "struct S$ { B% a, b; }; valuetype B$ S$;", "interface I { B$ f(in B$ x); any g(); };"},
        Construct{"Interfaces", "interface I0 { void f0(); }; interface J0 : I0 { };",
                  "interface I$ : I%, J% { void f$(); }; interface J$ : I%, J% { };", "", 5},
        Construct{"Valuetypes", "abstract valuetype I0 { void f0(); }; abstract valuetype J0 : I0 { };",
                  "abstract valuetype I$ : I%, J% { void f$(); }; abstract valuetype J$ : I%, J% { };",
                  "valuetype V : I$, J$ { public V next, other; };"},
        Construct{"Constants", "const long C0 = 1;", "const long C$ = C% | (C% ^ C%);"},
        Construct{"Maps", "typedef map<long, long> T0;", "typedef map<T%, T%> T$;"},
        Construct{"Ports", "porttype P0 { attribute long a; };",
                  "porttype P$ { port P% a; mirrorport P% b; };", "component C { port P$ x; };"}),
    [](const auto& param) { return param.param.name; });

TEST(Growth, OfTemplatesIsBounded) {
  const auto found = kinds_of(levels(40, "module T0<typename X> { typedef sequence<X> A; };",
                                     "module T$<typename X> { module T%<X> c$; module T%<X> d$; };",
                                     "module T$<long> All;"));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), Kind::NestingTooDeep);
}

TEST(Growth, OfIncludesIsBounded) {
  Files files{{"f0.idl", "// the last one\n"}};
  for (int i = 1; i < 40; ++i) {
    const std::string twice = "#include \"f" + std::to_string(i - 1) + ".idl\"\n";
    files["f" + std::to_string(i) + ".idl"] = twice + twice;
  }
  EXPECT_EQ(kinds(*compile("f39.idl", in_memory(files))), std::vector<Kind>{Kind::IncludeDepth});
}

TEST(Growth, OfStringsOfMacrosIsBounded) {
  const std::string text = levels(40, "#define M0(x) #x", "#define M$(x) M%(x x)", "const string C = M$(a);");
  const auto found = kinds_of(text);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), Kind::BadMacro);
}

}  // namespace
}  // namespace corbel::idl::test
