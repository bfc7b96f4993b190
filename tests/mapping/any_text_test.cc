// Anys of every kind as text.
#include <corbel/any_text.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "../unit/types/wire.h"
#include "any.any.h"
#include "any.skel.h"
#include "wide.any.h"

using corbel::text_of;

namespace {

template <typename T>
std::string line(const T& value) {
  CORBA::Any any;
  any <<= value;
  return text_of(any);
}
CORBA::Any of_octets(const std::string& message, bool swap) {
  CORBA::Any any;
  corbel::cdr::Decoder in(message.data(), message.data(), message.data() + message.size(), swap);
  EXPECT_TRUE(corbel::cdr::unmarshal(in, any));
  return any;
}

TEST(AnyText, OfNumbersIsTheirLiteral) {
  EXPECT_EQ(text_of(CORBA::Any()), "()");
  EXPECT_EQ(line(CORBA::Short(-7)), "-7");
  EXPECT_EQ(line(CORBA::UShort(65535)), "65535");
  EXPECT_EQ(line(CORBA::Long(-2147483647 - 1)), "-2147483648");
  EXPECT_EQ(line(CORBA::ULong(4294967295u)), "4294967295");
  EXPECT_EQ(line(std::numeric_limits<CORBA::LongLong>::min()), "-9223372036854775808");
  EXPECT_EQ(line(std::numeric_limits<CORBA::ULongLong>::max()), "18446744073709551615");
  EXPECT_EQ(line(CORBA::Float(0.1f)), "0.1");
  EXPECT_EQ(line(CORBA::Double(-2.5)), "-2.5");
  EXPECT_EQ(line(std::numeric_limits<CORBA::Double>::quiet_NaN()), "nan");
  EXPECT_EQ(line(-std::numeric_limits<CORBA::Double>::infinity()), "-inf");
  EXPECT_EQ(line(CORBA::LongDouble(1.5)), "1.5");
  EXPECT_EQ(line(CORBA::Any::from_boolean(true)), "TRUE");
  EXPECT_EQ(line(CORBA::Any::from_octet(255)), "255");
  const CORBA::Fixed price("-12.50");
  EXPECT_EQ(line(CORBA::Any::from_fixed(price, 9, 2)), "-12.50");
}

TEST(AnyText, OfTextIsQuotedAndEscaped) {
  EXPECT_EQ(line("plain"), R"("plain")");
  EXPECT_EQ(line("a\"b\\c\n\x01\x1b[31m\xe4"), R"("a\"b\\c\n\x01\x1b[31m\xe4")");
  EXPECT_EQ(line(CORBA::Any::from_char('\'')), R"('\'')");
  EXPECT_EQ(line(CORBA::Any::from_char('\0')), R"('\x00')");
  EXPECT_EQ(line(CORBA::Any::from_wchar(L'\u20ac')), R"('\u20ac')");
  EXPECT_EQ(line(L"a\u20ac\t\U0001f600"), R"("a\u20ac\t\U0001f600")");
}

TEST(AnyText, HasTheNamesOfMembersAndEnumerators) {
  EXPECT_EQ(line(Dyn::green), "green");
  Dyn::Flat flat = {1, 0.5};
  EXPECT_EQ(line(flat), "Flat{n = 1, d = 0.5}");
  Dyn::Tree tree;
  tree.name = "root";
  tree.branches.length(2);
  tree.branches[0].name = "left";
  tree.branches[1].name = "right";
  EXPECT_EQ(line(tree), R"(Tree{name = "root", branches = [Tree{name = "left", branches = []}, )"
                        R"(Tree{name = "right", branches = []}]})");
  Dyn::Refused refused;
  refused.why = "because";
  refused.what <<= CORBA::Long(3);
  EXPECT_EQ(line(refused), R"(Refused{why = "because", what = any(3)})");
}

TEST(AnyText, OfUnionsHasTheDiscriminatorAndTheMember) {
  Dyn::Choice choice;
  choice.n(5);
  EXPECT_EQ(line(choice), "Choice(red){n = 5}");
  choice.text("x");
  EXPECT_EQ(line(choice), R"(Choice(green){text = "x"})");
  Dyn::Maybe maybe;
  maybe._default();
  EXPECT_EQ(line(maybe), "Maybe(FALSE){}");
  Dyn::Wide wide;
  wide.a(9);
  EXPECT_EQ(line(wide), "Wide(-9223372036854775808){a = 9}");
  wide.b("other");
  wide._d(12);
  EXPECT_EQ(line(wide), R"(Wide(12){b = "other"})");
  Wide::Either either;
  either.s(L"w");
  EXPECT_EQ(line(either), R"(Either('a'){s = "w"})");
}

TEST(AnyText, OfSequencesAndArraysIsInBrackets) {
  Dyn::Words words;
  words.length(2);
  words[0] = "a";
  words[1] = "b";
  EXPECT_EQ(line(words), R"(["a", "b"])");
  Dyn::Row row = {1, 2, 3};
  EXPECT_EQ(line(Dyn::Row_forany(row)), "[1, 2, 3]");
  Dyn::Names names;
  names[0][0] = names[0][1] = names[1][0] = names[1][1] = "n";
  EXPECT_EQ(line(Dyn::Names_forany(names)), R"([["n", "n"], ["n", "n"]])");
}

TEST(AnyText, OfReferencesAndTypesTellsTheirId) {
  CORBA::Any any;
  any <<= Dyn::Thing::_nil();
  EXPECT_EQ(text_of(any), "nil");
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr);
  CORBA::Object_var object = orb->string_to_object("corbaloc::127.0.0.1:9/x");
  Dyn::Thing_var thing = Dyn::Thing::_unchecked_narrow(object);
  any <<= thing.in();
  EXPECT_EQ(text_of(any).rfind("Object(", 0), 0u) << text_of(any);
  any <<= Dyn::_tc_Flat;
  EXPECT_EQ(text_of(any), "TypeCode(IDL:example.com/Dyn/Flat:1.0)");
  any <<= CORBA::_tc_long;
  EXPECT_EQ(text_of(any), "TypeCode(kind 3)");
  orb->destroy();
}

TEST(AnyText, OfAValueOfEitherByteOrderIsTheSame) {
  for (const bool little : {false, true}) {
    Wire wire(little);
    wire.put<std::uint32_t>(11);  // an any in an any
    const Wire::Open open = wire.open(19);
    wire.put<std::uint32_t>(7);  // sequence<double, 0>
    wire.put<std::uint32_t>(0);
    wire.close(open);
    wire.put<std::uint32_t>(2);
    wire.put(1.5);
    wire.put(std::nan(""));
    const bool host_is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    EXPECT_EQ(text_of(of_octets(wire.bytes, little != host_is_little)), "any([1.5, nan])");
  }
}

// Any text of any length fits, or ends with an ellipsis, and never within an escape.
TEST(AnyText, HasNoMoreOctetsThanWanted) {
  Dyn::Tree tree;
  tree.name = "a\n\x01";
  CORBA::Any any;
  any <<= tree;
  const std::string whole = text_of(any);
  EXPECT_EQ(whole, R"(Tree{name = "a\n\x01", branches = []})");
  EXPECT_EQ(text_of(any, whole.size()), whole);
  for (std::size_t most = 0; most < whole.size(); ++most) {
    const std::string some = text_of(any, most);
    EXPECT_LE(some.size(), most);
    if (most < 3) continue;
    ASSERT_EQ(some.substr(some.size() - 3), "...") << some;
    EXPECT_EQ(whole.compare(0, some.size() - 3, some, 0, some.size() - 3), 0) << some;
    if (most > 3) {
      EXPECT_NE(some[some.size() - 4], '\\') << some;
    }
  }
}

TEST(AnyText, OfALongSequenceEndsWhereItIsFull) {
  CORBA::OctetSeq octets;
  octets.length(1'000'000);
  CORBA::Any any;
  any <<= octets;
  EXPECT_EQ(text_of(any, 12), "[0, 0, 0...");
  EXPECT_LE(text_of(any).size(), 4096u);
}

TEST(AnyText, OfDeepValuesIsShortAndWhatFollowsIsThere) {
  CORBA::Any any;
  any <<= CORBA::Long(1);
  for (int i = 0; i < 100; ++i) {
    CORBA::Any outer;
    outer <<= any;
    any = outer;
  }
  const std::string deep = text_of(any);
  EXPECT_NE(deep.find("any(...)"), std::string::npos) << deep;
  EXPECT_EQ(std::count(deep.begin(), deep.end(), '('), std::count(deep.begin(), deep.end(), ')'));
}

// Names are the peer's: nothing of them reaches a terminal as it is.
TEST(AnyText, EscapesHostileNames) {
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr);
  Wire wire(true);
  const Wire::Open open = wire.open(15);
  wire.text("IDL:S:1.0");
  wire.text("S\x1b]0;");
  wire.put<std::uint32_t>(1);
  wire.text("m\n");
  wire.put<std::uint32_t>(3);
  wire.close(open);
  wire.put<std::int32_t>(8);
  EXPECT_EQ(text_of(of_octets(wire.bytes, __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)),
            R"(S\x1b]0;{m\n = 8})");
  orb->destroy();
}

}  // namespace
