#include "orb/poa/key.h"

namespace corbel::poa {
namespace {

constexpr bool kSwap = cdr::kHostIsLittleEndian;

template <typename T>
void append(std::string& key, T value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
void append_big_endian(std::string& key, T value) {
  append(key, kSwap ? cdr::swapped(value) : value);
}

}  // namespace

std::string TransientKey::text() const {
  std::string key;
  key.reserve(kHeader + id.size());
  key += kTransientFormat;
  append(key, incarnation);
  append(key, adapter);
  append(key, generation);
  append(key, hint);
  return key.append(id);
}

bool PersistentKey::parse(std::string_view key) {
  constexpr std::size_t kHeader = 1 + 4 + 2;
  if (key.size() < kHeader || key[0] != kPersistentFormat) return false;
  path_hint = cdr::load<std::uint32_t>(key.data() + 1, kSwap);
  const std::size_t path_size = cdr::load<std::uint16_t>(key.data() + 5, kSwap);
  if (key.size() - kHeader < path_size + 4) return false;
  path = key.substr(kHeader, path_size);
  hint = cdr::load<std::uint32_t>(key.data() + kHeader + path_size, kSwap);
  id = key.substr(kHeader + path_size + 4);
  return true;
}

std::string PersistentKey::text() const {
  std::string key;
  key += kPersistentFormat;
  append_big_endian(key, path_hint);
  append_big_endian(key, static_cast<std::uint16_t>(path.size()));
  key.append(path);
  append_big_endian(key, hint);
  return key.append(id);
}

bool add_to_path(std::string& path, std::string_view name) {
  if (name.size() > kMostPath || path.size() + 2 + name.size() > kMostPath) return false;
  append_big_endian(path, static_cast<std::uint16_t>(name.size()));
  path.append(name);
  return true;
}

bool take_from_path(std::string_view& path, std::string_view& name) {
  if (path.size() < 2) return false;
  const std::size_t size = cdr::load<std::uint16_t>(path.data(), kSwap);
  if (path.size() - 2 < size) return false;
  name = path.substr(2, size);
  path.remove_prefix(2 + size);
  return true;
}

}  // namespace corbel::poa
