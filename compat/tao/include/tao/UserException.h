// CORBA::UserException.
#pragma once

#include <corbel/corba.h>
