// A growing table whose entries never move and are entered without a lock.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

namespace corbel::poa {

inline constexpr std::uint32_t kNoSlot = 0xffffffffu;

// An entry's word: generation (high 32 bits), Active, Dying, and the number of threads inside. A thread
// enters by one atomic add and looks at what it has entered afterwards; whoever leaves last a dying entry
// finishes it. The add is sequentially consistent: a thread that is inside and then reads a state, and one
// that sets the state and then looks who is inside, cannot miss each other.
template <typename Payload>
class SlotTable {
 public:
  enum class Left {
    Active,   // nothing more to do
    Retired,  // the entry is no longer active, and not empty or somebody else finishes it
    Last,     // the caller must take the payload out and give the entry to free()
  };

  // Of its own cache line, so that neighbours' counts do not disturb each other.
  struct alignas(64) Entry {
    std::atomic<std::uint64_t> word{0};
    std::uint32_t index = 0;
    Payload payload{};

    std::uint32_t generation() const {
      return static_cast<std::uint32_t>(word.load(std::memory_order_acquire) >> 32);
    }
    bool active() const { return (word.load(std::memory_order_acquire) & kActive) != 0; }
    std::uint32_t inside() const { return static_cast<std::uint32_t>(word.load() & kCount); }
    // Nobody is or gets inside what this generation was.
    bool finished(std::uint32_t generation) const {
      const std::uint64_t seen = word.load();
      return static_cast<std::uint32_t>(seen >> 32) != generation || (seen & (kActive | kDying)) == 0;
    }

    // True: the payload is there until leave(). False: the caller is inside all the same and must leave().
    bool enter() { return (word.fetch_add(1) & kActive) != 0; }
    // True only if it is also of this generation.
    bool enter(std::uint32_t generation) {
      return (word.fetch_add(1) & ~kCount) == (std::uint64_t{generation} << 32 | kActive);
    }
    Left leave() {
      const std::uint64_t left = word.fetch_sub(1) - 1;
      if (left & kActive) [[likely]]
        return Left::Active;
      return claim(left) ? Left::Last : Left::Retired;
    }
    // After the payload has been set.
    void activate() { word.fetch_or(kActive); }
    // The caller is inside. No one else gets in any more; false if that was so already.
    bool retire() {
      std::uint64_t seen = word.load(std::memory_order_relaxed);
      while (seen & kActive)
        if (word.compare_exchange_weak(seen, (seen & ~kActive) | kDying)) return true;
      return false;
    }

   private:
    // Of several threads that see it empty, one wins.
    bool claim(std::uint64_t seen) {
      while ((seen & (kDying | kCount)) == kDying)
        if (word.compare_exchange_weak(seen, seen & ~kDying)) return true;
      return false;
    }
  };

  SlotTable() = default;
  ~SlotTable() {
    for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
  }
  SlotTable(const SlotTable&) = delete;
  SlotTable& operator=(const SlotTable&) = delete;

  // Null if there never was such an entry. Any thread.
  Entry* find(std::uint32_t index) const {
    if (index >= kMost) return nullptr;
    const std::uint32_t n = index + kFirstChunk;
    const int number = std::bit_width(n) - std::bit_width(kFirstChunk);
    Entry* const chunk = chunks_[number].load(std::memory_order_acquire);
    return chunk ? chunk + (n - (kFirstChunk << number)) : nullptr;
  }

  // With the owner's lock: a free entry, not yet active; null when the table is full.
  Entry* allocate() {
    if (!free_.empty()) {
      Entry* const entry = find(free_.back());
      free_.pop_back();
      return entry;
    }
    if (next_ == kMost) return nullptr;
    const int number = std::bit_width(next_ + kFirstChunk) - std::bit_width(kFirstChunk);
    if (!chunks_[number].load(std::memory_order_relaxed)) {
      const std::uint32_t size = kFirstChunk << number;
      free_.reserve(next_ + size);  // so that free() cannot fail
      chunks_[number].store(new Entry[size], std::memory_order_release);
    }
    Entry* const entry = find(next_);
    entry->index = next_++;
    return entry;
  }

  // With the owner's lock: a finished entry may be used again, under another generation. One whose
  // generations are used up stays out of use, so that an old key never names a new object.
  void free(Entry* entry) {
    if (entry->generation() == 0xffffffffu) return;
    entry->word.fetch_add(std::uint64_t{1} << 32);
    free_.push_back(entry->index);
  }

  // Entries made so far, with the owner's lock.
  std::uint32_t size() const { return next_; }

 private:
  static constexpr std::uint64_t kActive = std::uint64_t{1} << 31;
  static constexpr std::uint64_t kDying = std::uint64_t{1} << 30;
  static constexpr std::uint64_t kCount = kDying - 1;

  // Each chunk is twice the one before, so a small table is small and a large one has few chunks.
  static constexpr std::uint32_t kFirstChunk = 16;
  static constexpr int kChunks = 20;
  static constexpr std::uint32_t kMost = kFirstChunk * ((std::uint32_t{1} << kChunks) - 1);  // 16 million

  std::atomic<Entry*> chunks_[kChunks] = {};
  std::uint32_t next_ = 0;
  std::vector<std::uint32_t> free_;
};

}  // namespace corbel::poa
