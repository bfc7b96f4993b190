// TypeCodes made at run time.
#pragma once

#include <corbel/any.h>
