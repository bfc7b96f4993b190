#include "compiler/presentations/cpp/type_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/presentations/cpp/names.h"
#include "compiler/presentations/cpp/provided.h"

namespace corbel::idl::cpp {
namespace {

// What numbers of eight bits are to a TypeCode: IDL 4 came after its kinds.
const char* basic_type_code(aoi::Basic basic) {
  static constexpr const char* kNames[] = {
      "void",     "boolean",   "octet", "char",   "short",      "ushort", "long",  "ulong",
      "longlong", "ulonglong", "float", "double", "longdouble", "wchar",  "octet", "octet"};
  return kNames[static_cast<int>(basic)];
}

std::string strings(const aoi::Decl& d) { return quoted(d.repository_id) + ", " + quoted(d.name); }

std::uint32_t bits_of(const aoi::Decl& d) {
  std::uint32_t bits = 0;
  if (d.kind == aoi::Decl::Kind::Bitmask) bits = static_cast<const aoi::Bitmask&>(d).bits;
  else
    for (const auto* b = static_cast<const aoi::Bitset*>(&d); b; b = b->base)
      for (const auto& f : b->fields) bits += f.width;
  return bits;
}

void collect(const aoi::Struct& s, std::vector<aoi::Field>& fields) {
  if (s.base) collect(*s.base, fields);
  fields.insert(fields.end(), s.fields.begin(), s.fields.end());
}

}  // namespace

bool has_type_code(const aoi::Decl& decl) {
  switch (decl.kind) {
    case aoi::Decl::Kind::Module:
    case aoi::Decl::Kind::Constant:
      return false;
    default:
      return !pres::holds_map(decl);
  }
}

std::string type_code_namespace(const aoi::Decl& decl) {
  const std::string q = qualified(decl);
  std::string scope = q.substr(0, q.rfind("::"));
  // Below corbel::tc these would hide what is meant by them everywhere.
  for (const std::string used : {"::corbel", "::CORBA", "::PortableServer", "::std"})
    for (auto at = (scope + "::").find(used + "::"); at != scope.npos;
         at = (scope + "::").find(used + "::", at + 1))
      scope.insert(at + used.size(), "_");
  return "corbel::tc" + (scope.empty() ? "::_unscoped" : scope);
}

std::string type_code(const aoi::Decl& decl) {
  return "::" + type_code_namespace(decl) + "::_tc_" + decl.name;
}

namespace {

const char* kind_of(const aoi::Interface& i) {
  constexpr const char* of_references[] = {"ObjRef", "Component", "Home"};
  return i.is_local      ? "LocalInterface"
         : i.is_abstract ? "AbstractInterface"
                         : of_references[static_cast<std::size_t>(i.type_code)];
}

}  // namespace

std::string TypeCodePrinter::address(const aoi::Decl* decl) {
  // The run time has no TypeCodes of what it declares.
  if (provided_by(*decl)) {
    const auto [at, fresh] = copies_.emplace(decl, "");
    if (fresh) at->second = copy(*decl);
    return at->second;
  }
  // One that is defined elsewhere, if at all, has no object here.
  if (decl->kind == aoi::Decl::Kind::Interface && !static_cast<const aoi::Interface*>(decl)->complete)
    return anonymous(fmt::format("{}, {}, nullptr, nullptr, 0",
                                 kind_of(*static_cast<const aoi::Interface*>(decl)), strings(*decl)));
  return "&" + type_code(*decl);
}

std::string TypeCodePrinter::copy(const aoi::Decl& decl) {
  const std::string storage = std::exchange(storage_, "static ");
  const std::string prefix = std::exchange(prefix_, fmt::format("_copy_{}_", ++anonymous_));
  const std::string address = fmt::format("&{}{}{}", space_, prefix_, decl.name);
  describe(decl);
  storage_ = storage;
  prefix_ = prefix;
  return address;
}

std::string TypeCodePrinter::anonymous(const std::string& fields) {
  const std::string name = fmt::format("_type_{}", ++anonymous_);
  w_.line("static CORBA::TypeCode {}{{corbel::types::Kind::{}}};", name, fields);
  return "&" + name;
}

std::string TypeCodePrinter::address(const aoi::Type* type) {
  switch (type->kind) {
    case aoi::Type::Kind::Basic:
      return fmt::format("&corbel::tc::_tc_{}", basic_type_code(type->basic));
    case aoi::Type::Kind::String:
    case aoi::Type::Kind::WString: {
      const bool wide = type->kind == aoi::Type::Kind::WString;
      if (type->bound == 0) return wide ? "&corbel::tc::_tc_wstring" : "&corbel::tc::_tc_string";
      return anonymous(
          fmt::format("{}, \"\", \"\", nullptr, nullptr, 0, {}", wide ? "WString" : "String", type->bound));
    }
    case aoi::Type::Kind::Fixed:
      return anonymous(
          fmt::format("Fixed, \"\", \"\", nullptr, nullptr, 0, {}, {}", type->digits, type->scale));
    case aoi::Type::Kind::Sequence:
      return anonymous(
          fmt::format("Sequence, \"\", \"\", {}, nullptr, 0, {}", address(type->element), type->bound));
    case aoi::Type::Kind::Array: {
      std::string content = address(type->element);
      for (auto d = type->dims.rbegin(); d != type->dims.rend(); ++d)
        content = anonymous(fmt::format("Array, \"\", \"\", {}, nullptr, 0, {}", content, *d));
      return content;
    }
    case aoi::Type::Kind::Object:
      return "&corbel::tc::_tc_Object";
    case aoi::Type::Kind::Any:
      return "&corbel::tc::_tc_any";
    case aoi::Type::Kind::TypeCode:
      return "&corbel::tc::_tc_TypeCode";
    case aoi::Type::Kind::ValueBase:
      return "&corbel::tc::_tc_ValueBase";
    case aoi::Type::Kind::Map:  // has none
    case aoi::Type::Kind::Named:
      break;
  }
  return address(type->decl);
}

std::string TypeCodePrinter::members_name(const aoi::Decl& decl) const {
  return (prefix_ == "_tc_" ? "_" : prefix_) + "members_" + decl.name;
}

void TypeCodePrinter::rows(const std::string& name, const std::vector<Row>& rows) {
  if (rows.empty()) return;
  std::vector<std::string> types;
  for (const Row& r : rows) {
    // Labels of one case follow one another.
    const bool again = &r != rows.data() && (&r)[-1].type == r.type;
    types.push_back(!r.type ? "nullptr" : again ? types.back() : address(r.type));
  }
  w_.open("static const corbel::types::Member {}[] = {{", name);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string label =
        rows[i].label == INT64_MIN ? "-9223372036854775807 - 1" : fmt::format("{}", rows[i].label);
    w_.line("{{{}, {}, {}, {}}},", quoted(rows[i].name), types[i], label, rows[i].visibility);
  }
  w_.close("};");
}

void TypeCodePrinter::object(const aoi::Decl& d, const char* kind, const std::string& content,
                             std::size_t count, std::int64_t special) {
  w_.line("{}CORBA::TypeCode {}{}{{corbel::types::Kind::{}, {}, {}, {}, {}{}}};", storage_, prefix_, d.name,
          kind, strings(d), content.empty() ? "nullptr" : content, count == 0 ? "nullptr" : members_name(d),
          count, special == 0 ? "" : fmt::format(", 0, {}", special));
}

void TypeCodePrinter::of_union(const aoi::Union& u) {
  std::vector<Row> all;
  std::int64_t otherwise = -1;
  for (const auto& c : u.cases) {
    for (const std::int64_t l : c.labels) all.push_back({c.field.name, c.field.type, l, 0});
    if (!c.is_default) continue;
    otherwise = static_cast<std::int64_t>(all.size());
    all.push_back({c.field.name, c.field.type, 0, 0});
  }
  rows(members_name(u), all);
  object(u, "Union", address(u.discriminator), all.size(), otherwise);
}

void TypeCodePrinter::of_value(const aoi::Value& v) {
  std::vector<Row> all;
  for (const auto& m : v.members)
    if (const auto* const* s = std::get_if<const aoi::Value::State*>(&m))
      all.push_back({(*s)->field.name, (*s)->field.type, 0, (*s)->is_public ? 1 : 0});
  rows(members_name(v), all);
  const bool has_base = !v.bases.empty() && !v.bases[0]->is_abstract;
  object(v, v.is_event ? "Event" : "Value", has_base ? address(v.bases[0]) : "", all.size(),
         v.is_custom        ? 1
         : v.is_abstract    ? 2
         : v.is_truncatable ? 3
                            : 0);
}

void TypeCodePrinter::print(const aoi::Decl& decl, bool weak) {
  space_ = "::" + type_code_namespace(decl) + "::";
  storage_ = weak ? kWeak : "";
  describe(decl);
  storage_.clear();
}

void TypeCodePrinter::describe(const aoi::Decl& d) {
  std::vector<Row> all;
  switch (d.kind) {
    case aoi::Decl::Kind::Struct: {
      std::vector<aoi::Field> fields;
      collect(static_cast<const aoi::Struct&>(d), fields);
      for (const aoi::Field& f : fields) all.push_back({f.name, f.type, 0, 0});
      rows(members_name(d), all);
      return object(d, "Struct", "", all.size());
    }
    case aoi::Decl::Kind::Exception:
      for (const aoi::Field& f : static_cast<const aoi::Exception&>(d).fields)
        all.push_back({f.name, f.type, 0, 0});
      rows(members_name(d), all);
      return object(d, "Except", "", all.size());
    case aoi::Decl::Kind::Enum:
      for (const auto& e : static_cast<const aoi::Enum&>(d).enumerators)
        all.push_back({e.name, nullptr, 0, 0});
      rows(members_name(d), all);
      return object(d, "Enum", "", all.size());
    case aoi::Decl::Kind::Union:
      return of_union(static_cast<const aoi::Union&>(d));
    case aoi::Decl::Kind::Typedef:
      return object(d, "Alias", address(static_cast<const aoi::Typedef&>(d).type), 0);
    case aoi::Decl::Kind::Interface:
      return object(d, kind_of(static_cast<const aoi::Interface&>(d)), "", 0);
    case aoi::Decl::Kind::Native:
      return object(d, "Native", "", 0);
    case aoi::Decl::Kind::Value:
      return of_value(static_cast<const aoi::Value&>(d));
    case aoi::Decl::Kind::ValueBox:
      return object(d, "ValueBox", address(static_cast<const aoi::ValueBox&>(d).type), 0);
    case aoi::Decl::Kind::Bitmask:
    case aoi::Decl::Kind::Bitset: {
      const std::uint32_t bits = bits_of(d);
      return object(d, "Alias",
                    fmt::format("&corbel::tc::_tc_{}", bits <= 8    ? "octet"
                                                       : bits <= 16 ? "ushort"
                                                       : bits <= 32 ? "ulong"
                                                                    : "ulonglong"),
                    0);
    }
    default:
      return;
  }
}

}  // namespace corbel::idl::cpp
