// All of the classic mapping but the object adapters, as TAO divides it.
#pragma once

#include <corbel/any.h>
#include <corbel/corba.h>
#include <corbel/cpp/context.h>
#include <corbel/cpp/fixed.h>
#include <corbel/cpp/value.h>
#include <corbel/cpp/wide.h>
#include <corbel/idl/orb.stub.h>
#include <tao/Exception.h>
#include <tao/Objref_VarOut_T.h>
