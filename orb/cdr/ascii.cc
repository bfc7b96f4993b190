// Apart from the conversions, which are compiled for size: here all text passes.
#include <cstring>

#include <corbel/cdr/bytes.h>

#include "orb/cdr/char_sets.h"

namespace corbel::cdr {

bool is_ascii(const char* text, std::size_t size) {
  typedef std::uint64_t Vector [[gnu::vector_size(16)]];
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  constexpr std::size_t kStep = 4 * sizeof(Vector);
  for (; size >= kStep; text += kStep, size -= kStep) {
    Vector v[4];
    std::memcpy(v, text, kStep);
    const Vector all = (v[0] | v[1]) | (v[2] | v[3]);
    if (((all[0] | all[1]) & kHigh) != 0) return false;
  }
  std::uint64_t all = 0;
  for (; size >= 8; text += 8, size -= 8) all |= load<std::uint64_t>(text, false);
  for (; size != 0; ++text, --size) all |= static_cast<unsigned char>(*text);
  return (all & kHigh) == 0;
}

}  // namespace corbel::cdr
