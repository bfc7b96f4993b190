#include <corbel/cdr/arena.h>

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace corbel::cdr {
namespace {

TEST(Arena, GivesAlignedMemoryThatDoesNotOverlap) {
  Arena arena;
  std::vector<std::pair<char*, std::size_t>> blocks;
  for (const std::size_t size : {1u, 16u, 17u, 4000u, 5000u, 100'000u, 3u, 0u}) {
    char* const p = static_cast<char*>(arena.allocate(size));
    ASSERT_TRUE(p);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 16, 0u);
    std::memset(p, static_cast<int>(blocks.size() + 1), size);
    blocks.emplace_back(p, size);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (std::size_t k = 0; k < blocks[i].second; ++k)
      ASSERT_EQ(blocks[i].first[k], static_cast<char>(i + 1)) << "block " << i << " was overwritten";
}

TEST(Arena, UsesItsMemoryAgainAfterReset) {
  Arena arena;
  void* const first = arena.allocate(100);
  arena.reset();
  EXPECT_EQ(arena.allocate(100), first);
}

TEST(Arena, RefusesSizesThatCannotBe) {
  Arena arena;
  EXPECT_EQ(arena.allocate(static_cast<std::size_t>(-1)), nullptr);
  EXPECT_EQ(arena.allocate(static_cast<std::size_t>(-17)), nullptr);
  EXPECT_TRUE(arena.allocate(1));
}

}  // namespace
}  // namespace corbel::cdr
