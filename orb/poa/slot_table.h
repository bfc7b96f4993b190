// A growing table whose entries never move and are entered without a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace corbel::poa {

// An entry's word: generation (high 32 bits), Active, Dying, and the number of threads inside. A thread enters by one
// atomic add and looks at what it has entered afterwards; whoever leaves last a dying entry finishes it.
template <typename Payload>
class SlotTable {
 public:
  static constexpr std::uint32_t kChunk = 256;
  static constexpr std::uint32_t kChunks = 65536;  // 16 million entries

  struct Entry {
    std::atomic<std::uint64_t> word{0};
    std::uint32_t index = 0;
    Payload payload{};

    std::uint32_t generation() const { return static_cast<std::uint32_t>(word.load(std::memory_order_relaxed) >> 32); }
    bool active() const { return (word.load(std::memory_order_acquire) & kActive) != 0; }
    std::uint32_t inside() const { return static_cast<std::uint32_t>(word.load(std::memory_order_acquire) & kCount); }
    // True: the payload is there until leave(). False: the caller is inside all the same and must leave().
    bool enter() { return (word.fetch_add(1, std::memory_order_acquire) & kActive) != 0; }
    // True if the caller was the last one inside a dying entry: it must finish it.
    bool leave() {
      const std::uint64_t left = word.fetch_sub(1, std::memory_order_acq_rel) - 1;
      return (left & (kDying | kCount)) == kDying && claim(left);
    }
    void activate() { word.fetch_or(kActive, std::memory_order_release); }
    // No one gets in any more. True if this call ended it; the caller is inside and finishes it by leave().
    bool retire() {
      std::uint64_t seen = word.load(std::memory_order_relaxed);
      while (seen & kActive)
        if (word.compare_exchange_weak(seen, (seen & ~kActive) | kDying, std::memory_order_acq_rel)) return true;
      return false;
    }

   private:
    // Of several threads that see it empty, one wins.
    bool claim(std::uint64_t seen) {
      while ((seen & (kDying | kCount)) == kDying)
        if (word.compare_exchange_weak(seen, seen & ~kDying, std::memory_order_acq_rel)) return true;
      return false;
    }
  };

  SlotTable() : chunks_(std::make_unique<std::atomic<Entry*>[]>(kChunks)) {}
  ~SlotTable() {
    for (std::uint32_t i = 0; i < kChunks && chunks_[i]; ++i) delete[] chunks_[i].load();
  }
  SlotTable(const SlotTable&) = delete;
  SlotTable& operator=(const SlotTable&) = delete;

  // Null if there never was such an entry. Any thread.
  Entry* find(std::uint32_t index) const {
    if (index >= kChunk * kChunks) return nullptr;
    Entry* const chunk = chunks_[index / kChunk].load(std::memory_order_acquire);
    return chunk ? chunk + index % kChunk : nullptr;
  }

  // With the owner's lock: a free entry, not yet active; null when the table is full.
  Entry* allocate() {
    if (!free_.empty()) {
      Entry* const entry = find(free_.back());
      free_.pop_back();
      return entry;
    }
    if (next_ == kChunk * kChunks) return nullptr;
    const std::uint32_t index = next_++;
    if (index % kChunk == 0) chunks_[index / kChunk].store(new Entry[kChunk], std::memory_order_release);
    Entry* const entry = find(index);
    entry->index = index;
    return entry;
  }

  // With the owner's lock: a finished entry may be used again, under another generation. One whose generations are used
  // up stays out of use, so that an old key never names a new object.
  void free(Entry* entry) {
    if (entry->generation() == 0xffffffffu) return;
    entry->word.fetch_add(std::uint64_t{1} << 32, std::memory_order_acq_rel);
    free_.push_back(entry->index);
  }

  std::uint32_t size() const { return next_; }

 private:
  static constexpr std::uint64_t kActive = std::uint64_t{1} << 31;
  static constexpr std::uint64_t kDying = std::uint64_t{1} << 30;
  static constexpr std::uint64_t kCount = kDying - 1;

  std::unique_ptr<std::atomic<Entry*>[]> chunks_;
  std::uint32_t next_ = 0;
  std::vector<std::uint32_t> free_;
};

}  // namespace corbel::poa
