// Policies of calls: limits of time, one-ways, binding.
#pragma once

#include <corbel/messaging.h>
#include <tao/TAOC.h>
