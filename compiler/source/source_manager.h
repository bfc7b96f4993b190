// The texts of one compilation, and where a byte of them stands.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/location.h"

namespace corbel::idl {

// Not thread-safe; one per compilation.
class SourceManager {
 public:
  // Offsets are 32 bits, and a contract is never larger than this.
  static constexpr std::size_t kLargestFile = 16 * 1024 * 1024;

  std::uint32_t add(std::string path, std::string text);
  std::string_view text(std::uint32_t file) const { return files_[file].text; }
  const std::string& path(std::uint32_t file) const { return files_[file].path; }
  std::size_t count() const { return files_.size(); }
  std::string_view slice(Span span) const {
    return text(span.file).substr(span.begin, span.end - span.begin);
  }

  struct Position {
    std::uint32_t line;     // from 1
    std::uint32_t column;   // from 1, in bytes
    std::string_view path;  // of the file, or what #line says
  };
  Position position(std::uint32_t file, std::uint32_t offset) const;
  // From `offset` on, which is the beginning of a line, lines count from `line` in a file called `path`.
  void mark_line(std::uint32_t file, std::uint32_t offset, std::uint32_t line, std::string path);
  // The line that holds `offset`, without its end.
  std::string_view line_at(std::uint32_t file, std::uint32_t offset) const;

 private:
  struct LineMark {
    std::uint32_t offset, line;
    std::string path;
  };
  struct File {
    std::string path;
    std::string text;
    std::vector<std::uint32_t> lines;  // where each begins
    std::vector<LineMark> marks;       // in order of offset
  };
  std::deque<File> files_;
};

}  // namespace corbel::idl
