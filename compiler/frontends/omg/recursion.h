// Which types reach themselves.
#pragma once

#include <vector>

#include "compiler/aoi/aoi.h"

namespace corbel::idl::omg {

// Sets `recursive` of every struct and union in `types` that can contain itself, through sequences.
void mark_recursive(const std::vector<aoi::Decl*>& types);

}  // namespace corbel::idl::omg
