// Values that a TypeCode and an address tell of.
#include <corbel/cpp/any.h>
#include <corbel/cpp/any_abstract.h>

#include <cstring>

namespace CORBA {
namespace {

using corbel::types::Kind;

// A variable that is copied, and then deleted if it was given: also where it does not fit the type.
template <typename T>
class Given {
 public:
  Given(void* value, Boolean release) : value_(static_cast<T*>(value)), release_(release) {}
  Given(const Given&) = delete;
  Given& operator=(const Given&) = delete;
  ~Given() {
    if (release_) delete value_;
  }
  const T& operator*() const { return *value_; }

 private:
  T* const value_;
  const Boolean release_;
};

// A counted pointer that is taken over, or counted once more.
template <typename T>
T* counted(void* variable, Boolean release) {
  T* const pointer = *static_cast<T**>(variable);
  return release ? pointer : T::_duplicate(pointer);
}

// What never travels, not even if it is nil.
constexpr corbel::cpp::AnyOperations kLocalOperations = {
    corbel::cpp::kReferenceOperations<Object>.copy, corbel::cpp::kReferenceOperations<Object>.destroy,
    [](corbel::cdr::Encoder& out, const void*) { corbel::cpp::put_local(out); },
    [](corbel::cdr::Decoder&) -> void* { return nullptr; }, corbel::cpp::kReferenceOperations<Object>.object};

template <typename T>
void put_number(Any& any, TypeCode& type, void* value, Boolean release) {
  const Given<T> given(value, release);
  any._corbel_put(type, value, sizeof(T));
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
      made <<= *Given<LongDouble>(value, release);
      break;
    case Kind::WChar:
      made <<= from_wchar(*Given<WChar>(value, release));
      break;
    case Kind::String:
      made <<= from_string(*static_cast<char**>(value), resolved.length, release);
      break;
    case Kind::WString:
      made <<= from_wstring(*static_cast<WChar**>(value), resolved.length, release);
      break;
    case Kind::Fixed: {
      const Given<Fixed> given(value, release);
      if (resolved.special < 0) throw BAD_TYPECODE();
      made <<=
          from_fixed(*given, static_cast<UShort>(resolved.length), static_cast<UShort>(resolved.special));
      break;
    }
    case Kind::Any:
      if (release) made <<= static_cast<Any*>(value);
      else made <<= *static_cast<const Any*>(value);
      break;
    case Kind::TypeCode:
      if (release) made <<= static_cast<TypeCode_ptr*>(value);
      else made <<= *static_cast<TypeCode_ptr*>(value);
      break;
    case Kind::ObjRef:
    case Kind::Component:
    case Kind::Home:
      corbel::cpp::insert_reference(made, *type, counted<Object>(value, release));
      break;
    case Kind::LocalInterface:
      made._corbel_adopt(*type, new Object_var(counted<Object>(value, release)), kLocalOperations);
      break;
    case Kind::AbstractInterface:
      corbel::cpp::insert_abstract_base(made, *type, counted<AbstractBase>(value, release));
      break;
    default:
      corbel::cpp::raise({corbel::SystemErrorId::NO_IMPLEMENT, corbel::Completion::No, 0,
                          "only the operators that were generated for a type know how its values look"});
  }
  made.type(type);
  swap(made);
}

}  // namespace CORBA
