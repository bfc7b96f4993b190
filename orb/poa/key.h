// Object keys: how the adapters of this ORB name their objects on the wire.
//
// Transient:  1, incarnation (8 octets), adapter's index and generation (4 each), slot hint (4), object id.
// Persistent: 2, hint of the path (4), size of the path (2), path, hint of the object id (4), object id. The
// path is the
//             server id and the adapters' names below the root, each after its size (2).
// Anything else is a plain key.
//
// Only this process reads the numbers of a transient key: they are in host order. Those of a persistent one
// are big endian, so that it is the same wherever the server starts again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <corbel/cdr/bytes.h>

namespace corbel::poa {

inline constexpr char kTransientFormat = 1;
inline constexpr char kPersistentFormat = 2;
inline constexpr std::size_t kMostPath = 0xffff;

// A key taken apart; the views are into the key.
struct TransientKey {
  static constexpr std::size_t kHeader = 1 + 8 + 4 + 4 + 4;
  std::uint64_t incarnation;
  std::uint32_t adapter;
  std::uint32_t generation;
  std::uint32_t hint;
  std::string_view id;

  // False if it is not of this format.
  bool parse(std::string_view key) {
    if (key.size() < kHeader || key[0] != kTransientFormat) return false;
    incarnation = cdr::load<std::uint64_t>(key.data() + 1, false);
    adapter = cdr::load<std::uint32_t>(key.data() + 9, false);
    generation = cdr::load<std::uint32_t>(key.data() + 13, false);
    hint = cdr::load<std::uint32_t>(key.data() + 17, false);
    id = key.substr(kHeader);
    return true;
  }
  std::string text() const;
};

struct PersistentKey {
  std::uint32_t path_hint;
  std::string_view path;
  std::uint32_t hint;
  std::string_view id;

  bool parse(std::string_view key);
  std::string text() const;
};

// Adds a server id or an adapter's name to a path; false if that makes it longer than kMostPath.
bool add_to_path(std::string& path, std::string_view name);
// Takes the first of them from it; false at its end, and if it is malformed.
bool take_from_path(std::string_view& path, std::string_view& name);

}  // namespace corbel::poa
