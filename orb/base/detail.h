// Details of errors that are only known when the program runs.
#pragma once

#include <string>

namespace corbel::base {

// The text as one that lives for ever, for SystemError::detail. Equal texts are kept once, and a bounded
// number in all: beyond it, a text that says so. Thread-safe.
const char* keep_detail(const std::string& text);

}  // namespace corbel::base
