#include <corbel/any.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

using corbel::types::Kind;
using corbel::types::Member;

namespace {

// struct Point { long x; double y; string name; };
struct Point {
  CORBA::Long x;
  CORBA::Double y;
  corbel::cpp::StringMember name;
};
const Member point_members[] = {{"x", &corbel::tc::_tc_long, 0, 0},
                                {"y", &corbel::tc::_tc_double, 0, 0},
                                {"name", &corbel::tc::_tc_string, 0, 0}};
CORBA::TypeCode tc_point{Kind::Struct, "IDL:Point:1.0", "Point", nullptr, point_members, 3};
CORBA::TypeCode tc_other{Kind::Struct, "IDL:Other:1.0", "Other", nullptr, point_members, 3};
CORBA::TypeCode tc_alias{Kind::Alias, "IDL:Place:1.0", "Place", &tc_point, nullptr, 0};

}  // namespace

namespace corbel::cdr {

void marshal(Encoder& out, const Point& p) {
  out.put(p.x);
  out.put(p.y);
  out.put_string(p.name);
}
bool unmarshal(Decoder& in, Point& p) { return in.get(p.x) && in.get(p.y) && cpp::get_string(in, p.name); }

}  // namespace corbel::cdr

namespace {

void operator<<=(CORBA::Any& any, const Point& p) { corbel::cpp::insert(any, tc_point, p); }
void operator<<=(CORBA::Any& any, Point* p) { corbel::cpp::insert_adopted(any, tc_point, p); }
CORBA::Boolean operator>>=(const CORBA::Any& any, const Point*& p) {
  return corbel::cpp::extract(any, tc_point, p);
}

Point sample() {
  Point p;
  p.x = -7, p.y = 2.5, p.name = "somewhere far away, longer than short";
  return p;
}

// The same message in the other byte order, made by hand for Any of Point.
std::string swapped_point(const Point& p, std::size_t phase) {
  std::string out(phase, '\0');
  const auto align = [&](std::size_t n) { out.resize((out.size() + n - 1) / n * n, '\0'); };
  const auto put = [&](const auto& v) {
    align(sizeof v);
    std::string b(reinterpret_cast<const char*>(&v), sizeof v);
    std::reverse(b.begin(), b.end());
    out += b;
  };
  corbel::cdr::Encoder type;
  type.reset();
  corbel::types::marshal(type, tc_point);
  // Kind and size in the message's order; the encapsulation has its own.
  align(4);
  put(std::uint32_t{15});
  put(static_cast<std::uint32_t>(type.size() - 8));
  out.append(type.data() + 8, type.size() - 8);
  put(p.x);
  put(p.y);
  const std::string name = p.name.in();
  put(static_cast<std::uint32_t>(name.size() + 1));
  out.append(name.c_str(), name.size() + 1);
  return out;
}

bool receive(const std::string& message, std::size_t phase, bool swap, CORBA::Any& any,
             std::size_t* left = nullptr) {
  std::vector<double> memory(message.size() / 8 + 2);
  char* const at = reinterpret_cast<char*>(memory.data());
  std::memcpy(at, message.data(), message.size());
  corbel::cdr::Decoder in(at, at + phase, at + message.size(), swap);
  const bool good = corbel::cdr::unmarshal(in, any);
  if (left) *left = in.remaining();
  return good;
}

std::string sent(const CORBA::Any& any, std::size_t phase) {
  corbel::cdr::Encoder out;
  out.reset();
  for (std::size_t i = 0; i < phase; ++i) out.put<std::uint8_t>(0);
  corbel::cdr::marshal(out, any);
  EXPECT_FALSE(out.error());
  return {out.data(), out.size()};
}

void expect_sample(const CORBA::Any& any) {
  const Point* p = nullptr;
  ASSERT_TRUE(any >>= p);
  EXPECT_EQ(p->x, -7);
  EXPECT_EQ(p->y, 2.5);
  EXPECT_STREQ(p->name.in(), sample().name.in());
}

TEST(Any, IsEmptyAtFirst) {
  CORBA::Any any;
  CORBA::TypeCode_var type = any.type();
  EXPECT_EQ(type->kind(), CORBA::tk_null);
  CORBA::Long v;
  EXPECT_FALSE(any >>= v);
}

TEST(Any, HoldsNumbersOfTheTypeThatWasPutIn) {
  CORBA::Any any;
  any <<= CORBA::Short(-3);
  CORBA::Short s = 0;
  CORBA::UShort us = 0;
  CORBA::Long l = 0;
  EXPECT_TRUE(any >>= s);
  EXPECT_EQ(s, -3);
  EXPECT_FALSE(any >>= us);
  EXPECT_FALSE(any >>= l);
  any <<= CORBA::ULongLong(1) << 63;
  CORBA::ULongLong ull = 0;
  EXPECT_TRUE(any >>= ull);
  EXPECT_EQ(ull, CORBA::ULongLong(1) << 63);
  any <<= 1.25;
  CORBA::Double d = 0;
  EXPECT_TRUE(any >>= d);
  EXPECT_EQ(d, 1.25);
}

TEST(Any, TellsBooleanOctetAndCharApart) {
  CORBA::Any any;
  any <<= CORBA::Any::from_octet(65);
  CORBA::Char c = 0;
  CORBA::Octet o = 0;
  CORBA::Boolean b = false;
  EXPECT_FALSE(any >>= CORBA::Any::to_char(c));
  EXPECT_FALSE(any >>= CORBA::Any::to_boolean(b));
  EXPECT_TRUE(any >>= CORBA::Any::to_octet(o));
  EXPECT_EQ(o, 65);
  any <<= CORBA::Any::from_boolean(true);
  EXPECT_TRUE(any >>= CORBA::Any::to_boolean(b));
  EXPECT_TRUE(b);
}

TEST(Any, CopiesStringsAndTellsBoundedOnesApart) {
  CORBA::Any any;
  char text[] = "text";
  any <<= static_cast<const char*>(text);
  text[0] = 'n';
  const char* out = nullptr;
  ASSERT_TRUE(any >>= out);
  EXPECT_STREQ(out, "text");
  EXPECT_FALSE(any >>= CORBA::Any::to_string(out, 4));
  any <<= CORBA::Any::from_string(CORBA::string_dup("abcd"), 4, true);
  EXPECT_TRUE(any >>= CORBA::Any::to_string(out, 4));
  EXPECT_FALSE(any >>= out);
  EXPECT_THROW(any <<= CORBA::Any::from_string("abcde", 4), CORBA::BAD_PARAM);
  EXPECT_THROW(any <<= static_cast<const char*>(nullptr), CORBA::BAD_PARAM);
}

TEST(Any, ExtractsIntoPointersOfTheOlderForm) {
  CORBA::Any any, outer;
  any <<= "text";
  char* text = nullptr;
  ASSERT_TRUE(any >>= text);
  EXPECT_STREQ(text, "text");
  const CORBA::WChar letters[] = {'w', 0};
  any <<= CORBA::Any::from_wstring(letters, 5);
  CORBA::WChar* wide = nullptr;
  EXPECT_FALSE(any >>= wide);
  ASSERT_TRUE(any >>= CORBA::Any::to_wstring(wide, 5));
  EXPECT_EQ(wide[0], CORBA::WChar('w'));
  outer <<= any;
  CORBA::Any* inner = nullptr;
  ASSERT_TRUE(outer >>= inner);
  EXPECT_TRUE(*inner >>= CORBA::Any::to_wstring(wide, 5));
}

TEST(Any, TakesBoundedStringsOverAndKeepsTheirBound) {
  char* const text = CORBA::string_dup("four");
  CORBA::Any any;
  any <<= CORBA::Any::from_string(text, 4, true);
  const char* out = nullptr;
  ASSERT_TRUE(any >>= CORBA::Any::to_string(out, 4));
  EXPECT_EQ(out, text);
  EXPECT_FALSE(any >>= CORBA::Any::to_string(out, 5));
  EXPECT_FALSE(any >>= out);
  // Also as it came from elsewhere.
  const std::string message = sent(any, 0);
  CORBA::Any received;
  ASSERT_TRUE(receive(message, 0, false, received));
  EXPECT_FALSE(received >>= CORBA::Any::to_string(out, 3));
  EXPECT_FALSE(received >>= out);
  ASSERT_TRUE(received >>= CORBA::Any::to_string(out, 4));
  EXPECT_STREQ(out, "four");
  EXPECT_THROW(any <<= CORBA::Any::from_string(CORBA::string_dup("fifth"), 4, true), CORBA::BAD_PARAM);
  const CORBA::WChar wide[] = {'w', 'x', 0};
  EXPECT_THROW(any <<= CORBA::Any::from_wstring(CORBA::wstring_dup(wide), 1, true), CORBA::BAD_PARAM);
  any <<= CORBA::Any::from_wstring(CORBA::wstring_dup(wide), 2, true);
  const CORBA::WChar* found = nullptr;
  EXPECT_FALSE(any >>= CORBA::Any::to_wstring(found, 3));
  EXPECT_TRUE(any >>= CORBA::Any::to_wstring(found, 2));
}

// Wide characters that came in GIOP 1.2 are passed on to a peer that speaks 1.0.
TEST(Any, WideCharactersHaveNoFormInGiop10) {
  const CORBA::WChar letters[] = {'w', 0};
  CORBA::Any text, character;
  text <<= letters;
  character <<= CORBA::Any::from_wchar('w');
  for (const CORBA::Any* const any : {&text, &character}) {
    CORBA::Any came;
    ASSERT_TRUE(receive(sent(*any, 0), 0, false, came));
    for (const std::uint32_t older : {2u, 3u}) {
      corbel::cdr::Encoder out;
      out.reset();
      out.set_older(older);
      corbel::cdr::marshal(out, came);
      EXPECT_EQ(out.error().id, corbel::SystemErrorId::MARSHAL);
      EXPECT_EQ(out.error().minor, 0x4f4d0000u + (older == 2 ? 5 : 6));
    }
  }
}

TEST(Any, CopiesOrTakesOver) {
  Point p = sample();
  CORBA::Any copied;
  copied <<= p;
  p.x = 0;
  expect_sample(copied);
  CORBA::Any adopted;
  Point* const given = new Point(sample());
  adopted <<= given;
  const Point* lent = nullptr;
  ASSERT_TRUE(adopted >>= lent);
  EXPECT_EQ(lent, given);
  EXPECT_THROW(adopted <<= static_cast<Point*>(nullptr), CORBA::BAD_PARAM);
}

TEST(Any, CopiesAreDeep) {
  CORBA::Any first;
  first <<= sample();
  CORBA::Any second(first);
  first <<= CORBA::Long(1);
  expect_sample(second);
  first = second;
  second = CORBA::Any();
  expect_sample(first);
}

TEST(Any, TravelsFromEveryAlignmentToEveryOther) {
  for (std::size_t from = 0; from < 8; ++from) {
    CORBA::Any out;
    out <<= sample();
    CORBA::Any in;
    std::size_t left = 1;
    ASSERT_TRUE(receive(sent(out, from), from, false, in, &left));
    EXPECT_EQ(left, 0u);
    for (std::size_t to = 0; to < 8; ++to) {
      EXPECT_EQ(sent(in, to), sent(out, to)) << from << " to " << to;
    }
    expect_sample(in);
  }
}

TEST(Any, IsPassedOnFromTheOtherByteOrder) {
  for (std::size_t phase = 0; phase < 8; ++phase) {
    CORBA::Any any, native;
    native <<= sample();
    ASSERT_TRUE(receive(swapped_point(sample(), phase), phase, true, any));
    EXPECT_EQ(sent(any, 0), sent(native, 0));
    expect_sample(any);
  }
}

TEST(Any, EveryTruncationIsRefused) {
  CORBA::Any out;
  out <<= sample();
  const std::string whole = sent(out, 0);
  for (std::size_t n = 0; n < whole.size(); ++n) {
    CORBA::Any in;
    EXPECT_FALSE(receive(whole.substr(0, n), 0, false, in)) << n;
  }
}

TEST(Any, OfAnotherTypeIsNotExtracted) {
  CORBA::Any any;
  corbel::cpp::insert(any, tc_other, sample());
  const Point* p = nullptr;
  EXPECT_FALSE(any >>= p);
}

TEST(Any, AliasesAreLookedThrough) {
  CORBA::Any any;
  corbel::cpp::insert(any, tc_alias, sample());
  expect_sample(any);
  CORBA::TypeCode_var type = any.type();
  EXPECT_EQ(type->kind(), CORBA::tk_alias);
  any.type(&tc_point);
  type = any.type();
  EXPECT_EQ(type->kind(), CORBA::tk_struct);
  EXPECT_THROW(any.type(&tc_other), CORBA::BAD_TYPECODE);
}

TEST(Any, HoldsAnysAndTypeCodes) {
  CORBA::Any inner, outer;
  inner <<= sample();
  outer <<= inner;
  CORBA::Any in;
  ASSERT_TRUE(receive(sent(outer, 4), 4, false, in));
  const CORBA::Any* found = nullptr;
  ASSERT_TRUE(in >>= found);
  expect_sample(*found);
  outer <<= &tc_point;
  ASSERT_TRUE(receive(sent(outer, 0), 0, false, in));
  CORBA::TypeCode_ptr type = nullptr;
  ASSERT_TRUE(in >>= type);
  EXPECT_TRUE(type->equal(&tc_point));
}

TEST(Any, HoldsNilReferences) {
  CORBA::Any any;
  any <<= CORBA::Object::_nil();
  CORBA::Any in;
  ASSERT_TRUE(receive(sent(any, 0), 0, false, in));
  CORBA::Object_var object;
  ASSERT_TRUE(in >>= CORBA::Any::to_object(object));
  EXPECT_TRUE(CORBA::is_nil(object));
}

TEST(Any, NestedWithoutEndIsRefused) {
  // any in any in any ...: each is a kind of eleven.
  std::string message;
  const std::uint32_t any_kind = 11;
  for (int i = 0; i < 100'000; ++i) message.append(reinterpret_cast<const char*>(&any_kind), 4);
  CORBA::Any in;
  EXPECT_FALSE(receive(message, 0, false, in));
}

TEST(Any, SequencesOfNothingAreBounded) {
  // sequence<struct {}> of four milliards.
  CORBA::TypeCode nothing{Kind::Struct, "IDL:N:1.0", "N", nullptr, nullptr, 0};
  CORBA::TypeCode many{Kind::Sequence, "", "", &nothing, nullptr, 0};
  corbel::cdr::Encoder out;
  out.reset();
  corbel::types::marshal(out, many);
  out.put<std::uint32_t>(0xffffffff);
  CORBA::Any in;
  EXPECT_FALSE(receive({out.data(), out.size()}, 0, false, in));
}

}  // namespace
