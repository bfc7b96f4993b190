// The texts of one compilation, and where a byte of them stands.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

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
  std::string_view slice(Span span) const { return text(span.file).substr(span.begin, span.end - span.begin); }

  struct Position {
    std::uint32_t line;    // from 1
    std::uint32_t column;  // from 1, in bytes
  };
  Position position(std::uint32_t file, std::uint32_t offset) const;
  // The line that holds `offset`, without its end.
  std::string_view line_at(std::uint32_t file, std::uint32_t offset) const;

 private:
  struct File {
    std::string path;
    std::string text;
  };
  std::deque<File> files_;
};

}  // namespace corbel::idl
