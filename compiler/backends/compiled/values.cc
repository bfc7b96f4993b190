// The state of values and boxes.
#include <algorithm>

#include "compiler/backends/compiled/coder.h"

namespace corbel::idl::compiled {
namespace {

using pres::Declaration;

void value(Writer& w, const Input& input, const Declaration& d) {
  const auto& v = static_cast<const aoi::Value&>(*d.decl);
  const std::string c = "OBV_" + d.target.substr(2);
  const auto place = [&](std::uint32_t i) { return pres::state_name(d.members[i].name); };
  std::string base;
  if (!v.bases.empty() && !v.bases[0]->is_abstract && !v.is_custom) {
    base = v.bases[0]->scoped_name;
    for (const pres::Declaration& b : input.presentation.all)
      if (b.decl == v.bases[0]) base = "OBV_" + b.target.substr(2);
  }
  const bool empty = base.empty() && d.members.empty() && !v.is_custom;
  w.open("void {}::_corbel_put_state(corbel::cdr::Encoder&{}) const {{", c, empty ? "" : " _out");
  if (v.is_custom) {
    w.line("corbel::cpp::put_custom(_out, this);");
  } else {
    if (!base.empty()) w.line("{}::_corbel_put_state(_out);", base);
    Coder(w, input, in_operations("return false;")).encode_members(d.state, d.members, place);
  }
  w.close("}\n");
  w.open("bool {}::_corbel_get_state(corbel::cdr::Decoder&{}) {{", c, empty ? "" : " _in");
  if (v.is_custom) {
    w.line("return corbel::cpp::get_custom(_in, this);");
  } else {
    if (!base.empty()) w.line("if (!{}::_corbel_get_state(_in)) return false;", base);
    Coder(w, input, in_operations("return false;")).decode_members(d.state, d.members, place);
    w.line("return true;");
  }
  w.close("}\n");
}

void box(Writer& w, const Input& input, const Declaration& d) {
  const std::string c = d.target.substr(2);
  Coder coder(w, input, in_operations("return false;"));
  w.open("void {}::_corbel_put_state(corbel::cdr::Encoder& _out) const {{", c);
  w.line("const auto& _boxed = _boxed_in();");
  coder.encode("_boxed", *d.members[0].type, 1);
  w.close("}\n");
  w.open("bool {}::_corbel_get_state(corbel::cdr::Decoder& _in) {{", c);
  w.line("auto&& _boxed = _boxed_inout();");
  coder.decode("_boxed", *d.members[0].type, 1);
  w.line("return true;");
  w.close("}\n");
}

}  // namespace

std::string values(const Input& input) {
  Writer w;
  for (const Declaration* d : input.presentation.declarations) {
    if (d->decl->kind == aoi::Decl::Kind::ValueBox) box(w, input, *d);
    if (d->decl->kind != aoi::Decl::Kind::Value) continue;
    const auto& v = static_cast<const aoi::Value&>(*d->decl);
    if (v.complete && !v.is_abstract) value(w, input, *d);
  }
  return w.text();
}

std::string known_boxes(const Input& input, bool requests) {
  const auto reads_values = [&](const Declaration* d) {
    if (!d->interface || d->local) return false;
    const auto& all = d->interface->operations;
    return std::any_of(all.begin(), all.end(), [&](const pres::Operation& op) {
      return (requests || !op.oneway) && holds_values(input.graph, requests ? op.request : op.reply);
    });
  };
  const auto& all = input.presentation.declarations;
  std::vector<const Declaration*> boxes;
  for (const Declaration& d : input.presentation.all)
    if (d.decl->kind == aoi::Decl::Kind::ValueBox) boxes.push_back(&d);
  if (boxes.empty() || std::none_of(all.begin(), all.end(), reads_values)) return {};
  Writer w;
  w.line("namespace {{\n");
  w.open("constexpr corbel::cpp::KnownBox _{}_boxes[] = {{", requests ? "request" : "reply");
  for (const Declaration* d : boxes)
    w.line("{{{0}::_corbel_value_type.id, {0}::_corbel_maker()}},", d->target);
  w.close("};");
  w.line("\n}}  // namespace\n");
  return w.text();
}

namespace {

bool has_element(const mint::Node& n) {
  return n.kind == mint::Kind::Sequence || n.kind == mint::Kind::Array || n.kind == mint::Kind::Map;
}

// Does `wanted` hold for the node or for one inside of it?
template <typename Wanted>
bool holds(const mint::Graph& graph, mint::Id id, const Wanted& wanted) {
  std::vector<bool> seen(graph.nodes.size());
  std::vector<mint::Id> left{id};
  while (!left.empty()) {
    const mint::Id i = left.back();
    left.pop_back();
    if (seen[i]) continue;
    seen[i] = true;
    const mint::Node& n = graph[i];
    if (wanted(n)) return true;
    left.insert(left.end(), n.members.begin(), n.members.end());
    for (const mint::Case& c : n.cases) left.push_back(c.type);
    if (has_element(n)) left.push_back(n.element);
  }
  return false;
}

}  // namespace

bool holds_values(const mint::Graph& graph, mint::Id id) {
  return holds(graph, id, [](const mint::Node& n) {
    return n.kind == mint::Kind::Value || n.kind == mint::Kind::Abstract || n.kind == mint::Kind::Any;
  });
}

bool holds_unions(const mint::Graph& graph, mint::Id id) {
  return holds(graph, id, [](const mint::Node& n) { return n.kind == mint::Kind::Union; });
}

bool holds_text(const mint::Graph& graph, mint::Id id) {
  const auto is_text = [](mint::Kind kind) {
    return kind == mint::Kind::Char || kind == mint::Kind::String || kind == mint::Kind::WChar ||
           kind == mint::Kind::WString;
  };
  return holds(graph, id, [&](const mint::Node& n) {
    return is_text(n.kind) || (n.kind == mint::Kind::Union && is_text(graph[n.element].kind)) ||
           n.kind == mint::Kind::Any || n.kind == mint::Kind::Value || n.kind == mint::Kind::Abstract;
  });
}

bool holds_runs(const mint::Graph& graph, const plan::Plan& plan, mint::Id id) {
  return holds(graph, id, [&](const mint::Node& n) {
    return has_element(n) && n.kind != mint::Kind::Map && plan[n.element].same_as_host &&
           graph[n.element].kind != mint::Kind::Struct;
  });
}

}  // namespace corbel::idl::compiled
