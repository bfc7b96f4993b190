// Names that the mapping makes of the contract's own: X_var, X_out, POA_X ...
#pragma once

#include "compiler/aoi/aoi.h"
#include "compiler/source/diagnostics.h"

namespace corbel::idl::cpp {

// Reports declarations that have such a name themselves: C++ could not tell the two apart. `tie`: of
// POA_X_tie, too. And members that are inherited by what has their name: in C++ this is a constructor's
// there.
void check_made_names(const aoi::Contract& contract, Diagnostics& diagnostics, bool tie);

}  // namespace corbel::idl::cpp
