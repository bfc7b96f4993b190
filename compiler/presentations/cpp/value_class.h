// Valuetypes of the classic C++ mapping (OMG C++ mapping 1.3, "Mapping for Valuetypes").
#pragma once

#include <functional>
#include <string>

#include "compiler/aoi/aoi.h"
#include "compiler/pres/pres.h"
#include "compiler/source/writer.h"

namespace corbel::idl::cpp {

// The class's name and what holds and passes it.
void print_value_types(Writer& w, const std::string& name);
// The abstract class; `nested` prints the declarations inside it.
void print_value_class(Writer& w, const aoi::Value& v, const std::string& exported,
                       const std::function<void(const aoi::Decl&)>& nested);
void print_value_box(Writer& w, const aoi::ValueBox& b, const std::string& exported);
// OBV_X and X_init of every value, behind all other declarations of the header.
void print_value_state_classes(Writer& w, const pres::Presentation& presentation,
                               const std::string& exported);
// Their members that do not marshal.
void print_value_members(Writer& w, const aoi::Value& v);

}  // namespace corbel::idl::cpp
