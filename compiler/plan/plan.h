// The wire plan: how the parts of messages lie on the wire, for each alignment state (offset mod 8) at which
// they start, and where that agrees with host memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/mint/mint.h"

namespace corbel::idl::plan {

enum class Storage : std::uint8_t { Fixed, Bounded, Unbounded };

// One MINT node in the encoding.
struct Part {
  Storage storage = Storage::Unbounded;
  std::array<std::uint32_t, 8> size{};  // Fixed: octets from each state, padding before included
  std::array<std::uint32_t, 8> end{};   // Fixed: state behind it
  std::uint32_t align = 1;              // largest alignment inside
  std::uint32_t least = 0;              // octets it has at least: checks lengths before memory is taken
  std::uint32_t host_size = 0;          // Fixed: in natural host layout
  std::uint32_t host_align = 1;
  // From state 0 wire and host have the same offsets and stride, and every bit pattern is a value (no
  // boolean, no enum).
  bool same_as_host = false;
  // The same, but booleans or enums inside need a check on decoding: good for encoding only.
  bool encodes_as_host = false;
};

struct Options {
  bool copy_runs = true;
  bool views = true;
};

struct Plan {
  std::vector<Part> parts;  // by mint::Id
  const Part& operator[](mint::Id id) const { return parts[id]; }
};

std::string dump(const Plan& plan);

}  // namespace corbel::idl::plan
