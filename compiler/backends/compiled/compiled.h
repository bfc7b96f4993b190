// The compiled back end: marshaling, stubs and dispatch as inline C++.
#pragma once

#include <functional>
#include <string>

#include "compiler/mint/mint.h"
#include "compiler/plan/plan.h"
#include "compiler/pres/pres.h"

namespace corbel::idl::compiled {

struct Input {
  const pres::Presentation& presentation;
  const mint::Graph& graph;
  const plan::Plan& plan;
};

// marshal() and unmarshal() of every constructed type.
std::string marshal_declarations(const Input& input);
std::string marshal_definitions(const Input& input);
// A class NAME(declaration) with marshal() and unmarshal() of each array that `wanted` picks.
std::string array_classes(const Input& input, const std::function<bool(const pres::Declaration&)>& wanted,
                          const std::function<std::string(const pres::Declaration&)>& name);
// How values and boxes write and read their state.
std::string values(const Input& input);
std::string stubs(const Input& input);
std::string skeletons(const Input& input);

}  // namespace corbel::idl::compiled
