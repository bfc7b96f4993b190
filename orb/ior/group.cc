#include "orb/ior/group.h"

#include "orb/ior/assigned.h"

namespace corbel::ior {
namespace {

void begin(cdr::Encoder& out) {
  out.reset();
  out.put<std::uint8_t>(cdr::kHostIsLittleEndian ? 1 : 0);
}

std::optional<cdr::Decoder> open(const std::string& data) {
  if (data.empty() || static_cast<unsigned char>(data[0]) > 1) return {};
  return cdr::Decoder(data.data(), data.data() + 1, data.data() + data.size(),
                      (data[0] == 1) != cdr::kHostIsLittleEndian);
}

}  // namespace

TaggedComponent encode_group(const ObjectGroup& group) {
  cdr::Encoder out;
  begin(out);
  out.put<std::uint8_t>(1);  // version 1.0 of the component
  out.put<std::uint8_t>(0);
  out.put_string(group.domain.c_str());
  out.put(group.id);
  out.put(group.version);
  return {assigned::kComponentFtGroup, {out.data(), out.size()}};
}

std::optional<ObjectGroup> decode_group(const TaggedComponent& component) {
  if (component.tag != assigned::kComponentFtGroup) return {};
  auto in = open(component.data);
  ObjectGroup group;
  std::uint8_t major, minor;
  const char* domain;
  if (!in || !in->get(major) || !in->get(minor) || major != 1 || !in->get_string_view(domain) ||
      !in->get(group.id) || !in->get(group.version))
    return {};
  group.domain = domain;
  return group;
}

std::optional<ObjectGroup> group_of(const Ior& ior) {
  for (std::size_t i = 0; i < ior.profiles.size(); ++i) {
    const auto profile = decode_iiop(ior, i);
    if (!profile) continue;
    for (const TaggedComponent& component : profile->components)
      if (auto group = decode_group(component)) return group;
  }
  return {};
}

TaggedComponent encode_primary() {
  cdr::Encoder out;
  begin(out);
  out.put<std::uint8_t>(1);
  return {assigned::kComponentFtPrimary, {out.data(), out.size()}};
}

bool is_primary(const IiopProfile& profile) {
  for (const TaggedComponent& component : profile.components) {
    if (component.tag != assigned::kComponentFtPrimary) continue;
    auto in = open(component.data);
    std::uint8_t primary;
    if (in && in->get(primary) && primary == 1) return true;
  }
  return false;
}

}  // namespace corbel::ior
