#include "orb/poa/slot_table.h"

#include <algorithm>
#include <utility>

#include "orb/poa/zeroed_memory.h"

namespace corbel::poa {

SlotTable::~SlotTable() {
  const std::uint32_t blocks = reach_.load(std::memory_order_relaxed) / kInBlock;
  for (std::uint32_t first = 0, count = 1; first < blocks; count = first = first + count)
    zeroed::free(in_directory(first * kInBlock), sizeof(Entry) * kInBlock * count);
}

SlotTable::Entry* SlotTable::entry_at(std::uint32_t block, std::uint32_t place) const {
  return find((block << kBlockBits) + place);
}

// One block, then one more, two more, four more ...
bool SlotTable::make_blocks() {
  const std::uint32_t before = reach_.load(std::memory_order_relaxed) / kInBlock;
  const std::uint32_t more = std::max(before, 1u);
  constexpr std::size_t kSize = sizeof(Entry) * kInBlock;
  auto directory = std::make_unique<std::uintptr_t[]>(before + more);
  directories_.reserve(directories_.size() + 1);  // nothing throws from here on
  void* const entries = zeroed::allocate(kSize * more);
  if (!entries) return false;
  std::copy_n(directory_.load(std::memory_order_relaxed), before, directory.get());
  std::fill_n(directory.get() + before, more, reinterpret_cast<std::uintptr_t>(entries) - before * kSize);
  directory_.store(directory.get(), std::memory_order_relaxed);
  reach_.store((before + more) * kInBlock, std::memory_order_release);
  directories_.push_back(std::move(directory));
  return true;
}

void SlotTable::list(std::uint32_t number) {
  Block& block = blocks_[number];
  if (block.listed) return;
  block.listed = true;
  block.next = room_;
  room_ = number;
}

SlotTable::Block* SlotTable::block_with_room(std::uint32_t& number) {
  while (room_ != kNoBlock) {
    Block& block = blocks_[room_];
    number = room_;
    if (block.free != 0 || block.used < kInBlock) return &block;
    block.listed = false;
    room_ = block.next;
  }
  number = static_cast<std::uint32_t>(blocks_.size());
  if (number == kMostBlocks) return nullptr;
  blocks_.emplace_back();
  list(number);
  return &blocks_.back();
}

SlotTable::Entry* SlotTable::allocate() {
  std::uint32_t number;
  Block* const block = block_with_room(number);
  if (!block) return nullptr;
  Entry* entry;
  if (block->free != 0) {
    entry = entry_at(number, block->free - 1);
    block->free = static_cast<std::uint32_t>(entry->next_free);
  } else {
    const std::uint32_t index = (number << kBlockBits) + block->used;
    entry = find(index);
    if (!entry) {
      if (!make_blocks()) return nullptr;
      entry = find(index);
    }
    ++block->used;
    entry->word.store(std::uint64_t{block->generation} << 32 | index, std::memory_order_relaxed);
  }
  ++block->live;
  if (spare_ == number) spare_ = kNoBlock;
  entry->payload = nullptr;
  return entry;
}

void SlotTable::free(Entry* entry) {
  const std::uint32_t generation = entry->generation(), index = entry->index();
  if (generation == 0xffffffffu) return;
  const std::uint32_t number = index >> kBlockBits;
  Block& block = blocks_[number];
  block.reached = std::max(block.reached, generation + 1);
  entry->word.store(std::uint64_t{generation + 1} << 32 | index, std::memory_order_release);
  entry->next_free = block.free;
  block.free = index % kInBlock + 1;
  list(number);
  if (--block.live == 0 && number != 0) emptied(number);
}

// One empty block keeps its memory, so that an object that comes and goes does not cost a block each time.
void SlotTable::emptied(std::uint32_t number) {
  if (spare_ == kNoBlock) {
    spare_ = number;
    return;
  }
  Block& block = blocks_[number];
  zeroed::give_back(entry_at(number, 0), sizeof(Entry) * kInBlock);
  block.used = block.free = 0;
  block.generation = block.reached;
}

bool SlotTable::has(std::uint32_t index) const {
  if (index >> kBlockBits >= blocks_.size()) return false;
  const Block& block = blocks_[index >> kBlockBits];
  return index % kInBlock < block.used || block.generation != 0;
}

std::uint32_t SlotTable::generation(std::uint32_t index) const {
  const Block& block = blocks_[index >> kBlockBits];
  return index % kInBlock < block.used ? find(index)->generation() : block.generation;
}

SlotTable::Entry* SlotTable::next(std::uint32_t& from, std::uint64_t states) const {
  for (;;) {
    const std::uint32_t number = from >> kBlockBits;
    if (number >= blocks_.size()) return nullptr;
    if (blocks_[number].live == 0 || from % kInBlock >= blocks_[number].used) {
      from = (number + 1) << kBlockBits;
      continue;
    }
    Entry* const entry = find(from++);
    if ((entry->word.load(std::memory_order_acquire) & states) != 0) return entry;
  }
}

}  // namespace corbel::poa
