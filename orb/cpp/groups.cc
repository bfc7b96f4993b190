#include <corbel/groups.h>

#include <algorithm>
#include <utility>

#include <corbel/cpp/exception.h>

#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/ior/assigned.h"
#include "orb/ior/group.h"

namespace corbel {
namespace {

[[noreturn]] void bad(const char* why) { cpp::raise({SystemErrorId::BAD_PARAM, Completion::No, 0, why}); }

core::Reference& reference_of(CORBA::Object_ptr object) {
  core::Reference* const reference = object ? object->_corbel_reference() : nullptr;
  if (!reference) bad("a group is made of references that are neither nil nor local");
  return *reference;
}

// A profile's addresses that another profile has for its own were added by add_alternates().
void drop_alternates(std::vector<ior::IiopProfile>& profiles) {
  for (ior::IiopProfile& profile : profiles) {
    std::erase_if(profile.components, [&](const ior::TaggedComponent& component) {
      return std::any_of(profiles.begin(), profiles.end(), [&](const ior::IiopProfile& other) {
        return &other != &profile && component == ior::encode_alternate_address(other.address);
      });
    });
  }
}

// Its IIOP profiles, without what they say of a group.
std::vector<ior::IiopProfile> profiles_of(const core::Reference& member) {
  std::vector<ior::IiopProfile> profiles;
  const ior::Ior& ior = member.ior();
  for (std::size_t i = 0; i < ior.profiles.size(); ++i) {
    auto profile = ior::decode_iiop(ior, i);
    if (!profile) continue;
    std::erase_if(profile->components, [](const ior::TaggedComponent& c) {
      return c.tag == assigned::kComponentFtGroup || c.tag == assigned::kComponentFtPrimary;
    });
    profiles.push_back(std::move(*profile));
  }
  if (profiles.empty()) bad("a member of a group needs an IIOP profile");
  if (ior::group_of(ior)) drop_alternates(profiles);
  return profiles;
}

// omniORB's clients look at the first profile alone.
void add_alternates(std::vector<ior::IiopProfile>& profiles) {
  ior::IiopProfile& first = profiles.front();
  const bool alike = std::all_of(profiles.begin(), profiles.end(), [&](const ior::IiopProfile& p) {
    return p.object_key == first.object_key && p.address.port != 0;
  });
  if (!alike || first.minor < 2) return;
  std::vector<ior::Address> known = ior::addresses(first);
  for (std::size_t i = 1; i < profiles.size(); ++i) {
    for (const ior::Address& address : ior::addresses(profiles[i])) {
      if (std::find(known.begin(), known.end(), address) != known.end()) continue;
      first.components.push_back(ior::encode_alternate_address(address));
      known.push_back(address);
    }
  }
}

}  // namespace

CORBA::Object_ptr make_group(const Group& group, const std::vector<CORBA::Object_ptr>& members,
                             CORBA::ULong primary) {
  if (members.empty()) bad("a group needs a member");
  if (primary != kNoPrimary && primary >= members.size()) bad("the primary is no member of the group");
  if (group.domain.find('\0') != group.domain.npos) bad("a zero octet cannot stand in the name of a domain");
  std::vector<ior::IiopProfile> profiles;
  std::size_t first_primary = 0, primaries = 0;
  for (CORBA::ULong i = 0; i < members.size(); ++i) {
    auto its = profiles_of(reference_of(members[i]));
    if (i == primary) {
      first_primary = profiles.size();
      primaries = its.size();
    }
    std::move(its.begin(), its.end(), std::back_inserter(profiles));
  }
  if (primaries != 0) {  // those who know nothing of groups begin with the primary, too
    const auto begin = profiles.begin();
    std::rotate(begin, begin + static_cast<std::ptrdiff_t>(first_primary),
                begin + static_cast<std::ptrdiff_t>(first_primary + primaries));
  }
  add_alternates(profiles);
  const core::Reference& first = reference_of(members.front());
  ior::Ior ior{first.type_id(), {}};
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    if (profiles[i].minor != 0) {
      profiles[i].components.push_back(ior::encode_group({group.domain, group.id, group.version}));
      if (i < primaries) profiles[i].components.push_back(ior::encode_primary());
    }
    ior.profiles.push_back(ior::encode_iiop(profiles[i]));
  }
  return cpp::make_object(first.orb().import(std::move(ior)).release());
}

std::vector<CORBA::Object_var> group_members(CORBA::Object_ptr object) {
  const core::Reference& reference = reference_of(object);
  std::vector<CORBA::Object_var> members;
  for (const ior::IiopProfile& profile : profiles_of(reference))
    members.emplace_back(cpp::make_object(
        reference.orb().import({reference.type_id(), {ior::encode_iiop(profile)}}).release()));
  return members;
}

bool group_of(CORBA::Object_ptr object, Group& group) {
  core::Reference* const reference = object ? object->_corbel_reference() : nullptr;
  const auto found = reference ? ior::group_of(reference->ior()) : std::nullopt;
  if (found) group = {found->domain, found->id, found->version};
  return found.has_value();
}

}  // namespace corbel
