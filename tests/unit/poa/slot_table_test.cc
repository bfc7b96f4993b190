#include "orb/poa/slot_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace corbel::poa {
namespace {

using Table = SlotTable;

// Where a thread is that enters and leaves an adapter.
class Visit {
 public:
  explicit Visit(Table::Entry* entry) : entry_(entry), visit_(presence::enter(entry)) {}
  bool leave() {
    presence::leave(visit_);
    return entry_ && entry_->was_last();
  }

 private:
  Table::Entry* const entry_;
  core::Frame* const visit_;
};

void retire_and_free(Table& table, Table::Entry& entry) {
  ASSERT_TRUE(entry.retire());
  ASSERT_TRUE(entry.settle());
  table.free(&entry);
}

TEST(SlotTable, EntriesKeepTheirAddressesAsItGrows) {
  Table table;
  std::vector<Table::Entry*> entries;
  for (int i = 0; i < 10000; ++i) entries.push_back(table.allocate());
  std::set<Table::Entry*> distinct(entries.begin(), entries.end());
  EXPECT_EQ(distinct.size(), entries.size());
  for (std::uint32_t i = 0; i < 10000; ++i) {
    EXPECT_EQ(entries[i]->index(), i);
    EXPECT_EQ(table.find(i), entries[i]);
  }
}

TEST(SlotTable, FindsNothingOutsideOfItsChunks) {
  Table table;
  table.allocate();
  EXPECT_EQ(table.find(100000), nullptr);
  EXPECT_EQ(table.find(16 * ((1u << 25) - 1) - 1), nullptr);
  EXPECT_EQ(table.find(16 * ((1u << 25) - 1)), nullptr);
  EXPECT_EQ(table.find(kNoSlot), nullptr);
}

TEST(SlotTable, AGenerationIsItsOwnEntrysOnly) {
  Table table;
  Table::Entry* const entry = table.allocate();
  EXPECT_FALSE(entry->is(0, 0)) << "not active";
  entry->activate();
  EXPECT_TRUE(entry->is(0, 0));
  EXPECT_FALSE(entry->is(0, 1));
  EXPECT_FALSE(entry->is(1, 0));
  retire_and_free(table, *entry);
  ASSERT_EQ(table.allocate(), entry);
  entry->activate();
  EXPECT_FALSE(entry->is(0, 0));
  EXPECT_TRUE(entry->is(0, 1));
}

TEST(SlotTable, AMarkedEntryIsNotFoundByItsGeneration) {
  Table table;
  Table::Entry* const entry = table.allocate();
  entry->activate(true);
  EXPECT_TRUE(entry->active());
  EXPECT_FALSE(entry->is(0, 0));
}

TEST(SlotTable, TheLastOneOutOfARetiredEntryFinishesIt) {
  Table table;
  Table::Entry* const entry = table.allocate();
  entry->activate();
  Visit first(entry), second(entry);
  ASSERT_TRUE(entry->retire());
  EXPECT_FALSE(entry->settle());
  EXPECT_FALSE(entry->retire());
  Visit late(entry);
  EXPECT_FALSE(entry->active());
  EXPECT_FALSE(late.leave());
  EXPECT_FALSE(second.leave());
  EXPECT_TRUE(first.leave());
  EXPECT_FALSE(Visit(entry).leave()) << "it is finished only once";
}

TEST(SlotTable, AnEntryIsFinishedByTheThreadThatLeavesItLast) {
  Table table;
  Table::Entry* const entry = table.allocate();
  entry->activate();
  std::atomic<bool> entered{false}, go{false}, last{false};
  std::thread other([&] {
    Visit visit(entry);
    entered = true;
    while (!go) std::this_thread::yield();
    last = visit.leave();
  });
  while (!entered) std::this_thread::yield();
  ASSERT_TRUE(entry->retire());
  EXPECT_FALSE(entry->settle());
  go = true;
  other.join();
  EXPECT_TRUE(last);
}

TEST(SlotTable, AThreadIsInAsManyEntriesAsItWants) {
  Table table;
  std::vector<Table::Entry*> entries;
  std::vector<Visit> visits;
  for (int i = 0; i < 50; ++i) {
    entries.push_back(table.allocate());
    entries.back()->activate();
    visits.emplace_back(entries.back());
  }
  for (Table::Entry* const entry : entries) {
    ASSERT_TRUE(entry->retire());
    EXPECT_FALSE(entry->settle());
  }
  for (auto i = visits.rbegin(); i != visits.rend(); ++i) EXPECT_TRUE(i->leave());
}

TEST(SlotTable, AnObjectIsLeftBeforeItsAdapter) {
  Table table;
  Table::Entry* const adapter = table.allocate();
  Table::Entry* const object = table.allocate();
  adapter->activate();
  object->activate();
  Visit visit(adapter);
  presence::enter_object(object);
  ASSERT_TRUE(object->retire());
  EXPECT_FALSE(object->settle());
  presence::leave_object();
  EXPECT_TRUE(object->was_last());
  ASSERT_TRUE(adapter->retire());
  EXPECT_FALSE(adapter->settle());
  EXPECT_TRUE(visit.leave());
}

TEST(SlotTable, AnObjectIsLeftAlsoBehindDeeplyNestedVisits) {
  Table table;
  std::vector<Table::Entry*> objects;
  std::vector<Visit> visits;
  for (int i = 0; i < 21; ++i) {
    objects.push_back(table.allocate());
    objects.back()->activate();
    visits.emplace_back(nullptr);
    presence::enter_object(objects.back());
  }
  for (Table::Entry* const object : objects) ASSERT_TRUE(object->retire());
  for (auto i = objects.rbegin(); i != objects.rend(); ++i) {
    EXPECT_FALSE((*i)->settle());
    presence::leave_object();
    EXPECT_TRUE((*i)->was_last());
    visits.back().leave();
    visits.pop_back();
  }
}

// Threads that are inside may not be seen yet, and others may hold that nothing has changed.
TEST(SlotTable, WhoLeavesBeforeTheRetirementIsSettledBringsAllInOrderFirst) {
  Table table;
  Table::Entry* const entry = table.allocate();
  entry->activate();
  Visit visit(entry);
  ASSERT_TRUE(entry->retire());
  const std::uint64_t before = corbel::core::collocation_changes;
  EXPECT_TRUE(visit.leave());
  EXPECT_NE(corbel::core::collocation_changes, before);
  EXPECT_FALSE(entry->settle());
}

// Threads come and go through an entry that is retired meanwhile: one of them finishes it, or who retired it.
TEST(SlotTable, AnEntryThatManyThreadsLeaveIsFinishedOnce) {
  Table table;
  Table::Entry* const entry = table.allocate();
  std::atomic<int> finished{0}, inside{0};
  std::atomic<bool> end{false};
  std::vector<std::thread> threads;
  for (int n = 0; n < 3; ++n)
    threads.emplace_back([&] {
      while (!end) {
        Visit visit(entry);
        if (entry->active()) {
          inside.fetch_add(1);
          inside.fetch_sub(1);
        }
        if (visit.leave()) finished.fetch_add(1);
      }
    });
  for (int turn = 1; turn <= 2'000; ++turn) {
    entry->activate();
    if (turn % 16 == 0) std::this_thread::yield();
    ASSERT_TRUE(entry->retire());
    if (entry->settle()) finished.fetch_add(1);
    while (finished.load() < turn) std::this_thread::yield();
    EXPECT_EQ(finished.load(), turn);
    EXPECT_EQ(inside.load(), 0);
    table.free(entry);
    EXPECT_EQ(table.allocate(), entry);
  }
  end = true;
  for (auto& thread : threads) thread.join();
}

TEST(SlotTable, AFreeEntryIsUsedAgainUnderAnotherGeneration) {
  Table table;
  Table::Entry* const entry = table.allocate();
  entry->activate();
  retire_and_free(table, *entry);
  EXPECT_EQ(table.generation(0), 1u);
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

// Blocks of 4,096 give their memory back; what was in them stays known to be old.
TEST(SlotTable, GenerationsGoOnWhereEmptyBlocksGaveTheirMemoryBack) {
  Table table;
  std::vector<Table::Entry*> entries;
  constexpr std::uint32_t kAll = 20'000;
  for (std::uint32_t i = 0; i < kAll; ++i) {
    entries.push_back(table.allocate());
    entries.back()->activate();
  }
  for (Table::Entry* const entry : entries) retire_and_free(table, *entry);
  std::set<std::uint32_t> again;
  for (std::uint32_t i = 0; i < kAll; ++i) {
    Table::Entry* const entry = table.allocate();
    EXPECT_EQ(entry->generation(), entry->index() < kAll ? 1u : 0u);
    EXPECT_EQ(table.find(entry->index()), entry);
    again.insert(entry->index());
  }
  EXPECT_EQ(again.size(), kAll);
}

TEST(SlotTable, GoesThroughTheActiveEntries) {
  Table table;
  std::set<std::uint32_t> active;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    Table::Entry* const entry = table.allocate();
    if (i % 3 == 0 && (i < 5'000 || i > 9'000)) {
      entry->activate();
      active.insert(entry->index());
    }
  }
  std::set<std::uint32_t> found;
  for (std::uint32_t from = 0; Table::Entry* const entry = table.next_active(from);)
    found.insert(entry->index());
  EXPECT_EQ(found, active);
}

}  // namespace
}  // namespace corbel::poa
