// NAME.any.h and NAME.any.cc of the classic C++ mapping: TypeCodes of a contract's types, and the operators
// that put values of these types into an Any and get them out.
#pragma once

#include <string>

#include "compiler/presentations/cpp/presentation.h"

namespace corbel::idl::cpp {

std::string any_header(const aoi::Contract& contract, const pres::Presentation& presentation,
                       const Options& options, const std::string& base_name);
// Behind the inclusion of the header. `arrays`: what the back end knows of marshaling arrays.
std::string any_definitions(const pres::Presentation& presentation, const std::string& arrays);

// What any_definitions() calls the class with marshal() and unmarshal() of an array.
std::string any_array_class(const aoi::Decl& array);
// Whether operators take the declaration's values.
bool has_any_operators(const pres::Declaration& declaration);

}  // namespace corbel::idl::cpp
