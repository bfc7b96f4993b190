// CORBA::TypeCode.
#pragma once

#include <corbel/any.h>
