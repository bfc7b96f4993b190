#include <corbel/cdr/decoder.h>

namespace corbel::cdr {

bool Decoder::get_boolean_run(bool* to, std::size_t count) {
  const char* p = chunk<1>(count);
  if (!p) return false;
  unsigned char all = 0;
  for (std::size_t i = 0; i < count; ++i) all |= static_cast<unsigned char>(p[i]);
  if (all > 1) return fail();
  if (count != 0) std::memcpy(to, p, count);
  return true;
}

bool Decoder::get_octets_view(const char*& data, std::uint32_t& size) {
  if (!get(size)) return false;
  if (size > remaining()) return fail();
  data = pos_;
  pos_ += size;
  return true;
}

}  // namespace corbel::cdr
