// The ORB a program is compiled against. The programs use the portable classic C++ mapping only, so that
// these includes are the whole difference between Corbel and a peer.
#pragma once

#ifdef BENCH_OMNIORB
#include <omniORB4/CORBA.h>

#include "bench.hh"
#else
#include <corbel/corba.h>
#include <corbel/poa.h>

#include "bench.skel.h"
#include "bench.stub.h"
#endif
