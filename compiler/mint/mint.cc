#include "compiler/mint/mint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <set>

namespace corbel::idl::mint {
namespace {

constexpr std::string_view kNames[] = {"void",      "boolean",  "char",     "octet", "integer", "float",
                                       "enum",      "string",   "sequence", "array", "struct",  "union",
                                       "reference", "wchar",    "wstring",  "fixed", "any",     "typecode",
                                       "value",     "abstract", "map",      "bits"};

Node leaf(aoi::Basic b) {
  Node n;
  const auto integer = [&](std::uint32_t bits, bool is_signed) {
    n.kind = Kind::Integer, n.bits = bits, n.is_signed = is_signed;
  };
  switch (b) {
    case aoi::Basic::Void:
      break;
    case aoi::Basic::Boolean:
      n.kind = Kind::Boolean;
      break;
    case aoi::Basic::Octet:
      n.kind = Kind::Octet;
      break;
    case aoi::Basic::Char:
      n.kind = Kind::Char;
      break;
    case aoi::Basic::Short:
      integer(16, true);
      break;
    case aoi::Basic::UShort:
      integer(16, false);
      break;
    case aoi::Basic::Long:
      integer(32, true);
      break;
    case aoi::Basic::ULong:
      integer(32, false);
      break;
    case aoi::Basic::LongLong:
      integer(64, true);
      break;
    case aoi::Basic::ULongLong:
      integer(64, false);
      break;
    case aoi::Basic::Float:
      n.kind = Kind::Float, n.bits = 32;
      break;
    case aoi::Basic::Double:
      n.kind = Kind::Float, n.bits = 64;
      break;
    case aoi::Basic::LongDouble:
      n.kind = Kind::Float, n.bits = 128;
      break;
    case aoi::Basic::WChar:
      n.kind = Kind::WChar;
      break;
    case aoi::Basic::Int8:
      integer(8, true);
      break;
    case aoi::Basic::UInt8:
      integer(8, false);
      break;
  }
  return n;
}

void add_message(Graph& graph, const std::string& name, const std::vector<const aoi::Type*>& types) {
  Node body;
  body.kind = Kind::Struct;
  for (const aoi::Type* t : types) body.members.push_back(graph.of(t));
  graph.nodes.push_back(std::move(body));
  graph.messages.push_back({name, static_cast<Id>(graph.nodes.size() - 1)});
}

void add_messages(Graph& graph, const aoi::Interface& interface) {
  const auto message = [&](const std::string& name, const std::vector<const aoi::Type*>& types) {
    add_message(graph, interface.scoped_name + "." + name, types);
  };
  for (const auto& m : interface.members) {
    if (const auto* op = std::get_if<const aoi::Operation*>(&m)) {
      std::vector<const aoi::Type*> request, reply;
      if ((*op)->result->kind != aoi::Type::Kind::Basic || (*op)->result->basic != aoi::Basic::Void)
        reply.push_back((*op)->result);
      for (const aoi::Parameter& p : (*op)->parameters) {
        if (p.mode != aoi::Parameter::Mode::Out) request.push_back(p.type);
        if (p.mode != aoi::Parameter::Mode::In) reply.push_back(p.type);
      }
      message((*op)->name + " request", request);
      if (!(*op)->oneway) message((*op)->name + " reply", reply);
    } else if (const auto* a = std::get_if<const aoi::Attribute*>(&m)) {
      message("_get_" + (*a)->name + " request", {});
      message("_get_" + (*a)->name + " reply", {(*a)->type});
      if ((*a)->readonly) continue;
      message("_set_" + (*a)->name + " request", {(*a)->type});
      message("_set_" + (*a)->name + " reply", {});
    }
  }
}

// `seen`: a forward declaration and the definition are one node in two places.
void walk(Graph& graph, const std::vector<const aoi::Decl*>& declarations, std::set<const aoi::Decl*>& seen) {
  for (const aoi::Decl* d : declarations) {
    if (d->kind == aoi::Decl::Kind::Module)
      walk(graph, static_cast<const aoi::Module*>(d)->declarations, seen);
    if (!d->in_main_file || !seen.insert(d).second) continue;
    switch (d->kind) {
      case aoi::Decl::Kind::Module:
      case aoi::Decl::Kind::Constant:
      case aoi::Decl::Kind::Native:
      case aoi::Decl::Kind::PortType:
      case aoi::Decl::Kind::Connector:
        break;
      case aoi::Decl::Kind::Exception:
        graph.messages.push_back({d->scoped_name + " exception", graph.of(d)});
        break;
      case aoi::Decl::Kind::Interface: {
        const auto& i = static_cast<const aoi::Interface&>(*d);
        for (const auto& m : i.members)
          if (const auto* nested = std::get_if<const aoi::Decl*>(&m)) walk(graph, {*nested}, seen);
        if (!i.is_local) add_messages(graph, i);
        break;
      }
      case aoi::Decl::Kind::Value: {
        const auto& v = static_cast<const aoi::Value&>(*d);
        std::vector<const aoi::Type*> state;
        for (const auto& m : v.members) {
          if (const auto* nested = std::get_if<const aoi::Decl*>(&m)) walk(graph, {*nested}, seen);
          if (const auto* s = std::get_if<const aoi::Value::State*>(&m)) state.push_back((*s)->field.type);
        }
        add_message(graph, v.scoped_name + " state", state);
        break;
      }
      default:
        graph.of(d);
        break;
    }
  }
}

}  // namespace

Id Graph::add(Node node) {
  std::string shape = fmt::format("{} {} {} {} {} {} {}", static_cast<int>(node.kind), node.bits,
                                  node.is_signed, node.bound, node.element, node.key, node.scale);
  const auto [at, fresh] = by_shape_.emplace(std::move(shape), static_cast<Id>(nodes.size()));
  if (fresh) nodes.push_back(std::move(node));
  return at->second;
}

Id Graph::of(const aoi::Type* type) {
  Node n;
  switch (type->kind) {
    case aoi::Type::Kind::Basic:
      return add(leaf(type->basic));
    case aoi::Type::Kind::String:
      n.kind = Kind::String, n.bound = type->bound;
      return add(n);
    case aoi::Type::Kind::Sequence:
      n.kind = Kind::Sequence, n.bound = type->bound, n.element = of(type->element);
      return add(n);
    case aoi::Type::Kind::Array:
      n.kind = Kind::Array;
      n.bound = std::accumulate(type->dims.begin(), type->dims.end(), 1u, std::multiplies<>());
      n.element = of(type->element);
      return add(n);
    case aoi::Type::Kind::Object:
      n.kind = Kind::Reference;
      return add(n);
    case aoi::Type::Kind::WString:
      n.kind = Kind::WString, n.bound = type->bound;
      return add(n);
    case aoi::Type::Kind::Fixed:
      n.kind = Kind::Fixed, n.bits = type->digits, n.scale = type->scale;
      return add(n);
    case aoi::Type::Kind::Any:
      n.kind = Kind::Any;
      return add(n);
    case aoi::Type::Kind::TypeCode:
      n.kind = Kind::TypeCode;
      return add(n);
    case aoi::Type::Kind::ValueBase:
      n.kind = Kind::Value;
      return add(n);
    case aoi::Type::Kind::Map:
      n.kind = Kind::Map, n.bound = type->bound, n.key = of(type->key), n.element = of(type->element);
      return add(n);
    case aoi::Type::Kind::Named:
      return of(type->decl);
  }
  return 0;
}

namespace {

// Of the integer that holds a bitmask or a bitset.
std::uint32_t integer_bits(const aoi::Decl& decl) {
  std::uint32_t bits = 0;
  if (decl.kind == aoi::Decl::Kind::Bitmask) bits = static_cast<const aoi::Bitmask&>(decl).bits;
  else
    for (const auto* b = static_cast<const aoi::Bitset*>(&decl); b; b = b->base)
      for (const auto& f : b->fields) bits += f.width;
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}

}  // namespace

Id Graph::of(const aoi::Decl* decl) {
  if (decl->kind == aoi::Decl::Kind::Typedef) {
    // Remembered: typedefs that name others twice would double the work at every level.
    if (const auto i = by_decl_.find(decl); i != by_decl_.end()) return i->second;
    return by_decl_[decl] = of(static_cast<const aoi::Typedef*>(decl)->type);
  }
  Node n;
  if (decl->kind == aoi::Decl::Kind::Interface) {
    n.kind = static_cast<const aoi::Interface*>(decl)->is_abstract ? Kind::Abstract : Kind::Reference;
    return add(n);
  }
  if (decl->kind == aoi::Decl::Kind::Component || decl->kind == aoi::Decl::Kind::Home) {
    n.kind = Kind::Reference;  // to what implements its equivalent interface
    return add(n);
  }
  if (decl->kind == aoi::Decl::Kind::Value || decl->kind == aoi::Decl::Kind::ValueBox) {
    n.kind = Kind::Value;
    return add(n);
  }
  if (decl->kind == aoi::Decl::Kind::Bitmask || decl->kind == aoi::Decl::Kind::Bitset) {
    n.kind = decl->kind == aoi::Decl::Kind::Bitset ? Kind::Bits : Kind::Integer;
    n.bits = integer_bits(*decl);
    return add(n);
  }
  if (decl->kind == aoi::Decl::Kind::Native || decl->kind == aoi::Decl::Kind::PortType ||
      decl->kind == aoi::Decl::Kind::Connector)
    return add(n);
  if (decl->kind == aoi::Decl::Kind::Enum) {
    n.kind = Kind::Enum;
    n.bound = static_cast<std::uint32_t>(static_cast<const aoi::Enum*>(decl)->enumerators.size());
    return add(n);
  }
  if (const auto i = by_decl_.find(decl); i != by_decl_.end()) return i->second;
  const auto id = static_cast<Id>(nodes.size());
  n.name = decl->scoped_name;
  by_decl_[decl] = id;  // before the members: they may lead back here
  nodes.emplace_back();
  if (decl->kind == aoi::Decl::Kind::Union) {
    const auto& u = static_cast<const aoi::Union&>(*decl);
    n.kind = Kind::Union;
    n.recursive = u.recursive;
    n.element = of(u.discriminator);
    for (const auto& c : u.cases) n.cases.push_back({c.labels, of(c.field.type)});
  } else {
    n.kind = Kind::Struct;
    const bool is_struct = decl->kind == aoi::Decl::Kind::Struct;
    n.recursive = is_struct && static_cast<const aoi::Struct*>(decl)->recursive;
    if (is_struct && static_cast<const aoi::Struct*>(decl)->base) {
      n.derived = true;
      n.members = nodes[of(static_cast<const aoi::Struct*>(decl)->base)].members;
    }
    const auto& fields = is_struct ? static_cast<const aoi::Struct*>(decl)->fields
                                   : static_cast<const aoi::Exception*>(decl)->fields;
    for (const aoi::Field& f : fields) n.members.push_back(of(f.type));
  }
  nodes[id] = std::move(n);
  return id;
}

Graph build(const aoi::Contract& contract) {
  Graph graph;
  std::set<const aoi::Decl*> seen;
  walk(graph, contract.declarations, seen);
  return graph;
}

std::string dump(const Graph& graph) {
  std::string out;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& n = graph.nodes[i];
    out += fmt::format("%{} {}", i, kNames[static_cast<int>(n.kind)]);
    if (!n.name.empty()) out += ' ' + n.name;
    if (n.kind == Kind::Integer) out += fmt::format(" {}{}", n.is_signed ? "signed " : "unsigned ", n.bits);
    if (n.kind == Kind::Float || n.kind == Kind::Bits) out += fmt::format(" {}", n.bits);
    if (n.bound != 0) out += fmt::format(" <{}>", n.bound);
    if (n.kind == Kind::Sequence || n.kind == Kind::Array) out += fmt::format(" of %{}", n.element);
    if (n.kind == Kind::Union) out += fmt::format(" switch %{}", n.element);
    if (n.recursive) out += " recursive";
    for (const Id m : n.members) out += fmt::format(" %{}", m);
    for (const Case& c : n.cases)
      out += fmt::format(" ({}: %{})",
                         c.labels.empty() ? "default" : fmt::format("{}", fmt::join(c.labels, ",")), c.type);
    out += '\n';
  }
  for (const Message& m : graph.messages) out += fmt::format("message {} = %{}\n", m.name, m.type);
  return out;
}

}  // namespace corbel::idl::mint
