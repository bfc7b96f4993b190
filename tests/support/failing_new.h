// An operator new of the program that fails when it is told to. For one source of a program: it replaces the
// library's.
#pragma once

#include <cstdlib>
#include <new>

namespace {
thread_local int allocation_that_fails = 0;  // of the thread's next ones by operator new; 0: none
}  // namespace

void* operator new(std::size_t size) {
  if (allocation_that_fails != 0 && --allocation_that_fails == 0) throw std::bad_alloc();
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  if (allocation_that_fails != 0 && --allocation_that_fails == 0) return nullptr;
  return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
