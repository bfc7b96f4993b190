// What the policies of an adapter say of its objects' references and of replies.
#pragma once

#include <memory>
#include <vector>

#include "orb/core/call_settings.h"
#include "orb/ior/ior.h"
#include "orb/ior/policies.h"

namespace corbel::core {

struct AdapterPolicies {
  std::vector<ior::PolicyValue> exposed;  // that callers should know (TAG_POLICIES)
  CallSettings replies;
  std::vector<ior::TaggedComponent> components;  // of references, what interceptors have added
  std::shared_ptr<const void> kept;     // all of them, as the mapping has them, where somebody may ask
  std::shared_ptr<const void> factory;  // that makes the references, as the mapping has it; null: nobody else
};

}  // namespace corbel::core
