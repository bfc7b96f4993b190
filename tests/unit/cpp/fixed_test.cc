#include <corbel/cpp/exception.h>
#include <corbel/cpp/fixed.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

using CORBA::Fixed;

namespace {

std::string text(const Fixed& f) {
  char buffer[Fixed::kTextSize];
  return f.to_string(buffer);
}
const char* const kMost = "9999999999999999999999999999999";  // 31 digits

TEST(Fixed, IsWrittenAsItWasRead) {
  for (const char* t :
       {"0", "7", "-7", "12.5", "-0.001", "0.10", kMost, "-0.0000000000000000000000000000001"}) {
    const std::string as = t == std::string("0.10") ? "0.1" : t;
    EXPECT_EQ(text(Fixed(t)), as);
  }
  EXPECT_EQ(text(Fixed("+1.5d")), "1.5");
  EXPECT_EQ(text(Fixed("-0")), "0");
}

TEST(Fixed, RefusesWhatIsNoNumber) {
  for (const char* t : {"", "-", "x", "1.2.3", "1e5", "1 ", "99999999999999999999999999999999"})
    EXPECT_THROW(Fixed{t}, CORBA::DATA_CONVERSION) << t;
  EXPECT_THROW(Fixed{static_cast<const char*>(nullptr)}, CORBA::BAD_PARAM);
}

TEST(Fixed, SaysWhatItRefuses) {
  const auto said = [](auto refused) -> std::string {
    try {
      refused();
    } catch (const CORBA::DATA_CONVERSION& e) {
      return e.what();
    }
    return {};
  };
  EXPECT_NE(said([] { Fixed("x"); }).find("no decimal number"), std::string::npos);
  EXPECT_NE(said([] { Fixed(1) / Fixed(0); }).find("by zero"), std::string::npos);
  EXPECT_NE(said([] { Fixed(1e40); }).find("does not fit"), std::string::npos);
}

TEST(Fixed, ComesFromNumbersOfEveryType) {
  EXPECT_EQ(text(Fixed(-5)), "-5");
  EXPECT_EQ(text(Fixed(5u)), "5");
  EXPECT_EQ(text(Fixed(static_cast<CORBA::LongLong>(INT64_MIN))), "-9223372036854775808");
  EXPECT_EQ(text(Fixed(static_cast<CORBA::ULongLong>(UINT64_MAX))), "18446744073709551615");
  EXPECT_EQ(text(Fixed(2.5)), "2.5");
  EXPECT_EQ(text(Fixed(0.1)), "0.1");
  EXPECT_EQ(text(Fixed(-1234.5678L)), "-1234.5678");
  EXPECT_THROW(Fixed(1e40), CORBA::DATA_CONVERSION);
}

TEST(Fixed, BecomesANumberAgain) {
  EXPECT_EQ(static_cast<CORBA::LongLong>(Fixed("-9223372036854775808.9")), INT64_MIN);
  EXPECT_EQ(static_cast<CORBA::LongLong>(Fixed("12.99")), 12);
  EXPECT_THROW(static_cast<void>(static_cast<CORBA::LongLong>(Fixed("9223372036854775808"))),
               CORBA::DATA_CONVERSION);
  EXPECT_EQ(static_cast<long double>(Fixed("-0.25")), -0.25L);
}

TEST(Fixed, Adds) {
  EXPECT_EQ(text(Fixed("1.5") + Fixed("2.25")), "3.75");
  EXPECT_EQ(text(Fixed("1.5") - Fixed("2.25")), "-0.75");
  EXPECT_EQ(text(Fixed("-1") + Fixed("1")), "0");
  EXPECT_EQ(text(Fixed(kMost) + Fixed("0.4")), kMost);
  EXPECT_THROW(Fixed(kMost) + Fixed(1), CORBA::DATA_CONVERSION);
}

TEST(Fixed, MultipliesAndDivides) {
  EXPECT_EQ(text(Fixed("1.5") * Fixed("-0.25")), "-0.375");
  EXPECT_EQ(text(Fixed("0.0000000000000001") * Fixed("0.000000000000001")),
            "0.0000000000000000000000000000001");
  EXPECT_EQ(text(Fixed("1000000000000000") * Fixed("1000000000000000")), "1000000000000000000000000000000");
  EXPECT_THROW(Fixed(kMost) * Fixed(10), CORBA::DATA_CONVERSION);
  EXPECT_EQ(text(Fixed(1) / Fixed(3)), "0.3333333333333333333333333333333");
  EXPECT_EQ(text(Fixed(-10) / Fixed(4)), "-2.5");
  EXPECT_EQ(text(Fixed(kMost) / Fixed(kMost)), "1");
  EXPECT_EQ(text(Fixed("1") / Fixed("0.001")), "1000");
  EXPECT_THROW(Fixed(1) / Fixed(0), CORBA::DATA_CONVERSION);
}

TEST(Fixed, Compares) {
  EXPECT_TRUE(Fixed("1.50") == Fixed("1.5"));
  EXPECT_TRUE(Fixed("-2") < Fixed("-1.99"));
  EXPECT_TRUE(Fixed("0.1") >= Fixed("0.1"));
  EXPECT_TRUE(!Fixed("0.00"));
  EXPECT_FALSE(!Fixed("0.01"));
  EXPECT_TRUE(Fixed(kMost) > Fixed(-1));
  EXPECT_TRUE(-Fixed(kMost) < Fixed(kMost));
  EXPECT_TRUE(Fixed(kMost) > Fixed("0.0000000000000000000000000000001"));
  Fixed f("9.5");
  EXPECT_EQ(text(f++), "9.5");
  EXPECT_EQ(text(--f), "9.5");
  EXPECT_EQ(text(-f), "-9.5");
}

TEST(Fixed, RoundsAndCuts) {
  EXPECT_EQ(text(Fixed("1.25").round(1)), "1.3");
  EXPECT_EQ(text(Fixed("-1.25").round(1)), "-1.3");
  EXPECT_EQ(text(Fixed("1.24").round(1)), "1.2");
  EXPECT_EQ(text(Fixed("0.99").round(0)), "1");
  EXPECT_EQ(text(Fixed("-1.29").truncate(1)), "-1.2");
  EXPECT_EQ(Fixed("12.345").fixed_digits(), 5);
  EXPECT_EQ(Fixed("12.345").fixed_scale(), 3);
  EXPECT_EQ(Fixed("0.001").fixed_digits(), 3);
}

TEST(Fixed, AddsNoMoreZerosThanItHasDigits) {
  for (const char* t : {"0", "-0.0001", "-0.0000000000000000000000000000001"}) {
    EXPECT_EQ(Fixed(t).round(40).fixed_scale(), 31);
    EXPECT_EQ(Fixed(t).truncate(65535).fixed_scale(), 31);
    EXPECT_LT(text(Fixed(t).round(40)).size(), Fixed::kTextSize);
    EXPECT_EQ(Fixed(t).round(40), Fixed(t));
  }
}

TEST(Fixed, OfAnIdlTypeIsCutToIt) {
  corbel::cpp::Fixed<5, 2> f = Fixed("123.456");
  EXPECT_EQ(text(f), "123.45");
  f = 7;
  EXPECT_EQ(text(f), "7.00");
  EXPECT_THROW((f = 1000), CORBA::DATA_CONVERSION);
  EXPECT_EQ(text(f), "7.00");
}

TEST(Fixed, OfAnIdlTypeStaysOneWhenItIsReckonedWith) {
  corbel::cpp::Fixed<5, 2> f = 7;
  EXPECT_EQ(text(f *= 3), "21.00");
  EXPECT_EQ(text(f /= 8), "2.62");
  EXPECT_EQ(text(f += Fixed("0.009")), "2.62");
  EXPECT_EQ(text(f -= 1), "1.62");
  EXPECT_EQ(text(f++), "1.62");
  EXPECT_EQ(text(--f), "1.62");
  EXPECT_THROW(f += 999, CORBA::DATA_CONVERSION);
  EXPECT_EQ(text(f), "1.62");
}

TEST(Fixed, IsPackedInTheScaleOfTheType) {
  corbel::cpp::Fixed<5, 2> f = 2;
  Fixed& any = f;
  unsigned char octets[3];
  any = Fixed(6);
  ASSERT_TRUE(f._corbel_pack(octets, 5, 2));
  EXPECT_EQ(octets[0], 0x00);
  EXPECT_EQ(octets[1], 0x60);
  EXPECT_EQ(octets[2], 0x0c);
  any = Fixed("-0.001");
  ASSERT_TRUE(f._corbel_pack(octets, 5, 2));
  EXPECT_EQ(octets[2], 0x0c);
  any = Fixed(1000);
  EXPECT_FALSE(f._corbel_pack(octets, 5, 2));
}

TEST(Fixed, GoesThroughStreams) {
  std::stringstream s;
  s << Fixed("-12.50") << ' ' << Fixed(3);
  EXPECT_EQ(s.str(), "-12.5 3");
  Fixed a, b;
  s >> a >> b;
  EXPECT_EQ(text(a), "-12.5");
  EXPECT_EQ(text(b), "3");
  EXPECT_FALSE(static_cast<bool>(s >> b));
  EXPECT_EQ(text(b), "3");
}

TEST(Fixed, IsPackedTwoDigitsAnOctet) {
  unsigned char octets[3];
  corbel::cpp::Fixed<5, 2>(Fixed("-12.34"))._corbel_pack(octets, 5, 2);
  EXPECT_EQ(octets[0], 0x01);
  EXPECT_EQ(octets[1], 0x23);
  EXPECT_EQ(octets[2], 0x4d);
  corbel::cpp::Fixed<4, 1>(Fixed("999.9"))._corbel_pack(octets, 4, 1);
  EXPECT_EQ(octets[0], 0x09);
  EXPECT_EQ(octets[1], 0x99);
  EXPECT_EQ(octets[2], 0x9c);
}

TEST(Fixed, RefusesOctetsThatAreNoDecimals) {
  Fixed f;
  const unsigned char good[] = {0x01, 0x23, 0x4d};
  ASSERT_TRUE(f._corbel_unpack(good, 5, 2));
  EXPECT_EQ(text(f), "-12.34");
  const unsigned char digit[] = {0x0a, 0x23, 0x4d}, sign[] = {0x01, 0x23, 0x4a},
                      surplus[] = {0x11, 0x23, 0x4c};
  EXPECT_FALSE(f._corbel_unpack(digit, 5, 2));
  EXPECT_FALSE(f._corbel_unpack(sign, 5, 2));
  EXPECT_FALSE(f._corbel_unpack(surplus, 4, 2));  // a digit where a type of four has none
}

}  // namespace
