#include <corbel/cpp/sequence.h>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <corbel/cpp/exception.h>

namespace {

using CORBA::ULong;
using namespace corbel::cpp;

typedef UnboundedSequence<CORBA::Long> Longs;
typedef BoundedSequence<CORBA::Long, 4> FourLongs;
typedef UnboundedStringSequence Strings;
typedef BoundedStringSequence<3> ThreeStrings;
struct Named {
  StringMember name;
  CORBA::Long number = 0;
};
typedef UnboundedSequence<Named> Nameds;
typedef UnboundedSequence<Longs> Matrix;

TEST(UnboundedSequences, BeginEmptyAndOwning) {
  const Longs s;
  EXPECT_EQ(s.length(), 0u);
  EXPECT_EQ(s.maximum(), 0u);
  EXPECT_TRUE(s.release());
  EXPECT_EQ(s.get_buffer(), nullptr);
}

TEST(UnboundedSequences, GrowZeroedAndKeepWhatTheyHold) {
  Longs s;
  for (ULong n = 1; n < 2000; ++n) {
    s.length(n);
    ASSERT_EQ(s[n - 1], 0);
    s[n - 1] = static_cast<CORBA::Long>(n);
    ASSERT_GE(s.maximum(), n);
  }
  for (ULong n = 1; n < 2000; ++n) ASSERT_EQ(s[n - 1], static_cast<CORBA::Long>(n));
  s.length(10);
  EXPECT_EQ(s.length(), 10u);
  EXPECT_GE(s.maximum(), 1999u);
  s.length(20);
  for (ULong i = 10; i < 20; ++i) EXPECT_EQ(s[i], 0);
}

TEST(UnboundedSequences, ReserveTheirMaximum) {
  Longs s(100);
  EXPECT_EQ(s.maximum(), 100u);
  EXPECT_EQ(s.length(), 0u);
  s.length(1);
  const CORBA::Long* const buffer = s.get_buffer();
  s.length(100);
  EXPECT_EQ(s.get_buffer(), buffer);
  EXPECT_EQ(s.maximum(), 100u);
  s.length(101);
  EXPECT_GE(s.maximum(), 101u);
  Longs untouched(7);
  EXPECT_NE(untouched.get_buffer(), nullptr);
  EXPECT_EQ(untouched.maximum(), 7u);
}

TEST(UnboundedSequences, LookAtABufferThatTheyDoNotOwn) {
  CORBA::Long buffer[] = {1, 2, 3, 4};
  {
    Longs s(4, 2, buffer);
    EXPECT_FALSE(s.release());
    EXPECT_EQ(s.get_buffer(), buffer);
    EXPECT_EQ(s.get_buffer(true), nullptr);
    EXPECT_EQ(s.length(), 2u);
    s[0] = 10;
    const Longs copy = s;
    EXPECT_TRUE(copy.release());
    EXPECT_NE(copy.get_buffer(), buffer);
    EXPECT_EQ(copy[0], 10);
    s.length(5);
    EXPECT_TRUE(s.release());
    EXPECT_NE(s.get_buffer(), buffer);
    EXPECT_EQ(s[1], 2);
    s[0] = 11;
  }
  EXPECT_EQ(buffer[0], 10);
}

TEST(UnboundedSequences, AdoptABuffer) {
  CORBA::Long* const buffer = Longs::allocbuf(4);
  buffer[0] = 5;
  Longs s(4, 1, buffer, true);
  EXPECT_TRUE(s.release());
  EXPECT_EQ(s[0], 5);
  CORBA::Long* const orphan = s.get_buffer(true);
  EXPECT_EQ(orphan, buffer);
  EXPECT_EQ(s.length(), 0u);
  EXPECT_EQ(s.maximum(), 0u);
  s.length(1);
  EXPECT_NE(s.get_buffer(), buffer);
  Longs::freebuf(orphan);
  Longs::freebuf(nullptr);
}

TEST(UnboundedSequences, ReplaceTheirBuffer) {
  Longs s;
  s.length(3);
  CORBA::Long mine[] = {1, 2};
  s.replace(2, 1, mine);
  EXPECT_EQ(s.get_buffer(), mine);
  EXPECT_EQ(s.maximum(), 2u);
  EXPECT_EQ(s.length(), 1u);
  EXPECT_FALSE(s.release());
  s.replace(8, 2, Longs::allocbuf(8), true);
  EXPECT_TRUE(s.release());
  CORBA::Long* const same = s.get_buffer();
  s.replace(8, 8, same, true);
  EXPECT_EQ(s.length(), 8u);
  s.replace(0, 0, nullptr, true);
  EXPECT_EQ(s.length(), 0u);
}

TEST(UnboundedSequences, CopyMoveAndAssign) {
  Longs s;
  s.length(3);
  s[2] = 7;
  Longs copy = s;
  copy[2] = 8;
  EXPECT_EQ(s[2], 7);
  copy = s;
  EXPECT_EQ(copy[2], 7);
  copy = *&copy;
  EXPECT_EQ(copy[2], 7);
  const CORBA::Long* const buffer = copy.get_buffer();
  Longs moved = std::move(copy);
  EXPECT_EQ(moved.get_buffer(), buffer);
  Longs target;
  target.length(100);
  target = std::move(moved);
  EXPECT_EQ(target.get_buffer(), buffer);
  EXPECT_EQ(target.length(), 3u);
  target = Longs();
  EXPECT_EQ(target.length(), 0u);
}

TEST(UnboundedSequences, TakeAPartOfThemselves) {
  constexpr CORBA::ULong kCount = 5000, kFirst = 1023;
  Longs a(kCount);
  a.length(kCount);
  for (CORBA::ULong i = 0; i < kCount; ++i) a[i] = static_cast<CORBA::Long>(i);
  const Longs part(kCount, kCount - kFirst, a.get_buffer() + kFirst, false);
  a = part;
  ASSERT_EQ(a.length(), kCount - kFirst);
  for (CORBA::ULong i = 0; i < a.length(); ++i) ASSERT_EQ(a[i], static_cast<CORBA::Long>(i + kFirst));
}

TEST(UnboundedSequences, StandWhereverNewPutsThem) {
  auto* const quiet = new (std::nothrow) Longs(3);
  ASSERT_NE(quiet, nullptr);
  EXPECT_EQ(quiet->maximum(), 3u);
  delete quiet;
  alignas(Longs) char memory[sizeof(Longs)];
  auto* const placed = new (memory) Longs;
  EXPECT_EQ(static_cast<void*>(placed), memory);
  placed->length(2);
  placed->~Longs();
  std::vector<Longs> many(3);
  many.resize(40);
  delete[] new Longs[4];
  delete static_cast<Longs*>(nullptr);
}

TEST(BoundedSequences, KeepTheirBound) {
  FourLongs s;
  EXPECT_EQ(s.maximum(), 4u);
  EXPECT_EQ(s.length(), 0u);
  EXPECT_NE(s.get_buffer(), nullptr);
  s.length(4);
  EXPECT_EQ(s.maximum(), 4u);
  s[3] = 9;
  EXPECT_THROW(s.length(5), CORBA::BAD_PARAM);
  EXPECT_EQ(s.length(), 4u);
  EXPECT_EQ(s[3], 9);
  CORBA::Long five[5] = {};
  EXPECT_THROW(FourLongs(5, five), CORBA::BAD_PARAM);
  EXPECT_THROW(s.replace(5, five), CORBA::BAD_PARAM);
  EXPECT_EQ(s.length(), 4u);
}

TEST(BoundedSequences, LookAdoptReplaceAndOrphan) {
  CORBA::Long buffer[4] = {1, 2, 3, 4};
  FourLongs view(2, buffer);
  EXPECT_FALSE(view.release());
  view.length(4);
  EXPECT_EQ(view.get_buffer(), buffer);
  EXPECT_EQ(view.maximum(), 4u);
  CORBA::Long* const heap = FourLongs::allocbuf(4);
  FourLongs owner(0, heap, true);
  owner.length(2);
  EXPECT_EQ(owner.get_buffer(), heap);
  EXPECT_EQ(owner.get_buffer(true), heap);
  EXPECT_EQ(owner.maximum(), 4u);
  owner.length(4);
  owner.replace(4, heap, true);
  FourLongs copy = owner;
  EXPECT_EQ(copy.length(), 4u);
  copy = view;
  EXPECT_EQ(copy[1], 2);
  EXPECT_EQ(copy[3], 0);
  EXPECT_TRUE(copy.release());
}

TEST(BoundedSequences, HandOutBuffersWithRoomForTheirBound) {
  FourLongs s;
  s.length(1);
  s[0] = 7;
  CORBA::Long* const buffer = s.get_buffer();
  for (ULong i = 1; i < s.maximum(); ++i) buffer[i] = static_cast<CORBA::Long>(i);
  EXPECT_EQ(s[0], 7);
  FourLongs from, to;
  from.length(1);
  from[0] = 8;
  to.replace(1, from.get_buffer(true), true);
  to.length(4);
  to[3] = 9;
  EXPECT_EQ(to[0], 8);
  EXPECT_EQ(from.get_buffer(true), nullptr);
  ThreeStrings strings, target;
  strings.length(1);
  strings[0] = "kept";
  target.replace(1, strings.get_buffer(true), true);
  target.length(3);
  target[2] = "last";
  EXPECT_STREQ(target[0].in(), "kept");
}

TEST(StringSequences, BeginWithEmptyStringsAndFreeWhatIsOverwritten) {
  Strings s;
  s.length(3);
  for (ULong i = 0; i < 3; ++i) EXPECT_STREQ(s[i].in(), "");
  s[0] = "copied";
  char* const heap = CORBA::string_dup("adopted");
  s[1] = heap;
  EXPECT_EQ(s[1].in(), heap);
  s[0] = s[1];
  EXPECT_NE(s[0].in(), heap);
  EXPECT_STREQ(s[0].in(), "adopted");
  s[0] = s[0];
  EXPECT_STREQ(s[0].in(), "adopted");
  s.length(1);
  s.length(2);
  EXPECT_STREQ(s[1].in(), "");
  const Strings& constant = s;
  EXPECT_STREQ(constant[0], "adopted");
}

TEST(StringSequences, CopyMoveAndGrow) {
  Strings s;
  for (ULong n = 0; n < 50; ++n) {
    s.length(n + 1);
    s[n] = std::to_string(n).c_str();
  }
  Strings copy = s;
  EXPECT_NE(copy[0].in(), s[0].in());
  for (ULong n = 0; n < 50; ++n) ASSERT_EQ(copy[n].in(), std::to_string(n));
  copy[0] = "changed";
  EXPECT_STREQ(s[0].in(), "0");
  s = copy;
  s = *&s;
  EXPECT_STREQ(s[0].in(), "changed");
  const Strings moved = std::move(s);
  EXPECT_STREQ(moved[49], "49");
}

TEST(StringSequences, HandOutBuffersWithTheirStrings) {
  Strings s;
  s.length(2);
  s[0] = "first";
  char** const orphan = s.get_buffer(true);
  EXPECT_STREQ(orphan[0], "first");
  s.length(1);
  s.replace(2, 2, orphan, true);
  EXPECT_STREQ(s[0].in(), "first");
  char** const buffer = Strings::allocbuf(3);
  EXPECT_EQ(buffer[2], nullptr);
  buffer[0] = CORBA::string_dup("freed with its buffer");
  Strings::freebuf(buffer);
  Strings::freebuf(nullptr);
}

TEST(StringSequences, LeaveStringsAloneThatTheyDoNotOwn) {
  char one[] = "one", two[] = "two";
  char* buffer[] = {one, two};
  {
    Strings s(2, 2, buffer);
    s[0] = two;
    EXPECT_EQ(buffer[0], two);
    s.length(1);
    s.length(3);
    EXPECT_NE(s[0].in(), two);
    EXPECT_STREQ(s[0].in(), "two");
    s[0] = "own";
  }
  EXPECT_STREQ(buffer[0], "two");
  ThreeStrings bounded(2, buffer);
  bounded.length(1);
  EXPECT_STREQ(buffer[1], "two");
}

TEST(StringSequences, PassElementsInEveryMode) {
  Strings s;
  s.length(1);
  s[0] = "text";
  CORBA::string_free(s[0].inout());
  s[0].inout() = CORBA::string_dup("inout");
  EXPECT_STREQ(s[0].in(), "inout");
  s[0].out() = CORBA::string_dup("out");
  EXPECT_STREQ(s[0].in(), "out");
  char* const returned = s[0]._retn();
  EXPECT_STREQ(returned, "out");
  CORBA::string_free(returned);
}

TEST(StringSequences, KeepTheirBound) {
  ThreeStrings s;
  s.length(3);
  EXPECT_STREQ(s[2].in(), "");
  EXPECT_THROW(s.length(4), CORBA::BAD_PARAM);
  ThreeStrings copy = s;
  copy[0] = "x";
  EXPECT_STREQ(s[0].in(), "");
}

TEST(SequencesOfStructs, ResetWhatIsCutOffAndMoveWhatTheyHold) {
  Nameds s;
  for (ULong n = 1; n <= 40; ++n) {
    s.length(n);
    EXPECT_STREQ(s[n - 1].name.in(), "");
    s[n - 1].name = n % 2 ? "short" : "longer than what stands inside a member";
    s[n - 1].number = static_cast<CORBA::Long>(n);
  }
  for (ULong n = 1; n <= 40; ++n) EXPECT_EQ(s[n - 1].number, static_cast<CORBA::Long>(n));
  s.length(1);
  s.length(2);
  EXPECT_STREQ(s[1].name.in(), "");
  EXPECT_EQ(s[1].number, 0);
  Nameds copy = s;
  copy[0].name = "other";
  EXPECT_STREQ(s[0].name.in(), "short");
}

TEST(SequencesOfSequences, CopyDeeply) {
  Matrix m;
  m.length(2);
  m[1].length(3);
  m[1][2] = 5;
  Matrix copy = m;
  copy[1][2] = 6;
  EXPECT_EQ(m[1][2], 5);
  m.length(1);
  m.length(2);
  EXPECT_EQ(m[1].length(), 0u);
}

TEST(Sequences, GiveDecodersRoomWithoutOldValues) {
  Strings s;
  s.length(3);
  s[2] = "cut off";
  char** const kept = s._corbel_overwrite(2);
  EXPECT_EQ(s.length(), 2u);
  EXPECT_EQ(kept, s.get_buffer());
  EXPECT_EQ(s.get_buffer()[2], nullptr);
  char** const fresh = s._corbel_overwrite(50);
  for (ULong i = 0; i < 50; ++i) EXPECT_EQ(fresh[i], nullptr);
  CORBA::Long mine[2] = {1, 2};
  Longs view(2, 2, mine);
  EXPECT_NE(view._corbel_overwrite(2), mine);
  EXPECT_TRUE(view.release());
}

}  // namespace
