// Made by corbel-idl from value.idl; do not edit.
#include "value.any.h"

namespace corbel::cdr {
namespace {

struct Any_Shop_Table : ::Shop::Table_traits {
  static void marshal(Encoder& _out, const slice* value) {
    _out.run<8>(value, 48);
  }
  static bool unmarshal(Decoder& _in, slice* value) {
    if (!_in.get_run(&value[0][0], 6)) return false;
    return true;
  }
};

}  // namespace
}  // namespace corbel::cdr

namespace corbel::tc::Shop {

static const corbel::types::Member _members_Item[] = {
  {"name", &corbel::tc::_tc_string, 0, 1},
  {"cents", &corbel::tc::_tc_longlong, 0, 0},
};
CORBA::TypeCode _tc_Item{corbel::types::Kind::Value, "IDL:Shop/Item:1.0", "Item", nullptr, _members_Item, 2};
static const corbel::types::Member _members_Offer[] = {
  {"instead_of", &::corbel::tc::Shop::_tc_Item, 0, 1},
};
CORBA::TypeCode _tc_Offer{corbel::types::Kind::Value, "IDL:Shop/Offer:1.0", "Offer",
    &::corbel::tc::Shop::_tc_Item, _members_Offer, 1, 0, 3};
CORBA::TypeCode _tc_Label{corbel::types::Kind::ValueBox, "IDL:Shop/Label:1.0", "Label",
    &corbel::tc::_tc_string, nullptr, 0};
static CORBA::TypeCode _type_1{corbel::types::Kind::Array, "", "", &corbel::tc::_tc_longlong, nullptr, 0, 3};
static CORBA::TypeCode _type_2{corbel::types::Kind::Array, "", "", &_type_1, nullptr, 0, 2};
CORBA::TypeCode _tc_Table{corbel::types::Kind::Alias, "IDL:Shop/Table:1.0", "Table", &_type_2, nullptr, 0};
CORBA::TypeCode _tc_Prices{corbel::types::Kind::ValueBox, "IDL:Shop/Prices:1.0", "Prices",
    &::corbel::tc::Shop::_tc_Table, nullptr, 0};
CORBA::TypeCode _tc_Till{corbel::types::Kind::ObjRef, "IDL:Shop/Till:1.0", "Till", nullptr, nullptr, 0};

}  // namespace corbel::tc::Shop

namespace Shop {

const CORBA::TypeCode_ptr _tc_Item = &::corbel::tc::Shop::_tc_Item;
void operator<<=(CORBA::Any& any, ::Shop::Item* value) {
  corbel::cpp::insert_value(any, ::corbel::tc::Shop::_tc_Item, ::Shop::Item::_duplicate(value));
}
void operator<<=(CORBA::Any& any, ::Shop::Item** adopted) {
  corbel::cpp::insert_value(any, ::corbel::tc::Shop::_tc_Item, *adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Shop::Item*& value) {
  return corbel::cpp::extract_value(any, ::corbel::tc::Shop::_tc_Item, value);
}
const CORBA::TypeCode_ptr _tc_Offer = &::corbel::tc::Shop::_tc_Offer;
void operator<<=(CORBA::Any& any, ::Shop::Offer* value) {
  corbel::cpp::insert_value(any, ::corbel::tc::Shop::_tc_Offer, ::Shop::Offer::_duplicate(value));
}
void operator<<=(CORBA::Any& any, ::Shop::Offer** adopted) {
  corbel::cpp::insert_value(any, ::corbel::tc::Shop::_tc_Offer, *adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Shop::Offer*& value) {
  return corbel::cpp::extract_value(any, ::corbel::tc::Shop::_tc_Offer, value);
}
const CORBA::TypeCode_ptr _tc_Label = &::corbel::tc::Shop::_tc_Label;
void operator<<=(CORBA::Any& any, ::Shop::Label* value) {
  corbel::cpp::insert_value(any, ::corbel::tc::Shop::_tc_Label, ::Shop::Label::_duplicate(value));
}
void operator<<=(CORBA::Any& any, ::Shop::Label** adopted) {
  corbel::cpp::insert_value(any, ::corbel::tc::Shop::_tc_Label, *adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Shop::Label*& value) {
  return corbel::cpp::extract_value(any, ::corbel::tc::Shop::_tc_Label, value);
}
const CORBA::TypeCode_ptr _tc_Table = &::corbel::tc::Shop::_tc_Table;
void operator<<=(CORBA::Any& any, const ::Shop::Table_forany& value) {
  corbel::cpp::insert_array<corbel::cdr::Any_Shop_Table>(any, ::corbel::tc::Shop::_tc_Table, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Shop::Table_forany& value) {
  return corbel::cpp::extract_array<corbel::cdr::Any_Shop_Table>(any, ::corbel::tc::Shop::_tc_Table, value);
}
const CORBA::TypeCode_ptr _tc_Prices = &::corbel::tc::Shop::_tc_Prices;
void operator<<=(CORBA::Any& any, ::Shop::Prices* value) {
  corbel::cpp::insert_value(any, ::corbel::tc::Shop::_tc_Prices, ::Shop::Prices::_duplicate(value));
}
void operator<<=(CORBA::Any& any, ::Shop::Prices** adopted) {
  corbel::cpp::insert_value(any, ::corbel::tc::Shop::_tc_Prices, *adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Shop::Prices*& value) {
  return corbel::cpp::extract_value(any, ::corbel::tc::Shop::_tc_Prices, value);
}
const CORBA::TypeCode_ptr _tc_Till = &::corbel::tc::Shop::_tc_Till;
void operator<<=(CORBA::Any& any, ::Shop::Till_ptr value) {
  corbel::cpp::insert_reference(any, ::corbel::tc::Shop::_tc_Till, ::Shop::Till::_duplicate(value));
}
void operator<<=(CORBA::Any& any, ::Shop::Till_ptr* adopted) {
  corbel::cpp::insert_reference(any, ::corbel::tc::Shop::_tc_Till, *adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Shop::Till_ptr& value) {
  return corbel::cpp::extract_reference(any, ::corbel::tc::Shop::_tc_Till, value);
}

}  // namespace Shop
