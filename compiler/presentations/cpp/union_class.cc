#include "compiler/presentations/cpp/union_class.h"

#include <algorithm>

#include "compiler/aoi/size.h"
#include "compiler/presentations/cpp/names.h"

namespace corbel::idl::cpp {
namespace {

enum class Holding { Value, String, WString, Reference, Array, Object };

Holding holding(const aoi::Type* type) {
  switch (pres::passing(type)) {
    case pres::Passing::Value:
      return Holding::Value;
    case pres::Passing::String:
      return Holding::String;
    case pres::Passing::WString:
      return Holding::WString;
    case pres::Passing::Reference:
    case pres::Passing::ValueType:
      return Holding::Reference;
    case pres::Passing::FixedArray:
    case pres::Passing::VariableArray:
      return Holding::Array;
    default:
      return Holding::Object;
  }
}

// The type behind the member's pointer.
std::string pointee(const aoi::Field& f) {
  if (f.type->kind == aoi::Type::Kind::Array) return "_" + f.name + "_array";
  if (f.type->kind == aoi::Type::Kind::Sequence) return "_" + f.name + "_seq";
  return stored_type(f.type);
}

// To an object or a value.
std::string pointer_to(const aoi::Type* type) {
  return interface_name(type) + (pres::passing(type) == pres::Passing::ValueType ? "*" : "_ptr");
}

struct Text {
  std::string_view character, name, empty;
};

// A string's modifiers and accessor.
void text_access(Writer& w, const std::string& m, const std::string& label, const Text& t) {
  w.line("  void {}({}* adopted) {{ _corbel_select({}), _corbel_u.{} = adopted; }}", m, t.character, label,
         m);
  w.line("  void {0}(const {1}* copied) {{ this->{0}(CORBA::{2}_dup(copied)); }}", m, t.character, t.name);
  w.line("  template <typename _corbel_t, typename = typename _corbel_t::_corbel_{}_holder>", t.name);
  w.line("  void {}(const _corbel_t& copied) {{", m);
  w.line("    this->{}(copied.in());", m);
  w.line("  }}");
  w.line("  const {0}* {1}() const {{ return _corbel_u.{1} ? _corbel_u.{1} : {2}; }}", t.character, m,
         t.empty);
}

}  // namespace

std::string label_text(const aoi::Union& u, std::int64_t label, const std::string& name) {
  const aoi::Type* const d = aoi::resolve(u.discriminator);
  if (d->kind == aoi::Type::Kind::Named) {
    const auto& e = static_cast<const aoi::Enum&>(*d->decl);
    const std::string q = qualified(e);
    return q.substr(0, q.rfind("::")) +
           "::" + identifier(name.empty() ? e.enumerators[static_cast<std::size_t>(label)].name : name);
  }
  switch (d->basic) {
    case aoi::Basic::Boolean:
      return label != 0 ? "true" : "false";
    case aoi::Basic::Char:
      return character(label);
    case aoi::Basic::WChar:
      return wide_character(label);
    case aoi::Basic::ULong:
      return fmt::format("{}u", label);
    case aoi::Basic::ULongLong:
      return fmt::format("{}u", static_cast<std::uint64_t>(label));
    case aoi::Basic::LongLong:
      return label == INT64_MIN ? "(-9223372036854775807 - 1)" : fmt::format("{}", label);
    case aoi::Basic::Long:
      return label == INT32_MIN ? "(-2147483647 - 1)" : fmt::format("{}", label);
    default:
      return fmt::format("{}", label);
  }
}

std::string first_label(const aoi::Union& u, const aoi::Union::Case& c) {
  if (c.labels.empty()) return label_text(u, u.default_label, "");
  return label_text(u, c.labels[0], c.label_names[0]);
}

// Which one a union has at first, where it has to have one: a sequence of them is made before anything of it
// is read, so it should take little.
const aoi::Union::Case& initial_case(const aoi::Union& u) {
  aoi::LeastSizes sizes;
  const auto cost = [&](const aoi::Union::Case& c) {
    const Holding how = holding(c.field.type);
    return how == Holding::Array || how == Holding::Object ? 1 + sizes.of(c.field.type) : 0;
  };
  return *std::min_element(u.cases.begin(), u.cases.end(),
                           [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
}

void print_union_class(Writer& w, const aoi::Union& u) {
  const std::string n = identifier(u.name);
  const std::string d = stored_type(u.discriminator);
  w.line("  {}() {{ _corbel_empty(), _corbel_activate({}); }}", n,
         u.implicit_default ? label_text(u, u.default_label, "") : first_label(u, initial_case(u)));
  w.line("  {0}(const {0}& other);", n);
  w.line("  {0}& operator=(const {0}& other);", n);
  w.line("  ~{}() {{ _corbel_clear(); }}\n", n);
  w.line("  {} _d() const {{ return _corbel_label; }}", d);
  w.line("  // Only between labels of one member, else BAD_PARAM.");
  w.line("  void _d({} value);", d);
  if (u.implicit_default)
    w.line("  void _default() {{ _corbel_activate({}); }}", label_text(u, u.default_label, ""));
  for (const auto& c : u.cases) {
    const aoi::Field& f = c.field;
    const std::string m = identifier(f.name), label = first_label(u, c);
    w.indent();
    w.comments(f.comments);
    w.outdent();
    const std::string p = pointee(f);
    if (f.type->kind == aoi::Type::Kind::Array) {
      w.line("  typedef {} {}{};", stored_type(f.type), p, dimensions(f.type));
      w.line("  typedef {} _{}_slice{};", stored_type(f.type), f.name, slice_dimensions(f.type));
    }
    if (f.type->kind == aoi::Type::Kind::Sequence) w.line("  typedef {} {};", sequence_class(f.type), p);
    switch (holding(f.type)) {
      case Holding::Value:
        w.line("  void {}({} value) {{ _corbel_select({}), _corbel_u.{} = value; }}", m, p, label, m);
        w.line("  {} {}() const {{ return _corbel_u.{}; }}", p, m, m);
        break;
      case Holding::String:
        text_access(w, m, label, {"char", "string", "\"\""});
        break;
      case Holding::WString:
        text_access(w, m, label, {"CORBA::WChar", "wstring", "L\"\""});
        break;
      case Holding::Reference: {
        const std::string pointer = pointer_to(f.type);
        w.line("  void {}({} object) {{", m, pointer);
        w.line("    {} const counted = corbel::cpp::duplicate(object);", pointer);
        w.line("    _corbel_select({}), _corbel_u.{} = counted;", label, m);
        w.line("  }}");
        w.line("  {} {}() const {{ return _corbel_u.{}; }}", pointer, m, m);
        break;
      }
      case Holding::Array: {
        const std::string slice =
            f.type->kind == aoi::Type::Kind::Array ? "_" + f.name + "_slice" : p + "_slice";
        w.line("  void {}(const {} value) {{", m, p);
        w.line("    auto* const copy = new {}[1];", p);
        w.line("    corbel::cpp::copy_elements(*copy, value);");
        w.line("    _corbel_select({});", label);
        w.line("    _corbel_u.{} = copy;", m);
        w.line("  }}");
        w.line("  {}* {}() const {{ return *_corbel_u.{}; }}", slice, m, m);
        break;
      }
      case Holding::Object:
        w.line("  void {}(const {}& value) {{", m, p);
        w.line("    auto* const copy = new {}(value);", p);
        w.line("    _corbel_select({});", label);
        w.line("    _corbel_u.{} = copy;", m);
        w.line("  }}");
        w.line("  const {}& {}() const {{ return *_corbel_u.{}; }}", p, m, m);
        w.line("  {}& {}() {{ return *_corbel_u.{}; }}", p, m, m);
        break;
    }
  }
  w.line("");
  w.line("  // For decoders: frees the member, selects another one and makes its first value.");
  w.line("  void _corbel_activate({} value);", d);
  w.line("  // Where members stand, or the pointers to them.");
  w.line("  static constexpr std::size_t _corbel_at() {{ return offsetof({}, _corbel_u); }}\n", n);
  w.line(" private:");
  w.line("  static int _corbel_member({} value);", d);
  w.line("  void _corbel_empty() {{ std::memset(static_cast<void*>(&_corbel_u), 0, sizeof _corbel_u); }}");
  w.line("  void _corbel_clear();");
  w.line("  void _corbel_select({} value) {{ _corbel_clear(), _corbel_empty(), _corbel_label = value; }}", d);
  w.line("  {} _corbel_label{{}};", d);
  w.line("  union {{");
  for (const auto& c : u.cases) {
    const std::string m = identifier(c.field.name), p = pointee(c.field);
    switch (holding(c.field.type)) {
      case Holding::Value:
        w.line("    {} {};", p, m);
        break;
      case Holding::String:
        w.line("    char* {};", m);
        break;
      case Holding::WString:
        w.line("    CORBA::WChar* {};", m);
        break;
      case Holding::Reference:
        w.line("    {} {};", pointer_to(c.field.type), m);
        break;
      default:
        w.line("    {}* {};", p, m);
        break;
    }
  }
  w.line("  }} _corbel_u;");
}

void print_union_members(Writer& w, const aoi::Union& u) {
  const std::string n = identifier(u.name), q = qualified(u).substr(2), d = stored_type(u.discriminator);
  const bool boolean = aoi::resolve(u.discriminator)->kind == aoi::Type::Kind::Basic &&
                       aoi::resolve(u.discriminator)->basic == aoi::Basic::Boolean;
  const bool used = !boolean || std::any_of(u.cases.begin(), u.cases.end(),
                                            [](const auto& c) { return !c.labels.empty(); });
  w.line("int {}::_corbel_member({}{}) {{", q, d, used ? " value" : "");
  int index = 0;
  std::string otherwise = "-1";
  if (!boolean) w.line("  switch (value) {{");
  for (const auto& c : u.cases) {
    for (std::size_t i = 0; i < c.labels.size(); ++i) {
      const std::string l = label_text(u, c.labels[i], c.label_names[i]);
      w.line(boolean ? fmt::format("  if (value == {}) return {};", l, index)
                     : fmt::format("    case {}: return {};", l, index));
    }
    if (c.is_default) otherwise = fmt::format("{}", index);
    ++index;
  }
  if (!boolean) w.line("    default: return {};\n  }}", otherwise);
  else w.line("  return {};", otherwise);
  w.line("}}\n");

  w.line("void {}::_d({} value) {{", q, d);
  w.line("  if (_corbel_member(value) != _corbel_member(_corbel_label)) corbel::cpp::raise_wrong_member();");
  w.line("  _corbel_label = value;\n}}\n");

  w.line("void {}::_corbel_clear() {{", q);
  w.line("  switch (_corbel_member(_corbel_label)) {{");
  for (std::size_t i = 0; i < u.cases.size(); ++i) {
    const std::string m = identifier(u.cases[i].field.name);
    switch (holding(u.cases[i].field.type)) {
      case Holding::Value:
        break;
      case Holding::String:
        w.line("    case {}: CORBA::string_free(_corbel_u.{}); break;", i, m);
        break;
      case Holding::WString:
        w.line("    case {}: CORBA::wstring_free(_corbel_u.{}); break;", i, m);
        break;
      case Holding::Reference:
        w.line("    case {}: corbel::cpp::drop(_corbel_u.{}); break;", i, m);
        break;
      case Holding::Array:
        w.line("    case {}: delete[] _corbel_u.{}; break;", i, m);
        break;
      case Holding::Object:
        w.line("    case {}: delete _corbel_u.{}; break;", i, m);
        break;
    }
  }
  w.line("    default: break;\n  }}\n}}\n");

  w.line("void {}::_corbel_activate({} value) {{", q, d);
  w.line("  _corbel_select(value);");
  w.line("  switch (_corbel_member(value)) {{");
  for (std::size_t i = 0; i < u.cases.size(); ++i) {
    const aoi::Field& f = u.cases[i].field;
    const std::string m = identifier(f.name),
                      p = f.type->kind == aoi::Type::Kind::Named ? stored_type(f.type) : pointee(f);
    if (holding(f.type) == Holding::Array) w.line("    case {}: _corbel_u.{} = new {}[1](); break;", i, m, p);
    if (holding(f.type) == Holding::Object) w.line("    case {}: _corbel_u.{} = new {}(); break;", i, m, p);
  }
  w.line("    default: break;\n  }}\n}}\n");

  w.line("{0}::{1}(const {1}& other) {{\n  _corbel_empty();\n  *this = other;\n}}\n", q, n);
  w.line("{0}& {0}::operator=(const {1}& other) {{", q, n);
  w.line("  if (this == &other) return *this;");
  // The other one may be inside of what is freed.
  w.line("  const {} label = other._corbel_label;", d);
  w.line("  switch (_corbel_member(label)) {{");
  for (std::size_t i = 0; i < u.cases.size(); ++i) {
    const std::string m = identifier(u.cases[i].field.name);
    const Holding how = holding(u.cases[i].field.type);
    std::string held = "other._corbel_u." + m;
    if (how == Holding::Array || how == Holding::Object) held = "*" + held;
    if (how == Holding::String) held = fmt::format("static_cast<const char*>({})", held);
    if (how == Holding::WString) held = fmt::format("static_cast<const CORBA::WChar*>({})", held);
    w.line("    case {}: this->{}({}); break;", i, m, held);
  }
  w.line(
      "    default: _corbel_activate(label); break;\n  }}\n  _corbel_label = label;\n  return *this;\n}}\n");
}

}  // namespace corbel::idl::cpp
