#include "compiler/source/source_manager.h"

#include <algorithm>

namespace corbel::idl {

std::uint32_t SourceManager::add(std::string path, std::string text) {
  std::vector<std::uint32_t> lines{0};
  for (auto at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    lines.push_back(static_cast<std::uint32_t>(at + 1));
  files_.push_back({std::move(path), std::move(text), std::move(lines), {}});
  return static_cast<std::uint32_t>(files_.size() - 1);
}

SourceManager::Position SourceManager::position(std::uint32_t file, std::uint32_t offset) const {
  const File& f = files_[file];
  const auto line_of = [&f](std::uint32_t at) {
    return static_cast<std::uint32_t>(std::upper_bound(f.lines.begin(), f.lines.end(), at) - f.lines.begin());
  };
  const std::uint32_t line = line_of(offset);
  const std::uint32_t column = offset - f.lines[line - 1] + 1;
  const auto after = std::upper_bound(f.marks.begin(), f.marks.end(), offset,
                                      [](std::uint32_t at, const LineMark& m) { return at < m.offset; });
  if (after == f.marks.begin()) return {line, column, f.path};
  const LineMark& mark = *(after - 1);
  return {mark.line + (line - line_of(mark.offset)), column, mark.path};
}

void SourceManager::mark_line(std::uint32_t file, std::uint32_t offset, std::uint32_t line,
                              std::string path) {
  files_[file].marks.push_back({offset, line, std::move(path)});
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
