#include "orb/giop/code_sets.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <corbel/cdr/bytes.h>

#include "orb/ior/assigned.h"

namespace corbel::giop {

const char* code_set_context(CodeSet char_set) {
  typedef std::array<char, kCodeSetContextSize> Context;
  static constexpr auto make = [](std::uint32_t id) {
    Context c{};
    cdr::store(c.data(), assigned::kContextCodeSets);
    cdr::store(c.data() + 4, static_cast<std::uint32_t>(12));
    c[8] = cdr::kHostIsLittleEndian ? 1 : 0;
    cdr::store(c.data() + 12, id);
    cdr::store(c.data() + 16, assigned::kCodeSetUtf16);
    return c;
  };
  static const Context latin1 = make(assigned::kCodeSetLatin1), utf8 = make(assigned::kCodeSetUtf8);
  return char_set == CodeSet::Utf8 ? utf8.data() : latin1.data();
}

// What is native there needs no conversion there: so servers that convert only what they read understand all.
CodeSet choose_code_set(const ior::IiopProfile& profile) {
  for (const ior::TaggedComponent& c : profile.components) {
    if (c.tag != assigned::kComponentCodeSets) continue;
    const auto sets = ior::decode_code_sets(c);
    if (!sets || sets->char_native == 0) return CodeSet::Default;
    if (sets->char_native == assigned::kCodeSetLatin1) return CodeSet::Latin1;
    if (sets->char_native == assigned::kCodeSetUtf8) return CodeSet::Utf8;
    const auto converts = [&](std::uint32_t id) {
      return std::count(sets->char_conversions.begin(), sets->char_conversions.end(), id) != 0;
    };
    return converts(assigned::kCodeSetLatin1) ? CodeSet::Latin1
           : converts(assigned::kCodeSetUtf8) ? CodeSet::Utf8
                                              : CodeSet::Incompatible;
  }
  return CodeSet::Default;
}

CodeSet announced_code_set(const ServiceContexts& contexts) {
  const char* data;
  std::uint32_t size, char_set;
  if (!contexts.find(assigned::kContextCodeSets, data, size) || size == 0) return CodeSet::Default;
  cdr::Decoder in(data, data + 1, data + size, (*data == 1) != cdr::kHostIsLittleEndian);
  if (!in.get(char_set) || char_set == 0) return CodeSet::Default;
  if (char_set == assigned::kCodeSetUtf8) return CodeSet::Utf8;
  return char_set == assigned::kCodeSetLatin1 || char_set == assigned::kCodeSetAscii ? CodeSet::Latin1
                                                                                     : CodeSet::Incompatible;
}

}  // namespace corbel::giop
