// Finds the runs of fixed layout in structs and in the bodies of messages.
//
// A struct may start at any offset. From the first value of alignment A on the offset is known modulo A, so
// that values of at most that alignment follow at constant offsets; a larger one begins the next chunk.
#pragma once

#include "compiler/plan/plan.h"

namespace corbel::idl::cdr {

void add_chunks(const mint::Graph& graph, plan::Plan& plan);

}  // namespace corbel::idl::cdr
