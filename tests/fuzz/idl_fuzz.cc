// Feeds arbitrary text to the IDL compiler: preprocessor, parser, checks, and all that is made of a contract
// without errors.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "compiler/aoi/dump.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/generate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace corbel::idl;
  const std::string text(reinterpret_cast<const char*>(data), size);
  CompileOptions options;
  options.read_file = [&](const std::string& path) -> std::optional<std::string> {
    if (path == "main.idl" || path == "again.idl") return text;
    return std::nullopt;
  };
  const auto compilation = compile("main.idl", options);
  (void)compilation->messages();
  if (compilation->ok()) (void)aoi::dump(compilation->contract);
  if (compilation->ok()) check_sizes(compilation->contract, compilation->diagnostics);
  if (compilation->ok()) prepare_generation(compilation->contract, compilation->diagnostics, {});
  if (!compilation->ok()) return 0;
  for (const char* representation : {"mint", "pres", "plan"})
    (void)dump(compilation->contract, representation, {});
  for (const GeneratedFile& file : generate(compilation->contract, "main", {}))
    if (file.text.empty()) std::abort();
  return 0;
}
