#include "compiler/presentations/cpp/names.h"

#include <fmt/format.h>

#include <algorithm>

#include <set>

namespace corbel::idl::cpp {
namespace {

const std::set<std::string> kKeywords = {
    "alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
    "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
    "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
    "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
    "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
    "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
    "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
    "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
    "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
    "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
    "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
    "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
    "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
    "xor_eq"};

}  // namespace

std::string identifier(const std::string& name) { return kKeywords.contains(name) ? "_cxx_" + name : name; }

bool in_class(const aoi::Decl& d) { return d.scope && d.scope->kind != aoi::Decl::Kind::Module; }

std::string character(std::int64_t value) {
  const auto octet = static_cast<unsigned char>(value);
  if (octet == '\'' || octet == '\\') return fmt::format("'\\{}'", static_cast<char>(octet));
  return octet < 32 || octet > 126 ? fmt::format("'\\{:03o}'", octet)
                                   : fmt::format("'{}'", static_cast<char>(octet));
}

namespace {

// As it stands between quotes in a wide literal. A hexadecimal escape takes what follows for its own: the
// literal is broken behind it.
std::string wide_escape(char32_t c, char quote) {
  if (c == static_cast<char32_t>(quote) || c == U'\\') return fmt::format("\\{}", static_cast<char>(c));
  if (c >= 32 && c < 127) return std::string(1, static_cast<char>(c));
  if (c < 0xa0)
    return fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c)) + (quote == '"' ? "\" L\"" : "");
  return c <= 0xffff ? fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c))
                     : fmt::format("\\U{:08x}", static_cast<std::uint32_t>(c));
}

}  // namespace

std::string wide_character(std::int64_t value) {
  return "L'" + wide_escape(static_cast<char32_t>(value), '\'') + "'";
}

std::string wide_text(const std::u32string& text) {
  std::string out = "L\"";
  for (const char32_t c : text)
    out += c == U'?' && out.back() == '?' ? "\\?" : wide_escape(c, '"');  // two would begin a trigraph
  return out + '"';
}

std::string qualified(const aoi::Decl& decl) {
  // A native type, but one that is handed on like references.
  if (decl.scoped_name == "::CORBA::AbstractBase") return "::CORBA::AbstractBase_ptr";
  std::string out;
  std::string_view rest = decl.scoped_name;
  while (!rest.empty()) {
    rest.remove_prefix(2);
    const auto colon = rest.find("::");
    out += "::" + identifier(std::string(rest.substr(0, colon)));
    rest.remove_prefix(colon == rest.npos ? rest.size() : colon);
  }
  return out;
}

std::string basic_name(aoi::Basic basic) {
  static constexpr std::string_view kNames[] = {
      "void",          "CORBA::Boolean", "CORBA::Octet",      "CORBA::Char",     "CORBA::Short",
      "CORBA::UShort", "CORBA::Long",    "CORBA::ULong",      "CORBA::LongLong", "CORBA::ULongLong",
      "CORBA::Float",  "CORBA::Double",  "CORBA::LongDouble", "CORBA::WChar",    "CORBA::Int8",
      "CORBA::UInt8"};
  return std::string(kNames[static_cast<int>(basic)]);
}

std::string unsigned_name(std::uint32_t bits) {
  return bits <= 8    ? "CORBA::UInt8"
         : bits <= 16 ? "CORBA::UShort"
         : bits <= 32 ? "CORBA::ULong"
                      : "CORBA::ULongLong";
}

std::string bit_field_type(const aoi::Bitset::Bits& field) {
  if (field.type) return stored_type(field.type);
  return field.width == 1 ? "CORBA::Boolean" : unsigned_name(field.width);
}

std::string interface_name(const aoi::Type* type) {
  const aoi::Type* const t = aoi::resolve(type);
  if (t->kind == aoi::Type::Kind::TypeCode) return "CORBA::TypeCode";
  if (t->kind == aoi::Type::Kind::ValueBase) return "CORBA::ValueBase";
  return t->kind == aoi::Type::Kind::Object ? "CORBA::Object" : qualified(*t->decl);
}

std::string sequence_class(const aoi::Type* sequence) {
  const aoi::Type* const e = aoi::resolve(sequence->element);
  const std::string kind = sequence->bound != 0 ? "Bounded" : "Unbounded";
  const std::string bound = sequence->bound != 0 ? fmt::format(", {}", sequence->bound) : "";
  switch (pres::passing(e)) {
    case pres::Passing::String:
      return sequence->bound != 0 ? fmt::format("corbel::cpp::BoundedStringSequence<{}>", sequence->bound)
                                  : "corbel::cpp::UnboundedStringSequence";
    case pres::Passing::WString:
      return sequence->bound != 0 ? fmt::format("corbel::cpp::BoundedWStringSequence<{}>", sequence->bound)
                                  : "corbel::cpp::UnboundedWStringSequence";
    case pres::Passing::Reference:
      return fmt::format("corbel::cpp::{}ObjectSequence<{}{}>", kind, interface_name(e), bound);
    case pres::Passing::FixedArray:
    case pres::Passing::VariableArray:
      return fmt::format("corbel::cpp::{}ArraySequence<{}_traits{}>", kind,
                         qualified(*sequence->element->decl), bound);
    default:
      return fmt::format("corbel::cpp::{}Sequence<{}{}>", kind, stored_type(sequence->element), bound);
  }
}

// Keys are compared: strings of the mapping cannot be.
static std::string map_key(const aoi::Type* key) {
  switch (pres::passing(key)) {
    case pres::Passing::String:
      return "std::string";
    case pres::Passing::WString:
      return "std::wstring";
    default:
      return stored_type(key);
  }
}

std::string stored_type(const aoi::Type* type) {
  switch (type->kind) {
    case aoi::Type::Kind::Basic:
      return basic_name(type->basic);
    case aoi::Type::Kind::String:
      return "corbel::cpp::StringMember";
    case aoi::Type::Kind::Object:
      return "corbel::cpp::ObjectMember<CORBA::Object>";
    case aoi::Type::Kind::Sequence:
      return sequence_class(type);
    case aoi::Type::Kind::Array:
      return stored_type(type->element);
    case aoi::Type::Kind::WString:
      return "corbel::cpp::WStringMember";
    case aoi::Type::Kind::Fixed:
      if (type->digits == 0) return "CORBA::Fixed";  // of a constant
      return fmt::format("corbel::cpp::Fixed<{}, {}>", type->digits, type->scale);
    case aoi::Type::Kind::Any:
      return "CORBA::Any";
    case aoi::Type::Kind::TypeCode:
      return "corbel::cpp::ObjectMember<CORBA::TypeCode>";
    case aoi::Type::Kind::ValueBase:
      return "corbel::cpp::ValueMember<CORBA::ValueBase>";
    case aoi::Type::Kind::Map:
      return fmt::format("std::map<{}, {}>", map_key(type->key), stored_type(type->element));
    case aoi::Type::Kind::Named:
      break;
  }
  const aoi::Type* const t = aoi::resolve(type);
  switch (pres::passing(t)) {
    case pres::Passing::String:
      return "corbel::cpp::StringMember";
    case pres::Passing::WString:
      return "corbel::cpp::WStringMember";
    case pres::Passing::ValueType:
      return fmt::format("corbel::cpp::ValueMember<{}>", interface_name(t));
    case pres::Passing::Reference:
      return fmt::format("corbel::cpp::ObjectMember<{}>", interface_name(t));
    default:
      return qualified(*type->decl);
  }
}

std::string dimensions(const aoi::Type* type) {
  std::string out;
  if (type->kind == aoi::Type::Kind::Array)
    for (const auto d : type->dims) out += fmt::format("[{}]", d);
  return out;
}

std::string slice_dimensions(const aoi::Type* type) {
  const std::string all = dimensions(type);
  return all.empty() ? all : all.substr(all.find(']') + 1);
}

std::string array_scalar(const aoi::Type* type) {
  const aoi::Type* t = aoi::resolve(type);
  const aoi::Type* last = type;
  while (t->kind == aoi::Type::Kind::Array) {
    last = t->element;
    t = aoi::resolve(last);
  }
  return stored_type(last);
}

std::string skel_class(const aoi::Interface& interface) { return "POA_" + qualified(interface).substr(2); }

std::string var_type(const aoi::Type* type) {
  const std::string plain = stored_type(type);
  if (type->kind == aoi::Type::Kind::Sequence) return fmt::format("corbel::cpp::SequenceVar<{}>", plain);
  if (type->kind == aoi::Type::Kind::Map) return fmt::format("corbel::cpp::VariableVar<{}>", plain);
  return plain + "_var";
}

// IDL 4 lets operations use sequences and maps that have no name.
std::string out_type(const aoi::Type* type) {
  const bool anonymous = type->kind == aoi::Type::Kind::Sequence || type->kind == aoi::Type::Kind::Map;
  if (!anonymous) return stored_type(type) + "_out";
  return fmt::format("corbel::cpp::VariableOut<{}, {}>", stored_type(type), var_type(type));
}

std::string parameter_type(const aoi::Type* type, aoi::Parameter::Mode mode) {
  using Mode = aoi::Parameter::Mode;
  const pres::Passing how = pres::passing(type);
  const bool pointer = how == pres::Passing::Reference || how == pres::Passing::ValueType;
  const std::string plain = pointer                        ? interface_name(type)
                            : how == pres::Passing::String ? ""
                                                           : stored_type(type);
  const aoi::Type* const t = aoi::resolve(type);
  switch (pres::passing(type)) {
    case pres::Passing::Value:
      if (mode == Mode::In) return plain;
      return mode == Mode::Out && t->kind == aoi::Type::Kind::Basic ? plain + "_out" : plain + "&";
    case pres::Passing::Reference:
      return mode == Mode::In ? plain + "_ptr" : mode == Mode::InOut ? plain + "_ptr&" : plain + "_out";
    case pres::Passing::FixedStruct:
      return mode == Mode::In ? "const " + plain + "&" : plain + "&";
    case pres::Passing::VariableStruct:
    case pres::Passing::Sequence:
      return mode == Mode::In ? "const " + plain + "&" : mode == Mode::InOut ? plain + "&" : out_type(type);
    case pres::Passing::String:
      return mode == Mode::In ? "const char*" : mode == Mode::InOut ? "char*&" : "CORBA::String_out";
    case pres::Passing::WString:
      return mode == Mode::In      ? "const CORBA::WChar*"
             : mode == Mode::InOut ? "CORBA::WChar*&"
                                   : "CORBA::WString_out";
    case pres::Passing::ValueType:
      return mode == Mode::In ? plain + "*" : mode == Mode::InOut ? plain + "*&" : plain + "_out";
    case pres::Passing::FixedArray:
      return mode == Mode::In ? "const " + plain : plain + "_slice*";
    case pres::Passing::VariableArray:
      return mode == Mode::In ? "const " + plain : mode == Mode::InOut ? plain + "_slice*" : plain + "_out";
  }
  return plain;
}

std::string result_type(const aoi::Type* type) {
  switch (pres::passing(type)) {
    case pres::Passing::Value:
    case pres::Passing::FixedStruct:
      return stored_type(type);
    case pres::Passing::Reference:
      return interface_name(type) + "_ptr";
    case pres::Passing::VariableStruct:
    case pres::Passing::Sequence:
      return stored_type(type) + "*";
    case pres::Passing::String:
      return "char*";
    case pres::Passing::WString:
      return "CORBA::WChar*";
    case pres::Passing::ValueType:
      return interface_name(type) + "*";
    case pres::Passing::FixedArray:
    case pres::Passing::VariableArray:
      return stored_type(type) + "_slice*";
  }
  return {};
}

bool is_void(const aoi::Type* type) {
  return type->kind == aoi::Type::Kind::Basic && type->basic == aoi::Basic::Void;
}

std::string parameters(const aoi::Operation& operation) {
  std::string out;
  for (const aoi::Parameter& p : operation.parameters)
    out +=
        fmt::format("{}{} {}", out.empty() ? "" : ", ", parameter_type(p.type, p.mode), identifier(p.name));
  if (!operation.contexts.empty())
    out += out.empty() ? "CORBA::Context_ptr _ctx" : ", CORBA::Context_ptr _ctx";
  return out;
}

std::string argument_names(const pres::Operation& operation) {
  std::string names;
  for (const pres::Parameter& p : operation.arguments) names += (names.empty() ? "" : ", ") + p.name;
  if (!operation.contexts.empty()) names += names.empty() ? "_ctx" : ", _ctx";
  return names;
}

std::string argument_names(const aoi::Operation& operation) {
  std::string names;
  for (const aoi::Parameter& p : operation.parameters)
    names += (names.empty() ? "" : ", ") + identifier(p.name);
  if (!operation.contexts.empty()) names += names.empty() ? "_ctx" : ", _ctx";
  return names;
}

std::vector<aoi::Operation> operations(const aoi::Interface& interface) {
  static const aoi::Type kVoid{};
  std::vector<aoi::Operation> all;
  for (const auto& m : interface.members) {
    if (const auto* op = std::get_if<const aoi::Operation*>(&m)) all.push_back(**op);
    const auto* const a = std::get_if<const aoi::Attribute*>(&m);
    if (!a) continue;
    aoi::Operation get;
    get.name = "_get_" + (*a)->name;
    get.result = (*a)->type;
    get.comments = (*a)->comments;
    get.raises = (*a)->get_raises;
    all.push_back(get);
    if ((*a)->readonly) continue;
    aoi::Operation set;
    set.name = "_set_" + (*a)->name;
    set.result = &kVoid;
    set.parameters.push_back({aoi::Parameter::Mode::In, "_value", (*a)->type, {}, {}});
    set.raises = (*a)->set_raises;
    all.push_back(set);
  }
  return all;
}

std::string method_name(const aoi::Operation& operation) {
  const bool attribute = operation.name.starts_with("_get_") || operation.name.starts_with("_set_");
  return identifier(attribute ? operation.name.substr(5) : operation.name);
}

bool is_abstract(const aoi::Interface& interface) {
  const auto ancestors = aoi::ancestors(interface);
  return interface.is_abstract ||
         std::any_of(ancestors.begin(), ancestors.end(), [](const auto* a) { return a->is_abstract; });
}

}  // namespace corbel::idl::cpp
