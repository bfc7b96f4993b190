// Declarations that the run time's headers hold already: those of CORBA's own IDL that the ORB itself needs.
// Contracts declare them again, or include files that do; no code is generated for them.
#pragma once

#include <set>
#include <string>

#include "compiler/aoi/aoi.h"

namespace corbel::idl::cpp {

// The header that holds it: "corbel/cpp/policy.h"; null: none does.
const char* provided_by(const aoi::Decl& decl);
// Headers of all that the main file declares and the run time holds.
std::set<std::string> provided_headers(const aoi::Contract& contract);
// Code is generated for it.
inline bool generated(const aoi::Decl& decl) { return decl.in_main_file && !provided_by(decl); }

}  // namespace corbel::idl::cpp
