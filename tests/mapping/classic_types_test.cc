// Structs, unions, sequences, arrays and exceptions, as programs for other ORBs use them.
#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "classic.stub.h"

namespace {

const char* const kLong = "a string that is longer than what stands inside a member";

TEST(Constants, StandWhereConstantsAreNeeded) {
  static_assert(Classic::Shape::sides == 3 && Classic::Shape::tint == Classic::blue);
  const int array[Classic::Shape::sides] = {1, 2, 3};
  EXPECT_EQ(array[2], 3);
  EXPECT_STREQ(Classic::Shape::kind, "shape");
}

TEST(Aliases, AreTheSameType) {
  static_assert(std::is_same_v<Classic::Longs, Classic::SameLongs>);
  static_assert(std::is_same_v<Classic::Longs_var, Classic::SameLongs_var>);
  static_assert(std::is_same_v<Classic::Longs_out, Classic::SameLongs_out>);
  static_assert(std::is_same_v<Classic::Mesh_slice, CORBA::Long[3]>);
  static_assert(std::is_same_v<Classic::Plan_slice, Classic::Mesh_slice>);
  Classic::Plan_var plan = Classic::Plan_alloc();
  plan[1][2] = 4;
  Classic::Mesh_var grid = plan;
  EXPECT_EQ(grid[1][2], 4);
}

TEST(Vars, AreFollowedLikePointers) {
  Classic::FlatStruct_var flat = new Classic::FlatStruct;
  (*flat).number = 3;
  EXPECT_EQ(flat->number, 3);
  const Classic::FlatStruct copy = *flat;
  EXPECT_EQ(copy.number, 3);
  Classic::LargeStruct_var large = new Classic::LargeStruct;
  (*large).name = kLong;
  const Classic::LargeStruct_var constant = large;
  EXPECT_STREQ((*constant).name, kLong);
  const Classic::LargeStruct_var empty;
  EXPECT_THROW(*empty, CORBA::BAD_PARAM);
}

TEST(Vars, TakeIndicesOfEveryType) {
  const long l = 1;
  const int i = 1;
  const std::size_t z = 1;
  const short h = 1;
  Classic::Longs_var longs = new Classic::Longs;
  longs->length(2);
  longs[l] = 7;
  EXPECT_EQ(longs[i], 7);
  EXPECT_EQ(longs[z], 7);
  EXPECT_EQ(longs[h], 7);
  Classic::Row_var row = Classic::Row_alloc();
  row[l] = 8;
  EXPECT_EQ(row[i], 8);
  EXPECT_EQ(row[z], 8);
  Classic::TwoNames_var names = Classic::TwoNames_alloc();
  names[l] = kLong;
  EXPECT_STREQ(names[h], kLong);
}

void give_names(Classic::TwoNames_out names) {
  names = Classic::TwoNames_alloc();
  const long l = 1;
  names[l] = "given";
}
void pass_on(Classic::TwoNames_out names) {
  Classic::TwoNames_slice* mine;
  Classic::TwoNames_out out(mine);
  give_names(out);
  names = out;
}

TEST(ArrayOuts, AreAssignedToEachOther) {
  Classic::TwoNames_var names;
  pass_on(names);
  EXPECT_STREQ(names[1], "given");
}

TEST(Structs, BeginWithEmptyMembers) {
  const Classic::LargeStruct s{};
  EXPECT_STREQ(s.name, "");
  EXPECT_STREQ(s.wide, L"");
  EXPECT_STREQ(s.names[1], "");
  EXPECT_EQ(s.numbers.length(), 0u);
  EXPECT_EQ(s.price, 0);
}

TEST(Unions, NameTheSlicesOfTheirAnonymousArrays) {
  Classic::Choice u;
  const CORBA::Long list[3] = {1, 2, 3};
  u.list(list);
  Classic::Choice::_list_slice* const slice = u.list();
  EXPECT_EQ(slice[2], 3);
  u.list()[2] = 4;
  EXPECT_EQ(slice[2], 4);
  const CORBA::Long matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
  u.matrix(matrix);
  Classic::Choice::_matrix_slice* const rows = u.matrix();
  EXPECT_EQ(rows[1][2], 6);
  EXPECT_EQ(u._d(), 5);
  Classic::Choice copy = u;
  rows[1][2] = 7;
  EXPECT_EQ(copy.matrix()[1][2], 6);
  Classic::TwoNames names;
  names[0] = kLong;
  u.names(names);
  Classic::TwoNames_slice* const held = u.names();
  EXPECT_STREQ(held[0], kLong);
  EXPECT_NE(held[0].in(), names[0].in());
}

TEST(Unions, MembersSetTheirFirstLabelAndKeepTheOthers) {
  Classic::Choice u;
  u.flat(Classic::FlatStruct());
  EXPECT_EQ(u._d(), 2);
  u.flat().number = 5;
  u._d(3);
  EXPECT_EQ(u.flat().number, 5);
  EXPECT_THROW(u._d(1), CORBA::BAD_PARAM);
  EXPECT_THROW(u._d(99), CORBA::BAD_PARAM);
  u.other(7);
  const CORBA::Long made_up = u._d();
  EXPECT_TRUE(made_up < 1 || made_up > 9);
  u._d(99);
  EXPECT_EQ(u.other(), 7);
  EXPECT_EQ(u._d(), 99);
  const Classic::Choice copy = u;
  EXPECT_EQ(copy._d(), 99);
  EXPECT_EQ(copy.other(), 7);
}

TEST(Unions, WithoutADefaultCanBeEmpty) {
  Classic::Maybe maybe;
  EXPECT_FALSE(maybe._d());
  maybe.value(kLong);
  EXPECT_TRUE(maybe._d());
  EXPECT_THROW(maybe._d(false), CORBA::BAD_PARAM);
  maybe._default();
  EXPECT_FALSE(maybe._d());
  Classic::Letter letter;
  letter.first(1);
  EXPECT_EQ(letter._d(), 'a');
  letter._d('b');
  EXPECT_EQ(letter.first(), 1);
  letter.third("x");
  letter._default();
  EXPECT_NE(letter._d(), 'c');
  letter._d('z');
  EXPECT_EQ(letter._d(), 'z');
  Classic::Tinted tinted;
  tinted.g(kLong);
  EXPECT_EQ(tinted._d(), Classic::green);
  tinted._default();
  EXPECT_EQ(tinted._d(), Classic::blue);
  Classic::Big big;
  big.least("x");
  EXPECT_EQ(big._d(), -5000000000);
  big._default();
  EXPECT_TRUE(big._d() != 1 && big._d() != -5000000000);
}

TEST(Sequences, StartAgainWithEmptyElementsWhereTheyWereCutOff) {
  Classic::Strings strings;
  strings.length(2);
  strings[1] = kLong;
  strings.length(1);
  strings.length(2);
  EXPECT_STREQ(strings[1], "");
  Classic::Lists lists;
  lists.length(1);
  lists[0].length(3);
  lists.length(0);
  lists.length(1);
  EXPECT_EQ(lists[0].length(), 0u);
  Classic::Larges larges;
  larges.length(1);
  larges[0].name = kLong;
  larges.length(0);
  larges.length(1);
  EXPECT_STREQ(larges[0].name, "");
  Classic::NamesSeq names;
  names.length(1);
  names[0][1] = kLong;
  names.length(0);
  names.length(1);
  EXPECT_STREQ(names[0][1], "");
}

TEST(Sequences, CopyABufferThatIsNotTheirsWhenTheyGrow) {
  CORBA::Long mine[2] = {1, 2};
  Classic::Longs longs(2, 2, mine);
  EXPECT_FALSE(longs.release());
  longs[0] = 5;
  EXPECT_EQ(mine[0], 5);
  EXPECT_EQ(longs.get_buffer(true), nullptr);
  longs.length(3);
  EXPECT_TRUE(longs.release());
  longs[0] = 6;
  EXPECT_EQ(mine[0], 5);
  EXPECT_EQ(longs[1], 2);
  EXPECT_EQ(longs[2], 0);
}

TEST(Sequences, OfNumbersKeepTheirBufferWhereOneOfTheSameSizeIsAssigned) {
  Classic::Longs longs(4), other(4);
  longs.length(3);
  other.length(2);
  other[1] = 7;
  const CORBA::Long* const buffer = longs.get_buffer();
  longs = other;
  EXPECT_EQ(static_cast<const Classic::Longs&>(longs).get_buffer(), buffer);
  EXPECT_EQ(longs.length(), 2u);
  EXPECT_EQ(longs[1], 7);
  const Classic::Longs rest(4, 1, &longs[1]);
  longs = rest;
  EXPECT_EQ(longs[0], 7);
}

TEST(Sequences, OfNumbersDoNotWriteIntoALentBufferWhenAssigned) {
  CORBA::Long mine[2] = {1, 2};
  Classic::Longs longs(2, 2, mine), other(2);
  other.length(2);
  longs = other;
  EXPECT_EQ(mine[1], 2);
  EXPECT_TRUE(longs.release());
}

TEST(Sequences, OfArraysCopyThem) {
  Classic::Rows rows;
  rows.length(2);
  const Classic::Row row = {1, 2, 3};
  Classic::Row_copy(rows[1], row);
  Classic::Rows copy = rows;
  copy[1][2] = 4;
  rows.length(10);
  EXPECT_EQ(rows[1][2], 3);
  EXPECT_EQ(rows[9][2], 0);
  rows.length(1);
  rows.length(2);
  EXPECT_EQ(rows[1][2], 0);
  EXPECT_EQ(copy[1][2], 4);
}

TEST(Exceptions, AreMadeOfTheirMembersArraysIncluded) {
  const CORBA::Long numbers[2] = {1, 2};
  const CORBA::Long square[2][2] = {{1, 2}, {3, 4}};
  Classic::TwoNames names;
  names[1] = kLong;
  try {
    throw Classic::Refused("why", numbers, names, square, Classic::Shape::_nil());
  } catch (const CORBA::UserException& e) {
    const auto* const refused = Classic::Refused::_downcast(&e);
    ASSERT_NE(refused, nullptr);
    EXPECT_STREQ(refused->why, "why");
    EXPECT_EQ(refused->numbers[1], 2);
    EXPECT_STREQ(refused->names[1], kLong);
    EXPECT_EQ(refused->square[1][0], 3);
    EXPECT_TRUE(CORBA::is_nil(refused->which));
    EXPECT_STREQ(e._rep_id(), "IDL:classic.org/Classic/Refused:1.0");
    Classic::Refused copy = *refused;
    copy.names[1] = "other";
    EXPECT_STREQ(refused->names[1], kLong);
  }
}

TEST(Exceptions, AreMadeOfArraysWithNamesAlike) {
  const CORBA::Long first[2] = {1, 2}, second[2] = {3, 4};
  const Classic::Twins twins(first, second);
  EXPECT_EQ(twins.x[1], 2);
  EXPECT_EQ(twins.x_[1], 4);
}

TEST(Exceptions, TakeStringsFromEveryHolder) {
  Classic::LargeStruct s;
  s.name = kLong;
  Classic::Strings strings;
  strings.length(1);
  strings[0] = "element";
  CORBA::String_var var = "var";
  EXPECT_STREQ(Classic::Plain(s.name).why, kLong);
  EXPECT_STREQ(Classic::Plain(strings[0]).why, "element");
  EXPECT_STREQ(Classic::Plain(var).why, "var");
  EXPECT_STREQ(Classic::Plain(std::string("text").c_str()).why, "text");
}

TEST(SystemExceptions, HaveMinorCodesOfTheOmg) {
  const CORBA::BAD_PARAM e(CORBA::OMGVMCID | 2, CORBA::COMPLETED_NO);
  EXPECT_EQ(e.minor(), 0x4f4d0002u);
}

}  // namespace
