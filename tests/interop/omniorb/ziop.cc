// Linked into programs that were written without compression: their omniORB has it then, where its transport
// rules have the word "ziop", too. OMNIORB_ZIOP is the low value and the minimal ratio, where they are not to
// be its defaults.
#include <omniORB4/CORBA.h>
#include <omniORB4/omniZIOP.h>

#include <cstdlib>
#include <sstream>

namespace {

bool use() {
  CORBA::PolicyList policies;
  if (const char* given = std::getenv("OMNIORB_ZIOP")) {
    std::istringstream words(given);
    CORBA::ULong low_value = 0;
    float ratio = 1;
    words >> low_value >> ratio;
    policies.length(2);
    policies[0] = omniZIOP::create_compression_low_value_policy(low_value);
    policies[1] = omniZIOP::create_compression_min_ratio_policy(ratio);
  }
  omniZIOP::setGlobalPolicies(policies);
  return true;
}

[[maybe_unused]] const bool used = use();

}  // namespace
