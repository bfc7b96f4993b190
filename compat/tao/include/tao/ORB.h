// CORBA::ORB and ORB_init.
#pragma once

#include <corbel/corba.h>
