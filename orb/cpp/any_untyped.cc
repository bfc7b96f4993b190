// Values that a TypeCode and an address tell of.
#include <corbel/cpp/any.h>

#include <cstring>

namespace CORBA {
namespace {

using corbel::types::Kind;

template <typename T>
void put_number(Any& any, TypeCode& type, void* value, Boolean release) {
  any._corbel_put(type, value, sizeof(T));
  if (release) delete static_cast<T*>(value);
}

template <typename T>
void take(T* value, Boolean release) {
  if (release) delete value;
}

}  // namespace

Any::Any(TypeCode_ptr type, void* value, Boolean release) { replace(type, value, release); }

void Any::replace_all(TypeCode_ptr type, void* value, Boolean release) {
  if (!type) throw BAD_PARAM();
  if (!value) return become(*type);
  const corbel::types::TypeCode& resolved = *corbel::types::resolve(type);
  if (resolved.kind == Kind::Null || resolved.kind == Kind::Void) return become(*type);
  Any made;
  switch (resolved.kind) {
    case Kind::Boolean:
      put_number<Boolean>(made, *type, value, release);
      break;
    case Kind::Char:
    case Kind::Octet:
      put_number<Octet>(made, *type, value, release);
      break;
    case Kind::Short:
    case Kind::UShort:
      put_number<UShort>(made, *type, value, release);
      break;
    case Kind::Long:
    case Kind::ULong:
    case Kind::Enum:
      put_number<ULong>(made, *type, value, release);
      break;
    case Kind::Float:
      put_number<Float>(made, *type, value, release);
      break;
    case Kind::LongLong:
    case Kind::ULongLong:
      put_number<ULongLong>(made, *type, value, release);
      break;
    case Kind::Double:
      put_number<Double>(made, *type, value, release);
      break;
    case Kind::LongDouble:
      made <<= *static_cast<LongDouble*>(value);
      take(static_cast<LongDouble*>(value), release);
      break;
    case Kind::WChar:
      made <<= from_wchar(*static_cast<WChar*>(value));
      take(static_cast<WChar*>(value), release);
      break;
    case Kind::String:
      made <<= from_string(*static_cast<char**>(value), resolved.length, release);
      break;
    case Kind::WString:
      made <<= from_wstring(*static_cast<WChar**>(value), resolved.length, release);
      break;
    case Kind::Fixed:
      if (resolved.special < 0) throw BAD_TYPECODE();
      made <<= from_fixed(*static_cast<Fixed*>(value), static_cast<UShort>(resolved.length),
                          static_cast<UShort>(resolved.special));
      take(static_cast<Fixed*>(value), release);
      break;
    case Kind::Any:
      if (release) made <<= static_cast<Any*>(value);
      else made <<= *static_cast<const Any*>(value);
      break;
    case Kind::TypeCode:
      if (release) made <<= static_cast<TypeCode_ptr*>(value);
      else made <<= *static_cast<TypeCode_ptr*>(value);
      break;
    case Kind::ObjRef:
      corbel::cpp::insert_reference(
          made, *type,
          release ? *static_cast<Object_ptr*>(value) : Object::_duplicate(*static_cast<Object_ptr*>(value)));
      break;
    default:
      corbel::cpp::raise({corbel::SystemErrorId::NO_IMPLEMENT, corbel::Completion::No, 0,
                          "only the operators that were generated for a type know how its values look"});
  }
  made.type(type);
  swap(made);
}

}  // namespace CORBA
