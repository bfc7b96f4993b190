// omniORB's one header has the operators of Any, too.
#pragma once

#include "abstract.hh"
