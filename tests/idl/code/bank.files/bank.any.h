// Made by corbel-idl from bank.idl; do not edit.
#pragma once

#include <corbel/cpp/any.h>

#include "bank.stub.h"

namespace corbel::tc::Bank {

extern CORBA::TypeCode _tc_Amount;
extern CORBA::TypeCode _tc_Kind;
extern CORBA::TypeCode _tc_Entry;
extern CORBA::TypeCode _tc_Statement;
extern CORBA::TypeCode _tc_Amounts;
extern CORBA::TypeCode _tc_TooLittle;
extern CORBA::TypeCode _tc_Account;
extern CORBA::TypeCode _tc_Giro;
extern CORBA::TypeCode _tc_Desk;

}  // namespace corbel::tc::Bank

namespace Bank {

extern const CORBA::TypeCode_ptr _tc_Amount;
extern const CORBA::TypeCode_ptr _tc_Kind;
void operator<<=(CORBA::Any& any, ::Bank::Kind value);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Kind& value);
extern const CORBA::TypeCode_ptr _tc_Entry;
void operator<<=(CORBA::Any& any, const ::Bank::Entry& value);
void operator<<=(CORBA::Any& any, ::Bank::Entry* adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::Bank::Entry*& value);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Entry*& value);
extern const CORBA::TypeCode_ptr _tc_Statement;
void operator<<=(CORBA::Any& any, const ::Bank::Statement& value);
void operator<<=(CORBA::Any& any, ::Bank::Statement* adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::Bank::Statement*& value);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Statement*& value);
extern const CORBA::TypeCode_ptr _tc_Amounts;
void operator<<=(CORBA::Any& any, const ::Bank::Amounts& value);
void operator<<=(CORBA::Any& any, ::Bank::Amounts* adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::Bank::Amounts*& value);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Amounts*& value);
extern const CORBA::TypeCode_ptr _tc_TooLittle;
void operator<<=(CORBA::Any& any, const ::Bank::TooLittle& value);
void operator<<=(CORBA::Any& any, ::Bank::TooLittle* adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::Bank::TooLittle*& value);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::TooLittle*& value);
extern const CORBA::TypeCode_ptr _tc_Account;
void operator<<=(CORBA::Any& any, ::Bank::Account_ptr value);
void operator<<=(CORBA::Any& any, ::Bank::Account_ptr* adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Account_ptr& value);
extern const CORBA::TypeCode_ptr _tc_Giro;
void operator<<=(CORBA::Any& any, ::Bank::Giro_ptr value);
void operator<<=(CORBA::Any& any, ::Bank::Giro_ptr* adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Giro_ptr& value);
extern const CORBA::TypeCode_ptr _tc_Desk;
void operator<<=(CORBA::Any& any, ::Bank::Desk_ptr value);
void operator<<=(CORBA::Any& any, ::Bank::Desk_ptr* adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Bank::Desk_ptr& value);

}  // namespace Bank
