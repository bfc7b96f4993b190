// CORBA::ValueFactoryBase.
#pragma once

#include <corbel/cpp/value.h>
