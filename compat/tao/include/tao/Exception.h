// CORBA::Exception.
#pragma once

#include <corbel/corba.h>
