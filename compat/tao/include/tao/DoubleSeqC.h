// CORBA::DoubleSeq.
#pragma once

#include <corbel/any.h>
#include <corbel/idl/orb.any.h>
#include <corbel/idl/orb.stub.h>
