// Made by corbel-idl from ignored-annotation.idl; do not edit.
#include "ignored-annotation.any.h"

namespace corbel::tc::_unscoped {

CORBA::TypeCode _tc_Eight{corbel::types::Kind::Alias, "IDL:Eight:1.0", "Eight", &corbel::tc::_tc_short,
    nullptr, 0};
CORBA::TypeCode _tc_Same{corbel::types::Kind::Alias, "IDL:Same:1.0", "Same",
    &::corbel::tc::_unscoped::_tc_Eight, nullptr, 0};
static const corbel::types::Member _members_Color[] = {
  {"red", nullptr, 0, 0},
  {"green", nullptr, 0, 0},
  {"blue", nullptr, 0, 0},
};
CORBA::TypeCode _tc_Color{corbel::types::Kind::Enum, "IDL:Color:1.0", "Color", nullptr, _members_Color, 3};
CORBA::TypeCode _tc_Flags{corbel::types::Kind::Alias, "IDL:Flags:1.0", "Flags", &corbel::tc::_tc_ulong,
    nullptr, 0};
static CORBA::TypeCode _type_1{corbel::types::Kind::Fixed, "", "", nullptr, nullptr, 0, 5, 2};
static CORBA::TypeCode _type_2{corbel::types::Kind::Array, "", "", &::corbel::tc::_unscoped::_tc_Color,
    nullptr, 0, 2};
static const corbel::types::Member _members_Defaults[] = {
  {"a", &::corbel::tc::_unscoped::_tc_Same, 0, 0},
  {"b", &::corbel::tc::_unscoped::_tc_Eight, 0, 0},
  {"c", &::corbel::tc::_unscoped::_tc_Color, 0, 0},
  {"d", &::corbel::tc::_unscoped::_tc_Color, 0, 0},
  {"e", &corbel::tc::_tc_string, 0, 0},
  {"f", &corbel::tc::_tc_boolean, 0, 0},
  {"g", &corbel::tc::_tc_double, 0, 0},
  {"h", &corbel::tc::_tc_char, 0, 0},
  {"i", &_type_1, 0, 0},
  {"j", &corbel::tc::_tc_wstring, 0, 0},
  {"k", &::corbel::tc::_unscoped::_tc_Flags, 0, 0},
  {"l", &corbel::tc::_tc_ulonglong, 0, 0},
  {"m", &corbel::tc::_tc_octet, 0, 0},
  {"n", &_type_2, 0, 0},
  {"o", &corbel::tc::_tc_long, 0, 0},
};
CORBA::TypeCode _tc_Defaults{corbel::types::Kind::Struct, "IDL:Defaults:1.0", "Defaults", nullptr,
    _members_Defaults, 15};

}  // namespace corbel::tc::_unscoped

const CORBA::TypeCode_ptr _tc_Eight = &::corbel::tc::_unscoped::_tc_Eight;
const CORBA::TypeCode_ptr _tc_Same = &::corbel::tc::_unscoped::_tc_Same;
const CORBA::TypeCode_ptr _tc_Color = &::corbel::tc::_unscoped::_tc_Color;
void operator<<=(CORBA::Any& any, ::Color value) {
  corbel::cpp::insert_enum(any, ::corbel::tc::_unscoped::_tc_Color, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Color& value) {
  return corbel::cpp::extract_enum(any, ::corbel::tc::_unscoped::_tc_Color, value);
}
const CORBA::TypeCode_ptr _tc_Flags = &::corbel::tc::_unscoped::_tc_Flags;
const CORBA::TypeCode_ptr _tc_Defaults = &::corbel::tc::_unscoped::_tc_Defaults;
void operator<<=(CORBA::Any& any, const ::Defaults& value) {
  corbel::cpp::insert(any, ::corbel::tc::_unscoped::_tc_Defaults, value);
}
void operator<<=(CORBA::Any& any, ::Defaults* adopted) {
  corbel::cpp::insert_adopted(any, ::corbel::tc::_unscoped::_tc_Defaults, adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::Defaults*& value) {
  return corbel::cpp::extract(any, ::corbel::tc::_unscoped::_tc_Defaults, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Defaults*& value) {
  return any >>= const_cast<const ::Defaults*&>(value);
}
