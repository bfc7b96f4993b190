#include "orb/transport/shm_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <utility>

#include "orb/transport/inherited.h"

namespace corbel::transport::shm {
namespace {

constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
#ifndef MFD_NOEXEC_SEAL
constexpr unsigned kNoExec = 8;  // since Linux 6.3
#else
constexpr unsigned kNoExec = MFD_NOEXEC_SEAL;
#endif

std::size_t total(std::size_t ring_size) { return kRingsAt + 2 * ring_size; }

int new_memfd() {
  const int fd = ::memfd_create("corbel", MFD_CLOEXEC | MFD_ALLOW_SEALING | kNoExec);
  return fd >= 0 || errno != EINVAL ? fd : ::memfd_create("corbel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

}  // namespace

bool valid_ring_size(std::size_t size) {
  return size >= kLeastRing && size <= kMostRing && (size & (size - 1)) == 0;
}

SharedMemory::~SharedMemory() {
  if (!at_) return;
  forget_shared_memory(at_);
  ::munmap(at_, total(ring_size_));
}

void SharedMemory::swap(SharedMemory& o) noexcept {
  std::swap(at_, o.at_);
  std::swap(ring_size_, o.ring_size_);
}

SharedMemory SharedMemory::map(int descriptor, std::size_t ring_size) {
  SharedMemory memory;
  void* const at = ::mmap(nullptr, total(ring_size), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED) return memory;
  memory.at_ = static_cast<char*>(at);
  memory.ring_size_ = ring_size;
  return note_shared_memory(memory.at_, total(ring_size)) ? std::move(memory) : SharedMemory();
}

SharedMemory SharedMemory::create(std::size_t ring_size, Descriptor& descriptor) {
  // To go beyond it is a signal, and the process's end.
  rlimit files{};
  if (::getrlimit(RLIMIT_FSIZE, &files) != 0 || files.rlim_cur < total(ring_size)) return {};
  Descriptor fd(new_memfd());
  if (!fd || ::ftruncate(fd.get(), static_cast<off_t>(total(ring_size))) != 0 ||
      ::fcntl(fd.get(), F_ADD_SEALS, kSeals) != 0)
    return {};
  SharedMemory memory = map(fd.get(), ring_size);
  if (memory) {
    new (memory.at_) Shared;
    descriptor = std::move(fd);
  }
  return memory;
}

SharedMemory SharedMemory::adopt(int descriptor, std::size_t ring_size) {
  struct stat status {};
  const int seals = ::fcntl(descriptor, F_GET_SEALS);
  if (!valid_ring_size(ring_size) || seals < 0 || (seals & kSeals) != kSeals ||
      ::fstat(descriptor, &status) != 0 || status.st_size != static_cast<off_t>(total(ring_size)))
    return {};
  return map(descriptor, ring_size);
}

}  // namespace corbel::transport::shm
