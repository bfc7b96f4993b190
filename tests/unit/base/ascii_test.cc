// Letters of ASCII are the same in any case, whatever locale the program has set.
#include "orb/base/ascii.h"

#include <gtest/gtest.h>

#include "tests/support/other_locale.h"

namespace corbel::base {
namespace {

void expect_ascii() {
  for (int c = -128; c < 128; ++c) {
    const auto is = [&](char first, char last) { return c >= first && c <= last; };
    const char letter = static_cast<char>(c);
    EXPECT_EQ(lower(letter), is('A', 'Z') ? c + 32 : c) << c;
    EXPECT_EQ(is_letter(letter), is('a', 'z') || is('A', 'Z')) << c;
    EXPECT_EQ(is_digit(letter), is('0', '9')) << c;
  }
  EXPECT_TRUE(same_without_case("IiOop:", "iIOOP:"));
  EXPECT_TRUE(begins_without_case("FILE:///x", "file://"));
}

TEST(Ascii, HasLettersOfItsOwnOnly) { expect_ascii(); }

TEST(Ascii, IsTheSameInATurkishLocale) {
  const testing_support::TurkishLocale locale;
  if (!locale.there()) GTEST_SKIP() << "there is no Turkish locale";
  expect_ascii();
}

TEST(Ascii, TextsAreComparedByTheirFirstDifference) {
  EXPECT_EQ(compare_without_case("", ""), 0);
  EXPECT_EQ(compare_without_case("aBc", "AbC"), 0);
  for (const auto& [less, more] : {std::pair{"", "a"}, {"a", "B"}, {"A", "b"}, {"AB", "abc"}, {"Ab", "aC"}}) {
    EXPECT_LT(compare_without_case(less, more), 0) << less;
    EXPECT_GT(compare_without_case(more, less), 0) << less;
  }
}

TEST(Ascii, TextsOfDifferentLengthsDiffer) {
  EXPECT_FALSE(same_without_case("a", "ab"));
  EXPECT_FALSE(same_without_case("[", "{"));
  EXPECT_FALSE(begins_without_case("IO", "IOR:"));
  EXPECT_TRUE(begins_without_case("ior:", "IOR:"));
  EXPECT_TRUE(begins_without_case("", ""));
}

}  // namespace
}  // namespace corbel::base
