// A library to preload: counts the malloc family and mmap over all threads of a process. What it counts goes
// on to the C library's own allocator.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);
}

namespace {

// Constant-initialised: counted before any constructor runs.
std::atomic<std::uint64_t> allocations{0};
std::atomic<std::uint64_t> releases{0};

void count_allocation() { allocations.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

extern "C" {

[[gnu::visibility("default")]] void bench_allocation_counts(std::uint64_t* allocated,
                                                            std::uint64_t* released) {
  *allocated = allocations.load(std::memory_order_relaxed);
  *released = releases.load(std::memory_order_relaxed);
}

[[gnu::visibility("default")]] void* malloc(std::size_t size) {
  count_allocation();
  return __libc_malloc(size);
}

[[gnu::visibility("default")]] void* calloc(std::size_t count, std::size_t size) {
  count_allocation();
  return __libc_calloc(count, size);
}

[[gnu::visibility("default")]] void* realloc(void* old, std::size_t size) {
  count_allocation();
  return __libc_realloc(old, size);
}

[[gnu::visibility("default")]] void* memalign(std::size_t alignment, std::size_t size) {
  count_allocation();
  return __libc_memalign(alignment, size);
}

[[gnu::visibility("default")]] void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count_allocation();
  return __libc_memalign(alignment, size);
}

[[gnu::visibility("default")]] int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  count_allocation();
  void* const made = __libc_memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *memory = made;
  return 0;
}

[[gnu::visibility("default")]] void free(void* memory) {
  if (memory != nullptr) releases.fetch_add(1, std::memory_order_relaxed);
  __libc_free(memory);
}

[[gnu::visibility("default")]] void* mmap(void* where, std::size_t size, int protection, int flags, int file,
                                          off_t offset) {
  count_allocation();
  const long result = syscall(SYS_mmap, where, size, protection, flags, file, offset);
  return reinterpret_cast<void*>(result);
}

}  // extern "C"
