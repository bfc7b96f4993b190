// Made by corbel-idl from maps.idl; do not edit.
#pragma once

#include <corbel/cpp/any.h>

#include "maps.stub.h"

namespace corbel::tc::Maps {

extern CORBA::TypeCode _tc_Color;
extern CORBA::TypeCode _tc_Keeper;

}  // namespace corbel::tc::Maps

namespace Maps {

extern const CORBA::TypeCode_ptr _tc_Color;
void operator<<=(CORBA::Any& any, ::Maps::Color value);
CORBA::Boolean operator>>=(const CORBA::Any& any, ::Maps::Color& value);
extern const CORBA::TypeCode_ptr _tc_Keeper;

}  // namespace Maps
