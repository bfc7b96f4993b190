// What annotations say to the C++ of a contract.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/aoi/aoi.h"
#include "compiler/source/diagnostics.h"

namespace corbel::idl::cpp {

// The value that a member begins with: by its @default or that of its type, or by the @default_literal of its
// enum. It is written as a constant; one without a value says that nothing is asked for.
aoi::Constant initial_value(const aoi::Field& field);

// The lines that @verbatim puts at this place of a declaration.
std::vector<std::string> verbatim_lines(const aoi::Decl& decl, std::string_view placement);
// Those of all declarations of the main file: for the places that belong to the file.
std::vector<std::string> verbatim_lines(const aoi::Contract& contract, std::string_view placement);

// A member's comments, with its @unit.
std::vector<std::string> member_comments(const aoi::Field& field);

// Warns of annotations of the main file that change nothing here.
void check_annotations(const aoi::Contract& contract, Diagnostics& diagnostics);

}  // namespace corbel::idl::cpp
