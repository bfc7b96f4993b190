// Valuetypes.
#pragma once

#include <corbel/cpp/value.h>
