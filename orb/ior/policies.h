// Policies as they travel: in references (TAG_POLICIES) and with requests (INVOCATION_POLICIES; CORBA 3.4
// part 1, "Messaging QoS Profile Component", "Propagation of Messaging QoS").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <corbel/cdr/encoder.h>

namespace corbel::ior {

struct PolicyValue {
  std::uint32_t type = 0;
  std::string value;  // an encapsulation
  bool operator==(const PolicyValue&) const = default;
};

// Of a value that `put` writes with an encoder.
template <typename Put>
PolicyValue policy_value(std::uint32_t type, Put put) {
  cdr::Encoder out;
  out.reset();
  out.put<std::uint8_t>(cdr::kHostIsLittleEndian ? 1 : 0);
  put(out);
  return {type, {out.data(), out.size()}};
}

// The octets of the component or of the service context.
std::string encode_policies(const std::vector<PolicyValue>& policies);
// False if they are malformed, or suspiciously many.
bool decode_policies(const char* data, std::size_t size, std::vector<PolicyValue>& policies);

}  // namespace corbel::ior
