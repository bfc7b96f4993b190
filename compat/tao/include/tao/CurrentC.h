// CORBA::Current.
#pragma once

#include <corbel/idl/orb.stub.h>
