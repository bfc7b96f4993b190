// TAO's own policies.
#pragma once

#include <corbel/messaging.h>

namespace TAO {

using corbel::messaging::CONNECTION_TIMEOUT_POLICY_TYPE;
using corbel::messaging::ConnectionTimeoutPolicy;
using corbel::messaging::ConnectionTimeoutPolicy_out;
using corbel::messaging::ConnectionTimeoutPolicy_ptr;
using corbel::messaging::ConnectionTimeoutPolicy_var;

}  // namespace TAO
