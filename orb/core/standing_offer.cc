#include "orb/core/standing_offer.h"

#include <new>
#include <vector>

#include "orb/core/orb.h"
#include "orb/ior/assigned.h"
#include "orb/ior/policies.h"

namespace corbel::core {
namespace {

bool is_omniorbs(const char* data, std::uint32_t size) {
  std::vector<ior::PolicyValue> policies;
  return ior::decode_policies(data, size, policies) && !policies.empty() &&
         policies[0].type == assigned::kPolicyCompressionEnabling;
}

}  // namespace

void StandingOffer::apply(ServerRequest& request) {
  if (!request.orb().compression()) return;
  const char* data;
  std::uint32_t size;
  if (!request.header().contexts.find(assigned::kContextInvocationPolicies, data, size)) {
    if (stands_ != 0) request.set_standing_offer(offer_);
  } else if (said_) {
    stands_ = 0;
  } else {
    said_ = true;
    try {
      if (size > kMost || !is_omniorbs(data, size)) return;
      offer_.assign(data, size);
      stands_ = 1;
    } catch (const std::bad_alloc&) {  // later replies are as they would be without
    }
  }
}

}  // namespace corbel::core
