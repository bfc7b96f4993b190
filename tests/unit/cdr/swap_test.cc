#include "orb/cdr/swap.h"

#include <corbel/cdr/bytes.h>
#include <corbel/cdr/decoder.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

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

// Structures as a compiler lays them out, with and without gaps; sizes that repeat after one vector, after
// several, and after too many.
struct Member {
  std::size_t at, width;
};
struct Shape {
  std::size_t size;
  std::vector<Member> members;
};
const Shape kShapes[] = {
    {8, {{0, 4}, {4, 2}, {6, 1}, {7, 1}}},
    {12, {{0, 4}, {4, 1}, {6, 2}, {8, 4}}},
    {16, {{0, 8}, {8, 8}}},
    {24, {{0, 2}, {2, 1}, {4, 4}, {8, 1}, {16, 8}}},
    {40, {{0, 8}, {8, 4}, {16, 8}, {24, 2}, {26, 2}, {28, 4}, {32, 8}}},
    {6, {{0, 2}, {2, 2}, {4, 2}}},
    {3, {{0, 1}, {1, 1}, {2, 1}}},
    {124, {{0, 4}, {60, 4}, {122, 2}}},
    {126, {{0, 2}, {64, 2}, {124, 2}}},
    {200, {{0, 8}, {96, 8}, {192, 8}}},
};

bool take(Decoder& in, void* to, const void* context) {
  const auto& shape = *static_cast<const Shape*>(context);
  const char* const from = in.chunk<1>(shape.size);
  if (!from) return false;
  for (const Member& m : shape.members)
    std::reverse_copy(from + m.at, from + m.at + m.width, static_cast<char*>(to) + m.at);
  return true;
}

TEST(Swaps, StructuresOfAllShapesAndNumbers) {
  for (const Shape& shape : kShapes)
    for (std::size_t count = 0; count < 100; ++count) {
      const std::string from = octets(count * shape.size);
      std::string to = std::string(count * shape.size, 'x') + "guard";
      ASSERT_TRUE(swap_structs(to.data(), from.data(), count, shape.size, take, &shape));
      for (std::size_t i = 0; i < count; ++i)
        for (const Member& m : shape.members) {
          const std::size_t at = i * shape.size + m.at;
          ASSERT_EQ(to.substr(at, m.width), reversed_in_groups(from.substr(at, m.width), m.width))
              << count << " of " << shape.size << " octets, " << i << ", " << m.at;
        }
      ASSERT_EQ(to.substr(count * shape.size), "guard") << count << " of " << shape.size;
    }
}

TEST(Swaps, VectorsTakeWholePeriodsOfStructures) {
  const signed char order[24] = {1,  0,  2,  -1, 7,  6,  5,  4,  8,  -1, -1, -1,
                                 -1, -1, -1, -1, 23, 22, 21, 20, 19, 18, 17, 16};
  const std::string from = octets(24 * 11);
  std::string to(24 * 11, 'x');
#if defined(__x86_64__)
  ASSERT_EQ(shuffles(11, 24), __builtin_cpu_supports("avx2") != 0);
#endif
  if (!shuffles(11, 24)) return;
  ASSERT_EQ(shuffle_structs(to.data(), from.data(), 11, 24, order), 10u);
  for (std::size_t i = 0; i < 240; ++i) {
    const signed char source = order[i % 24];
    ASSERT_EQ(to[i], source < 0 ? '\0' : from[i / 24 * 24 + static_cast<std::size_t>(source)]) << i;
  }
  EXPECT_EQ(to.substr(240), std::string(24, 'x'));
}

// What is refused where it is taken one by one is refused.
TEST(Swaps, StructuresThatAreNotGoodAreRefused) {
  const std::string from = octets(24);
  std::string to(24, 'x');
  const auto refuse = [](Decoder&, void*, const void*) { return false; };
  EXPECT_FALSE(swap_structs(to.data(), from.data(), 3, 8, refuse, nullptr));
}

// An order that no vector carries out is left to the caller.
TEST(Swaps, NothingIsShuffledBetweenVectors) {
  signed char order[32];
  for (int i = 0; i < 32; ++i) order[i] = static_cast<signed char>(31 - i);
  const std::string from = octets(320);
  std::string to(320, 'x');
  if (!shuffles(10, 32)) return;  // the processor has no vectors that we know
  EXPECT_EQ(shuffle_structs(to.data(), from.data(), 10, 32, order), 0u);
  EXPECT_EQ(to, std::string(320, 'x'));
}

}  // namespace
}  // namespace corbel::cdr
