// Made by corbel-idl from ignored-annotation.idl; do not edit.
#pragma once

#include <corbel/cpp/any.h>

#include "ignored-annotation.stub.h"

namespace corbel::tc::_unscoped {

extern CORBA::TypeCode _tc_Eight;
extern CORBA::TypeCode _tc_Same;
extern CORBA::TypeCode _tc_Color;
extern CORBA::TypeCode _tc_Flags;
extern CORBA::TypeCode _tc_Defaults;

}  // namespace corbel::tc::_unscoped

extern const CORBA::TypeCode_ptr _tc_Eight;
extern const CORBA::TypeCode_ptr _tc_Same;
extern const CORBA::TypeCode_ptr _tc_Color;
void operator<<=(CORBA::Any& any, ::Color value);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Color& value);
extern const CORBA::TypeCode_ptr _tc_Flags;
extern const CORBA::TypeCode_ptr _tc_Defaults;
void operator<<=(CORBA::Any& any, const ::Defaults& value);
void operator<<=(CORBA::Any& any, ::Defaults* adopted);
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::Defaults*& value);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Defaults*& value);
