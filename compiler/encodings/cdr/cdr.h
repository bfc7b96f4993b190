// The wire plan of messages in CDR (CORBA 3.4 part 2, "CDR Transfer Syntax").
#pragma once

#include "compiler/plan/plan.h"

namespace corbel::idl::cdr {

plan::Plan make_plan(const mint::Graph& graph, const plan::Options& options);

}  // namespace corbel::idl::cdr
