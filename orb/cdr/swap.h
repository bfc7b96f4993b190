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

}  // namespace corbel::cdr
