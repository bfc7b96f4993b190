#include "orb/poa/foreign_key.h"

#include <algorithm>
#include <cstdint>

#include <corbel/cdr/bytes.h>

#include "orb/poa/key.h"

namespace corbel::poa {
namespace {

constexpr char kName = '\xff';       // omniORB: before a name
constexpr char kTransient = '\xfe';  // omniORB: before what tells starts apart
constexpr std::string_view kTao("\x14\x01\x0f\0", 4);
constexpr std::size_t kTaoHeader = 4 + 3;
constexpr std::string_view kTaoRoot("RootPOA");
// Slot and generation as TAO has them before they name any: it looks for the id itself.
constexpr std::string_view kTaoHint("\xff\xff\xff\xff\0\0\0\0", 8);
constexpr std::size_t kTaoSystemId = 4;

std::uint32_t load_size(const char* at) { return cdr::load<std::uint32_t>(at, cdr::kHostIsLittleEndian); }

bool parse_omniorb(std::string_view key, ForeignKey& parts) {
  if (key.empty() || key[0] != kName) return false;
  const auto end = key.find('\0');
  if (end == key.npos) return false;
  parts.path = key.substr(0, end + 1);
  parts.id = key.substr(end + 1);
  return true;
}

// Leaves the path that begins with the root's zero octet.
bool take_tao_root(std::string_view& path) {
  const auto is_path = [](std::string_view text) {
    if (text.starts_with(kTaoRoot)) text.remove_prefix(kTaoRoot.size());
    return text.size() > 1 && text.front() == '\0' && text.back() == '\0';
  };
  // Without a hint there is a name of the root: that of old versions, none, looks like the hint of a first
  // slot.
  if (!path.starts_with(kTaoRoot) || !is_path(path)) {
    if (path.size() < kTaoHint.size()) return false;
    path.remove_prefix(kTaoHint.size());
    if (!is_path(path)) return false;
  }
  if (path.starts_with(kTaoRoot)) path.remove_prefix(kTaoRoot.size());
  return true;
}

bool parse_tao(KeyFormat format, std::string_view key, ForeignKey& parts) {
  if (key.size() < kTaoHeader || !key.starts_with(kTao) || key[4] != 'N' || key[6] != 'P') return false;
  if (key[5] != 'U' && key[5] != 'S') return false;
  parts.user_id = key[5] == 'U';
  key.remove_prefix(kTaoHeader);
  std::size_t size;
  if (parts.user_id) {
    if (key.size() < 4) return false;
    size = load_size(key.data());
    key.remove_prefix(4);
    if (size > key.size()) return false;
  } else {
    const std::size_t hint = format == KeyFormat::Tao ? kTaoHint.size() : 0;
    if (key.size() < hint + kTaoSystemId) return false;
    size = key.size() - hint - kTaoSystemId;
  }
  parts.path = key.substr(0, size);
  parts.id = parts.user_id ? key.substr(size) : key.substr(key.size() - kTaoSystemId);
  return take_tao_root(parts.path);
}

}  // namespace

bool foreign_path(KeyFormat format, const std::vector<const std::string*>& names, std::string& path) {
  const bool omniorb = format == KeyFormat::OmniOrb;
  path.clear();
  if (!omniorb) path += '\0';
  for (const std::string* name : names) {
    const auto cannot_stand = [&](char c) {
      return c == '\0' || (omniorb && (c == kName || c == kTransient));
    };
    if (std::any_of(name->begin(), name->end(), cannot_stand)) return false;
    if (omniorb) path += kName;
    path += *name;
    if (!omniorb) path += '\0';
  }
  if (omniorb) path += '\0';
  return path.size() <= kMostPath;
}

// omniORB's path begins with what stands before each name, TAO's with what stands behind each.
std::vector<std::string_view> names_of(std::string_view foreign_path) {
  const char separator = foreign_path.front();
  std::string_view rest = foreign_path.substr(1, foreign_path.size() - 2);
  std::vector<std::string_view> names;
  for (;;) {
    const auto end = rest.find(separator);
    names.push_back(rest.substr(0, end));
    if (end == rest.npos) return names;
    rest.remove_prefix(end + 1);
  }
}

bool parse_foreign_key(KeyFormat format, std::string_view key, ForeignKey& parts) {
  parts = {};
  switch (format) {
    case KeyFormat::Corbel:
      return false;
    case KeyFormat::OmniOrb:
      return parse_omniorb(key, parts);
    case KeyFormat::Tao:
    case KeyFormat::TaoNoHints:
      return parse_tao(format, key, parts);
  }
  return false;
}

bool take_id_hint(KeyFormat format, bool retain, ForeignKey& parts) {
  if (format != KeyFormat::Tao || !parts.user_id || !retain) return true;
  if (parts.id.size() < kTaoHint.size()) return false;
  parts.id.remove_prefix(kTaoHint.size());
  return true;
}

std::string make_foreign_key(KeyFormat format, std::string_view path, std::string_view id, bool user_id,
                             bool retain) {
  if (format == KeyFormat::OmniOrb) return std::string(path).append(id);
  if (!user_id && (id.size() != kTaoSystemId || !retain)) return {};
  const std::string_view hint = format == KeyFormat::Tao ? kTaoHint : "";
  std::string key(kTao);
  key += user_id ? "NUP" : "NSP";
  if (user_id) {
    const auto size = static_cast<std::uint32_t>(hint.size() + kTaoRoot.size() + path.size());
    key.resize(key.size() + sizeof size);
    cdr::store(key.data() + key.size() - sizeof size, cdr::kHostIsLittleEndian ? cdr::swapped(size) : size);
  }
  key.append(hint).append(kTaoRoot).append(path);
  if (retain) key.append(hint);
  return key.append(id);
}

// omniORB's hold the time and the process that made them unless it was told to do without.
bool is_foreign_system_id(KeyFormat format, std::string_view id) {
  return format != KeyFormat::Corbel &&
         (id.size() == kTaoSystemId || (format == KeyFormat::OmniOrb && id.size() == 12));
}

}  // namespace corbel::poa
