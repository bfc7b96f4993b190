// Memory that two processes map: a sealed memfd, which has no name anywhere.
#pragma once

#include <cstddef>

#include "orb/transport/descriptor.h"
#include "orb/transport/shm_ring.h"

namespace corbel::transport::shm {

// Rings are powers of two between these; what a peer asks for beyond them is refused.
inline constexpr std::size_t kLeastRing = 4096;
inline constexpr std::size_t kMostRing = 16 * 1024 * 1024;
bool valid_ring_size(std::size_t size);

// A mapping. Move-only; what is mapped stays until both ends have unmapped it.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(SharedMemory&& o) noexcept { swap(o); }
  SharedMemory& operator=(SharedMemory o) noexcept {
    swap(o);
    return *this;
  }
  ~SharedMemory();

  // New memory whose size nobody can change any more; empty when the system has none. `descriptor` is to be
  // passed to the peer.
  static SharedMemory create(std::size_t ring_size, Descriptor& descriptor);
  // Maps what a peer passed. Empty unless it has the size for two rings of `ring_size`, sealed: otherwise the
  // peer could shrink it, and an access would end this process.
  static SharedMemory adopt(int descriptor, std::size_t ring_size);

  explicit operator bool() const { return at_ != nullptr; }
  Shared& shared() const { return *reinterpret_cast<Shared*>(at_); }
  char* client_ring() const { return at_ + kRingsAt; }
  char* server_ring() const { return at_ + kRingsAt + ring_size_; }
  std::size_t ring_size() const { return ring_size_; }

 private:
  static SharedMemory map(int descriptor, std::size_t ring_size);
  void swap(SharedMemory& o) noexcept;

  char* at_ = nullptr;
  std::size_t ring_size_ = 0;
};

}  // namespace corbel::transport::shm
