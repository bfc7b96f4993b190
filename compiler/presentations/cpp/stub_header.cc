// NAME.stub.h as a whole.
#include <fmt/format.h>

#include <set>

#include "compiler/presentations/cpp/annotations.h"
#include "compiler/presentations/cpp/declarations.h"
#include "compiler/presentations/cpp/names.h"
#include "compiler/presentations/cpp/presentation.h"
#include "compiler/presentations/cpp/provided.h"
#include "compiler/presentations/cpp/value_class.h"
#include "compiler/source/writer.h"

namespace corbel::idl::cpp {
namespace {

// Of the run time, for types that few contracts use.
std::set<std::string> headers(const aoi::Contract& contract) {
  std::set<std::string> all = provided_headers(contract);
  for_each_declaration(contract, [&](const aoi::Decl& d) {
    if (d.kind == aoi::Decl::Kind::Value || d.kind == aoi::Decl::Kind::ValueBox)
      all.insert("corbel/cpp/value.h");
    if (d.kind == aoi::Decl::Kind::ValueBox) {
      const aoi::Type* const boxed = aoi::resolve(static_cast<const aoi::ValueBox&>(d).type);
      const bool array = boxed->kind == aoi::Type::Kind::Array;
      all.insert(array ? "corbel/cpp/array_box.h" : "corbel/cpp/value_box.h");
    }
    if (d.kind == aoi::Decl::Kind::Interface && is_abstract(static_cast<const aoi::Interface&>(d)))
      all.insert("corbel/cpp/abstract.h");
    aoi::for_each_type(d, [&](const aoi::Type& t) {
      const bool basic = t.kind == aoi::Type::Kind::Basic;
      if (t.kind == aoi::Type::Kind::WString || (basic && t.basic == aoi::Basic::WChar) ||
          (basic && t.basic == aoi::Basic::LongDouble))
        all.insert("corbel/cpp/wide.h");
      if (t.kind == aoi::Type::Kind::ValueBase) all.insert("corbel/cpp/value.h");
      if (t.kind == aoi::Type::Kind::Fixed) all.insert("corbel/cpp/fixed.h");
      if (t.kind == aoi::Type::Kind::Map) all.insert({"map", "string"});
      if (t.kind == aoi::Type::Kind::Any || t.kind == aoi::Type::Kind::TypeCode)
        all.insert("corbel/cpp/any.h");
    });
    if (d.kind != aoi::Decl::Kind::Interface) return;
    for (const aoi::Operation& op : operations(static_cast<const aoi::Interface&>(d)))
      if (!op.contexts.empty()) all.insert("corbel/cpp/context.h");
  });
  return all;
}

// Interfaces and values that are only declared here: whoever defines them says how they are handled.
void defined_elsewhere(Writer& w, const pres::Presentation& presentation) {
  for (const aoi::Decl* d : presentation.undefined) {
    const std::string q = qualified(*d), space = q.substr(0, q.rfind("::"));
    if (!space.empty()) w.line("namespace {} {{", space.substr(2));
    if (d->kind == aoi::Decl::Kind::Value) print_value_types(w, identifier(d->name));
    else print_reference_types(w, identifier(d->name));
    if (!space.empty()) w.line("}}  // namespace {}", space.substr(2));
    w.line("extern template struct corbel::cpp::ObjectTraits<{}>;", q);
    if (d->kind == aoi::Decl::Kind::Value) w.line("extern template struct corbel::cpp::ValueTraits<{}>;", q);
    else if (static_cast<const aoi::Interface*>(d)->is_abstract)
      w.line("extern template struct corbel::cpp::AbstractTraits<{}>;", q);
    w.line("");
  }
}

}  // namespace

std::vector<std::string> contract_includes(const aoi::Contract& contract, const Options& options,
                                           const std::string& ending, const std::string& standard_ending) {
  std::vector<std::string> lines;
  for (const std::string& include : contract.direct_includes) {
    const auto standard = contract.standard_includes.find(include);
    if (standard != contract.standard_includes.end()) {
      const std::string name = standard->second.substr(0, standard->second.rfind('.'));
      lines.push_back("#include <corbel/idl/" + name + standard_ending + ">");
      continue;
    }
    const auto slash = include.rfind('/'), name = slash == include.npos ? 0 : slash + 1;
    const auto dot = include.rfind('.');
    const auto end = dot == include.npos || dot < name ? include.size() : dot;
    const auto begin = options.keep_include_paths ? 0 : name;
    const std::string header = include.substr(begin, end - begin) + ending;
    lines.push_back(options.angle_includes ? "#include <" + header + ">" : "#include \"" + header + "\"");
  }
  return lines;
}

std::string stub_header(const aoi::Contract& contract, const pres::Presentation& presentation,
                        const Options& options, const std::string& base_name, const std::string& marshaling) {
  Writer w;
  w.line("// Made by corbel-idl from {}.idl; do not edit.", base_name);
  w.line("#pragma once\n");
  w.line("#include <corbel/corba.h>");
  for (const std::string& header : headers(contract)) w.line("#include <{}>", header);
  for (const std::string& header : options.export_includes) w.line("#include \"{}\"", header);
  for (const std::string& line : contract_includes(contract, options, options.stub.header, ".stub.h"))
    w.line("{}", line);
  w.line("");
  defined_elsewhere(w, presentation);
  for (const std::string& l : verbatim_lines(contract, "BEGIN_FILE")) w.line(l);
  print_declarations(w, contract, presentation, options);
  print_value_state_classes(w, presentation, options.export_macro.empty() ? "" : options.export_macro + " ");
  if (!marshaling.empty()) {
    w.line("namespace corbel::cdr {{\n");
    w.raw(marshaling);
    w.line("\n}}  // namespace corbel::cdr");
  }
  for (const std::string& l : verbatim_lines(contract, "END_FILE")) w.line(l);
  return w.text();
}

}  // namespace corbel::idl::cpp
