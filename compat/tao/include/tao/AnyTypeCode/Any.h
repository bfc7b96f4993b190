// CORBA::Any.
#pragma once

#include <corbel/any.h>
