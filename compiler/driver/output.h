// Files that the compiler writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace corbel::idl {

// "bank" for "some/where/bank.idl".
std::string base_name(const std::string& source);
// "DIR/bank" + suffix for "some/where/bank.idl".
std::string output_path(const std::string& directory, const std::string& source, const std::string& suffix);
// Whether both are one entry of one directory, however they are spelled: what replaces one replaces the
// other.
bool same_file(const std::string& a, const std::string& b);

struct OutputFile {
  std::string path, text;
};

// Makes the directory, with those above it. Gives the reason if it cannot be.
std::optional<std::string> make_directory(const std::string& path);

// Writes all beside their targets, then renames them, so that no reader sees half a file; when one cannot be
// written or replaced, all are as they were, but for devices, pipes and links, which are written to in turn.
// Gives what failed, nothing when all is well.
struct WriteFailure {
  std::string path, why;
};
std::optional<WriteFailure> write_files(const std::vector<OutputFile>& files);

// A rule for make: `targets` depend on every source. With `phony`, sources that are gone one day do no harm.
std::string dependency_rule(const std::vector<std::string>& targets, const std::vector<std::string>& sources,
                            bool phony);
// A file name as make wants it.
std::string escaped_for_make(const std::string& path);

}  // namespace corbel::idl
