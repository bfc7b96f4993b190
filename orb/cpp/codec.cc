#include <corbel/cpp/codec.h>

#include "orb/cpp/string_memory.h"

namespace corbel::cpp {

namespace {
inline char* copy_of(cdr::Decoder& in, cdr::Decoder::Text text) {
  if (!text.data) return nullptr;
  char* const copy = string_memory::allocate(text.length + std::size_t{1});
  if (!copy) return in.fail(), nullptr;
  return static_cast<char*>(std::memcpy(copy, text.data, text.length + std::size_t{1}));
}
}  // namespace

char* new_string(cdr::Decoder& in) { return copy_of(in, in.get_text()); }

bool get_string(cdr::Decoder& in, char*& result, std::uint32_t bound) {
  char* const fresh = copy_of(in, in.get_text(bound));
  if (!fresh) return false;
  CORBA::string_free(result);
  result = fresh;
  return true;
}

}  // namespace corbel::cpp
