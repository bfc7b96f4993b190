// CORBA::_tc_long and its like.
#pragma once

#include <corbel/any.h>
