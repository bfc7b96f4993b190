// Files that the compiler writes.
#pragma once

#include <string>
#include <vector>

namespace corbel::idl {

// "DIR/bank" + suffix for "some/where/bank.idl".
std::string output_path(const std::string& directory, const std::string& source, const std::string& suffix);

// Writes beside the target and renames, so that no reader sees half a file. False if it cannot.
bool write_file(const std::string& path, const std::string& text);

// A rule for make: `target` depends on every source, and sources without a rule of their own do no harm.
std::string dependency_rule(const std::string& target, const std::vector<std::string>& sources);

}  // namespace corbel::idl
