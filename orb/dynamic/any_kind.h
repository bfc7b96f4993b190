// What requests without stubs ask of the values that they carry.
#pragma once

#include <corbel/any.h>

namespace corbel::dynamic {

// Whether there is nothing to send: the result of an operation that has none.
inline bool is_void(const CORBA::Any& value) {
  const types::TypeCode* type = &value._corbel_type();
  if (type->kind == types::Kind::Alias) type = types::resolve(type);
  return type->kind == types::Kind::Null || type->kind == types::Kind::Void;
}

}  // namespace corbel::dynamic
