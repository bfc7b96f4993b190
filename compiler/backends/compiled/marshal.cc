#include <fmt/format.h>

#include "compiler/backends/compiled/coder.h"
#include "compiler/backends/compiled/compiled.h"
#include "compiler/presentations/cpp/names.h"
#include "compiler/presentations/cpp/union_class.h"

namespace corbel::idl::compiled {
namespace {

using cpp::Writer;

bool has_functions(const aoi::Decl& d) {
  switch (d.kind) {
    case aoi::Decl::Kind::Struct:
    case aoi::Decl::Kind::Union:
    case aoi::Decl::Kind::Exception:
      return true;
    case aoi::Decl::Kind::Typedef:
      return static_cast<const aoi::Typedef&>(d).type->kind == aoi::Type::Kind::Sequence;
    default:
      return false;
  }
}

const std::vector<aoi::Field>& fields_of(const aoi::Decl& d) {
  return d.kind == aoi::Decl::Kind::Struct ? static_cast<const aoi::Struct&>(d).fields
                                           : static_cast<const aoi::Exception&>(d).fields;
}

bool recursive(const aoi::Decl& d) {
  if (d.kind == aoi::Decl::Kind::Struct) return static_cast<const aoi::Struct&>(d).recursive;
  return d.kind == aoi::Decl::Kind::Union && static_cast<const aoi::Union&>(d).recursive;
}

// Stores of one struct at constant offsets; what lies between members is zeroed, so that no memory leaks out.
void store_struct(Writer& w, const Input& input, const aoi::Struct& s) {
  w.line("inline void store_struct(const Encoder& out, char* to, const {}& value) {{", cpp::qualified(s));
  w.line("  (void)out;");
  std::uint32_t at = 0;
  const auto pad = [&](std::uint32_t until) {
    if (until > at) w.line("  std::memset(to + {}, 0, {});", at, until - at);
  };
  aoi::Type self;
  self.kind = aoi::Type::Kind::Named;
  self.decl = &s;
  for (const aoi::Field& f : s.fields) {
    const plan::Part& p = input.plan[input.graph.of(f.type)];
    const std::uint32_t offset = (at + p.host_align - 1) / p.host_align * p.host_align;
    pad(offset);
    const std::string m = "value." + cpp::identifier(f.name);
    const aoi::Type* const t = aoi::resolve(f.type);
    if (t->kind == aoi::Type::Kind::Named) w.line("  store_struct(out, to + {}, {});", offset, m);
    else w.line("  std::memcpy(to + {}, &{}, {});", offset, m, p.host_size);
    at = offset + p.host_size;
  }
  pad(input.plan[input.graph.of(&self)].host_size);
  w.line("}}");
}

// Arrays of structs inside would need loops there: such structs are encoded one by one.
bool stores(const aoi::Struct& s, const Input& input) {
  if (!input.plan[input.graph.of(static_cast<const aoi::Decl*>(&s))].same_as_host) return false;
  return true;
}

void marshal_union(Coder& c, Writer& w, const aoi::Union& u) {
  c.encode("value._d()", u.discriminator);
  const aoi::Type* const d = aoi::resolve(u.discriminator);
  const bool boolean = d->kind == aoi::Type::Kind::Basic && d->basic == aoi::Basic::Boolean;
  w.line("switch ({}) {{", boolean ? "value._d() ? 1 : 0" : "value._d()");
  bool has_default = false;
  for (const auto& k : u.cases) {
    for (std::size_t i = 0; i < k.labels.size(); ++i)
      w.line("  case {}:",
             boolean ? fmt::format("{}", k.labels[i]) : cpp::label_text(u, k.labels[i], k.label_names[i]));
    if (k.is_default) w.line("  default:");
    has_default = has_default || k.is_default;
    w.line("  {{");
    w.indent();
    w.indent();
    c.encode("value." + cpp::identifier(k.field.name) + "()", k.field.type);
    w.line("break;");
    w.outdent();
    w.line("}}");
    w.outdent();
  }
  if (!has_default) w.line("  default: break;");
  w.line("}}");
}

void unmarshal_union(Coder& c, Writer& w, const aoi::Union& u) {
  const aoi::Type* const d = aoi::resolve(u.discriminator);
  const bool boolean = d->kind == aoi::Type::Kind::Basic && d->basic == aoi::Basic::Boolean;
  w.line("{} d{{}};", cpp::stored_type(u.discriminator));
  c.decode("d", u.discriminator);
  w.line("value._activate(d);");
  w.line("switch ({}) {{", boolean ? "d ? 1 : 0" : "d");
  bool has_default = false;
  for (const auto& k : u.cases) {
    for (std::size_t i = 0; i < k.labels.size(); ++i)
      w.line("  case {}:",
             boolean ? fmt::format("{}", k.labels[i]) : cpp::label_text(u, k.labels[i], k.label_names[i]));
    if (k.is_default) w.line("  default:");
    has_default = has_default || k.is_default;
    w.line("  {{");
    w.indent();
    w.indent();
    const std::string m = cpp::identifier(k.field.name);
    switch (pres::passing(k.field.type)) {
      case pres::Passing::Value:
        w.line("{} member{{}};", cpp::stored_type(k.field.type));
        c.decode("member", k.field.type);
        w.line("value.{}(member);", m);
        w.line("value._d(d);");
        break;
      case pres::Passing::String:
        w.line("CORBA::String_var member;");
        c.decode("member", k.field.type);
        w.line("value.{}(member._retn());", m);
        w.line("value._d(d);");
        break;
      case pres::Passing::Reference:
        w.line("corbel::cpp::ObjectVar<{}> member;", cpp::interface_name(k.field.type));
        c.decode("member", k.field.type);
        w.line("value.{}(member.in());", m);
        w.line("value._d(d);");
        break;
      default:
        w.line("auto&& member = value.{}();", m);
        c.decode("member", k.field.type);
        break;
    }
    w.line("break;");
    w.outdent();
    w.line("}}");
    w.outdent();
  }
  if (!has_default) w.line("  default: break;");
  w.line("}}");
}

void definition(Writer& w, const Input& input, const aoi::Decl& d) {
  const std::string q = cpp::qualified(d);
  const bool union_type = d.kind == aoi::Decl::Kind::Union;
  const aoi::Type* const sequence =
      d.kind == aoi::Decl::Kind::Typedef ? static_cast<const aoi::Typedef&>(d).type : nullptr;
  const bool empty = !union_type && !sequence && fields_of(d).empty();
  Coder c(w, input);
  w.line("void marshal(Encoder&{}, const {}&{}) {{", empty ? "" : " out", q, empty ? "" : " value");
  w.indent();
  if (sequence) c.encode_sequence("value", sequence, 0);
  else if (union_type) marshal_union(c, w, static_cast<const aoi::Union&>(d));
  else
    for (const aoi::Field& f : fields_of(d)) c.encode("value." + cpp::identifier(f.name), f.type);
  w.outdent();
  w.line("}}\n");
  w.line("bool unmarshal(Decoder&{}, {}&{}) {{", empty ? "" : " in", q, empty ? "" : " value");
  w.indent();
  if (recursive(d)) w.line("if (!in.enter()) return false;");
  if (sequence) c.decode_sequence("value", sequence, 0);
  else if (union_type) unmarshal_union(c, w, static_cast<const aoi::Union&>(d));
  else
    for (const aoi::Field& f : fields_of(d)) c.decode("value." + cpp::identifier(f.name), f.type);
  if (recursive(d)) w.line("in.leave();");
  w.line("return true;");
  w.outdent();
  w.line("}}\n");
}

}  // namespace

std::string marshal_declarations(const Input& input) {
  Writer w;
  cpp::for_each_declaration(input.contract, [&](const aoi::Decl& d) {
    if (!has_functions(d)) return;
    w.line("void marshal(Encoder& out, const {}& value);", cpp::qualified(d));
    w.line("bool unmarshal(Decoder& in, {}& value);", cpp::qualified(d));
    if (d.kind == aoi::Decl::Kind::Struct && stores(static_cast<const aoi::Struct&>(d), input))
      store_struct(w, input, static_cast<const aoi::Struct&>(d));
  });
  return w.text();
}

std::string marshal_definitions(const Input& input) {
  Writer w;
  w.line("namespace corbel::cdr {{\n");
  cpp::for_each_declaration(input.contract, [&](const aoi::Decl& d) {
    if (!has_functions(d)) return;
    if (d.kind == aoi::Decl::Kind::Struct && stores(static_cast<const aoi::Struct&>(d), input))
      w.line("static_assert(sizeof({}) == {}, \"natural alignment is what copying relies on\");\n",
             cpp::qualified(d), input.plan[input.graph.of(&d)].host_size);
    definition(w, input, d);
  });
  w.line("}}  // namespace corbel::cdr");
  return w.text();
}

}  // namespace corbel::idl::compiled
