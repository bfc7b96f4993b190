// CORBA::Long and its like.
#pragma once

#include <corbel/corba.h>
