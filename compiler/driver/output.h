// Files that the compiler writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace corbel::idl {

// "DIR/bank" + suffix for "some/where/bank.idl".
std::string output_path(const std::string& directory, const std::string& source, const std::string& suffix);

struct OutputFile {
  std::string path, text;
};

// Writes all beside their targets, then renames them, so that no reader sees half a file and a full disk
// leaves the old ones. Gives the path that could not be written, nothing when all is well.
std::optional<std::string> write_files(const std::vector<OutputFile>& files);

// A rule for make: `target` depends on every source, and sources without a rule of their own do no harm.
std::string dependency_rule(const std::string& target, const std::vector<std::string>& sources);

}  // namespace corbel::idl
