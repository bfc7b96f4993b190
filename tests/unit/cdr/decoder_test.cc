#include <corbel/cdr/decoder.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/ior/wire.h"

namespace corbel::cdr {
namespace {

using test::Received;
using test::Wire;

// Octets of `value`, most significant first if `big`.
std::string octets_of(std::uint64_t value, std::size_t size, bool big) {
  std::string octets;
  for (std::size_t i = 0; i < size; ++i)
    octets += static_cast<char>(value >> 8 * (big ? size - 1 - i : i) & 255);
  return octets;
}

class Decoders : public testing::TestWithParam<bool> {
 protected:
  bool big() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(, Decoders, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "Big" : "Little"; });

template <typename T>
void check_at_every_offset(bool big, T value, std::uint64_t bits) {
  for (std::size_t offset = 0; offset < 8; ++offset) {
    const std::size_t pad = (0 - offset) % sizeof(T);
    const std::string bytes =
        std::string(offset, 'x') + std::string(pad, '\x77') + octets_of(bits, sizeof(T), big);
    for (std::size_t size = offset; size <= bytes.size(); ++size) {
      const Received received(std::string_view(bytes).substr(0, size), big, offset);
      Decoder in = received.decoder();
      T got{};
      ASSERT_EQ(in.get(got), size == bytes.size()) << "offset " << offset << ", size " << size;
      EXPECT_EQ(in.failed(), size != bytes.size());
      if (size == bytes.size()) {
        EXPECT_EQ(got, value);
      }
      EXPECT_EQ(in.remaining(), 0u);
    }
  }
}

TEST_P(Decoders, ReadEveryPrimitiveAtEveryOffsetAndNoneThatIsCutShort) {
  check_at_every_offset<std::uint8_t>(big(), 0x81, 0x81);
  check_at_every_offset<char>(big(), '\xfe', 0xfe);
  check_at_every_offset<std::int16_t>(big(), -2, 0xfffe);
  check_at_every_offset<std::uint16_t>(big(), 0x8182, 0x8182);
  check_at_every_offset<std::int32_t>(big(), std::numeric_limits<std::int32_t>::min(), 0x80000000);
  check_at_every_offset<std::uint32_t>(big(), 0x81828384, 0x81828384);
  check_at_every_offset<std::int64_t>(big(), -2, 0xfffffffffffffffe);
  check_at_every_offset<std::uint64_t>(big(), 0x8182838485868788, 0x8182838485868788);
  check_at_every_offset<float>(big(), -1.5F, 0xbfc00000);
  check_at_every_offset<double>(big(), -1.5, 0xbff8000000000000);
}

TEST_P(Decoders, KeepTheBitsOfNotANumber) {
  const Received received(octets_of(0x7ff0000000000001, 8, big()), big());
  Decoder in = received.decoder();
  double value;
  ASSERT_TRUE(in.get(value));
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  EXPECT_EQ(bits, 0x7ff0000000000001u) << "a signalling one stays so";
}

TEST_P(Decoders, TakeZeroAndOneAsBooleansAndNothingElse) {
  for (unsigned octet = 0; octet < 256; ++octet) {
    const Received received(std::string(1, static_cast<char>(octet)), big());
    Decoder in = received.decoder();
    bool value;
    ASSERT_EQ(in.get_boolean(value), octet < 2) << octet;
    if (octet < 2) {
      EXPECT_EQ(value, octet == 1);
    }
    Decoder run = received.decoder();
    ASSERT_EQ(run.get_boolean_run(&value, 1), octet < 2) << octet;
  }
}

TEST_P(Decoders, TakeOnlyEnumeratorsThatThereAre) {
  enum class Color { Red, Green };
  for (const std::uint32_t ordinal : {0u, 1u, 2u, 0x01000000u, 0xffffffffu}) {
    const Received received(Wire(big()).u32(ordinal).bytes(), big());
    Decoder in = received.decoder();
    Color color{};
    ASSERT_EQ(in.get_enum(color, 2), ordinal < 2) << ordinal;
    if (ordinal < 2) {
      EXPECT_EQ(static_cast<std::uint32_t>(color), ordinal);
    }
  }
}

TEST_P(Decoders, GiveStringsAsViewsAndRefuseThoseThatAreCutShort) {
  const std::string bytes = Wire(big()).text("abc").bytes();
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const Received received(std::string_view(bytes).substr(0, size), big());
    Decoder in = received.decoder();
    const char* text;
    std::uint32_t length;
    ASSERT_EQ(in.get_string_view(text, length), size == bytes.size()) << size;
    if (size < bytes.size()) continue;
    EXPECT_STREQ(text, "abc");
    EXPECT_EQ(length, 3u);
    EXPECT_TRUE(received.holds(text, 4));
  }
}

TEST_P(Decoders, RefuseStringsWithoutTerminatorOrOverTheirBound) {
  const char* text;
  std::uint32_t length;
  const Received unterminated(Wire(big()).u32(3).raw("abc").bytes(), big());
  Decoder in = unterminated.decoder();
  EXPECT_FALSE(in.get_string_view(text, length));
  const Received four(Wire(big()).text("abcd").bytes(), big());
  in = four.decoder();
  EXPECT_TRUE(in.get_string_view(text, length, 4));
  in = four.decoder();
  EXPECT_FALSE(in.get_string_view(text, length, 3));
  const Received endless(Wire(big()).u32(0xffffffff).raw(std::string("abc\0", 4)).bytes(), big());
  in = endless.decoder();
  EXPECT_FALSE(in.get_string_view(text, length));
}

TEST_P(Decoders, TakeALengthOfZeroForTheEmptyString) {
  const Received received(Wire(big()).u32(0).octet(9).bytes(), big());
  Decoder in = received.decoder();
  const char* text;
  std::uint32_t length;
  ASSERT_TRUE(in.get_string_view(text, length));
  EXPECT_STREQ(text, "");
  EXPECT_EQ(length, 0u);
  EXPECT_EQ(in.remaining(), 1u);
}

TEST_P(Decoders, RefuseLengthsThatTheBytesLeftCannotHold) {
  struct Case {
    std::uint32_t length;
    std::size_t least, left;
    bool good;
  };
  for (const Case& c : {Case{3, 4, 12, true}, Case{3, 4, 11, false}, Case{0x40000000, 4, 12, false},
                        Case{0xffffffff, 8, 16, false}, Case{0x80000001, 0x200000000, 16, false},
                        Case{0, 8, 0, true}, Case{5, 0, 0, true}}) {
    const Received received(Wire(big()).u32(c.length).bytes() + std::string(c.left, 'x'), big());
    Decoder in = received.decoder();
    std::uint32_t length;
    EXPECT_EQ(in.get_length(length, c.least), c.good) << c.length << " of " << c.least << " in " << c.left;
  }
  const Received received(Wire(big()).u32(3).raw("abc").bytes(), big());
  Decoder in = received.decoder();
  std::uint32_t length;
  EXPECT_FALSE(in.get_length(length, 1, 2)) << "over its bound";
}

// Each of them may be the only one; what stands inside of the others has been claimed by those.
TEST_P(Decoders, RefuseSequencesThatClaimTheSameBytesAgainAndAgain) {
  constexpr std::uint32_t kElements = 1000;
  std::string bytes;
  for (std::uint32_t i = 0; i < kElements; ++i) bytes += octets_of(kElements - 1 - i, 4, big());
  const Received received(bytes, big());
  Decoder in = received.decoder();
  std::uint32_t length;
  int taken = 0;
  while (taken < 100 && in.get_length(length, 4)) ++taken;
  EXPECT_GT(taken, 1);
  EXPECT_LT(taken, 10);
  Decoder once_more = received.decoder();
  for (taken = 0; taken < 100 && once_more.get_length(length, 4); ++taken) once_more.set_claimed(0);
  EXPECT_EQ(taken, 100);
  Decoder counts = received.decoder();
  for (taken = 0; taken < 100 && counts.get_count(length, 4);) ++taken;
  EXPECT_EQ(taken, 100);
}

TEST_P(Decoders, ReadRunsInEitherOrder) {
  const std::string bytes = octets_of(0x8182, 2, big()) + octets_of(0x0304, 2, big());
  for (std::size_t size = 0; size <= 4; ++size) {
    const Received received(std::string_view(bytes).substr(0, size), big());
    Decoder in = received.decoder();
    std::uint16_t values[2] = {};
    ASSERT_EQ(in.get_run(values, 2), size == 4) << size;
    if (size < 4) continue;
    EXPECT_EQ(values[0], 0x8182);
    EXPECT_EQ(values[1], 0x0304);
  }
  const Received nothing("", big());
  Decoder in = nothing.decoder();
  std::uint64_t value;
  EXPECT_TRUE(in.get_run(&value, 0));
  EXPECT_FALSE(in.get_run(&value, 0x2000000000000001)) << "times eight it would be eight";
}

// Nothing is written to a message in host order.
TEST_P(Decoders, GiveFlatRunsAsViewsSwappedInPlaceWhereTheMessageIsWritableElseFromTheArena) {
  const bool as_it_is = big() != kHostIsLittleEndian;
  for (std::size_t begin : {0u, 4u}) {
    const std::string bytes =
        std::string(begin, 'x') + octets_of(0x81828384, 4, big()) + octets_of(5, 4, big());
    for (const bool writable : {false, true}) {
      const Received received(bytes, big(), begin);
      Arena arena;
      Decoder in = received.decoder();
      in.set_context(&arena, writable, nullptr);
      const std::uint32_t* const values = in.get_flat<std::uint32_t>(2);
      ASSERT_TRUE(values);
      EXPECT_EQ(values[0], 0x81828384u);
      EXPECT_EQ(values[1], 5u);
      EXPECT_EQ(received.holds(reinterpret_cast<const char*>(values), 8), writable || as_it_is);
      EXPECT_EQ(in.remaining(), 0u);
    }
    const Received received(bytes, big(), begin);
    Decoder without = received.decoder();
    without.set_context(nullptr, false, nullptr);
    EXPECT_EQ(without.get_flat<std::uint32_t>(2) != nullptr, as_it_is) << "there is nowhere to put it";
    Arena arena;
    Decoder in = received.decoder();
    in.set_context(&arena, true, nullptr);
    EXPECT_FALSE(in.get_flat<std::uint32_t>(3));
    EXPECT_TRUE(in.failed());
  }
}

TEST_P(Decoders, StayFailedOnceTheyHaveFailed) {
  const Received received(std::string(64, '\0'), big());
  Decoder in = received.decoder();
  in.fail();
  std::uint8_t octet;
  std::uint32_t size;
  const char* data;
  bool boolean;
  EXPECT_FALSE(in.get(octet));
  EXPECT_FALSE(in.get_boolean(boolean));
  EXPECT_FALSE(in.get_octets_view(data, size));
  EXPECT_FALSE(in.get_string_view(data, size));
  EXPECT_FALSE(in.chunk<1>(1));
  EXPECT_TRUE(in.failed());
}

TEST_P(Decoders, EndTypesThatContainThemselvesWithoutEnd) {
  const Received received("", big());
  Decoder in = received.decoder();
  for (std::uint32_t i = 0; i < Decoder::kMaxDepth; ++i) ASSERT_TRUE(in.enter());
  EXPECT_FALSE(in.enter());
  EXPECT_TRUE(in.failed());
}

TEST(Decoder, RefusesRunsWhoseSizeOverflows) {
  const char bytes[8] = {};
  for (const std::size_t count :
       {std::size_t{2}, std::size_t{1} << 61, (std::size_t{1} << 61) + 1, ~std::size_t{0}}) {
    Arena arena;
    std::uint64_t value;
    Decoder run(bytes, bytes, bytes + 8, false);
    EXPECT_FALSE(run.get_run(&value, count));
    Decoder flat(bytes, bytes, bytes + 8, false);
    flat.set_context(&arena, true, nullptr);
    EXPECT_EQ(flat.get_flat<std::uint64_t>(count), nullptr);
    EXPECT_TRUE(flat.failed());
  }
}

TEST(Decoder, FailsWhereItNeedsAnArenaAndHasNone) {
  const char bytes[8] = {};
  Decoder in(bytes, bytes, bytes + 8, true);
  EXPECT_EQ(in.get_flat<std::uint32_t>(2), nullptr);
  EXPECT_TRUE(in.failed());
}

// The message is aligned in itself and not in memory.
TEST(Decoder, CopiesWhatIsNotAlignedInMemory) {
  alignas(16) char memory[17] = {};
  Arena arena;
  Decoder in(memory + 1, memory + 1, memory + 17, false);
  in.set_context(&arena, true, nullptr);
  store(memory + 9, std::uint64_t{42});
  std::uint32_t first;
  ASSERT_TRUE(in.get(first));
  const std::uint64_t* const value = in.get_flat<std::uint64_t>(1);
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(value) % 8, 0u);
  EXPECT_EQ(*value, 42u);
  EXPECT_EQ(in.remaining(), 0u);
}

// A message of GIOP 1.1 in pieces, written as such a sender does it: in each fragment alignment counts from
// its own header of twelve octets, arrays and strings go on across the border without a gap.
class Pieces {
 public:
  explicit Pieces(bool big) : big_(big) {}
  Pieces& value(std::uint64_t bits, std::size_t size) {
    while (offset_ % size != 0) octet(0x77);
    return raw(octets_of(bits, size, big_));
  }
  Pieces& raw(const std::string& octets) {
    for (const char c : octets) octet(c);
    return *this;
  }
  Pieces& cut() {
    starts_.push_back(static_cast<std::uint32_t>(bytes_.size()));
    offset_ = 12;
    return *this;
  }
  // Gives the decoder over exactly these bytes, at the first octet behind the message's header.
  Decoder decoder() {
    memory_ = std::make_unique<char[]>(bytes_.size());
    bytes_.copy(memory_.get(), bytes_.size());
    fragments_ = {memory_.get(), memory_.get() + bytes_.size(), starts_.data(),
                  static_cast<std::uint32_t>(starts_.size())};
    Decoder in(memory_.get(), memory_.get() + 12, memory_.get() + bytes_.size(), big_ == kHostIsLittleEndian);
    in.set_fragments(fragments_);
    return in;
  }

 private:
  void octet(int c) {
    bytes_ += static_cast<char>(c);
    ++offset_;
  }
  const bool big_;
  std::string bytes_ = std::string(12, 'h');
  std::size_t offset_ = 12;
  std::vector<std::uint32_t> starts_;
  std::unique_ptr<char[]> memory_;
  Fragments fragments_{};
};

TEST_P(Decoders, CountAlignmentInAFragmentFromItsOwnHeader) {
  Pieces pieces(big());
  pieces.value(1, 4).value(2, 8).cut().value(3, 8).value(4, 1).cut().value(5, 4).value(6, 8);
  Decoder in = pieces.decoder();
  std::uint32_t one, five;
  std::uint64_t two, three, six;
  std::uint8_t four;
  ASSERT_TRUE(in.get(one) && in.get(two) && in.get(three) && in.get(four) && in.get(five) && in.get(six));
  EXPECT_EQ(one, 1u);
  EXPECT_EQ(two, 2u);
  EXPECT_EQ(three, 3u);
  EXPECT_EQ(four, 4u);
  EXPECT_EQ(five, 5u);
  EXPECT_EQ(six, 6u);
  EXPECT_EQ(in.remaining(), 0u);
  EXPECT_FALSE(in.get(four)) << "nothing is left";
}

TEST_P(Decoders, ReadStringsArraysAndValuesThatStraddleFragments) {
  const std::string second = octets_of(0x82, 8, big());
  Pieces pieces(big());
  pieces.value(6, 4).raw("ab").cut().raw("c").cut().raw(std::string("de\0", 3));  // a string in three
  pieces.value(0x81, 8).raw(second.substr(0, 3)).cut().raw(second.substr(3));     // an array of two in two
  pieces.value(7, 2).cut().value(8, 8);
  Decoder in = pieces.decoder();
  const char* text;
  std::uint32_t length;
  ASSERT_TRUE(in.get_string_view(text, length));
  EXPECT_STREQ(text, "abcde");
  std::uint64_t values[2], last;
  std::uint16_t seven;
  ASSERT_TRUE(in.get_run(values, 2));
  EXPECT_EQ(values[0], 0x81u);
  EXPECT_EQ(values[1], 0x82u);
  ASSERT_TRUE(in.get(seven) && in.get(last));
  EXPECT_EQ(seven, 7u);
  EXPECT_EQ(last, 8u);
  EXPECT_EQ(in.remaining(), 0u);
}

TEST_P(Decoders, RefuseWhatGoesBeyondTheLastFragment) {
  Pieces pieces(big());
  pieces.value(100, 4).cut().raw("abc");
  Decoder in = pieces.decoder();
  std::uint32_t length;
  EXPECT_FALSE(in.get_length(length, 1));
  Decoder text = pieces.decoder();
  const char* view;
  EXPECT_FALSE(text.get_string_view(view, length));
  Decoder values = pieces.decoder();
  std::uint64_t value;
  EXPECT_FALSE(values.get(value));
  EXPECT_EQ(values.remaining(), 0u);
}

}  // namespace
}  // namespace corbel::cdr
