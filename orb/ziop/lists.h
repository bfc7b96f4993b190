// Lists of compressors, best first, as policies and options have them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <corbel/cdr/decoder.h>

#include "orb/ior/policies.h"

namespace corbel::ziop {

struct CompressorLevel {
  std::uint16_t id = 0;
  std::uint16_t level = 0;
  bool operator==(const CompressorLevel&) const = default;
};
using CompressorList = std::vector<CompressorLevel>;

// A number that stands for the list from now on, for as long as the process lives; the same for equal lists.
// -1 if there are too many. Thread-safe.
std::int64_t keep_list(const CompressorList& list);
CompressorList kept_list(std::int64_t number);

// From outside; false if it is malformed or suspiciously long.
bool get_list(cdr::Decoder& in, CompressorList& list);

// "zstd:3,zlib": names or numbers, with levels or without. False if it is none, or empty.
bool parse_list(std::string_view text, std::uint16_t zstd, CompressorList& list);

// What both ends say of themselves: whether messages may be compressed, and by what.
struct Offer {
  bool enabled = false;
  CompressorList compressors;
};
void put_offer(const Offer& offer, std::vector<ior::PolicyValue>& policies);
// From outside: what is malformed, or missing, offers nothing.
Offer get_offer(const char* data, std::size_t size);

}  // namespace corbel::ziop
