// Values compared by programs of their TypeCodes, each at its own alignment and in its own byte order.
#include "orb/types/compare.h"

#include <corbel/any.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "wire.h"

using corbel::types::Comparison;
using corbel::types::Kind;
using corbel::types::Member;
using corbel::types::TypeCode;

namespace {

using Put = std::function<void(Wire&)>;

Comparison compared(const TypeCode& type, const Wire& a, std::size_t at_a, const Wire& b, std::size_t at_b) {
  const auto in = [](const Wire& w, std::size_t at) {
    const char* const origin = w.bytes.data();
    return corbel::cdr::Decoder(origin, origin + at, origin + w.bytes.size(),
                                w.little() != corbel::cdr::kHostIsLittleEndian);
  };
  corbel::cdr::Decoder x = in(a, at_a), y = in(b, at_b);
  const Comparison result = corbel::types::compare(x, y, type);
  if (result == Comparison::Equal) {
    EXPECT_EQ(x.remaining(), 0u);
    EXPECT_EQ(y.remaining(), 0u);
  }
  return result;
}
// The same at every alignment and in both byte orders.
Comparison compared(const TypeCode& type, const Put& a, const Put& b) {
  Comparison first{};
  for (int i = 0; i < 256; ++i) {
    const std::size_t at_a = i & 7, at_b = i >> 3 & 7;
    Wire x((i & 64) != 0, at_a), y((i & 128) != 0, at_b);
    a(x), b(y);
    const Comparison result = compared(type, x, at_a, y, at_b);
    if (i == 0) first = result;
    EXPECT_EQ(result, first) << i;
  }
  return first;
}
template <typename T>
Put number(T value) {
  return [value](Wire& w) { w.put(value); };
}
Put text(const char* value) {
  return [value](Wire& w) { w.text(value); };
}
Put all(std::initializer_list<Put> puts) {
  return [all = std::vector<Put>(puts)](Wire& w) {
    for (const Put& put : all) put(w);
  };
}
void expect(const TypeCode& type, const Put& value, const Put& other) {
  EXPECT_EQ(compared(type, value, value), Comparison::Equal);
  EXPECT_EQ(compared(type, value, other), Comparison::Different);
}

TEST(Compare, Numbers) {
  expect(corbel::tc::_tc_octet, number<std::uint8_t>(1), number<std::uint8_t>(2));
  expect(corbel::tc::_tc_short, number<std::int16_t>(1), number<std::int16_t>(256));
  expect(corbel::tc::_tc_long, number<std::int32_t>(1), number<std::int32_t>(1 << 24));
  expect(corbel::tc::_tc_ulonglong, number<std::uint64_t>(7), number<std::uint64_t>(8));
  expect(corbel::tc::_tc_boolean, number<std::uint8_t>(1), number<std::uint8_t>(0));
}

TEST(Compare, FloatsOfOtherBitsMayBeEqualAllTheSame) {
  const TypeCode& type = corbel::tc::_tc_double;
  EXPECT_EQ(compared(type, number(0.5), number(0.5)), Comparison::Equal);
  EXPECT_EQ(compared(type, number(std::nan("")), number(std::nan(""))), Comparison::Equal);
  EXPECT_EQ(compared(type, number(0.0), number(-0.0)), Comparison::Unknown);
}

TEST(Compare, Strings) {
  expect(corbel::tc::_tc_string, text("one"), text("two"));
  expect(corbel::tc::_tc_string, text("one"), text("one and more"));
}

TEST(Compare, StructsWhateverTheirPadding) {
  static const Member members[] = {{"a", &corbel::tc::_tc_octet, 0, 0},
                                   {"b", &corbel::tc::_tc_ulonglong, 0, 0},
                                   {"c", &corbel::tc::_tc_string, 0, 0},
                                   {"d", &corbel::tc::_tc_short, 0, 0}};
  static const TypeCode type(Kind::Struct, "IDL:S:1.0", "S", nullptr, members, 4);
  const auto value = [](std::uint64_t b, std::int16_t d) {
    return all({number<std::uint8_t>(1), number(b), text("text"), number(d)});
  };
  expect(type, value(5, 6), value(5, 7));
  expect(type, value(5, 6), value(4, 6));
}

TEST(Compare, SequencesAndArrays) {
  static const TypeCode longs(Kind::Sequence, "", "", &corbel::tc::_tc_long, nullptr, 0);
  const auto of = [](std::initializer_list<std::int32_t> values) {
    return [v = std::vector<std::int32_t>(values)](Wire& w) {
      w.put(static_cast<std::uint32_t>(v.size()));
      for (const std::int32_t each : v) w.put(each);
    };
  };
  expect(longs, of({1, 2, 3}), of({1, 2, 4}));
  expect(longs, of({}), of({1}));
  static const TypeCode strings(Kind::Array, "", "", &corbel::tc::_tc_string, nullptr, 0, 2);
  expect(strings, all({text("a"), text("b")}), all({text("a"), text("c")}));
}

TEST(Compare, UnionsByDiscriminatorAndMember) {
  static const Member members[] = {{"a", &corbel::tc::_tc_string, 1, 0},
                                   {"b", &corbel::tc::_tc_octet, -2, 0}};
  static const TypeCode type(Kind::Union, "IDL:U:1.0", "U", &corbel::tc::_tc_short, members, 2, 0, -1);
  expect(type, all({number<std::int16_t>(1), text("a")}), all({number<std::int16_t>(1), text("b")}));
  expect(type, all({number<std::int16_t>(-2), number<std::uint8_t>(1)}),
         all({number<std::int16_t>(1), text("b")}));
  expect(type, number<std::int16_t>(3), number<std::int16_t>(4));
}

TEST(Compare, AnysByTypeAndValue) {
  const TypeCode& type = corbel::tc::_tc_any;
  const Put five = all({number<std::uint32_t>(3), number<std::int32_t>(5)});
  expect(type, five, all({number<std::uint32_t>(3), number<std::int32_t>(6)}));
  expect(type, five, all({number<std::uint32_t>(5), number<std::int32_t>(5)}));
  expect(corbel::tc::_tc_TypeCode, number<std::uint32_t>(3), number<std::uint32_t>(4));
}

TEST(Compare, ReferencesOfOtherOctetsMayBeEqualAllTheSame) {
  static const TypeCode type(Kind::ObjRef, "IDL:I:1.0", "I", nullptr, nullptr, 0);
  const auto reference = [](std::uint8_t octet) {
    return all({text("IDL:I:1.0"), number<std::uint32_t>(1), number<std::uint32_t>(0),
                number<std::uint32_t>(1), number(octet)});
  };
  const Put nil = all({text(""), number<std::uint32_t>(0)});
  EXPECT_EQ(compared(type, nil, nil), Comparison::Equal);
  EXPECT_EQ(compared(type, reference(1), reference(1)), Comparison::Equal);
  EXPECT_EQ(compared(type, reference(1), reference(2)), Comparison::Unknown);
}

TEST(Compare, WhatIsCutOffIsUnknown) {
  Wire whole(true), cut(true);
  whole.text("text");
  cut.text("text");
  cut.bytes.pop_back();
  EXPECT_EQ(compared(corbel::tc::_tc_string, whole, 0, cut, 0), Comparison::Unknown);
}

}  // namespace
