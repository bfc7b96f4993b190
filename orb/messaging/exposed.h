// Policies that a server's reference says its callers should know (TAG_POLICIES; CORBA 3.4 part 1, "Messaging
// QoS Profile Component").
#pragma once

#include <string>
#include <vector>

#include <corbel/cpp/policy.h>

#include "orb/core/call_settings.h"
#include "orb/ior/ior.h"

namespace corbel::messaging {

struct Exposed {
  CORBA::PolicyType type;
  std::string value;  // an encapsulation
  bool operator==(const Exposed&) const = default;
};

// Those that concern calls, of the first IIOP profile; none where the component is malformed.
std::vector<Exposed> exposed_policies(const ior::Ior& ior);

// As core::SameQuality.
bool same_quality(const core::CallSettings& own, const ior::Ior& before, const ior::Ior& after);

// As core::Reconcile.
SystemError reconcile_all(const core::Reference& target, core::CallSettings& settings);

// What both come to: the shorter of two times, else what they agree about. `ours` may be null. False if they
// exclude each other.
bool reconcile(const CORBA::Policy_var& ours, const Exposed& theirs, CORBA::Policy_var& result);

}  // namespace corbel::messaging
