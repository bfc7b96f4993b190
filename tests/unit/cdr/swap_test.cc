#include "orb/cdr/swap.h"

#include <corbel/cdr/bytes.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace corbel::cdr {
namespace {

std::string octets(std::size_t count) {
  std::string all(count, '\0');
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<char>(i * 7 + i / 251);
  return all;
}

std::string reversed_in_groups(std::string all, std::size_t size) {
  for (std::size_t i = 0; i < all.size(); i += size)
    std::reverse(all.begin() + static_cast<std::ptrdiff_t>(i),
                 all.begin() + static_cast<std::ptrdiff_t>(i + size));
  return all;
}

template <std::size_t Size, typename Swap>
void check_all_counts(const Swap& swap) {
  for (std::size_t count = 0; count < 200; ++count) {
    for (const std::size_t offset : {0, 1, 4}) {  // nothing depends on where the run begins
      std::string memory(offset, 'x');
      memory += octets(count * Size) + "guard";
      swap(memory.data() + offset, count);
      ASSERT_EQ(std::string(offset, 'x') + reversed_in_groups(octets(count * Size), Size) + "guard", memory)
          << Size << " octets, " << count << " values at " << offset;
    }
  }
}

template <std::size_t Size>
void check_size() {
  check_all_counts<Size>([](char* p, std::size_t count) { swap_run<Size>(p, count); });
  check_all_counts<Size>([](char* p, std::size_t count) { swap_run_scalar<Size>(p, count); });
}

// Where vectors are lined up first, which must not matter for what lies around.
TEST(Swaps, LongRunsThatBeginAnywhere) {
  for (std::size_t offset = 0; offset < 70; ++offset) {
    std::string memory(offset, 'x');
    memory += octets(6000) + "guard";
    swap_run<2>(memory.data() + offset, 3000);
    ASSERT_EQ(std::string(offset, 'x') + reversed_in_groups(octets(6000), 2) + "guard", memory) << offset;
    swap_run<2>(memory.data() + offset, 3000);
    swap_run<4>(memory.data() + offset, 1500);
    ASSERT_EQ(std::string(offset, 'x') + reversed_in_groups(octets(6000), 4) + "guard", memory) << offset;
    swap_run<4>(memory.data() + offset, 1500);
    swap_run<8>(memory.data() + offset, 750);
    ASSERT_EQ(std::string(offset, 'x') + reversed_in_groups(octets(6000), 8) + "guard", memory) << offset;
  }
}

TEST(Swaps, RunsOfTwoOctets) { check_size<2>(); }
TEST(Swaps, RunsOfFourOctets) { check_size<4>(); }
TEST(Swaps, RunsOfEightOctets) { check_size<8>(); }

TEST(Swaps, VectorsSwapTheFrontOfARunWhereTheProcessorHasThem) {
  for (const std::size_t size : {2, 4, 8}) {
    std::string run = octets(4096);
    const std::size_t done = swap_vectors(run.data(), run.size(), size);
    ASSERT_EQ(0u, done % size);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
      EXPECT_EQ(4096u, done);
    }
#endif
    EXPECT_EQ(reversed_in_groups(octets(4096).substr(0, done), size), run.substr(0, done));
    EXPECT_EQ(octets(4096).substr(done), run.substr(done));
  }
}

}  // namespace
}  // namespace corbel::cdr
