// What somebody may have meant who misspelled a word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace corbel::idl {

// The word that the fewest changes of letters lead to; empty if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace corbel::idl
