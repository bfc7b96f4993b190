#include <corbel/cpp/any.h>
#include <corbel/cpp/type_code.h>

#include <new>

#include "orb/ior/assigned.h"

namespace corbel {

namespace tc {

using types::Kind;

namespace {

constexpr CORBA::TypeCode basic(Kind kind) { return {kind, "", "", nullptr, nullptr, 0}; }

}  // namespace

constinit CORBA::TypeCode _tc_null = basic(Kind::Null);
constinit CORBA::TypeCode _tc_void = basic(Kind::Void);
constinit CORBA::TypeCode _tc_short = basic(Kind::Short);
constinit CORBA::TypeCode _tc_long = basic(Kind::Long);
constinit CORBA::TypeCode _tc_ushort = basic(Kind::UShort);
constinit CORBA::TypeCode _tc_ulong = basic(Kind::ULong);
constinit CORBA::TypeCode _tc_float = basic(Kind::Float);
constinit CORBA::TypeCode _tc_double = basic(Kind::Double);
constinit CORBA::TypeCode _tc_boolean = basic(Kind::Boolean);
constinit CORBA::TypeCode _tc_char = basic(Kind::Char);
constinit CORBA::TypeCode _tc_octet = basic(Kind::Octet);
constinit CORBA::TypeCode _tc_any = basic(Kind::Any);
constinit CORBA::TypeCode _tc_TypeCode = basic(Kind::TypeCode);
constinit CORBA::TypeCode _tc_Principal = basic(Kind::Principal);
constinit CORBA::TypeCode _tc_longlong = basic(Kind::LongLong);
constinit CORBA::TypeCode _tc_ulonglong = basic(Kind::ULongLong);
constinit CORBA::TypeCode _tc_longdouble = basic(Kind::LongDouble);
constinit CORBA::TypeCode _tc_wchar = basic(Kind::WChar);
constinit CORBA::TypeCode _tc_string = basic(Kind::String);
constinit CORBA::TypeCode _tc_wstring = basic(Kind::WString);
constinit CORBA::TypeCode _tc_Object{
    Kind::ObjRef, "IDL:omg.org/CORBA/Object:1.0", "Object", nullptr, nullptr, 0};
constinit CORBA::TypeCode _tc_ValueBase{
    Kind::Value, "IDL:omg.org/CORBA/ValueBase:1.0", "ValueBase", nullptr, nullptr, 0};

}  // namespace tc

namespace types {

TypeCode* construct(void* place) { return new (place) CORBA::TypeCode; }

TypeCode& constant(Kind kind) {
  static CORBA::TypeCode* const all[] = {
      &tc::_tc_null,  &tc::_tc_void,  &tc::_tc_short,    &tc::_tc_long,     &tc::_tc_ushort,
      &tc::_tc_ulong, &tc::_tc_float, &tc::_tc_double,   &tc::_tc_boolean,  &tc::_tc_char,
      &tc::_tc_octet, &tc::_tc_any,   &tc::_tc_TypeCode, &tc::_tc_Principal};
  switch (kind) {
    case Kind::String:
      return tc::_tc_string;
    case Kind::LongLong:
      return tc::_tc_longlong;
    case Kind::ULongLong:
      return tc::_tc_ulonglong;
    case Kind::LongDouble:
      return tc::_tc_longdouble;
    case Kind::WChar:
      return tc::_tc_wchar;
    case Kind::WString:
      return tc::_tc_wstring;
    default:
      return *all[static_cast<std::uint32_t>(kind)];
  }
}

}  // namespace types

namespace cdr {

void marshal(Encoder& out, CORBA::TypeCode_ptr type) {
  if (type) types::marshal(out, *type);
  else out.fail({SystemErrorId::BAD_TYPECODE, Completion::No, 0, "a nil TypeCode cannot be sent"});
}

bool unmarshal(Decoder& in, CORBA::TypeCode_ptr& type) {
  types::TypeCode* const fresh = types::unmarshal(in);
  if (!fresh) return false;
  types::release(type);
  type = static_cast<CORBA::TypeCode*>(fresh);
  return true;
}

}  // namespace cdr

}  // namespace corbel

namespace CORBA {
namespace {

using corbel::types::Kind;

bool has_members(Kind kind) {
  return kind == Kind::Struct || kind == Kind::Union || kind == Kind::Enum || kind == Kind::Except ||
         kind == Kind::Value || kind == Kind::Event;
}
bool is_value(Kind kind) { return kind == Kind::Value || kind == Kind::Event; }
bool has_id(Kind kind) {
  switch (kind) {
    case Kind::ObjRef:
    case Kind::Alias:
    case Kind::ValueBox:
    case Kind::Native:
    case Kind::AbstractInterface:
    case Kind::LocalInterface:
    case Kind::Component:
    case Kind::Home:
      return true;
    default:
      return has_members(kind);
  }
}

// What create_recursive_tc gave can be asked nothing.
void require_complete(const corbel::types::TypeCode& type) {
  if (type.kind == Kind::Recursive)
    corbel::cpp::raise({corbel::SystemErrorId::BAD_TYPECODE, corbel::Completion::No,
                        corbel::assigned::kOmgMinor | 1,
                        "a recursive TypeCode is only of use inside the type of its id"});
}
void require(const corbel::types::TypeCode& type, bool applies) {
  require_complete(type);
  if (!applies) throw TypeCode::BadKind();
}

// The type behind a constant pointer, counted for the caller.
TypeCode_ptr handed_out(const corbel::types::TypeCode* type) {
  return TypeCode::_duplicate(const_cast<TypeCode_ptr>(static_cast<const TypeCode*>(type)));
}

}  // namespace

void TypeCode::raise_incomplete() const { require_complete(*this); }

Boolean TypeCode::equal(TypeCode_ptr other) const {
  if (!other) throw BAD_PARAM();
  require_complete(*this);
  require_complete(*other);
  return corbel::types::equal(*this, *other);
}

Boolean TypeCode::equivalent(TypeCode_ptr other) const {
  if (!other) throw BAD_PARAM();
  require_complete(*this);
  require_complete(*other);
  return corbel::types::equivalent(*this, *other);
}

TypeCode_ptr TypeCode::get_compact_typecode() const {
  require_complete(*this);
  auto* const compact = corbel::types::copy(*this, true);
  if (!compact) throw NO_MEMORY();
  return static_cast<TypeCode_ptr>(compact);
}

const char* TypeCode::id() const {
  require(*this, has_id(data().kind));
  return data().id;
}

const char* TypeCode::name() const {
  require(*this, has_id(data().kind));
  return data().name;
}

ULong TypeCode::member_count() const {
  require(*this, has_members(data().kind));
  return data().member_count;
}

const char* TypeCode::member_name(ULong index) const {
  if (index >= member_count()) throw Bounds();
  return data().members[index].name;
}

TypeCode_ptr TypeCode::member_type(ULong index) const {
  require(*this, data().kind != Kind::Enum);
  if (index >= member_count()) throw Bounds();
  return handed_out(data().members[index].type);
}

TypeCode_ptr TypeCode::discriminator_type() const {
  require(*this, data().kind == Kind::Union);
  return handed_out(data().content);
}

Long TypeCode::default_index() const {
  require(*this, data().kind == Kind::Union);
  return data().special;
}

Any* TypeCode::member_label(ULong index) const {
  require(*this, data().kind == Kind::Union);
  if (index >= member_count()) throw Bounds();
  Any_var any = new Any;
  if (static_cast<Long>(index) == data().special) any.inout() <<= Any::from_octet(0);
  else any->_corbel_label(*TypeCode_var(handed_out(data().content)).in(), data().members[index].label);
  return any._retn();
}

ULong TypeCode::length() const {
  const Kind k = data().kind;
  require(*this, k == Kind::String || k == Kind::WString || k == Kind::Sequence || k == Kind::Array);
  return data().length;
}

TypeCode_ptr TypeCode::content_type() const {
  const Kind k = data().kind;
  require(*this, k == Kind::Sequence || k == Kind::Array || k == Kind::Alias || k == Kind::ValueBox);
  return handed_out(data().content);
}

UShort TypeCode::fixed_digits() const {
  require(*this, data().kind == Kind::Fixed);
  return static_cast<UShort>(data().length);
}

Short TypeCode::fixed_scale() const {
  require(*this, data().kind == Kind::Fixed);
  return static_cast<Short>(data().special);
}

Visibility TypeCode::member_visibility(ULong index) const {
  require(*this, is_value(data().kind));
  if (index >= data().member_count) throw Bounds();
  return data().members[index].visibility;
}

ValueModifier TypeCode::type_modifier() const {
  require(*this, is_value(data().kind));
  return static_cast<ValueModifier>(data().special);
}

TypeCode_ptr TypeCode::concrete_base_type() const {
  require(*this, is_value(data().kind));
  return handed_out(data().content);
}

}  // namespace CORBA
