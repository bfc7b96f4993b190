// The command line of corbel-idl: what is asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/compile.h"
#include "compiler/driver/generate.h"

namespace corbel::idl {

// A FILE of this name is standard input; it can be looked at only.
constexpr std::string_view kStandardInput = "-";

enum Status { Done = 0, Errors = 1, Misuse = 2 };

struct Options {
  std::vector<std::string> files;
  CompileOptions compile;
  GenerateOptions generate;
  std::string output_dir, skel_dir, any_dir;  // the last two are empty where they are the first
  std::vector<std::string> empty_files;       // suffixes of files that are there for build rules only

  std::string profile_file;
  std::vector<std::string> profile_contracts;  // looked at with the files
  unsigned profile_share = 90;                 // hundredths of the load

  bool check = false, preprocess = false, list_diagnostics = false;
  std::string dump;

  bool dependencies = false, phony_dependencies = false;
  std::string dependency_file;
  std::vector<std::string> dependency_targets;  // escaped as make wants them

  bool json = false, warnings = true;

  bool writes_code() const { return !check && !preprocess && !list_diagnostics && dump.empty(); }
};

struct CommandLine {
  Options options;
  // Without a status: go on. Else these are to be said, and the program ends.
  std::string output;
  std::vector<std::string> complaints;  // each a line; notes where there is no status
  bool ends = false;
  Status status = Done;
};

// `arguments` without the program's name.
CommandLine parse_command_line(const std::vector<std::string>& arguments);

}  // namespace corbel::idl
