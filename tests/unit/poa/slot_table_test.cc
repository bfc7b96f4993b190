#include "orb/poa/slot_table.h"

#include <gtest/gtest.h>

#include <set>

namespace corbel::poa {
namespace {

using Table = SlotTable<int>;

void retire_and_free(Table& table, Table::Entry& entry) {
  entry.enter();
  ASSERT_TRUE(entry.retire());
  ASSERT_EQ(entry.leave(), Table::Left::Last);
  table.free(&entry);
}

TEST(SlotTable, EntriesKeepTheirAddressesAsItGrows) {
  Table table;
  std::vector<Table::Entry*> entries;
  for (int i = 0; i < 10000; ++i) entries.push_back(table.allocate());
  std::set<Table::Entry*> distinct(entries.begin(), entries.end());
  EXPECT_EQ(distinct.size(), entries.size());
  for (std::uint32_t i = 0; i < 10000; ++i) {
    EXPECT_EQ(entries[i]->index, i);
    EXPECT_EQ(table.find(i), entries[i]);
  }
}

TEST(SlotTable, FindsNothingOutsideOfItsChunks) {
  Table table;
  table.allocate();
  EXPECT_EQ(table.find(100000), nullptr);
  EXPECT_EQ(table.find(16 * ((1u << 20) - 1) - 1), nullptr);
  EXPECT_EQ(table.find(16 * ((1u << 20) - 1)), nullptr);
  EXPECT_EQ(table.find(kNoSlot), nullptr);
}

TEST(SlotTable, NobodyGetsIntoAnEntryThatIsNotActive) {
  Table table;
  Table::Entry* const entry = table.allocate();
  EXPECT_FALSE(entry->enter());
  EXPECT_EQ(entry->leave(), Table::Left::Retired);
  entry->activate();
  EXPECT_TRUE(entry->enter());
  EXPECT_EQ(entry->leave(), Table::Left::Active);
}

TEST(SlotTable, AGenerationOpensOnlyItsOwnEntry) {
  Table table;
  Table::Entry* const entry = table.allocate();
  entry->activate();
  EXPECT_TRUE(entry->enter(0));
  entry->leave();
  EXPECT_FALSE(entry->enter(1));
  entry->leave();
  retire_and_free(table, *entry);
  ASSERT_EQ(table.allocate(), entry);
  entry->activate();
  EXPECT_FALSE(entry->enter(0));
  entry->leave();
  EXPECT_TRUE(entry->enter(1));
  entry->leave();
}

TEST(SlotTable, TheLastOneOutOfARetiredEntryFinishesIt) {
  Table table;
  Table::Entry* const entry = table.allocate();
  entry->activate();
  ASSERT_TRUE(entry->enter());
  ASSERT_TRUE(entry->enter());
  ASSERT_TRUE(entry->retire());
  EXPECT_FALSE(entry->retire());
  EXPECT_FALSE(entry->enter()) << "retired";
  EXPECT_EQ(entry->leave(), Table::Left::Retired);
  EXPECT_EQ(entry->leave(), Table::Left::Retired);
  EXPECT_FALSE(entry->finished(0));
  EXPECT_EQ(entry->leave(), Table::Left::Last);
  EXPECT_TRUE(entry->finished(0));
  EXPECT_FALSE(entry->enter());
  EXPECT_EQ(entry->leave(), Table::Left::Retired) << "it is finished only once";
}

TEST(SlotTable, AFreeEntryIsUsedAgainUnderAnotherGeneration) {
  Table table;
  Table::Entry* const entry = table.allocate();
  entry->activate();
  retire_and_free(table, *entry);
  EXPECT_EQ(table.allocate(), entry);
  EXPECT_EQ(entry->generation(), 1u);
}

TEST(SlotTable, AnEntryWhoseGenerationsAreUsedUpStaysOutOfUse) {
  Table table;
  Table::Entry* const entry = table.allocate();
  entry->word.store(std::uint64_t{0xfffffffe} << 32);
  entry->activate();
  retire_and_free(table, *entry);
  ASSERT_EQ(table.allocate(), entry);
  ASSERT_EQ(entry->generation(), 0xffffffffu);
  entry->activate();
  retire_and_free(table, *entry);
  EXPECT_NE(table.allocate(), entry);
}

}  // namespace
}  // namespace corbel::poa
