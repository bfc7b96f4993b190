// The compiled back end: marshaling, stubs and dispatch as inline C++.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "compiler/backends/compiled/dispatch.h"
#include "compiler/mint/mint.h"
#include "compiler/plan/plan.h"
#include "compiler/pres/pres.h"
#include "compiler/source/writer.h"

namespace corbel::idl::compiled {

struct Input {
  const pres::Presentation& presentation;
  const mint::Graph& graph;
  const plan::Plan& plan;
  const DispatchChoice& dispatch;
};

// What another back end has written already.
struct Done {
  std::set<const pres::Declaration*> types;
  std::set<const pres::Operation*> operations;
  bool boxes = false;  // the table of known_boxes()
};

// Whether a declared type has marshal() and unmarshal() of its own. Aliases share those of what they stand
// for; a sequence's typedef is a class of its own.
bool has_functions(const pres::Declaration& declaration);
// Whether the stub can write its arguments again: they are worth being sent while they are still being
// marshaled, or hold text, which another server may want in another set.
bool writes_again(const Input& input, const pres::Operation& operation);
// The end of a skeleton's try block, for an operation that raises exceptions.
void answer_exceptions(Writer& w, const pres::Operation& operation);

// The table _request_boxes or _reply_boxes of those that may stand where any value may, if the contract has
// some, and requests or replies in which values are read.
std::string known_boxes(const Input& input, bool requests);

// marshal() and unmarshal() of every constructed type.
std::string marshal_declarations(const Input& input);
std::string marshal_definitions(const Input& input, const Done& done);
// A class NAME(declaration) with marshal() and unmarshal() of each array that `wanted` picks.
std::string array_classes(const Input& input, const std::function<bool(const pres::Declaration&)>& wanted,
                          const std::function<std::string(const pres::Declaration&)>& name);
// How values and boxes write and read their state.
std::string values(const Input& input);
std::string stubs(const Input& input, const Done& done);
std::string skeletons(const Input& input, const Done& done);

}  // namespace corbel::idl::compiled
