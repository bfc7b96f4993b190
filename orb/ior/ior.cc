#include "orb/ior/ior.h"

#include <cstring>
#include <set>

#include "orb/base/ascii.h"
#include "orb/ior/assigned.h"

namespace corbel::ior {
namespace {

// Profiles of a reference or components of a profile. An entry costs five times its least size on the wire,
// so without a bound a large message of empty ones would multiply itself in memory.
constexpr std::uint32_t kMostTagged = 1024;
// Octets of components that stand in a profile of their own for all, times profiles: each profile is read
// together with them.
constexpr std::size_t kMostShared = 1024 * 1024;

// An encapsulation: a byte-order octet, then values aligned to its own start.
struct EncapsulationWriter {
  EncapsulationWriter() {
    out.reset();
    out.put<std::uint8_t>(cdr::kHostIsLittleEndian ? 1 : 0);
  }
  std::string bytes() const { return {out.data(), out.size()}; }
  cdr::Encoder out;
};

std::optional<cdr::Decoder> open_encapsulation(const std::string& data) {
  if (data.empty() || static_cast<unsigned char>(data[0]) > 1) return {};
  return cdr::Decoder(data.data(), data.data() + 1, data.data() + data.size(),
                      (data[0] == 1) != cdr::kHostIsLittleEndian);
}

void put_bytes(cdr::Encoder& out, const std::string& bytes) {
  out.put_octets(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
}

bool get_bytes(cdr::Decoder& in, std::string& bytes) {
  const char* data;
  std::uint32_t size;
  if (!in.get_octets_view(data, size)) return false;
  bytes.assign(data, size);
  return true;
}

bool get_text(cdr::Decoder& in, std::string& text) {
  const char* data;
  std::uint32_t length;
  if (!in.get_string_view(data, length)) return false;
  if (std::memchr(data, 0, length)) return in.fail();  // it would not survive being written again
  text.assign(data, length);
  return true;
}

template <typename Tagged>
void put_tagged(cdr::Encoder& out, const std::vector<Tagged>& list) {
  out.put(static_cast<std::uint32_t>(list.size()));
  for (const Tagged& t : list) {
    out.put(t.tag);
    put_bytes(out, t.data);
  }
}

template <typename Tagged>
bool get_tagged(cdr::Decoder& in, std::vector<Tagged>& list) {
  std::uint32_t count;
  if (!in.get_length(count, 8, kMostTagged)) return false;
  list.resize(count);
  for (Tagged& t : list)
    if (!in.get(t.tag) || !get_bytes(in, t.data)) return false;
  return true;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool get_code_set_list(cdr::Decoder& in, std::vector<std::uint32_t>& list) {
  std::uint32_t count;
  if (!in.get_length(count, 4)) return false;
  list.resize(count);
  return in.get_run(list.data(), count);
}

void put_code_set_list(cdr::Encoder& out, const std::vector<std::uint32_t>& list) {
  out.put(static_cast<std::uint32_t>(list.size()));
  out.run<4>(list.data(), list.size() * 4);
}

}  // namespace

void encode(cdr::Encoder& out, const Ior& ior) {
  out.put_string(ior.type_id.c_str());
  put_tagged(out, ior.profiles);
}

bool decode(cdr::Decoder& in, Ior& ior) {
  if (!get_text(in, ior.type_id) || !get_tagged(in, ior.profiles)) return false;
  std::size_t shared = 0;
  for (const TaggedProfile& profile : ior.profiles)
    if (profile.tag == assigned::kTagMultipleComponents) shared += profile.data.size();
  return shared * ior.profiles.size() <= kMostShared || in.fail();
}

std::optional<IiopProfile> decode_iiop(const TaggedProfile& profile) {
  auto in = open_encapsulation(profile.data);
  IiopProfile p;
  if (profile.tag != assigned::kTagInternetIop || !in || !in->get(p.major) || !in->get(p.minor) ||
      p.major != 1 || !get_text(*in, p.address.host) || !in->get(p.address.port) ||
      !get_bytes(*in, p.object_key))
    return {};
  if (p.minor > 0 && !get_tagged(*in, p.components)) return {};
  if (p.minor > 2) p.minor = 2;
  return p;
}

std::optional<IiopProfile> decode_iiop(const Ior& ior, std::size_t index) {
  auto profile = decode_iiop(ior.profiles[index]);
  if (!profile) return {};
  std::set<std::uint32_t> own;  // tags
  for (const TaggedComponent& component : profile->components) own.insert(component.tag);
  for (const TaggedProfile& other : ior.profiles) {
    if (other.tag != assigned::kTagMultipleComponents) continue;
    auto in = open_encapsulation(other.data);
    std::vector<TaggedComponent> shared;
    if (!in || !get_tagged(*in, shared)) continue;
    for (TaggedComponent& component : shared)
      if (!own.count(component.tag)) profile->components.push_back(std::move(component));
  }
  return profile;
}

TaggedProfile encode_iiop(const IiopProfile& profile) {
  EncapsulationWriter w;
  w.out.put(profile.major);
  w.out.put(profile.minor);
  w.out.put_string(profile.address.host.c_str());
  w.out.put(profile.address.port);
  put_bytes(w.out, profile.object_key);
  if (profile.minor > 0) put_tagged(w.out, profile.components);
  return {assigned::kTagInternetIop, w.bytes()};
}

void add_components(Ior& ior, const std::vector<TaggedComponent>& components) {
  for (TaggedProfile& profile : ior.profiles) {
    std::optional<IiopProfile> iiop = decode_iiop(profile);
    if (!iiop || iiop->minor == 0) continue;
    iiop->components.insert(iiop->components.end(), components.begin(), components.end());
    profile = encode_iiop(*iiop);
  }
}

TaggedComponent encode_alternate_address(const Address& address) {
  EncapsulationWriter w;
  w.out.put_string(address.host.c_str());
  w.out.put(address.port);
  return {assigned::kComponentAlternateIiopAddress, w.bytes()};
}

std::vector<Address> addresses(const IiopProfile& profile) {
  std::vector<Address> all{profile.address};
  for (const TaggedComponent& c : profile.components) {
    if (c.tag != assigned::kComponentAlternateIiopAddress) continue;
    auto in = open_encapsulation(c.data);
    Address a;
    if (in && get_text(*in, a.host) && in->get(a.port)) all.push_back(std::move(a));
  }
  return all;
}

TaggedComponent encode_code_sets(const CodeSetComponent& code_sets) {
  EncapsulationWriter w;
  w.out.put(code_sets.char_native);
  put_code_set_list(w.out, code_sets.char_conversions);
  w.out.put(code_sets.wchar_native);
  put_code_set_list(w.out, code_sets.wchar_conversions);
  return {assigned::kComponentCodeSets, w.bytes()};
}

std::optional<CodeSetComponent> decode_code_sets(const TaggedComponent& component) {
  auto in = open_encapsulation(component.data);
  CodeSetComponent c;
  if (!in || !in->get(c.char_native) || !get_code_set_list(*in, c.char_conversions) ||
      !in->get(c.wchar_native) || !get_code_set_list(*in, c.wchar_conversions))
    return {};
  return c;
}

TaggedComponent encode_endpoint(const std::string& transport, const std::string& address) {
  EncapsulationWriter w;
  w.out.put_string(transport.c_str());
  w.out.put_string(address.c_str());
  return {assigned::kComponentEndpoint, w.bytes()};
}

bool decode_endpoint(const TaggedComponent& component, std::string& transport, std::string& address) {
  auto in = open_encapsulation(component.data);
  return in && get_text(*in, transport) && get_text(*in, address);
}

std::uint32_t orb_type(const IiopProfile& profile) {
  for (const TaggedComponent& c : profile.components) {
    std::uint32_t type;
    if (c.tag != assigned::kComponentOrbType) continue;
    auto in = open_encapsulation(c.data);
    return in && in->get(type) ? type : 0;
  }
  return 0;
}

std::vector<TaggedComponent> standard_components(const CodeSetComponent& code_sets) {
  EncapsulationWriter type;
  type.out.put(assigned::kOrbType);
  return {{assigned::kComponentOrbType, type.bytes()}, encode_code_sets(code_sets)};
}

std::string to_string(const Ior& ior) {
  EncapsulationWriter w;
  encode(w.out, ior);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "IOR:";
  for (const unsigned char c : w.bytes()) {
    text += kDigits[c >> 4];
    text += kDigits[c & 15];
  }
  return text;
}

SystemError parse_ior(std::string_view text, Ior& ior) {
  const SystemError bad{
      SystemErrorId::BAD_PARAM, Completion::No, assigned::kOmgMinor | 10,
      "malformed IOR: expected 'IOR:' and an even number of hexadecimal digits; has it been cut short?"};
  const SystemError broken{SystemErrorId::BAD_PARAM, Completion::No, assigned::kOmgMinor | 10,
                           "malformed IOR: its octets are no reference; has it been cut short?"};
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ' ||
                           text.back() == '\t' || text.back() == '\0'))
    text.remove_suffix(1);
  if (text.size() % 2 != 0 || !base::begins_without_case(text, "IOR:")) return bad;
  text.remove_prefix(4);
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return bad;
    bytes += static_cast<char>(high << 4 | low);
  }
  auto in = open_encapsulation(bytes);
  if (!in || !decode(*in, ior)) return broken;
  return {};
}

}  // namespace corbel::ior
