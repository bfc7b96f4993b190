#include "compiler/driver/output.h"

#include <filesystem>
#include <fstream>

namespace corbel::idl {
namespace {

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

bool write_file(const std::string& path, const std::string& text) {
  const std::string part = path + ".part";
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(part, path, error);
  const bool written = out && !error;
  if (!written) std::filesystem::remove(part, error);
  return written;
}

std::string dependency_rule(const std::string& target, const std::vector<std::string>& sources) {
  std::string rule = escaped_for_make(target) + ':';
  for (const std::string& s : sources) rule += " \\\n  " + escaped_for_make(s);
  rule += '\n';
  for (std::size_t i = 1; i < sources.size(); ++i) rule += escaped_for_make(sources[i]) + ":\n";
  return rule;
}

}  // namespace corbel::idl
