// CORBA::LocalObject.
#pragma once

#include <corbel/corba.h>
