// corbel-idl as a library: sources in, representations and diagnostics out.
//
// Nothing is printed, nothing is global: compilations in different threads do not know of each other. One
// compilation belongs to one thread at a time; what it returns may be read by many.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/aoi/aoi.h"
#include "compiler/source/diagnostics.h"
#include "compiler/source/source_manager.h"

namespace corbel::idl {

struct CompileOptions {
  std::vector<std::string> include_dirs;
  std::string standard_dir;          // of CORBA's own IDL, looked through last; may be empty
  std::vector<std::string> defines;  // NAME, NAME=TEXT or NAME(A,B)=TEXT
  std::vector<std::string> undefines;
  bool inline_includes = false;  // what included files declare counts as the main file's
  std::size_t largest_file = SourceManager::kLargestFile;  // bytes; never more than the default
  int most_errors = Diagnostics::kMostErrors;
  // Gives the text of a file, nothing if it cannot be read. The default reads from disk.
  std::function<std::optional<std::string>(const std::string& path)> read_file;
};

// What became of one source file.
struct Compilation {
  SourceManager sources;
  Diagnostics diagnostics;
  aoi::Contract contract;               // complete only if there are no errors
  std::vector<std::string> files_read;  // the main file first, each file once
  bool readable = true;                 // false: the main file could not be read

  bool ok() const { return !diagnostics.has_errors(); }
  // All diagnostics as text, in the order of their discovery.
  std::string messages(bool warnings = true) const;
  // The same for programs: a JSON object on a line for each.
  std::string messages_as_json(bool warnings = true) const;
};

// Reads and checks the contract in `path`. Errors are in the result; exceptions are for lack of memory only.
std::unique_ptr<Compilation> compile(const std::string& path, const CompileOptions& options);

// The source as the parser sees it, directives and macros carried out. Diagnostics go to `compilation`.
std::string preprocess(const std::string& path, const CompileOptions& options, Compilation& compilation);

// The names of all kinds of diagnostics, a line each.
std::string diagnostic_kinds();

// The whole of a file on disk; nothing if it cannot be read, and errno says why.
std::optional<std::string> read_from_disk(const std::string& path);

// "0.1.0"
std::string version();

}  // namespace corbel::idl
