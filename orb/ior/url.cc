#include "orb/ior/url.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>

#include "orb/ior/assigned.h"

namespace corbel::ior {
namespace {

constexpr std::size_t kLargestFile =
    1024 * 1024;  // stops a file:// URL of a device or a log from filling memory

SystemError bad(std::uint32_t minor, const char* detail) {
  return {SystemErrorId::BAD_PARAM, Completion::No, assigned::kOmgMinor | minor, detail};
}
SystemError bad_address() {
  return bad(8, "malformed address in corbaloc URL: expected iiop:[1.N@]HOST[:PORT]");
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

SystemError parse_corbaloc(std::string_view text, Corbaloc& corbaloc) {
  text.remove_prefix(std::strlen("corbaloc:"));
  const auto slash = text.find('/');
  std::string_view list = text.substr(0, slash);
  if (!unescape(slash == text.npos ? std::string_view() : text.substr(slash + 1), corbaloc.key))
    return bad(9, "malformed %-escape in the key of a corbaloc URL");
  if (list == "rir:") {
    corbaloc.rir = true;
    if (corbaloc.key.empty()) corbaloc.key = "NameService";
    return {};
  }
  while (true) {
    const auto comma = list.find(',');
    std::string_view address = list.substr(0, comma);
    if (address.starts_with("iiop:")) address.remove_prefix(5);
    else if (address.starts_with(':')) address.remove_prefix(1);
    else return bad_address();
    Corbaloc::Endpoint endpoint;
    if (!parse_endpoint(address, endpoint)) return bad_address();
    corbaloc.endpoints.push_back(std::move(endpoint));
    if (comma == list.npos) return {};
    list.remove_prefix(comma + 1);
  }
}

Ior to_ior(const Corbaloc& corbaloc) {
  Ior ior;
  for (const auto& e : corbaloc.endpoints) {
    IiopProfile profile;
    profile.minor = e.version_given ? e.minor : 2;
    profile.address = e.address;
    profile.object_key = corbaloc.key;
    ior.profiles.push_back(encode_iiop(profile));
  }
  return ior;
}

SystemError read_file_url(std::string_view url, std::string& content) {
  url.remove_prefix(std::strlen("file://"));
  std::string path;
  if (!unescape(url, path)) return bad(9, "malformed %-escape in a file URL");
  std::ifstream file(path, std::ios::binary);
  if (!file) return bad(9, "the file of a file:// URL cannot be opened");
  content.resize(kLargestFile);
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<std::size_t>(file.gcount()));
  content.resize(std::min(content.find('\n'), content.size()));
  content.resize(content.find_last_not_of(" \t\r") + 1);
  return {};
}

}  // namespace corbel::ior
