// The Naming Service, which CORBA.h brings along.
#pragma once

#include <omniORB4/CORBA.h>
