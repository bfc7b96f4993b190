// CORBA::Policy and the policies of ORBs.
#pragma once

#include <corbel/cpp/policy.h>
#include <corbel/idl/orb.stub.h>
