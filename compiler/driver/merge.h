// Parts of the generated code that are to stand in one file.
#pragma once

#include <string>
#include <vector>

#include "compiler/driver/generate.h"

namespace corbel::idl {

struct MergeNames {
  std::string base_name;    // the contract's
  std::string stub_header;  // as the other headers include it
};

// Joins files of the same name: what they include stands first, each once, then their texts in the order
// given. A file does not include itself.
std::vector<GeneratedFile> merge(std::vector<GeneratedFile> files, const MergeNames& names);

}  // namespace corbel::idl
