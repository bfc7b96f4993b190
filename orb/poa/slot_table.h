// A growing table whose entries never move and are entered without a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "orb/poa/presence.h"

namespace corbel::poa {

inline constexpr std::uint32_t kNoSlot = 0xffffffffu;

// An entry's word: generation (high 32 bits), Active, Dying, Marked, and the entry's index. A thread notes
// that it is inside (presence.h) and looks at what it has entered afterwards; whoever leaves last a dying
// entry finishes it. No thread that enters or leaves writes to the entry.
class SlotTable {
 public:
  // All zero is one that has never been allocated.
  struct Entry {
    std::atomic<std::uint64_t> word;
    union {
      void* payload;             // of one that is allocated, the owner's
      std::uintptr_t next_free;  // in its block, from 1; 0 for none
    };

    std::uint32_t index() const {
      return static_cast<std::uint32_t>(word.load(std::memory_order_relaxed)) & kIndex;
    }
    std::uint32_t generation() const {
      return static_cast<std::uint32_t>(word.load(std::memory_order_acquire) >> 32);
    }
    bool active() const { return (word.load(std::memory_order_acquire) & kActive) != 0; }
    // What the owner has said with activate().
    bool marked() const { return (word.load(std::memory_order_relaxed) & kMarked) != 0; }
    // For who has entered it (presence.h): the payload is there until it is left.
    bool is(std::uint32_t index, std::uint32_t generation) const {  // not a marked one
      return word.load(std::memory_order_acquire) == (std::uint64_t{generation} << 32 | kActive | index);
    }
    // For who has left it, whatever he found inside. True: he must take the payload out and give the entry to
    // free().
    bool was_last() { return (word.load(std::memory_order_relaxed) & kDying) != 0 && settle(); }
    bool inside() const { return presence::anyone_inside(this); }

    // After the payload has been set. `marked` is for the owner.
    void activate(bool marked = false) {
      word.fetch_or(kActive | (marked ? kMarked : 0), std::memory_order_release);
    }
    // No one finds it active any more; false if that was so already. If true, settle() must follow.
    bool retire() {
      std::uint64_t seen = word.load(std::memory_order_relaxed);
      while (seen & kActive)
        if (word.compare_exchange_weak(seen, (seen & ~kActive) | kDying)) return true;
      return false;
    }
    // As was_last(), when all who are inside will see that it is retired. Who leaves sees to that himself:
    // who has retired it may not have come so far.
    [[gnu::noinline, gnu::cold]] bool settle() {
      const std::uint64_t seen = word.load();
      if ((seen & kDying) != 0) presence::order_all();
      return claim(seen);
    }
    // The same behind order_all(), of what its word was before that: who finishes it gives it another
    // generation, which may be dying, too. True once.
    bool claim(std::uint64_t seen) {
      return (seen & kDying) != 0 && !inside() && word.compare_exchange_strong(seen, seen & ~kDying);
    }
  };

  SlotTable() = default;
  ~SlotTable();
  SlotTable(const SlotTable&) = delete;
  SlotTable& operator=(const SlotTable&) = delete;

  // Null if there never was such an entry. Any thread.
  Entry* find(std::uint32_t index) const {
    if (index >= reach_.load(std::memory_order_acquire)) return nullptr;
    if (index < kFirst) [[unlikely]]
      return &first_[index];
    return in_directory(index);
  }

  // ---- with the owner's lock
  // A free entry, not yet active; null when the table is full.
  Entry* allocate();
  // A finished entry may be used again, under another generation. One whose generations are used up stays out
  // of use, so that an old key never names a new object.
  void free(Entry* entry);
  // Whether there is, or was, an entry of this index.
  bool has(std::uint32_t index) const;
  // The generation that it has or, if it is free, is going to have.
  std::uint32_t generation(std::uint32_t index) const;
  // The first entry from `from` on that is active, null if there is none; `from` is then behind it.
  Entry* next_active(std::uint32_t& from) const { return next(from, kActive); }
  // The same with those that are dying.
  Entry* next_not_finished(std::uint32_t& from) const { return next(from, kActive | kDying); }

 private:
  static constexpr std::uint64_t kActive = std::uint64_t{1} << 31;
  static constexpr std::uint64_t kDying = std::uint64_t{1} << 30;
  static constexpr std::uint64_t kMarked = std::uint64_t{1} << 29;
  static constexpr std::uint32_t kIndex = kMarked - 1;

  // The first entries are in the table itself, for most adapters have few objects, and a process few
  // adapters. The others stand in blocks, which a directory knows; their memory is taken from the system for
  // as many blocks at once as there are already.
  static constexpr std::uint32_t kFirst = 16;
  static constexpr int kBlockBits = 12;
  static constexpr std::uint32_t kInBlock = 1u << kBlockBits;
  static constexpr std::uint32_t kMostBlocks = (kIndex + 1) >> kBlockBits;  // 537 million entries

  // Entries are given out and their memory is given back in blocks. Memory that was given back reads as zero:
  // entries that nobody has ever been in.
  static constexpr std::uint32_t kNoBlock = 0xffffffffu;
  struct Block {
    std::uint32_t used = 0;        // entries from its beginning that have been allocated at some time
    std::uint32_t live = 0;        // that are allocated
    std::uint32_t free = 0;        // first of those that are free again, from 1; 0 for none
    std::uint32_t generation = 0;  // with which those that are not used begin
    std::uint32_t reached = 0;     // by a free one; the highest
    std::uint32_t next = kNoBlock;
    bool listed = false;  // among those that may have room
  };
  Entry* in_directory(std::uint32_t index) const {
    const std::uintptr_t* const directory = directory_.load(std::memory_order_relaxed);
    return reinterpret_cast<Entry*>(directory[index >> kBlockBits] + std::uintptr_t{index} * sizeof(Entry));
  }
  Entry* entry_at(std::uint32_t block, std::uint32_t place) const;
  Entry* next(std::uint32_t& from, std::uint64_t states) const;
  Block* block_with_room(std::uint32_t& number);
  bool make_blocks();
  void list(std::uint32_t number);
  void emptied(std::uint32_t number);

  mutable Entry first_[kFirst] = {};
  std::atomic<std::uint32_t> reach_{kFirst};  // entries that have memory
  // Of each block where entry 0 would be if the memory before it were entries, too.
  std::atomic<std::uintptr_t*> directory_{nullptr};
  // Those before it stay, for a thread may be reading one.
  std::vector<std::unique_ptr<std::uintptr_t[]>> directories_;
  std::vector<Block> blocks_;
  std::uint32_t room_ = kNoBlock;   // first of the list
  std::uint32_t spare_ = kNoBlock;  // is empty but keeps its memory
};

}  // namespace corbel::poa
