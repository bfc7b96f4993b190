// How values of constants are spelled in C++.
#pragma once

#include <string>

#include "compiler/aoi/aoi.h"

namespace corbel::idl::cpp {

// An expression that a compiler computes: nothing is initialised at run time.
std::string literal(const aoi::Constant& constant);

}  // namespace corbel::idl::cpp
