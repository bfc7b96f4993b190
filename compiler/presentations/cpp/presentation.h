// The classic C++ mapping: the declarations in NAME.stub.h and NAME.skel.h, and what of them is not
// marshaling.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/aoi/aoi.h"
#include "compiler/mint/mint.h"
#include "compiler/pres/pres.h"

namespace corbel::idl::cpp {

// What stands behind the contract's name in the names of a header and its source.
struct FileNames {
  std::string header, source;
};

struct Options {
  // Parts with the same name come in one file.
  FileNames stub{".stub.h", ".stub.cc"};
  FileNames skel{".skel.h", ".skel.cc"};
  FileNames any{".any.h", ".any.cc"};
  bool angle_includes = false;      // how headers of included contracts are named: <x> rather than "x"
  bool keep_include_paths = false;  // with the directory that the contract's #include has
  std::string stub_include_dir;     // before the name of the stubs' header in the other headers, "gen/"
  std::string export_macro;         // written before every class that clients use
  std::string skel_export_macro;    // before those from which servants derive
  std::string any_export_macro;     // before TypeCodes and operators of Any
  std::vector<std::string> export_includes;       // headers that define these macros
  std::vector<std::string> skel_export_includes;  // and those that only skeletons need
  bool tie = false;                               // POA_X_tie for every interface X
  bool with_any = true;                           // TypeCodes and operators of Any
};

pres::Presentation present(const aoi::Contract& contract, mint::Graph& graph);

// Headers, whole, except for the declarations of marshaling functions, which the back end supplies.
std::string stub_header(const aoi::Contract& contract, const pres::Presentation& presentation,
                        const Options& options, const std::string& base_name, const std::string& marshaling);
std::string skel_header(const aoi::Contract& contract, const pres::Presentation& presentation,
                        const Options& options, const std::string& base_name);
// Definitions of classes' members that do not marshal: narrowing, exceptions, unions, arrays.
std::string stub_members(const pres::Presentation& presentation);
std::string skel_members(const pres::Presentation& presentation);

// The #include lines, in headers of this ending, for the contracts that the main file includes itself. What
// is made of CORBA's own has names of its own.
std::vector<std::string> contract_includes(const aoi::Contract& contract, const Options& options,
                                           const std::string& ending, const std::string& standard_ending);
// Every declaration of the main file once, inner ones before outer ones.
void for_each_declaration(const aoi::Contract& contract, const std::function<void(const aoi::Decl&)>& use);

}  // namespace corbel::idl::cpp
