#include "compiler/driver/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <regex>

#include "compiler/backends/compiled/compiled.h"
#include "compiler/encodings/cdr/cdr.h"
#include "compiler/mint/mint.h"
#include "compiler/presentations/cpp/any_files.h"
#include "compiler/presentations/cpp/coverage.h"
#include "compiler/presentations/cpp/made_names.h"

namespace corbel::idl {
namespace {

std::string first_lines(const std::string& base_name, const std::string& suffix) {
  return fmt::format("// Made by corbel-idl from {0}.idl; do not edit.\n#include \"{0}{1}.h\"\n\n", base_name,
                     suffix);
}

// Namespaces that generated code names from inside the contract's.
constexpr std::string_view kUsed[] = {"corbel", "CORBA", "PortableServer", "std"};

bool is_used(const std::string& name) {
  return std::find(std::begin(kUsed), std::end(kUsed), name) != std::end(kUsed);
}

// Whether a declaration in some module or class hides one of them there.
bool hides(const std::vector<const aoi::Decl*>& declarations) {
  return std::any_of(declarations.begin(), declarations.end(), [](const aoi::Decl* d) {
    if (d->scope && d->kind != aoi::Decl::Kind::Constant && is_used(d->name)) return true;
    if (d->kind == aoi::Decl::Kind::Module) return hides(static_cast<const aoi::Module*>(d)->declarations);
    if (d->kind != aoi::Decl::Kind::Interface) return false;
    std::vector<const aoi::Decl*> inner;
    for (const auto& m : static_cast<const aoi::Interface*>(d)->members)
      if (const auto* n = std::get_if<const aoi::Decl*>(&m)) inner.push_back(*n);
    return hides(inner);
  });
}

// Behind a type, the name of a member that is being defined: "::" there would go on with the type.
bool is_defined_name(const std::string& before) {
  static constexpr std::string_view kLead[] = {
      "const", "static",    "typedef", "return", "public", "extern", "virtual", "new",  "operator", "inline",
      "throw", "constexpr", "case",    "else",   "using",  "struct", "class",   "enum", "template"};
  if (!before.ends_with(' ')) return false;
  std::size_t begin = before.size() - 1;
  while (begin > 0 &&
         (std::isalnum(static_cast<unsigned char>(before[begin - 1])) || before[begin - 1] == '_'))
    --begin;
  const std::string_view word(before.data() + begin, before.size() - 1 - begin);
  return !word.empty() && std::find(std::begin(kLead), std::end(kLead), word) == std::end(kLead);
}

// Spells those namespaces from the global one on.
std::string from_global(const std::string& text) {
  static const std::regex name("(namespace )?\\b(?=[A-Zcs])(corbel|CORBA|PortableServer|std)::");
  std::string out;
  auto at = text.cbegin();
  for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i) {
    out.append(at, (*i)[0].first);
    const bool whole = (*i)[1].matched || (!out.empty() && out.back() == ':') || is_defined_name(out);
    out += (whole ? "" : "::") + i->str();
    at = (*i)[0].second;
  }
  return out.append(at, text.cend());
}

// Every part ends with an empty line, which the last one of a file does not need.
std::vector<GeneratedFile> finished(std::vector<GeneratedFile> files, const aoi::Contract& contract) {
  if (hides(contract.declarations))
    for (GeneratedFile& f : files) f.text = from_global(f.text);
  for (GeneratedFile& f : files)
    while (f.text.ends_with("\n\n")) f.text.pop_back();
  return files;
}

}  // namespace

void check_generation(const aoi::Contract& contract, Diagnostics& diagnostics) {
  cpp::check_coverage(contract, diagnostics);
  cpp::check_made_names(contract, diagnostics);
}

void check_sizes(const aoi::Contract& contract, Diagnostics& diagnostics) {
  constexpr std::uint32_t largest_message = std::numeric_limits<std::int32_t>::max();
  mint::Graph graph = mint::build(contract);
  std::vector<std::pair<const aoi::Decl*, mint::Id>> types;
  cpp::for_each_declaration(contract, [&](const aoi::Decl& d) {
    if (d.kind != aoi::Decl::Kind::Constant && d.kind != aoi::Decl::Kind::Interface)
      types.emplace_back(&d, graph.of(&d));
  });
  const plan::Plan plan = cdr::make_plan(graph, {});
  for (const auto& [decl, message] : types)
    if (plan[message].least > largest_message)
      diagnostics.report(Kind::BadBound, decl->span,
                         fmt::format("'{}' has more octets than a message can hold", decl->name));
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
  files.push_back({how.stub_suffix + ".cc",
                   first_lines(base_name, how.stub_suffix) + compiled::marshal_definitions(input) +
                       cpp::stub_members(presentation) + compiled::values(input) + compiled::stubs(input)});
  if (how.any) {
    const std::string arrays = compiled::array_classes(
        input, cpp::has_any_operators, [](const auto& d) { return cpp::any_array_class(*d.decl); });
    files.push_back({how.any_suffix + ".h", cpp::any_header(contract, presentation, how, base_name)});
    files.push_back({how.any_suffix + ".cc",
                     first_lines(base_name, how.any_suffix) + cpp::any_definitions(presentation, arrays)});
  }
  if (!options.skeletons) return finished(std::move(files), contract);
  files.push_back({how.skel_suffix + ".h", cpp::skel_header(contract, presentation, how, base_name)});
  files.push_back({how.skel_suffix + ".cc", first_lines(base_name, how.skel_suffix) +
                                                cpp::skel_members(presentation) +
                                                compiled::skeletons(input)});
  return finished(std::move(files), contract);
}

std::string dump(const aoi::Contract& contract, const std::string& representation,
                 const plan::Options& options) {
  mint::Graph graph = mint::build(contract);
  if (representation == "mint") return mint::dump(graph);
  const pres::Presentation presentation = cpp::present(contract, graph);
  if (representation == "pres") return pres::dump(presentation);
  return plan::dump(cdr::make_plan(graph, options), graph);
}

}  // namespace corbel::idl
