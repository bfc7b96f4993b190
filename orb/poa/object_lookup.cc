#include "orb/poa/object_lookup.h"

namespace corbel::poa {

std::unique_ptr<ObjectLookup> make_lookup(const Policies& policies, const SlotTable& slots,
                                          SlotOwner& owner) {
  switch (policies.demultiplexing) {
    case ObjectDemultiplexing::Linear:
      return make_linear_lookup(slots);
    case ObjectDemultiplexing::PerfectHash:
      return make_perfect_lookup(slots, owner, policies.perfect_ids);
    case ObjectDemultiplexing::Hash:
      return make_hash_lookup(slots, owner, false);
    case ObjectDemultiplexing::Active:
    case ObjectDemultiplexing::VerifiedActive:
    case ObjectDemultiplexing::Default:
      break;
  }
  return make_hash_lookup(slots, owner, true);
}

}  // namespace corbel::poa
