#include "compiler/backends/compiled/hashes.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

namespace corbel::idl::compiled {
namespace {

using From = PerfectHash::From;
using Place = PerfectHash::Place;
__extension__ typedef unsigned __int128 Product;

// One multiplier after the other (splitmix64), the same in each run, so that the same code is generated.
class Multipliers {
 public:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) | 1;
  }

 private:
  std::uint64_t state_ = 0;
};

std::uint64_t as_word(std::string_view octets) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < octets.size(); ++i)
    word |= std::uint64_t{static_cast<unsigned char>(octets[i])} << (8 * i);
  return word;
}

std::uint64_t word_at(const std::string& name, const Place& place, std::uint32_t width) {
  if (place.from == From::Length) return name.size();
  const std::size_t begin = place.from == From::End ? name.size() - place.at : place.at;
  return as_word(std::string_view(name).substr(begin, width));
}

// By name: the number of its group. Those of one group are alike at all places looked at so far.
using Groups = std::vector<std::uint32_t>;

// Splits the groups by one more place; gives how many there are.
std::uint32_t split(Groups& groups, const std::vector<std::string>& names, const Place& place,
                    std::uint32_t width) {
  struct Key {
    std::uint32_t group;
    std::uint64_t word;
    std::uint32_t name;
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Key> keys;
  for (std::uint32_t i = 0; i < names.size(); ++i)
    keys.push_back({groups[i], word_at(names[i], place, width), i});
  std::sort(keys.begin(), keys.end());
  std::uint32_t count = 0;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (k > 0 && (keys[k].group != keys[k - 1].group || keys[k].word != keys[k - 1].word)) ++count;
    groups[keys[k].name] = count;
  }
  return count + 1;
}

// The place that leaves the fewest names alike, again and again, behind `first`; empty if that does not tell
// all apart.
std::vector<Place> places_behind(const Place& first, const std::vector<Place>& candidates,
                                 const std::vector<std::string>& names, std::uint32_t width) {
  std::vector<Place> places = {first};
  Groups groups(names.size());
  std::uint32_t count = split(groups, names, first, width);
  while (count < names.size()) {
    const Place* best = nullptr;
    Groups best_groups;
    for (const Place& place : candidates) {
      Groups trial = groups;
      const std::uint32_t n = split(trial, names, place, width);
      if (n <= count) continue;
      count = n;
      best = &place;
      best_groups = std::move(trial);
      if (count == names.size()) break;
    }
    if (!best) return {};
    places.push_back(*best);
    groups = std::move(best_groups);
  }
  return places;
}

// As few as possible: each place is tried as the first one, if that does not take too long.
bool find_places(const std::vector<std::string>& names, PerfectHash& hash) {
  constexpr std::size_t kMostTried = 4'000'000;
  std::vector<Place> candidates;
  for (std::uint32_t at = 0; at + hash.width <= hash.least; ++at) candidates.push_back({From::Begin, at});
  for (std::uint32_t at = hash.width; at <= hash.least; ++at) candidates.push_back({From::End, at});
  candidates.push_back({From::Length});
  std::size_t tried = 0;
  for (const Place& first : candidates) {
    const std::vector<Place> places = places_behind(first, candidates, names, hash.width);
    if (!places.empty() && (hash.places.empty() || places.size() < hash.places.size())) hash.places = places;
    tried += names.size() * candidates.size();
    if (hash.places.size() == 1 || tried > kMostTried) break;
  }
  // Two at least, so that an interface of few operations takes as many steps as one of many.
  if (hash.places.size() == 1) hash.places.push_back({From::End, hash.width});
  return !hash.places.empty();
}

std::uint64_t word_of(const std::string& name, const PerfectHash& hash) {
  std::uint64_t word = 0;
  for (const Place& place : hash.places) word = word * hash.multiplier ^ word_at(name, place, hash.width);
  return word;
}

// A turn for each group of words with the same upper bits, the large ones first; false if one has none.
bool find_turns(const std::vector<std::uint64_t>& words, PerfectHash& hash) {
  const int below = 64 - std::bit_width(hash.turns.size() - 1);
  const std::uint32_t mask = hash.slots - 1;
  std::fill(hash.turns.begin(), hash.turns.end(), 0);
  std::vector<std::vector<std::uint32_t>> buckets(hash.turns.size());
  for (std::uint32_t i = 0; i < words.size(); ++i)
    buckets[(words[i] * hash.multiplier) >> below].push_back(i);
  std::vector<std::uint32_t> order(buckets.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return buckets[a].size() > buckets[b].size(); });
  const auto upper = [&](std::uint32_t i) {
    return static_cast<std::uint32_t>((Product{words[i]} * hash.multiplier) >> 64) & mask;
  };
  std::vector<bool> taken(hash.slots);
  std::uint32_t first_free = 0;
  for (const std::uint32_t b : order) {
    const auto& members = buckets[b];
    if (members.empty()) break;
    std::set<std::uint32_t> distinct;
    for (const std::uint32_t i : members) distinct.insert(upper(i));
    if (distinct.size() < members.size()) return false;
    while (first_free < hash.slots && taken[first_free]) ++first_free;
    std::uint32_t turn = members.size() == 1 ? upper(members[0]) ^ first_free : 0;
    while (turn <= mask && std::any_of(members.begin(), members.end(),
                                       [&](std::uint32_t i) { return taken[upper(i) ^ turn]; }))
      ++turn;
    if (turn > mask) return false;
    hash.turns[b] = turn;
    for (const std::uint32_t i : members) taken[hash.slot_of[i] = upper(i) ^ turn] = true;
  }
  return true;
}

}  // namespace

std::optional<PerfectHash> find_perfect_hash(const std::vector<std::string>& names) {
  PerfectHash hash;
  const auto shortest = std::min_element(names.begin(), names.end(),
                                         [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (shortest == names.end()) return {};
  hash.least = static_cast<std::uint32_t>(shortest->size());
  hash.width = std::bit_floor(std::min(8u, hash.least));
  if (!find_places(names, hash)) return {};
  const auto count = static_cast<std::uint32_t>(names.size());
  hash.slots = std::max(2u, std::bit_ceil(count));
  hash.turns.assign(std::max(2u, std::bit_ceil(count) / 2), 0);
  hash.slot_of.assign(count, 0);
  Multipliers multipliers;
  for (int tried = 1;; ++tried) {
    hash.multiplier = multipliers.next();
    std::vector<std::uint64_t> words;
    for (const std::string& name : names) words.push_back(word_of(name, hash));
    if (find_turns(words, hash)) return hash;
    if (tried % 100 == 0) {
      hash.slots *= 2;
      hash.turns.assign(hash.turns.size() * 2, 0);
    }
  }
}

WordHash find_word_hash(const std::vector<std::string>& words) {
  constexpr int kTries = 200;
  const auto slots = static_cast<std::uint32_t>(std::bit_ceil(2 * words.size()));
  const int below = 64 - std::bit_width(slots - 1);
  WordHash best;
  std::size_t best_cost = 0;
  Multipliers multipliers;
  for (int tried = 0; tried < kTries; ++tried) {
    WordHash hash{multipliers.next(), slots, {}};
    std::vector<std::size_t> taken(slots);
    std::size_t cost = 0;  // words that come behind another one
    for (const std::string& word : words) {
      hash.slot_of.push_back(static_cast<std::uint32_t>((as_word(word) * hash.multiplier) >> below));
      cost += taken[hash.slot_of.back()]++;
    }
    // Where the first and the last slot are taken a jump by the slot needs no check of bounds, for each word.
    if (taken.front() == 0 || taken.back() == 0) cost += words.size();
    if (tried > 0 && cost >= best_cost) continue;
    best_cost = cost;
    best = std::move(hash);
  }
  return best;
}

}  // namespace corbel::idl::compiled
