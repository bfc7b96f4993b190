// Anys made of a TypeCode and an address: what the mapping keeps for old programs.
#include <corbel/any.h>
#include <corbel/any_text.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

using corbel::types::Kind;
using corbel::types::Member;

namespace {

const Member colours[] = {{"red", nullptr, 0, 0}, {"green", nullptr, 0, 0}};
CORBA::TypeCode tc_colour{Kind::Enum, "IDL:Colour:1.0", "Colour", nullptr, colours, 2};
const Member members[] = {{"x", &corbel::tc::_tc_long, 0, 0}};
CORBA::TypeCode tc_struct{Kind::Struct, "IDL:Struct:1.0", "Struct", nullptr, members, 1};
CORBA::TypeCode tc_count{Kind::Alias, "IDL:Count:1.0", "Count", &corbel::tc::_tc_long, nullptr, 0};
CORBA::TypeCode tc_wide{Kind::WString, "", "", nullptr, nullptr, 0, 3};
CORBA::TypeCode tc_money{Kind::Fixed, "", "", nullptr, nullptr, 0, 5, 2};
CORBA::TypeCode tc_thing{Kind::ObjRef, "IDL:Thing:1.0", "Thing", nullptr, nullptr, 0};

template <typename T>
void expect_number(CORBA::TypeCode_ptr type, T value) {
  T variable = value, found{};
  CORBA::Any any(type, &variable);
  variable = T{};
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ(found, value);
  ASSERT_NE(any.value(), nullptr);
  EXPECT_EQ(*static_cast<const T*>(any.value()), value);
  CORBA::Any owning(type, new T(value), true);
  ASSERT_TRUE(owning >>= found);
  EXPECT_EQ(found, value);
}

TEST(UntypedAny, HoldsNumbers) {
  expect_number(CORBA::_tc_short, CORBA::Short(-2));
  expect_number(CORBA::_tc_ushort, CORBA::UShort(65535));
  expect_number(CORBA::_tc_long, CORBA::Long(-70000));
  expect_number(CORBA::_tc_ulong, CORBA::ULong(0x80000000));
  expect_number(CORBA::_tc_longlong, CORBA::LongLong(-1) << 40);
  expect_number(CORBA::_tc_ulonglong, CORBA::ULongLong(1) << 63);
  expect_number(CORBA::_tc_float, CORBA::Float(1.5));
  expect_number(CORBA::_tc_double, CORBA::Double(-1e300));
  expect_number(CORBA::_tc_longdouble, CORBA::LongDouble(0.25));
  expect_number(&tc_count, CORBA::Long(12));
}

TEST(UntypedAny, HoldsCharactersBooleansAndEnums) {
  CORBA::Boolean yes = true, b = false;
  CORBA::Any any(CORBA::_tc_boolean, &yes);
  EXPECT_TRUE(any >>= CORBA::Any::to_boolean(b));
  EXPECT_TRUE(b);
  CORBA::WChar snowman = 0x2603, w = 0;
  any.replace(CORBA::_tc_wchar, &snowman);
  EXPECT_TRUE(any >>= CORBA::Any::to_wchar(w));
  EXPECT_EQ(w, snowman);
  CORBA::ULong green = 1;
  any.replace(&tc_colour, &green);
  enum Colour { red, green_ } colour = red;
  EXPECT_TRUE(corbel::cpp::extract_enum(any, tc_colour, colour));
  EXPECT_EQ(colour, green_);
}

TEST(UntypedAny, HoldsStringsByTheirVariable) {
  char local[] = "text";
  char* variable = local;
  CORBA::Any any(CORBA::_tc_string, &variable);
  local[0] = 'n';
  const char* out = nullptr;
  ASSERT_TRUE(any >>= out);
  EXPECT_STREQ(out, "text");
  ASSERT_NE(any.value(), nullptr);
  EXPECT_STREQ(*static_cast<const char* const*>(any.value()), "text");
  char* given = CORBA::string_dup("given");
  any.replace(CORBA::_tc_string, &given, true);
  ASSERT_TRUE(any >>= out);
  EXPECT_EQ(out, given);
  CORBA::WChar wide[] = {'a', 'b', 'c', 'd', 0};
  CORBA::WChar* too_long = wide;
  EXPECT_THROW(any.replace(&tc_wide, &too_long), CORBA::BAD_PARAM);
  wide[3] = 0;
  any.replace(&tc_wide, &too_long);
  const CORBA::WChar* found = nullptr;
  EXPECT_FALSE(any >>= found);
  ASSERT_TRUE(any >>= CORBA::Any::to_wstring(found, 3));
  EXPECT_EQ(found[2], CORBA::WChar('c'));
}

TEST(UntypedAny, HoldsFixedAnysTypeCodesAndReferences) {
  CORBA::Fixed price("12.34"), back;
  CORBA::Any any(&tc_money, &price);
  ASSERT_TRUE(any >>= CORBA::Any::to_fixed(back, 5, 2));
  EXPECT_EQ(back, price);
  CORBA::Any inside;
  inside <<= CORBA::Long(3);
  any.replace(CORBA::_tc_any, &inside);
  const CORBA::Any* found = nullptr;
  CORBA::Long three = 0;
  ASSERT_TRUE(any >>= found);
  ASSERT_TRUE(*found >>= three);
  EXPECT_EQ(three, 3);
  CORBA::TypeCode_ptr type = &tc_struct;
  any.replace(CORBA::_tc_TypeCode, &type);
  CORBA::TypeCode_ptr held = nullptr;
  ASSERT_TRUE(any >>= held);
  EXPECT_EQ(held, &tc_struct);
  CORBA::Object_ptr nil = nullptr;
  any.replace(&tc_thing, &nil);
  CORBA::TypeCode_var of = any.type();
  EXPECT_STREQ(of->id(), "IDL:Thing:1.0");
  CORBA::Object_var object;
  EXPECT_TRUE(any >>= CORBA::Any::to_object(object));
  EXPECT_TRUE(CORBA::is_nil(object.in()));
}

class Near : public CORBA::LocalObject {
 public:
  explicit Near(bool& gone) : gone_(gone) {}
  ~Near() override { gone_ = true; }

 private:
  bool& gone_;
};

TEST(UntypedAny, HoldsReferencesOfComponentsAndHomes) {
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr, "untyped");
  const CORBA::Object_var object = orb->string_to_object("corbaloc::localhost:9/thing");
  for (const Kind kind : {Kind::ObjRef, Kind::Component, Kind::Home}) {
    CORBA::TypeCode type{kind, "IDL:Thing:1.0", "Thing", nullptr, nullptr, 0};
    CORBA::Object_ptr lent = object.in();
    CORBA::Any any(&type, &lent);
    CORBA::TypeCode_var of = any.type();
    EXPECT_TRUE(of->equal(&type));
    ASSERT_NE(any.value(), nullptr);
    EXPECT_EQ(*static_cast<CORBA::Object_ptr const*>(any.value()), object.in());
    CORBA::Object_var held;
    ASSERT_TRUE(any >>= CORBA::Any::to_object(held));
    EXPECT_EQ(held.in(), object.in());
    CORBA::Object_ptr given = CORBA::Object::_duplicate(object.in());
    any.replace(&type, &given, true);
    corbel::cdr::Encoder out;
    out.reset();
    corbel::cdr::marshal(out, any);
    ASSERT_FALSE(out.error());
    corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
    in.set_context(nullptr, false, &orb->_corbel_core());
    CORBA::Any received;
    ASSERT_TRUE(corbel::cdr::unmarshal(in, received));
    ASSERT_TRUE(received >>= CORBA::Any::to_object(held));
    EXPECT_TRUE(object->_is_equivalent(held.in()));
  }
  orb->destroy();
}

TEST(UntypedAny, HoldsLocalObjectsThatNeverTravel) {
  CORBA::TypeCode type{Kind::LocalInterface, "IDL:Near:1.0", "Near", nullptr, nullptr, 0};
  bool gone = false;
  CORBA::Object_ptr variable = new Near(gone);
  CORBA::Any any;
  CORBA::Object_var held;
  any.replace(&type, nullptr);
  EXPECT_FALSE(any >>= CORBA::Any::to_object(held));
  any.replace(&type, &variable);
  CORBA::Any copy(any);
  any.replace(&type, &variable, true);
  ASSERT_TRUE(copy >>= CORBA::Any::to_object(held));
  EXPECT_EQ(held.in(), variable);
  CORBA::Object_ptr nil = nullptr;
  const CORBA::Any of_nil(&type, &nil);
  for (const CORBA::Any* sent : std::initializer_list<const CORBA::Any*>{&copy, &of_nil}) {
    corbel::cdr::Encoder out;
    out.reset();
    corbel::cdr::marshal(out, *sent);
    EXPECT_EQ(out.error().id, corbel::SystemErrorId::MARSHAL);
  }
  EXPECT_FALSE(corbel::text_of(copy, 100).empty());
  held = CORBA::Object::_nil();
  any = CORBA::Any();
  EXPECT_FALSE(gone);
  copy.replace(CORBA::_tc_null, nullptr);
  EXPECT_TRUE(gone);
}

TEST(UntypedAny, KeepsTheTypeThatItWasGiven) {
  CORBA::Long seven = 7;
  const CORBA::Any any(&tc_count, &seven);
  CORBA::TypeCode_var type = any.type();
  EXPECT_EQ(type->kind(), CORBA::tk_alias);
}

TEST(UntypedAny, OfATypeWithoutOperatorsIsRefusedAndChangesNothing) {
  CORBA::Any any;
  any <<= CORBA::Long(4);
  CORBA::Long value = 4;
  EXPECT_THROW(any.replace(&tc_struct, &value), CORBA::NO_IMPLEMENT);
  EXPECT_THROW(any.replace(nullptr, &value), CORBA::BAD_PARAM);
  CORBA::Long still = 0;
  EXPECT_TRUE(any >>= still);
  EXPECT_EQ(still, 4);
}

TEST(UntypedAny, TakesWhatDoesNotFitAllTheSame) {
  CORBA::TypeCode narrow(Kind::String, "", "", nullptr, nullptr, 0, 2);
  CORBA::TypeCode shifted(Kind::Fixed, "", "", nullptr, nullptr, 0, 5, -1);
  CORBA::Any any;
  any <<= CORBA::Long(4);
  EXPECT_THROW(any.replace(&tc_money, new CORBA::Fixed("1234567.8"), true), CORBA::SystemException);
  EXPECT_THROW(any.replace(&shifted, new CORBA::Fixed("1"), true), CORBA::BAD_TYPECODE);
  char* text = CORBA::string_dup("long");
  EXPECT_THROW(any.replace(&narrow, &text, true), CORBA::BAD_PARAM);
  CORBA::WChar* wide = CORBA::wstring_dup(L"long");
  EXPECT_THROW(any.replace(&tc_wide, &wide, true), CORBA::BAD_PARAM);
  CORBA::Long still = 0;
  EXPECT_TRUE(any >>= still);
  EXPECT_EQ(still, 4);
}

TEST(UntypedAny, WithoutAnAddressHasATypeAndNoValue) {
  CORBA::Any any;
  any <<= CORBA::Long(4);
  any.replace(&tc_struct, nullptr);
  CORBA::TypeCode_var type = any.type();
  EXPECT_TRUE(type->equal(&tc_struct));
  EXPECT_EQ(any.value(), nullptr);
  CORBA::Any copy(any);
  EXPECT_EQ(copy.value(), nullptr);
  corbel::cdr::Encoder out;
  out.reset();
  corbel::cdr::marshal(out, any);
  EXPECT_EQ(out.error().id, corbel::SystemErrorId::BAD_PARAM);
}

TEST(UntypedAny, TellsNoAddressOfWhatNobodyHasExtracted) {
  CORBA::Any sent;
  const CORBA::WChar wide[] = {'a', 'b', 0};
  sent <<= wide;
  corbel::cdr::Encoder out;
  out.reset();
  corbel::cdr::marshal(out, sent);
  corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  CORBA::Any received;
  ASSERT_TRUE(corbel::cdr::unmarshal(in, received));
  EXPECT_EQ(received.value(), nullptr);
  const CORBA::WChar* text = nullptr;
  ASSERT_TRUE(received >>= text);
  ASSERT_NE(received.value(), nullptr);
  EXPECT_EQ(*static_cast<const CORBA::WChar* const*>(received.value()), text);
}

TEST(UntypedAny, GivesStringsThatWereReceived) {
  CORBA::Any sent;
  sent <<= "text";
  corbel::cdr::Encoder out;
  out.reset();
  corbel::cdr::marshal(out, sent);
  corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  CORBA::Any received;
  ASSERT_TRUE(corbel::cdr::unmarshal(in, received));
  ASSERT_NE(received.value(), nullptr);
  EXPECT_STREQ(*static_cast<const char* const*>(received.value()), "text");
}

TEST(UntypedAny, StandardExceptionsHaveConstants) {
  EXPECT_STREQ(CORBA::_tc_BAD_PARAM->id(), "IDL:omg.org/CORBA/BAD_PARAM:1.0");
  EXPECT_STREQ(CORBA::_tc_UNKNOWN->name(), "UNKNOWN");
  CORBA::Any any;
  any <<= CORBA::TRANSIENT();
  CORBA::TypeCode_var type = any.type();
  EXPECT_TRUE(type->equal(CORBA::_tc_TRANSIENT));
  CORBA::TypeCode_var second = CORBA::_tc_TRANSIENT->member_type(1);
  EXPECT_TRUE(second->equal(CORBA::_tc_completion_status));
}

}  // namespace
