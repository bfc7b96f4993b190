// CORBA::Environment.
#pragma once

#include <corbel/any.h>
