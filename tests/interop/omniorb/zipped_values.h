// What else is set before an ORB compresses: OMNIORB_ZIOP is the low value and the minimal ratio, where they
// are not to be omniORB's defaults. After ORB_init only: policies of values crash before.
#pragma once

#include <omniORB4/omniZIOP.h>

#include <cstdlib>
#include <sstream>

inline void set_values() {
  const char* const given = std::getenv("OMNIORB_ZIOP");
  if (!given) return;
  std::istringstream words(given);
  CORBA::ULong low_value = 0;
  float ratio = 1;
  words >> low_value >> ratio;
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = omniZIOP::create_compression_low_value_policy(low_value);
  policies[1] = omniZIOP::create_compression_min_ratio_policy(ratio);
  omniZIOP::setGlobalPolicies(policies);
}
