// What the tests of DynAnys share.
#pragma once

#include <corbel/dynamic_any.h>
#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <string>

#include "dyn_any.any.h"

namespace da = DynamicAny;

inline CORBA::ORB_ptr test_orb() {
  static CORBA::ORB_var orb = [] {
    int argc = 0;
    return CORBA::ORB_init(argc, nullptr);
  }();
  return orb.in();
}

// The name of what is thrown.
template <typename Body>
std::string thrown(Body body) {
  try {
    body();
  } catch (const CORBA::Exception& e) {
    return e._name();
  }
  return "none";
}

template <typename T>
CORBA::Any any_of(const T& value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

class DynAnys : public testing::Test {
 protected:
  da::DynAnyFactory_var factory = [] {
    const CORBA::Object_var object = test_orb()->resolve_initial_references("DynAnyFactory");
    return da::DynAnyFactory::_narrow(object);
  }();

  da::DynAny_var made(CORBA::TypeCode_ptr type) { return factory->create_dyn_any_from_type_code(type); }
  template <typename T>
  da::DynAny_var of(const T& value) {
    return factory->create_dyn_any(any_of(value));
  }
  // As the narrower interface.
  template <typename I>
  static typename I::_var_type as(da::DynAny_ptr d) {
    return I::_narrow(d);
  }
};

// What the DynAny holds, as the mapping's type.
template <typename T>
const T& value_in(da::DynAny_ptr d) {
  static CORBA::Any_var kept;
  kept = d->to_any();
  const T* value = nullptr;
  EXPECT_TRUE(kept.in() >>= value);
  static const T kNone{};
  return value ? *value : kNone;
}
template <typename T>
T number_in(da::DynAny_ptr d) {
  const CORBA::Any_var any = d->to_any();
  T value{};
  EXPECT_TRUE(any.in() >>= value);
  return value;
}
