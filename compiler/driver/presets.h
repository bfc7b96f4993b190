// The command lines of other IDL compilers, so that build files written for them go on working.
#pragma once

#include <string>
#include <vector>

namespace corbel::idl {

struct Translation {
  std::vector<std::string> arguments;  // corbel-idl's own
  std::vector<std::string> notes;      // on what was asked for and will be missing
  std::string error;                   // what cannot be carried out; empty when all is well
};

// `arguments` without the program's name. Those without --preset NAME come back as they are.
Translation translate(const std::vector<std::string>& arguments);

// The presets that know this option, as "--preset omniidl"; empty if none does.
std::string presets_with(const std::string& option);

}  // namespace corbel::idl
