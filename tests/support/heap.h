// What a program has of the heap, to the octet, so that tests see what an attack leaves behind.
#pragma once

#include <malloc.h>

#include <cstddef>

extern "C" std::size_t __sanitizer_get_current_allocated_bytes() __attribute__((weak));

// Octets in use. A sanitizer keeps what is freed for a while, but does not count it.
inline std::size_t heap_in_use() {
  if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}
