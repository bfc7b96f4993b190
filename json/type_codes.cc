#include "json/type_codes.h"

#include <algorithm>

#include <corbel/cpp/any.h>

namespace corbel::json {
namespace {

namespace aoi = idl::aoi;
using types::Kind;
using types::TypeCode;

Kind kind_of(aoi::Basic basic) {
  static constexpr Kind kKinds[] = {Kind::Void,       Kind::Boolean,   Kind::Octet, Kind::Char,
                                    Kind::Short,      Kind::UShort,    Kind::Long,  Kind::ULong,
                                    Kind::LongLong,   Kind::ULongLong, Kind::Float, Kind::Double,
                                    Kind::LongDouble, Kind::WChar,     Kind::Octet, Kind::Octet};
  return kKinds[static_cast<int>(basic)];
}

void collect(const aoi::Struct& s, std::vector<const aoi::Field*>& fields) {
  if (s.base) collect(*s.base, fields);
  for (const aoi::Field& f : s.fields) fields.push_back(&f);
}

std::uint32_t bits_of(const aoi::Decl& d) {
  if (d.kind == aoi::Decl::Kind::Bitmask) return static_cast<const aoi::Bitmask&>(d).bits;
  std::uint32_t bits = 0;
  for (const auto* b = static_cast<const aoi::Bitset*>(&d); b; b = b->base)
    for (const auto& f : b->fields) bits += f.width;
  return bits;
}

CORBA::TypeCode_ptr counted(const TypeCode* type) {
  types::retain(type);
  return static_cast<CORBA::TypeCode_ptr>(const_cast<TypeCode*>(type));
}

}  // namespace

CORBA::TypeCode_ptr TypeCodes::of(const aoi::Type& type) {
  const TypeCode* const made = make(type);
  describe_all();
  if (made) return counted(made);
  TypeCode* const none = block_->type();  // a map, or of maps: never travels
  none->kind = Kind::Native;
  return counted(none);
}
CORBA::TypeCode_ptr TypeCodes::of(const aoi::Decl& decl) {
  const TypeCode* const made = make(decl);
  describe_all();
  return counted(made);
}

const TypeCode* TypeCodes::make(const aoi::Type& type) {
  TypeCode* made = nullptr;
  const auto begin = [&](Kind kind, std::uint32_t length) {
    made = block_->type();
    made->kind = kind;
    made->length = length;
  };
  switch (type.kind) {
    case aoi::Type::Kind::Basic:
      if (type.basic == aoi::Basic::Int8) return &int8_type;
      return &types::constant(kind_of(type.basic));
    case aoi::Type::Kind::String:
      if (type.bound == 0) return CORBA::_tc_string;
      begin(Kind::String, type.bound);
      return made;
    case aoi::Type::Kind::WString:
      if (type.bound == 0) return CORBA::_tc_wstring;
      begin(Kind::WString, type.bound);
      return made;
    case aoi::Type::Kind::Fixed:
      begin(Kind::Fixed, type.digits);
      made->special = type.scale;
      return made;
    case aoi::Type::Kind::Sequence: {
      const TypeCode* const element = make(*type.element);
      if (!element) return nullptr;
      begin(Kind::Sequence, type.bound);
      made->content = element;
      return made;
    }
    case aoi::Type::Kind::Array: {
      const TypeCode* content = make(*type.element);
      if (!content) return nullptr;
      for (auto d = type.dims.rbegin(); d != type.dims.rend(); ++d) {
        begin(Kind::Array, *d);
        made->content = content;
        content = made;
      }
      return content;
    }
    case aoi::Type::Kind::Object:
      return CORBA::_tc_Object;
    case aoi::Type::Kind::Any:
      return CORBA::_tc_any;
    case aoi::Type::Kind::TypeCode:
      return CORBA::_tc_TypeCode;
    case aoi::Type::Kind::ValueBase:
      return CORBA::_tc_ValueBase;
    case aoi::Type::Kind::Map:
      return nullptr;
    case aoi::Type::Kind::Named:
      break;
  }
  return make(*type.decl);
}

const TypeCode* TypeCodes::make(const aoi::Decl& decl) {
  const auto [at, fresh] = made_.emplace(&decl, nullptr);
  if (!fresh) return at->second;
  TypeCode* const made = block_->type();
  at->second = made;  // which may be a part of itself
  made->id = block_->text(decl.repository_id);
  made->name = block_->text(decl.name);
  to_describe_.emplace_back(&decl, made);
  return made;
}

// Without recursion: valuetypes that hold each other can be as many as the contract has.
void TypeCodes::describe_all() {
  while (!to_describe_.empty()) {
    const auto [decl, made] = to_describe_.back();
    to_describe_.pop_back();
    describe(*decl, *made);
  }
}

void TypeCodes::members(const std::vector<Row>& rows, TypeCode& made) {
  if (rows.empty()) return;
  types::Member* const all = block_->members(static_cast<std::uint32_t>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    all[i] = {block_->text(rows[i].name), rows[i].type ? make(*rows[i].type) : nullptr, rows[i].label,
              rows[i].visibility};
    if (rows[i].type && !all[i].type) made.kind = Kind::Native;  // holds what never travels
  }
  made.members = all;
  made.member_count = static_cast<std::uint32_t>(rows.size());
}

void TypeCodes::describe(const aoi::Decl& d, TypeCode& made) {
  std::vector<Row> rows;
  switch (d.kind) {
    case aoi::Decl::Kind::Struct: {
      std::vector<const aoi::Field*> fields;
      collect(static_cast<const aoi::Struct&>(d), fields);
      for (const aoi::Field* f : fields) rows.push_back({f->name, f->type, 0, 0});
      made.kind = Kind::Struct;
      return members(rows, made);
    }
    case aoi::Decl::Kind::Exception:
      for (const aoi::Field& f : static_cast<const aoi::Exception&>(d).fields)
        rows.push_back({f.name, f.type, 0, 0});
      made.kind = Kind::Except;
      return members(rows, made);
    case aoi::Decl::Kind::Enum:
      for (const auto& e : static_cast<const aoi::Enum&>(d).enumerators)
        rows.push_back({e.name, nullptr, 0, 0});
      made.kind = Kind::Enum;
      return members(rows, made);
    case aoi::Decl::Kind::Union: {
      const auto& u = static_cast<const aoi::Union&>(d);
      made.kind = Kind::Union;
      made.special = -1;
      for (const auto& c : u.cases) {
        for (const std::int64_t label : c.labels) rows.push_back({c.field.name, c.field.type, label, 0});
        if (!c.is_default) continue;
        made.special = static_cast<std::int32_t>(rows.size());
        rows.push_back({c.field.name, c.field.type, 0, 0});
      }
      made.content = make(*u.discriminator);
      return members(rows, made);
    }
    case aoi::Decl::Kind::Typedef:
      made.content = make(*static_cast<const aoi::Typedef&>(d).type);
      made.kind = made.content ? Kind::Alias : Kind::Native;
      return;
    case aoi::Decl::Kind::Interface: {
      const auto& i = static_cast<const aoi::Interface&>(d);
      constexpr Kind kReferences[] = {Kind::ObjRef, Kind::Component, Kind::Home};
      made.kind = i.is_local      ? Kind::LocalInterface
                  : i.is_abstract ? Kind::AbstractInterface
                                  : kReferences[static_cast<std::size_t>(i.type_code)];
      return;
    }
    case aoi::Decl::Kind::Value: {
      const auto& v = static_cast<const aoi::Value&>(d);
      for (const auto& m : v.members)
        if (const auto* const* s = std::get_if<const aoi::Value::State*>(&m))
          rows.push_back(
              {(*s)->field.name, (*s)->field.type, 0, static_cast<std::int16_t>((*s)->is_public ? 1 : 0)});
      made.kind = v.is_event ? Kind::Event : Kind::Value;
      made.special = v.is_custom ? 1 : v.is_abstract ? 2 : v.is_truncatable ? 3 : 0;
      if (!v.bases.empty() && !v.bases[0]->is_abstract) made.content = make(*v.bases[0]);
      return members(rows, made);
    }
    case aoi::Decl::Kind::ValueBox:
      made.kind = Kind::ValueBox;
      made.content = make(*static_cast<const aoi::ValueBox&>(d).type);
      if (!made.content) made.kind = Kind::Native;
      return;
    case aoi::Decl::Kind::Bitmask:
    case aoi::Decl::Kind::Bitset: {
      const std::uint32_t bits = bits_of(d);
      made.kind = Kind::Alias;
      made.content = &types::constant(bits <= 8    ? Kind::Octet
                                      : bits <= 16 ? Kind::UShort
                                      : bits <= 32 ? Kind::ULong
                                                   : Kind::ULongLong);
      return;
    }
    default:
      made.kind = Kind::Native;
      return;
  }
}

}  // namespace corbel::json
