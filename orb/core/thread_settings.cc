// Only programs that limit their threads' calls link it.
#include "orb/core/call_settings.h"

namespace corbel::core {

void set_thread_call_settings(ThreadPart part, const CallSettings& settings) {
  thread_local CallSettings limits, policies;
  (part == ThreadPart::Limits ? limits : policies) = settings;
  CallSettings both = limits;
  both.add(policies);
  thread_call_settings = both;
}

}  // namespace corbel::core
