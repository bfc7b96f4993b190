// Made by corbel-idl from bank.idl; do not edit.
#include "bank.any.h"

namespace corbel::tc::Bank {

CORBA::TypeCode _tc_Amount{corbel::types::Kind::Alias, "IDL:example.com/Bank/Amount:1.0", "Amount",
    &corbel::tc::_tc_longlong, nullptr, 0};
static const corbel::types::Member _members_Kind[] = {
  {"deposit", nullptr, 0, 0},
  {"withdrawal", nullptr, 0, 0},
  {"transfer", nullptr, 0, 0},
};
CORBA::TypeCode _tc_Kind{corbel::types::Kind::Enum, "IDL:example.com/Bank/Kind:1.0", "Kind", nullptr,
    _members_Kind, 3};
static const corbel::types::Member _members_Entry[] = {
  {"day", &corbel::tc::_tc_ulong, 0, 0},
  {"what", &::corbel::tc::Bank::_tc_Kind, 0, 0},
  {"cents", &::corbel::tc::Bank::_tc_Amount, 0, 0},
  {"remark", &corbel::tc::_tc_string, 0, 0},
};
CORBA::TypeCode _tc_Entry{corbel::types::Kind::Struct, "IDL:example.com/Bank/Entry:1.0", "Entry", nullptr,
    _members_Entry, 4};
static CORBA::TypeCode _type_1{corbel::types::Kind::Sequence, "", "", &::corbel::tc::Bank::_tc_Entry,
    nullptr, 0, 0};
CORBA::TypeCode _tc_Statement{corbel::types::Kind::Alias, "IDL:example.com/Bank/Statement:1.0", "Statement",
    &_type_1, nullptr, 0};
static CORBA::TypeCode _type_2{corbel::types::Kind::Sequence, "", "", &::corbel::tc::Bank::_tc_Amount,
    nullptr, 0, 0};
CORBA::TypeCode _tc_Amounts{corbel::types::Kind::Alias, "IDL:example.com/Bank/Amounts:1.0", "Amounts",
    &_type_2, nullptr, 0};
static const corbel::types::Member _members_TooLittle[] = {
  {"missing", &::corbel::tc::Bank::_tc_Amount, 0, 0},
};
CORBA::TypeCode _tc_TooLittle{corbel::types::Kind::Except, "IDL:example.com/Bank/TooLittle:1.0", "TooLittle",
    nullptr, _members_TooLittle, 1};
CORBA::TypeCode _tc_Account{corbel::types::Kind::ObjRef, "IDL:example.com/Bank/Account:1.0", "Account",
    nullptr, nullptr, 0};
CORBA::TypeCode _tc_Giro{corbel::types::Kind::ObjRef, "IDL:example.com/Bank/Giro:1.0", "Giro", nullptr,
    nullptr, 0};
CORBA::TypeCode _tc_Desk{corbel::types::Kind::ObjRef, "IDL:example.com/Bank/Desk:1.0", "Desk", nullptr,
    nullptr, 0};

}  // namespace corbel::tc::Bank

namespace Bank {

const CORBA::TypeCode_ptr _tc_Amount = &::corbel::tc::Bank::_tc_Amount;
const CORBA::TypeCode_ptr _tc_Kind = &::corbel::tc::Bank::_tc_Kind;
void operator<<=(CORBA::Any& any, ::Bank::Kind value) {
  corbel::cpp::insert_enum(any, ::corbel::tc::Bank::_tc_Kind, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Kind& value) {
  return corbel::cpp::extract_enum(any, ::corbel::tc::Bank::_tc_Kind, value);
}
const CORBA::TypeCode_ptr _tc_Entry = &::corbel::tc::Bank::_tc_Entry;
void operator<<=(CORBA::Any& any, const ::Bank::Entry& value) {
  corbel::cpp::insert(any, ::corbel::tc::Bank::_tc_Entry, value);
}
void operator<<=(CORBA::Any& any, ::Bank::Entry* adopted) {
  corbel::cpp::insert_adopted(any, ::corbel::tc::Bank::_tc_Entry, adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::Bank::Entry*& value) {
  return corbel::cpp::extract(any, ::corbel::tc::Bank::_tc_Entry, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Entry*& value) {
  return any >>= const_cast<const ::Bank::Entry*&>(value);
}
const CORBA::TypeCode_ptr _tc_Statement = &::corbel::tc::Bank::_tc_Statement;
void operator<<=(CORBA::Any& any, const ::Bank::Statement& value) {
  corbel::cpp::insert(any, ::corbel::tc::Bank::_tc_Statement, value);
}
void operator<<=(CORBA::Any& any, ::Bank::Statement* adopted) {
  corbel::cpp::insert_adopted(any, ::corbel::tc::Bank::_tc_Statement, adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::Bank::Statement*& value) {
  return corbel::cpp::extract(any, ::corbel::tc::Bank::_tc_Statement, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Statement*& value) {
  return any >>= const_cast<const ::Bank::Statement*&>(value);
}
const CORBA::TypeCode_ptr _tc_Amounts = &::corbel::tc::Bank::_tc_Amounts;
void operator<<=(CORBA::Any& any, const ::Bank::Amounts& value) {
  corbel::cpp::insert(any, ::corbel::tc::Bank::_tc_Amounts, value);
}
void operator<<=(CORBA::Any& any, ::Bank::Amounts* adopted) {
  corbel::cpp::insert_adopted(any, ::corbel::tc::Bank::_tc_Amounts, adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::Bank::Amounts*& value) {
  return corbel::cpp::extract(any, ::corbel::tc::Bank::_tc_Amounts, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Amounts*& value) {
  return any >>= const_cast<const ::Bank::Amounts*&>(value);
}
const CORBA::TypeCode_ptr _tc_TooLittle = &::corbel::tc::Bank::_tc_TooLittle;
void operator<<=(CORBA::Any& any, const ::Bank::TooLittle& value) {
  corbel::cpp::insert_exception(any, ::corbel::tc::Bank::_tc_TooLittle, new ::Bank::TooLittle(value));
}
void operator<<=(CORBA::Any& any, ::Bank::TooLittle* adopted) {
  corbel::cpp::insert_exception(any, ::corbel::tc::Bank::_tc_TooLittle, adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::Bank::TooLittle*& value) {
  return corbel::cpp::extract_exception(any, ::corbel::tc::Bank::_tc_TooLittle, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::TooLittle*& value) {
  return any >>= const_cast<const ::Bank::TooLittle*&>(value);
}
const CORBA::TypeCode_ptr _tc_Account = &::corbel::tc::Bank::_tc_Account;
void operator<<=(CORBA::Any& any, ::Bank::Account_ptr value) {
  corbel::cpp::insert_reference(any, ::corbel::tc::Bank::_tc_Account, ::Bank::Account::_duplicate(value));
}
void operator<<=(CORBA::Any& any, ::Bank::Account_ptr* adopted) {
  corbel::cpp::insert_reference(any, ::corbel::tc::Bank::_tc_Account, *adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Account_ptr& value) {
  return corbel::cpp::extract_reference(any, ::corbel::tc::Bank::_tc_Account, value);
}
const CORBA::TypeCode_ptr _tc_Giro = &::corbel::tc::Bank::_tc_Giro;
void operator<<=(CORBA::Any& any, ::Bank::Giro_ptr value) {
  corbel::cpp::insert_reference(any, ::corbel::tc::Bank::_tc_Giro, ::Bank::Giro::_duplicate(value));
}
void operator<<=(CORBA::Any& any, ::Bank::Giro_ptr* adopted) {
  corbel::cpp::insert_reference(any, ::corbel::tc::Bank::_tc_Giro, *adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Giro_ptr& value) {
  return corbel::cpp::extract_reference(any, ::corbel::tc::Bank::_tc_Giro, value);
}
const CORBA::TypeCode_ptr _tc_Desk = &::corbel::tc::Bank::_tc_Desk;
void operator<<=(CORBA::Any& any, ::Bank::Desk_ptr value) {
  corbel::cpp::insert_reference(any, ::corbel::tc::Bank::_tc_Desk, ::Bank::Desk::_duplicate(value));
}
void operator<<=(CORBA::Any& any, ::Bank::Desk_ptr* adopted) {
  corbel::cpp::insert_reference(any, ::corbel::tc::Bank::_tc_Desk, *adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Desk_ptr& value) {
  return corbel::cpp::extract_reference(any, ::corbel::tc::Bank::_tc_Desk, value);
}

}  // namespace Bank
