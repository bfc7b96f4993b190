// Compilations of sources in memory.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/compile.h"

namespace corbel::idl::test {

using Files = std::map<std::string, std::string>;

inline CompileOptions in_memory(Files files) {
  CompileOptions options;
  options.read_file = [files = std::move(files)](const std::string& path) -> std::optional<std::string> {
    const auto i = files.find(path);
    return i == files.end() ? std::nullopt : std::optional<std::string>(i->second);
  };
  return options;
}

inline std::unique_ptr<Compilation> compile_text(const std::string& text) {
  return compile("main.idl", in_memory({{"main.idl", text}}));
}

inline std::vector<Kind> kinds(const Compilation& compilation) {
  std::vector<Kind> all;
  for (const Diagnostic& d : compilation.diagnostics.all()) all.push_back(d.kind);
  return all;
}

inline std::vector<Kind> kinds_of(const std::string& text) { return kinds(*compile_text(text)); }

// What the preprocessor makes of a text, its tokens on one line.
inline std::string preprocessed(const std::string& text) {
  Compilation c;
  std::string all = preprocess("main.idl", in_memory({{"main.idl", text}}), c);
  std::string line;
  std::size_t at = all.starts_with("# ") ? all.find('\n') + 1 : 0;
  for (; at < all.size(); ++at) {
    if (all[at] != '\n') line += all[at];
    else if (!line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace corbel::idl::test
