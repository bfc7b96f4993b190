#include "orb/poa/slot_table.h"

#include <algorithm>

#include "orb/poa/zeroed_memory.h"

namespace corbel::poa {

SlotTable::~SlotTable() {
  for (int i = 0; i < kChunks; ++i)
    zeroed::free(chunks_[i].load(std::memory_order_relaxed), sizeof(Entry) * (std::size_t{kFirstChunk} << i));
}

// Of block 0 the places that chunk 0 would need to begin with it do not exist.
SlotTable::Entry* SlotTable::entry_at(std::uint32_t block, std::uint32_t place) const {
  return find((block << kBlockBits) + place - kFirstChunk);
}

bool SlotTable::make_chunk(std::uint32_t index) {
  const std::uint32_t n = index + kFirstChunk;
  const int number = std::bit_width(n) - std::bit_width(kFirstChunk);
  if (chunks_[number].load(std::memory_order_relaxed)) return true;
  auto* const chunk =
      static_cast<Entry*>(zeroed::allocate(sizeof(Entry) * (std::size_t{kFirstChunk} << number)));
  chunks_[number].store(chunk, std::memory_order_release);
  return chunk != nullptr;
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
  if (number << kBlockBits >= kMost) return nullptr;
  Block fresh;
  if (number == 0) fresh.used = kFirstChunk;
  blocks_.push_back(fresh);
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
    const std::uint32_t index = (number << kBlockBits) + block->used - kFirstChunk;
    if (!make_chunk(index)) return nullptr;
    ++block->used;
    entry = find(index);
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
  const std::uint32_t number = (index + kFirstChunk) >> kBlockBits;
  Block& block = blocks_[number];
  block.reached = std::max(block.reached, generation + 1);
  entry->word.store(std::uint64_t{generation + 1} << 32 | index, std::memory_order_release);
  entry->next_free = block.free;
  block.free = (index + kFirstChunk) % kInBlock + 1;
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
  if (index >= kMost) return false;
  const std::uint32_t n = index + kFirstChunk;
  if (n >> kBlockBits >= blocks_.size()) return false;
  const Block& block = blocks_[n >> kBlockBits];
  return n % kInBlock < block.used || block.generation != 0;
}

std::uint32_t SlotTable::generation(std::uint32_t index) const {
  const std::uint32_t n = index + kFirstChunk;
  const Block& block = blocks_[n >> kBlockBits];
  return n % kInBlock < block.used ? find(index)->generation() : block.generation;
}

SlotTable::Entry* SlotTable::next_active(std::uint32_t& from) const {
  for (;;) {
    const std::uint32_t n = from + kFirstChunk, number = n >> kBlockBits;
    if (number >= blocks_.size()) return nullptr;
    if (blocks_[number].live == 0 || n % kInBlock >= blocks_[number].used) {
      from = ((number + 1) << kBlockBits) - kFirstChunk;
      continue;
    }
    Entry* const entry = find(from++);
    if (entry->active()) return entry;
  }
}

}  // namespace corbel::poa
