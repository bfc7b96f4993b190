// The policies that an adapter was made with, as the mapping has them.
#pragma once

#include <corbel/cpp/policy.h>

#include "orb/core/adapter_policies.h"

namespace corbel::cpp {

inline std::shared_ptr<const void> keep_policies(const CORBA::PolicyList& list) {
  return std::make_shared<const CORBA::PolicyList>(list);
}

// Counted for the caller; nil if there is none of the type.
inline CORBA::Policy_ptr find_policy(const core::AdapterPolicies& of, CORBA::PolicyType type) {
  const auto* const list = static_cast<const CORBA::PolicyList*>(of.kept.get());
  for (CORBA::ULong i = 0; list && i < list->length(); ++i)
    if ((*list)[i]->policy_type() == type) return CORBA::Policy::_duplicate((*list)[i]);
  return nullptr;
}

}  // namespace corbel::cpp
