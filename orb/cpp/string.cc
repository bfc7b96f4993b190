#include <corbel/cpp/sequence.h>
#include <corbel/cpp/string.h>

#include <utility>

#include "orb/cpp/string_memory.h"

namespace corbel::cpp::string_memory {

constinit thread_local Kept kept [[gnu::tls_model("initial-exec")]];

namespace {
// Ends with its thread.
struct Keeper {
  Keeper() { kept.room = kMostKept; }
  ~Keeper() {
    kept.room = 0;
    for (Block*& block : kept.blocks)
      while (block) std::free(std::exchange(block, block->next));
  }
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
};
}  // namespace

char* allocate_new(std::size_t size) {
  const std::size_t c = class_for(size);
  return static_cast<char*>(std::malloc(kKeeps && c <= kClasses ? kStep * c : size));
}

// The first string makes its thread a keeper, once: it is none any more while it ends.
void release_slowly(char* text) {
  if (kKeeps && kept.room == 0) {
    thread_local Keeper keeper;
    if (keep(text)) return;
  }
  std::free(text);
}

}  // namespace corbel::cpp::string_memory

namespace corbel::cpp {

void* allocate_sequence(std::size_t size) noexcept { return string_memory::allocate(size); }
void free_sequence(void* memory) noexcept {
  // It may come from elsewhere, as from `::new`: then it may be smaller than what allocate() gives.
  if (memory) string_memory::release(static_cast<char*>(memory));
}

}  // namespace corbel::cpp

namespace CORBA {

namespace memory = corbel::cpp::string_memory;

char* string_alloc(ULong length) {
  char* const text = memory::allocate(std::size_t{length} + 1);
  if (text) *text = '\0';
  return text;
}

char* string_dup(const char* text) {
  if (!text) return nullptr;
  const std::size_t size = std::strlen(text) + 1;
  char* const copy = memory::allocate(size);
  return copy ? static_cast<char*>(std::memcpy(copy, text, size)) : nullptr;
}

void string_free(char* text) {
  if (text) memory::release(text);
}

}  // namespace CORBA
