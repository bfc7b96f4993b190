// CORBA's own IDL files, which come with the compiler, and the names that they have elsewhere.
#pragma once

#include <string>

namespace corbel::idl {

// The file that is meant by `written`, a name in an #include: omniORB and TAO keep these files in folders of
// their own (COS/, tao/, orbsvcs/) and divide them in other ways. Empty if it cannot be one of them.
std::string standard_file(const std::string& written);

}  // namespace corbel::idl
