#include "compiler/driver/generate.h"

#include <fmt/format.h>

#include <limits>

#include "compiler/backends/compiled/compiled.h"
#include "compiler/encodings/cdr/cdr.h"
#include "compiler/mint/mint.h"

namespace corbel::idl {
namespace {

std::string first_lines(const std::string& base_name, const std::string& suffix) {
  return fmt::format("// Made by corbel-idl from {0}.idl; do not edit.\n#include \"{0}{1}.h\"\n\n", base_name,
                     suffix);
}

// Every part ends with an empty line, which the last one of a file does not need.
std::vector<GeneratedFile> trimmed(std::vector<GeneratedFile> files) {
  for (GeneratedFile& f : files)
    while (f.text.ends_with("\n\n")) f.text.pop_back();
  return files;
}

}  // namespace

void check_generation(const aoi::Contract& contract, Diagnostics& diagnostics) {
  mint::Graph graph = mint::build(contract);
  const pres::Presentation presentation = cpp::present(contract, graph);
  for (const aoi::Decl* d : presentation.undefined)
    diagnostics.report(
        Kind::Unsupported, d->span,
        fmt::format("interface '{}' is used and only declared: corbel-idl does not support this "
                    "yet; #include the file that defines it",
                    d->name));
  constexpr std::uint32_t largest_message = std::numeric_limits<std::int32_t>::max();
  const plan::Plan plan = cdr::make_plan(graph, {});
  for (const pres::Declaration* d : presentation.declarations)
    if (d->type && plan[d->type->message].least > largest_message)
      diagnostics.report(Kind::BadBound, d->decl->span,
                         fmt::format("'{}' has more octets than a message can hold", d->decl->name));
}

std::vector<GeneratedFile> generate(const aoi::Contract& contract, const std::string& base_name,
                                    const GenerateOptions& options) {
  mint::Graph graph = mint::build(contract);
  const pres::Presentation presentation = cpp::present(contract, graph);
  const plan::Plan plan = cdr::make_plan(graph, options.plan);
  const compiled::Input input{presentation, graph, plan};
  const cpp::Options& how = options.presentation;
  std::vector<GeneratedFile> files;
  files.push_back({how.stub_suffix + ".h", cpp::stub_header(contract, presentation, how, base_name,
                                                            compiled::marshal_declarations(input))});
  files.push_back({how.stub_suffix + ".cc", first_lines(base_name, how.stub_suffix) +
                                                compiled::marshal_definitions(input) +
                                                cpp::stub_members(presentation) + compiled::stubs(input)});
  if (!options.skeletons) return trimmed(std::move(files));
  files.push_back({how.skel_suffix + ".h", cpp::skel_header(contract, presentation, how, base_name)});
  files.push_back({how.skel_suffix + ".cc", first_lines(base_name, how.skel_suffix) +
                                                cpp::skel_members(presentation) +
                                                compiled::skeletons(input)});
  return trimmed(std::move(files));
}

std::string dump(const aoi::Contract& contract, const std::string& representation,
                 const plan::Options& options) {
  mint::Graph graph = mint::build(contract);
  if (representation == "mint") return mint::dump(graph);
  const pres::Presentation presentation = cpp::present(contract, graph);
  if (representation == "pres") return pres::dump(presentation);
  return plan::dump(cdr::make_plan(graph, options));
}

}  // namespace corbel::idl
