#include "orb/poa/perfect_ids.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace corbel::poa {

// Eight octets a step.
std::uint64_t PerfectIds::hash(std::string_view id) {
  constexpr std::uint64_t kMultiplier = 0x9fb21c651e98df25u;
  const char* p = id.data();
  std::size_t left = id.size();
  std::uint64_t h = left * 0x9e3779b97f4a7c15u;
  for (std::uint64_t word; left >= 8; p += 8, left -= 8) {
    std::memcpy(&word, p, 8);
    h = (h ^ word) * kMultiplier;
    h ^= h >> 32;
  }
  std::uint64_t rest = 0;
  if (left != 0) std::memcpy(&rest, p, left);
  h = (h ^ rest) * kMultiplier;
  return h ^ h >> 29;
}

PerfectIds::PerfectIds(const std::vector<std::string>& ids) {
  std::vector<std::string_view> distinct(ids.begin(), ids.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<std::uint64_t> hashes;
  hashes.reserve(distinct.size());
  for (const std::string_view id : distinct) hashes.push_back(hash(id));
  const auto count = static_cast<std::uint32_t>(std::max<std::size_t>(hashes.size(), 1));
  // Three ids a bucket, and no more than four of five places taken.
  bucket_mask_ = std::bit_ceil(count / 3 + 1) - 1;
  place_mask_ = std::bit_ceil(count + count / 4) - 1;
  valid_ = build(hashes);
}

bool PerfectIds::build(const std::vector<std::uint64_t>& hashes) {
  constexpr std::uint32_t kTries = 1u << 20;
  const std::uint32_t buckets = bucket_mask_ + 1;
  displacements_.assign(buckets, 0);
  tags_.assign(std::size_t{place_mask_} + 1, 0);
  std::vector<std::uint32_t> begins(std::size_t{buckets} + 1);
  for (const std::uint64_t h : hashes) ++begins[(static_cast<std::uint32_t>(h) & bucket_mask_) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::uint64_t> sorted(hashes.size());
  auto next = begins;
  for (const std::uint64_t h : hashes) sorted[next[static_cast<std::uint32_t>(h) & bucket_mask_]++] = h;
  std::vector<std::uint32_t> order(buckets);
  std::iota(order.begin(), order.end(), 0u);
  const auto size = [&](std::uint32_t b) { return begins[b + 1] - begins[b]; };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return size(a) > size(b); });
  for (const std::uint32_t bucket : order) {
    const std::uint64_t* const from = sorted.data() + begins[bucket];
    const std::uint32_t n = size(bucket);
    std::uint32_t d = 0, set = 0;
    for (; d < kTries; ++d) {
      for (set = 0; set < n; ++set) {
        std::uint32_t& place = tags_[displaced(from[set], d)];
        if (place != 0) break;
        place = tag(from[set]);
      }
      if (set == n) break;
      while (set > 0) tags_[displaced(from[--set], d)] = 0;
    }
    if (d == kTries) return false;
    displacements_[bucket] = d;
  }
  return true;
}

}  // namespace corbel::poa
