// Swaps the bytes of runs: how swap_run() (bytes.h) does it, for tests.
#pragma once

#include <cstddef>

namespace corbel::cdr {

// One value after the other, on any processor.
template <std::size_t Size>
void swap_run_scalar(char* p, std::size_t count);

// Octets at the front of a run of values of `size` bytes that vectors have swapped: a multiple of `size`, 0
// where the processor has no vectors that we know.
std::size_t swap_vectors(char* p, std::size_t octets, std::size_t size);

// Whether vectors can put so many structures of `size` octets in another order, and are worth the
// preparation.
bool shuffles(std::size_t count, std::size_t size);
// Where that is so: those at the front of `count` that they have. The octet i of each is order[i] of its
// original, or zero where that is negative. 0 where an octet goes from one vector to another.
std::size_t shuffle_structs(char* to, const char* from, std::size_t count, std::size_t size,
                            const signed char* order);

}  // namespace corbel::cdr
