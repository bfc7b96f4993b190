// Memory for tables that are read without locks: it is zero at first, and stays readable until it is freed.
#pragma once

#include <cstddef>

namespace corbel::poa::zeroed {

// What is this large comes from the system, page by page as it is touched, and can be given back.
inline constexpr std::size_t kMapped = 64 * 1024;

// Null where there is none.
void* allocate(std::size_t size);
void free(void* memory, std::size_t size);
// Whole multiples of kMapped of what was allocated in at least that size. Zero again from then on.
void give_back(void* memory, std::size_t size);

}  // namespace corbel::poa::zeroed
