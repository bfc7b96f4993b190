// What Any and TypeCode add to CORBA.
#pragma once

#include <corbel/any.h>
