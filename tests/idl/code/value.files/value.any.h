// Made by corbel-idl from value.idl; do not edit.
#pragma once

#include <corbel/cpp/any.h>
#include <corbel/cpp/any_value.h>

#include "value.stub.h"

namespace corbel::tc::Shop {

extern CORBA::TypeCode _tc_Item;
extern CORBA::TypeCode _tc_Offer;
extern CORBA::TypeCode _tc_Label;
extern CORBA::TypeCode _tc_Table;
extern CORBA::TypeCode _tc_Prices;
extern CORBA::TypeCode _tc_Till;

}  // namespace corbel::tc::Shop

namespace Shop {

extern const CORBA::TypeCode_ptr _tc_Item;
void operator<<=(CORBA::Any& any, ::Shop::Item* value);
void operator<<=(CORBA::Any& any, ::Shop::Item** adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Shop::Item*& value);
extern const CORBA::TypeCode_ptr _tc_Offer;
void operator<<=(CORBA::Any& any, ::Shop::Offer* value);
void operator<<=(CORBA::Any& any, ::Shop::Offer** adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Shop::Offer*& value);
extern const CORBA::TypeCode_ptr _tc_Label;
void operator<<=(CORBA::Any& any, ::Shop::Label* value);
void operator<<=(CORBA::Any& any, ::Shop::Label** adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Shop::Label*& value);
extern const CORBA::TypeCode_ptr _tc_Table;
void operator<<=(CORBA::Any& any, const ::Shop::Table_forany& value);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Shop::Table_forany& value);
extern const CORBA::TypeCode_ptr _tc_Prices;
void operator<<=(CORBA::Any& any, ::Shop::Prices* value);
void operator<<=(CORBA::Any& any, ::Shop::Prices** adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Shop::Prices*& value);
extern const CORBA::TypeCode_ptr _tc_Till;
void operator<<=(CORBA::Any& any, ::Shop::Till_ptr value);
void operator<<=(CORBA::Any& any, ::Shop::Till_ptr* adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Shop::Till_ptr& value);

}  // namespace Shop
