// Made by corbel-idl from maps.idl; do not edit.
#include "maps.any.h"

namespace corbel::tc::Maps {

static const corbel::types::Member _members_Color[] = {
  {"red", nullptr, 0, 0},
  {"green", nullptr, 0, 0},
};
CORBA::TypeCode _tc_Color{corbel::types::Kind::Enum, "IDL:Maps/Color:1.0", "Color", nullptr, _members_Color,
    2};
CORBA::TypeCode _tc_Keeper{corbel::types::Kind::LocalInterface, "IDL:Maps/Keeper:1.0", "Keeper", nullptr,
    nullptr, 0};

}  // namespace corbel::tc::Maps

namespace Maps {

const CORBA::TypeCode_ptr _tc_Color = &::corbel::tc::Maps::_tc_Color;
void operator<<=(CORBA::Any& any, ::Maps::Color value) {
  corbel::cpp::insert_enum(any, ::corbel::tc::Maps::_tc_Color, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Maps::Color& value) {
  return corbel::cpp::extract_enum(any, ::corbel::tc::Maps::_tc_Color, value);
}
const CORBA::TypeCode_ptr _tc_Keeper = &::corbel::tc::Maps::_tc_Keeper;

}  // namespace Maps
