#include <corbel/any.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "wire.h"

using corbel::types::Kind;
using corbel::types::Member;

namespace {

// struct Tree { string name; sequence<Tree> children; };
extern CORBA::TypeCode tree;
CORBA::TypeCode trees{Kind::Sequence, "", "", &tree, nullptr, 0};
const Member tree_members[] = {{"name", &corbel::tc::_tc_string, 0, 0}, {"children", &trees, 0, 0}};
CORBA::TypeCode tree{Kind::Struct, "IDL:Tree:1.0", "Tree", nullptr, tree_members, 2};

// enum Color { red, green };
const Member color_members[] = {{"red", nullptr, 0, 0}, {"green", nullptr, 0, 0}};
CORBA::TypeCode color{Kind::Enum, "IDL:Color:1.0", "Color", nullptr, color_members, 2};

// union Choice switch (Color) { case red: long a; default: Named b; };
CORBA::TypeCode named{Kind::Alias, "IDL:Named:1.0", "Named", &corbel::tc::_tc_string, nullptr, 0};
const Member choice_members[] = {{"a", &corbel::tc::_tc_long, 0, 0}, {"b", &named, 0, 0}};
CORBA::TypeCode choice{Kind::Union, "IDL:Choice:1.0", "Choice", &color, choice_members, 2, 0, 1};

CORBA::TypeCode money{Kind::Fixed, "", "", nullptr, nullptr, 0, 9, 2};
CORBA::TypeCode grid{Kind::Array, "", "", &money, nullptr, 0, 4};

std::string encoded(const CORBA::TypeCode& type) {
  corbel::cdr::Encoder out;
  out.reset();
  corbel::types::marshal(out, type);
  EXPECT_FALSE(out.error());
  return {out.data(), out.size()};
}

CORBA::TypeCode_ptr decoded(const std::string& bytes, bool swap = false) {
  alignas(8) char memory[4096];
  std::memcpy(memory, bytes.data(), bytes.size());
  corbel::cdr::Decoder in(memory, memory, memory + bytes.size(), swap);
  CORBA::TypeCode_ptr type = nullptr;
  if (!corbel::cdr::unmarshal(in, type)) EXPECT_TRUE(in.failed());
  else EXPECT_EQ(in.remaining(), 0u);
  return type;
}

std::string bytes(std::initializer_list<int> all) {
  std::string out;
  for (const int b : all) out += static_cast<char>(b);
  return out;
}

// What it is written from is gone when the message is sent.
TEST(TypeCodes, LargeOnesAreCopiedIntoTheMessage) {
  std::vector<std::string> names(2000);
  std::vector<Member> members;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = "member" + std::to_string(i);
  for (const std::string& name : names) members.push_back({name.c_str(), &corbel::tc::_tc_long, 0, 0});
  const CORBA::TypeCode large{Kind::Struct, "IDL:Large:1.0", "Large",
                              nullptr,      members.data(),  static_cast<std::uint32_t>(members.size())};
  corbel::cdr::Encoder out;
  out.reset();
  out.allow_externals(true);
  corbel::types::marshal(out, large);
  EXPECT_GT(out.size(), corbel::cdr::Encoder::kExternalThreshold);
  EXPECT_EQ(out.external_count(), 0u);
}

class RoundTrip : public testing::TestWithParam<CORBA::TypeCode*> {};

TEST_P(RoundTrip, KeepsEverything) {
  CORBA::TypeCode_var copy = decoded(encoded(*GetParam()));
  ASSERT_TRUE(copy.in());
  EXPECT_TRUE(copy->equal(GetParam()));
  EXPECT_TRUE(GetParam()->equivalent(copy.in()));
  EXPECT_EQ(encoded(*copy.in()), encoded(*GetParam()));
}

TEST_P(RoundTrip, EveryTruncationIsRefused) {
  const std::string whole = encoded(*GetParam());
  for (std::size_t n = 0; n < whole.size(); ++n) {
    CORBA::TypeCode_var type = decoded(whole.substr(0, n));
    EXPECT_FALSE(type.in()) << n << " of " << whole.size();
  }
}

INSTANTIATE_TEST_SUITE_P(TypeCode, RoundTrip,
                         testing::Values(CORBA::_tc_null, CORBA::_tc_long, CORBA::_tc_string, CORBA::_tc_any,
                                         CORBA::_tc_TypeCode, CORBA::_tc_Object, CORBA::_tc_wstring, &tree,
                                         &trees, &color, &choice, &named, &money, &grid));

TEST(TypeCode, TellsWhatItIsMadeOf) {
  EXPECT_EQ(tree.kind(), CORBA::tk_struct);
  EXPECT_STREQ(tree.id(), "IDL:Tree:1.0");
  EXPECT_STREQ(tree.name(), "Tree");
  ASSERT_EQ(tree.member_count(), 2u);
  EXPECT_STREQ(tree.member_name(1), "children");
  CORBA::TypeCode_var children = tree.member_type(1);
  EXPECT_EQ(children->kind(), CORBA::tk_sequence);
  CORBA::TypeCode_var content = children->content_type();
  EXPECT_EQ(content.in(), &tree);
  EXPECT_EQ(money.fixed_digits(), 9);
  EXPECT_EQ(money.fixed_scale(), 2);
  EXPECT_EQ(grid.length(), 4u);
}

TEST(TypeCode, OfAUnionTellsLabelsAndDefault) {
  CORBA::TypeCode_var discriminator = choice.discriminator_type();
  EXPECT_EQ(discriminator.in(), &color);
  EXPECT_EQ(choice.default_index(), 1);
  CORBA::Any_var first = choice.member_label(0), other = choice.member_label(1);
  CORBA::TypeCode_var type = first->type();
  EXPECT_TRUE(type->equal(&color));
  CORBA::Octet octet = 7;
  EXPECT_TRUE(other.in() >>= CORBA::Any::to_octet(octet));
  EXPECT_EQ(octet, 0);
}

TEST(TypeCode, RefusesWhatItsKindDoesNotHave) {
  EXPECT_THROW(CORBA::_tc_long->id(), CORBA::TypeCode::BadKind);
  EXPECT_THROW(CORBA::_tc_string->member_count(), CORBA::TypeCode::BadKind);
  EXPECT_THROW(color.member_type(0), CORBA::TypeCode::BadKind);
  EXPECT_THROW(tree.member_name(2), CORBA::TypeCode::Bounds);
  EXPECT_THROW(tree.default_index(), CORBA::TypeCode::BadKind);
  EXPECT_THROW(tree.length(), CORBA::TypeCode::BadKind);
  EXPECT_THROW(grid.fixed_digits(), CORBA::TypeCode::BadKind);
  EXPECT_THROW(tree.equal(nullptr), CORBA::BAD_PARAM);
}

TEST(TypeCode, AliasesAreEquivalentAndNotEqual) {
  EXPECT_TRUE(named.equivalent(CORBA::_tc_string));
  EXPECT_FALSE(named.equal(CORBA::_tc_string));
  EXPECT_FALSE(named.equivalent(CORBA::_tc_wstring));
}

TEST(TypeCode, WithoutNamesIsEquivalentStill) {
  CORBA::TypeCode_var compact = tree.get_compact_typecode();
  EXPECT_STREQ(compact->name(), "");
  EXPECT_STREQ(compact->member_name(0), "");
  EXPECT_STREQ(compact->id(), tree.id());
  EXPECT_TRUE(compact->equivalent(&tree));
  EXPECT_FALSE(compact->equal(&tree));
}

TEST(TypeCode, OutlivesTheOneThatItIsAPartOf) {
  CORBA::TypeCode_var whole = decoded(encoded(tree));
  CORBA::TypeCode_var part = whole->member_type(1);
  whole = CORBA::TypeCode::_nil();
  CORBA::TypeCode_var again = part->content_type();
  EXPECT_STREQ(again->name(), "Tree");
}

// An alias A of long, all of it big-endian.
TEST(TypeCode, IsReadInTheOtherByteOrder) {
  const std::string inside = bytes({0, 0, 0, 0, 0, 0, 0, 10}) + std::string("IDL:A:1.0", 10) + bytes({0, 0}) +
                             bytes({0, 0, 0, 2, 'A', 0, 0, 0, 0, 0, 0, 3});
  const std::string whole = bytes({0, 0, 0, 21, 0, 0, 0, static_cast<int>(inside.size())}) + inside;
  CORBA::TypeCode_var type = decoded(whole, true);
  ASSERT_TRUE(type.in());
  EXPECT_EQ(type->kind(), CORBA::tk_alias);
  EXPECT_STREQ(type->id(), "IDL:A:1.0");
  CORBA::TypeCode_var content = type->content_type();
  EXPECT_EQ(content->kind(), CORBA::tk_long);
}

TEST(TypeCode, RefersBackByTheDistanceToTheOuterKind) {
  const std::string whole = encoded(tree);
  // The last type in it is the sequence's element: an indirection, then the bound.
  std::uint32_t mark;
  std::int32_t distance;
  std::memcpy(&mark, &whole[whole.size() - 12], 4);
  std::memcpy(&distance, &whole[whole.size() - 8], 4);
  EXPECT_EQ(mark, 0xffffffffu);
  EXPECT_EQ(distance, -static_cast<std::int32_t>(whole.size() - 8));
}

TEST(TypeCode, IndirectionsThatLeadNowhereAreRefused) {
  std::string whole = encoded(tree);
  for (const std::int32_t distance : {-8, -4, 0, 4, 1000, -100000}) {
    std::memcpy(&whole[whole.size() - 8], &distance, 4);
    CORBA::TypeCode_var type = decoded(whole);
    EXPECT_FALSE(type.in()) << distance;
  }
}

TEST(TypeCode, OneWithoutEndIsRefused) {
  // struct S { S s; }
  const Member self[] = {{"s", nullptr, 0, 0}};
  Member members[1] = {self[0]};
  CORBA::TypeCode endless{Kind::Struct, "IDL:S:1.0", "S", nullptr, members, 1};
  members[0].type = &endless;
  CORBA::TypeCode_var type = decoded(encoded(endless));
  EXPECT_FALSE(type.in());
}

TEST(TypeCode, TypesDeeperThanTheStackCountAsEndless) {
  std::vector<CORBA::TypeCode> levels(1'000'000);
  levels[0] = CORBA::TypeCode{Kind::Array, "", "", CORBA::_tc_long, nullptr, 0, 1};
  for (std::size_t i = 1; i < levels.size(); ++i)
    levels[i] = CORBA::TypeCode{Kind::Array, "", "", &levels[i - 1], nullptr, 0, 1};
  EXPECT_FALSE(corbel::types::is_endless(levels[900]));
  EXPECT_TRUE(corbel::types::is_endless(levels.back()));
}

TEST(TypeCode, ManyUsesOfATypeCostLittle) {
  // Each level has the one below twice: written out they would be 2^20 types.
  static CORBA::TypeCode levels[21];
  static Member members[21][2];
  levels[0] = CORBA::TypeCode{Kind::Enum, "IDL:E:1.0", "E", nullptr, color_members, 2};
  static std::string ids[21];
  for (int i = 1; i <= 20; ++i) {
    ids[i] = "IDL:L" + std::to_string(i) + ":1.0";
    members[i][0] = {"a", &levels[i - 1], 0, 0};
    members[i][1] = {"b", &levels[i - 1], 0, 0};
    levels[i] = CORBA::TypeCode{Kind::Struct, ids[i].c_str(), "L", nullptr, members[i], 2};
  }
  const std::string whole = encoded(levels[20]);
  EXPECT_LT(whole.size(), 4000u);
  CORBA::TypeCode_var type = decoded(whole);
  ASSERT_TRUE(type.in());
  EXPECT_TRUE(type->equal(&levels[20]));
}

// An encapsulation of the other byte order inside, which leads back out of itself.
TEST(TypeCode, EncapsulationsHaveAByteOrderEach) {
  for (const bool little : {true, false}) {
    Wire inner(!little);
    const auto sequence = inner.open(19);
    inner.indirection(0);  // to be replaced: it depends on where this stands
    inner.put<std::uint32_t>(7);
    inner.close(sequence);
    Wire outer(little);
    const auto s = outer.open(15);
    outer.text("IDL:S:1.0");
    outer.text("S");
    outer.put<std::uint32_t>(1);
    outer.text("more");
    outer.put<std::uint32_t>(19);
    outer.put(static_cast<std::uint32_t>(inner.bytes.size() - 8));
    const std::size_t begin = outer.bytes.size();
    outer.bytes += inner.bytes.substr(8);
    Wire distance(!little);
    distance.put(-static_cast<std::int32_t>(begin + 8));  // the indirection's second half stands 8 octets in
    outer.bytes.replace(begin + 8, 4, distance.bytes);
    outer.close(s);
    corbel::cdr::Decoder in(outer.bytes.data(), outer.bytes.data(), outer.bytes.data() + outer.bytes.size(),
                            little != corbel::cdr::kHostIsLittleEndian);
    CORBA::TypeCode_var type;
    ASSERT_TRUE(corbel::cdr::unmarshal(in, type)) << little;
    CORBA::TypeCode_var member = type->member_type(0), content = member->content_type();
    EXPECT_EQ(member->length(), 7u);
    EXPECT_EQ(content.in(), type.in());
  }
}

// A circle of structs without ids, each of which holds a sequence of the next.
class Circle {
 public:
  explicit Circle(std::size_t size) : members_(size), types_(2 * size) {
    for (std::size_t i = 0; i < size; ++i) {
      types_[2 * i + 1] = {Kind::Sequence, "", "", &types_[2 * i + 2 == 2 * size ? 0 : 2 * i + 2],
                           nullptr,        0};
      members_[i] = {"m", &types_[2 * i + 1], 0, 0};
      types_[2 * i] = {Kind::Struct, "", "", nullptr, &members_[i], 1};
    }
  }
  const corbel::types::TypeCode& first() const { return types_.front(); }
  corbel::types::TypeCode& last_sequence() { return types_.back(); }

 private:
  std::vector<Member> members_;
  std::vector<corbel::types::TypeCode> types_;
};

TEST(TypeCode, CirclesOfDifferentSizesAreEquivalent) {
  Circle one(1), many(97), more(101), bounded(101);
  EXPECT_TRUE(corbel::types::equivalent(one.first(), many.first()));
  EXPECT_TRUE(corbel::types::equivalent(many.first(), more.first()));
  EXPECT_TRUE(corbel::types::equal(more.first(), many.first()));
  bounded.last_sequence().length = 7;
  EXPECT_FALSE(corbel::types::equivalent(many.first(), bounded.first()));
  EXPECT_FALSE(corbel::types::equivalent(more.first(), bounded.first()));
}

TEST(TypeCode, DeepNestingIsRefused) {
  static CORBA::TypeCode levels[200];
  levels[0] = CORBA::TypeCode{Kind::Sequence, "", "", &corbel::tc::_tc_long, nullptr, 0};
  for (int i = 1; i < 200; ++i)
    levels[i] = CORBA::TypeCode{Kind::Sequence, "", "", &levels[i - 1], nullptr, 0};
  CORBA::TypeCode_var shallow = decoded(encoded(levels[50]));
  EXPECT_TRUE(shallow.in());
  CORBA::TypeCode_var steep = decoded(encoded(levels[120]));
  EXPECT_TRUE(steep.in());
  CORBA::TypeCode_var deep = decoded(encoded(levels[199]));
  EXPECT_FALSE(deep.in());
}

}  // namespace
