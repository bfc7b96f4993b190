// Unions of the classic C++ mapping (OMG C++ mapping 1.3, "Mapping for Union Types").
#pragma once

#include <string>

#include "compiler/aoi/aoi.h"
#include "compiler/source/writer.h"

namespace corbel::idl::cpp {

// The public and private members of the class, and the definitions of those that are not inline.
void print_union_class(Writer& w, const aoi::Union& u);
void print_union_members(Writer& w, const aoi::Union& u);
// A discriminator value in C++.
std::string label_text(const aoi::Union& u, std::int64_t label, const std::string& name);
// The value that selects a case when its member is set.
std::string first_label(const aoi::Union& u, const aoi::Union::Case& c);

}  // namespace corbel::idl::cpp
