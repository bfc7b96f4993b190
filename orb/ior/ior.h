// Interoperable object references and IIOP profiles (CORBA 3.4 part 2, chapters "Interoperability
// Architecture", "GIOP").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <corbel/base/error.h>
#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

namespace corbel::ior {

struct TaggedComponent {
  std::uint32_t tag = 0;
  std::string data;
  bool operator==(const TaggedComponent&) const = default;
};

// Profiles and components that are not known are kept byte for byte.
struct TaggedProfile {
  std::uint32_t tag = 0;
  std::string data;
  bool operator==(const TaggedProfile&) const = default;
};

struct Ior {
  std::string type_id;
  std::vector<TaggedProfile> profiles;
  bool nil() const { return profiles.empty() && type_id.empty(); }
};

void encode(cdr::Encoder& out, const Ior& ior);
bool decode(cdr::Decoder& in, Ior& ior);

struct Address {
  std::string host;
  std::uint16_t port = 0;
  bool operator==(const Address&) const = default;
};

// TAG_INTERNET_IOP.
struct IiopProfile {
  std::uint8_t major = 1;
  std::uint8_t minor = 2;
  Address address;
  std::string object_key;
  std::vector<TaggedComponent> components;  // from 1.1 on
};

// What a profile's TAG_ORB_TYPE says, 0 if there is none.
std::uint32_t orb_type(const IiopProfile& profile);

// Nothing if the profile is malformed or of another major version. A minor above 2 is read as 2.
std::optional<IiopProfile> decode_iiop(const TaggedProfile& profile);
// The same of one of the reference's profiles, with the components that stand in a profile of their own for
// all (TAG_MULTIPLE_COMPONENTS), unless it has such itself.
std::optional<IiopProfile> decode_iiop(const Ior& ior, std::size_t index);
TaggedProfile encode_iiop(const IiopProfile& profile);
TaggedComponent encode_alternate_address(const Address& address);
// The profile's own address, then those of its TAG_ALTERNATE_IIOP_ADDRESS components.
std::vector<Address> addresses(const IiopProfile& profile);

// To every IIOP profile; 1.0 has none.
void add_components(Ior& ior, const std::vector<TaggedComponent>& components);

// Code sets of a server (TAG_CODE_SETS).
struct CodeSetComponent {
  std::uint32_t char_native = 0;
  std::vector<std::uint32_t> char_conversions;
  std::uint32_t wchar_native = 0;
  std::vector<std::uint32_t> wchar_conversions;
};
TaggedComponent encode_code_sets(const CodeSetComponent& code_sets);
std::optional<CodeSetComponent> decode_code_sets(const TaggedComponent& component);
// Where an object can be reached by a transport of Corbel's that has no component of its own.
TaggedComponent encode_endpoint(const std::string& transport, const std::string& address);
bool decode_endpoint(const TaggedComponent& component, std::string& transport, std::string& address);
// The components every profile of ours carries: ORB type and code sets.
std::vector<TaggedComponent> standard_components(const CodeSetComponent& code_sets);

// "IOR:" and hexadecimal digits.
std::string to_string(const Ior& ior);
SystemError parse_ior(std::string_view text, Ior& ior);

}  // namespace corbel::ior
