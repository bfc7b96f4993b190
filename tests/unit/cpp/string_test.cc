#include <corbel/cpp/string.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <corbel/cpp/sequence.h>

#include "orb/cpp/string_memory.h"

namespace {

using CORBA::String_out;
using CORBA::String_var;
using corbel::cpp::StringMember;
using corbel::cpp::UnboundedStringSequence;

TEST(Strings, AreAllocatedWithRoomForTheirTerminator) {
  char* const text = CORBA::string_alloc(3);
  EXPECT_STREQ(text, "");
  std::strcpy(text, "abc");
  EXPECT_STREQ(text, "abc");
  CORBA::string_free(text);
  CORBA::string_free(nullptr);
  char* const empty = CORBA::string_alloc(0);
  EXPECT_STREQ(empty, "");
  CORBA::string_free(empty);
}

TEST(Strings, AreDuplicated) {
  const char text[] = "text";
  char* const copy = CORBA::string_dup(text);
  EXPECT_NE(copy, text);
  EXPECT_STREQ(copy, text);
  CORBA::string_free(copy);
  EXPECT_EQ(CORBA::string_dup(nullptr), nullptr);
}

// ---- their memory, of which a thread keeps some

namespace memory = corbel::cpp::string_memory;

std::string text_of(std::size_t length) { return std::string(length, static_cast<char>('a' + length % 26)); }

TEST(StringMemory, HoldsTextOfAnyLengthWhileStringsComeAndGo) {
  std::vector<std::pair<char*, std::size_t>> held;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t length = 0; length < 600; ++length)
      held.emplace_back(CORBA::string_dup(text_of(length).c_str()), length);
    for (std::size_t length = 0; length < 600; length += 7) {
      char* const text = CORBA::string_alloc(static_cast<CORBA::ULong>(length));
      ASSERT_STREQ(text, "");
      std::memset(text, 'z', length);
      text[length] = '\0';
      CORBA::string_free(text);
    }
    for (const auto& [text, length] : held) {
      ASSERT_EQ(text, text_of(length));
      CORBA::string_free(text);
    }
    held.clear();
  }
}

#if !defined(CORBEL_ASAN) && !defined(CORBEL_TSAN)  // they see each string made and freed
TEST(StringMemory, IsGivenOutAgain) {
  char* const first = CORBA::string_dup("some text that was there before");
  CORBA::string_free(first);
  char* const second = CORBA::string_dup("other text, of like length, now");
  EXPECT_EQ(second, first);
  EXPECT_STREQ(second, "other text, of like length, now");
  CORBA::string_free(second);
}

TEST(StringMemory, IsKeptUpToABound) {
  constexpr std::size_t kStrings = 4 * memory::kMostKept / memory::kClasses;
  std::vector<char*> held;
  for (std::size_t i = 0; i < kStrings; ++i) held.push_back(CORBA::string_alloc(memory::kClasses * 16 - 2));
  for (char* text : held) CORBA::string_free(text);
  std::size_t kept = 0;
  for (std::size_t c = 0; c <= memory::kClasses; ++c)
    for (const memory::Block* b = memory::kept.blocks[c]; b; b = b->next) kept += c;
  EXPECT_GT(kept, memory::kMostKept / 2);
  EXPECT_EQ(kept + memory::kept.room, memory::kMostKept);
  for (std::size_t i = 0; i < kStrings; ++i) held[i] = CORBA::string_alloc(memory::kClasses * 16 - 2);
  EXPECT_LE(memory::kept.room, memory::kMostKept);
  for (char* text : held) CORBA::string_free(text);
}

#endif

// Sloppy programs do this, and it has always worked.
TEST(StringMemory, OfMallocMayBeFreedAsAStringAndTheOtherWayRound) {
  for (std::size_t length = 0; length < 300; length += 3) {
    CORBA::string_free(strdup(text_of(length).c_str()));
    char* const text = CORBA::string_dup(text_of(length).c_str());
    EXPECT_EQ(text, text_of(length));
    std::free(text);
  }
}

TEST(StringMemory, MovesBetweenThreads) {
  std::vector<char*> made;
  std::thread([&made] {
    for (std::size_t i = 0; i < 500; ++i) made.push_back(CORBA::string_dup(text_of(i % 200).c_str()));
  }).join();
  for (std::size_t i = 0; i < made.size(); ++i) {
    EXPECT_EQ(made[i], text_of(i % 200));
    CORBA::string_free(made[i]);
  }
}

struct FreesAtTheEnd {
  char* text = nullptr;
  ~FreesAtTheEnd() { CORBA::string_free(text); }
};
thread_local FreesAtTheEnd frees_at_the_end;

TEST(StringMemory, OfAThreadThatEndsIsNotKept) {
  std::thread([] {
    frees_at_the_end.text = CORBA::string_dup("freed when the thread keeps nothing any more");
    CORBA::string_free(CORBA::string_dup("first"));
    EXPECT_EQ(memory::kept.room > 0, memory::kKeeps);
  }).join();
}

TEST(StringVar, BeginsNullAndAdoptsOrCopies) {
  const String_var none;
  EXPECT_EQ(none.in(), nullptr);
  char* const heap = CORBA::string_dup("adopted");
  const String_var adopted(heap);
  EXPECT_EQ(adopted.in(), heap);
  const char* const constant = "copied";
  const String_var copied(constant);
  EXPECT_NE(copied.in(), constant);
  EXPECT_STREQ(copied.in(), "copied");
  const String_var literal = "literal";
  EXPECT_STREQ(literal.in(), "literal");
  const String_var copy = adopted;
  EXPECT_NE(copy.in(), heap);
  EXPECT_STREQ(copy.in(), "adopted");
  const String_var null_copy = none;
  EXPECT_EQ(null_copy.in(), nullptr);
}

TEST(StringVar, Assigns) {
  String_var s;
  char* const heap = CORBA::string_dup("adopted");
  s = heap;
  EXPECT_EQ(s.in(), heap);
  s = heap;  // its own string
  EXPECT_STREQ(s.in(), "adopted");
  s = static_cast<const char*>("copied");
  EXPECT_STREQ(s.in(), "copied");
  s = s.in();
  EXPECT_STREQ(s.in(), "copied");
  s = s.in() + 3;
  EXPECT_STREQ(s.in(), "ied");
  String_var other = "other";
  s = other;
  EXPECT_STREQ(s.in(), "other");
  EXPECT_NE(s.in(), other.in());
  s = *&s;
  EXPECT_STREQ(s.in(), "other");
  s = static_cast<char*>(nullptr);
  EXPECT_EQ(s.in(), nullptr);
  s = other;
  s = static_cast<const char*>(nullptr);
  EXPECT_EQ(s.in(), nullptr);
  s = String_var("temporary");
  EXPECT_STREQ(s.in(), "temporary");
}

TEST(StringVar, MovesTheStringItself) {
  String_var from = "text";
  const char* const heap = from.in();
  String_var to(std::move(from));
  EXPECT_EQ(to.in(), heap);
  String_var last = "overwritten";
  last = std::move(to);
  EXPECT_EQ(last.in(), heap);
  EXPECT_EQ(to.in(), nullptr);
}

TEST(StringVar, PassesItselfInEveryMode) {
  String_var s = "text";
  char*& inout = s.inout();
  CORBA::string_free(inout);
  inout = CORBA::string_dup("changed");
  EXPECT_STREQ(s.in(), "changed");
  EXPECT_EQ(s.out(), nullptr);
  EXPECT_EQ(s.in(), nullptr);
  s.out() = CORBA::string_dup("result");
  EXPECT_STREQ(s.in(), "result");
  char* const returned = s._retn();
  EXPECT_EQ(s.in(), nullptr);
  EXPECT_STREQ(returned, "result");
  s = returned;
}

TEST(StringVar, ConvertsAndIndexes) {
  String_var s = "text";
  const String_var& constant = s;
  const char* const in = constant;
  EXPECT_EQ(in, s.in());
  char*& reference = s;
  EXPECT_EQ(reference, s.in());
  s[0] = 'n';
  EXPECT_EQ(constant[0], 'n');
  EXPECT_EQ(s[1u], 'e');
  EXPECT_STREQ(s.in(), "next");
}

void give(String_out text) { text = CORBA::string_dup("given"); }
void give_constant(String_out text) { text = static_cast<const char*>("constant"); }
void give_on(String_out text) { give(text); }
void give_nothing(String_out) {}

TEST(StringOut, FreesWhatAVarHeldAndNotWhatAPointerHeld) {
  String_var s = "old";
  give(s);
  EXPECT_STREQ(s.in(), "given");
  give_constant(s);
  EXPECT_STREQ(s.in(), "constant");
  give_on(s.out());
  EXPECT_STREQ(s.in(), "given");
  give_nothing(s);
  EXPECT_EQ(s.in(), nullptr);
  char* raw = CORBA::string_dup("kept by its owner");
  const String_var owner(raw);
  give(raw);
  EXPECT_STREQ(raw, "given");
  CORBA::string_free(raw);
}

TEST(StringOut, CopiesWhatHoldersHold) {
  StringMember member = "member";
  String_var var = "var", target;
  UnboundedStringSequence sequence;
  sequence.length(1);
  sequence[0] = "element";
  String_out out(target);
  const auto expect = [&](const char* text) {
    EXPECT_STREQ(target.in(), text);
    CORBA::string_free(out.ptr());
    out.ptr() = nullptr;
  };
  out = member;
  expect("member");
  out = var;
  expect("var");
  out = sequence[0];
  expect("element");
}

// Strings of every length around the one up to which a member holds them itself.
class Members : public testing::TestWithParam<int> {
 protected:
  const std::string text = std::string(static_cast<std::size_t>(GetParam()), 'm');
};
INSTANTIATE_TEST_SUITE_P(Lengths, Members, testing::Values(0, 1, 14, 15, 16, 17, 1000));

TEST_P(Members, CopyConstantsAndAdoptPointers) {
  StringMember m;
  EXPECT_STREQ(m.in(), "");
  m = text.c_str();
  EXPECT_EQ(m.in(), text);
  EXPECT_NE(m.in(), text.c_str());
  char* const heap = CORBA::string_dup(text.c_str());
  m = heap;
  EXPECT_EQ(m.in(), heap);
  m = heap;
  EXPECT_EQ(m.in(), text);
  m = "short";
  EXPECT_STREQ(m.in(), "short");
  m = CORBA::string_dup(text.c_str());
  m = static_cast<char*>(nullptr);
  EXPECT_EQ(m.in(), nullptr);
  m = text.c_str();
  m = static_cast<const char*>(nullptr);
  EXPECT_EQ(m.in(), nullptr);
  m = text.c_str();
  EXPECT_EQ(m.in(), text);
}

TEST_P(Members, BeginWithACopyOfAConstantOrWithTheMemoryTheyAdopt) {
  const StringMember copy = text.c_str();
  EXPECT_EQ(copy.in(), text);
  EXPECT_NE(copy.in(), text.c_str());
  char* const heap = CORBA::string_dup(text.c_str());
  const StringMember adopted = heap;
  EXPECT_EQ(adopted.in(), heap);
}

TEST_P(Members, AssignThemselvesAndPartsOfThemselves) {
  StringMember m = text.c_str();
  m = *&m;
  EXPECT_EQ(m.in(), text);
  m = m.in();
  EXPECT_EQ(m.in(), text);
  if (text.empty()) return;
  m = m.in() + 1;
  EXPECT_EQ(m.in(), text.substr(1));
  m = text.c_str();
  StringMember& same = m;
  m = std::move(same);
  EXPECT_EQ(m.in(), text);
}

TEST_P(Members, CopyAndMove) {
  StringMember m = text.c_str();
  StringMember copy = m;
  EXPECT_EQ(copy.in(), text);
  EXPECT_NE(copy.in(), m.in());
  StringMember moved(std::move(m));
  EXPECT_EQ(moved.in(), text);
  EXPECT_STREQ(m.in(), "");
  m = "used again";
  m = std::move(moved);
  EXPECT_EQ(m.in(), text);
  EXPECT_STREQ(moved.in(), "");
  for (const char* other : {"", "other", "something that is longer than a member"}) {
    StringMember target = other;
    target = m;
    EXPECT_EQ(target.in(), text);
    target = other;
    target = StringMember(text.c_str());
    EXPECT_EQ(target.in(), text);
  }
  StringMember null;
  null = static_cast<char*>(nullptr);
  StringMember from_null = null;
  EXPECT_EQ(from_null.in(), nullptr);
  from_null = std::move(null);
  EXPECT_EQ(from_null.in(), nullptr);
}

TEST_P(Members, HandOutStringsThatTheReceiverFrees) {
  StringMember m = text.c_str();
  CORBA::string_free(m.inout());
  m.inout() = CORBA::string_dup("through inout");
  EXPECT_STREQ(m.in(), "through inout");
  m = text.c_str();
  char* const returned = m._retn();
  EXPECT_EQ(returned, text);
  EXPECT_STREQ(m.in(), "");
  CORBA::string_free(returned);
  m = text.c_str();
  EXPECT_EQ(m.out(), nullptr);
  m.out() = CORBA::string_dup(text.c_str());
  EXPECT_EQ(m.in(), text);
  CORBA::string_free(m._retn());
}

TEST_P(Members, AreCopiedToAndFromOtherHolders) {
  StringMember m = text.c_str();
  const StringMember& constant = m;
  String_var a = m, b = constant, c;
  EXPECT_EQ(a.in(), text);
  EXPECT_NE(a.in(), m.in());
  EXPECT_EQ(b.in(), text);
  EXPECT_NE(b.in(), m.in());
  c = m;
  EXPECT_EQ(c.in(), text);
  EXPECT_NE(c.in(), m.in());
  m = "other";
  m = a;
  EXPECT_EQ(m.in(), text);
  EXPECT_NE(m.in(), a.in());
  StringMember made = b;
  EXPECT_EQ(made.in(), text);
  EXPECT_NE(made.in(), b.in());
  UnboundedStringSequence sequence;
  sequence.length(2);
  sequence[0] = m;
  sequence[1] = a;
  EXPECT_EQ(sequence[0].in(), text);
  EXPECT_NE(sequence[0].in(), m.in());
  EXPECT_NE(sequence[1].in(), a.in());
  const UnboundedStringSequence& constants = sequence;
  for (StringMember* target : {&m, &made}) {
    *target = "other";
    *target = sequence[0];
    EXPECT_EQ(target->in(), text);
    EXPECT_NE(target->in(), sequence[0].in());
    *target = constants[1];
    EXPECT_EQ(target->in(), text);
  }
  String_var from_element = sequence[0], from_constant = constants[0], assigned;
  EXPECT_EQ(from_element.in(), text);
  EXPECT_NE(from_element.in(), sequence[0].in());
  EXPECT_NE(from_constant.in(), sequence[0].in());
  assigned = sequence[1];
  EXPECT_EQ(assigned.in(), text);
  EXPECT_NE(assigned.in(), sequence[1].in());
}

TEST_P(Members, CanBeIndexed) {
  if (text.empty()) return;
  StringMember m = text.c_str();
  const StringMember& constant = m;
  m[0] = 'X';
  EXPECT_EQ(constant[0], 'X');
  m[0u] = 'm';
  EXPECT_EQ(m.in(), text);
}

}  // namespace
