#include "orb/ior/policies.h"

#include <corbel/cdr/decoder.h>

namespace corbel::ior {
namespace {
// There are some forty types. Each entry costs more memory than it has octets.
constexpr std::uint32_t kMostPolicies = 256;
}  // namespace

std::string encode_policies(const std::vector<PolicyValue>& policies) {
  cdr::Encoder out;
  out.reset();
  out.put<std::uint8_t>(cdr::kHostIsLittleEndian ? 1 : 0);
  out.put(static_cast<std::uint32_t>(policies.size()));
  for (const PolicyValue& policy : policies) {
    out.put(policy.type);
    out.put_octets(policy.value.data(), static_cast<std::uint32_t>(policy.value.size()));
  }
  return {out.data(), out.size()};
}

bool decode_policies(const char* data, std::size_t size, std::vector<PolicyValue>& policies) {
  policies.clear();
  if (size == 0 || static_cast<unsigned char>(*data) > 1) return false;
  cdr::Decoder in(data, data + 1, data + size, (*data == 1) != cdr::kHostIsLittleEndian);
  std::uint32_t count;
  if (!in.get_length(count, 8, kMostPolicies)) return false;
  policies.resize(count);
  for (PolicyValue& policy : policies) {
    const char* value;
    std::uint32_t octets;
    if (!in.get(policy.type) || !in.get_octets_view(value, octets)) return false;
    policy.value.assign(value, octets);
  }
  return true;
}

}  // namespace corbel::ior
