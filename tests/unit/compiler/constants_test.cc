#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "compiler/aoi/dump.h"
#include "tests/support/comma_locale.h"
#include "tests/unit/compiler/compile_text.h"

namespace corbel::idl::test {
namespace {

// The value of `const TYPE c = EXPRESSION;`, or the kind of the first diagnostic in brackets.
std::string value_of(const std::string& type, const std::string& expression) {
  const auto c = compile_text("enum Color { red, green };\nenum Size { small };\nconst " + type +
                              " value = " + expression + ";");
  if (!c->diagnostics.all().empty()) return '[' + std::string(kind_name(c->diagnostics.all()[0].kind)) + ']';
  const auto* constant = static_cast<const aoi::Constant*>(c->contract.declarations.back());
  return aoi::to_string(*constant);
}

struct Case {
  const char* type;
  const char* expression;
  const char* value;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.type << ' ' << c.expression; }

class Constants : public testing::TestWithParam<Case> {};
TEST_P(Constants, AreComputed) {
  EXPECT_EQ(value_of(GetParam().type, GetParam().expression), GetParam().value);
}

INSTANTIATE_TEST_SUITE_P(Precedence, Constants,
                         testing::Values(Case{"long", "1 + 2 * 3", "7"}, Case{"long", "(1 + 2) * 3", "9"},
                                         Case{"long", "10 - 4 - 3", "3"}, Case{"long", "100 / 10 / 2", "5"},
                                         Case{"long", "1 | 2 ^ 3 & 1", "3"}, Case{"long", "1 << 2 + 1", "8"},
                                         Case{"long", "256 >> 4 >> 2", "4"}, Case{"long", "-2 * -3", "6"},
                                         Case{"long", "- - 5", "5"}, Case{"long", "+7 % 4", "3"},
                                         Case{"long", "-7 / 2", "-3"}, Case{"long", "-7 % 2", "-1"}));
INSTANTIATE_TEST_SUITE_P(Literals, Constants,
                         testing::Values(Case{"long", "0x1F", "31"}, Case{"long", "017", "15"},
                                         Case{"long", "0", "0"}, Case{"double", ".5", "0.5"},
                                         Case{"double", "1e3", "1000"}, Case{"double", "2.", "2"},
                                         Case{"double", "-1.5E-2", "-0.015"},
                                         Case{"char", "'\\n'", "'\\012'"}, Case{"char", "'\\x41'", "'A'"},
                                         Case{"char", "'\\101'", "'A'"}, Case{"char", "'\"'", "'\"'"},
                                         Case{"string", "\"a\" \"b\"", "\"ab\""},
                                         Case{"string", "\"\"", "\"\""}, Case{"boolean", "TRUE", "TRUE"},
                                         Case{"Color", "green", "green"}, Case{"Color", "::red", "red"}));
INSTANTIATE_TEST_SUITE_P(
    Ranges, Constants,
    testing::Values(Case{"octet", "255", "255"}, Case{"octet", "256", "[out-of-range]"},
                    Case{"octet", "-1", "[out-of-range]"}, Case{"short", "-32768", "-32768"},
                    Case{"short", "32768", "[out-of-range]"}, Case{"unsigned short", "65535", "65535"},
                    Case{"unsigned short", "65536", "[out-of-range]"},
                    Case{"long", "2147483647", "2147483647"}, Case{"long", "2147483648", "[out-of-range]"},
                    Case{"unsigned long", "4294967295", "4294967295"},
                    Case{"unsigned long", "4294967296", "[out-of-range]"},
                    Case{"long long", "-9223372036854775808", "-9223372036854775808"},
                    Case{"long long", "9223372036854775808", "[out-of-range]"},
                    Case{"unsigned long long", "18446744073709551615", "18446744073709551615"},
                    Case{"unsigned long long", "18446744073709551615 + 1", "[out-of-range]"},
                    Case{"unsigned long long", "1 << 63", "9223372036854775808"},
                    Case{"long long", "-9223372036854775808 - 1", "[out-of-range]"},
                    Case{"long", "1 << 64", "[out-of-range]"}, Case{"long", "1 << -1", "[out-of-range]"},
                    Case{"long", "18446744073709551615 * 0", "0"},
                    Case{"long", "18446744073709551615 - 18446744073709551614", "1"},
                    Case{"float", "3e38", "3e+38"}, Case{"float", "4e38", "[out-of-range]"},
                    Case{"double", "1e308 * 10.0", "[out-of-range]"}, Case{"string<3>", "\"abc\"", "\"abc\""},
                    Case{"string<3>", "\"abcd\"", "[out-of-range]"}));
INSTANTIATE_TEST_SUITE_P(Complement, Constants,
                         testing::Values(Case{"octet", "~0", "255"}, Case{"unsigned short", "~1", "65534"},
                                         Case{"unsigned long", "~0xf0", "4294967055"},
                                         Case{"unsigned long long", "~0", "18446744073709551615"},
                                         Case{"long", "~0", "-1"}, Case{"long long", "~5", "-6"},
                                         Case{"unsigned long", "~~7", "7"}));
INSTANTIATE_TEST_SUITE_P(
    Misfits, Constants,
    testing::Values(Case{"long", "1 / 0", "[division-by-zero]"}, Case{"long", "1 % 0", "[division-by-zero]"},
                    Case{"double", "1.0 / 0.0", "[division-by-zero]"}, Case{"long", "1.5", "[bad-operand]"},
                    Case{"long", "1 + 1.5", "[bad-operand]"}, Case{"double", "1.5 << 1", "[bad-operand]"},
                    Case{"double", "~1.5", "[bad-operand]"}, Case{"boolean", "1", "[bad-operand]"},
                    Case{"long", "TRUE", "[bad-operand]"}, Case{"char", "65", "[bad-operand]"},
                    Case{"string", "'a'", "[bad-operand]"}, Case{"Color", "small", "[bad-operand]"},
                    Case{"Color", "0", "[bad-operand]"}, Case{"long", "red", "[bad-operand]"},
                    Case{"long", "'a'", "[bad-operand]"}, Case{"long", "Color", "[not-a-constant]"},
                    Case{"Color", "blue", "[unknown-name]"}));

TEST(Constant, HasAPointWhateverTheLocaleHas) {
  const testing_support::CommaLocale locale;
  if (!locale.there()) GTEST_SKIP() << "no locale that has a comma";
  EXPECT_EQ(value_of("double", "1.5"), "1.5");
  if (std::numeric_limits<long double>::digits != 64) return;
  EXPECT_EQ(value_of("long double", "1.5e-4940"), "1.5e-4940");
  EXPECT_EQ(value_of("long double", "1.5e4940"), "[out-of-range]");
}

TEST(Constant, MayUseOthersOfAnyScope) {
  const auto c = compile_text(
      "module M { const long a = 6; interface I { const long b = a * 7; }; };\n"
      "const long c = M::I::b + ::M::a; typedef sequence<long, M::a> S;");
  ASSERT_TRUE(c->ok()) << c->messages();
  EXPECT_EQ(aoi::to_string(*static_cast<const aoi::Constant*>(c->contract.declarations[1])), "48");
  EXPECT_EQ(aoi::to_string(*static_cast<const aoi::Typedef*>(c->contract.declarations[2])->type),
            "sequence<long, 6>");
}

TEST(Constant, KeepsItsExpressionAsWritten) {
  const auto c = compile_text("const long a = 1 +\n  (2<<3);");
  EXPECT_EQ(static_cast<const aoi::Constant*>(c->contract.declarations[0])->source, "1 +   (2<<3)");
}

TEST(Constant, OfAnEnumKnowsTheEnum) {
  const auto c = compile_text("enum E { x, y }; typedef E F; const F first = y; const E g = first;");
  ASSERT_TRUE(c->ok()) << c->messages();
  const auto* g = static_cast<const aoi::Constant*>(c->contract.declarations[3]);
  EXPECT_EQ(g->enum_type, c->contract.declarations[0]);
  EXPECT_EQ(std::get<std::int64_t>(g->value), 1);
}

}  // namespace
}  // namespace corbel::idl::test
