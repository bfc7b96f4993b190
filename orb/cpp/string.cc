#include <corbel/cpp/string.h>

#include <cstdlib>

namespace CORBA {

char* string_alloc(ULong length) {
  char* const text = static_cast<char*>(std::malloc(static_cast<std::size_t>(length) + 1));
  if (text) *text = '\0';
  return text;
}

char* string_dup(const char* text) {
  if (!text) return nullptr;
  const std::size_t size = std::strlen(text) + 1;
  char* const copy = static_cast<char*>(std::malloc(size));
  if (copy) std::memcpy(copy, text, size);
  return copy;
}

void string_free(char* text) { std::free(text); }

}  // namespace CORBA
