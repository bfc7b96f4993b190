// Two rings in memory that two processes share, one for each direction.
//
// The memory is the peer's as much as ours: everything in it may change at any time. So each end keeps its
// own positions in private memory and only publishes them; of what the peer publishes every word is read once
// and checked before it is used; bytes are copied out before anybody interprets them.
#pragma once

#include <corbel/base/copy.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "orb/base/thread_sanitizer.h"

#ifdef CORBEL_TSAN
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#endif

namespace corbel::transport::shm {

// Processors fetch cache lines in pairs.
inline constexpr std::size_t kLine = 128;

// How a thread waits for its peer: what the peer has to do so that it goes on.
enum Wait : std::uint32_t {
  kNobody,   // nothing
  kFutex,    // wake the word
  kDoorbell  // send a byte through the socket
};

// What one end writes (the waiting words are reset by the other) and the other reads. Positions count bytes
// from the beginning of the connection.
struct Side {
  alignas(kLine) std::atomic<std::uint64_t> written{0};  // into the ring that this end fills
  std::atomic<std::uint64_t> origin{
      0};  // a position that stands at the ring's first byte, see RingWriter::room
  std::atomic<std::uint32_t> finished{0};                        // nothing more will be written
  alignas(kLine) std::atomic<std::uint64_t> taken{0};            // from the ring that the other end fills
  alignas(kLine) std::atomic<std::uint32_t> data_wait{kNobody};  // Wait: this end's, for bytes
  std::atomic<std::uint32_t> room_wait{kNobody};                 // Wait: this end's, for room
  std::atomic<std::uint32_t> processor{~0u};                     // where this end's threads ran last; a hint
};

// At the beginning of the memory; the rings follow at kRingsAt, the client's first.
struct Shared {
  Side client;
  Side server;
};
inline constexpr std::size_t kRingsAt = 4096;
static_assert(sizeof(Shared) <= kRingsAt);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
              std::atomic<std::uint32_t>::is_always_lock_free);

// ThreadSanitizer does not know that two mappings are one memory; this tells it of the order that the
// positions make where both ends are in one process.
inline void order_for_sanitizer(bool release) {
#ifdef CORBEL_TSAN
  static char both_ends;
  if (release) __tsan_release(&both_ends);
  else __tsan_acquire(&both_ends);
#else
  (void)release;
#endif
}

// Fills a ring; one thread at a time.
class RingWriter {
 public:
  RingWriter() = default;
  // `capacity` is a power of two.
  RingWriter(Side& own, const Side& peer, char* ring, std::size_t capacity)
      : own_(&own), peer_(&peer), ring_(ring), capacity_(capacity) {}

  // Bytes that can be copied now. False when the peer's position is impossible. Where everything has been
  // taken the ring begins anew at its first byte, so that small messages stay in few lines and pages.
  bool room(std::size_t& bytes) {
    const std::uint64_t used = written_ - peer_->taken.load(std::memory_order_acquire);
    if (used > capacity_) [[unlikely]]
      return false;
    bytes = capacity_ - static_cast<std::size_t>(used);
    if (used == 0) own_->origin.store(origin_ = written_, std::memory_order_relaxed);
    return true;
  }
  // Copies behind what was copied last; the sum since room() is at most what it said.
  void copy(const char* from, std::size_t size) {
    const std::size_t at = static_cast<std::size_t>(written_ - origin_) & (capacity_ - 1);
    const std::size_t first = size < capacity_ - at ? size : capacity_ - at;
    base::copy(ring_ + at, from, first);
    if (first != size) std::memcpy(ring_, from + first, size - first);
    written_ += size;
  }
  // The peer sees what was copied. Afterwards its data_wait is to be looked at.
  void publish() {
    order_for_sanitizer(true);
    own_->written.store(written_, std::memory_order_seq_cst);
  }
  // A peer that has ended took nothing, ever.
  bool nothing_taken() const { return peer_ && peer_->taken.load(std::memory_order_seq_cst) == 0; }
  // There is room enough to be worth a wake-up, or the peer's position is impossible.
  bool roomy() const {
    const std::uint64_t used = written_ - peer_->taken.load(std::memory_order_seq_cst);
    return used <= capacity_ / 2 || used > capacity_;
  }

 private:
  Side* own_ = nullptr;
  const Side* peer_ = nullptr;
  char* ring_ = nullptr;
  std::size_t capacity_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t origin_ = 0;
};

// Empties a ring; one thread at a time.
class RingReader {
 public:
  RingReader() = default;
  RingReader(Side& own, const Side& peer, const char* ring, std::size_t capacity)
      : own_(&own), peer_(&peer), ring_(ring), capacity_(capacity) {}

  // Something has been written since the last take(), possible or not.
  bool changed() const { return peer_->written.load(std::memory_order_seq_cst) != taken_; }
  // Bytes that can be taken. False when the peer's position is impossible.
  bool available(std::size_t& bytes) const {
    const std::uint64_t there = peer_->written.load(std::memory_order_acquire) - taken_;
    if (there > capacity_) [[unlikely]]
      return false;
    bytes = static_cast<std::size_t>(there);
    return true;
  }
  // Copies `size` bytes out, at most what available() said. Afterwards the peer's room_wait is to be looked
  // at if roomy().
  void take(char* to, std::size_t size) {
    order_for_sanitizer(false);
    const std::uint64_t origin = peer_->origin.load(std::memory_order_relaxed);
    const std::size_t at = static_cast<std::size_t>(taken_ - origin) & (capacity_ - 1);
    const std::size_t first = size < capacity_ - at ? size : capacity_ - at;
    base::copy(to, ring_ + at, first);
    if (first != size) std::memcpy(to + first, ring_, size - first);
    taken_ += size;
    own_->taken.store(taken_, std::memory_order_seq_cst);
    __builtin_prefetch(&peer_->taken);  // the answer's writer asks for it
  }
  // A writer that waits for room has enough of it.
  bool roomy() const { return peer_->written.load(std::memory_order_relaxed) - taken_ <= capacity_ / 2; }

 private:
  Side* own_ = nullptr;
  const Side* peer_ = nullptr;
  const char* ring_ = nullptr;
  std::size_t capacity_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace corbel::transport::shm
