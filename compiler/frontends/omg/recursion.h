// Which types reach themselves, and how many levels they are made of.
#pragma once

#include <cstddef>
#include <vector>

#include "compiler/aoi/aoi.h"

namespace corbel::idl::omg {

// Sets `recursive` of every struct and union in `types` that can contain itself, through sequences. Gives
// those that are made of more levels than `tallest`.
std::vector<const aoi::Decl*> mark_recursive(const std::vector<aoi::Decl*>& types, std::size_t tallest);

}  // namespace corbel::idl::omg
