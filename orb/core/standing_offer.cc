#include "orb/core/standing_offer.h"

#include <new>

#include "orb/core/orb.h"
#include "orb/ior/assigned.h"

namespace corbel::core {

void StandingOffer::apply(ServerRequest& request) {
  if (!request.orb().compression()) return;
  const char* data;
  std::uint32_t size;
  if (!request.header().contexts.find(assigned::kContextInvocationPolicies, data, size)) {
    if (stands_ != 0) request.set_standing_offer(offer_);
  } else if (said_) {
    stands_ = 0;
  } else if (size <= kMost) {
    try {
      offer_.assign(data, size);
      stands_ = 1;
    } catch (const std::bad_alloc&) {  // later replies are as they would be without
    }
    said_ = true;
  }
}

}  // namespace corbel::core
