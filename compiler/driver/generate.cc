#include "compiler/driver/generate.h"

#include "compiler/backends/compiled/compiled.h"
#include "compiler/encodings/cdr/cdr.h"
#include "compiler/mint/mint.h"
#include "compiler/presentations/cpp/writer.h"

namespace corbel::idl {
namespace {

// Every type of the contract, those of included files too, has a node before the plan is made.
void add_types(const std::vector<const aoi::Decl*>& declarations, mint::Graph& graph) {
  for (const aoi::Decl* d : declarations) {
    switch (d->kind) {
      case aoi::Decl::Kind::Module:
        add_types(static_cast<const aoi::Module*>(d)->declarations, graph);
        break;
      case aoi::Decl::Kind::Constant:
        break;
      case aoi::Decl::Kind::Interface:
        for (const auto& m : static_cast<const aoi::Interface*>(d)->members)
          if (const auto* n = std::get_if<const aoi::Decl*>(&m)) add_types({*n}, graph);
        break;
      default:
        graph.of(d);
    }
  }
}

void add_fields(const aoi::Contract& contract, mint::Graph& graph) {
  cpp::for_each_declaration(contract, [&](const aoi::Decl& d) {
    if (d.kind != aoi::Decl::Kind::Interface) return;
    for (const auto& m : static_cast<const aoi::Interface&>(d).members) {
      if (const auto* a = std::get_if<const aoi::Attribute*>(&m)) graph.of((*a)->type);
      if (const auto* op = std::get_if<const aoi::Operation*>(&m)) {
        graph.of((*op)->result);
        for (const aoi::Parameter& p : (*op)->parameters) graph.of(p.type);
      }
    }
  });
}

mint::Graph graph_of(const aoi::Contract& contract) {
  mint::Graph graph = mint::build(contract);
  add_types(contract.declarations, graph);
  add_fields(contract, graph);
  return graph;
}

}  // namespace

std::vector<GeneratedFile> generate(const aoi::Contract& contract, const std::string& base_name,
                                    const GenerateOptions& options) {
  mint::Graph graph = graph_of(contract);
  const plan::Plan plan = cdr::make_plan(graph, options.plan);
  const compiled::Input input{contract, graph, plan, options.plan};
  const std::string stub = options.presentation.stub_suffix, skel = options.presentation.skel_suffix;
  std::vector<GeneratedFile> files;
  files.push_back({stub + ".h", cpp::stub_header(contract, options.presentation, base_name,
                                                 compiled::marshal_declarations(input))});
  files.push_back({stub + ".cc", "// Made by corbel-idl from " + base_name +
                                     ".idl; do not edit.\n#include \"" + base_name + stub + ".h\"\n\n" +
                                     compiled::marshal_definitions(input) + "\n" +
                                     cpp::stub_members(contract) + compiled::stubs(input)});
  if (!options.skeletons) return files;
  files.push_back({skel + ".h", cpp::skel_header(contract, options.presentation, base_name)});
  files.push_back({skel + ".cc", "// Made by corbel-idl from " + base_name +
                                     ".idl; do not edit.\n#include \"" + base_name + skel + ".h\"\n\n" +
                                     cpp::skel_members(contract) + compiled::skeletons(input)});
  return files;
}

std::string dump(const aoi::Contract& contract, const std::string& representation) {
  mint::Graph graph = graph_of(contract);
  if (representation == "mint") return mint::dump(graph);
  if (representation == "plan") return plan::dump(cdr::make_plan(graph, {}));
  return pres::dump(cpp::present(contract, graph));
}

}  // namespace corbel::idl
