// What the run time says of the load of operations (-ORBprofileCalls), and what follows for their styles.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "compiler/aoi/aoi.h"

namespace corbel::idl {

// Of several runs and processes: lines of one operation add up.
struct Profile {
  struct Line {
    std::uint64_t calls = 0, octets = 0;
    std::string operation;  // on the wire
    std::string interface;  // repository id; empty: of a reference that did not say
  };
  std::vector<Line> lines;
};

// False with `wrong`, the number of a line counted from 1, if that is none of a profile.
bool read_profile(const std::string& text, Profile& profile, std::size_t& wrong);

// What carries the load, as `loaded` of Styles: the fewest operations that make `share` hundredths of all
// calls, and the fewest that make as much of all octets; and the types that they carry. They are chosen over
// all contracts, because one may declare the types of another's operations. Adds the lines, by their place in
// the profile, whose operations a contract has.
std::set<std::string> choose_by_profile(const std::vector<const aoi::Contract*>& contracts,
                                        const Profile& profile, unsigned share, std::set<std::size_t>& known);

}  // namespace corbel::idl
