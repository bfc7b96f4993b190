// TypeCodes and Anys that no honest peer would send: refused, without hanging, overflowing the stack or
// believing a lie.
#include <corbel/any.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <random>
#include <string>
#include <vector>

#include "wire.h"

using corbel::types::Kind;
using corbel::types::Member;

namespace {

enum : std::uint32_t {
  kLong = 3,
  kOctet = 10,
  kStruct = 15,
  kUnion = 16,
  kEnum = 17,
  kSequence = 19,
  kAlias = 21,
  kFixed = 28
};

class Received {
 public:
  explicit Received(const Wire& wire) : memory_(wire.bytes.size() / 8 + 1) {
    char* const at = reinterpret_cast<char*>(memory_.data());
    std::memcpy(at, wire.bytes.data(), wire.bytes.size());
    in = corbel::cdr::Decoder(at, at, at + wire.bytes.size(),
                              wire.little() != corbel::cdr::kHostIsLittleEndian);
  }
  corbel::cdr::Decoder in;

 private:
  std::vector<double> memory_;
};

CORBA::TypeCode_var type_of(const Wire& wire) {
  Received received(wire);
  CORBA::TypeCode_var type;
  const bool good = corbel::cdr::unmarshal(received.in, type);
  EXPECT_EQ(good, !received.in.failed());
  return type;
}

bool holds(const Wire& wire, CORBA::Any& any) {
  Received received(wire);
  return corbel::cdr::unmarshal(received.in, any);
}

void names(Wire& wire, const char* id, const char* name) {
  wire.text(id);
  wire.text(name);
}

class Hostile : public testing::TestWithParam<bool> {
 protected:
  Wire wire_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(ByteOrders, Hostile, testing::Bool(),
                         [](const auto& i) { return i.param ? "Little" : "Big"; });

TEST_P(Hostile, AliasOfItselfAsDiscriminator) {
  const auto u = wire_.open(kUnion);
  names(wire_, "IDL:U:1.0", "U");
  const auto a = wire_.open(kAlias);
  names(wire_, "IDL:A:1.0", "A");
  wire_.indirection(a.kind);
  wire_.close(a);
  wire_.put<std::int32_t>(-1);
  wire_.put<std::uint32_t>(0);
  wire_.close(u);
  EXPECT_FALSE(type_of(wire_).in());
}

TEST_P(Hostile, AliasesOfOneAnother) {
  const auto a = wire_.open(kAlias);
  names(wire_, "IDL:A:1.0", "A");
  const auto b = wire_.open(kAlias);
  names(wire_, "IDL:B:1.0", "B");
  wire_.indirection(a.kind);
  wire_.close(b);
  wire_.close(a);
  EXPECT_FALSE(type_of(wire_).in());
}

TEST_P(Hostile, UnionThatIsItsOwnDiscriminator) {
  const auto u = wire_.open(kUnion);
  names(wire_, "IDL:U:1.0", "U");
  wire_.indirection(u.kind);
  wire_.put<std::int32_t>(-1);
  wire_.put<std::uint32_t>(0);
  wire_.close(u);
  EXPECT_FALSE(type_of(wire_).in());
}

// struct S { A0 m; A1 m; ... } where each A is a sequence of the one before it, said once and referred to.
void tower(Wire& wire, int height) {
  const auto s = wire.open(kStruct);
  names(wire, "IDL:S:1.0", "S");
  wire.put(static_cast<std::uint32_t>(height));
  std::size_t below = 0;
  for (int i = 0; i < height; ++i) {
    wire.text("m");
    const auto level = wire.open(kSequence);
    if (i == 0) wire.put<std::uint32_t>(kLong);
    else wire.indirection(below);
    wire.put<std::uint32_t>(0);
    wire.close(level);
    below = level.kind;
  }
  wire.close(s);
}

TEST_P(Hostile, TowersOfIndirectionsAreBounded) {
  Wire low(GetParam());
  tower(low, 100);
  CORBA::TypeCode_var type = type_of(low);
  ASSERT_TRUE(type.in());
  CORBA::TypeCode_var top = type->member_type(99);
  EXPECT_TRUE(top->equal(top.in()));
  tower(wire_, 90'000);
  EXPECT_FALSE(type_of(wire_).in());
}

TEST_P(Hostile, IndirectionsLeadToTypeCodesOnly) {
  for (const std::int32_t distance : {0, -3, -4, -6, -8, 4, 1 << 30, -(1 << 30), INT32_MIN, INT32_MAX}) {
    Wire wire(GetParam());
    const auto s = wire.open(kSequence);
    wire.put<std::uint32_t>(0xffffffff);
    wire.put(distance);
    wire.put<std::uint32_t>(0);
    wire.close(s);
    EXPECT_FALSE(type_of(wire).in()) << distance;
  }
  Wire top(GetParam());
  top.put<std::uint32_t>(0xffffffff);
  top.put<std::int32_t>(-4);
  EXPECT_FALSE(type_of(top).in());
}

TEST_P(Hostile, StructThatContainsItself) {
  const auto s = wire_.open(kStruct);
  names(wire_, "IDL:S:1.0", "S");
  wire_.put<std::uint32_t>(1);
  wire_.text("again");
  wire_.indirection(s.kind);
  wire_.close(s);
  EXPECT_FALSE(type_of(wire_).in());
}

TEST_P(Hostile, CountsAreHeldAgainstTheOctetsLeft) {
  for (const std::uint32_t kind : {kStruct, kEnum}) {
    Wire wire(GetParam());
    const auto o = wire.open(kind);
    names(wire, "IDL:X:1.0", "X");
    wire.put<std::uint32_t>(0x10000000);
    wire.close(o);
    EXPECT_FALSE(type_of(wire).in()) << kind;
  }
}

// Each of structs in each other says that it has as many members as there are octets for.
TEST_P(Hostile, CountsOfTypesInEachOtherAreHeldAgainstTheSameOctets) {
  constexpr int kLevels = 60;
  std::vector<Wire::Open> levels;
  for (int i = 0; i < kLevels; ++i) {
    levels.push_back(wire_.open(kStruct));
    names(wire_, "", "");
    wire_.put<std::uint32_t>(95'000);
    wire_.text("");
  }
  const auto last = wire_.open(kStruct);
  names(wire_, std::string(1'000'000, 'x').c_str(), "");
  wire_.put<std::uint32_t>(0);
  wire_.close(last);
  for (; !levels.empty(); levels.pop_back()) wire_.close(levels.back());
  const auto highest = [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
  };
  const long before = highest();
  EXPECT_FALSE(type_of(wire_).in());
  EXPECT_LT(highest() - before, 64 * 1024);  // KiB
}

// Each type of the one is beside each of the other somewhere.
TEST(HostileTypes, AreComparedInBoundedMemory) {
  constexpr std::uint32_t kTypes = 900;
  struct Graph {
    explicit Graph(std::uint32_t seed) : types(kTypes), members(2 * kTypes) {
      std::mt19937 random(seed);
      for (std::uint32_t i = 0; i < kTypes; ++i) {
        for (std::uint32_t k = 0; k < 2; ++k) members[2 * i + k] = {"", &types[random() % kTypes], 0, 0};
        types[i] = {Kind::Value, "", "", nullptr, &members[2 * i], 2};
      }
    }
    std::vector<corbel::types::TypeCode> types;
    std::vector<Member> members;
  } const a(1), b(2);
  EXPECT_TRUE(corbel::types::equal(a.types[0], a.types[0]));
  EXPECT_FALSE(corbel::types::equal(a.types[0], b.types[0]));
}

// One large type, or one of a long name, that everything refers to: each time it was compared anew.
TEST(HostileTypes, AreComparedInTimeInProportion) {
  constexpr std::uint32_t kMany = 60'000;
  const std::vector<Member> enumerators(kMany, Member{"", nullptr, 0, 0});
  const std::string name(1'000'000, 'x');
  const corbel::types::TypeCode large(Kind::Enum, "", "", nullptr, enumerators.data(), kMany);
  const corbel::types::TypeCode named(Kind::ObjRef, name.c_str(), name.c_str(), nullptr, nullptr, 0);
  for (const auto* const used : {&large, &named}) {
    std::vector<corbel::types::TypeCode> aliases(kMany, {Kind::Alias, "", "", used, nullptr, 0});
    std::vector<Member> members(2 * kMany, Member{"", used, 0, 0});
    for (std::uint32_t i = 0; i < kMany; ++i) members[i].type = &aliases[i];
    const corbel::types::TypeCode all(Kind::Struct, "", "", nullptr, members.data(), 2 * kMany);
    const CORBA::TypeCode_var a = static_cast<CORBA::TypeCode*>(corbel::types::copy(all));
    const CORBA::TypeCode_var b = static_cast<CORBA::TypeCode*>(corbel::types::copy(all));
    EXPECT_TRUE(a->equal(b.in()));
    EXPECT_TRUE(a->equivalent(b.in()));
    EXPECT_TRUE(corbel::types::same_layout(*a, *b));
  }
}
TEST_P(Hostile, EncapsulationsThatEndTooLate) {
  const auto s = wire_.open(kSequence);
  wire_.put<std::uint32_t>(kLong);
  wire_.put<std::uint32_t>(0);
  wire_.close(s);
  const std::string good = wire_.bytes;
  for (const int more : {1, 2, 4, 1000}) {
    Wire wire(GetParam());
    wire.bytes = good;
    wire.bytes[GetParam() ? 4 : 7] = static_cast<char>(wire.bytes[GetParam() ? 4 : 7] + more % 256);
    wire.bytes[GetParam() ? 5 : 6] = static_cast<char>(more / 256);
    EXPECT_FALSE(type_of(wire).in()) << more;
  }
}

TEST_P(Hostile, KindsThatDoNotExist) {
  for (const std::uint32_t kind : {37u, 1000u, 0x80000000u, 0xfffffffeu, 0xfffffffdu}) {
    Wire wire(GetParam());
    const auto o = wire.open(kind);
    names(wire, "IDL:X:1.0", "X");
    wire.close(o);
    EXPECT_FALSE(type_of(wire).in()) << kind;
  }
}

// enum Color of three in the peer's opinion, and of two in ours.
const Member color_members[] = {{"red", nullptr, 0, 0}, {"green", nullptr, 0, 0}};
CORBA::TypeCode color{Kind::Enum, "IDL:Color:1.0", "Color", nullptr, color_members, 2};
enum Color { red, green };

void peers_color(Wire& wire, std::uint32_t ordinal) {
  const auto e = wire.open(kEnum);
  names(wire, "IDL:Color:1.0", "Color");
  wire.put<std::uint32_t>(3);
  for (const char* name : {"red", "green", "blue"}) wire.text(name);
  wire.close(e);
  wire.put(ordinal);
}

// Their digits would have no room where text is made of them.
TEST_P(Hostile, FixedWithAScaleThatHasNoDigits) {
  const auto fixed = [](int digits, int scale) {
    Wire wire(GetParam());
    wire.put(kFixed);
    wire.put(static_cast<std::uint16_t>(digits));
    wire.put(static_cast<std::int16_t>(scale));
    return type_of(wire);
  };
  EXPECT_TRUE(fixed(31, 31).in());
  EXPECT_TRUE(fixed(1, 0).in());
  EXPECT_FALSE(fixed(31, 32).in());
  EXPECT_FALSE(fixed(17, 4169).in());
  EXPECT_FALSE(fixed(5, -1).in());
  EXPECT_FALSE(fixed(0, 0).in());
  EXPECT_FALSE(fixed(32, 0).in());
}

TEST_P(Hostile, EnumeratorsThatOurEnumDoesNotHave) {
  CORBA::Any any;
  peers_color(wire_, 2);
  ASSERT_TRUE(holds(wire_, any));
  Color c = red;
  EXPECT_FALSE(corbel::cpp::extract_enum(any, color, c));
  Wire green_wire(GetParam());
  peers_color(green_wire, 1);
  ASSERT_TRUE(holds(green_wire, any));
  EXPECT_TRUE(corbel::cpp::extract_enum(any, color, c));
  EXPECT_EQ(c, green);
  Wire beyond(GetParam());
  peers_color(beyond, 3);
  EXPECT_FALSE(holds(beyond, any));
}

struct Pair {
  CORBA::Long a, b;
};
const Member pair_members[] = {{"a", &corbel::tc::_tc_long, 0, 0}, {"b", &corbel::tc::_tc_long, 0, 0}};
CORBA::TypeCode tc_pair{Kind::Struct, "IDL:Pair:1.0", "Pair", nullptr, pair_members, 2};

}  // namespace

namespace corbel::cdr {

void marshal(Encoder& out, const Pair& p) {
  out.put(p.a);
  out.put(p.b);
}
bool unmarshal(Decoder& in, Pair& p) { return in.get(p.a) && in.get(p.b); }

}  // namespace corbel::cdr

namespace {

// Our struct Pair, with `members` longs in the peer's opinion.
void peers_pair(Wire& wire, std::uint32_t members) {
  const auto s = wire.open(kStruct);
  names(wire, "IDL:Pair:1.0", "Pair");
  wire.put(members);
  for (std::uint32_t i = 0; i < members; ++i) {
    wire.text("m");
    wire.put<std::uint32_t>(kLong);
  }
  wire.close(s);
  for (std::uint32_t i = 0; i < members; ++i) wire.put(static_cast<std::int32_t>(i + 5));
}

TEST_P(Hostile, StructsOfOurIdThatHaveOtherMembers) {
  for (const std::uint32_t members : {0u, 1u, 2u, 3u, 4u}) {
    Wire wire(GetParam());
    peers_pair(wire, members);
    CORBA::Any any;
    ASSERT_TRUE(holds(wire, any));
    const Pair* p = nullptr;
    EXPECT_EQ(corbel::cpp::extract(any, tc_pair, p), members == 2) << members;
    if (p) {
      EXPECT_EQ(p->b, 6);
    }
  }
}

struct WithReference {
  CORBA::Object_var object;
};
const Member reference_member[] = {{"object", &corbel::tc::_tc_Object, 0, 0}};
CORBA::TypeCode tc_with_reference{Kind::Struct, "IDL:WithReference:1.0", "", nullptr, reference_member, 1};

}  // namespace

namespace corbel::cdr {

void marshal(Encoder& out, const WithReference& w) { corbel::cpp::put_object(out, w.object); }
bool unmarshal(Decoder& in, WithReference& w) { return corbel::cpp::get_reference(in, w.object); }

}  // namespace corbel::cdr

namespace {

// Octets that the peer calls a text and profiles, and that our program reads as a reference: nothing has said
// whose it would be.
TEST_P(Hostile, ReferencesThatWereSentAsSomethingElse) {
  constexpr std::uint32_t kString = 18;
  for (const std::uint32_t profiles : {0, 1}) {
    Wire wire(GetParam());
    const auto s = wire.open(kStruct);
    names(wire, "IDL:WithReference:1.0", "");
    wire.put<std::uint32_t>(2);
    wire.text("");
    wire.put(kString);
    wire.put<std::uint32_t>(0);
    wire.text("");
    const auto all = wire.open(kSequence), profile = wire.open(kStruct);
    names(wire, "IDL:Profile:1.0", "");
    wire.put<std::uint32_t>(2);
    wire.text("");
    wire.put(kLong);
    wire.text("");
    const auto octets = wire.open(kSequence);
    wire.put(kOctet);
    wire.put<std::uint32_t>(0);
    wire.close(octets);
    wire.close(profile);
    wire.put<std::uint32_t>(0);
    wire.close(all);
    wire.close(s);
    wire.text("");
    wire.put(profiles);
    if (profiles != 0) {
      wire.put<std::uint32_t>(99);  // its tag
      wire.put<std::uint32_t>(1);
      wire.put<std::uint8_t>(0);
    }
    CORBA::Any any;
    ASSERT_TRUE(holds(wire, any));
    const WithReference* w = nullptr;
    EXPECT_EQ(corbel::cpp::extract(any, tc_with_reference, w), profiles == 0);
  }
}

// union U switch (long) with many members, all of them octets.
TEST_P(Hostile, LargeUnionsManyTimes) {
  constexpr std::uint32_t kMembers = 20'000, kValues = 200'000;
  const auto s = wire_.open(kSequence);
  const auto u = wire_.open(kUnion);
  names(wire_, "IDL:U:1.0", "U");
  wire_.put<std::uint32_t>(kLong);
  wire_.put<std::int32_t>(-1);
  wire_.put(kMembers);
  for (std::uint32_t i = 0; i < kMembers; ++i) {
    wire_.put(i);
    wire_.text("");
    wire_.put<std::uint32_t>(kOctet);
  }
  wire_.close(u);
  wire_.put<std::uint32_t>(0);
  wire_.close(s);
  Wire refused = wire_;
  wire_.put(kValues);
  for (std::uint32_t i = 0; i < kValues; ++i) wire_.put<std::uint32_t>(0x7fffffff);  // no member's label
  CORBA::Any any;
  EXPECT_TRUE(holds(wire_, any));
  // The last member's label, and then no octet.
  refused.put<std::uint32_t>(1);
  refused.put<std::uint32_t>(kMembers - 1);
  EXPECT_FALSE(holds(refused, any));
  refused.put<std::uint8_t>(1);
  EXPECT_TRUE(holds(refused, any));
}

// Types that are low, and of which each is met inside of the one before where a value's own members come
// before those that it inherits.
TEST_P(Hostile, TypesThatAreMetInsideOfEachOther) {
  constexpr std::uint32_t kValue = 29, kTypes = 20'000;
  const auto value = wire_.open(kValue);
  names(wire_, "IDL:V:1.0", "V");
  wire_.put<std::uint16_t>(0);
  const auto base = wire_.open(kValue);
  names(wire_, "IDL:B:1.0", "B");
  wire_.put<std::uint16_t>(0);
  wire_.put<std::uint32_t>(0);
  wire_.put(kTypes);
  std::size_t below = 0;
  for (std::uint32_t i = 0; i < kTypes; ++i) {
    wire_.text("");
    const auto s = wire_.open(kStruct);
    names(wire_, "", "");
    wire_.put<std::uint32_t>(i == 0 ? 1 : 2);
    wire_.text("");
    const auto sequence = wire_.open(kSequence);
    wire_.indirection(s.kind);
    wire_.put<std::uint32_t>(0);
    wire_.close(sequence);
    if (i != 0) {
      wire_.text("");
      wire_.indirection(below);
    }
    wire_.close(s);
    below = sequence.kind;
    wire_.put<std::uint16_t>(1);
  }
  wire_.close(base);
  wire_.put<std::uint32_t>(1);
  wire_.text("");
  wire_.indirection(below);
  wire_.put<std::uint16_t>(1);
  wire_.close(value);
  Wire null = wire_;
  null.put<std::uint32_t>(0);
  CORBA::Any any;
  EXPECT_TRUE(holds(null, any));
  CORBA::TypeCode_var type = any.type(), member = type->member_type(0);
  corbel::cdr::Encoder out;
  corbel::cdr::marshal(out, member.in());
  EXPECT_TRUE(out.error());
}

TEST_P(Hostile, ArraysOfArraysOfNothing) {
  constexpr std::uint32_t kArray = 20;
  std::vector<Wire::Open> open;
  for (int i = 0; i < 3; ++i) open.push_back(wire_.open(kArray));
  const auto s = wire_.open(kStruct);
  names(wire_, "IDL:N:1.0", "N");
  wire_.put<std::uint32_t>(0);
  wire_.close(s);
  for (; !open.empty(); open.pop_back()) {
    wire_.put<std::uint32_t>(0xffffffff);
    wire_.close(open.back());
  }
  CORBA::Any any;
  EXPECT_FALSE(holds(wire_, any));
}

// Exceptions without members, whose id omniORB leaves out, by the power of two.
TEST_P(Hostile, ExceptionsOfNothingByThePowerOfTwo) {
  constexpr std::uint32_t kExcept = 22, kLevels = 50;
  std::vector<Wire::Open> open;
  for (std::uint32_t i = 0; i < kLevels; ++i) {
    open.push_back(wire_.open(kStruct));
    names(wire_, "", "");
    wire_.put<std::uint32_t>(2);
    wire_.text("a");
  }
  std::size_t last = 0;
  const auto e = wire_.open(kExcept);
  names(wire_, "IDL:E:1.0", "E");
  wire_.put<std::uint32_t>(0);
  wire_.close(e);
  last = e.kind;
  for (; !open.empty(); open.pop_back()) {
    wire_.text("b");
    wire_.indirection(last);
    wire_.close(open.back());
    last = open.back().kind;
  }
  CORBA::Any any;
  EXPECT_FALSE(holds(wire_, any));
}

// Whether its id stands before an exception's members is looked at for each of them where the same text
// stands.
TEST_P(Hostile, ManyExceptionsOfNothingInFrontOfOneText) {
  for (const std::size_t size : {100, 1'000'000}) {
    Wire wire(GetParam());
    const auto a = wire.open(20);
    const auto e = wire.open(22);
    names(wire, "IDL:E:1.0", "E");
    wire.put<std::uint32_t>(0);
    wire.close(e);
    wire.put<std::uint32_t>(5000);
    wire.close(a);
    wire.text(std::string(size, 'x'));
    CORBA::Any any;
    EXPECT_EQ(holds(wire, any), size == 100) << size;
  }
}

TEST_P(Hostile, RefusedAnysLeaveOneThatCanBeUsed) {
  CORBA::Any any;
  any <<= CORBA::Long(5);
  Wire broken(GetParam());
  peers_pair(broken, 2);
  broken.bytes.pop_back();
  EXPECT_FALSE(holds(broken, any));
  any <<= CORBA::Long(6);
  CORBA::Long v = 0;
  EXPECT_TRUE(any >>= v);
  EXPECT_EQ(v, 6);
}

}  // namespace
