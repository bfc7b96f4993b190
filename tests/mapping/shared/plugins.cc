// The libraries as plug-ins: loaded at run time, and nobody sees the symbols of any of them.
#include <dlfcn.h>

#include <stdexcept>

#include "library.h"

namespace {

const Library* load(const char* file, const char* function) {
  void* const plugin = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!plugin) throw std::runtime_error(dlerror());
  const auto get = reinterpret_cast<const Library* (*)()>(dlsym(plugin, function));
  if (!get) throw std::runtime_error(dlerror());
  return get();
}

}  // namespace

const Library* left_library() {
  static const Library* const library = load(CORBEL_TEST_LEFT, "left_library");
  return library;
}
const Library* right_library() {
  static const Library* const library = load(CORBEL_TEST_RIGHT, "right_library");
  return library;
}
