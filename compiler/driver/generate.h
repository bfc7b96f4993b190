// From a contract to the files of the classic C++ mapping.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/backends/compiled/dispatch.h"
#include "compiler/backends/interpretive/interpretive.h"
#include "compiler/driver/compile.h"
#include "compiler/plan/plan.h"
#include "compiler/presentations/cpp/presentation.h"

namespace corbel::idl {

struct GenerateOptions {
  cpp::Options presentation;
  plan::Options plan;
  compiled::DispatchChoice dispatch;
  interpretive::Styles styles;
  bool skeletons = true;
  std::vector<std::string> pre_includes;     // headers included at the begin of every header
  std::vector<std::string> post_includes;    // at the end of every header
  std::vector<std::string> source_includes;  // at the begin of every source
};

struct GeneratedFile {
  std::string suffix;  // ".stub.h": the name is that of the source
  std::string text;
  std::size_t crowded_out = 0;  // as interpretive::Part has it
};

// The suffixes of what generate() makes, each once.
std::vector<std::string> generated_suffixes(const GenerateOptions& options);

// Reports types that no message can hold.
void check_sizes(const aoi::Contract& contract, Diagnostics& diagnostics);

// Makes the equivalents of components (compiler/aoi/equivalents.h), and reports what is right as IDL and
// still cannot be generated.
void prepare_generation(aoi::Contract& contract, Diagnostics& diagnostics, const GenerateOptions& options);

// The contract must be prepared and free of errors. `base_name` is the source's name without directory and
// extension.
std::vector<GeneratedFile> generate(const aoi::Contract& contract, const std::string& base_name,
                                    const GenerateOptions& options);

// The text of a representation behind AOI: "mint", "pres" or "plan". The contract holds no components.
std::string dump(const aoi::Contract& contract, const std::string& representation,
                 const plan::Options& options);

}  // namespace corbel::idl
