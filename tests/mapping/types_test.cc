// Generated classes as a program uses them: unions, exceptions, arrays.
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "ownership.stub.h"

namespace {

const char* const kLong = "a string that is longer than what stands inside a member";

TEST(Unions, CopyStringsOfEveryHolderAndAdoptPointers) {
  Own::Choice u;
  Own::Variable member;
  member.name = "member";
  CORBA::String_var var = "var";
  Own::Strings sequence;
  sequence.length(1);
  sequence[0] = "element";
  u.text(member.name);
  EXPECT_STREQ(u.text(), "member");
  EXPECT_NE(u.text(), member.name.in());
  u.text(var);
  EXPECT_STREQ(u.text(), "var");
  EXPECT_NE(u.text(), var.in());
  u.text(sequence[0]);
  EXPECT_STREQ(u.text(), "element");
  EXPECT_NE(u.text(), sequence[0].in());
  u.text(u.text());
  EXPECT_STREQ(u.text(), "element");
  char* const heap = CORBA::string_dup("adopted");
  u.text(heap);
  EXPECT_EQ(u.text(), heap);
  u.text("literal");
  EXPECT_STREQ(u.text(), "literal");
}

TEST(Unions, FreeOneMemberForTheNextAndCopyDeeply) {
  Own::Choice u;
  u.text(kLong);
  Own::Variable v;
  v.name = kLong;
  v.numbers.length(3);
  u.value(v);
  EXPECT_EQ(u._d(), 2);
  u.value().numbers[2] = 7;
  u.value(u.value());
  EXPECT_EQ(u.value().numbers[2], 7);
  Own::Choice copy = u;
  copy.value().numbers[2] = 8;
  EXPECT_EQ(u.value().numbers[2], 7);
  copy.text("other");
  copy = u;
  copy = *&copy;
  EXPECT_EQ(copy.value().numbers[2], 7);
  EXPECT_THROW(u._d(1), CORBA::BAD_PARAM);
  u._d(2);
  u._default();
  EXPECT_NE(u._d(), 1);
  EXPECT_NE(u._d(), 2);
  copy = u;
  const Own::Choice empty;
  copy = empty;
  const Own::Choice_var heap = new Own::Choice(copy);
  EXPECT_EQ(heap->_d(), copy._d());
}

TEST(UserExceptions, AreRaisedCopiedAndFoundByDowncast) {
  Own::Longs numbers;
  numbers.length(2);
  numbers[1] = 4;
  const Own::Declared e(kLong, numbers);
  EXPECT_STREQ(e._name(), "Declared");
  EXPECT_STREQ(e._rep_id(), "IDL:Own/Declared:1.0");
  EXPECT_NE(std::string(e.what()).find("Declared"), std::string::npos);
  Own::Declared copy = e;
  copy.numbers[1] = 5;
  EXPECT_EQ(e.numbers[1], 4);
  copy = e;
  EXPECT_EQ(copy.numbers[1], 4);
  const std::unique_ptr<CORBA::Exception> any(e._corbel_duplicate());
  ASSERT_NE(Own::Declared::_downcast(any.get()), nullptr);
  EXPECT_STREQ(Own::Declared::_downcast(any.get())->why.in(), kLong);
  const CORBA::Exception* const constant = any.get();
  EXPECT_EQ(Own::Declared::_downcast(constant), any.get());
  EXPECT_EQ(CORBA::UserException::_downcast(constant), any.get());
  EXPECT_EQ(CORBA::SystemException::_downcast(constant), nullptr);
  EXPECT_EQ(Own::Undeclared::_downcast(constant), nullptr);
  EXPECT_EQ(Own::Declared::_downcast(static_cast<CORBA::Exception*>(nullptr)), nullptr);
  try {
    any->_raise();
  } catch (const Own::Declared& raised) {
    EXPECT_STREQ(raised.why.in(), kLong);
    EXPECT_EQ(raised.numbers[1], 4);
  }
  EXPECT_THROW(any->_raise(), CORBA::UserException);
  const Own::Declared empty;
  EXPECT_STREQ(empty.why.in(), "");
  EXPECT_EQ(empty.numbers.length(), 0u);
}

TEST(Arrays, AreAllocatedDuplicatedCopiedAndFreed) {
  Own::Table_slice* const a = Own::Table_alloc();
  EXPECT_STREQ(a[1][1].name.in(), "");
  a[1][0].name = kLong;
  a[0][1].numbers.length(4);
  Own::Table_slice* const b = Own::Table_dup(a);
  EXPECT_STREQ(b[1][0].name.in(), kLong);
  b[1][0].name = "changed";
  EXPECT_STREQ(a[1][0].name.in(), kLong);
  Own::Table_copy(b, a);
  EXPECT_STREQ(b[1][0].name.in(), kLong);
  Own::Table_copy(b, b);
  EXPECT_EQ(b[0][1].numbers.length(), 4u);
  Own::Table_free(a);
  Own::Table_free(b);
  Own::Table_free(nullptr);
  Own::Row_slice* const row = Own::Row_alloc();
  row[2] = 3;
  const Own::Row_var copy = Own::Row_dup(row);
  EXPECT_EQ(copy[2], 3);
  Own::Row_free(row);
}

TEST(Structs, BeginEmptyAndCopyDeeply) {
  Own::Variable a;
  EXPECT_STREQ(a.name.in(), "");
  EXPECT_EQ(a.numbers.length(), 0u);
  a.name = kLong;
  a.numbers.length(2);
  Own::Variable b = a;
  b.numbers[0] = 1;
  EXPECT_EQ(a.numbers[0], 0);
  EXPECT_NE(a.name.in(), b.name.in());
  const Own::Variable c = std::move(b);
  EXPECT_STREQ(c.name.in(), kLong);
  Own::Strings names;
  names.length(1);
  names[0] = kLong;
  const Own::Variable made{names[0], {}};
  EXPECT_STREQ(made.name.in(), kLong);
}

// What programs written for other ORBs do with strings, wherever they lie.
TEST(Holders, ConvertWhereAStringIsWanted) {
  CORBA::String_var var = "var";
  const CORBA::String_var const_var = "const";
  Own::Variable member;
  member.name = "member";
  const Own::Variable& const_member = member;
  Own::Strings sequence;
  sequence.length(1);
  sequence[0] = "element";
  const Own::Strings& const_sequence = sequence;
  std::ostringstream out;
  out << var << const_var << member.name << const_member.name << sequence[0] << const_sequence[0];
  EXPECT_EQ(out.str(), "varconstmembermemberelementelement");
  const std::string made[] = {std::string(var), std::string(member.name), std::string(sequence[0]),
                              std::string(const_sequence[0])};
  std::string all = made[0];
  all = sequence[0];
  all += var;
  all += member.name;
  all += sequence[0];
  EXPECT_EQ(all, "elementvarmemberelement");
  EXPECT_EQ(std::strcmp(member.name, const_member.name), 0);
  var = CORBA::string_dup(member.name);
  EXPECT_STREQ(var.in(), "member");
  var = member.name._retn();
  member.name = var._retn();
  EXPECT_STREQ(member.name.in(), "member");
  var = sequence[0]._retn();
  sequence[0] = var._retn();
  EXPECT_STREQ(sequence[0].in(), "element");
}

TEST(Holders, OfSequencesAndArraysIndexTheirElements) {
  Own::Longs_var longs = new Own::Longs;
  longs->length(2);
  longs[0] = 1;
  const CORBA::Long second = 1;
  longs[second] = 2;
  EXPECT_EQ(longs[CORBA::ULong{1}], 2);
  Own::Strings_var strings = new Own::Strings;
  strings->length(1);
  CORBA::String_var text = "text";
  strings[0] = text;
  strings[0] = strings[0];
  text = strings[0];
  EXPECT_STREQ(text.in(), "text");
  Own::Names_var names = Own::Names_alloc();
  names[0] = text;
  names[1] = names[0];
  text = names[1];
  EXPECT_STREQ(text.in(), "text");
}

}  // namespace
