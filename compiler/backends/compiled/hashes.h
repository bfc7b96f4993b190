// Hash functions for operations' names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace corbel::idl::compiled {

// From a name to a slot of its own. The words at some places, which together tell all names apart, make one
// word:
//   word = word * multiplier ^ word at the next place
// Of its product with the multiplier the lower half's upper bits select a turn, which is what moves the upper
// half's lower bits to a slot that nobody else has (perfect_slot() of the run time).
struct PerfectHash {
  enum class From : std::uint8_t { Begin, End, Length };
  struct Place {
    From from;
    std::uint32_t at = 0;  // octets from the begin, or from behind the end; the length is a word by itself
    bool operator==(const Place&) const = default;
  };
  std::uint32_t least = 0;  // octets that each name has
  std::uint32_t width = 0;  // octets at a place: 8, 4, 2 or 1
  std::vector<Place> places;
  std::uint64_t multiplier = 0;
  std::uint32_t slots = 1;             // a power of two
  std::vector<std::uint32_t> turns;    // a power of two of them, at least 2
  std::vector<std::uint32_t> slot_of;  // by the names' order
};

// The names differ and none is empty. Nothing if no places tell them apart, which those of one length always
// do.
std::optional<PerfectHash> find_perfect_hash(const std::vector<std::string>& names);

// From one of some words to a slot, of which there are at least twice as many as words: few have the same
// (word_slot() of the run time).
struct WordHash {
  std::uint64_t multiplier = 0;
  std::uint32_t slots = 2;             // a power of two
  std::vector<std::uint32_t> slot_of;  // by the words' order
};

// The words differ and have up to eight octets.
WordHash find_word_hash(const std::vector<std::string>& words);

}  // namespace corbel::idl::compiled
