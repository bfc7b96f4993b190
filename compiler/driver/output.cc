#include "compiler/driver/output.h"

#include <filesystem>
#include <fstream>

namespace corbel::idl {
namespace {

constexpr const char* kPart = ".part";

std::string escaped_for_make(const std::string& path) {
  std::string out;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == '\\') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

}  // namespace

std::string output_path(const std::string& directory, const std::string& source, const std::string& suffix) {
  const std::filesystem::path name = std::filesystem::path(source).stem().string() + suffix;
  return directory.empty() || directory == "." ? name.string()
                                               : (std::filesystem::path(directory) / name).string();
}

std::optional<std::string> write_files(const std::vector<OutputFile>& files) {
  std::optional<std::string> failed;
  std::vector<std::string> parts;
  for (const OutputFile& f : files) {
    std::ofstream out(f.path + kPart, std::ios::binary | std::ios::trunc);
    if (out) parts.push_back(f.path + kPart);
    out.write(f.text.data(), static_cast<std::streamsize>(f.text.size()));
    out.close();
    if (!out && !failed) failed = f.path;
  }
  std::error_code error;
  for (std::size_t i = 0; i < files.size() && !failed; ++i) {
    std::filesystem::rename(parts[i], files[i].path, error);
    if (error) failed = files[i].path;
  }
  for (const std::string& part : parts) std::filesystem::remove(part, error);
  return failed;
}

std::string dependency_rule(const std::string& target, const std::vector<std::string>& sources) {
  std::string rule = escaped_for_make(target) + ':';
  for (const std::string& s : sources) rule += " \\\n  " + escaped_for_make(s);
  rule += '\n';
  for (std::size_t i = 1; i < sources.size(); ++i) rule += escaped_for_make(sources[i]) + ":\n";
  return rule;
}

}  // namespace corbel::idl
