// Diagnostics for editors and other programs.
#pragma once

#include <string>

#include "compiler/source/diagnostics.h"

namespace corbel::idl {

// One line of JSON, without its end: file, line, column, end_line, end_column, severity, kind, message,
// notes. Lines and columns count from 1, columns in bytes; the end is behind the last byte.
std::string render_json(const Diagnostic& diagnostic, const SourceManager& sources);

}  // namespace corbel::idl
