#include "compiler/driver/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <regex>

#include "compiler/aoi/equivalents.h"
#include "compiler/aoi/size.h"
#include "compiler/backends/compiled/compiled.h"
#include "compiler/backends/interpretive/interpretive.h"
#include "compiler/driver/choices.h"
#include "compiler/driver/merge.h"
#include "compiler/encodings/cdr/cdr.h"
#include "compiler/mint/mint.h"
#include "compiler/presentations/cpp/annotations.h"
#include "compiler/presentations/cpp/any_files.h"
#include "compiler/presentations/cpp/coverage.h"
#include "compiler/presentations/cpp/made_names.h"

namespace corbel::idl {
namespace {

std::string first_lines(const std::string& base_name, const cpp::FileNames& names) {
  return fmt::format("// Made by corbel-idl from {0}.idl; do not edit.\n#include \"{0}{1}\"\n\n", base_name,
                     names.header);
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

// Adds the headers that the user wants in every file.
void add_includes(std::string& text, const GenerateOptions& options) {
  constexpr std::string_view once = "#pragma once\n";
  const auto lines = [](const std::vector<std::string>& headers) {
    std::string all;
    for (const std::string& h : headers) all += fmt::format("#include \"{}\"\n", h);
    return all;
  };
  std::size_t begin = text.find('\n') + 1;
  const bool is_header = std::string_view(text).substr(begin).starts_with(once);
  if (!is_header) {
    text.insert(begin, lines(options.source_includes));
    return;
  }
  begin += once.size();
  if (!options.pre_includes.empty()) text.insert(begin, '\n' + lines(options.pre_includes));
  if (!options.post_includes.empty()) text += '\n' + lines(options.post_includes);
}

// Every part ends with an empty line, which the last one of a file does not need.
std::vector<GeneratedFile> finished(std::vector<GeneratedFile> files, const aoi::Contract& contract,
                                    const std::string& base_name, const GenerateOptions& options) {
  const std::string own =
      options.presentation.stub_include_dir + base_name + options.presentation.stub.header;
  files = merge(std::move(files), {base_name, own});
  const bool hidden = hides(contract.declarations);
  for (GeneratedFile& f : files) {
    if (hidden) f.text = from_global(f.text);
    while (f.text.ends_with("\n\n")) f.text.pop_back();
    add_includes(f.text, options);
  }
  return files;
}

}  // namespace

void prepare_generation(aoi::Contract& contract, Diagnostics& diagnostics, const GenerateOptions& options) {
  aoi::make_equivalents(contract, diagnostics);
  cpp::check_coverage(contract, diagnostics);
  cpp::check_annotations(contract, diagnostics);
  cpp::check_made_names(contract, diagnostics, options.presentation.tie);
}

void check_sizes(const aoi::Contract& contract, Diagnostics& diagnostics) {
  constexpr std::uint32_t largest_message = std::numeric_limits<std::int32_t>::max();
  aoi::LeastSizes sizes;
  cpp::for_each_declaration(contract, [&](const aoi::Decl& d) {
    if (sizes.of(d) > largest_message)
      diagnostics.report(Kind::BadBound, d.span,
                         fmt::format("'{}' has more octets than a message can hold", d.name));
  });
}

std::vector<std::string> generated_suffixes(const GenerateOptions& options) {
  const cpp::Options& how = options.presentation;
  std::vector<std::string> all;
  const auto add = [&all](const cpp::FileNames& names) {
    for (const std::string& n : {names.header, names.source})
      if (std::find(all.begin(), all.end(), n) == all.end()) all.push_back(n);
  };
  add(how.stub);
  if (how.with_any) add(how.any);
  if (options.skeletons) add(how.skel);
  return all;
}

std::vector<GeneratedFile> generate(const aoi::Contract& contract, const std::string& base_name,
                                    const GenerateOptions& options) {
  mint::Graph graph = mint::build(contract);
  const pres::Presentation presentation = cpp::present(contract, graph);
  const plan::Plan plan = cdr::make_plan(graph, options.plan);
  interpretive::Styles styles = options.styles;
  compiled::DispatchChoice dispatch = options.dispatch;
  choose_by_annotations(contract, styles, dispatch);
  const compiled::Input input{presentation, graph, plan, dispatch};
  const cpp::Options& how = options.presentation;
  std::vector<GeneratedFile> files;
  files.push_back({how.stub.header, cpp::stub_header(contract, presentation, how, base_name,
                                                     compiled::marshal_declarations(input))});
  const interpretive::Part stubs = interpretive::stubs(input, styles);
  files.push_back({how.stub.source,
                   first_lines(base_name, how.stub) + stubs.text +
                       compiled::marshal_definitions(input, stubs.done) + cpp::stub_members(presentation) +
                       compiled::values(input) + compiled::stubs(input, stubs.done),
                   stubs.crowded_out});
  if (how.with_any) {
    const std::string arrays = compiled::array_classes(
        input, cpp::has_any_operators, [](const auto& d) { return cpp::any_array_class(*d.decl); });
    files.push_back({how.any.header, cpp::any_header(contract, presentation, how, base_name)});
    files.push_back(
        {how.any.source, first_lines(base_name, how.any) + cpp::any_definitions(presentation, arrays)});
  }
  if (!options.skeletons) return finished(std::move(files), contract, base_name, options);
  files.push_back({how.skel.header, cpp::skel_header(contract, presentation, how, base_name)});
  const interpretive::Part skeletons = interpretive::skeletons(input, styles);
  files.push_back({how.skel.source,
                   first_lines(base_name, how.skel) + skeletons.text + cpp::skel_members(presentation) +
                       compiled::skeletons(input, skeletons.done),
                   skeletons.crowded_out});
  return finished(std::move(files), contract, base_name, options);
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
