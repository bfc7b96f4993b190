// Object groups: references whose profiles lead to several members (CORBA 3.4 part 2, "Fault Tolerant
// CORBA").
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orb/ior/ior.h"

namespace corbel::ior {

// TAG_FT_GROUP: which group it is. Later references to one have a higher version.
struct ObjectGroup {
  std::string domain;
  std::uint64_t id = 0;
  std::uint32_t version = 0;
};
TaggedComponent encode_group(const ObjectGroup& group);
std::optional<ObjectGroup> decode_group(const TaggedComponent& component);

// What the first profile that names a group says.
std::optional<ObjectGroup> group_of(const Ior& ior);

// TAG_FT_PRIMARY: the profile is that of the member to be asked first.
TaggedComponent encode_primary();
bool is_primary(const IiopProfile& profile);

}  // namespace corbel::ior
