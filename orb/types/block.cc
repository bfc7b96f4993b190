#include "orb/types/block.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace corbel::types {
namespace {

constexpr std::size_t kPiece = 1024;

}  // namespace

Block::~Block() {
  for (char* p : pieces_) ::operator delete(p);
}

void* Block::allocate(std::size_t size) {
  size = (size + 7) & ~std::size_t{7};
  if (size > left_) {
    const std::size_t piece = std::max(size, kPiece);
    pieces_.reserve(pieces_.size() + 1);
    next_ = static_cast<char*>(::operator new(piece));
    pieces_.push_back(next_);
    left_ = piece;
  }
  void* const p = next_;
  next_ += size;
  left_ -= size;
  return p;
}

TypeCode* Block::type() {
  TypeCode* const t = construct(allocate(sizeof(TypeCode)));
  t->block = this;
  return t;
}

Member* Block::members(std::uint32_t count) {
  auto* const m = static_cast<Member*>(allocate(sizeof(Member) * count));
  for (std::uint32_t i = 0; i < count; ++i) new (m + i) Member{"", nullptr, 0, 0};
  return m;
}

const char* Block::text(std::string_view text) {
  if (text.empty()) return "";
  auto* const p = static_cast<char*>(allocate(text.size() + 1));
  std::memcpy(p, text.data(), text.size());
  p[text.size()] = '\0';
  return p;
}

}  // namespace corbel::types
