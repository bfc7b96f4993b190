// Abstract interfaces in Anys. Included by generated code that has some.
//
// <<= of a pointer adds a count, <<= of the address of a pointer takes one over. >>= lends what the Any
// holds.
#pragma once

#include <corbel/cpp/abstract.h>
#include <corbel/cpp/any.h>

namespace corbel::cpp {

template <typename A>
inline constexpr AnyOperations kAbstractOperations = {
    [](const void* value) -> void* { return new ObjectVar<A>(*static_cast<const ObjectVar<A>*>(value)); },
    [](void* value) { delete static_cast<ObjectVar<A>*>(value); },
    [](cdr::Encoder& out, const void* value) { put_abstract(out, *static_cast<const ObjectVar<A>*>(value)); },
    [](cdr::Decoder& in) -> void* {
      ObjectVar<A> value;
      return get_abstract(in, value) ? new ObjectVar<A>(value) : nullptr;
    },
    nullptr,
    nullptr,
    0,
    0,
    nullptr,
    [](const void* value) -> CORBA::AbstractBase* { return static_cast<const ObjectVar<A>*>(value)->in(); }};

// Takes over a count.
template <typename A>
void insert_abstract(CORBA::Any& any, CORBA::TypeCode& type, A* adopted) {
  any._corbel_adopt(type, new ObjectVar<A>(adopted), kAbstractOperations<A>);
}
// Of whatever abstract interface.
[[gnu::visibility("default")]] void insert_abstract_base(CORBA::Any& any, CORBA::TypeCode& type,
                                                         CORBA::AbstractBase_ptr adopted);
template <typename A>
bool extract_abstract(const CORBA::Any& any, CORBA::TypeCode& type, A*& value) {
  const void* const found = any._corbel_extract(type, kAbstractOperations<A>);
  if (found) value = static_cast<const ObjectVar<A>*>(found)->in();
  return found != nullptr;
}

}  // namespace corbel::cpp
