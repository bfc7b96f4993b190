#include <corbel/cdr/arena.h>

#include <algorithm>
#include <cstdlib>

namespace corbel::cdr {
namespace {
constexpr std::size_t kFirst = 4096;
constexpr std::size_t kKeep = 256 * 1024;
}  // namespace

struct alignas(16) Arena::Block {
  Block* previous;
  std::size_t size;  // of what follows this header
};

Arena::~Arena() {
  while (block_) {
    Block* const previous = block_->previous;
    std::free(block_);
    block_ = previous;
  }
}

void* Arena::allocate(std::size_t size) {
  if (size > static_cast<std::size_t>(-1) / 2) return nullptr;
  size = (size + 15) & ~static_cast<std::size_t>(15);
  if (!block_ || block_->size - used_ < size) {
    const std::size_t wanted = std::max({size, kFirst, block_ ? block_->size * 2 : 0});
    auto* const block = static_cast<Block*>(std::malloc(sizeof(Block) + wanted));
    if (!block) return nullptr;
    block->previous = block_;
    block->size = wanted;
    block_next_ = block_ != nullptr;
    block_ = block;
    used_ = 0;
  }
  void* const p = reinterpret_cast<char*>(block_ + 1) + used_;
  used_ += size;
  return p;
}

// Keeps the newest block, which is the largest.
void Arena::reset_slow() {
  while (block_->previous) {
    Block* const older = block_->previous;
    block_->previous = older->previous;
    std::free(older);
  }
  if (block_->size > kKeep) {
    std::free(block_);
    block_ = nullptr;
  }
  block_next_ = false;
  used_ = 0;
}

}  // namespace corbel::cdr
