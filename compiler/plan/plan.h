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

// A value at a constant offset of its chunk.
struct Leaf {
  std::vector<std::uint32_t> path;  // member, member of that one ...
  mint::Id type = 0;
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

// Members in order: a chunk (leaves, one behind the other at constant offsets: one reservation, one check of
// bounds), or one member that stands for itself.
struct Step {
  std::vector<Leaf> leaves;
  std::uint32_t align = 1;  // of the chunk's first octet
  std::uint32_t size = 0;
  std::uint32_t member = 0;  // without leaves
};

// One MINT node in the encoding.
struct Part {
  Storage storage = Storage::Unbounded;
  std::array<std::uint32_t, 8> size{};  // Fixed: octets from each state, padding before included
  std::array<std::uint32_t, 8> end{};   // Fixed: state behind it
  std::array<std::uint64_t, 8> most{};  // Bounded: octets from each state it has at most
  std::uint32_t align = 1;              // largest alignment inside
  std::uint32_t first_align = 1;        // Fixed: of the first value inside, which is where a message goes on
  std::uint32_t least = 0;              // octets it has at least: checks lengths before memory is taken
  std::uint32_t host_size = 0;          // Fixed: in natural host layout
  std::uint32_t host_align = 1;
  bool packed = false;  // Fixed: without padding in the host's memory
  // From state 0 wire and host have the same offsets and stride, and every bit pattern is a value (no
  // boolean, no enum).
  bool same_as_host = false;
  // The same, but booleans or enums inside need a check on decoding: good for encoding only.
  bool encodes_as_host = false;
  std::vector<Step> steps;  // Struct: how the members are marshaled, wherever it starts
};

// One pass over the plan each.
struct Options {
  bool chunks = true;     // fixed layouts are reserved and checked once
  bool copy_runs = true;  // what host and wire have in common is copied at once
  bool inlining = true;   // structs of fixed layout inside others become part of their chunks
  bool views = true;      // in-parameters stay in the message
};

struct Plan {
  Options options;
  std::vector<Part> parts;  // by mint::Id
  const Part& operator[](mint::Id id) const { return parts[id]; }
};

std::string dump(const Plan& plan, const mint::Graph& graph);

}  // namespace corbel::idl::plan
