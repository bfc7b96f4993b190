// All of the classic mapping, as omniORB's header of this name has it: Any, values, adapters, dynamic
// requests, threads, naming.
#pragma once

#include <corbel/any.h>
#include <corbel/corba.h>
#include <corbel/cpp/context.h>
#include <corbel/cpp/fixed.h>
#include <corbel/cpp/tie.h>
#include <corbel/cpp/value.h>
#include <corbel/cpp/wide.h>
#include <corbel/dynamic.h>
#include <corbel/idl/CosNaming.any.h>
#include <corbel/idl/CosNaming.skel.h>
#include <corbel/idl/CosNaming.stub.h>
#include <corbel/idl/IOP.any.h>
#include <corbel/idl/IOP.stub.h>
#include <corbel/poa.h>
#include <omniORB4/CORBA_sysdep.h>
#include <omniORB4/minorCode.h>
#include <omniORB4/omniORB.h>
#include <omniORB4/omniPolicy.h>
#include <omniORB4/tracedthread.h>
#include <omnithread.h>

// What omniORB's header takes along of the standard library.
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

// omniORB's names of basic types, which programs use, too.
typedef CORBA::Boolean _CORBA_Boolean;
typedef CORBA::Char _CORBA_Char;
typedef CORBA::Octet _CORBA_Octet;
typedef CORBA::WChar _CORBA_WChar;
typedef CORBA::Short _CORBA_Short;
typedef CORBA::UShort _CORBA_UShort;
typedef CORBA::Long _CORBA_Long;
typedef CORBA::ULong _CORBA_ULong;
typedef CORBA::LongLong _CORBA_LongLong;
typedef CORBA::ULongLong _CORBA_ULongLong;
typedef CORBA::Float _CORBA_Float;
typedef CORBA::Double _CORBA_Double;

namespace CORBA {

// omniORB's names of strings that stand in structs and sequences.
typedef corbel::cpp::StringMember String_member;
typedef corbel::cpp::StringElement String_element;
typedef corbel::cpp::WStringMember WString_member;
typedef corbel::cpp::WStringElement WString_element;

}  // namespace CORBA
