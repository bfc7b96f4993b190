// Text with indentation.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>

#include "compiler/aoi/aoi.h"

namespace corbel::idl::cpp {

class Writer {
 public:
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
  void raw(const std::string& text) { text_ += text; }
  void indent() { ++level_; }
  void outdent() { --level_; }
  int level() const { return level_; }
  const std::string& text() const { return text_; }

 private:
  void put(const std::string& text) {
    std::string_view body = text;
    while (body.starts_with('\n')) {
      text_ += '\n';
      body.remove_prefix(1);
    }
    if (!body.empty() && body.front() != '#') text_.append(static_cast<std::size_t>(level_) * 2, ' ');
    text_ += body;
    text_ += '\n';
  }
  std::string text_;
  int level_ = 0;
};

// A C++ string literal.
inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += std::string("\\") + c;
    else if (u < 32 || u > 126) out += fmt::format("\\{:03o}", u);
    else out += c;
  }
  return out + '"';
}

// The type of an array's single elements, through arrays of arrays.
std::string array_scalar(const aoi::Type* type);

// Every declaration of the main file once, inner ones before outer ones.
void for_each_declaration(const aoi::Contract& contract, const std::function<void(const aoi::Decl&)>& use);
// "POA_M::I"
std::string skel_class(const aoi::Interface& interface);

}  // namespace corbel::idl::cpp
