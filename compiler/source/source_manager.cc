#include "compiler/source/source_manager.h"

#include <algorithm>

namespace corbel::idl {

std::uint32_t SourceManager::add(std::string path, std::string text) {
  files_.push_back({std::move(path), std::move(text)});
  return static_cast<std::uint32_t>(files_.size() - 1);
}

SourceManager::Position SourceManager::position(std::uint32_t file, std::uint32_t offset) const {
  const std::string_view before = text(file).substr(0, offset);
  const auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const auto newline = before.rfind('\n');
  return {line, static_cast<std::uint32_t>(before.size() - (newline == before.npos ? 0 : newline + 1)) + 1};
}

std::string_view SourceManager::line_at(std::uint32_t file, std::uint32_t offset) const {
  const std::string_view all = text(file);
  const auto newline = offset == 0 ? all.npos : all.rfind('\n', offset - 1);
  const std::size_t begin = newline == all.npos ? 0 : newline + 1;
  std::string_view line = all.substr(begin, all.find('\n', begin) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace corbel::idl
