#include <fmt/format.h>

#include "compiler/backends/compiled/coder.h"
#include "compiler/backends/compiled/compiled.h"

namespace corbel::idl::compiled {
namespace {

using mint::Kind;
using pres::Declaration;

// Only these are copied as they stand in memory.
bool stores(const Declaration& d, const Input& input) {
  return d.decl->kind == aoi::Decl::Kind::Struct && input.plan[d.type->message].encodes_as_host;
}

// Stores of one struct at constant offsets; what lies between members is zeroed, so that no memory leaks out.
void store_struct(Writer& w, const Input& input, const Declaration& d) {
  w.open("inline void store_struct([[maybe_unused]] const Encoder& out, char* to, const {}& value) {{",
         d.target);
  const plan::Part& whole = input.plan[d.type->message];
  if (whole.packed) {
    w.line("std::memcpy(to, &value, {});", whole.host_size);
    return w.close();
  }
  std::uint32_t at = 0;
  const auto pad = [&](std::uint32_t until) {
    if (until > at) w.line("std::memset(to + {}, 0, {});", at, until - at);
  };
  for (const pres::Member& m : d.members) {
    const plan::Part& p = input.plan[m.type->message];
    const std::uint32_t offset = (at + p.host_align - 1) / p.host_align * p.host_align;
    pad(offset);
    if (p.packed) {
      w.line("std::memcpy(to + {}, &value.{}, {});", offset, m.name, p.host_size);
    } else if (m.type->dimensions.empty()) {
      w.line("store_struct(out, to + {}, value.{});", offset, m.name);
    } else {
      // Arrays of arrays are flat in memory: whatever their dimensions, their structs follow one another.
      const pres::Type* element = m.type->element;
      std::string first = "&value." + m.name;
      for (std::size_t i = 0; i < m.type->dimensions.size(); ++i) first += "[0]";
      while (!element->dimensions.empty()) {
        for (std::size_t i = 0; i < element->dimensions.size(); ++i) first += "[0]";
        element = element->element;
      }
      const std::uint32_t size = input.plan[element->message].host_size;
      w.line("for (std::size_t i = 0; i < {}; ++i)", p.host_size / size);
      w.line("  store_struct(out, to + {} + {} * i, ({})[i]);", offset, size, first);
    }
    at = offset + p.host_size;
  }
  pad(whole.host_size);
  w.close();
}

bool boolean(const pres::Type& type, const Input& input) {
  return input.graph[type.message].kind == Kind::Boolean;
}

// The labels of a case; true if the default is among them.
bool labels(Writer& w, const pres::Case& c) {
  for (std::size_t i = 0; i < c.labels.size(); ++i) {
    const bool last = i + 1 == c.labels.size() && !c.is_default;
    w.line("case {}:{}", c.labels[i], last ? " {" : "");
  }
  if (c.is_default) w.line("default: {{");
  return c.is_default;
}

void marshal_union(Coder& c, Writer& w, const Input& input, const Declaration& u) {
  c.encode("value._d()", *u.discriminator);
  w.open("switch ({}) {{", boolean(*u.discriminator, input) ? "value._d() ? 1 : 0" : "value._d()");
  bool has_default = false;
  for (const pres::Case& k : u.cases) {
    has_default |= labels(w, k);
    w.indent();
    c.encode("value." + k.member.name + "()", *k.member.type);
    w.line("break;");
    w.close();
  }
  if (!has_default) w.line("default: break;");
  w.close();
}

void unmarshal_union(Coder& c, Writer& w, const Input& input, const Declaration& u) {
  w.line("{} d{{}};", u.discriminator->target);
  c.decode("d", *u.discriminator);
  w.line("value._corbel_activate(d);");
  w.open("switch ({}) {{", boolean(*u.discriminator, input) ? "d ? 1 : 0" : "d");
  bool has_default = false;
  for (const pres::Case& k : u.cases) {
    has_default |= labels(w, k);
    w.indent();
    if (k.local.empty()) w.line("auto&& member = value.{}();", k.member.name);
    else w.line("{} member{{}};", k.local);
    c.decode("member", *k.member.type);
    if (!k.local.empty()) {
      w.line("value.{}(member{});", k.member.name, k.given);
      w.line("value._d(d);");
    }
    w.line("break;");
    w.close();
  }
  if (!has_default) w.line("default: break;");
  w.close();
}

// The fields of an integer.
void marshal_bits(Writer& w, const Declaration& d) {
  w.open("void marshal(Encoder& out, const {}& value) {{", d.target);
  w.line("std::uint64_t bits = 0;");
  for (const pres::BitField& f : d.bits)
    if (!f.name.empty())
      w.line("bits |= (static_cast<std::uint64_t>(value.{}) & {}u) << {};", f.name,
             ~std::uint64_t{0} >> (64 - f.width), f.offset);
  w.line("out.put(static_cast<{}>(bits));", d.integer);
  w.close("}\n");
}

void unmarshal_bits(Writer& w, const Declaration& d) {
  w.open("bool unmarshal(Decoder& in, {}& value) {{", d.target);
  w.line("{} bits;", d.integer);
  w.line("if (!in.get(bits)) return false;");
  for (const pres::BitField& f : d.bits)
    if (!f.name.empty())
      w.line("value.{} = static_cast<{}>(bits >> {} & {}u);", f.name, f.type, f.offset,
             ~std::uint64_t{0} >> (64 - f.width));
  w.line("return true;");
  w.close("}\n");
}

void marshal(Writer& w, const Input& input, const Declaration& d) {
  if (!d.bits.empty()) return marshal_bits(w, d);
  Coder c(w, input, in_functions());
  const bool sequence = input.graph[d.type->message].kind == Kind::Sequence;
  if (!sequence && !d.discriminator && d.members.empty())
    return w.line("void marshal(Encoder&, const {}&) {{}}\n", d.target);
  w.open("void marshal(Encoder& out, const {}& value) {{", d.target);
  if (shares_values(d, input)) w.line("const cpp::WrittenValues scope(out);");
  if (sequence) c.encode_sequence("value", *d.type, 0);
  else if (d.discriminator) marshal_union(c, w, input, d);
  else
    c.encode_members(d.type->message, d.members,
                     [&](std::uint32_t i) { return "value." + d.members[i].name; });
  w.close("}\n");
}

void unmarshal(Writer& w, const Input& input, const Declaration& d) {
  if (!d.bits.empty()) return unmarshal_bits(w, d);
  Coder c(w, input, in_functions());
  const mint::Node& node = input.graph[d.type->message];
  if (node.kind != Kind::Sequence && !d.discriminator && d.members.empty())
    return w.line("bool unmarshal(Decoder&, {}&) {{ return true; }}\n", d.target);
  w.open("bool unmarshal(Decoder& in, {}& value) {{", d.target);
  if (shares_values(d, input)) w.line("const cpp::ReadValues scope(in);");
  if (node.recursive) w.line("if (!in.enter()) return false;");
  if (node.kind == Kind::Sequence) c.decode_sequence("value", *d.type, 0);
  else if (d.discriminator) unmarshal_union(c, w, input, d);
  else
    c.decode_members(d.type->message, d.members,
                     [&](std::uint32_t i) { return "value." + d.members[i].name; });
  if (node.recursive) w.line("in.leave();");
  w.line("return true;");
  w.close("}\n");
}

}  // namespace

bool has_functions(const Declaration& d) {
  if (!d.type || !d.type->functions || d.local) return false;
  if (d.decl->kind != aoi::Decl::Kind::Typedef) return true;
  return static_cast<const aoi::Typedef&>(*d.decl).type->kind == aoi::Type::Kind::Sequence;
}

bool shares_values(const Declaration& d, const Input& input) {
  return d.decl->kind == aoi::Decl::Kind::Exception && holds_values(input.graph, d.type->message);
}

std::string marshal_declarations(const Input& input) {
  Writer w;
  for (const Declaration* d : input.presentation.declarations) {
    if (!has_functions(*d)) continue;
    w.line("void marshal(Encoder& out, const {}& value);", d->target);
    w.line("bool unmarshal(Decoder& in, {}& value);", d->target);
    if (stores(*d, input)) store_struct(w, input, *d);
  }
  return w.text();
}

std::string marshal_definitions(const Input& input, const Done& done) {
  Writer w;
  bool any = false;
  for (const Declaration* d : input.presentation.declarations) {
    if (!has_functions(*d)) continue;
    if (!any) w.line("namespace corbel::cdr {{\n");
    any = true;
    if (stores(*d, input))
      w.line("static_assert(sizeof({}) == {}, \"natural alignment is what copying relies on\");\n", d->target,
             input.plan[d->type->message].host_size);
    if (done.types.count(d) != 0) continue;
    marshal(w, input, *d);
    unmarshal(w, input, *d);
  }
  if (any) w.line("}}  // namespace corbel::cdr\n");
  return w.text();
}

std::string array_classes(const Input& input, const std::function<bool(const Declaration&)>& wanted,
                          const std::function<std::string(const Declaration&)>& name) {
  Writer w;
  for (const Declaration* d : input.presentation.declarations) {
    if (!d->type || d->type->dimensions.empty() || !wanted(*d)) continue;
    Coder c(w, input, in_operations("return false;"));
    w.open("struct {} : {}_traits {{", name(*d), d->target);
    w.open("static void marshal(Encoder& _out, const slice* value) {{");
    c.encode("value", *d->type);
    w.close();
    w.open("static bool unmarshal(Decoder& _in, slice* value) {{");
    c.decode("value", *d->type);
    w.line("return true;");
    w.close();
    w.close("};\n");
  }
  return w.text();
}

}  // namespace corbel::idl::compiled
