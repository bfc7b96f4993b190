#include "orb/types/block.h"

#include <cstring>
#include <new>

namespace corbel::types {

TypeCode* Block::type() {
  TypeCode* const t = construct(memory_.allocate(sizeof(TypeCode)));
  t->block = this;
  return t;
}

Member* Block::members(std::uint32_t count) {
  auto* const m = static_cast<Member*>(memory_.allocate(sizeof(Member) * count));
  for (std::uint32_t i = 0; i < count; ++i) new (m + i) Member{"", nullptr, 0, 0};
  return m;
}

const char* Block::text(std::string_view text) {
  if (text.empty()) return "";
  auto* const p = static_cast<char*>(memory_.allocate(text.size() + 1));
  std::memcpy(p, text.data(), text.size());
  p[text.size()] = '\0';
  return p;
}

}  // namespace corbel::types
