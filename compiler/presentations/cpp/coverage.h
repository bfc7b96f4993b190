// What of a contract the classic C++ mapping cannot present.
#pragma once

#include "compiler/aoi/aoi.h"
#include "compiler/source/diagnostics.h"

namespace corbel::idl::cpp {

// Reports each construct of the main file, where it stands, for which no code can be generated.
void check_coverage(const aoi::Contract& contract, Diagnostics& diagnostics);

}  // namespace corbel::idl::cpp
