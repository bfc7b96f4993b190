#include <corbel/base/copy.h>

namespace corbel::base {

void copy_backwards(void* to, const void* from, std::size_t size) noexcept {
  typedef char Vector [[gnu::vector_size(16)]];
  constexpr std::size_t kStep = 4 * sizeof(Vector);
  char* const target = static_cast<char*>(to);
  const char* const source = static_cast<const char*>(from);
  std::size_t left = size;
  while (left >= kStep) {
    left -= kStep;
    Vector a, b, c, d;
    std::memcpy(&d, source + left + 48, sizeof d);
    std::memcpy(&c, source + left + 32, sizeof c);
    std::memcpy(&b, source + left + 16, sizeof b);
    std::memcpy(&a, source + left, sizeof a);
    std::memcpy(target + left + 48, &d, sizeof d);
    std::memcpy(target + left + 32, &c, sizeof c);
    std::memcpy(target + left + 16, &b, sizeof b);
    std::memcpy(target + left, &a, sizeof a);
  }
  std::memcpy(target, source, left);
}

void move_octets(void* to, const void* from, std::size_t size) noexcept {
  const std::size_t farther = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  if (farther < size || -farther < size) std::memmove(to, from, size);
  else copy(to, from, size);
}

}  // namespace corbel::base
