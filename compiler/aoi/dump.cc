#include "compiler/aoi/dump.h"

#include <fmt/format.h>

#include <set>

namespace corbel::idl::aoi {
namespace {

constexpr std::string_view kBasics[] = {
    "void",           "boolean", "octet",         "char",      "short",
    "unsigned short", "long",    "unsigned long", "long long", "unsigned long long",
    "float",          "double",  "long double",   "wchar",     "int8",
    "uint8"};
constexpr std::string_view kModes[] = {"in", "out", "inout"};
constexpr std::string_view kPorts[] = {"provides",  "uses",     "uses multiple", "emits",
                                       "publishes", "consumes", "port",          "mirrorport"};

std::string quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') out += '\\', out += c;
    else if (u < 0x20 || u >= 0x7f) fmt::format_to(std::back_inserter(out), "\\{:03o}", u);
    else out += c;
  }
  return out + quote;
}

// A wide literal.
std::string quoted(const std::u32string& text, char quote) {
  std::string out{'L', quote};
  for (const char32_t c : text) {
    if (c == static_cast<char32_t>(quote) || c == '\\') out += '\\', out += static_cast<char>(c);
    else if (c < 0x20 || c >= 0x7f)
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(c));
    else out += static_cast<char>(c);
  }
  return out + quote;
}

std::string type_text(const Type* type) { return type ? to_string(*type) : "?"; }

class Dumper {
 public:
  explicit Dumper(bool included) : included_(included) {}
  std::string run(const Contract& contract) {
    line("contract \"{}\"", contract.main_file);
    ++depth_;
    for (const std::string& i : contract.direct_includes) line("include \"{}\"", i);
    for (const Decl* d : contract.declarations) declaration(*d);
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(static_cast<std::size_t>(depth_) * 2, ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }
  void comments(const std::vector<std::string>& lines) {
    for (const std::string& c : lines) line("//{}{}", c.empty() ? "" : " ", c);
  }
  void annotations(const std::vector<Annotation>& all) {
    for (const Annotation& a : all) {
      std::string arguments;
      for (const Annotation::Argument& v : a.arguments)
        arguments +=
            fmt::format("{}{}{}{}", arguments.empty() ? "" : ", ", v.name, v.name.empty() ? "" : "=", v.text);
      line("@{}({})", a.name, arguments);
    }
  }
  // "struct ::M::S "IDL:M/S:1.0"" and what is special about it.
  void head(std::string_view word, const Decl& d, std::string_view more = {}) {
    comments(d.comments);
    annotations(d.annotations);
    line("{} {} \"{}\"{}{}", word, d.scoped_name, d.repository_id, more, d.in_main_file ? "" : " included");
  }
  void field(const Field& f) {
    comments(f.comments);
    annotations(f.annotations);
    line("field {}: {}", f.name, type_text(f.type));
  }
  template <typename T>
  void members(const T& d) {
    ++depth_;
    for (const Decl* n : d.nested) declaration(*n);
    for (const Field& f : d.fields) field(f);
    --depth_;
  }

  void declaration(const Decl& d) {
    if (!included_ && !d.in_main_file) return;
    switch (d.kind) {
      case Decl::Kind::Module:
        return module(static_cast<const Module&>(d));
      case Decl::Kind::Interface:
        return interface(static_cast<const Interface&>(d));
      case Decl::Kind::Constant:
        return constant(static_cast<const Constant&>(d));
      case Decl::Kind::Struct:
        return structure(static_cast<const Struct&>(d));
      case Decl::Kind::Union:
        return union_type(static_cast<const Union&>(d));
      case Decl::Kind::Enum:
        return enumeration(static_cast<const Enum&>(d));
      case Decl::Kind::Typedef:
        return head("typedef", d, fmt::format(" = {}", type_text(static_cast<const Typedef&>(d).type)));
      case Decl::Kind::Exception:
        head("exception", d);
        return members(static_cast<const Exception&>(d));
      case Decl::Kind::Native:
        return head("native", d);
      case Decl::Kind::Value:
        return value(static_cast<const Value&>(d));
      case Decl::Kind::ValueBox:
        return head("valuebox", d, fmt::format(" = {}", type_text(static_cast<const ValueBox&>(d).type)));
      case Decl::Kind::Bitmask:
        return bitmask(static_cast<const Bitmask&>(d));
      case Decl::Kind::Bitset:
        return bitset(static_cast<const Bitset&>(d));
      case Decl::Kind::Component:
        return component(static_cast<const Component&>(d), "component");
      case Decl::Kind::Connector:
        return component(static_cast<const Component&>(d), "connector");
      case Decl::Kind::PortType:
        return component(static_cast<const Component&>(d), "porttype");
      case Decl::Kind::Home:
        return home(static_cast<const Home&>(d));
    }
  }
  void module(const Module& m) {
    head("module", m);
    ++depth_;
    for (const Decl* d : m.declarations) declaration(*d);
    --depth_;
  }
  // A forward declaration and its definition are one node that may stand in the contract twice.
  template <typename T>
  bool first_of_two(const T& d, std::string_view word) {
    if (d.forward_declared && forwarded_.insert(&d).second) {
      line("forward {} {}{}", word, d.scoped_name, d.complete ? "" : " incomplete");
      return true;
    }
    return false;
  }
  void structure(const Struct& s) {
    if (first_of_two(s, "struct")) return;
    head("struct", s, (s.base ? " : " + s.base->scoped_name : "") + (s.recursive ? " recursive" : ""));
    members(s);
  }
  void constant(const Constant& c) {
    head("const", c, fmt::format(": {} = {}", type_text(c.type), to_string(c)));
  }
  void enumeration(const Enum& e) {
    head("enum", e);
    ++depth_;
    for (const auto& i : e.enumerators) {
      comments(i.comments);
      annotations(i.annotations);
      line("{} = {}{}", i.name, i.value, i.number == i.value ? "" : fmt::format(" number {}", i.number));
    }
    --depth_;
  }
  void union_type(const Union& u) {
    if (first_of_two(u, "union")) return;
    std::string more = fmt::format(" switch {}", type_text(u.discriminator));
    if (u.recursive) more += " recursive";
    if (u.implicit_default) more += " implicit-default";
    if (u.implicit_default || u.has_default) more += fmt::format(" default-label {}", u.default_label);
    head("union", u, more);
    ++depth_;
    for (const Decl* n : u.nested) declaration(*n);
    annotations(u.discriminator_annotations);
    for (const Union::Case& c : u.cases) {
      comments(c.field.comments);
      annotations(c.field.annotations);
      std::string labels;
      for (std::size_t i = 0; i < c.labels.size(); ++i)
        labels += i < c.label_names.size() && !c.label_names[i].empty()
                      ? fmt::format("case {} ({}) ", c.label_names[i], c.labels[i])
                      : fmt::format("case {} ", c.labels[i]);
      line("{}{}{}: {}", labels, c.is_default ? "default " : "", c.field.name, type_text(c.field.type));
    }
    --depth_;
  }
  template <typename T>
  static std::string names(std::string_view word, const std::vector<const T*>& all) {
    std::string out;
    for (const T* d : all) out += (out.empty() ? std::string(word) : ", ") + d->scoped_name;
    return out;
  }
  void interface_members(const std::vector<Interface::Member>& all) {
    for (const Interface::Member& m : all) {
      if (const auto* const* o = std::get_if<const Operation*>(&m)) operation(**o);
      else if (const auto* const* a = std::get_if<const Attribute*>(&m)) attribute(**a);
      else declaration(*std::get<const Decl*>(m));
    }
  }
  void interface(const Interface& i) {
    const std::string_view word = i.is_abstract ? "abstract interface"
                                  : i.is_local  ? "local interface"
                                                : "interface";
    if (first_of_two(i, word)) return;
    head(word, i, names(" : ", i.bases));
    ++depth_;
    interface_members(i.members);
    --depth_;
  }
  void value(const Value& v) {
    const std::string word =
        fmt::format("{}{}{}",
                    v.is_abstract ? "abstract "
                    : v.is_custom ? "custom "
                                  : "",
                    v.is_truncatable ? "truncatable " : "", v.is_event ? "eventtype" : "valuetype");
    if (first_of_two(v, word)) return;
    head(word, v, names(" : ", v.bases) + names(" supports ", v.supports));
    ++depth_;
    for (const Value::Member& m : v.members) {
      if (const auto* const* s = std::get_if<const Value::State*>(&m)) {
        comments((*s)->field.comments);
        annotations((*s)->field.annotations);
        line("{} {}: {}", (*s)->is_public ? "public" : "private", (*s)->field.name,
             type_text((*s)->field.type));
      } else if (const auto* const* f = std::get_if<const Value::Factory*>(&m)) {
        comments((*f)->comments);
        annotations((*f)->annotations);
        line("factory {}{}", (*f)->name, names(" raises ", (*f)->raises));
        parameters((*f)->parameters);
      } else if (const auto* const* o = std::get_if<const Operation*>(&m)) operation(**o);
      else if (const auto* const* a = std::get_if<const Attribute*>(&m)) attribute(**a);
      else declaration(*std::get<const Decl*>(m));
    }
    --depth_;
  }
  void component(const Component& c, std::string_view word) {
    if (first_of_two(c, word)) return;
    head(word, c, (c.base ? " : " + c.base->scoped_name : "") + names(" supports ", c.supports));
    ++depth_;
    for (const Port& p : c.ports) {
      comments(p.comments);
      annotations(p.annotations);
      line("{} {}: {}", kPorts[static_cast<std::size_t>(p.kind)], p.name,
           p.type ? p.type->scoped_name : "Object");
    }
    for (const Attribute* a : c.attributes) attribute(*a);
    --depth_;
  }
  void home(const Home& h) {
    head("home", h,
         (h.base ? " : " + h.base->scoped_name : "") + names(" supports ", h.supports) +
             (h.manages ? " manages " + h.manages->scoped_name : "") +
             (h.primary_key ? " primarykey " + h.primary_key->scoped_name : ""));
    ++depth_;
    for (const Home::Maker& m : h.makers) {
      comments(m.comments);
      annotations(m.annotations);
      line("{} {}{}", m.is_finder ? "finder" : "factory", m.name, names(" raises ", m.raises));
      parameters(m.parameters);
    }
    interface_members(h.members);
    --depth_;
  }
  void bitmask(const Bitmask& b) {
    head("bitmask", b, fmt::format(" {} bits", b.bits));
    ++depth_;
    for (const Bitmask::Flag& f : b.flags) {
      comments(f.comments);
      annotations(f.annotations);
      line("{} = {}", f.name, f.position);
    }
    --depth_;
  }
  void bitset(const Bitset& b) {
    head("bitset", b, b.base ? " : " + b.base->scoped_name : "");
    ++depth_;
    for (const Bitset::Bits& f : b.fields) {
      comments(f.comments);
      annotations(f.annotations);
      line("bits {} {}{}", f.width, f.name.empty() ? "-" : f.name, f.type ? ": " + type_text(f.type) : "");
    }
    --depth_;
  }
  void attribute(const Attribute& a) {
    comments(a.comments);
    annotations(a.annotations);
    line("{}attribute {}: {}{}{}", a.readonly ? "readonly " : "", a.name, type_text(a.type),
         names(a.readonly ? " raises " : " getraises ", a.get_raises), names(" setraises ", a.set_raises));
  }
  void operation(const Operation& o) {
    comments(o.comments);
    annotations(o.annotations);
    std::string contexts;
    for (const std::string& c : o.contexts)
      contexts += (contexts.empty() ? " context " : ", ") + quoted(c, '"');
    line("{}operation {}: {}{}{}", o.oneway ? "oneway " : "", o.name, type_text(o.result),
         names(" raises ", o.raises), contexts);
    parameters(o.parameters);
  }
  void parameters(const std::vector<Parameter>& all) {
    ++depth_;
    for (const Parameter& p : all) {
      annotations(p.annotations);
      line("{} {}: {}", kModes[static_cast<std::size_t>(p.mode)], p.name, type_text(p.type));
    }
    --depth_;
  }

  const bool included_;
  std::string out_;
  int depth_ = 0;
  std::set<const Decl*> forwarded_;
};

}  // namespace

std::string dump(const Contract& contract, bool included) { return Dumper(included).run(contract); }

std::string to_string(const Type& type) {
  switch (type.kind) {
    case Type::Kind::Basic:
      return std::string(kBasics[static_cast<std::size_t>(type.basic)]);
    case Type::Kind::String:
      return type.bound ? fmt::format("string<{}>", type.bound) : "string";
    case Type::Kind::Sequence:
      return type.bound ? fmt::format("sequence<{}, {}>", type_text(type.element), type.bound)
                        : fmt::format("sequence<{}>", type_text(type.element));
    case Type::Kind::Array: {
      std::string text = type_text(type.element);
      for (const std::uint32_t d : type.dims) text += fmt::format("[{}]", d);
      return text;
    }
    case Type::Kind::Named:
      return type.decl->scoped_name;
    case Type::Kind::Object:
      return "Object";
    case Type::Kind::WString:
      return type.bound ? fmt::format("wstring<{}>", type.bound) : "wstring";
    case Type::Kind::Fixed:
      return type.digits ? fmt::format("fixed<{}, {}>", type.digits, type.scale) : "fixed";
    case Type::Kind::Any:
      return "any";
    case Type::Kind::TypeCode:
      return "TypeCode";
    case Type::Kind::ValueBase:
      return "ValueBase";
    case Type::Kind::Map:
      return type.bound
                 ? fmt::format("map<{}, {}, {}>", type_text(type.key), type_text(type.element), type.bound)
                 : fmt::format("map<{}, {}>", type_text(type.key), type_text(type.element));
  }
  return {};
}

std::string to_string(const Constant& constant) {
  const Type* const type = resolve(constant.type);
  if (const auto* b = std::get_if<bool>(&constant.value)) return *b ? "TRUE" : "FALSE";
  if (const auto* s = std::get_if<std::string>(&constant.value)) return quoted(*s, '"');
  if (const auto* d = std::get_if<double>(&constant.value)) return fmt::format("{}", *d);
  if (const auto* u = std::get_if<std::uint64_t>(&constant.value)) return fmt::format("{}", *u);
  if (const auto* l = std::get_if<long double>(&constant.value)) return fmt::format("{}", *l);
  if (const auto* f = std::get_if<FixedValue>(&constant.value)) return f->text + "d";
  if (const auto* w = std::get_if<std::u32string>(&constant.value)) return quoted(*w, '"');
  const auto* i = std::get_if<std::int64_t>(&constant.value);
  if (!i) return "?";
  if (constant.enum_type) return constant.enum_type->enumerators[static_cast<std::size_t>(*i)].name;
  if (type && type->kind == Type::Kind::Basic && type->basic == Basic::Char)
    return quoted(std::string(1, static_cast<char>(*i)), '\'');
  if (type && type->kind == Type::Kind::Basic && type->basic == Basic::WChar)
    return quoted(std::u32string(1, static_cast<char32_t>(*i)), '\'');
  return fmt::format("{}", *i);
}

}  // namespace corbel::idl::aoi
