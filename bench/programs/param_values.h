// The values that the papers send: strings of 128 characters, sequences of 9 elements.
#pragma once

#include <string>

#include "param.stub.h"

namespace bench {

constexpr CORBA::ULong kParamElements = 9;

inline void set(Param_Test::StrSeq& value) {
  const std::string text(128, 'c');
  value.length(kParamElements);
  for (CORBA::ULong i = 0; i < kParamElements; ++i) value[i] = text.c_str();
}
inline void set(Param_Test::Fixed_Struct& value) { value = {1, 'c', 2, 3, 0.5F, true, 0.25}; }
inline void set(Param_Test::Var_Struct& value) {
  const std::string text(128, 'c');
  value.dummy1 = text.c_str();
  value.dummy2 = text.c_str();
  set(value.seq);
}
inline void set(Param_Test::Nested_Struct& value) { set(value.vs); }
inline void set(Param_Test::StructSeq& value) {
  value.length(kParamElements);
  for (CORBA::ULong i = 0; i < kParamElements; ++i) set(value[i]);
}

}  // namespace bench
