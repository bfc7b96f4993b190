// Strings, wide strings and numbers, as programs for other ORBs use them.
#include <gtest/gtest.h>

#include <cstring>
#include <iomanip>
#include <sstream>
#include <string>
#include <utility>

#include "classic.stub.h"

namespace {

const char* const kLong = "a string that is longer than what stands inside a member";

TEST(StringStreams, ReadAWordAndWriteWhatIsThere) {
  std::istringstream in(std::string("  first second ") + kLong + "\n" + "x");
  CORBA::String_var var = "before";
  Classic::LargeStruct member;
  Classic::Strings elements;
  elements.length(1);
  in >> var >> member.name >> elements[0];
  EXPECT_STREQ(var, "first");
  EXPECT_STREQ(member.name, "second");
  EXPECT_STREQ(elements[0], "a");
  std::ostringstream out;
  out << var << ' ' << member.name << ' ' << elements[0] << ' ' << std::as_const(elements)[0];
  EXPECT_EQ(out.str(), "first second a a");
}

TEST(StringStreams, ReadWordsOfAnyLength) {
  const std::string word(1000, 'w');
  std::istringstream in(word + "\tnext");
  CORBA::String_var text;
  in >> text;
  EXPECT_EQ(word, text.in());
  in >> text;
  EXPECT_STREQ(text, "next");
  EXPECT_TRUE(in.eof());
  EXPECT_FALSE(in.fail());
  in >> text;
  EXPECT_TRUE(in.fail());
  EXPECT_STREQ(text, "next");
}

TEST(StringStreams, ReadNoMoreThanTheirWidth) {
  std::istringstream in("abcdef");
  CORBA::String_var text;
  in >> std::setw(4) >> text;
  EXPECT_STREQ(text, "abcd");
  in >> text;
  EXPECT_STREQ(text, "ef");
}

TEST(WideStringStreams, ReadAWordAndWriteWhatIsThere) {
  std::wistringstream in(L" one two\x20ac three");
  CORBA::WString_var var;
  Classic::LargeStruct member;
  Classic::WStrings elements;
  elements.length(1);
  in >> var >> member.wide >> elements[0];
  std::wostringstream out;
  out << var << L' ' << member.wide << L' ' << elements[0];
  EXPECT_EQ(out.str(), L"one two\x20ac three");
}

void replace(char*& text) {
  CORBA::string_free(text);
  text = CORBA::string_dup("replaced");
}
void replace_wide(CORBA::WChar*& text) {
  CORBA::wstring_free(text);
  text = CORBA::wstring_dup(L"replaced");
}
void give(CORBA::String_out text) { text = "given"; }
void pass_on(CORBA::String_out text) { give(text); }
void give_wide(CORBA::WString_out text) { text = L"given"; }

TEST(Strings, OfEveryHolderGoIntoInoutParameters) {
  CORBA::String_var var = "v";
  Classic::LargeStruct s;
  s.name = "short";
  s.names[1] = kLong;
  Classic::Strings elements;
  elements.length(1);
  replace(var);
  replace(s.name);
  replace(s.names[1]);
  replace(elements[0]);
  EXPECT_STREQ(var, "replaced");
  EXPECT_STREQ(s.name, "replaced");
  EXPECT_STREQ(s.names[1], "replaced");
  EXPECT_STREQ(elements[0], "replaced");
}

TEST(Strings, OfEveryHolderGoIntoOutParameters) {
  CORBA::String_var var = "v";
  char* pointer;
  Classic::LargeStruct s;
  s.name = kLong;
  Classic::Strings elements;
  elements.length(1);
  give(var);
  pass_on(pointer);
  give(s.name);
  give(s.names[0]);
  give(elements[0]);
  EXPECT_STREQ(var, "given");
  EXPECT_STREQ(pointer, "given");
  EXPECT_STREQ(s.name, "given");
  EXPECT_STREQ(s.names[0], "given");
  EXPECT_STREQ(elements[0], "given");
  CORBA::string_free(pointer);
}

TEST(WideStrings, OfEveryHolderGoIntoInoutAndOutParameters) {
  CORBA::WString_var var = L"v";
  Classic::LargeStruct s;
  Classic::WideNames array;
  Classic::WStrings elements;
  elements.length(1);
  replace_wide(var);
  replace_wide(s.wide);
  replace_wide(array[1]);
  replace_wide(elements[0]);
  EXPECT_STREQ(var, L"replaced");
  EXPECT_STREQ(s.wide, L"replaced");
  EXPECT_STREQ(array[1], L"replaced");
  EXPECT_STREQ(elements[0], L"replaced");
  give_wide(var);
  give_wide(s.wide);
  give_wide(array[0]);
  give_wide(elements[0]);
  EXPECT_STREQ(var, L"given");
  EXPECT_STREQ(s.wide, L"given");
  EXPECT_STREQ(array[0], L"given");
  EXPECT_STREQ(elements[0], L"given");
}

TEST(Strings, AreReadWithoutBeingMovedOutOfTheirMember) {
  Classic::LargeStruct s;
  s.name = "short";
  const char* const before = s.name.in();
  const char* const read = s.name;
  EXPECT_EQ(read, before);
  EXPECT_EQ(std::strlen(s.name), 5u);
  EXPECT_EQ(std::string(s.name), "short");
  EXPECT_EQ(s.name.in(), before);
}

TEST(Strings, TakeIndicesOfEveryType) {
  CORBA::String_var var = "abc";
  Classic::LargeStruct s;
  s.name = "abc";
  s.wide = L"abc";
  const int i = 1;
  const unsigned u = 1;
  const long l = 1;
  const std::size_t z = 1;
  const short h = 1;
  EXPECT_EQ(var[i], 'b');
  EXPECT_EQ(var[u], 'b');
  EXPECT_EQ(var[l], 'b');
  EXPECT_EQ(s.name[z], 'b');
  EXPECT_EQ(s.name[l], 'b');
  EXPECT_EQ(s.wide[l], L'b');
  EXPECT_EQ(s.wide[h], L'b');
  var[l] = 'x';
  s.name[i] = 'y';
  EXPECT_STREQ(var, "axc");
  EXPECT_STREQ(s.name, "ayc");
}

TEST(Strings, ElementsMayBeGivenThePointerThatTheyHold) {
  Classic::Strings elements;
  elements.length(2);
  elements[0] = kLong;
  char* const same = elements[0];
  elements[0] = same;
  EXPECT_STREQ(elements[0], kLong);
  elements[1] = elements[0];
  elements[1] = elements[1];
  EXPECT_STREQ(elements[1], kLong);
  EXPECT_NE(elements[0].in(), elements[1].in());
}

TEST(FixedNumbers, ReckonWithOtherNumbersOnEitherSide) {
  const CORBA::Fixed a("2.5");
  EXPECT_EQ(a + 1, CORBA::Fixed("3.5"));
  EXPECT_EQ(1 - a, CORBA::Fixed("-1.5"));
  EXPECT_EQ(2u * a, CORBA::Fixed(5));
  EXPECT_EQ(a / 2L, CORBA::Fixed("1.25"));
  EXPECT_EQ(a + 0.25, CORBA::Fixed("2.75"));
  EXPECT_EQ(a, 2.5);
  EXPECT_TRUE(2 < a && a < 3 && a <= 2.5 && a >= 2.5L && 3ull > a && a != 2);
  Classic::Money m = 3;
  m = m * 2 + 1;
  m += 1;
  EXPECT_EQ(m, 8);
  EXPECT_LT(m, 8.5);
  EXPECT_EQ(m + a, CORBA::Fixed("10.5"));
}

}  // namespace
