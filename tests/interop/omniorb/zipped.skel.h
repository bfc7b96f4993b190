// The contract as omniORB's compiler translates it, under the name that Corbel's has.
#pragma once

#include "zipped.hh"
