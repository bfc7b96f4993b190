#include "compiler/pres/pres.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace corbel::idl::pres {
namespace {

bool variable(const aoi::Type* type, std::set<const aoi::Decl*>& fixed);

// `fixed` are those known not to be variable: the search ends at the first one that is. Nothing holds itself
// but through what is variable, so there are no circles.
bool variable(const aoi::Decl* decl, std::set<const aoi::Decl*>& fixed) {
  const auto any = [&](const auto& all, const auto& type) {
    return std::any_of(all.begin(), all.end(), [&](const auto& one) { return variable(type(one), fixed); });
  };
  switch (decl->kind) {
    case aoi::Decl::Kind::Interface:
    case aoi::Decl::Kind::Value:
    case aoi::Decl::Kind::ValueBox:
      return true;
    case aoi::Decl::Kind::Struct: {
      const auto* const s = static_cast<const aoi::Struct*>(decl);
      return fixed.insert(decl).second &&
             ((s->base && variable(s->base, fixed)) || any(s->fields, [](const auto& f) { return f.type; }));
    }
    case aoi::Decl::Kind::Union: {
      const auto* const u = static_cast<const aoi::Union*>(decl);
      return fixed.insert(decl).second && any(u->cases, [](const auto& c) { return c.field.type; });
    }
    default:
      return false;
  }
}

bool variable(const aoi::Type* type, std::set<const aoi::Decl*>& fixed) {
  type = aoi::resolve(type);
  switch (type->kind) {
    case aoi::Type::Kind::Basic:
    case aoi::Type::Kind::Fixed:
      return false;
    case aoi::Type::Kind::Array:
      return variable(type->element, fixed);
    case aoi::Type::Kind::Named:
      return variable(type->decl, fixed);
    default:
      return true;
  }
}

bool local(const aoi::Decl& decl, std::set<const aoi::Decl*>& seen);

bool local(const aoi::Type* type, std::set<const aoi::Decl*>& seen) {
  if (!type) return false;
  if (type->kind == aoi::Type::Kind::Map) return true;
  return (type->decl && local(*type->decl, seen)) || local(type->element, seen) || local(type->key, seen);
}

bool local(const aoi::Decl& decl, std::set<const aoi::Decl*>& seen) {
  if (!seen.insert(&decl).second) return false;
  const auto any = [&](const auto& fields) {
    return std::any_of(fields.begin(), fields.end(), [&](const auto& f) { return local(f.type, seen); });
  };
  switch (decl.kind) {
    case aoi::Decl::Kind::Native:
      return true;
    case aoi::Decl::Kind::Interface:
      return static_cast<const aoi::Interface&>(decl).is_local;
    case aoi::Decl::Kind::Typedef:
      return local(static_cast<const aoi::Typedef&>(decl).type, seen);
    case aoi::Decl::Kind::Struct: {
      const auto& s = static_cast<const aoi::Struct&>(decl);
      return (s.base && local(*s.base, seen)) || any(s.fields);
    }
    case aoi::Decl::Kind::Exception:
      return any(static_cast<const aoi::Exception&>(decl).fields);
    case aoi::Decl::Kind::Union: {
      const auto& cases = static_cast<const aoi::Union&>(decl).cases;
      return std::any_of(cases.begin(), cases.end(),
                         [&](const auto& c) { return local(c.field.type, seen); });
    }
    default:
      return false;
  }
}

bool map_in(const aoi::Decl& decl, std::set<const aoi::Decl*>& seen);

bool map_in(const aoi::Type& type, std::set<const aoi::Decl*>& seen) {
  const auto is_data = [](const aoi::Decl& d) {
    return d.kind == aoi::Decl::Kind::Struct || d.kind == aoi::Decl::Kind::Union ||
           d.kind == aoi::Decl::Kind::Typedef;
  };
  return type.kind == aoi::Type::Kind::Map || (type.element && map_in(*type.element, seen)) ||
         (type.decl && is_data(*type.decl) && map_in(*type.decl, seen));
}

bool map_in(const aoi::Decl& decl, std::set<const aoi::Decl*>& seen) {
  if (!seen.insert(&decl).second) return false;
  if (decl.kind == aoi::Decl::Kind::Struct) {
    const aoi::Struct* const base = static_cast<const aoi::Struct&>(decl).base;
    if (base && map_in(*base, seen)) return true;
  }
  bool found = false;
  aoi::for_each_type(decl, [&](const aoi::Type& t) { found = found || map_in(t, seen); });
  return found;
}

}  // namespace

std::string state_name(const std::string& member) {
  const bool taken = member == "clear" || member == "new" || member == "put_state" || member == "get_state";
  return (taken ? "_state_" : "_corbel_") + member;
}

bool is_variable(const aoi::Type* type) {
  std::set<const aoi::Decl*> open;
  return variable(type, open);
}

bool is_local(const aoi::Decl& decl) {
  std::set<const aoi::Decl*> seen;
  return local(decl, seen);
}

bool holds_map(const aoi::Decl& decl) {
  std::set<const aoi::Decl*> seen;
  return map_in(decl, seen);
}

bool holds_map(const aoi::Type* type) {
  std::set<const aoi::Decl*> seen;
  return map_in(*type, seen);
}

Passing passing(const aoi::Type* type) {
  const aoi::Type* const t = aoi::resolve(type);
  switch (t->kind) {
    case aoi::Type::Kind::Basic:
      return Passing::Value;
    case aoi::Type::Kind::String:
      return Passing::String;
    case aoi::Type::Kind::Sequence:
      return Passing::Sequence;
    case aoi::Type::Kind::Object:
    case aoi::Type::Kind::TypeCode:
      return Passing::Reference;
    case aoi::Type::Kind::WString:
      return Passing::WString;
    case aoi::Type::Kind::Fixed:
      return Passing::FixedStruct;
    case aoi::Type::Kind::Any:
    case aoi::Type::Kind::Map:
      return Passing::VariableStruct;
    case aoi::Type::Kind::ValueBase:
      return Passing::ValueType;
    case aoi::Type::Kind::Array:
      return is_variable(t) ? Passing::VariableArray : Passing::FixedArray;
    case aoi::Type::Kind::Named:
      break;
  }
  switch (t->decl->kind) {
    case aoi::Decl::Kind::Interface:
      return Passing::Reference;
    case aoi::Decl::Kind::Enum:
    case aoi::Decl::Kind::Bitmask:
    case aoi::Decl::Kind::Native:
      return Passing::Value;
    case aoi::Decl::Kind::Value:
    case aoi::Decl::Kind::ValueBox:
      return Passing::ValueType;
    default:
      break;
  }
  return is_variable(t) ? Passing::VariableStruct : Passing::FixedStruct;
}

Ownership ownership(Passing passing, aoi::Parameter::Mode mode) {
  if (mode == aoi::Parameter::Mode::In) return Ownership::Lent;
  const bool fixed =
      passing == Passing::Value || passing == Passing::FixedStruct || passing == Passing::FixedArray;
  if (fixed) return Ownership::Filled;
  return mode == aoi::Parameter::Mode::InOut ? Ownership::Replaced : Ownership::Given;
}

Ownership result_ownership(Passing passing) {
  return passing == Passing::Value || passing == Passing::FixedStruct ? Ownership::Held : Ownership::Given;
}

}  // namespace corbel::idl::pres
