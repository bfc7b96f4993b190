// Policies of calls in the classic C++ mapping: the library Corbel::messaging.
#pragma once

#include <corbel/any.h>
#include <corbel/cpp/policy.h>
#include <corbel/idl/BiDirPolicy.stub.h>
#include <corbel/idl/Messaging.any.h>
#include <corbel/idl/TimeBase.any.h>
#include <corbel/idl/orb.any.h>
#include <corbel/messaging/policies.h>
