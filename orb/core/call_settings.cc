#include "orb/core/call_settings.h"

namespace corbel::core {

constinit thread_local ThreadCallLimit thread_call_limit;

}  // namespace corbel::core
