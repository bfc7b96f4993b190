// Runs of structs that lie in memory as on the wire.
#include <corbel/cpp/codec.h>
#include <corbel/cpp/sequence.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

using corbel::cdr::Decoder;
using corbel::cdr::Encoder;

// Its last octet is padding.
template <std::size_t Size, std::size_t Align>
struct alignas(Align) Padded {
  unsigned char octets[Size - 1];
};
template <std::size_t Size, std::size_t Align>
void store_struct(const Encoder&, char* to, const Padded<Size, Align>& value) {
  std::memcpy(to, value.octets, Size - 1);
  to[Size - 1] = 0;
}
template <std::size_t Size, std::size_t Align>
void marshal(Encoder& out, const Padded<Size, Align>& value) {
  store_struct(out, out.chunk<Align>(Size), value);
}
template <std::size_t Size, std::size_t Align>
bool unmarshal(Decoder& in, Padded<Size, Align>& value) {
  const char* const p = in.chunk<Align>(Size);
  if (p) std::memcpy(value.octets, p, Size - 1);
  return p != nullptr;
}

// `count` structs whose padding holds ones.
template <typename T>
std::vector<T> with_dirty_padding(std::size_t count) {
  std::vector<T> values(count);
  unsigned char* const bytes = reinterpret_cast<unsigned char*>(values.data());
  for (std::size_t i = 0; i < count * sizeof(T); ++i)
    bytes[i] = i % sizeof(T) == sizeof(T) - 1 ? 0xff : static_cast<unsigned char>(i * 7 + 1);
  return values;
}

template <typename T>
class StructRuns : public testing::Test {};
typedef testing::Types<Padded<2, 2>, Padded<4, 4>, Padded<8, 4>, Padded<12, 4>, Padded<16, 8>, Padded<24, 8>,
                       Padded<40, 4>, Padded<56, 8>, Padded<192, 8>, Padded<200, 8>, Padded<400, 4>>
    Sizes;
TYPED_TEST_SUITE(StructRuns, Sizes);

TYPED_TEST(StructRuns, NeverSendWhatLiesInPadding) {
  constexpr std::size_t size = sizeof(TypeParam), align = alignof(TypeParam);
  for (std::uint32_t count = 0; count <= 70; ++count) {
    const auto values = with_dirty_padding<TypeParam>(count);
    for (std::size_t begin = 0; begin < 8; ++begin) {
      Encoder out;
      out.reset();
      std::memset(out.chunk<1>(4000), 0xff, 4000);
      out.reset(begin);
      corbel::cpp::put_struct_run(out, values.data(), count);
      ASSERT_FALSE(out.error());
      std::string expected(count == 0 ? 0 : (0 - begin) % align, '\0');
      for (std::uint32_t i = 0; i < count; ++i) {
        expected.append(reinterpret_cast<const char*>(values[i].octets), size - 1);
        expected += '\0';
      }
      ASSERT_TRUE(std::string(out.data() + begin, out.size() - begin) == expected)
          << count << " of " << size << " octets at " << begin;
    }
  }
}

TYPED_TEST(StructRuns, AreReadAsTheyWereWritten) {
  constexpr std::size_t size = sizeof(TypeParam);
  for (const std::uint32_t count : {0u, 1u, 2u, 7u}) {
    const auto values = with_dirty_padding<TypeParam>(count);
    const auto same = [&](const TypeParam* read) {
      for (std::uint32_t i = 0; i < count; ++i)
        if (std::memcmp(read[i].octets, values[i].octets, size - 1) != 0) return false;
      return true;
    };
    for (std::size_t begin = 0; begin < 16; begin += 4) {
      Encoder out;
      out.reset(begin);
      out.put(count);
      const std::size_t elements = out.size();
      corbel::cpp::put_struct_run(out, values.data(), count);
      std::vector<char> message(out.data(), out.data() + out.size());
      for (std::size_t end = elements; end <= message.size(); ++end) {
        for (const bool writable : {false, true}) {
          // A copy, because a view rearranges the message.
          std::vector<char> copy(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(end));
          corbel::cdr::Arena arena;
          Decoder in(copy.data(), copy.data() + begin, copy.data() + end, false);
          in.set_context(&arena, writable, nullptr);
          std::uint32_t length;
          ASSERT_TRUE(in.get(length));
          Decoder again = in;
          const TypeParam* const view = corbel::cpp::get_struct_view<TypeParam>(in, count);
          ASSERT_EQ(view != nullptr, end == message.size()) << end << " octets, begin " << begin;
          if (view) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view) % alignof(TypeParam), 0u);
            EXPECT_TRUE(same(view));
            EXPECT_EQ(in.remaining(), 0u);
          }
          if (writable) continue;
          std::vector<TypeParam> read(count);
          ASSERT_EQ(corbel::cpp::get_struct_run(again, read.data(), count), end == message.size());
          EXPECT_TRUE(end != message.size() || same(read.data()));
        }
      }
    }
  }
}

TEST(GetString, ReplacesWhatTheHolderHeldAndLeavesItWhereTheMessageIsMalformed) {
  Encoder out;
  out.reset();
  out.put_string("a string that is longer than a member");
  const std::vector<char> message(out.data(), out.data() + out.size());
  for (const bool whole : {true, false}) {
    const auto decoder = [&] {
      return Decoder(message.data(), message.data(), message.data() + message.size() - (whole ? 0 : 1),
                     false);
    };
    const char* const expected = whole ? "a string that is longer than a member" : "old";
    char* pointer = CORBA::string_dup("old");
    corbel::cpp::StringMember member = "old";
    CORBA::String_var var = "old";
    Decoder a = decoder(), b = decoder(), c = decoder();
    EXPECT_EQ(corbel::cpp::get_string(a, pointer), whole);
    EXPECT_STREQ(pointer, expected);
    CORBA::string_free(pointer);
    EXPECT_EQ(corbel::cpp::get_string(b, member), whole);
    EXPECT_STREQ(member.in(), expected);
    EXPECT_EQ(corbel::cpp::get_string(c, var), whole);
    EXPECT_STREQ(var.in(), expected);
    Decoder bounded = decoder();
    EXPECT_FALSE(corbel::cpp::get_string(bounded, member, 10));
  }
}

typedef corbel::cpp::UnboundedSequence<CORBA::Double> Doubles;

// A message in a block of its own: a number, then `count` doubles, then `rest` octets.
struct Lent {
  Lent(std::uint32_t count, std::size_t rest) {
    Encoder out;
    out.reset();
    for (int i = 0; i < 4; ++i) out.put<std::uint64_t>(7);
    out.put<std::uint32_t>(count);
    for (std::uint32_t i = 0; i < count; ++i) out.put<double>(i);
    for (std::size_t i = 0; i < rest; ++i) out.put<std::uint8_t>(9);
    size = out.size();
    block = static_cast<char*>(std::malloc(size));
    std::memcpy(block, out.data(), size);
    in = Decoder(block, block + 32, block + size, false);
    in.lend(&block);
  }
  ~Lent() { std::free(block); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  bool get(Doubles& to) {
    std::uint32_t count;
    return in.get(count) && corbel::cpp::get_run(in, to, count);
  }
  char* block = nullptr;
  std::size_t size = 0;
  Decoder in;
};

TEST(LargeRuns, TakeTheMemoryTheyStandIn) {
  Doubles taken;
  const double* place = nullptr;
  {
    Lent lent(10'000, 3);
    place = reinterpret_cast<const double*>(lent.block + 40);
    ASSERT_TRUE(lent.get(taken));
    EXPECT_EQ(lent.block, nullptr);
    EXPECT_EQ(lent.in.remaining(), 3u);
  }
  EXPECT_EQ(static_cast<const Doubles&>(taken).get_buffer(), place);
  ASSERT_EQ(taken.length(), 10'000u);
  for (std::uint32_t i = 0; i < 10'000; ++i) ASSERT_EQ(taken[i], i);
  Doubles moved(std::move(taken));
  EXPECT_EQ(moved[9'999], 9'999);
  Lent again(5'000, 0);
  ASSERT_TRUE(again.get(moved));
  EXPECT_EQ(moved.length(), 5'000u);
}

TEST(LargeRuns, AreCopiedWhereTheMemoryHoldsMoreOrOther) {
  for (const bool values : {false, true}) {
    Lent lent(10'000, values ? 0 : 100'000);
    int anything;
    if (values) lent.in.set_values(&anything);
    Doubles copied;
    ASSERT_TRUE(lent.get(copied));
    EXPECT_NE(lent.block, nullptr);
    EXPECT_EQ(copied[9'999], 9'999);
  }
  Lent small(100, 0);
  Doubles copied;
  ASSERT_TRUE(small.get(copied));
  EXPECT_NE(small.block, nullptr);
}

TEST(LargeRuns, AreRefusedWhereTheyAreNotAll) {
  Lent lent(10'000, 0);
  lent.in = Decoder(lent.block, lent.block + 32, lent.block + lent.size - 1, false);
  lent.in.lend(&lent.block);
  Doubles refused;
  EXPECT_FALSE(lent.get(refused));
  EXPECT_NE(lent.block, nullptr);
}

}  // namespace
