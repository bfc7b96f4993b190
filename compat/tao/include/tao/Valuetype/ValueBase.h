// CORBA::ValueBase.
#pragma once

#include <corbel/cpp/value.h>
