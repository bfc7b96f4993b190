// Valuetypes and boxes in Anys (OMG C++ mapping 1.3, "Mapping for the Any Type"). Included by generated code
// that has some.
//
// <<= of a pointer adds a count, <<= of the address of a pointer takes one over. >>= lends the value that the
// Any holds, which is the same one each time.
#pragma once

#include <corbel/cpp/any.h>
#include <corbel/cpp/value.h>

namespace corbel::cpp {

template <typename V>
inline constexpr AnyOperations kValueOperations = {
    [](const void* value) -> void* { return new ValueVar<V>(*static_cast<const ValueVar<V>*>(value)); },
    [](void* value) { delete static_cast<ValueVar<V>*>(value); },
    [](cdr::Encoder& out, const void* value) {
      put_value_base(out, static_cast<const ValueVar<V>*>(value)->in(), V::_corbel_expected()->id);
    },
    [](cdr::Decoder& in) -> void* {
      auto* const value = new ValueVar<V>();
      try {
        if (get_value(in, *value)) return value;
      } catch (...) {
        delete value;
        throw;
      }
      delete value;
      return nullptr;
    },
    nullptr,
    [](const void* value) -> CORBA::ValueBase* { return static_cast<const ValueVar<V>*>(value)->in(); }};

// Takes over a count.
template <typename V>
void insert_value(CORBA::Any& any, CORBA::TypeCode& type, V* adopted) {
  any._corbel_adopt(type, new ValueVar<V>(adopted), kValueOperations<V>);
}
template <typename V>
bool extract_value(const CORBA::Any& any, CORBA::TypeCode& type, V*& value) {
  CORBA::ValueBase* base;
  if (!any._corbel_value(type, kValueOperations<V>, base)) return false;
  V* const found = V::_downcast(base);
  if (base && !found) return false;
  value = found;
  return true;
}

}  // namespace corbel::cpp

namespace CORBA {

[[gnu::visibility("default")]] void operator<<=(Any& any, ValueBase* value);
[[gnu::visibility("default")]] void operator<<=(Any& any, ValueBase** value);
[[gnu::visibility("default")]] Boolean operator>>=(const Any& any, ValueBase*& value);

}  // namespace CORBA
