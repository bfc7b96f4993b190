#include <gtest/gtest.h>

#include "tests/unit/compiler/compile_text.h"

namespace corbel::idl::test {
namespace {

bool holds(const std::string& condition) {
  return preprocessed("#if " + condition + "\nyes\n#else\nno\n#endif\n") == "yes";
}

class Truth : public testing::TestWithParam<const char*> {};
TEST_P(Truth, IsSeen) {
  EXPECT_TRUE(holds(GetParam()));
  EXPECT_FALSE(holds("!(" + std::string(GetParam()) + ")"));
}
INSTANTIATE_TEST_SUITE_P(Condition, Truth,
                         testing::Values("1", "1 + 2 * 3 == 7", "(1 + 2) * 3 == 9", "10 - 4 - 3 == 3",
                                         "1 << 2 + 1 == 8", "-7 / 2 == -3", "-7 % 2 == -1", "-1 >> 1 == -1",
                                         "~0 == -1", "1 | 6 ^ 2 & 3 == 5", "0x1F == 31 && 017 == 15",
                                         "1u < 2UL", "-1 > 0u", "18446744073709551615 > 0",
                                         "9223372036854775807 + 1 < 0", "0 ? 0 : 1", "1 ? 1 : 0 ? 0 : 0",
                                         "0 && 1 / 0 || 1", "1 || 1 % 0", "'A' == 65", "!defined NOTHING",
                                         "!defined(NOTHING)", "NOTHING == 0", "2 >= 2 && 2 <= 2",
                                         "!(2 > 2) && !(2 < 2)", "2 != 3"));

class Nonsense : public testing::TestWithParam<const char*> {};
TEST_P(Nonsense, IsReportedOnce) {
  const auto found = kinds_of("#if " + std::string(GetParam()) + "\nnot read\n#endif\n");
  EXPECT_EQ(found, std::vector<Kind>{Kind::BadDirective});
}
INSTANTIATE_TEST_SUITE_P(Condition, Nonsense,
                         testing::Values("", "1 +", "(1", "1)", "1 / 0", "5 % 0",
                                         "-9223372036854775807 - 1 / -1 / 0", "1 2", "\"a\"", "1.5", "089",
                                         "99999999999999999999", "1 ? 2", "defined", "defined(X", "?"));

TEST(Condition, NestingIsBounded) {
  EXPECT_EQ(kinds_of("#if " + std::string(100000, '(') + "\n#endif\n"),
            std::vector<Kind>{Kind::BadDirective});
  EXPECT_EQ(kinds_of("#if " + std::string(100000, '!') + "1\n#endif\n"),
            std::vector<Kind>{Kind::BadDirective});
}

}  // namespace
}  // namespace corbel::idl::test
