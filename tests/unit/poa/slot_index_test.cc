#include "orb/poa/slot_index.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>

namespace corbel::poa {
namespace {

bool holds(const SlotIndex& index, std::uint32_t hash, std::uint32_t slot) {
  return index.find(hash, [&](std::uint32_t there) { return there == slot; });
}

TEST(SlotIndex, FindsNothingWhileItIsEmpty) {
  const SlotIndex index;
  EXPECT_FALSE(index.find(7, [](std::uint32_t) { return true; }));
}

TEST(SlotIndex, SlotsOfOneHashAreToldApartByTheReader) {
  SlotIndex index;
  for (std::uint32_t slot = 0; slot < 40; ++slot) ASSERT_TRUE(index.put(5, slot));
  index.remove(5, 17);
  for (std::uint32_t slot = 0; slot < 40; ++slot) EXPECT_EQ(holds(index, 5, slot), slot != 17);
  EXPECT_FALSE(holds(index, 6, 3));
}

TEST(SlotIndex, HashesAtTheEndGoOnAtTheBeginning) {
  SlotIndex index;
  for (std::uint32_t slot = 0; slot < 20; ++slot) ASSERT_TRUE(index.put(0xfffffffe, slot));
  for (std::uint32_t slot = 0; slot < 20; slot += 2) index.remove(0xfffffffe, slot);
  for (std::uint32_t slot = 0; slot < 20; ++slot) EXPECT_EQ(holds(index, 0xfffffffe, slot), slot % 2 == 1);
}

TEST(SlotIndex, HoldsWhatAModelHoldsAsItGrowsAndShrinks) {
  SlotIndex index;
  std::map<std::uint32_t, std::uint32_t> model;  // slot to hash
  std::minstd_rand random(3);
  for (int phase = 0; phase < 6; ++phase) {
    const bool grows = phase % 2 == 0;
    for (std::uint32_t i = 0; i < 40'000; ++i) {
      const auto slot = static_cast<std::uint32_t>(random() % 50'000);
      const auto found = model.find(slot);
      if (found == model.end() && (grows || i % 8 == 0)) {
        const auto hash = static_cast<std::uint32_t>(random()) << (i % 3 == 0 ? 12 : 0);
        model[slot] = hash;
        ASSERT_TRUE(index.put(hash, slot));
      } else if (found != model.end() && (!grows || i % 8 == 0)) {
        index.remove(found->second, slot);
        ASSERT_FALSE(holds(index, found->second, slot));
        model.erase(found);
      }
      ASSERT_EQ(index.size(), model.size());
    }
    for (const auto& [slot, hash] : model) ASSERT_TRUE(holds(index, hash, slot));
  }
  while (!model.empty()) {
    index.remove(model.begin()->second, model.begin()->first);
    model.erase(model.begin());
  }
  EXPECT_EQ(index.size(), 0u);
}

TEST(SlotIndex, IsReadWhileItChanges) {
  SlotIndex index;
  for (std::uint32_t slot = 0; slot < 100; ++slot) ASSERT_TRUE(index.put(slot * 0x9e3779b9u, slot));
  std::atomic<bool> end{false};
  std::atomic<std::uint64_t> found{0}, wrong{0};
  std::thread reader([&] {
    std::minstd_rand random(1);
    while (!end) {
      const auto slot = static_cast<std::uint32_t>(random() % 100);
      found += holds(index, slot * 0x9e3779b9u, slot);
      index.find(slot * 0x9e3779b9u, [&](std::uint32_t there) {
        wrong += there >= 200'000;
        return false;
      });
    }
  });
  for (int turn = 0; turn < 3; ++turn) {
    for (std::uint32_t slot = 100; slot < 20'000; ++slot) ASSERT_TRUE(index.put(slot * 0x9e3779b9u, slot));
    for (std::uint32_t slot = 100; slot < 20'000; ++slot) index.remove(slot * 0x9e3779b9u, slot);
  }
  while (found == 0) std::this_thread::yield();
  end = true;
  reader.join();
  EXPECT_EQ(wrong, 0u);
  for (std::uint32_t slot = 0; slot < 100; ++slot) EXPECT_TRUE(holds(index, slot * 0x9e3779b9u, slot));
}

}  // namespace
}  // namespace corbel::poa
