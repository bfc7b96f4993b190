// In which form a persistent adapter's references name their objects: for servers that take the place of one
// of omniORB's or TAO's (docs/references.md).
#pragma once

#include <corbel/core/key_format.h>
#include <corbel/poa.h>

namespace corbel {

// The type of the policy.
constexpr CORBA::PolicyType kKeyFormatPolicyType = 0x43420102;

// For POA::create_POA, in place of what -ORBkeyFormat says. References that the adapter makes have keys of
// this format, and requests with such keys reach its objects; so do those with Corbel's own keys for it. The
// names of the adapters above it are part of both, the server id of Corbel's keys alone. A name that keys of
// the format cannot hold (one with octets 0xfe or 0xff, for omniORB) is BAD_PARAM; without the policy
// PERSISTENT any format but Corbel's own is InvalidPolicy. Where ids are the system's, TAO's keys hold those
// that TAO has made (4 octets) only: references to others have Corbel's keys. The caller owns the policy.
// Thread-safe.
[[gnu::visibility("default")]] CORBA::Policy_ptr create_key_format_policy(KeyFormat format);

}  // namespace corbel
