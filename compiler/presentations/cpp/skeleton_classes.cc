// NAME.skel.h, and what of skeletons is not dispatch.
#include <algorithm>

#include <fmt/format.h>

#include "compiler/presentations/cpp/names.h"
#include "compiler/presentations/cpp/presentation.h"
#include "compiler/source/writer.h"

namespace corbel::idl::cpp {
namespace {

bool has_skeleton(const pres::Declaration& d) {
  return d.decl->kind == aoi::Decl::Kind::Interface && !d.local &&
         static_cast<const aoi::Interface&>(*d.decl).complete;
}

// Whether an object of the type may be a servant.
bool is_value_with_skeleton(const pres::Declaration& d) {
  if (d.decl->kind != aoi::Decl::Kind::Value) return false;
  const auto& all = static_cast<const aoi::Value&>(*d.decl).supports;
  return std::any_of(all.begin(), all.end(), [](const aoi::Interface* i) { return !i->is_abstract; });
}

// POA_X_tie: a servant that calls an object of any class that has the operations.
void tie_class(Writer& w, const pres::Interface& i, const std::string& n) {
  w.line("template <typename _corbel_t>");
  w.line("class {0}_tie : public corbel::cpp::Tie<{0}, _corbel_t> {{", n);
  w.line(" public:");
  w.line("  using corbel::cpp::Tie<{}, _corbel_t>::Tie;", n);
  w.indent();
  const auto all = [&](const pres::Interface& from) {
    for (const pres::Operation& op : from.operations) {
      w.function(fmt::format("{} {}({}) override", op.result, op.method, op.parameters),
                 fmt::format("return this->_tied_object()->{}({});", op.method, argument_names(op)));
    }
  };
  for (const pres::Interface* a : i.ancestors) all(*a);
  all(i);
  w.outdent();
  w.line("}};\n");
}

}  // namespace

std::string skel_header(const aoi::Contract& contract, const pres::Presentation& presentation,
                        const Options& options, const std::string& base_name) {
  Writer w;
  w.line("// Made by corbel-idl from {}.idl; do not edit.", base_name);
  w.line("#pragma once\n");
  w.line("#include <corbel/poa.h>");
  if (options.tie) w.line("#include <corbel/cpp/tie.h>");
  const auto& declared = presentation.declarations;
  if (std::any_of(declared.begin(), declared.end(), [](const auto* d) { return is_value_with_skeleton(*d); }))
    w.line("#include <corbel/cpp/value_servant.h>");
  w.line("");
  for (const std::string& header : options.skel_export_includes) w.line("#include \"{}\"", header);
  w.line("#include \"{}{}{}\"", options.stub_include_dir, base_name, options.stub.header);
  for (const std::string& line : contract_includes(contract, options, options.skel.header, ".skel.h"))
    w.line("{}", line);
  w.line("");
  std::string inside;
  const auto enter = [&](const std::string& space) {
    if (space == inside) return;
    if (!inside.empty()) w.line("}}  // namespace {}\n", inside);
    if (!space.empty()) w.line("namespace {} {{\n", space);
    inside = space;
  };
  for (const pres::Declaration* p : presentation.declarations) {
    const aoi::Decl& d = *p->decl;
    if (!has_skeleton(*p)) continue;
    const auto& i = static_cast<const aoi::Interface&>(d);
    const std::string full = skel_class(i), n = full.substr(full.rfind(':') + 1);
    const auto colon = full.rfind("::");
    // An interface inside an interface does not exist, so all outer scopes are namespaces.
    enter(colon == full.npos ? "" : full.substr(0, colon));
    std::string bases;
    for (const aoi::Interface* b : i.bases)
      bases += (bases.empty() ? "" : ", ") + ("public virtual ::" + skel_class(*b));
    if (bases.empty()) bases = "public virtual PortableServer::ServantBase";
    w.line("class {}{} : {} {{", options.skel_export_macro.empty() ? "" : options.skel_export_macro + " ", n,
           bases);
    w.line(" public:");
    w.indent();
    for (const pres::Operation& op : p->interface->operations) {
      w.comments(op.comments);
      w.line("virtual {} {}({}) = 0;", op.result, op.method, op.parameters);
    }
    if (!p->interface->operations.empty()) w.line("");
    if (!i.is_abstract) w.line("{}_ptr _this();", qualified(i));
    w.line("CORBA::Boolean _is_a(const char* repository_id) override;");
    w.line("const char* _interface_repository_id() const override;");
    w.line("void _dispatch(corbel::cpp::Upcall& call) override;");
    w.line("corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;\n");
    w.outdent();
    w.line(" protected:");
    w.indent();
    w.line("{}() = default;", n);
    for (const pres::Operation& op : p->interface->operations)
      w.line("static void _skel_{}({}& servant, corbel::cpp::Upcall& call);", op.name, n);
    w.outdent();
    w.line("}};\n");
    if (options.tie && !i.is_abstract) tie_class(w, *p->interface, n);
  }
  enter("");
  return w.text();
}

std::string skel_members(const pres::Presentation& presentation) {
  Writer w;
  for (const pres::Declaration* p : presentation.declarations) {
    const aoi::Decl& d = *p->decl;
    if (!has_skeleton(*p)) continue;
    const auto& i = static_cast<const aoi::Interface&>(d);
    const std::string n = skel_class(i), stub = qualified(i);
    if (!i.is_abstract) {
      w.function(fmt::format("{}_ptr {}::_this()", stub, n),
                 fmt::format("return corbel::cpp::servant_this<{}>(this);", stub));
      w.line("");
    }
    w.function(fmt::format("const char* {}::_interface_repository_id() const", n),
               fmt::format("return {}::_corbel_id;", stub));
    w.line("");
    std::string test = fmt::format("corbel::cpp::same_id(repository_id, {}::_corbel_id)", stub);
    for (const aoi::Interface* b : i.bases)
      test += fmt::format(" || {}::_is_a(repository_id)", "::" + skel_class(*b));
    if (i.bases.empty()) test += " || corbel::cpp::same_id(repository_id, CORBA::Object::_corbel_id)";
    w.function(fmt::format("CORBA::Boolean {}::_is_a(const char* repository_id)", n), "return " + test + ";");
    w.line("");
  }
  return w.text();
}

}  // namespace corbel::idl::cpp
