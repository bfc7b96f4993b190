// The standard exceptions.
#pragma once

#include <corbel/corba.h>
