#include "compiler/presentations/cpp/value_class.h"

#include <algorithm>
#include <set>
#include <vector>

#include "compiler/presentations/cpp/names.h"

namespace corbel::idl::cpp {
namespace {

using aoi::Value;
using pres::Passing;

std::vector<const Value::State*> state(const Value& v) {
  std::vector<const Value::State*> all;
  for (const auto& m : v.members)
    if (const auto* const* s = std::get_if<const Value::State*>(&m)) all.push_back(*s);
  return all;
}

std::vector<const Value::Factory*> factories(const Value& v) {
  std::vector<const Value::Factory*> all;
  for (const auto& m : v.members)
    if (const auto* const* f = std::get_if<const Value::Factory*>(&m)) all.push_back(*f);
  return all;
}

// Own operations and attributes, and those of supported interfaces: no class of ours implements them.
std::vector<aoi::Operation> value_operations(const Value& v) {
  aoi::Interface own;
  for (const auto& m : v.members) {
    if (const auto* const* o = std::get_if<const aoi::Operation*>(&m)) own.members.emplace_back(*o);
    if (const auto* const* a = std::get_if<const aoi::Attribute*>(&m)) own.members.emplace_back(*a);
  }
  std::vector<aoi::Operation> all = operations(own);
  const auto add = [&all](const aoi::Interface& i) {
    for (aoi::Operation& op : operations(i)) all.push_back(std::move(op));
  };
  for (const aoi::Interface* i : v.supports) {
    for (const aoi::Interface* a : aoi::ancestors(*i)) add(*a);
    add(*i);
  }
  return all;
}

// Its bases, theirs, and so on, each one once: there may be many ways to one.
void add_bases(const Value& v, std::set<const Value*>& bases) {
  for (const Value* b : v.bases)
    if (bases.insert(b).second) add_bases(*b, bases);
}

// Which are declared by classes of values that its own derives from.
std::set<std::string> operations_of_bases(const Value& v) {
  std::set<const Value*> bases;
  add_bases(v, bases);
  std::set<std::string> names;
  for (const Value* b : bases)
    for (const aoi::Operation& op : value_operations(*b)) names.insert(op.name);
  return names;
}

bool has_operations(const Value& v) {
  std::set<const Value*> bases{&v};
  add_bases(v, bases);
  return std::any_of(bases.begin(), bases.end(),
                     [](const Value* b) { return !value_operations(*b).empty(); });
}

// The application needs to add nothing: objects of the state class can be made.
bool is_complete_class(const Value& v) { return !v.is_abstract && !v.is_custom && !has_operations(v); }

const Value* concrete_base(const Value& v) {
  return v.bases.empty() || v.bases[0]->is_abstract ? nullptr : v.bases[0];
}

// Whether objects of an abstract interface may be values of the type.
bool supports_abstract(const Value& v) {
  std::set<const Value*> bases{&v};
  add_bases(v, bases);
  return std::any_of(bases.begin(), bases.end(), [](const Value* b) {
    return std::any_of(b->supports.begin(), b->supports.end(), [](const auto* i) { return is_abstract(*i); });
  });
}

// "OBV_M::V": the prefix stands before the outermost name.
std::string state_class(const Value& v) { return "OBV_" + qualified(v).substr(2); }

// The type of a member as its accessors give and take it.
struct Access {
  std::string type;                  // as it is stored
  std::vector<std::string> takes;    // parameter types of modifiers
  std::string gives, gives_mutable;  // results of the accessors; the second may be empty
};

Access access(const aoi::Field& f) {
  Access a;
  a.type = f.type->kind == aoi::Type::Kind::Sequence || f.type->kind == aoi::Type::Kind::Array
               ? fmt::format("_{}_{}", f.name, f.type->kind == aoi::Type::Kind::Array ? "array" : "seq")
               : stored_type(f.type);
  switch (pres::passing(f.type)) {
    case Passing::Value:
      a.takes = {a.type}, a.gives = a.type;
      break;
    case Passing::String:
      a.takes = {"char*", "const char*", "const CORBA::String_var&"}, a.gives = "const char*";
      break;
    case Passing::WString:
      a.takes = {"CORBA::WChar*", "const CORBA::WChar*", "const CORBA::WString_var&"};
      a.gives = "const CORBA::WChar*";
      break;
    case Passing::Reference:
      a.takes = {interface_name(f.type) + "_ptr"}, a.gives = a.takes[0];
      break;
    case Passing::ValueType:
      a.takes = {interface_name(f.type) + "*"}, a.gives = a.takes[0];
      break;
    default:
      a.takes = {"const " + a.type + "&"}, a.gives = a.takes[0], a.gives_mutable = a.type + "&";
      break;
  }
  return a;
}

// Modifiers and accessors: those of the class of values, those of the class that holds the member, and those
// of a box of a struct.
enum class Accessors { Pure, Override, OfBox };
void accessors(Writer& w, const aoi::Field& f, Accessors kind, const Access& a) {
  const std::string n = identifier(f.name);
  const std::string m = kind == Accessors::OfBox ? "_value()." + n : pres::state_name(f.name);
  const auto print = [&](const std::string& signature, const std::string& body) {
    if (kind == Accessors::Pure) w.line("virtual {} = 0;", signature);
    else w.function(signature + (kind == Accessors::Override ? " override" : ""), body);
  };
  const Passing how = pres::passing(f.type);
  const bool array = how == Passing::FixedArray || how == Passing::VariableArray;
  for (const std::string& t : a.takes) {
    const std::string counted =
        how == Passing::Reference || how == Passing::ValueType ? "corbel::cpp::duplicate(value)" : "value";
    print(fmt::format("void {}({} value)", n, t),
          array ? fmt::format("corbel::cpp::copy_element({}, value);", m)
                : fmt::format("{} = {};", m, counted));
  }
  const bool held = how == Passing::String || how == Passing::WString || how == Passing::Reference ||
                    how == Passing::ValueType;
  print(fmt::format("{} {}() const", a.gives, n), fmt::format("return {}{};", m, held ? ".in()" : ""));
  if (!a.gives_mutable.empty())
    print(fmt::format("{} {}()", a.gives_mutable, n), fmt::format("return {};", m));
}

void state_class(Writer& w, const Value& v, const std::string& exported) {
  const std::string n = v.scope ? identifier(v.name) : "OBV_" + v.name;
  const Value* const base = concrete_base(v);
  const bool complete = is_complete_class(v);
  w.line("class {}{} : public virtual {}{}{} {{", exported, n, qualified(v),
         base ? ", public virtual ::" + state_class(*base) : "",
         complete ? ", public virtual CORBA::DefaultValueRefCountBase" : "");
  w.line(" public:");
  w.indent();
  for (const Value::State* s : state(v))
    if (s->is_public) accessors(w, s->field, Accessors::Override, access(s->field));
  w.line("void _corbel_put_state(corbel::cdr::Encoder& out) const override;");
  w.line("bool _corbel_get_state(corbel::cdr::Decoder& in) override;");
  w.line("void _corbel_clear() override;");
  if (complete) w.line("CORBA::ValueBase* _corbel_new() const override;");
  w.line("");
  w.outdent();
  w.line(complete ? " public:" : " protected:");
  w.indent();
  w.line("{}() = default;", n);
  // All of the state at once, the base's first.
  std::vector<const Value::State*> all = state(v);
  for (const Value* b = base; b; b = concrete_base(*b)) {
    const auto more = state(*b);
    all.insert(all.begin(), more.begin(), more.end());
  }
  if (!all.empty()) {
    std::string parameters;
    for (const Value::State* s : all) {
      const Access a = access(s->field);
      const std::string t = a.takes.size() > 1 ? a.takes[1] : a.takes[0];
      parameters += fmt::format("{}{} {}_", parameters.empty() ? "" : ", ", t, s->field.name);
    }
    w.open("{}{}({}) {{", all.size() == 1 ? "explicit " : "", n, parameters);
    for (const Value::State* s : all) w.line("this->{}({}_);", identifier(s->field.name), s->field.name);
    w.close();
  }
  w.outdent();
  w.line("");
  w.line(" protected:");
  w.indent();
  w.line("~{}() override = default;", n);
  for (const Value::State* s : state(v))
    if (!s->is_public) accessors(w, s->field, Accessors::Override, access(s->field));
  w.outdent();
  w.line("");
  w.line(" private:");
  w.indent();
  for (const Value::State* s : state(v))
    w.line("{} {}{{}};", access(s->field).type, pres::state_name(s->field.name));
  w.outdent();
  w.line("}};\n");
}

void factory_class(Writer& w, const Value& v, const std::string& exported) {
  const std::string n = v.name + "_init", q = qualified(v);
  w.line("class {}{} : public CORBA::ValueFactoryBase {{", exported, n);
  w.line(" public:");
  w.indent();
  w.line("static {0}* _downcast(CORBA::ValueFactoryBase* factory) {{ return dynamic_cast<{0}*>(factory); }}",
         n);
  for (const Value::Factory* f : factories(v)) {
    aoi::Operation op;
    op.parameters = f->parameters;
    w.comments(f->comments);
    w.line("virtual {}* {}({}) = 0;", q, identifier(f->name), parameters(op));
  }
  w.outdent();
  w.line("");
  w.line(factories(v).empty() ? " public:" : " protected:");
  w.line("  {}() = default;", n);
  if (is_complete_class(v)) {
    w.line("");
    w.line(" protected:");
    w.line("  CORBA::ValueBase* create_for_unmarshal() override;");
  }
  w.line("}};");
}

// Opens the namespaces of a declaration, the first one with `prefix`, and gives what closes them.
std::string open_namespaces(Writer& w, const aoi::Decl& d, const std::string& prefix) {
  std::string q = qualified(d).substr(2);
  const auto last = q.rfind("::");
  if (last == q.npos) return {};
  w.line("namespace {}{} {{\n", prefix, q.substr(0, last));
  return fmt::format("}}  // namespace {}{}\n", prefix, q.substr(0, last));
}

// How the library holds what is boxed, which is of type `type`.
std::string box_class(const aoi::ValueBox& b, const std::string& n, const std::string& type) {
  const Passing how = pres::passing(b.type);
  switch (how) {
    case Passing::Value:
      return fmt::format("BasicBox<{}, {}>", n, type);
    case Passing::Reference:
      return fmt::format("ReferenceBox<{}, {}>", n, interface_name(b.type));
    case Passing::String:
      return fmt::format("StringBox<{}>", n);
    case Passing::WString:
      return fmt::format("WStringBox<{}>", n);
    case Passing::Sequence:
      return fmt::format("SequenceBox<{}, {}>", n, type);
    case Passing::FixedArray:
    case Passing::VariableArray:
      return fmt::format("ArrayBox<{}, {}_traits, {}>", n, type, how == Passing::VariableArray);
    default:
      return fmt::format("AggregateBox<{}, {}, {}>", n, type, how == Passing::VariableStruct);
  }
}

// Those of a struct or union are used as if they were the box's.
void boxed_members(Writer& w, const aoi::ValueBox& b) {
  const aoi::Type* const behind = aoi::resolve(b.type);
  if (behind->kind != aoi::Type::Kind::Named) return;
  if (behind->decl->kind == aoi::Decl::Kind::Struct) {
    std::vector<const aoi::Struct*> bases;
    for (auto* s = static_cast<const aoi::Struct*>(behind->decl); s; s = s->base)
      bases.insert(bases.begin(), s);
    for (const aoi::Struct* s : bases)
      for (const aoi::Field& f : s->fields) {
        Access a = access(f);
        const std::string type = fmt::format("decltype({}::{})", qualified(*s), identifier(f.name));
        if (!a.gives_mutable.empty())
          a.takes = {"const " + type + "&"}, a.gives = a.takes[0], a.gives_mutable = type + "&";
        accessors(w, f, Accessors::OfBox, a);
      }
  }
  if (behind->decl->kind != aoi::Decl::Kind::Union) return;
  const auto member = [&](const std::string& m) {
    w.line("decltype(auto) {0}() const {{ return _value().{0}(); }}", m);
    w.line("decltype(auto) {0}() {{ return _value().{0}(); }}", m);
    w.line("template <typename _corbel_t>");
    w.function(fmt::format("void {}(_corbel_t&& value)", m),
               fmt::format("_value().{}(static_cast<_corbel_t&&>(value));", m));
  };
  const auto& u = static_cast<const aoi::Union&>(*behind->decl);
  member("_d");
  if (u.implicit_default) w.line("void _default() {{ _value()._default(); }}");
  for (const auto& c : u.cases) member(identifier(c.field.name));
}

}  // namespace

void print_value_types(Writer& w, const std::string& n) {
  w.line("class {};", n);
  w.line("typedef corbel::cpp::ValueVar<{0}> {0}_var;", n);
  w.line("typedef corbel::cpp::ValueOut<{0}> {0}_out;", n);
}

void print_value_class(Writer& w, const Value& v, const std::string& exported,
                       const std::function<void(const aoi::Decl&)>& nested) {
  const std::string n = identifier(v.name);
  std::string bases;
  for (const Value* b : v.bases) bases += (bases.empty() ? "" : ", ") + ("public virtual " + qualified(*b));
  if (bases.empty()) bases = "public virtual CORBA::ValueBase";
  if (v.is_custom) bases += ", public virtual CORBA::CustomMarshal";
  std::vector<const aoi::Interface*> abstract;
  for (const aoi::Interface* i : v.supports) {
    std::vector<const aoi::Interface*> all = aoi::ancestors(*i);
    all.push_back(i);
    for (const aoi::Interface* a : all)
      if (a->is_abstract && std::find(abstract.begin(), abstract.end(), a) == abstract.end())
        abstract.push_back(a);
  }
  for (const aoi::Interface* a : abstract) bases += ", public virtual " + qualified(*a);
  w.line("class {}{} : {} {{", exported, n, bases);
  w.line(" public:");
  w.indent();
  w.line("typedef {}* _ptr_type;", n);
  w.line("typedef {}_var _var_type;", n);
  const Value* const base = concrete_base(v);
  const std::string base_type = base ? "&" + qualified(*base) + "::_corbel_value_type" : "nullptr";
  w.line("static constexpr corbel::cpp::ValueType _corbel_value_type{{{}, {}, {}{}}};",
         quoted(v.repository_id), v.is_truncatable ? base_type : "nullptr", v.is_custom,
         base && !v.is_truncatable ? ", " + base_type : "");
  w.line("static const corbel::cpp::ValueType* _corbel_expected() {{ return &_corbel_value_type; }}");
  w.line("static CORBA::ValueBase* (*_corbel_maker())() {{ return nullptr; }}");
  w.line("static {}* _downcast(CORBA::ValueBase* value);", n);
  w.line("static {}* _duplicate({}* value);", n, n);
  for (const auto& m : v.members)
    if (const auto* const* d = std::get_if<const aoi::Decl*>(&m)) nested(**d);
  for (const Value::State* s : state(v)) {
    const aoi::Field& f = s->field;
    if (f.type->kind == aoi::Type::Kind::Sequence)
      w.line("typedef {} _{}_seq;", sequence_class(f.type), f.name);
    if (f.type->kind == aoi::Type::Kind::Array)
      w.line("typedef {} _{}_array{};", stored_type(f.type), f.name, dimensions(f.type));
  }
  w.line("");
  for (const Value::State* s : state(v)) {
    if (!s->is_public) continue;
    w.comments(s->field.comments);
    accessors(w, s->field, Accessors::Pure, access(s->field));
  }
  std::set<std::string> inherited;
  for (const aoi::Interface* a : abstract)
    for (const aoi::Operation& op : operations(*a)) inherited.insert(op.name);
  const std::set<std::string> in_bases = operations_of_bases(v);
  for (const aoi::Operation& op : value_operations(v)) {
    w.comments(op.comments);
    w.line("virtual {} {}({}){} = 0;", result_type(op.result), method_name(op), parameters(op),
           in_bases.count(op.name) != 0 ? " override" : "");
    if (inherited.count(op.name) == 0) continue;
    w.function(fmt::format("{} {}({}) override", result_type(op.result), pres::virtual_name(method_name(op)),
                           parameters(op)),
               fmt::format("return {}({});", method_name(op), argument_names(op)));
  }
  w.line("const corbel::cpp::ValueType& _corbel_type() const override {{ return _corbel_value_type; }}");
  if (supports_abstract(v)) {
    w.line("static {0}* _downcast(CORBA::AbstractBase_ptr object) {{ return dynamic_cast<{0}*>(object); }}",
           n);
    w.line("void _corbel_add_ref() override {{ _add_ref(); }}");
    w.line("void _corbel_remove_ref() override {{ _remove_ref(); }}");
    w.line("CORBA::ValueBase* _corbel_to_value() override {{ return this; }}");
  }
  w.line("");
  w.outdent();
  w.line(" protected:");
  w.indent();
  w.line("{}() = default;", n);
  w.line("~{}() override = default;", n);
  for (const Value::State* s : state(v))
    if (!s->is_public) accessors(w, s->field, Accessors::Pure, access(s->field));
  w.outdent();
  w.line("}};");
}

void print_value_box(Writer& w, const aoi::ValueBox& b, const std::string& exported) {
  const std::string n = identifier(b.name);
  print_value_types(w, n);
  std::string type = stored_type(b.type);
  if (b.type->kind == aoi::Type::Kind::Sequence) {
    w.line("typedef {} _{}_boxed;", type, b.name);
    type = "_" + b.name + "_boxed";
  }
  const std::string base = "corbel::cpp::" + box_class(b, n, type);
  w.line("class {}{} : public {} {{", exported, n, base);
  w.line("  typedef {} _corbel_box;", base);
  w.line("");
  w.line(" public:");
  w.indent();
  w.line("using _corbel_box::_corbel_box;");
  w.line("using _corbel_box::operator=;");
  w.line("static constexpr corbel::cpp::ValueType _corbel_value_type{{{}, nullptr, false}};",
         quoted(b.repository_id));
  boxed_members(w, b);
  w.line("void _corbel_put_state(corbel::cdr::Encoder& out) const override;");
  w.line("bool _corbel_get_state(corbel::cdr::Decoder& in) override;");
  w.outdent();
  w.line("");
  w.line(" protected:");
  w.line("  ~{}() override = default;", n);
  w.line("}};");
}

void print_value_state_classes(Writer& w, const pres::Presentation& presentation,
                               const std::string& exported) {
  for (const pres::Declaration* p : presentation.declarations) {
    if (p->decl->kind != aoi::Decl::Kind::Value) continue;
    const auto& v = static_cast<const Value&>(*p->decl);
    if (v.is_abstract || !v.complete) continue;
    std::string close = open_namespaces(w, v, "OBV_");
    state_class(w, v, exported);
    if (!close.empty()) w.line(close);
    close = open_namespaces(w, v, "");
    factory_class(w, v, exported);
    w.line("");
    if (!close.empty()) w.line(close);
  }
}

void print_value_members(Writer& w, const Value& v) {
  const std::string full = qualified(v), q = full.substr(2);
  w.function(fmt::format("{}* {}::_downcast(CORBA::ValueBase* value)", full, q),
             fmt::format("return dynamic_cast<{}*>(value);", full));
  w.line("");
  w.function(fmt::format("{0}* {1}::_duplicate({0}* value)", full, q),
             "return CORBA::add_ref(value), value;");
  w.line("");
  w.line("template {0}* corbel::cpp::ObjectTraits<{0}>::duplicate({0}*);", full);
  w.line("template void corbel::cpp::ObjectTraits<{0}>::drop({0}*);", full);
  w.line("template struct corbel::cpp::ValueTraits<{}>;\n", full);
  if (v.is_abstract) return;
  const std::string s = state_class(v);
  w.open("void {}::_corbel_clear() {{", s);
  if (const Value* const base = concrete_base(v)) w.line("{}::_corbel_clear();", state_class(*base));
  for (const Value::State* m : state(v)) {
    const Passing how = pres::passing(m->field.type);
    if (!pres::is_variable(m->field.type)) continue;
    const std::string place = pres::state_name(m->field.name);
    if (how == Passing::VariableArray) w.line("corbel::cpp::clear_elements({});", place);
    else w.line("{} = {}();", place, access(m->field).type);
  }
  w.close("}\n");
  if (!is_complete_class(v)) return;
  w.function(fmt::format("CORBA::ValueBase* {}::_corbel_new() const", s), fmt::format("return new {};", s));
  w.line("");
  const std::string init = q.substr(0, q.rfind("::") == q.npos ? 0 : q.rfind("::") + 2) + v.name + "_init";
  w.function(fmt::format("CORBA::ValueBase* {}::create_for_unmarshal()", init),
             fmt::format("return new {};", s));
  w.line("");
}

}  // namespace corbel::idl::cpp
