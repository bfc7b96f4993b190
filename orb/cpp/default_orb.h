// The ORBs of the process, for those who name none.
#pragma once

#include <corbel/cpp/orb.h>

#include "orb/core/call_settings.h"

namespace corbel::cpp {

// The one without a name, else the oldest of the process; null if there is none. The caller releases it.
CORBA::ORB_ptr default_orb();

// What is set for all ORBs of the process: for those that there are, and for those that are made later where
// their own options say nothing. Times are in nanoseconds, 0 for no limit.
void set_call_timeout(std::int64_t timeout);
void set_connect_timeout(std::int64_t timeout);
// Unless there is one; gives what is there then.
base::Ref<core::RetryHandler> set_retry_handler(base::Ref<core::RetryHandler> handler);

}  // namespace corbel::cpp
