// Contract and messages in, PRES of the classic C++ mapping out.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/presentations/cpp/names.h"
#include "compiler/presentations/cpp/presentation.h"
#include "compiler/presentations/cpp/provided.h"
#include "compiler/presentations/cpp/union_class.h"

namespace corbel::idl::cpp {
namespace {

using pres::Conversion;
using pres::Passing;

Conversion conversion(const mint::Node& node) {
  switch (node.kind) {
    case mint::Kind::Void:
      return Conversion::None;
    case mint::Kind::Boolean:
    case mint::Kind::Enum:
      return Conversion::Check;
    case mint::Kind::Char:
    case mint::Kind::Octet:
    case mint::Kind::Integer:
    case mint::Kind::Float:
      return Conversion::Copy;
    case mint::Kind::String:
      return Conversion::Text;
    case mint::Kind::Reference:
      return Conversion::Reference;
    case mint::Kind::Sequence:
    case mint::Kind::Array:
      return Conversion::Elements;
    case mint::Kind::Struct:
    case mint::Kind::Union:
      return Conversion::Members;
    case mint::Kind::WChar:
    case mint::Kind::WString:
    case mint::Kind::Fixed:
    case mint::Kind::Any:
    case mint::Kind::TypeCode:
    case mint::Kind::Value:
    case mint::Kind::Abstract:
    case mint::Kind::Map:
    case mint::Kind::Bits:
      return Conversion::Functions;
  }
  return Conversion::None;
}

class Builder {
 public:
  Builder(mint::Graph& graph, pres::Presentation& out) : graph_(graph), out_(out) {
    for (const mint::Message& m : graph.messages) messages_[m.name] = m.type;
  }

  const pres::Declaration* declaration(const aoi::Decl& d) {
    const auto [at, fresh] = declarations_.emplace(&d, nullptr);
    if (!fresh) return at->second;
    pres::Declaration* const p = &out_.all.emplace_back();
    at->second = p;  // before its members: they may lead back here
    p->decl = &d;
    p->target = qualified(d);
    p->local = pres::is_local(d);
    switch (d.kind) {
      case aoi::Decl::Kind::Struct:
        p->type = named(d);
        structure(*p, static_cast<const aoi::Struct&>(d));
        break;
      case aoi::Decl::Kind::Exception:
        p->type = exception(d);
        members(*p, static_cast<const aoi::Exception&>(d).fields);
        break;
      case aoi::Decl::Kind::Union:
        p->type = named(d);
        cases(*p, static_cast<const aoi::Union&>(d));
        break;
      case aoi::Decl::Kind::Bitset:
        p->type = named(d);
        bit_fields(*p, static_cast<const aoi::Bitset&>(d));
        p->integer = unsigned_name(graph_[p->type->message].bits);
        break;
      case aoi::Decl::Kind::Interface:
        p->interface = interface(static_cast<const aoi::Interface&>(d));
        break;
      case aoi::Decl::Kind::Constant:
        break;
      case aoi::Decl::Kind::Value:
        p->type = named(d);
        value(*p, static_cast<const aoi::Value&>(d));
        break;
      case aoi::Decl::Kind::ValueBox:
        p->type = named(d);
        p->members.push_back({"value_", type(static_cast<const aoi::ValueBox&>(d).type)});
        break;
      default:
        p->type = named(d);
        break;
    }
    return p;
  }

 private:
  void value(pres::Declaration& p, const aoi::Value& v) {
    for (const aoi::Value* b : v.bases) declaration(*b);
    for (const auto& m : v.members)
      if (const auto* const* s = std::get_if<const aoi::Value::State*>(&m))
        p.members.push_back({(*s)->field.name, type((*s)->field.type)});
    if (const auto body = messages_.find(v.scoped_name + " state"); body != messages_.end())
      p.state = body->second;
  }

  const pres::Type* named(const aoi::Decl& d) {
    const auto at = names_.find(&d);
    if (at != names_.end()) return at->second;
    aoi::Type* const use = uses_.emplace_back(std::make_unique<aoi::Type>()).get();
    use->kind = aoi::Type::Kind::Named;
    use->decl = &d;
    return names_[&d] = type(use);
  }

  const pres::Type* exception(const aoi::Decl& d) {
    pres::Type& t = out_.types.emplace_back();
    t.message = graph_.of(&d);
    t.conversion = Conversion::Members;
    t.passing = Passing::VariableStruct;
    t.target = t.holder = qualified(d);
    t.functions = true;
    return &t;
  }

  const pres::Type* type(const aoi::Type* use) {
    const auto [at, fresh] = types_.emplace(use, nullptr);
    if (!fresh) return at->second;
    pres::Type& t = out_.types.emplace_back();
    at->second = &t;
    const aoi::Type* const behind = aoi::resolve(use);
    t.message = graph_.of(use);
    t.conversion = conversion(graph_[t.message]);
    t.passing = pres::passing(use);
    t.target = stored_type(use);
    switch (t.passing) {
      case Passing::String:
        t.holder = "CORBA::String_var";
        break;
      case Passing::WString:
        t.holder = "CORBA::WString_var";
        break;
      case Passing::ValueType:
        t.interface = interface_name(use);
        if (behind->kind == aoi::Type::Kind::Named) t.undefined = is_undefined(*behind->decl);
        t.holder = t.interface + "_var";
        break;
      case Passing::Reference:
        t.interface = interface_name(use);
        if (behind->kind == aoi::Type::Kind::Named) t.undefined = is_undefined(*behind->decl);
        t.holder = fmt::format("corbel::cpp::ObjectVar<{}>", t.interface);
        break;
      case Passing::Value:
      case Passing::FixedStruct:
        t.holder = t.target;
        break;
      default:
        t.holder = var_type(use);
        break;
    }
    if (behind->kind == aoi::Type::Kind::Sequence || behind->kind == aoi::Type::Kind::Array) {
      t.element = type(behind->element);
      t.dimensions = behind->dims;
      t.functions = behind->kind == aoi::Type::Kind::Sequence && use->kind == aoi::Type::Kind::Named;
    }
    if (graph_[t.message].kind == mint::Kind::Bits) t.functions = true;
    if (t.conversion == Conversion::Members) {
      t.functions = true;
      t.declaration = declaration(*behind->decl);
    }
    return &t;
  }

  // An interface or a value.
  bool is_undefined(const aoi::Decl& d) {
    if (d.kind == aoi::Decl::Kind::ValueBox || provided_by(d)) return false;
    if (d.kind == aoi::Decl::Kind::Value ? static_cast<const aoi::Value&>(d).complete
                                         : static_cast<const aoi::Interface&>(d).complete)
      return false;
    if (std::find(out_.undefined.begin(), out_.undefined.end(), &d) == out_.undefined.end())
      out_.undefined.push_back(&d);
    return true;
  }

  void bit_fields(pres::Declaration& p, const aoi::Bitset& b) {
    if (b.base) bit_fields(p, *b.base);
    for (const auto& f : b.fields) {
      const std::uint32_t at = p.bits.empty() ? 0 : p.bits.back().offset + p.bits.back().width;
      p.bits.push_back({f.name.empty() ? "" : identifier(f.name), bit_field_type(f), at, f.width});
    }
  }

  void structure(pres::Declaration& p, const aoi::Struct& s) {
    if (s.base) structure(p, *s.base);
    members(p, s.fields);
  }

  void members(pres::Declaration& p, const std::vector<aoi::Field>& fields) {
    for (const aoi::Field& f : fields) p.members.push_back({identifier(f.name), type(f.type)});
  }

  void cases(pres::Declaration& p, const aoi::Union& u) {
    p.discriminator = type(u.discriminator);
    const bool boolean = graph_[p.discriminator->message].kind == mint::Kind::Boolean;
    for (const aoi::Union::Case& from : u.cases) {
      pres::Case c;
      for (std::size_t i = 0; i < from.labels.size(); ++i)
        c.labels.push_back(boolean ? fmt::format("{}", from.labels[i])
                                   : label_text(u, from.labels[i], from.label_names[i]));
      c.is_default = from.is_default;
      c.member = {identifier(from.field.name), type(from.field.type)};
      const pres::Type& t = *c.member.type;
      const bool text = t.passing == Passing::String || t.passing == Passing::WString;
      const bool pointer = t.passing == Passing::Reference || t.passing == Passing::ValueType;
      if (t.passing == Passing::Value || text || pointer) c.local = t.holder;
      if (text) c.given = "._retn()";
      if (pointer) c.given = ".in()";
      p.cases.push_back(std::move(c));
    }
  }

  const pres::Interface* interface(const aoi::Interface& i) {
    pres::Interface& p = out_.interfaces.emplace_back();
    p.target = qualified(i);
    p.skeleton = "::" + skel_class(i);
    // What the run time provides is implemented by derived classes, even where its IDL does not say local.
    p.local = i.is_local || provided_by(i);
    p.abstract = i.is_abstract;
    if (!i.complete) return &p;
    for (const aoi::Interface* a : aoi::ancestors(i)) p.ancestors.push_back(declaration(*a)->interface);
    for (const aoi::Operation& op : operations(i)) p.operations.push_back(operation(i, op));
    return &p;
  }

  pres::Operation operation(const aoi::Interface& i, const aoi::Operation& op) {
    pres::Operation p;
    p.name = op.name;
    p.method = method_name(op);
    p.parameters = parameters(op);
    p.result = result_type(op.result);
    p.result_type = type(op.result);
    p.oneway = op.oneway;
    p.contexts = op.contexts;
    p.comments = op.comments;
    for (const aoi::Parameter& a : op.parameters)
      p.arguments.push_back(
          {a.mode, identifier(a.name), a.name, type(a.type), pres::ownership(pres::passing(a.type), a.mode)});
    for (const aoi::Exception* e : op.raises) p.raises.push_back(declaration(*e));
    const std::string name = i.scoped_name + "." + op.name;
    if (i.in_main_file && !i.is_local) {
      p.request = messages_.at(name + " request");
      if (!op.oneway) p.reply = messages_.at(name + " reply");
    }
    return p;
  }

  mint::Graph& graph_;
  pres::Presentation& out_;
  std::map<std::string, mint::Id> messages_;
  std::map<const aoi::Decl*, const pres::Declaration*> declarations_;
  std::map<const aoi::Decl*, const pres::Type*> names_;
  std::map<const aoi::Type*, const pres::Type*> types_;
  std::vector<std::unique_ptr<aoi::Type>> uses_;
};

}  // namespace

pres::Presentation present(const aoi::Contract& contract, mint::Graph& graph) {
  pres::Presentation p;
  Builder builder(graph, p);
  for_each_declaration(contract,
                       [&](const aoi::Decl& d) { p.declarations.push_back(builder.declaration(d)); });
  return p;
}

}  // namespace corbel::idl::cpp
