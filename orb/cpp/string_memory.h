// Memory of strings, of sequences themselves, and of what Anys and lists of arguments are made of. They come
// and go with the calls that have them, so each thread keeps some of what it frees and gives it out again. It
// is malloc's, which tells its size: strings that a program makes or frees by other means than the mapping's
// functions do no harm.
#pragma once

#include <malloc.h>

#include <cstddef>
#include <cstdlib>
#include <new>

#include "orb/base/address_sanitizer.h"
#include "orb/base/thread_sanitizer.h"

namespace corbel::cpp::string_memory {

// Those that look for faults are to see each string made and freed.
#if defined(CORBEL_ASAN) || defined(CORBEL_TSAN)
inline constexpr bool kKeeps = false;
#else
inline constexpr bool kKeeps = true;
#endif

struct Block {
  Block* next;
};

// Memory of class c, from 1 on, has 16 c octets or a few more.
inline constexpr std::size_t kStep = 16, kClasses = 32;
inline constexpr std::size_t kMostKept = 128 * 1024 / kStep;  // by one thread

// What a thread keeps: few octets, which plug-ins that are loaded later must find, too.
struct Kept {
  Block* blocks[kClasses + 1] = {};  // by class
  // For more, in steps; none before the thread frees its first string, nor while it ends.
  std::size_t room = 0;
};
extern constinit thread_local Kept kept [[gnu::tls_model("initial-exec")]];

// The class whose memory is enough. One step more than needed at times, which is cheaper than to be exact.
inline std::size_t class_for(std::size_t size) { return (size + kStep) / kStep; }

char* allocate_new(std::size_t size);
void release_slowly(char* text);

// Of what the thread has kept; null if that has none.
inline char* allocate_kept(std::size_t size) {
  const std::size_t c = class_for(size);
  if (!kKeeps || c > kClasses) return nullptr;
  Block* const block = kept.blocks[c];
  if (!block) return nullptr;
  kept.blocks[c] = block->next;
  kept.room += c;
  return reinterpret_cast<char*>(block);
}

// Null when memory is exhausted.
inline char* allocate(std::size_t size) {
  char* const text = allocate_kept(size);
  return text ? text : allocate_new(size);
}

inline bool keep(char* text) {
  const std::size_t c = malloc_usable_size(text) / kStep;
  if (c - 1 >= kClasses || c > kept.room) [[unlikely]]
    return false;
  kept.room -= c;
  kept.blocks[c] = new (text) Block{kept.blocks[c]};
  return true;
}

inline void release(char* text) {
  if (!kKeeps || !keep(text)) [[unlikely]]
    release_slowly(text);
}

// The same of what allocate() gave for so many octets, which need not be asked for.
inline void release(void* memory, std::size_t size) {
  const std::size_t c = class_for(size);
  if (!kKeeps || c > kClasses || c > kept.room) [[unlikely]]
    return release_slowly(static_cast<char*>(memory));
  kept.room -= c;
  kept.blocks[c] = new (memory) Block{kept.blocks[c]};
}

}  // namespace corbel::cpp::string_memory
