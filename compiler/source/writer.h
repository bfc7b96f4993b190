// Program text with indentation, for whatever prints C++.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace corbel::idl {

// Lines longer than the limit are broken behind commas and operators; comments and directives stay whole.
class Writer {
 public:
  static constexpr std::size_t kMostColumns = 110;

  template <typename First, typename... Args>
  void line(fmt::format_string<First, Args...> format, First&& first, Args&&... args) {
    put(fmt::format(format, std::forward<First>(first), std::forward<Args>(args)...));
  }
  // A literal is a format, too; a string is text as it is.
  template <std::size_t N>
  void line(const char (&literal)[N]) {
    put(fmt::format(fmt::runtime(literal)));
  }
  void line(const std::string& text) { put(text); }
  // Lines of a comment, whatever stands in them.
  void comments(const std::vector<std::string>& lines);
  void raw(const std::string& text) { text_ += text; }
  // A line that opens a block, and the one that closes it.
  template <typename First, typename... Args>
  void open(fmt::format_string<First, Args...> format, First&& first, Args&&... args) {
    line(format, std::forward<First>(first), std::forward<Args>(args)...);
    indent();
  }
  template <std::size_t N>
  void open(const char (&literal)[N]) {
    line(literal);
    indent();
  }
  // A function of one statement, on one line if there is room.
  void function(const std::string& signature, const std::string& body);
  void close(const std::string& text = "}") {
    outdent();
    put(text);
  }
  void indent() { ++level_; }
  void outdent() { --level_; }
  const std::string& text() const { return text_; }

 private:
  void put(std::string_view text);
  void put_line(std::string_view line);
  std::string text_;
  int level_ = 0;
};

// A C++ string literal.
std::string quoted(const std::string& text);

}  // namespace corbel::idl
