#include <corbel/cpp/codec.h>

namespace corbel::cpp {

bool get_string(cdr::Decoder& in, char*& result, std::uint32_t bound) {
  const char* text;
  std::uint32_t length;
  if (!in.get_string_view(text, length, bound)) return false;
  char* const copy = CORBA::string_alloc(length);
  if (!copy) return in.fail();
  std::memcpy(copy, text, length + std::size_t{1});
  CORBA::string_free(result);
  result = copy;
  return true;
}

}  // namespace corbel::cpp
