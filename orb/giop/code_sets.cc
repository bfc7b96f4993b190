#include "orb/giop/code_sets.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <corbel/cdr/bytes.h>

#include "orb/ior/assigned.h"

namespace corbel::giop {

const char* code_set_context() {
  static const std::array<char, kCodeSetContextSize> context = [] {
    std::array<char, kCodeSetContextSize> c{};
    cdr::store(c.data(), assigned::kContextCodeSets);
    cdr::store(c.data() + 4, static_cast<std::uint32_t>(12));
    c[8] = cdr::kHostIsLittleEndian ? 1 : 0;
    cdr::store(c.data() + 12, assigned::kCodeSetLatin1);
    cdr::store(c.data() + 16, assigned::kCodeSetUtf16);
    return c;
  }();
  return context.data();
}

CodeSetChoice choose_code_set(const ior::IiopProfile& profile) {
  for (const ior::TaggedComponent& c : profile.components) {
    if (c.tag != assigned::kComponentCodeSets) continue;
    const auto sets = ior::decode_code_sets(c);
    if (!sets || sets->char_native == 0) return CodeSetChoice::Default;
    if (sets->char_native == assigned::kCodeSetLatin1 ||
        std::count(sets->char_conversions.begin(), sets->char_conversions.end(), assigned::kCodeSetLatin1) !=
            0)
      return CodeSetChoice::Same;
    return CodeSetChoice::Incompatible;
  }
  return CodeSetChoice::Default;
}

bool accepts_code_sets(const ServiceContexts& contexts) {
  const char* data;
  std::uint32_t size, char_set;
  if (!contexts.find(assigned::kContextCodeSets, data, size) || size == 0) return true;
  cdr::Decoder in(data, data + 1, data + size, (*data == 1) != cdr::kHostIsLittleEndian);
  return !in.get(char_set) || char_set == 0 || char_set == assigned::kCodeSetLatin1 ||
         char_set == assigned::kCodeSetAscii;
}

}  // namespace corbel::giop
