#include "compiler/aoi/equivalents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace corbel::idl::aoi {
namespace {

using Members = std::vector<Interface::Member>;
using Raises = std::vector<const Exception*>;

// The front end made all nodes, and not as constants.
template <typename Node>
Node& writable(const Node& node) {
  return const_cast<Node&>(node);
}

// "IDL:M/Home:1.0", "Explicit" -> "IDL:M/HomeExplicit:1.0"
std::string with_suffix(const std::string& repository_id, const std::string& suffix) {
  const auto version = repository_id.rfind(':');
  return repository_id.substr(0, version) + suffix + repository_id.substr(version);
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_event(const Decl& d) { return d.kind == Decl::Kind::Value && static_cast<const Value&>(d).is_event; }

bool has_equivalent(const Decl& d) {
  return d.kind == Decl::Kind::Component || d.kind == Decl::Kind::Connector || d.kind == Decl::Kind::Home ||
         d.kind == Decl::Kind::PortType || is_event(d);
}

bool any_equivalent(const std::vector<const Decl*>& all) {
  return std::any_of(all.begin(), all.end(), [](const Decl* d) {
    return d->kind == Decl::Kind::Module ? any_equivalent(static_cast<const Module*>(d)->declarations)
                                         : has_equivalent(*d);
  });
}

// Ports as they are seen from outside: those of a mirrorport look the other way.
Port::Kind mirrored(Port::Kind kind) {
  switch (kind) {
    case Port::Kind::Provides:
      return Port::Kind::Uses;
    case Port::Kind::Uses:
    case Port::Kind::UsesMultiple:
      return Port::Kind::Provides;
    case Port::Kind::Port:
      return Port::Kind::MirrorPort;
    case Port::Kind::MirrorPort:
      return Port::Kind::Port;
    default:
      return kind;
  }
}

class Equivalents {
 public:
  Equivalents(Contract& contract, Diagnostics& diagnostics)
      : contract_(contract), diagnostics_(diagnostics) {}

  void make() {
    index(contract_.declarations);
    rewrite(contract_.declarations);
    redirect(contract_.declarations);
  }

 private:
  // ---- names

  void index(const std::vector<const Decl*>& all) {
    for (const Decl* d : all) {
      if (d->kind == Decl::Kind::Module) index(static_cast<const Module*>(d)->declarations);
      else known_.emplace(lower(d->scoped_name), d);
    }
  }

  // What module Components declares; null if it does not. `where` is what needs it.
  template <typename Node>
  const Node* standard(const char* name, Decl::Kind kind, const Decl& where) {
    const auto at = known_.find(lower(fmt::format("::Components::{}", name)));
    if (at != known_.end() && at->second->kind == kind) return static_cast<const Node*>(at->second);
    if (!lacking_)
      diagnostics_.report(
          Kind::UnknownName, where.span,
          fmt::format("'{}' needs 'Components::{}': #include <Components.idl>", where.name, name));
    lacking_ = true;
    return nullptr;
  }
  const Interface* standard_interface(const char* name, const Decl& where) {
    return standard<Interface>(name, Decl::Kind::Interface, where);
  }
  Raises exceptions(std::initializer_list<const char*> names, const Decl& where) {
    Raises all;
    for (const char* name : names)
      if (const auto* const e = standard<Exception>(name, Decl::Kind::Exception, where)) all.push_back(e);
    return all;
  }
  const Type* cookie(const Decl& where) {
    const auto* const value = standard<Value>("Cookie", Decl::Kind::Value, where);
    return value ? named(*value) : basic(Basic::Void);
  }

  void clash(const Decl& of, Span span, const std::string& name, Span other) {
    diagnostics_.report(Kind::GeneratedClash, other,
                        fmt::format("'{}' is made of '{}', too; rename one", name, of.name),
                        {{span, "declared here"}});
  }

  // ---- nodes

  const Type* basic(Basic kind) {
    auto* const t = contract_.make<Type>();
    t->basic = kind;
    return t;
  }
  const Type* object() {
    auto* const t = contract_.make<Type>();
    t->kind = Type::Kind::Object;
    return t;
  }
  const Type* named(const Decl& d) {
    auto* const t = contract_.make<Type>();
    t->kind = Type::Kind::Named;
    t->decl = &d;
    t->span = d.span;
    return t;
  }
  const Type* port_type(const Port& p) { return p.type ? named(*p.type) : object(); }

  // An interface beside `d`, called as it is and `suffix`. It is complete as soon as its members are known.
  Interface* beside(const Decl& d, const std::string& suffix) {
    auto* const i = contract_.make<Interface>();
    static_cast<Decl&>(*i) = d;
    i->kind = Decl::Kind::Interface;
    if (suffix.empty()) return i;
    i->annotations.clear();
    i->comments.clear();
    i->name += suffix;
    i->scoped_name += suffix;
    i->repository_id = with_suffix(i->repository_id, suffix);
    const auto [at, fresh] = known_.emplace(lower(i->scoped_name), i);
    if (!fresh) clash(d, d.span, i->name, at->second->span);
    return i;
  }

  Operation* operation(Interface& i, const std::string& name, const Type* result,
                       std::vector<Parameter> parameters, Raises raises, Span span) {
    auto* const op = contract_.make<Operation>();
    op->name = name;
    op->result = result;
    op->parameters = std::move(parameters);
    op->raises = std::move(raises);
    op->span = span;
    i.members.emplace_back(op);
    return op;
  }
  Parameter parameter(const std::string& name, const Type* type) {
    Parameter p;
    p.name = name;
    p.type = type;
    return p;
  }

  // ---- components and connectors

  // Whether `d` is only declared here; then its interface is, too.
  template <typename D>
  bool first_of_two(const D& d, Interface& i) {
    i.forward_declared = d.forward_declared;
    return !d.complete || (d.forward_declared && forwarded_.insert(&d).second);
  }

  Interface* interface_of(const Decl& d) {
    Interface*& i = made_[&d];
    if (!i) i = beside(d, "");
    return i;
  }

  void component(const Component& c) {
    Interface& i = *interface_of(c);
    if (first_of_two(c, i)) return;
    i.complete = true;
    i.type_code = c.kind == Decl::Kind::Component ? Interface::TypeCode::Component : i.type_code;
    if (c.base) i.bases.push_back(interface_of(*c.base));
    else if (const auto* const base = standard_interface("CCMObject", c)) i.bases.push_back(base);
    i.bases.insert(i.bases.end(), c.supports.begin(), c.supports.end());
    for (const Port& p : c.ports) port(i, c, p, "", false);
    for (const Attribute* a : c.attributes) i.members.emplace_back(a);
    check_members(i, c);
  }

  // A port of the component; `prefix` stands before those of extended ports.
  void port(Interface& i, const Component& c, const Port& p, const std::string& prefix, bool mirror) {
    const Port::Kind kind = mirror ? mirrored(p.kind) : p.kind;
    const std::string name = prefix + p.name;
    const std::size_t first = i.members.size();
    switch (kind) {
      case Port::Kind::Port:
      case Port::Kind::MirrorPort:
        extended(i, c, static_cast<const Component&>(*p.type), name, kind == Port::Kind::MirrorPort);
        break;
      case Port::Kind::Provides:
        if (travels(p)) operation(i, "provide_" + name, port_type(p), {}, {}, p.span);
        break;
      case Port::Kind::Uses:
        if (travels(p)) receptacle(i, c, p, name);
        break;
      case Port::Kind::UsesMultiple:
        if (travels(p)) receptacles(i, c, p, name);
        break;
      case Port::Kind::Emits:
        operation(i, "connect_" + name, basic(Basic::Void), {parameter("consumer", consumer_type(p))},
                  exceptions({"AlreadyConnected"}, c), p.span);
        operation(i, "disconnect_" + name, consumer_type(p), {}, exceptions({"NoConnection"}, c), p.span);
        break;
      case Port::Kind::Publishes:
        operation(i, "subscribe_" + name, cookie(c), {parameter("consumer", consumer_type(p))},
                  exceptions({"ExceededConnectionLimit"}, c), p.span);
        operation(i, "unsubscribe_" + name, consumer_type(p), {parameter("ck", cookie(c))},
                  exceptions({"InvalidConnection"}, c), p.span);
        break;
      case Port::Kind::Consumes:
        operation(i, "get_consumer_" + name, consumer_type(p), {}, {}, p.span);
        break;
    }
    if (first == i.members.size()) return;
    if (const auto* const* const op = std::get_if<const Operation*>(&i.members[first]))
      writable(**op).comments = p.comments;
  }

  // No operation of a component can give or take what never leaves its program: such ports are the
  // container's.
  static bool travels(const Port& p) { return !p.type || !static_cast<const Interface&>(*p.type).is_local; }

  void extended(Interface& i, const Component& c, const Component& type, const std::string& name,
                bool mirror) {
    if (too_many(c, type)) return;
    ++depth_;
    if (type.base) extended(i, c, *type.base, name, mirror);
    for (const Port& p : type.ports) port(i, c, p, name + "_", mirror);
    for (const Attribute* a : type.attributes) {
      auto* const own = contract_.make<Attribute>(*a);
      own->name = name + "_" + a->name;
      i.members.emplace_back(own);
    }
    --depth_;
  }

  // Port types inside of each other multiply, and one in itself never ends.
  bool too_many(const Component& c, const Component& type) {
    const bool reported = ports_ > kMostPorts;
    if (depth_ == kDeepest) ports_ = kMostPorts;
    if (!reported) ports_ += 1 + type.ports.size() + type.attributes.size();
    if (ports_ <= kMostPorts) return false;
    if (!reported)
      diagnostics_.report(
          Kind::NestingTooDeep, c.span,
          fmt::format("'{}' has too many ports inside of port types: more than {} in a contract, "
                      "or more than {} inside of each other",
                      c.name, kMostPorts, kDeepest));
    return true;
  }

  void receptacle(Interface& i, const Decl& c, const Port& p, const std::string& name) {
    operation(i, "connect_" + name, basic(Basic::Void), {parameter("conxn", port_type(p))},
              exceptions({"AlreadyConnected", "InvalidConnection"}, c), p.span);
    operation(i, "disconnect_" + name, port_type(p), {}, exceptions({"NoConnection"}, c), p.span);
    operation(i, "get_connection_" + name, port_type(p), {}, {}, p.span);
  }

  void receptacles(Interface& i, const Decl& c, const Port& p, const std::string& name) {
    auto* const connection = contract_.make<Struct>();
    inside(*connection, i, name + "Connection", p);
    connection->fields.resize(2);
    connection->fields[0].name = "objref";
    connection->fields[0].type = port_type(p);
    connection->fields[1].name = "ck";
    connection->fields[1].type = cookie(c);
    for (Field& f : connection->fields) f.span = p.span;
    connection->complete = true;
    auto* const all = contract_.make<Typedef>();
    inside(*all, i, name + "Connections", p);
    auto* const sequence = contract_.make<Type>();
    sequence->kind = Type::Kind::Sequence;
    sequence->element = named(*connection);
    sequence->span = p.span;
    all->type = sequence;
    operation(i, "connect_" + name, cookie(c), {parameter("connection", port_type(p))},
              exceptions({"ExceededConnectionLimit", "InvalidConnection"}, c), p.span);
    operation(i, "disconnect_" + name, port_type(p), {parameter("ck", cookie(c))},
              exceptions({"InvalidConnection"}, c), p.span);
    operation(i, "get_connections_" + name, named(*all), {}, {}, p.span);
  }

  // A type that the interface declares.
  void inside(Decl& d, Interface& i, const std::string& name, const Port& p) {
    d.name = name;
    d.scoped_name = i.scoped_name + "::" + name;
    d.repository_id = with_suffix(i.repository_id, "/" + name);
    d.scope = &i;
    d.span = p.span;
    d.in_main_file = i.in_main_file;
    i.members.emplace_back(&d);
  }

  // ---- eventtypes

  Interface* consumer(const Decl& event) {
    Interface*& i = made_[&event];
    if (!i) i = beside(event, "Consumer");
    return i;
  }
  const Type* consumer_type(const Port& p) { return named(*consumer(*p.type)); }

  bool is_event_base(const Value& v) {
    const auto [at, fresh] = event_bases_.emplace(&v, v.scoped_name == "::Components::EventBase");
    if (!fresh || at->second) return at->second;
    const bool found =
        std::any_of(v.bases.begin(), v.bases.end(), [this](const Value* b) { return is_event_base(*b); });
    return event_bases_[&v] = found;
  }

  void event(Value& v) {
    Interface& i = *consumer(v);
    if (first_of_two(v, i)) return;
    i.complete = true;
    if (!is_event_base(v))
      if (const auto* const base = standard<Value>("EventBase", Decl::Kind::Value, v)) {
        v.bases.push_back(base);
        event_bases_[&v] = true;
      }
    for (const Value* b : v.bases)
      if (b->is_event) i.bases.push_back(consumer(*b));
    if (i.bases.empty())
      if (const auto* const base = standard_interface("EventConsumerBase", v)) i.bases.push_back(base);
    operation(i, "push_" + v.name, basic(Basic::Void), {parameter("the_" + v.name, named(v))}, {}, v.span);
  }

  // ---- homes

  struct HomeInterfaces {
    Interface *explicit_part, *implicit_part, *whole;
  };

  const Interface* explicit_part(const Home& h) {
    const auto at = homes_.find(&h);
    return at == homes_.end() ? nullptr : at->second.explicit_part;
  }

  void home(const Home& h) {
    const HomeInterfaces made{beside(h, "Explicit"), beside(h, "Implicit"), interface_of(h)};
    if (!h.manages) return;
    homes_.emplace(&h, made);
    made.explicit_part->comments = {"What the home declares itself."};
    made.implicit_part->comments = {"What every home has."};
    explicit_operations(*made.explicit_part, h);
    if (h.primary_key) keyed_operations(*made.implicit_part, h);
    else keyless_operations(*made.implicit_part, h);
    made.whole->bases = {made.explicit_part, made.implicit_part};
    made.whole->type_code = Interface::TypeCode::Home;
    for (Interface* i : {made.explicit_part, made.implicit_part, made.whole}) {
      i->complete = true;
      check_members(*i, h);
    }
  }

  void explicit_operations(Interface& i, const Home& h) {
    if (h.base) {
      if (const auto* const base = explicit_part(*h.base)) i.bases.push_back(base);
    } else if (const auto* const base = standard_interface("CCMHome", h)) {
      i.bases.push_back(base);
    }
    i.bases.insert(i.bases.end(), h.supports.begin(), h.supports.end());
    i.members = h.members;
    for (const Interface::Member& m : h.members)
      if (const auto* const* const d = std::get_if<const Decl*>(&m)) move_inside(writable(**d), h, i);
    for (const Home::Maker& m : h.makers) {
      Raises raises = exceptions({m.is_finder ? "FinderFailure" : "CreateFailure"}, h);
      for (const Exception* e : m.raises)
        if (std::find(raises.begin(), raises.end(), e) == raises.end()) raises.push_back(e);
      Operation* const op = operation(i, m.name, named(*h.manages), m.parameters, std::move(raises), m.span);
      op->comments = m.comments;
    }
  }

  void keyless_operations(Interface& i, const Home& h) {
    if (const auto* const base = standard_interface("KeylessCCMHome", h)) i.bases.push_back(base);
    operation(i, "create", named(*h.manages), {}, exceptions({"CreateFailure"}, h), h.span);
  }

  void keyed_operations(Interface& i, const Home& h) {
    const auto key = [&] { return parameter("key", named(*h.primary_key)); };
    operation(i, "create", named(*h.manages), {key()},
              exceptions({"CreateFailure", "DuplicateKeyValue", "InvalidKey"}, h), h.span);
    operation(i, "find_by_primary_key", named(*h.manages), {key()},
              exceptions({"FinderFailure", "UnknownKeyValue", "InvalidKey"}, h), h.span);
    operation(i, "remove", basic(Basic::Void), {key()},
              exceptions({"RemoveFailure", "UnknownKeyValue", "InvalidKey"}, h), h.span);
    operation(i, "get_primary_key", named(*h.primary_key), {parameter("comp", named(*h.manages))}, {},
              h.span);
  }

  // A declaration in a home, and what is declared in it, become the explicit interface's.
  void move_inside(Decl& d, const Home& from, const Interface& to) {
    if (d.scope == &from) d.scope = &to;
    d.scoped_name.replace(0, from.scoped_name.size(), to.scoped_name);
    const auto id = [](const Decl& of) { return of.repository_id.substr(0, of.repository_id.rfind(':')); };
    if (d.repository_id.starts_with(id(from) + "/")) d.repository_id.replace(0, id(from).size(), id(to));
    const auto nested = [&](const std::vector<const Decl*>& all) {
      for (const Decl* n : all) move_inside(writable(*n), from, to);
    };
    if (d.kind == Decl::Kind::Struct) nested(static_cast<const Struct&>(d).nested);
    if (d.kind == Decl::Kind::Union) nested(static_cast<const Union&>(d).nested);
    if (d.kind == Decl::Kind::Exception) nested(static_cast<const Exception&>(d).nested);
  }

  // ---- all

  // Operations that are made must not be called as others, inherited ones included.
  void check_members(const Interface& i, const Decl& of) {
    std::map<std::string, Span> seen;
    const auto add = [&](const auto& member) {
      const auto [at, fresh] = seen.emplace(lower(member.name), member.span);
      if (!fresh) clash(of, at->second, member.name, member.span);
    };
    for (const Interface* a : ancestors(i))
      for (const Interface::Member& m : a->members) {
        if (const auto* const* const op = std::get_if<const Operation*>(&m)) add(**op);
        if (const auto* const* const attribute = std::get_if<const Attribute*>(&m)) add(**attribute);
      }
    for (const Interface::Member& m : i.members) std::visit([&](const auto* member) { add(*member); }, m);
  }

  void rewrite(std::vector<const Decl*>& all) {
    std::vector<const Decl*> out;
    for (const Decl* d : all) {
      switch (d->kind) {
        case Decl::Kind::Module:
          rewrite(writable(static_cast<const Module&>(*d)).declarations);
          out.push_back(d);
          break;
        case Decl::Kind::PortType:
          break;
        case Decl::Kind::Component:
        case Decl::Kind::Connector:
          component(static_cast<const Component&>(*d));
          out.push_back(interface_of(*d));
          break;
        case Decl::Kind::Home:
          home(static_cast<const Home&>(*d));
          if (const auto at = homes_.find(d); at != homes_.end())
            out.insert(out.end(), {at->second.explicit_part, at->second.implicit_part, at->second.whole});
          break;
        default:
          out.push_back(d);
          if (!is_event(*d)) break;
          event(writable(static_cast<const Value&>(*d)));
          out.push_back(consumer(*d));
          break;
      }
    }
    all = std::move(out);
  }

  // Uses of components become uses of their interfaces.
  void redirect(const std::vector<const Decl*>& all) {
    for (const Decl* d : all) {
      if (!redirected_.insert(d).second) continue;
      for_each_type(*d, [this](const Type& t) {
        if (!t.decl || is_event(*t.decl)) return;
        if (const auto at = made_.find(t.decl); at != made_.end()) writable(t).decl = at->second;
      });
      if (d->kind == Decl::Kind::Module) redirect(static_cast<const Module*>(d)->declarations);
      if (d->kind == Decl::Kind::Struct) redirect(static_cast<const Struct*>(d)->nested);
      if (d->kind == Decl::Kind::Union) redirect(static_cast<const Union*>(d)->nested);
      if (d->kind == Decl::Kind::Exception) redirect(static_cast<const Exception*>(d)->nested);
      if (d->kind == Decl::Kind::Interface) redirect(declared(static_cast<const Interface*>(d)->members));
      if (d->kind == Decl::Kind::Value) redirect(declared(static_cast<const Value*>(d)->members));
    }
  }
  template <typename Member>
  static std::vector<const Decl*> declared(const std::vector<Member>& members) {
    std::vector<const Decl*> all;
    for (const Member& m : members)
      if (const auto* const* const d = std::get_if<const Decl*>(&m)) all.push_back(*d);
    return all;
  }

  Contract& contract_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, const Decl*> known_;  // by scoped name in lower case
  static constexpr std::size_t kMostPorts = 5000;
  static constexpr int kDeepest = 100;
  std::size_t ports_ = 0;                             // that stand in port types
  int depth_ = 0;                                     // of port types in port types
  bool lacking_ = false;                              // something of module Components; reported once
  std::unordered_map<const Decl*, Interface*> made_;  // of an eventtype: its consumers' interface
  std::unordered_map<const Value*, bool> event_bases_;
  std::map<const Decl*, HomeInterfaces> homes_;
  std::set<const Decl*> forwarded_, redirected_;
};

}  // namespace

void make_equivalents(Contract& contract, Diagnostics& diagnostics) {
  if (any_equivalent(contract.declarations)) Equivalents(contract, diagnostics).make();
}

}  // namespace corbel::idl::aoi
