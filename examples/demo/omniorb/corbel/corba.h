// Stands for Corbel where the demo is compiled against omniORB.
#pragma once
#include <omniORB4/CORBA.h>
