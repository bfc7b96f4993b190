// TAO's names of templates that programs use in their own.
#pragma once

#include <corbel/corba.h>

template <typename T>
using TAO_Objref_Var_T = corbel::cpp::ObjectVar<T>;
template <typename T>
using TAO_Objref_Out_T = corbel::cpp::ObjectOut<T>;

namespace TAO {

// A string in a struct.
typedef corbel::cpp::StringMember String_Manager;

}  // namespace TAO
