// The interpretive back end: types and operations as marshal programs, constant octets that the run time
// carries out (corbel/cpp/programs.h says what they mean). Smaller than inline code, and slower where little
// is copied.
//
// What it cannot do it leaves to the compiled back end: bitsets, what is too large, and what is too much for
// one file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "compiler/backends/compiled/compiled.h"

namespace corbel::idl::interpretive {

using compiled::Input;

enum class Style : std::uint8_t {
  Compiled,
  Interpretive,
  Hybrid,  // operations as programs, types as code
};

// Of which types and operations programs are to be made.
struct Styles {
  Style usual = Style::Compiled;
  // Of operations, types, interfaces and modules, by scoped name without the first "::". Inner ones win.
  std::map<std::string, Style> scopes;
  // Operations and types that are compiled where no scope says otherwise: they carry the load.
  std::set<std::string> loaded;

  Style of(const std::string& scoped_name) const;
  bool none() const { return usual == Style::Compiled && scopes.empty(); }
};

// What a source holds of programs: the definitions of `done`, which the compiled back end leaves out.
struct Part {
  std::string text;
  compiled::Done done;
  // Types and operations that are code because there is no room for more programs.
  std::size_t crowded_out = 0;
};
// marshal() and unmarshal() of types, and stubs.
Part stubs(const Input& input, const Styles& styles);
Part skeletons(const Input& input, const Styles& styles);

}  // namespace corbel::idl::interpretive
