// omniORB's DynAny, under the name that Corbel's has.
#pragma once

#include <omniORB4/CORBA.h>
#include <omniORB4/dynAny.h>
