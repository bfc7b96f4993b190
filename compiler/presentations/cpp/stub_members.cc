// What of NAME.stub.cc is not marshaling.
#include <fmt/format.h>

#include "compiler/presentations/cpp/names.h"
#include "compiler/presentations/cpp/presentation.h"
#include "compiler/presentations/cpp/union_class.h"
#include "compiler/presentations/cpp/value_class.h"
#include "compiler/source/writer.h"

namespace corbel::idl::cpp {
namespace {

void reference_traits(Writer& w, const pres::Declaration& d) {
  const bool is_abstract = static_cast<const aoi::Interface*>(d.decl)->is_abstract;
  if (!d.local && !is_abstract) return w.line("template struct corbel::cpp::ObjectTraits<{}>;\n", d.target);
  w.line("template {0}_ptr corbel::cpp::ObjectTraits<{0}>::duplicate({0}_ptr);", d.target);
  w.line("template void corbel::cpp::ObjectTraits<{0}>::drop({0}_ptr);", d.target);
  if (is_abstract) w.line("template struct corbel::cpp::AbstractTraits<{}>;", d.target);
  w.line("");
}

}  // namespace

std::string stub_members(const pres::Presentation& presentation) {
  Writer w;
  for (const pres::Declaration* p : presentation.declarations) {
    const aoi::Decl& d = *p->decl;
    const std::string full = qualified(d), q = full.substr(2);
    if (d.kind == aoi::Decl::Kind::Union) print_union_members(w, static_cast<const aoi::Union&>(d));
    if (d.kind == aoi::Decl::Kind::Value && static_cast<const aoi::Value&>(d).complete)
      print_value_members(w, static_cast<const aoi::Value&>(d));
    if (d.kind == aoi::Decl::Kind::Exception) {
      w.function(fmt::format("const {0}* {0}::_downcast(const CORBA::Exception* exception)", q),
                 fmt::format("return corbel::cpp::downcast<{}>(exception);", full));
      w.line("");
      if (p->local)
        w.line(
            "void {}::_marshal_members(corbel::cdr::Encoder& out) const {{ corbel::cpp::put_local(out); }}",
            q);
      else
        w.function(fmt::format("void {}::_marshal_members(corbel::cdr::Encoder& out) const", q),
                   "corbel::cdr::marshal(out, *this);");
      w.line("");
      continue;
    }
    if (d.kind != aoi::Decl::Kind::Interface || !static_cast<const aoi::Interface&>(d).complete) continue;
    if (static_cast<const aoi::Interface&>(d).is_abstract) {
      for (const char* how : {"narrow", "unchecked_narrow"}) {
        w.function(fmt::format("{0}_ptr {0}::_{1}(CORBA::AbstractBase_ptr object)", q, how),
                   fmt::format("return corbel::cpp::{}_abstract<{}>(object);", how, full));
        w.line("");
      }
      w.function(fmt::format("{0}_ptr {0}::_corbel_make(corbel::core::Reference* reference)", q),
                 fmt::format("return corbel::cpp::make_abstract<{}>(reference);", full));
      w.line("");
      reference_traits(w, *p);
      continue;
    }
    for (const char* how : {"narrow", "unchecked_narrow"}) {
      w.function(fmt::format("{0}_ptr {0}::_{1}(CORBA::Object_ptr object)", q, how),
                 fmt::format("return corbel::cpp::{}<{}>(object);", p->local ? "narrow_local" : how, full));
      w.line("");
    }
    reference_traits(w, *p);
    w.line("void* {}::_corbel_widen(const char* repository_id) {{", q);
    w.line("  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;");
    std::vector<const aoi::Interface*> bases = static_cast<const aoi::Interface&>(d).bases;
    std::erase_if(bases, [](const aoi::Interface* b) { return b->is_abstract; });
    for (const aoi::Interface* b : bases)
      w.line("  if (void* const p = {}::_corbel_widen(repository_id)) return p;", qualified(*b));
    w.line("  return {};", bases.empty() ? "CORBA::Object::_corbel_widen(repository_id)" : "nullptr");
    w.line("}}\n");
  }
  return w.text();
}

}  // namespace corbel::idl::cpp
