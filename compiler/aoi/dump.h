// AOI as text, for people and golden files.
#pragma once

#include <string>

#include "compiler/aoi/aoi.h"

namespace corbel::idl::aoi {

// The contract, with or without what it includes, one declaration a line, bodies indented. The same contract
// always gives the same text.
std::string dump(const Contract& contract, bool included = true);

// A type as IDL spells it: "sequence<::M::S, 3>", "long[2][3]".
std::string to_string(const Type& type);

// A value as IDL spells it.
std::string to_string(const Constant& constant);

}  // namespace corbel::idl::aoi
