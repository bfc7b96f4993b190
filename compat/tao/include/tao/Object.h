// CORBA::Object.
#pragma once

#include <corbel/corba.h>
