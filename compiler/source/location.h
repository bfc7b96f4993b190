// Where something stands in the sources of one compilation.
#pragma once

#include <cstdint>

namespace corbel::idl {

// Bytes [begin, end) of file `file` (index into the compilation's SourceManager). Lines and columns are
// computed only when a diagnostic is shown.
struct Span {
  std::uint32_t file = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

}  // namespace corbel::idl
