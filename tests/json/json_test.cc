// Values as JSON, calls by the text of a contract, and JSON that nobody should send.
#include <corbel/json.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "tests/calls/everything.h"
#include "tests/support/comma_locale.h"

namespace {

using Json = nlohmann::ordered_json;
using corbel::json::Caller;
using corbel::json::Error;

constexpr const char* kTypes = R"(
module T {
  enum Color { red, green, blue };
  struct Point { short x; long y; };
  union Choice switch (Color) { case red: long number; case green: string text; default: Point spot; };
  union Plain switch (unsigned long long) { case 18446744073709551615: octet most; };
  struct Node { string name; sequence<Node> inner; };
  typedef sequence<octet> Octets;
  typedef octet Key[3];
  typedef sequence<short, 2> Few;
  typedef fixed<5, 2> Price;
  typedef fixed<2, 2> Share;
  typedef string<3> Brief;
  struct Numbers {
    boolean b; octet o; short s; unsigned short us; long l; unsigned long ul; long long ll;
    unsigned long long ull; float f; double d; long double ld;
  };
  valuetype Tree { public long label; private Tree left; private Tree right; };
  valuetype Leaf : truncatable Tree { public string colour; };
  valuetype Twig : Tree { public string wood; };
  typedef sequence<Tree> Trees;
  abstract valuetype Aged {};
  valuetype Year : Aged { public long number; };
  abstract interface Shown { void show(); };
  valuetype Note supports Shown { public string text; };
  valuetype Box string;
  exception Refused { string why; };
  struct Small { int8 i; uint8 u; sequence<int8> many; };
  union Signed switch (int8) { case -1: short s; default: long l; };
  interface Thing { readonly attribute long size; attribute string label; };
  @bit_bound(40) bitmask Flags { first, @position(39) last };
  @bit_bound(8) bitmask Few_flags { one };
  bitset Bits { bitfield<3> low; bitfield<4> high; };
  custom valuetype Spelled { public long n; };
  interface Echo { Tree as_Tree(in Tree v); Trees as_Trees(in Trees v); Aged as_Aged(in Aged v); Shown as_Shown(in Shown v); };
};
)";

class Values : public testing::Test {
 protected:
  Values() {
    int argc = 0;
    char** const argv = nullptr;
    orb = CORBA::ORB_init(argc, const_cast<char**>(argv), "json-test");
  }
  // What comes back when a value has been an Any.
  std::string through(const char* type, const std::string& json) {
    const Caller caller(orb.in(), contract);
    CORBA::TypeCode_var t = type_of(type);
    return caller.to_json(caller.from_json(t.in(), json));
  }
  CORBA::TypeCode_ptr type_of(const std::string& name) {
    if (name == "any") return CORBA::TypeCode::_duplicate(CORBA::_tc_any);
    if (name == "char") return CORBA::TypeCode::_duplicate(CORBA::_tc_char);
    if (name == "wchar") return CORBA::TypeCode::_duplicate(CORBA::_tc_wchar);
    if (name == "string") return CORBA::TypeCode::_duplicate(CORBA::_tc_string);
    if (name == "wstring") return CORBA::TypeCode::_duplicate(CORBA::_tc_wstring);
    if (name == "long") return CORBA::TypeCode::_duplicate(CORBA::_tc_long);
    if (name == "double") return CORBA::TypeCode::_duplicate(CORBA::_tc_double);
    if (name == "Object") return CORBA::TypeCode::_duplicate(CORBA::_tc_Object);
    if (name == "TypeCode") return CORBA::TypeCode::_duplicate(CORBA::_tc_TypeCode);
    return contract.type("T::" + name);
  }
  void same(const char* type, const std::string& json) { EXPECT_EQ(through(type, json), json) << type; }
  // What is wrong with it, and where.
  std::string fault(const char* type, const std::string& json) {
    try {
      (void)through(type, json);
    } catch (const Error& e) {
      return e.what();
    } catch (const CORBA::Exception& e) {
      return std::string("raised ") + e._name();
    }
    return "none";
  }

  CORBA::ORB_var orb;
  corbel::json::Contract contract = corbel::json::Contract::of_text(kTypes);
};

TEST_F(Values, NumbersComeBack) {
  same(
      "Numbers",
      R"({"b":true,"o":255,"s":-32768,"us":65535,"l":-2147483648,"ul":4294967295,"ll":"-9223372036854775808",)"
      R"("ull":"18446744073709551615","f":0.1,"d":1e+300,"ld":"0.5"})");
}
// The shortest text of the largest float says a little more than it is.
TEST_F(Values, TheLargestFloatComesBack) {
  const std::string numbers =
      R"({"b":false,"o":0,"s":0,"us":0,"l":0,"ul":0,"ll":"0","ull":"0","f":F,"d":0.0,"ld":"0"})";
  const auto with = [&](const std::string& f) {
    return std::string(numbers).replace(numbers.find('F'), 1, f);
  };
  same("Numbers", with("3.4028235e+38"));
  same("Numbers", with("-3.4028235e+38"));
  EXPECT_EQ(fault("Numbers", with("3.4028236e+38")), "$.f: the number is too large");
}
TEST_F(Values, ZeroMayHaveASign) { EXPECT_EQ(fault("Small", R"({"i":-0,"u":-0,"many":[-0]})"), "none"); }
TEST_F(Values, NumbersTooLargeForAnyTypeAreSaidToBeSo) {
  EXPECT_EQ(fault("double", "1e400"), "$: a number in the text is too large");
}
TEST_F(Values, ObjectsWithTwoMembersOfOneNameAreRefused) {
  EXPECT_EQ(fault("Small", R"({"i":1,"u":0,"i":2,"many":[]})"), "$: an object has two members \"i\"");
  EXPECT_EQ(fault("any", R"({"type":"long","value":{"a":{"b":1},"c":{"b":1,"b":1}}})"),
            "$: an object has two members \"b\"");
}
TEST_F(Values, Int8KeepsItsSign) {
  same("Small", R"({"i":-1,"u":255,"many":[-128,127]})");
  EXPECT_EQ(fault("Small", R"({"i":128,"u":0,"many":[]})"), "$.i: expected an integer from -128 to 127");
  same("Signed", R"({"_d":-1,"s":5})");
  same("Signed", R"({"_d":-2,"l":70000})");
}
TEST_F(Values, LongDoublesAreDigitsAlone) {
  const auto read = [&](const std::string& digits) {
    const std::string all = R"({"b":true,"o":1,"s":1,"us":1,"l":1,"ul":1,"ll":1,"ull":1,"f":1,"d":1,"ld":")";
    const std::string fault_text = fault("Numbers", all + digits + "\"}");
    return fault_text != "none"
               ? "refused"
               : Json::parse(through("Numbers", all + digits + "\"}"))["ld"].get<std::string>();
  };
  EXPECT_EQ(read("-1.5"), "-1.5");
  EXPECT_EQ(read("+2.5e1"), "25");
  EXPECT_EQ(read(".5"), "0.5");
  for (const char* const bad : {"", "+", "-", ".", "0x10", "1,5", "1.5 ", " 1.5", "+-1", "1e9999", "1e"})
    EXPECT_EQ(read(bad), "refused") << bad;
}
TEST_F(Values, LongDoublesMayBeIntegersWithAllTheirDigits) {
  if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double is double here";
  for (const char* const digits : {"18446744073709551615", "9007199254740993", "-9223372036854775807"}) {
    const std::string all = R"({"b":true,"o":1,"s":1,"us":1,"l":1,"ul":1,"ll":1,"ull":1,"f":1,"d":1,"ld":)";
    EXPECT_EQ(Json::parse(through("Numbers", all + digits + "}"))["ld"], digits);
  }
}
TEST_F(Values, TheSmallestNumbersComeBack) {
  const auto with = [](const char* f, const char* d, const std::string& ld) {
    return std::string(R"({"b":false,"o":0,"s":0,"us":0,"l":0,"ul":0,"ll":"0","ull":"0","f":)") + f +
           ",\"d\":" + d + ",\"ld\":\"" + ld + "\"}";
  };
  using Limits = std::numeric_limits<long double>;
  for (const long double n :
       {Limits::denorm_min(), -Limits::denorm_min(), Limits::min() / 3, Limits::min()}) {
    char text[64];
    *std::to_chars(text, text + sizeof text, n, std::chars_format::general, Limits::max_digits10).ptr = '\0';
    same("Numbers", with("1e-45", "5e-324", text));
  }
  EXPECT_EQ(Json::parse(through("Numbers", with("0.0", "0.0", "-1e-99999")))["ld"], "-0");
}
TEST_F(Values, NumbersHaveAPointWhateverTheLocaleHas) {
  const corbel::testing_support::CommaLocale locale;
  if (!locale.there()) GTEST_SKIP() << "no locale that has a comma";
  same("Numbers",
       R"({"b":true,"o":1,"s":1,"us":1,"l":1,"ul":1,"ll":"1","ull":"1","f":1.5,"d":1.5,"ld":"1.5"})");
  if (std::numeric_limits<long double>::digits == 64)
    same("Numbers", R"({"b":true,"o":1,"s":1,"us":1,"l":1,"ul":1,"ll":"1","ull":"1","f":1.5,"d":1.5,)"
                    R"("ld":"3.64519953188247460253e-4951"})");
}
TEST_F(Values, LongLongsMayBeNumbersToo) {
  EXPECT_EQ(Json::parse(through(
                "Numbers",
                R"({"b":true,"o":1,"s":1,"us":1,"l":1,"ul":1,"ll":-5,"ull":7,"f":1,"d":2,"ld":3})"))["ll"],
            "-5");
}
TEST_F(Values, WhatIsNoNumberIsAString) {
  for (const char* const text : {"\"NaN\"", "\"Infinity\"", "\"-Infinity\""}) same("double", text);
}
TEST_F(Values, TextIsUtf8WhateverTheProgramHas) {
  same("string", "\"gr\xc3\xbc\xc3\x9f\"");
  same("char", "\"\xc3\xbc\"");
  same("wchar", "\"\xe2\x82\xac\"");
  same("wstring", "\"\xe2\x82\xac\xf0\x9f\x98\x80\"");
}
TEST_F(Values, StructuresAndSequencesComeBack) {
  same("Point", R"({"x":-1,"y":2})");
  same("Node", R"({"name":"a","inner":[{"name":"b","inner":[]},{"name":"c","inner":[]}]})");
  same("Few", "[1,-2]");
}
TEST_F(Values, OctetsAreBase64OrAnArray) {
  same("Octets", "\"AAEC/w==\"");
  same("Key", "\"AQID\"");
  EXPECT_EQ(through("Octets", "[0,1,2,255]"), "\"AAEC/w==\"");
  EXPECT_EQ(through("Octets", "[]"), "\"\"");
}
TEST_F(Values, UnionsNameTheirDiscriminator) {
  same("Choice", R"({"_d":"red","number":5})");
  same("Choice", R"({"_d":"green","text":"t"})");
  same("Choice", R"({"_d":"blue","spot":{"x":1,"y":2}})");
  same("Plain", R"({"_d":"18446744073709551615","most":1})");
  same("Plain", R"({"_d":"3"})");
}
TEST_F(Values, EnumsAndFixedAreStrings) {
  same("Color", "\"blue\"");
  same("Price", "\"-123.45\"");
  EXPECT_EQ(through("Price", "7"), "\"7.00\"");
}
// Those of more than 32 bits are like any unsigned long long.
TEST_F(Values, BitmasksAndBitsetsAreNumbers) {
  same("Few_flags", "1");
  same("Bits", "93");
  same("Flags", "\"549755813889\"");
}
TEST_F(Values, OfCustomValuetypesHaveNoForm) {
  EXPECT_EQ(fault("Spelled", R"({"n":1})"), "$: values of custom valuetypes have no form in JSON");
}
TEST_F(Values, FixedWithoutDigitsBeforeThePointMayBeZero) {
  for (const char* const zero : {"0", "\"0\"", "\"0.00\"", "\"-0.0\""})
    EXPECT_EQ(through("Share", zero), through("Share", "\"0.00\"")) << zero;
  EXPECT_EQ(Json::parse(through("Share", "0")), "0.00");
  EXPECT_EQ(through("Share", "\".25\""), "\"0.25\"");
  EXPECT_NE(fault("Share", "1"), "none");
}
TEST_F(Values, AnysSayTheirType) {
  same("any", R"({"type":"unsigned short","value":7})");
  same("any", R"({"type":"IDL:T/Point:1.0","value":{"x":1,"y":2}})");
  EXPECT_EQ(through("any", R"({"type":"T::Color","value":"red"})"),
            R"({"type":"IDL:T/Color:1.0","value":"red"})");
  same("any", R"({"type":{"sequence":"string","bound":2},"value":["a"]})");
  same("any", R"({"type":{"array":{"fixed":[3,1]},"length":1},"value":["1.5"]})");
  same("any", R"({"type":"any","value":{"type":{"string":4},"value":"four"}})");
  same("TypeCode", R"({"sequence":"IDL:T/Node:1.0"})");
}
// As omniORB writes them.
TEST_F(Values, ExceptionsInAnAnyMayComeWithoutTheirId) {
  const Caller caller(orb.in(), contract);
  CORBA::TypeCode_var type = contract.type("T::Refused");
  for (const bool with_id : {false, true}) {
    corbel::cdr::Encoder out;
    out.reset();
    if (with_id) out.put_string("IDL:T/Refused:1.0");
    out.put_string("because");
    corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
    CORBA::Any any;
    ASSERT_TRUE(any._corbel_unmarshal_value(in, *type.in()));
    EXPECT_EQ(caller.to_json(any), R"({"why":"because"})");
  }
}
TEST_F(Values, ReferencesAreTextAndNilIsNull) {
  same("Object", "null");
  EXPECT_EQ(through("Object", "\"corbaloc::localhost:1/key\"").substr(0, 5), "\"IOR:");
}
TEST_F(Values, ValuesComeBackWithWhatTheyShare) {
  same("Tree", "null");
  same("Tree",
       R"({"_type":"IDL:T/Tree:1.0","label":1,"left":null,"right":{"_type":"IDL:T/Tree:1.0","label":2,)"
       R"("left":null,"right":null}})");
  same("Tree", R"({"_type":"IDL:T/Tree:1.0","label":1,"left":{"_ref":"$"},"right":{"_ref":"$"}})");
  same("Tree", R"({"_type":"IDL:T/Leaf:1.0","label":1,"left":null,"right":null,"colour":"red"})");
  same("Box", "\"boxed\"");
}

TEST_F(Values, OfDerivedTypesComeBack) {
  const std::string twig =
      R"({"_type":"IDL:T/Twig:1.0","label":1,"left":null,"right":{"_ref":"$"},"wood":"gr\u00fcn"})";
  EXPECT_EQ(Json::parse(through("Tree", twig)), Json::parse(twig));
  const std::string shared = R"([{"_type":"IDL:T/Twig:1.0","label":1,"left":null,"right":null,"wood":"oak"},)"
                             R"({"_ref":"$[0]"}])";
  same("Trees", shared);
  same("Aged", R"({"_type":"IDL:T/Year:1.0","number":5})");
  same("Shown", R"({"_type":"IDL:T/Note:1.0","text":"t"})");
}
// As a peer sends them that has another byte order and another char set.
TEST_F(Values, OfDerivedTypesAreReadAsTheyStand) {
  using namespace corbel::cdr;
  const Caller caller(orb.in(), contract);
  CORBA::TypeCode_var tree = contract.type("T::Tree");
  for (const bool swap : {false, true})
    for (const bool truncatable : {false, true}) {
      std::string octets;
      const auto number = [&](std::uint32_t n) {
        octets.resize((octets.size() + 3) / 4 * 4);
        const bool little = kHostIsLittleEndian != swap;
        for (int i = 0; i < 4; ++i) octets += static_cast<char>(n >> (little ? 8 * i : 24 - 8 * i));
      };
      const auto text = [&](const std::string& s) {
        number(static_cast<std::uint32_t>(s.size() + 1));
        octets += s + '\0';
      };
      number(0x7fffff08 | (truncatable ? 6 : 2));
      if (truncatable) number(2);
      text(truncatable ? "IDL:T/Leaf:1.0" : "IDL:T/Twig:1.0");
      if (truncatable) text("IDL:T/Tree:1.0");
      number(22);  // a chunk
      for (int i : {1, 0, 0}) number(static_cast<std::uint32_t>(i));
      text("gr\xc3\xbcn");
      number(static_cast<std::uint32_t>(-1));
      std::vector<double> memory(octets.size() / 8 + 1);
      char* const at = reinterpret_cast<char*>(memory.data());
      octets.copy(at, octets.size());
      Decoder in(at, at, at + octets.size(), swap);
      constexpr std::uint32_t kLatin1 = 1, kUtf8 = 2;
      in.set_text(form::of_sets(kUtf8, kLatin1));
      CORBA::Any any;
      ASSERT_TRUE(any._corbel_unmarshal_value(in, *tree.in()));
      EXPECT_EQ(
          Json::parse(caller.to_json(any)),
          Json::parse(
              truncatable
                  ? R"({"_type":"IDL:T/Leaf:1.0","label":1,"left":null,"right":null,"colour":"gr\u00fcn"})"
                  : R"({"_type":"IDL:T/Twig:1.0","label":1,"left":null,"right":null,"wood":"gr\u00fcn"})"))
          << swap << truncatable;
    }
}

TEST_F(Values, FaultsNameTheirPlace) {
  EXPECT_EQ(fault("Node", R"({"name":"a","inner":[{"name":"b","inner":[]},{"name":3,"inner":[]}]})"),
            "$.inner[1].name: expected a string");
  EXPECT_EQ(fault("Point", R"({"x":40000,"y":1})"), "$.x: expected an integer from -32768 to 32767");
  EXPECT_EQ(fault("Point", R"({"x":1.5,"y":1})"), "$.x: expected an integer from -32768 to 32767");
  EXPECT_EQ(fault("Point", R"({"x":1})"), "$: member 'y' is missing");
  EXPECT_EQ(fault("Point", R"({"x":1,"y":2,"z":3})"), "$.z: 'Point' has no such member");
  EXPECT_EQ(fault("Point", "[1,2]"), "$: expected an object");
  EXPECT_EQ(fault("Point", R"({"x":1,"y":2,"_type":5})"), "$._type: 'Point' has no such member");
  EXPECT_EQ(fault("Refused", R"({"why":"","_type":5})"), "$._type: 'Refused' has no such member");
  EXPECT_EQ(fault("Color", "\"pink\""), "$: enum 'Color' has no 'pink'");
  EXPECT_EQ(fault("Color", "0"), "$: expected the name of an enumerator");
  EXPECT_EQ(fault("Choice", R"({"number":5})"), "$: expected an object with the discriminator, \"_d\"");
  EXPECT_EQ(fault("Choice", R"({"_d":"red","text":"t"})"), "$.text: the discriminator does not select this");
  EXPECT_EQ(fault("Choice", R"({"_d":"red"})"),
            "$: member 'number', which the discriminator selects, is missing");
  EXPECT_EQ(fault("Few", "[1,2,3]"), "$: the sequence is longer than its bound of 2");
  EXPECT_EQ(fault("Key", "\"AQI=\""), "$: expected 3 elements, not 2");
  EXPECT_EQ(fault("Octets", "\"AQ=I\""), "$: the string is not base64");
  EXPECT_EQ(fault("Brief", "\"four\""), "$: the string is longer than its bound of 3");
  EXPECT_EQ(fault("any", R"({"type":"T::Nothing","value":1})"),
            "$.type: the contract has no type 'T::Nothing'");
  EXPECT_EQ(fault("any", R"({"type":{"sequence":"void*"},"value":1})"),
            "$.type.sequence: the contract has no type 'void*'");
  EXPECT_EQ(fault("Tree", R"({"_type":"IDL:T/Box:1.0"})"),
            "$._type: the type is not, and does not derive from, the one that is expected here");
}
TEST_F(Values, NumbersThatDoNotFitAreRefused) {
  for (const char* const bad :
       {"2147483648", "-2147483649", "18446744073709551616", "1e400", "true", "null", "\"1\"", "{}"})
    EXPECT_NE(fault("long", bad), "none") << bad;
  for (const char* const bad :
       {"\"1000.00\"", "\"1.234\"", "\"1.00000000000000000000000000000000000001\"",
        "\"0.0000000000000000000000000000000000001\"", "\"00000000000000000000000000000001000.00\"", "\"\"",
        "\".\"", "\"1.2.3\"", "\"1e2\"", "true", "1.5"})
    EXPECT_NE(fault("Price", bad), "none") << bad;
}
TEST_F(Values, TextOfNoCodeIsRefused) {
  EXPECT_NE(fault("string", "\"a\\u0000b\""), "none");
  EXPECT_NE(fault("string", "\"\xff\""), "none");
  EXPECT_NE(fault("string", "\"\\ud800\""), "none");
  EXPECT_NE(fault("char", "\"ab\""), "none");
  EXPECT_NE(fault("char", "\"\xe2\x82\xac\""), "none");
}
TEST_F(Values, ReferencesReadNoFilesAndCallNobody) {
  for (const char* const bad :
       {"\"file:///etc/passwd\"", "\"corbaname::localhost:1#a\"", "\"corbaloc:rir:/NameService\"",
        "\"corbaloc:rir:/RootPOA\"", "\"IOR:zz\"", "\"\"", "5"})
    EXPECT_NE(fault("Object", bad), "none") << bad;
}
TEST_F(Values, WhatNestsTooDeepIsRefused) {
  for (const std::size_t depth : {300u, 100'000u}) {
    EXPECT_EQ(fault("Few", std::string(depth, '[') + std::string(depth, ']')), "$: the text nests too deep");
    EXPECT_NE(fault("any", std::string(depth, '[')), "none");
  }
  std::string anys = "1", types = "\"long\"";
  for (int i = 0; i < 190; ++i) types = R"({"sequence":)" + types + "}";
  EXPECT_NE(fault("any", R"({"type":)" + types + R"(,"value":5})"), "none");
  std::string any = R"({"type":"long","value":1})";
  for (int i = 0; i < 150; ++i) any = R"({"type":"any","value":)" + any + "}";
  EXPECT_EQ(fault("any", any), "none");
  for (int i = 0; i < 100; ++i) any = R"({"type":"any","value":)" + any + "}";
  EXPECT_EQ(fault("any", any), "$: the text nests too deep");
}
TEST_F(Values, TypesMayContainThemselvesWithoutAName) {
  corbel::types::TypeCode sequence(corbel::types::Kind::Sequence, "", "", nullptr, nullptr, 0);
  sequence.content = &sequence;
  CORBA::TypeCode_var type = static_cast<CORBA::TypeCode*>(corbel::types::copy(sequence));
  CORBA::Any any;
  any <<= type.in();
  EXPECT_NE(Caller(orb.in(), contract).to_json(any).find("null"), std::string::npos);
}
TEST_F(Values, HoldNoMillionsOfMembersWithoutOctets) {
  using corbel::types::Kind;
  constexpr std::uint32_t kMembers = 1000, kElements = 100;
  const corbel::types::TypeCode nothing(Kind::Struct, "IDL:Nothing:1.0", "Nothing", nullptr, nullptr, 0);
  std::vector<corbel::types::Member> members(kMembers, {"", &nothing, 0, 0});
  members[0].type = CORBA::_tc_octet;
  const corbel::types::TypeCode element(Kind::Struct, "IDL:S:1.0", "S", nullptr, members.data(), kMembers);
  const corbel::types::TypeCode sequence(Kind::Sequence, "", "", &element, nullptr, 0);
  CORBA::TypeCode_var type = static_cast<CORBA::TypeCode*>(corbel::types::copy(sequence));
  corbel::cdr::Encoder octets;
  octets.reset();
  octets.put(kElements);
  octets.run<1>(std::string(kElements, 'x').data(), kElements);
  corbel::cdr::Decoder in(octets.data(), octets.data(), octets.data() + octets.size(), false);
  CORBA::Any any;
  ASSERT_TRUE(any._corbel_unmarshal_value(in, *type.in()));
  EXPECT_THROW((void)Caller(orb.in(), contract).to_json(any), Error);
}
TEST_F(Values, ObjectsHaveSoManyMembersOnly) {
  std::string members = R"("a0":0)";
  for (int i = 1; i <= 4096; ++i) members += ",\"a" + std::to_string(i) + "\":0";
  EXPECT_EQ(fault("long", "{" + members + "}"), "$: an object has too many members");
  using corbel::types::Kind;
  constexpr std::uint32_t kCount = 4097;
  const std::vector<corbel::types::Member> unnamed(kCount, {"", CORBA::_tc_octet, 0, 0});
  const corbel::types::TypeCode large(Kind::Struct, "IDL:S:1.0", "S", nullptr, unnamed.data(), kCount);
  CORBA::TypeCode_var type = static_cast<CORBA::TypeCode*>(corbel::types::copy(large));
  const std::string octets(kCount, 'x');
  corbel::cdr::Decoder in(octets.data(), octets.data(), octets.data() + kCount, false);
  CORBA::Any any;
  ASSERT_TRUE(any._corbel_unmarshal_value(in, *type.in()));
  EXPECT_THROW((void)Caller(orb.in(), contract).to_json(any), Error);
}
// What stands in an Any's type once.
TEST_F(Values, NamesOfAPeerAreNotCopiedWithoutEnd) {
  using corbel::types::Kind;
  using corbel::types::TypeCode;
  constexpr std::uint32_t kElements = 1500;
  const std::string long_name(100'000, 'n');
  const auto fault_of = [&](const TypeCode& type, const auto& put) -> std::string {
    corbel::cdr::Encoder octets;
    octets.reset();
    octets.put(kElements);
    for (std::uint32_t i = 0; i < kElements; ++i) put(octets);
    CORBA::TypeCode_var t = static_cast<CORBA::TypeCode*>(corbel::types::copy(type));
    corbel::cdr::Decoder in(octets.data(), octets.data(), octets.data() + octets.size(), false);
    CORBA::Any any;
    EXPECT_TRUE(any._corbel_unmarshal_value(in, *t.in()));
    try {
      (void)Caller(orb.in(), contract).to_json(any);
    } catch (const Error& e) {
      const std::string what = e.what();
      return what.substr(what.rfind(':') + 1);
    }
    return "none";
  };
  const auto put_octet = [](corbel::cdr::Encoder& out) { out.put(std::uint8_t{5}); };
  const auto put_zero = [](corbel::cdr::Encoder& out) { out.put(0u); };
  const auto put_box = [](corbel::cdr::Encoder& out) { out.put(0x7fffff00u), out.put(std::uint8_t{5}); };
  const std::string wanted = " the value is too large as JSON";
  const corbel::types::Member member{long_name.c_str(), CORBA::_tc_octet, 0, 0};
  const TypeCode structure(Kind::Struct, "IDL:S:1.0", "S", nullptr, &member, 1);
  EXPECT_EQ(fault_of({Kind::Sequence, "", "", &structure, nullptr, 0}, put_octet), wanted);
  const TypeCode choice(Kind::Union, "IDL:U:1.0", "U", CORBA::_tc_octet, &member, 1, 0, 0);
  EXPECT_EQ(fault_of({Kind::Sequence, "", "", &choice, nullptr, 0},
                     [&](corbel::cdr::Encoder& out) { put_octet(out), put_octet(out); }),
            wanted);
  const TypeCode enumeration(Kind::Enum, "IDL:E:1.0", "E", nullptr, &member, 1);
  EXPECT_EQ(fault_of({Kind::Sequence, "", "", &enumeration, nullptr, 0}, put_zero), wanted);
  const TypeCode value(Kind::Value, long_name.c_str(), "V", nullptr, nullptr, 0);
  EXPECT_EQ(fault_of({Kind::Sequence, "", "", &value, nullptr, 0},
                     [](corbel::cdr::Encoder& out) { out.put(0x7fffff00u); }),
            wanted);
  const TypeCode box(Kind::ValueBox, "IDL:B:1.0", "B", CORBA::_tc_octet, nullptr, 0);
  const TypeCode boxes(Kind::Sequence, "", "", &box, nullptr, 0);
  const corbel::types::Member below{long_name.c_str(), &boxes, 0, 0};
  EXPECT_EQ(fault_of({Kind::Struct, "IDL:S:1.0", "S", nullptr, &below, 1}, put_box), wanted);
  TypeCode endless(Kind::Sequence, "", "", nullptr, nullptr, 0);
  endless.content = &endless;
  CORBA::TypeCode_var deep = static_cast<CORBA::TypeCode*>(corbel::types::copy(endless));
  EXPECT_EQ(fault_of({Kind::Sequence, "", "", CORBA::_tc_TypeCode, nullptr, 0},
                     [&](corbel::cdr::Encoder& out) { corbel::cdr::marshal(out, deep.in()); }),
            wanted);
}
TEST_F(Values, OfManyMembersThatShareANameTheLastCounts) {
  using corbel::types::Kind;
  constexpr std::uint32_t kMembers = 100;
  std::vector<corbel::types::Member> members(kMembers, {"", CORBA::_tc_octet, 0, 0});
  members[98].name = "_3";
  const corbel::types::TypeCode element(Kind::Struct, "IDL:S:1.0", "S", nullptr, members.data(), kMembers);
  const corbel::types::TypeCode array(Kind::Array, "", "", &element, nullptr, 0, 2);
  CORBA::TypeCode_var type = static_cast<CORBA::TypeCode*>(corbel::types::copy(array));
  std::string octets(2 * kMembers, '\1');
  octets[98] = octets[kMembers + 98] = '\2';
  octets[99] = octets[kMembers + 99] = '\3';
  corbel::cdr::Decoder in(octets.data(), octets.data(), octets.data() + octets.size(), false);
  CORBA::Any any;
  ASSERT_TRUE(any._corbel_unmarshal_value(in, *type.in()));
  const Json both = Json::parse(Caller(orb.in(), contract).to_json(any));
  for (const Json& made : both) {
    EXPECT_EQ(made.size(), kMembers - 1);
    EXPECT_EQ(made["_2"], 1);
    EXPECT_EQ(made["_3"], 2);
    EXPECT_EQ(made["_97"], 1);
    EXPECT_EQ(made["_99"], 3);
  }
}
// As a peer may send them in an Any.
TEST_F(Values, ManyUnionsMayHaveManyLabels) {
  using corbel::types::Kind;
  constexpr std::uint32_t kLabels = 20'000, kElements = 20'000;
  std::vector<corbel::types::Member> members(kLabels, {"some", CORBA::_tc_octet, 0, 0});
  for (std::uint32_t i = 0; i < kLabels; ++i) members[i].label = static_cast<std::int64_t>(i) - 1;
  members[7].name = "other";
  const corbel::types::TypeCode element(Kind::Union, "IDL:U:1.0", "U", CORBA::_tc_long, members.data(),
                                        kLabels, 0, 7);
  const corbel::types::TypeCode sequence(Kind::Sequence, "", "", &element, nullptr, 0);
  CORBA::TypeCode_var type = static_cast<CORBA::TypeCode*>(corbel::types::copy(sequence));
  for (const bool inside : {false, true}) {
    corbel::cdr::Encoder octets;
    octets.reset();
    if (inside) corbel::cdr::marshal(octets, type.in());
    octets.put(kElements);
    for (std::uint32_t i = 0; i < kElements; ++i) {
      octets.put(i == 0 ? std::int32_t{-1} : std::int32_t{kLabels});
      octets.put(std::uint8_t{5});
    }
    corbel::cdr::Decoder in(octets.data(), octets.data(), octets.data() + octets.size(), false);
    CORBA::Any any;
    ASSERT_TRUE(any._corbel_unmarshal_value(in, inside ? *CORBA::_tc_any : *type.in()));
    const std::string json = Caller(orb.in(), contract).to_json(any);
    EXPECT_NE(json.find(R"([{"_d":-1,"some":5},{"_d":20000,"other":5},)"), std::string::npos);
  }
}
TEST_F(Values, LengthsOfTypesTakeNoMemory) {
  EXPECT_EQ(
      fault("any",
            R"({"type":{"array":{"array":"octet","length":4294967295},"length":4294967295},"value":[]})"),
      "$.value: expected 4294967295 elements, not 0");
  EXPECT_NE(fault("any", R"({"type":{"fixed":[99,1]},"value":"1"})"), "none");
  EXPECT_NE(fault("any", R"({"type":{"sequence":"long","bound":-1},"value":[]})"), "none");
}

TEST(Contracts, TellWhatTheyHave) {
  const auto contract = corbel::json::Contract::of_text(kTypes);
  EXPECT_EQ(contract.interfaces(), (std::vector<std::string>{"T::Shown", "T::Thing", "T::Echo"}));
  EXPECT_EQ(contract.operations("IDL:T/Thing:1.0"),
            (std::vector<std::string>{"_get_size", "_get_label", "_set_label"}));
  EXPECT_THROW((void)contract.operations("T::Nothing"), Error);
}
TEST(Contracts, WithErrorsComeWithTheCompilersWords) {
  try {
    (void)corbel::json::Contract::of_text("interface I { void f(in Missing m); };");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("<contract>:1:"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("Missing"), std::string::npos);
  }
}
// As many types as there are members in the base of each.
TEST(Contracts, WhoseTypesInheritTooMuchAreRefused) {
  constexpr int kMany = 1500;
  std::string structs = "struct B {", interfaces = "interface All : A0";
  for (int i = 0; i < kMany; ++i) structs += " long a" + std::to_string(i) + ";";
  structs += " };\n";
  for (int i = 0; i < kMany; ++i) structs += "struct S" + std::to_string(i) + " : B {};\n";
  for (int i = 1; i < kMany; ++i) interfaces += ", A" + std::to_string(i);
  interfaces += " {};\n";
  for (int i = kMany; i-- != 0;) interfaces.insert(0, "interface A" + std::to_string(i) + " {};\n");
  for (int i = 0; i < kMany; ++i) interfaces += "interface X" + std::to_string(i) + " : All {};\n";
  for (const std::string& text : {structs, interfaces}) try {
      (void)corbel::json::Contract::of_text(text);
      ADD_FAILURE() << text.substr(0, 40);
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("inherit"), std::string::npos) << e.what();
    }
}
TEST(Contracts, OfTextIncludeNothingFromElsewhere) {
  try {
    (void)corbel::json::Contract::of_text("#include \"/etc/hostname\"\n");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("file-not-found"), std::string::npos) << e.what();
  }
  EXPECT_THROW((void)corbel::json::Contract::of_file("/nowhere.idl"), Error);
}
TEST(Contracts, OfTextIncludeFilesOfAnyName) {
  const std::filesystem::path dir =
      std::filesystem::temp_directory_path() / ("json_test." + std::to_string(getpid()));
  std::filesystem::create_directory(dir);
  std::ofstream(dir / "contract.idl") << "interface Included { void f(); };\n";
  corbel::json::Contract::Options options;
  options.include_dirs = {dir.string()};
  const auto contract =
      corbel::json::Contract::of_text("#include \"contract.idl\"\ninterface I : Included {};\n", options);
  EXPECT_EQ(contract.operations("I"), (std::vector<std::string>{"f"}));
  std::filesystem::remove_all(dir);
}
TEST(Contracts, InheritWhatEachAncestorHasOnce) {
  const auto contract = corbel::json::Contract::of_text(
      "interface A { void of_a(); }; interface B : A { void of_b(); attribute long n; };"
      "interface C : A { void of_c(); }; interface D : B, C { void of_d(); };");
  EXPECT_EQ(contract.operations("D"),
            (std::vector<std::string>{"of_a", "of_b", "_get_n", "_set_n", "of_c", "of_d"}));
  EXPECT_EQ(contract.operations("C"), (std::vector<std::string>{"of_a", "of_c"}));
}

TEST(Contracts, HaveValuesThatHoldEachOtherInLongChains) {
  constexpr int kValues = 20'000;
  std::string text = "valuetype V0;\n";
  for (int i = 0; i < kValues; ++i) {
    const std::string next = "V" + std::to_string(i + 1);
    text += "valuetype " + next + "; valuetype V" + std::to_string(i) + " { public " + next + " m; };\n";
  }
  text += "valuetype V" + std::to_string(kValues) + " { public long m; };\n";
  const auto contract = corbel::json::Contract::of_text(text);
  CORBA::TypeCode_var type = contract.type("V0");
  for (int i = 0; i < kValues; ++i) type = type->member_type(0);
  EXPECT_EQ(type->member_type(0)->kind(), CORBA::tk_long);
}

class Calls : public testing::Test {
 protected:
  Json call(const char* operation, const std::string& arguments = "{}") {
    return Json::parse(caller.call(orbs.everything.in(), "Contract::Everything", operation, arguments));
  }
  std::string fault(const char* operation, const std::string& arguments) {
    try {
      (void)call(operation, arguments);
    } catch (const Error& e) {
      return e.what();
    }
    return "none";
  }
  TwoOrbs orbs{"pool", "1.2"};
  Caller caller{orbs.client.in(), corbel::json::Contract::of_file(CONTRACT_IDL)};
};

TEST_F(Calls, PassNumbersByNameAndByPlace) {
  const Json wanted = Json::parse(R"({"result":"1000000266","out":{"m":42,"n":3.75}})");
  EXPECT_EQ(
      call(
          "numbers",
          R"({"a":-1,"b":1,"c":2,"d":3,"wide":"1000000000","f":5,"g":1.5,"h":2.25,"i":190,"j":"A","k":true,"m":41})"),
      wanted);
  EXPECT_EQ(call("numbers", R"([-1,1,2,3,1000000000,5,1.5,2.25,190,"A",true,41])"), wanted);
}
TEST_F(Calls, PassConstructedTypesEachWay) {
  EXPECT_EQ(
      call("give_person",
           R"({"a":{"name":"A","age":1,"nicknames":["x","y"]},"b":{"name":"B","age":2,"nicknames":[]}})"),
      Json::parse(
          R"({"result":{"name":"A","age":1,"nicknames":["x","y"]},)"
          R"("out":{"b":{"name":"A","age":1,"nicknames":["x","y"]},"c":{"name":"B","age":2,"nicknames":[]}}})"));
  EXPECT_EQ(call("give_octets", R"(["AQID",""])"),
            Json::parse(R"({"result":"AQID","out":{"b":"AQID","c":""}})"));
  EXPECT_EQ(call("give_row", R"([[1,2,3,4],[5,6,7,8]])")["out"]["c"], Json::parse("[5,6,7,8]"));
  EXPECT_EQ(call("give_tree",
                 R"([{"label":1,"children":[{"label":2,"children":[]}]}])")["result"]["children"][0]["label"],
            2);
  EXPECT_EQ(call("give_maybe", R"([{"_d":true,"some":[1]}])")["result"],
            Json::parse(R"({"_d":true,"some":[1]})"));
}
TEST_F(Calls, ReachAttributes) {
  EXPECT_EQ(call("_get_count"), Json::parse(R"({"result":7})"));
  EXPECT_EQ(call("_set_label", R"({"value":"new"})"), Json::object());
  EXPECT_EQ(call("_get_label")["result"], "new");
}
TEST_F(Calls, PassReferencesAsText) {
  CORBA::String_var own = orbs.client->object_to_string(orbs.everything.in());
  const Json reply = call("reference", Json::array({own.in(), nullptr}).dump());
  EXPECT_EQ(reply["result"].get<std::string>().substr(0, 4), "IOR:");
  EXPECT_EQ(reply["out"]["b"], nullptr);
}
TEST_F(Calls, GiveUserExceptionsAsJson) {
  const Json raised = call("refuse", "[7]")["exception"];
  EXPECT_EQ(raised["kind"], "user");
  EXPECT_EQ(raised["id"], "IDL:Contract/Refused:1.0");
  EXPECT_EQ(raised["members"]["code"], 7);
}
TEST_F(Calls, GiveStandardExceptionsAsJson) {
  const Json raised = call("fail")["exception"];
  EXPECT_EQ(raised["kind"], "system");
  EXPECT_EQ(raised["id"], "IDL:omg.org/CORBA/NO_PERMISSION:1.0");
  EXPECT_EQ(raised["minor"], 5);
  EXPECT_EQ(raised["completed"], "yes");
}
TEST_F(Calls, OneWaysGiveNothing) {
  EXPECT_EQ(call("note", "[5]"), Json::object());
  EXPECT_EQ(call("noted")["result"], 5);
}
TEST_F(Calls, RefuseWhatTheContractDoesNotHave) {
  EXPECT_EQ(fault("nothing", "[]"), "interface 'Contract::Everything' has no operation 'nothing'");
  EXPECT_EQ(fault("plus", "{}"), "$: argument 'n' is missing");
  EXPECT_EQ(fault("plus", "[]"), "$: operation 'plus' takes 1 arguments, not 0");
  EXPECT_EQ(fault("plus", R"({"n":1,"m":2})"), "$.m: operation 'plus' takes no such argument");
  EXPECT_EQ(fault("plus", R"({"n":"one"})"), "$.n: expected an integer from -2147483648 to 2147483647");
  EXPECT_EQ(fault("plus", "1"), "$: expected an object of arguments, or an array");
  EXPECT_EQ(fault("plus", "{").substr(0, 22), "$: the text is no JSON");
}

// A map has no TypeCode, wherever it stands and whether it has a name.
TEST_F(Calls, RefuseTypesThatDoNotTravel) {
  const auto contract = corbel::json::Contract::of_text(R"(
    typedef map<string, long> Named;
    struct Holder { map<string, long> inside; };
    exception Full { map<string, long> inside; };
    interface I {
      void in_map(in map<string, long> m);
      void in_maps(in sequence<map<string, long> > m);
      void in_named(in Named m);
      void in_holder(in Holder m);
      void out_map(out map<string, long> m);
      map<string, long> give_map();
      Named give_named();
      attribute map<string, long> all;
      void fill() raises(Full);
    };)");
  const Caller other(orbs.client.in(), contract);
  const auto refused = [&](const char* operation, const char* arguments) {
    try {
      return other.call(orbs.everything.in(), "I", operation, arguments);
    } catch (const Error& e) {
      return std::string(e.what());
    }
  };
  const std::string why = ": values of this type are not sent (it is native, or holds a map)";
  for (const char* const operation : {"in_map", "in_maps", "in_named", "in_holder"})
    EXPECT_EQ(refused(operation, R"({"m":{}})"), "$.m" + why) << operation;
  EXPECT_EQ(refused("out_map", "{}"), "$.m" + why);
  for (const char* const operation : {"give_map", "give_named", "_get_all"})
    EXPECT_EQ(refused(operation, "{}"), "$.result" + why) << operation;
  EXPECT_EQ(refused("fill", "{}"), "$.raises.Full" + why);
}

// Gives the value of a property that came with the call.
class Surrounded : public PortableServer::DynamicImplementation {
 public:
  explicit Surrounded(CORBA::ORB_ptr orb) : orb_(orb) {}
  void invoke(CORBA::ServerRequest_ptr request) override {
    CORBA::NVList_ptr none = nullptr;
    orb_->create_list(0, none);
    request->arguments(none);
    CORBA::NVList_var values;
    request->ctx()->get_values(nullptr, 0, "USER", values.out());
    request->set_result(*values->item(0)->value());
  }
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:I:1.0");
  }

 private:
  CORBA::ORB_ptr const orb_;
};

TEST_F(Calls, SendWhatTheDefaultContextHas) {
  const auto contract = corbel::json::Contract::of_text(R"(interface I { string who() context("USER"); };)");
  PortableServer::Servant_var<Surrounded> servant = new Surrounded(orbs.server.in());
  const PortableServer::ObjectId_var id = orbs.poa->activate_object(servant);
  const CORBA::Object_var local = orbs.poa->id_to_reference(id.in());
  const CORBA::String_var ior = orbs.server->object_to_string(local.in());
  const CORBA::Object_var object = orbs.client->string_to_object(ior.in());
  CORBA::Context_var context;
  orbs.client->get_default_context(context);
  CORBA::Any ada;
  ada <<= "ada";
  context->set_one_value("USER", ada);
  EXPECT_EQ(Caller(orbs.client.in(), contract).call(object.in(), "I", "who", "{}"), R"({"result":"ada"})");
}

// ---- values that their types do not describe, to a servant that knows their types no better

class EchoServant : public PortableServer::DynamicImplementation {
 public:
  EchoServant(CORBA::ORB_ptr orb, const corbel::json::Contract& contract) : orb_(orb), contract_(contract) {}
  void invoke(CORBA::ServerRequest_ptr request) override {
    CORBA::NVList_ptr list = nullptr;
    orb_->create_list(0, list);
    CORBA::Any& value = *list->add(CORBA::ARG_IN)->value();
    const std::string operation = request->operation();
    const CORBA::TypeCode_var type = contract_.type("T::" + operation.substr(operation.find('_') + 1));
    value.replace(type.in(), nullptr);
    request->arguments(list);
    request->set_result(value);
  }
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:T/Echo:1.0");
  }

 private:
  CORBA::ORB_ptr const orb_;
  const corbel::json::Contract& contract_;
};

// The char sets of the client and of the server.
class DerivedValues : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(DerivedValues, ReachTheirPeerWhole) {
  const auto contract = corbel::json::Contract::of_text(kTypes);
  const auto orb_of = [](const char* id, const char* set) {
    const char* args[] = {"test", "-ORBendPoint", TwoOrbs::endpoint(), "-ORBnativeCharCodeSet", set, nullptr};
    int argc = 5;
    return CORBA::ORB_var(CORBA::ORB_init(argc, const_cast<char**>(args), id));
  };
  const CORBA::ORB_var server = orb_of("echo-server", std::get<1>(GetParam()));
  const CORBA::ORB_var client = orb_of("echo-client", std::get<0>(GetParam()));
  {
    const PortableServer::POA_var poa = TwoOrbs::activate(server.in());
    EchoServant servant(server.in(), contract);
    const PortableServer::ObjectId_var id = poa->activate_object(&servant);
    const CORBA::Object_var local = poa->id_to_reference(id.in());
    const CORBA::String_var ior = server->object_to_string(local.in());
    const CORBA::Object_var object = client->string_to_object(ior.in());
    const Caller caller(client.in(), contract);
    const auto comes_back = [&](const char* operation, const std::string& value) {
      const Json reply =
          Json::parse(caller.call(object.in(), "T::Echo", operation, R"({"v":)" + value + "}"));
      EXPECT_EQ(reply, Json({{"result", Json::parse(value)}})) << operation;
    };
    const std::string rest = R"("label":1,"left":null,"right":null,)";
    comes_back("as_Tree", R"({"_type":"IDL:T/Leaf:1.0",)" + rest + R"("colour":"gr\u00fcn"})");
    comes_back("as_Tree", R"({"_type":"IDL:T/Twig:1.0",)" + rest + R"("wood":"gr\u00fcn"})");
    comes_back("as_Aged", R"({"_type":"IDL:T/Year:1.0","number":5})");
    comes_back("as_Shown", R"({"_type":"IDL:T/Note:1.0","text":"gr\u00fcn"})");
    // Within the argument values stand elsewhere than within the result.
    const std::string leaf = R"({"_type":"IDL:T/Leaf:1.0",)" + rest + R"("colour":"red"})";
    const Json reply = Json::parse(
        caller.call(object.in(), "T::Echo", "as_Trees", R"({"v":[)" + leaf + R"(,{"_ref":"$.v[0]"}]})"));
    EXPECT_EQ(reply["result"], Json::parse("[" + leaf + R"(,{"_ref":"$.result[0]"}])"));
    poa->deactivate_object(id.in());
  }
  client->destroy();
  server->destroy();
}
INSTANTIATE_TEST_SUITE_P(Sets, DerivedValues,
                         testing::Combine(testing::Values("ISO-8859-1", "UTF-8"),
                                          testing::Values("ISO-8859-1", "UTF-8")));

}  // namespace
