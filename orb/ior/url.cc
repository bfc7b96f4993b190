#include "orb/ior/url.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "orb/base/ascii.h"
#include "orb/base/detail.h"
#include "orb/ior/assigned.h"
#include "orb/ior/ssl.h"

namespace corbel::ior {
namespace {

constexpr std::size_t kLargestFile =
    1024 * 1024;  // stops a file:// URL of a device or a log from filling memory

// Stop a long URL from becoming a much longer reference, which has the key once for each address.
constexpr std::size_t kMostAddresses = 256, kMostKeys = 1024 * 1024;

SystemError bad(std::uint32_t minor, const char* detail) {
  return {SystemErrorId::BAD_PARAM, Completion::No, assigned::kOmgMinor | minor, detail};
}
SystemError bad_address() {
  return bad(8,
             "malformed address in corbaloc URL: expected [iiop|ssliop]:[1.N@]HOST[:PORT] or omniunix:PATH");
}

template <typename Number>
bool parse_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// "[1.N@]HOST[:PORT]"
bool parse_endpoint(std::string_view text, Corbaloc::Endpoint& endpoint) {
  if (const auto at = text.find('@'); at != text.npos) {
    const std::string_view version = text.substr(0, at);
    if (version.size() < 3 || version.substr(0, 2) != "1." ||
        !parse_number(version.substr(2), endpoint.minor))
      return false;
    if (endpoint.minor > 2) endpoint.minor = 2;
    endpoint.version_given = true;
    text.remove_prefix(at + 1);
  }
  std::string_view host, port;
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == text.npos) return false;
    host = text.substr(1, close - 1);
    port = text.substr(close + 1);
    if (!port.empty() && port[0] != ':') return false;
  } else {
    const auto colon = text.find(':');
    host = text.substr(0, colon);
    if (colon != text.npos) port = text.substr(colon);
  }
  if (!port.empty()) port.remove_prefix(1);
  endpoint.address.host = host.empty() ? "localhost" : std::string(host);
  endpoint.address.port = assigned::kIiopPort;
  return port.empty() || parse_number(port, endpoint.address.port);
}

constexpr std::string_view kCorbaloc = "corbaloc:", kIioploc = "iioploc://", kIiop = "iiop://";

// One address, up to a comma or the slash before the key, which stay.
bool take_address(std::string_view& text, bool bare, Corbaloc::Endpoint& endpoint) {
  using Kind = Corbaloc::Endpoint::Kind;
  static constexpr struct {
    std::string_view name;
    Kind kind;
  } kProtocols[] = {{"iiop:", Kind::Iiop},
                    {":", Kind::Iiop},
                    {"ssliop:", Kind::Ssl},
                    {"omniunix:", Kind::Unix},
                    {"unix:", Kind::Unix}};
  bool known = bare;
  for (const auto& protocol : kProtocols) {
    if (known || !text.starts_with(protocol.name)) continue;
    text.remove_prefix(protocol.name.size());
    endpoint.kind = protocol.kind;
    known = true;
  }
  if (!known) return false;
  // A path has slashes; a colon ends it.
  const auto end = std::min(text.find_first_of(endpoint.kind == Kind::Unix ? ":," : ",/"), text.size());
  const std::string_view address = text.substr(0, end);
  text.remove_prefix(end);
  if (endpoint.kind != Kind::Unix) return parse_endpoint(address, endpoint);
  if (text.starts_with(':')) text.remove_prefix(1);
  return unescape(address, endpoint.path) && !endpoint.path.empty();
}

// "ADDRESS[,ADDRESS]...[/KEY]" or "rir:[/KEY]".
SystemError parse_location(std::string_view text, bool bare, Corbaloc& corbaloc) {
  corbaloc.rir = !bare && text.starts_with("rir:");
  if (corbaloc.rir) {
    text.remove_prefix(std::strlen("rir:"));
    if (!text.empty() && text[0] != '/') return bad_address();
  } else {
    do {
      if (!corbaloc.endpoints.empty()) text.remove_prefix(1);
      Corbaloc::Endpoint endpoint;
      if (corbaloc.endpoints.size() == kMostAddresses || !take_address(text, bare, endpoint))
        return bad_address();
      corbaloc.endpoints.push_back(std::move(endpoint));
    } while (text.starts_with(','));
    if (!text.empty() && text[0] != '/') return bad_address();
  }
  if (!text.empty()) text.remove_prefix(1);
  if (!unescape(text, corbaloc.key)) return bad(9, "malformed %-escape in the key of a corbaloc URL");
  if (corbaloc.endpoints.size() > 1 && corbaloc.key.size() > kMostKeys / corbaloc.endpoints.size())
    return bad(9, "the key of a corbaloc URL is too long for so many addresses");
  if (corbaloc.rir && corbaloc.key.empty()) corbaloc.key = "NameService";
  return {};
}

}  // namespace

bool unescape(std::string_view text, std::string& bytes) {
  bytes.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes += text[i];
      continue;
    }
    unsigned value;
    const char* const first = text.data() + i + 1;
    if (i + 2 >= text.size()) return false;
    const auto [end, error] = std::from_chars(first, first + 2, value, 16);
    if (error != std::errc() || end != first + 2) return false;
    bytes += static_cast<char>(value);
    i += 2;
  }
  return true;
}

std::string escape(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (alphanumeric || (c != 0 && std::strchr(";/:?@&=+$,-_.!~*'()", c))) {
      text += c;
    } else {
      text += '%';
      text += kDigits[static_cast<unsigned char>(c) >> 4];
      text += kDigits[static_cast<unsigned char>(c) & 15];
    }
  }
  return text;
}

bool is_corbaloc(std::string_view url) {
  for (const std::string_view scheme : {kCorbaloc, kIioploc, kIiop})
    if (base::begins_without_case(url, scheme)) return true;
  return false;
}

SystemError parse_corbaloc(std::string_view text, Corbaloc& corbaloc) {
  const bool bare = !base::begins_without_case(text, kCorbaloc);  // no protocol before an address
  text.remove_prefix(!bare                                       ? kCorbaloc.size()
                     : base::begins_without_case(text, kIioploc) ? kIioploc.size()
                                                                 : kIiop.size());
  return parse_location(text, bare, corbaloc);
}

Ior to_ior(const Corbaloc& corbaloc, const std::string& host_id) {
  Ior ior;
  for (const auto& e : corbaloc.endpoints) {
    IiopProfile profile;
    profile.minor = e.version_given ? e.minor : 2;
    profile.address = e.address;
    profile.object_key = corbaloc.key;
    if (e.kind == Corbaloc::Endpoint::Kind::Unix)
      profile.components = {encode_endpoint("unix", host_id + '/' + e.path)};
    if (e.kind == Corbaloc::Endpoint::Kind::Ssl) {
      profile.address.port = 0;
      SslComponent ssl;
      ssl.target_requires = kSslIntegrity | kSslConfidentiality;
      ssl.target_supports = ssl.target_requires | kSslTrustInTarget;
      ssl.port = e.address.port;
      profile.components = {encode_ssl(ssl)};
    }
    if (e.kind != Corbaloc::Endpoint::Kind::Iiop) profile.minor = std::max<std::uint8_t>(profile.minor, 1);
    ior.profiles.push_back(encode_iiop(profile));
  }
  return ior;
}

bool parse_name(std::string_view text, std::vector<NameComponent>& name) {
  NameComponent component;
  bool in_kind = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == '/') {
      // "." alone is the component without id and kind; "id." has no kind after its delimiter.
      if (in_kind ? component.kind.empty() && !component.id.empty() : component.id.empty()) return false;
      name.push_back(std::move(component));
      component = {};
      in_kind = false;
    } else if (text[i] == '.') {
      if (in_kind) return false;
      in_kind = true;
    } else {
      if (text[i] == '\\' && (++i == text.size() || !std::strchr("/.\\", text[i]) || text[i] == '\0'))
        return false;
      (in_kind ? component.kind : component.id) += text[i];
    }
  }
  return true;
}

SystemError parse_corbaname(std::string_view text, Corbaname& corbaname) {
  text.remove_prefix(std::strlen("corbaname:"));
  const auto hash = text.find('#');
  std::string name;
  if (hash != text.npos && !unescape(text.substr(hash + 1), name))
    return bad(9, "malformed %-escape in the name of a corbaname URL");
  if (!name.empty() && (name.find('\0') != name.npos || !parse_name(name, corbaname.name)))
    return bad(9, "malformed name in a corbaname URL: expected ID[.KIND][/ID[.KIND]]...");
  if (SystemError e = parse_location(text.substr(0, hash), false, corbaname.context)) return e;
  if (corbaname.context.key.empty()) corbaname.context.key = "NameService";
  return {};
}

SystemError read_file_url(std::string_view url, std::string& content) {
  url.remove_prefix(std::strlen("file://"));
  if (url.starts_with("localhost/")) url.remove_prefix(std::strlen("localhost"));
  std::string path;
  if (!unescape(url, path)) return bad(9, "malformed %-escape in a file URL");
  std::ifstream file(path, std::ios::binary);
  if (!file) return bad(9, base::keep_detail("file " + path + " cannot be opened: " + std::strerror(errno)));
  content.resize(kLargestFile);
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<std::size_t>(file.gcount()));
  content.resize(std::min(content.find('\n'), content.size()));
  content.resize(content.find_last_not_of(" \t\r") + 1);
  if (content.empty())
    return bad(9, base::keep_detail("file " + path +
                                    " has no reference in its first line: has its server started yet?"));
  return {};
}

}  // namespace corbel::ior
