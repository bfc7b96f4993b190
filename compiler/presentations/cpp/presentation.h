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

struct Options {
  std::string stub_suffix = ".stub";
  std::string skel_suffix = ".skel";
  std::string any_suffix = ".any";
  std::string export_macro;                  // written before every class
  std::vector<std::string> export_includes;  // headers that define it
  bool tie = false;                          // POA_X_tie for every interface X
  bool any = true;                           // TypeCodes and operators of Any, in files of their own
  bool keep_include_paths = false;           // #include "a/b.stub.h" for #include "a/b.idl"
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

// Names without extension of the files that the main file includes itself.
std::vector<std::string> included_names(const aoi::Contract& contract, const Options& options);
// Every declaration of the main file once, inner ones before outer ones.
void for_each_declaration(const aoi::Contract& contract, const std::function<void(const aoi::Decl&)>& use);

}  // namespace corbel::idl::cpp
