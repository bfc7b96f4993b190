#include "orb/poa/zeroed_memory.h"

#include <sys/mman.h>
#include <cstdlib>

namespace corbel::poa::zeroed {

void* allocate(std::size_t size) {
  if (size < kMapped) return std::calloc(1, size);
  void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void free(void* memory, std::size_t size) {
  if (size < kMapped) std::free(memory);
  else if (memory) munmap(memory, size);
}

void give_back(void* memory, std::size_t size) { (void)madvise(memory, size, MADV_DONTNEED); }

}  // namespace corbel::poa::zeroed
