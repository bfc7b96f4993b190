// CORBA::String_var and the functions for strings.
#pragma once

#include <corbel/corba.h>
