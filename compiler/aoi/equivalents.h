// AOI to AOI: what languages see of components (CORBA 3.4 part 3, "equivalent IDL"; IDL 4.2, "Components").
#pragma once

#include "compiler/aoi/aoi.h"
#include "compiler/source/diagnostics.h"

namespace corbel::idl::aoi {

// Puts interfaces in the place of components, connectors and homes, whose ports and makers become operations,
// and behind every eventtype the interface of its consumers; extended ports become those that they consist
// of. Whatever referred to a component refers to its interface then. A contract without all of these stays as
// it is.
//
// Reported are clashes of names that are made here, and the lack of what module Components has to declare.
void make_equivalents(Contract& contract, Diagnostics& diagnostics);

}  // namespace corbel::idl::aoi
