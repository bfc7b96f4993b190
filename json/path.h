// Where in a JSON text something stands.
#pragma once

#include <cstddef>
#include <string>

#include <corbel/json.h>

namespace corbel::json {

// A member's or an element's place within its parent's; lives on the stack of whoever looks at it.
class Path {
 public:
  explicit Path(const char* root) : key_(root) {}
  Path(const Path& parent, const char* key) : parent_(&parent), key_(key) {}
  Path(const Path& parent, std::size_t index) : parent_(&parent), index_(index) {}

  std::string text() const {
    if (!parent_) return key_;
    if (key_) return parent_->text() + "." + key_;
    return parent_->text() + "[" + std::to_string(index_) + "]";
  }
  [[noreturn]] void fail(const std::string& reason) const { throw Error(text(), reason); }

 private:
  const Path* parent_ = nullptr;
  const char* key_ = nullptr;
  std::size_t index_ = 0;
};

}  // namespace corbel::json
