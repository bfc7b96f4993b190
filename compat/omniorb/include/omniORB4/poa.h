// The object adapters.
#pragma once

#include <omniORB4/CORBA.h>
