// Copies of every size and distance within a page, those that go backwards among them.
#include <corbel/base/copy.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace {

using corbel::base::copied_slowly;

constexpr std::size_t kPage = 4096;

std::string text_of(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 31 + i / 251);
  return text;
}

TEST(Copy, IsSlowFrom1To31OctetsFartherIntoThePage) {
  EXPECT_FALSE(copied_slowly(0));
  EXPECT_TRUE(copied_slowly(1));
  EXPECT_TRUE(copied_slowly(31));
  EXPECT_FALSE(copied_slowly(32));
  EXPECT_FALSE(copied_slowly(kPage));
  EXPECT_TRUE(copied_slowly(7 * kPage + 4));
  EXPECT_FALSE(copied_slowly(0 - std::size_t{1}));
  EXPECT_TRUE(copied_slowly(4 - 9 * kPage));
}

TEST(Copy, IsExactAtEveryDistance) {
  for (const std::size_t size : {2048, 2049, 4095, 4096, 65536 + 63}) {
    const std::string text = text_of(size);
    for (std::size_t farther = 0; farther < 36; ++farther) {
      std::vector<char> memory(2 * (size + 4 * kPage), 'x');
      char* const from = memory.data() + 1;
      char* const to = from + (size / kPage + 2) * kPage + farther;
      std::copy(text.begin(), text.end(), from);
      corbel::base::copy(to, from, size);
      ASSERT_EQ(std::string(to, size), text) << farther;
      ASSERT_EQ(to[-1], 'x');
      ASSERT_EQ(to[size], 'x');
    }
  }
}

TEST(Copy, OfOctetsThatMoveIsExactWhereverTheyGo) {
  for (const std::size_t size : {0, 1, 40, 2048, 65536 + 63}) {
    const std::string text = text_of(size);
    for (const std::ptrdiff_t farther :
         {-70000, -4096 - 4, -4096 + 4, -31, -1, 0, 1, 31, 4096 + 4, 70000 + 3}) {
      constexpr std::ptrdiff_t kRoom = 80000;
      std::string memory(2 * kRoom + size, 'x');
      memory.replace(kRoom, size, text);
      std::string expected = memory;
      expected.replace(static_cast<std::size_t>(kRoom + farther), size, text);
      corbel::base::move_octets(memory.data() + kRoom + farther, memory.data() + kRoom, size);
      ASSERT_TRUE(memory == expected) << size << " by " << farther;
    }
  }
}

TEST(Copy, BackwardsTakesAnySize) {
  for (std::size_t size = 0; size < 300; ++size) {
    const std::string text = text_of(size);
    std::string to(size + 2, 'x');
    corbel::base::copy_backwards(to.data() + 1, text.data(), size);
    ASSERT_EQ(to, 'x' + text + 'x');
  }
}

}  // namespace
