#include "orb/messaging/exposed.h"

#include <corbel/cdr/decoder.h>

#include <algorithm>

#include "orb/core/reference.h"
#include "orb/ior/assigned.h"
#include "orb/messaging/overrides.h"

namespace corbel::messaging {
namespace {

// An encapsulation's first octet is its byte order.
cdr::Decoder decoder_of(const std::string& data) {
  const char* const begin = data.data();
  return {begin, begin + 1, begin + data.size(), (*begin == 1) != cdr::kHostIsLittleEndian};
}

bool read(const std::string& component, std::vector<Exposed>& found) {
  if (component.empty()) return false;
  cdr::Decoder in = decoder_of(component);
  std::uint32_t count;
  if (!in.get_length(count, 8)) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    Exposed exposed;
    std::uint32_t size;
    const char* value;
    if (!in.get(exposed.type) || !in.get_octets_view(value, size)) return false;
    exposed.value.assign(value, size);
    if (size != 0 && concerns_calls(exposed.type)) found.push_back(std::move(exposed));
  }
  return true;
}

CORBA::Policy_ptr decoded(const Exposed& exposed) {
  cdr::Decoder in = decoder_of(exposed.value);
  return policy_of_octets(exposed.type, in);
}

// Of two limits, of which 0 is none.
std::int64_t shorter(std::int64_t a, std::int64_t b) { return a == 0 || b == 0 ? a + b : std::min(a, b); }

std::int64_t setting_of(CORBA::Policy& policy) {
  core::CallSettings settings;
  add_setting(policy, settings);
  for (std::uint32_t i = 0; i < core::kCallSettings; ++i)
    if ((settings.set >> i & 1) != 0) return settings.values[i];
  return 0;
}

}  // namespace

std::vector<Exposed> exposed_policies(const ior::Ior& ior) {
  std::vector<Exposed> found;
  for (std::size_t i = 0; i < ior.profiles.size(); ++i) {
    const auto profile = ior::decode_iiop(ior, i);
    if (!profile) continue;
    for (const ior::TaggedComponent& component : profile->components)
      if (component.tag == assigned::kComponentPolicies && !read(component.data, found)) return {};
    break;
  }
  return found;
}

SystemError reconcile_with(const ior::Ior& target, core::CallSettings& settings) {
  for (const Exposed& exposed : exposed_policies(target)) {
    if (find_call_policy(exposed.type)) continue;  // its library does it
    CORBA::Policy_var theirs = decoded(exposed);
    if (!theirs.in()) continue;
    core::CallSettings said;
    add_setting(*theirs, said);
    for (std::uint32_t i = 0; i < core::kCallSettings; ++i) {
      if ((said.set >> i & 1) == 0) continue;
      const auto which = static_cast<core::CallSetting>(i);
      const std::int64_t other = said.values[i], mine = settings.get(which, other);
      if (is_time(exposed.type)) settings.put(which, shorter(mine, other));
      else if (mine == other) settings.put(which, other);
      else
        return {SystemErrorId::INV_POLICY, Completion::No, assigned::kOmgMinor | 1,
                "a policy set for the call excludes one of its server; _validate_connection says which"};
    }
  }
  return {};
}

SystemError reconcile_all(const core::Reference& target, core::CallSettings& settings) {
  return reconcile_with(target.ior(), settings);
}

bool same_quality(const core::CallSettings& own, const ior::Ior& before, const ior::Ior& after) {
  core::CallSettings a = own, b = own;
  if (reconcile_with(before, a) || reconcile_with(after, b)) return false;
  for (std::uint32_t i = 0; i < core::kCallSettings; ++i)
    if ((a.set >> i & 1) != (b.set >> i & 1) || ((a.set >> i & 1) != 0 && a.values[i] != b.values[i]))
      return false;
  if (own.get(core::CallSetting::Compression) == 0) return true;
  const auto others = [](const ior::Ior& target) {
    std::vector<Exposed> all = exposed_policies(target);
    std::erase_if(all, [](const Exposed& e) { return !find_call_policy(e.type); });
    return all;
  };
  return others(before) == others(after);
}

bool reconcile(const CORBA::Policy_var& ours, const Exposed& theirs, CORBA::Policy_var& result) {
  result = decoded(theirs);
  if (const CallPolicyKind* const kind = find_call_policy(theirs.type)) {
    result = kind->reconcile(ours.in(), result.in());
    return true;
  }
  if (!ours.in()) return true;
  if (!result.in()) {
    result = ours;
    return true;
  }
  const std::int64_t mine = setting_of(*ours), other = setting_of(*result);
  if (is_time(ours->policy_type())) {
    if (mine == shorter(mine, other)) result = ours;
    return true;
  }
  return mine == other;
}

}  // namespace corbel::messaging
