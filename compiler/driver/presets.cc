#include "compiler/driver/presets.h"

#include <fmt/format.h>

#include <utility>

namespace corbel::idl {
namespace {

class Arrangement {
 public:
  Arrangement(std::vector<GeneratedFile> files, const std::string& base, const GenerateOptions& options)
      : files_(std::move(files)),
        base_(base),
        stub_(options.presentation.stub_suffix),
        skel_(options.skeletons ? options.presentation.skel_suffix : ""),
        any_(options.presentation.any ? options.presentation.any_suffix : "") {}

  std::vector<GeneratedFile> omniidl() {
    header(".hh", {stub_, skel_, any_});
    source("SK.cc", {stub_, skel_});
    if (!any_.empty()) source("DynSK.cc", {any_});
    return finish();
  }

  std::vector<GeneratedFile> tao() {
    header("C.h", {stub_, any_});
    source("C.cpp", {stub_, any_});
    made_.push_back(
        {"C.inl", first_line() + "// Nothing here: all inline functions stand in the headers.\n"});
    if (!skel_.empty()) {
      header("S.h", {stub_, any_, skel_});
      source("S.cpp", {skel_});
    }
    return finish();
  }

 private:
  std::string first_line() const {
    return fmt::format("// Made by corbel-idl from {}.idl; do not edit.\n", base_);
  }

  void header(const std::string& suffix, const std::vector<std::string>& parts) {
    std::string text = first_line() + "#pragma once\n\n";
    for (const std::string& p : parts)
      if (!p.empty()) text += fmt::format("#include \"{}{}.h\"\n", base_, p);
    made_.push_back({suffix, std::move(text)});
  }

  // Takes the sources of those parts.
  void source(const std::string& suffix, const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& p : parts)
      for (GeneratedFile& f : files_)
        if (!p.empty() && f.suffix == p + ".cc")
          text += (text.empty() ? "" : "\n") + std::exchange(f.text, {});
    made_.push_back({suffix, std::move(text)});
  }

  // Corbel's headers and what was made.
  std::vector<GeneratedFile> finish() {
    std::vector<GeneratedFile> all;
    for (GeneratedFile& f : files_)
      if (f.suffix.ends_with(".h")) all.push_back(std::move(f));
    for (GeneratedFile& f : made_) all.push_back(std::move(f));
    return all;
  }

  std::vector<GeneratedFile> files_, made_;
  const std::string& base_;
  const std::string stub_, skel_, any_;
};

}  // namespace

std::vector<GeneratedFile> arrange(std::vector<GeneratedFile> files, const std::string& preset,
                                   const std::string& base_name, const GenerateOptions& options) {
  if (preset == "omniidl") return Arrangement(std::move(files), base_name, options).omniidl();
  if (preset == "tao") return Arrangement(std::move(files), base_name, options).tao();
  return files;
}

}  // namespace corbel::idl
