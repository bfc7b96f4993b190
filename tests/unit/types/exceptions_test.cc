// Standard exceptions in Anys, Environment, UnknownUserException; wide types and fixed in Anys.
#include <corbel/any.h>
#include <corbel/corba.h>
#include <corbel/cpp/fixed.h>
#include <corbel/cpp/wide.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

namespace {

CORBA::Any travelled(const CORBA::Any& any) {
  corbel::cdr::Encoder out;
  out.reset();
  corbel::cdr::marshal(out, any);
  EXPECT_FALSE(out.error());
  corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  CORBA::Any back;
  EXPECT_TRUE(corbel::cdr::unmarshal(in, back));
  return back;
}

TEST(AnyOfException, HoldsStandardOnes) {
  CORBA::Any any;
  any <<= CORBA::TRANSIENT(7, CORBA::COMPLETED_MAYBE);
  for (const CORBA::Any& each : {any, travelled(any)}) {
    CORBA::TypeCode_var type = each.type();
    EXPECT_EQ(type->kind(), CORBA::tk_except);
    EXPECT_STREQ(type->id(), "IDL:omg.org/CORBA/TRANSIENT:1.0");
    const CORBA::TRANSIENT* found = nullptr;
    ASSERT_TRUE(each >>= found);
    EXPECT_EQ(found->minor(), 7u);
    EXPECT_EQ(found->completed(), CORBA::COMPLETED_MAYBE);
    const CORBA::MARSHAL* other = nullptr;
    EXPECT_FALSE(each >>= other);
    EXPECT_FALSE(other);
    const CORBA::SystemException* one_of_them = nullptr;
    ASSERT_TRUE(each >>= one_of_them);
    EXPECT_STREQ(one_of_them->_name(), "TRANSIENT");
  }
}

// omniORB leaves the id out.
TEST(AnyOfException, HoldsStandardOnesWithoutTheirIds) {
  CORBA::Any any;
  any <<= CORBA::BAD_PARAM(5, CORBA::COMPLETED_NO);
  CORBA::TypeCode_var type = any.type();
  const std::uint32_t numbers[] = {5, CORBA::COMPLETED_NO};
  const char* const octets = reinterpret_cast<const char*>(numbers);
  corbel::cdr::Decoder in(octets, octets, octets + sizeof numbers, false);
  CORBA::Any back;
  ASSERT_TRUE(back._corbel_unmarshal_value(in, *type));
  const CORBA::BAD_PARAM* found = nullptr;
  ASSERT_TRUE(back >>= found);
  EXPECT_EQ(found->minor(), 5u);
  EXPECT_EQ(found->completed(), CORBA::COMPLETED_NO);
}

// GIOP 1.1 has no marks.
TEST(AnyOfWideCharacter, LosesItsMarkWhereThereAreNone) {
  for (const bool little : {false, true}) {
    const char octets[] = {4, static_cast<char>(little ? 0xff : 0xfe),
                           static_cast<char>(little ? 0xfe : 0xff), static_cast<char>(little ? 'A' : 0),
                           static_cast<char>(little ? 0 : 'A')};
    corbel::cdr::Decoder in(octets, octets, octets + sizeof octets, false);
    CORBA::Any any;
    ASSERT_TRUE(any._corbel_unmarshal_value(in, *CORBA::_tc_wchar));
    corbel::cdr::Encoder out;
    out.reset();
    out.set_older(1);
    any._corbel_marshal_value(out);
    ASSERT_FALSE(out.error());
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(corbel::cdr::load<std::uint16_t>(out.data(), false), 'A');
  }
}

// Rounded once.
TEST(LongDouble, IsTheNearestNumber) {
  if (std::numeric_limits<CORBA::LongDouble>::digits != 64) GTEST_SKIP() << "the host has another format";
  const auto read = [](std::uint64_t high, std::uint64_t low) {
    const std::uint64_t words[] = {low, high};
    alignas(8) char octets[sizeof words];
    std::memcpy(octets, words, sizeof words);
    corbel::cdr::Decoder in(octets, octets, octets + sizeof octets, !corbel::cdr::kHostIsLittleEndian);
    CORBA::LongDouble value = 0;
    EXPECT_TRUE(corbel::cpp::get_long_double(in, value));
    return value;
  };
  EXPECT_EQ(read(0x451ac15e436fcbe8, 0x797efaca4dbd97e3), 0xe.0af21b7e5f43cbfp+1304L);
  EXPECT_EQ(read(0x3fff000000000000, 0x0001000000000000), 1.0L);             // half: to the even one
  EXPECT_EQ(read(0x3fff000000000000, 0x0001000000000001), 1.0L + 0x1p-63L);  // more than half
  EXPECT_EQ(read(0x3fff000000000000, 0x0003000000000000), 1.0L + 0x1p-62L);  // half: to the even one
  EXPECT_EQ(read(0x3fffffffffffffff, 0xffffffffffffffff), 2.0L);             // one digit more
  EXPECT_EQ(read(0x7ffeffffffffffff, 0xffffffffffffffff), std::numeric_limits<CORBA::LongDouble>::infinity());
  EXPECT_EQ(read(0xbfff800000000000, 0), -1.5L);
}

TEST(AnyOfException, TakesThemOver) {
  CORBA::Any any;
  auto* const given = new CORBA::NO_MEMORY(3);
  any <<= given;
  const CORBA::NO_MEMORY* found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ(found, given);
}

TEST(AnyOfException, OfNumbersGivesNone) {
  CORBA::Any any;
  any <<= CORBA::Long(1);
  const CORBA::SystemException* found = nullptr;
  EXPECT_FALSE(any >>= found);
  EXPECT_FALSE(CORBA::Any() >>= found);
}

TEST(AnyOfException, KnowsEveryStandardOne) {
  for (int i = 1; i < corbel::kSystemErrorCount; ++i) {
    const auto id = static_cast<corbel::SystemErrorId>(i);
    CORBA::TypeCode& type = corbel::tc::system_exception(id);
    EXPECT_STREQ(type.id(), corbel::repository_id(id));
    EXPECT_STREQ(type.name(), corbel::name(id));
    EXPECT_EQ(type.member_count(), 2u);
  }
}

TEST(UnknownUserException, HoldsAnAny) {
  auto* const any = new CORBA::Any;
  *any <<= CORBA::Long(5);
  const CORBA::UnknownUserException first(any);
  try {
    first._raise();
  } catch (CORBA::UserException& e) {
    CORBA::UnknownUserException* const same = CORBA::UnknownUserException::_downcast(&e);
    ASSERT_TRUE(same);
    CORBA::Long n = 0;
    ASSERT_TRUE(same->exception() >>= n);
    EXPECT_EQ(n, 5);
    EXPECT_STREQ(e._rep_id(), "IDL:omg.org/CORBA/UnknownUserException:1.0");
  }
}

TEST(Environment, OwnsOneException) {
  CORBA::Environment_var environment = new CORBA::Environment;
  EXPECT_FALSE(environment->exception());
  environment->exception(new CORBA::BAD_PARAM(1));
  environment->exception(new CORBA::TIMEOUT(2));
  ASSERT_TRUE(environment->exception());
  EXPECT_STREQ(environment->exception()->_name(), "TIMEOUT");
  CORBA::Environment_var same = CORBA::Environment::_duplicate(environment.in());
  environment->clear();
  EXPECT_FALSE(same->exception());
}

TEST(Environment, MayBeAnAutomaticVariable) {
  CORBA::Environment environment;
  environment.exception(new CORBA::BAD_PARAM(1));
  ASSERT_TRUE(environment.exception());
  EXPECT_STREQ(environment.exception()->_name(), "BAD_PARAM");
}

TEST(Environment, IsMadeByTheOrb) {
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr, "environment");
  CORBA::Environment_var environment;
  orb->create_environment(environment.out());
  EXPECT_FALSE(CORBA::is_nil(environment.in()));
  orb->destroy();
}

TEST(AnyOfWide, CharactersAndStrings) {
  CORBA::Any any;
  any <<= CORBA::Any::from_wchar(L'\u00e4');
  CORBA::WChar c = 0;
  CORBA::Char narrow = 0;
  ASSERT_TRUE(travelled(any) >>= CORBA::Any::to_wchar(c));
  EXPECT_EQ(c, L'\u00e4');
  EXPECT_FALSE(any >>= CORBA::Any::to_char(narrow));

  any <<= L"gr\u00f6\u00dfer \U0001f600";
  const CORBA::WChar* text = nullptr;
  const CORBA::Any back = travelled(any);
  ASSERT_TRUE(back >>= text);
  EXPECT_EQ(std::wstring(text), L"gr\u00f6\u00dfer \U0001f600");
  EXPECT_FALSE(back >>= CORBA::Any::to_wstring(text, 10));

  any <<= CORBA::Any::from_wstring(CORBA::wstring_dup(L"abc"), 3, true);
  EXPECT_TRUE(travelled(any) >>= CORBA::Any::to_wstring(text, 3));
  EXPECT_FALSE(any >>= text);
  EXPECT_THROW(any <<= CORBA::Any::from_wstring(L"abcd", 3), CORBA::BAD_PARAM);
  EXPECT_THROW(any <<= static_cast<const CORBA::WChar*>(nullptr), CORBA::BAD_PARAM);
}

TEST(AnyOfWide, LongDoubles) {
  CORBA::Any any;
  any <<= 1.25L;
  CORBA::LongDouble v = 0;
  CORBA::Double d = 0;
  ASSERT_TRUE(travelled(any) >>= v);
  EXPECT_EQ(v, 1.25L);
  EXPECT_FALSE(any >>= d);
}

TEST(AnyOfFixed, GoesByDigitsAndScale) {
  CORBA::Any any;
  any <<= CORBA::Any::from_fixed(CORBA::Fixed("-12345.678"), 9, 2);
  for (const CORBA::Any& each : {any, travelled(any)}) {
    CORBA::Fixed v;
    ASSERT_TRUE(each >>= CORBA::Any::to_fixed(v, 9, 2));
    EXPECT_EQ(v, CORBA::Fixed("-12345.67"));
    EXPECT_FALSE(each >>= CORBA::Any::to_fixed(v, 9, 3));
    EXPECT_FALSE(each >>= CORBA::Any::to_fixed(v, 10, 2));
    CORBA::TypeCode_var type = each.type();
    EXPECT_EQ(type->fixed_digits(), 9);
    EXPECT_EQ(type->fixed_scale(), 2);
  }
  EXPECT_THROW(any <<= CORBA::Any::from_fixed(CORBA::Fixed("12345"), 4, 0), CORBA::DATA_CONVERSION);
  EXPECT_THROW(any <<= CORBA::Any::from_fixed(CORBA::Fixed("1"), 32, 0), CORBA::BAD_PARAM);
  EXPECT_THROW(any <<= CORBA::Any::from_fixed(CORBA::Fixed("1"), 2, 3), CORBA::BAD_PARAM);
}

}  // namespace
