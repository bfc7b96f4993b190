// The declarations of NAME.stub.h.
#pragma once

#include <string>

#include "compiler/presentations/cpp/presentation.h"
#include "compiler/source/writer.h"

namespace corbel::idl::cpp {

// Whether a declaration of this kind may come more than once, and what this one is then.
bool may_be_forward(const aoi::Decl& decl);
bool is_forward(const aoi::Decl& decl);
bool is_complete(const aoi::Decl& decl);

// X, only declared, and X_ptr, X_var and X_out.
void print_reference_types(Writer& out, const std::string& name);
// Those of the main file, in their namespaces.
void print_declarations(Writer& out, const aoi::Contract& contract, const pres::Presentation& presentation,
                        const Options& options);

}  // namespace corbel::idl::cpp
