// Calls to objects of the same ORB without messages, for operations whose arguments and results are the same
// to both sides without having been marshaled.
#pragma once

#include <string>

#include "compiler/backends/compiled/coder.h"

namespace corbel::idl::compiled {

// In a stub, behind the test for nil: the call, where there is such a way. False if the operation has none.
bool print_collocated_call(Writer& w, const Input& input, const pres::Interface& interface,
                           const pres::Operation& operation, std::size_t index, const Done& done);
// The functions that stubs call, and the virtual function that leads to them.
void print_collocated_functions(Writer& w, const Input& input, const pres::Interface& interface,
                                const Done& done);

}  // namespace corbel::idl::compiled
