// The value of an #if.
#pragma once

#include <vector>

#include "compiler/source/lexer.h"

namespace corbel::idl {

// `tokens` are expanded and free of `defined`. A malformed condition is reported and false.
bool evaluate_condition(const std::vector<Token>& tokens, Span where, Diagnostics& diagnostics);

}  // namespace corbel::idl
