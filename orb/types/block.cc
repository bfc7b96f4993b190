#include "orb/types/block.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "orb/types/program.h"

namespace corbel::types {
namespace {

constexpr std::size_t kPiece = 1024;

}  // namespace

Block::~Block() {
  for (const Program* p = programs_.load(std::memory_order_acquire); p;) {
    const Program* const next = p->next_;
    delete p;
    p = next;
  }
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

void Block::keep(const Program& program) {
  program.next_ = programs_.load(std::memory_order_relaxed);
  while (!programs_.compare_exchange_weak(program.next_, &program, std::memory_order_release,
                                          std::memory_order_relaxed)) {
  }
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
