// A perfect hash of ids that are known beforehand: each has a number of its own, found by two looks at most.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace corbel::poa {

// Hash and displace: ids are spread over small buckets, and for each bucket a number was looked for that
// sends its ids to places where nobody else is. Immutable.
class PerfectIds {
 public:
  // Ids that stand twice count once. Not valid() if no hash was found, which two ids with all hashes alike
  // could cause.
  explicit PerfectIds(const std::vector<std::string>& ids);

  bool valid() const { return valid_; }
  // Less than places(); of an id that is not among them, that of any.
  std::uint32_t place(std::string_view id) const {
    const std::uint64_t h = hash(id);
    return displaced(h, displacements_[static_cast<std::uint32_t>(h) & bucket_mask_]);
  }
  std::uint32_t places() const { return place_mask_ + 1; }
  // Whether it is among them, as far as 32 other bits of its hash tell.
  bool may_be(std::string_view id) const { return tags_[place(id)] == tag(hash(id)); }

 private:
  static std::uint64_t hash(std::string_view id);
  static std::uint32_t tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32) | 1; }
  std::uint32_t displaced(std::uint64_t h, std::uint32_t d) const {
    return static_cast<std::uint32_t>(((h ^ d * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u) >> 32) &
           place_mask_;
  }
  bool build(const std::vector<std::uint64_t>& hashes);

  bool valid_ = false;
  std::uint32_t bucket_mask_ = 0;
  std::uint32_t place_mask_ = 0;
  std::vector<std::uint32_t> displacements_;
  std::vector<std::uint32_t> tags_;  // by place; 0 for none
};

}  // namespace corbel::poa
