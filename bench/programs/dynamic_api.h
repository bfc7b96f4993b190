// What orb_api.h has, with Any and the dynamic interfaces of the same ORB.
#pragma once

#include "orb_api.h"

#ifndef BENCH_OMNIORB
#include <corbel/dynamic.h>

#include "bench.any.h"
#endif
