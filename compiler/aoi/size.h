// How little a value can take.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "compiler/aoi/aoi.h"

namespace corbel::idl::aoi {

// The octets that a value of a type has at least in a message, gaps for alignment not counted: what is
// variable is empty. Remembers what it was asked for; so a contract takes time in proportion to its length.
// Not thread-safe.
class LeastSizes {
 public:
  // No result is larger; sums stop here.
  static constexpr std::uint64_t kLargest = std::uint64_t{1} << 40;

  std::uint64_t of(const Type* type);
  // 0 for what is no type, and for what is declared and not defined.
  std::uint64_t of(const Decl& decl);

 private:
  std::uint64_t measure(const Decl& decl);
  std::uint64_t sum(const std::vector<Field>& fields);

  std::unordered_map<const Decl*, std::uint64_t> known_;
};

}  // namespace corbel::idl::aoi
