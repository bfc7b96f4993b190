// The rings by themselves, with positions that no honest peer publishes.
#include "orb/transport/shm_ring.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace corbel::transport::shm {
namespace {

constexpr std::size_t kCapacity = 4096;

struct Ring {
  Side from, to;
  std::vector<char> memory = std::vector<char>(kCapacity);
  RingWriter writer{from, to, memory.data(), kCapacity};
  RingReader reader{to, from, memory.data(), kCapacity};

  std::size_t room() {
    std::size_t bytes = 0;
    EXPECT_TRUE(writer.room(bytes));
    return bytes;
  }
  std::size_t available() {
    std::size_t bytes = 0;
    EXPECT_TRUE(reader.available(bytes));
    return bytes;
  }
  void put(const std::string& text) {
    ASSERT_LE(text.size(), room());
    writer.copy(text.data(), text.size());
    writer.publish();
  }
  std::string get(std::size_t size) {
    std::string text(size, '\0');
    reader.take(text.data(), size);
    return text;
  }
};

TEST(ShmRing, GivesBackWhatWasWritten) {
  Ring ring;
  EXPECT_EQ(ring.room(), kCapacity);
  EXPECT_FALSE(ring.reader.changed());
  ring.put("abc");
  ring.put("defg");
  EXPECT_TRUE(ring.reader.changed());
  EXPECT_EQ(ring.available(), 7u);
  EXPECT_EQ(ring.get(5), "abcde");
  EXPECT_EQ(ring.get(2), "fg");
  EXPECT_FALSE(ring.reader.changed());
}

TEST(ShmRing, IsFullWhenItsCapacityIsWritten) {
  Ring ring;
  ring.put(std::string(kCapacity, 'x'));
  EXPECT_EQ(ring.room(), 0u);
  EXPECT_FALSE(ring.writer.roomy());
  ring.get(kCapacity / 2);
  EXPECT_TRUE(ring.writer.roomy());
  EXPECT_TRUE(ring.reader.roomy());
  EXPECT_EQ(ring.room(), kCapacity / 2);
}

TEST(ShmRing, BytesRunOnBehindItsEnd) {
  Ring ring;
  std::mt19937 random(7);
  std::string written, read;
  while (read.size() < 200'000) {
    std::string text(std::min<std::size_t>(random() % 3000, ring.room()), '\0');
    for (char& c : text) c = static_cast<char>(random());
    ring.put(text);
    written += text;
    read += ring.get(std::min<std::size_t>(random() % 3000, ring.available()));
  }
  EXPECT_EQ(written.substr(0, read.size()), read);
}

TEST(ShmRing, SmallMessagesStayInItsFirstBytes) {
  Ring ring;
  for (int i = 0; i < 1000; ++i) {
    ring.put("0123456789");
    EXPECT_EQ(ring.get(10), "0123456789");
  }
  for (std::size_t i = 10; i < kCapacity; ++i) ASSERT_EQ(ring.memory[i], 0) << i;
}

TEST(ShmRing, AnImpossiblePositionIsSeen) {
  Ring ring;
  ring.put("abc");
  std::size_t bytes;
  for (const std::uint64_t taken : {std::uint64_t{4}, std::uint64_t{0} - kCapacity, std::uint64_t{1} << 63}) {
    ring.to.taken = taken;
    EXPECT_FALSE(ring.writer.room(bytes)) << taken;
    EXPECT_TRUE(ring.writer.roomy()) << "whoever waits has to find out";
  }
  ring.get(2);
  for (const std::uint64_t written : {std::uint64_t{1}, std::uint64_t{kCapacity + 3}, ~std::uint64_t{0}}) {
    ring.from.written = written;
    EXPECT_FALSE(ring.reader.available(bytes)) << written;
    EXPECT_TRUE(ring.reader.changed());
  }
}

TEST(ShmRing, NoPositionLeadsOutOfTheRing) {
  Ring ring;
  const std::string guard(64, '#');
  std::vector<char> memory(kCapacity + 128, '#');
  RingReader reader(ring.to, ring.from, memory.data() + 64, kCapacity);
  std::mt19937_64 random(11);
  std::string out(kCapacity, '\0');
  for (int i = 0; i < 10'000; ++i) {
    ring.from.origin = random();
    ring.from.written = random() % 2 ? random() : ring.to.taken + random() % (kCapacity + 10);
    std::size_t bytes;
    if (!reader.available(bytes)) continue;
    ASSERT_LE(bytes, kCapacity);
    std::fill(memory.begin() + 64, memory.end() - 64, 'x');
    reader.take(out.data(), bytes);
    ASSERT_EQ(out.find('#'), std::string::npos);
  }
}

}  // namespace
}  // namespace corbel::transport::shm
