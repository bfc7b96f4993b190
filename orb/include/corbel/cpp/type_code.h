// TypeCodes of the classic C++ mapping (CORBA 3.4 part 1, "TypeCodes"; OMG C++ mapping 1.3, "TypeCode").
//
// Immutable: any thread may use them. Generated ones are constants in corbel::tc, named like the IDL's
// declarations with _tc_ before the last name; M::_tc_X points to them. Reference counts of constants are not
// counted.
#pragma once

#include <corbel/cpp/local_exception.h>
#include <corbel/cpp/object.h>
#include <corbel/types/type_code.h>

namespace CORBA {

enum TCKind : ULong {
  tk_null,
  tk_void,
  tk_short,
  tk_long,
  tk_ushort,
  tk_ulong,
  tk_float,
  tk_double,
  tk_boolean,
  tk_char,
  tk_octet,
  tk_any,
  tk_TypeCode,
  tk_Principal,
  tk_objref,
  tk_struct,
  tk_union,
  tk_enum,
  tk_string,
  tk_sequence,
  tk_array,
  tk_alias,
  tk_except,
  tk_longlong,
  tk_ulonglong,
  tk_longdouble,
  tk_wchar,
  tk_wstring,
  tk_fixed,
  tk_value,
  tk_value_box,
  tk_native,
  tk_abstract_interface,
  tk_local_interface,
  tk_component,
  tk_home,
  tk_event
};
typedef TCKind& TCKind_out;

typedef Short Visibility;
constexpr Visibility PRIVATE_MEMBER = 0;
constexpr Visibility PUBLIC_MEMBER = 1;
typedef Short ValueModifier;
constexpr ValueModifier VM_NONE = 0;
constexpr ValueModifier VM_CUSTOM = 1;
constexpr ValueModifier VM_ABSTRACT = 2;
constexpr ValueModifier VM_TRUNCATABLE = 3;

class Any;
class TypeCode;
typedef TypeCode* TypeCode_ptr;
typedef corbel::cpp::ObjectVar<TypeCode> TypeCode_var;
typedef corbel::cpp::ObjectOut<TypeCode> TypeCode_out;

class [[gnu::visibility("default")]] TypeCode : public corbel::types::TypeCode {
 public:
  typedef TypeCode_ptr _ptr_type;
  typedef TypeCode_var _var_type;

  // The operation has no meaning for a TypeCode of this kind.
  class [[gnu::visibility("default")]] BadKind : public corbel::cpp::LocalException<BadKind> {
   public:
    static constexpr const char* kName = "BadKind";
    static constexpr const char* kId = "IDL:omg.org/CORBA/TypeCode/BadKind:1.0";
  };
  // The index is not below member_count().
  class [[gnu::visibility("default")]] Bounds : public corbel::cpp::LocalException<Bounds> {
   public:
    static constexpr const char* kName = "Bounds";
    static constexpr const char* kId = "IDL:omg.org/CORBA/TypeCode/Bounds:1.0";
  };

  using corbel::types::TypeCode::TypeCode;

  static TypeCode_ptr _duplicate(TypeCode_ptr type) {
    if (type && type->block) corbel::types::retain(type);
    return type;
  }
  static TypeCode_ptr _nil() { return nullptr; }
  static TypeCode_ptr _narrow(TypeCode_ptr type) { return _duplicate(type); }
  void _corbel_add_ref() { corbel::types::retain(this); }
  void _corbel_remove_ref() { corbel::types::release(this); }

  // Everything alike, names and ids included; a nil argument is BAD_PARAM.
  Boolean equal(TypeCode_ptr other) const;
  // Values of one are values of the other: aliases are looked through, ids decide where both have one, names
  // do not count.
  Boolean equivalent(TypeCode_ptr other) const;
  // Without names. The caller releases it.
  TypeCode_ptr get_compact_typecode() const;
  // This and all others raise BAD_TYPECODE (OMG minor 1) for what create_recursive_tc gave, which stays so:
  // in the type that was made of it, member_type() gives that type in its place.
  TCKind kind() const {
    if (data().kind == corbel::types::Kind::Recursive) raise_incomplete();
    return static_cast<TCKind>(data().kind);
  }

  // Strings stay the TypeCode's. Those below raise BadKind where they do not apply.
  const char* id() const;
  const char* name() const;
  ULong member_count() const;
  const char* member_name(ULong index) const;
  // The caller releases it; so with all that give a TypeCode.
  TypeCode_ptr member_type(ULong index) const;
  // Holds a value of the discriminator's type; for the default case octet 0. The caller deletes it.
  Any* member_label(ULong index) const;
  TypeCode_ptr discriminator_type() const;
  Long default_index() const;
  ULong length() const;
  TypeCode_ptr content_type() const;
  UShort fixed_digits() const;
  Short fixed_scale() const;
  Visibility member_visibility(ULong index) const;
  ValueModifier type_modifier() const;
  TypeCode_ptr concrete_base_type() const;

 private:
  const corbel::types::TypeCode& data() const { return *this; }
  void raise_incomplete() const;
};

inline void release(TypeCode* type) { corbel::types::release(type); }
inline Boolean is_nil(TypeCode* type) { return type == nullptr; }

}  // namespace CORBA

// Constants of the types that IDL knows by itself.
namespace corbel::tc {

[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_null;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_void;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_short;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_long;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_ushort;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_ulong;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_float;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_double;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_boolean;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_char;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_octet;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_any;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_TypeCode;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_Principal;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_longlong;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_ulonglong;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_longdouble;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_wchar;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_string;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_wstring;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_Object;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_ValueBase;

}  // namespace corbel::tc

namespace CORBA {

constexpr TypeCode_ptr _tc_null = &corbel::tc::_tc_null;
constexpr TypeCode_ptr _tc_void = &corbel::tc::_tc_void;
constexpr TypeCode_ptr _tc_short = &corbel::tc::_tc_short;
constexpr TypeCode_ptr _tc_long = &corbel::tc::_tc_long;
constexpr TypeCode_ptr _tc_ushort = &corbel::tc::_tc_ushort;
constexpr TypeCode_ptr _tc_ulong = &corbel::tc::_tc_ulong;
constexpr TypeCode_ptr _tc_float = &corbel::tc::_tc_float;
constexpr TypeCode_ptr _tc_double = &corbel::tc::_tc_double;
constexpr TypeCode_ptr _tc_boolean = &corbel::tc::_tc_boolean;
constexpr TypeCode_ptr _tc_char = &corbel::tc::_tc_char;
constexpr TypeCode_ptr _tc_octet = &corbel::tc::_tc_octet;
constexpr TypeCode_ptr _tc_any = &corbel::tc::_tc_any;
constexpr TypeCode_ptr _tc_TypeCode = &corbel::tc::_tc_TypeCode;
constexpr TypeCode_ptr _tc_Principal = &corbel::tc::_tc_Principal;
constexpr TypeCode_ptr _tc_longlong = &corbel::tc::_tc_longlong;
constexpr TypeCode_ptr _tc_ulonglong = &corbel::tc::_tc_ulonglong;
constexpr TypeCode_ptr _tc_longdouble = &corbel::tc::_tc_longdouble;
constexpr TypeCode_ptr _tc_wchar = &corbel::tc::_tc_wchar;
constexpr TypeCode_ptr _tc_string = &corbel::tc::_tc_string;
constexpr TypeCode_ptr _tc_wstring = &corbel::tc::_tc_wstring;
constexpr TypeCode_ptr _tc_Object = &corbel::tc::_tc_Object;
constexpr TypeCode_ptr _tc_ValueBase = &corbel::tc::_tc_ValueBase;

}  // namespace CORBA

namespace corbel::cdr {

// A nil TypeCode is BAD_TYPECODE.
[[gnu::visibility("default")]] void marshal(Encoder& out, CORBA::TypeCode_ptr type);
// Replaces what is there. False if malformed.
[[gnu::visibility("default")]] bool unmarshal(Decoder& in, CORBA::TypeCode_ptr& type);
inline void marshal(Encoder& out, const cpp::ObjectVar<CORBA::TypeCode>& type) { marshal(out, type.in()); }
inline bool unmarshal(Decoder& in, cpp::ObjectVar<CORBA::TypeCode>& type) {
  return unmarshal(in, type.inout());
}

}  // namespace corbel::cdr

// What marshal programs (corbel/cpp/programs.h) do with them.
namespace corbel::cpp::programs {

template <typename T>
struct TypeCodeOf {
  static void put(cdr::Encoder& out, const void* value) { cdr::marshal(out, *static_cast<T* const*>(value)); }
  static bool get(cdr::Decoder& in, void* value) { return cdr::unmarshal(in, *static_cast<T**>(value)); }
  static void destruct(void* value, bool) { drop(static_cast<T*>(value)); }
};

}  // namespace corbel::cpp::programs
