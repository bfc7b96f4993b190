// File names of other IDL compilers, so that build files and #include lines written for them go on working.
#pragma once

#include <string>
#include <vector>

#include "compiler/driver/generate.h"

namespace corbel::idl {

// "omniidl": NAME.hh has everything, NAMESK.cc stubs and skeletons, NAMEDynSK.cc Any.
// "tao": NAMEC.h has stubs and Any, NAMES.h skeletons, NAMEC.cpp and NAMES.cpp what belongs to them;
// NAMEC.inl is empty. The headers include Corbel's own, which stand beside them.
std::vector<GeneratedFile> arrange(std::vector<GeneratedFile> files, const std::string& preset,
                                   const std::string& base_name, const GenerateOptions& options);

}  // namespace corbel::idl
