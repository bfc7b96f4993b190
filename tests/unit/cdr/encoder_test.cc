#include <corbel/cdr/encoder.h>

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/unit/ior/wire.h"

namespace corbel::cdr {
namespace {

using test::Wire;

constexpr bool kBig = !kHostIsLittleEndian;

// What was written from `begin` on, externals in their places.
std::string written(const Encoder& out, std::size_t begin = 0) {
  std::string all;
  std::size_t from = begin;
  for (std::size_t i = 0; i < out.external_count(); ++i) {
    const External& e = out.externals()[i];
    all.append(out.data() + from, e.at - from).append(e.data, e.size);
    from = e.at;
  }
  return all.append(out.data() + from, out.size() - from);
}

// The octets of a value in host order.
template <typename T>
std::string octets_of(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
void check_at_every_offset(T value) {
  for (std::size_t offset = 0; offset < 8; ++offset) {
    Encoder out;
    out.reset();
    for (std::size_t i = 0; i < offset; ++i) out.put<std::uint8_t>(0xee);
    out.put(value);
    const std::size_t pad = (0 - offset) % sizeof(T);
    EXPECT_EQ(written(out), std::string(offset, '\xee') + std::string(pad, '\0') + octets_of(value))
        << offset;
    EXPECT_EQ(out.offset(), offset + pad + sizeof(T));
    EXPECT_FALSE(out.error());
  }
}

TEST(Encoder, AlignsEveryPrimitiveToItsSizeAndZeroesTheGap) {
  check_at_every_offset<std::uint8_t>(0x81);
  check_at_every_offset<char>('\xfe');
  check_at_every_offset<std::int16_t>(-2);
  check_at_every_offset<std::uint16_t>(0x8182);
  check_at_every_offset<std::int32_t>(std::numeric_limits<std::int32_t>::min());
  check_at_every_offset<std::uint32_t>(0x81828384);
  check_at_every_offset<std::int64_t>(-2);
  check_at_every_offset<std::uint64_t>(0x8182838485868788);
  check_at_every_offset<float>(-1.5F);
  check_at_every_offset<double>(-1.5);
}

TEST(Encoder, ZeroesGapsInMemoryThatHeldSomethingElse) {
  Encoder out;
  out.reset();
  for (int i = 0; i < 64; ++i) out.put<std::uint8_t>(0xff);
  out.reset();
  for (int i = 0; i < 4; ++i) {
    out.put<std::uint8_t>(1);
    out.put<std::uint64_t>(2);
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_NE(static_cast<unsigned char>(out.data()[i]), 0xff) << "octet " << i << " is left over";
}

TEST(Encoder, CountsAlignmentFromWhereItBegins) {
  Encoder out;
  out.reset(20);
  out.put<std::uint64_t>(1);
  EXPECT_EQ(out.size(), 32u) << "offset 20 is four short of a multiple of eight";
  out.reset(24);
  out.put<std::uint64_t>(1);
  EXPECT_EQ(out.size(), 32u);
}

TEST(Encoder, WritesStringsWithLengthAndTerminator) {
  for (const char* text : {"", "a", "abc", "abcd", "\xff\x80\x01"}) {
    Encoder out;
    out.reset();
    out.put_string(text);
    EXPECT_EQ(written(out), Wire(kBig).text(text).bytes());
  }
}

TEST(Encoder, RefusesANullStringAndOneOverItsBound) {
  Encoder null;
  null.reset();
  null.put_string(nullptr);
  EXPECT_EQ(null.error().id, SystemErrorId::BAD_PARAM);
  EXPECT_EQ(null.error().completed, Completion::No);
  Encoder bounded;
  bounded.reset();
  bounded.put_string("abc", 3);
  EXPECT_FALSE(bounded.error());
  bounded.put_string("abcd", 3);
  EXPECT_EQ(bounded.error().id, SystemErrorId::BAD_PARAM);
}

TEST(Encoder, KeepsItsFirstErrorAndStaysHarmless) {
  Encoder out;
  out.reset();
  out.fail({SystemErrorId::MARSHAL, Completion::No, 7, nullptr});
  out.fail({SystemErrorId::BAD_PARAM, Completion::No, 8, nullptr});
  const std::vector<char> large(100'000, 'x');
  for (int i = 0; i < 2000; ++i) {
    out.put<std::uint64_t>(1);
    out.put_string("a longer text that fills the memory");
    out.run<8>(large.data(), large.size());
    char* const p = out.chunk<8>(Encoder::kScratch);
    std::memset(p, 0, Encoder::kScratch);
  }
  EXPECT_EQ(out.error().id, SystemErrorId::MARSHAL);
  EXPECT_EQ(out.error().minor, 7u);
  out.reset();
  EXPECT_FALSE(out.error());
}

TEST(Encoder, GrowsAndKeepsWhatItHas) {
  Encoder out;
  out.reset();
  for (std::uint32_t i = 0; i < 100'000; ++i) out.put(i);
  ASSERT_EQ(out.size(), 400'000u);
  for (std::uint32_t i = 0; i < 100'000; ++i) ASSERT_EQ(load<std::uint32_t>(out.data() + 4 * i, false), i);
}

TEST(Encoder, GivesLargeMemoryBackWhenItIsReset) {
  Encoder out;
  out.reset();
  const std::vector<char> large(1024 * 1024, 'x');
  out.run<1>(large.data(), large.size());
  out.reset(0, 64 * 1024);
  out.put<std::uint32_t>(1);
  EXPECT_EQ(out.size(), 4u);
}

TEST(Encoder, CopiesRunsAlignedAndAddsNothingForEmptyOnes) {
  Encoder out;
  out.reset();
  const double values[2] = {1.5, 2.5};
  out.put<std::uint32_t>(0);
  out.run<8>(values, 0);
  EXPECT_EQ(out.size(), 4u) << "an empty run is not padded";
  out.run<8>(values, sizeof values);
  EXPECT_EQ(written(out),
            octets_of(std::uint32_t{0}) + std::string(4, '\0') + octets_of(1.5) + octets_of(2.5));
}

TEST(Encoder, LeavesLargeRunsInTheCallersMemoryOnlyWhereThatIsAllowed) {
  const std::vector<char> large(Encoder::kExternalThreshold, 'x');
  Encoder copied;
  copied.reset();
  copied.run<8>(large.data(), large.size());
  EXPECT_EQ(copied.external_count(), 0u);
  Encoder out;
  out.reset(24);
  out.allow_externals(true);
  std::string expected;
  for (std::size_t i = 0; i < Encoder::kMaxExternals + 2; ++i) {
    out.put<std::uint8_t>(1);
    out.run<8>(large.data(), large.size());
    const std::size_t offset = 24 + expected.size() + 1;
    expected += '\1';
    expected.append((0 - offset) % 8, '\0').append(large.data(), large.size());
  }
  EXPECT_EQ(out.external_count(), Encoder::kMaxExternals) << "those beyond are copied";
  EXPECT_EQ(out.wire_size(), 24 + expected.size());
  EXPECT_EQ(out.offset(), 24 + expected.size()) << "alignment counts them";
  EXPECT_TRUE(written(out, 24) == expected);
}

TEST(Encoder, EndsAt2GiB) {
  // The memory is not touched: the run would stay where it is.
  Encoder out;
  out.reset();
  out.allow_externals(true);
  const char byte = 0;
  out.run<1>(&byte, 0x7ffffff0);
  EXPECT_FALSE(out.error());
  out.run<1>(&byte, 0x7ffffff0);
  EXPECT_EQ(out.error().id, SystemErrorId::IMP_LIMIT);
  Encoder copying;
  copying.reset();
  copying.run<1>(&byte, 0x80000000u);
  EXPECT_EQ(copying.error().id, SystemErrorId::IMP_LIMIT);
}

// Alignment after an external counts its octets, and its place survives that the own memory grows.
TEST(Encoder, SendsTheSameWithAndWithoutExternals) {
  for (const std::size_t size : {Encoder::kExternalThreshold, Encoder::kExternalThreshold + 3}) {
    const std::vector<char> large(size, 'e');
    std::string sent[2];
    for (const bool allowed : {false, true}) {
      Encoder out;
      out.reset(12);
      out.allow_externals(allowed);
      for (std::size_t i = 0; i < Encoder::kMaxExternals + 3; ++i) {
        out.put<std::uint8_t>(1);
        out.run<8>(large.data(), large.size());
        out.put<double>(0.5);
        out.put_string(std::string(700, 's').c_str());
      }
      ASSERT_FALSE(out.error());
      EXPECT_EQ(out.external_count(), allowed ? Encoder::kMaxExternals : 0);
      EXPECT_EQ(out.offset(), out.wire_size());
      sent[allowed] = written(out, 12);
      ASSERT_TRUE(out.copy_externals());
      EXPECT_EQ(out.external_count(), 0);
      EXPECT_EQ(out.offset(), out.size());
      EXPECT_TRUE(written(out, 12) == sent[allowed]) << "what was taken over";
      out.put<double>(1.5);
      EXPECT_TRUE(written(out, 12).starts_with(sent[allowed]));
      EXPECT_EQ(out.size() % 8, 0);
    }
    EXPECT_TRUE(sent[0] == sent[1]);
  }
}

TEST(Encoder, WritesStringsAroundTheSizeOfItsScratchSpace) {
  for (const std::size_t length : {4080u, 4090u, 4091u, 4092u, 4096u, 5000u}) {
    Encoder out;
    out.reset(3);
    const std::string text(length, 'x');
    out.put_string(text.c_str());
    out.put<std::uint8_t>(7);
    const std::string bytes = written(out, 3);
    ASSERT_EQ(bytes.size(), 1 + 4 + length + 1 + 1);
    EXPECT_EQ(load<std::uint32_t>(bytes.data() + 1, false), length + 1);
    EXPECT_EQ(bytes.substr(5), text + std::string("\0\7", 2));
  }
}

}  // namespace
}  // namespace corbel::cdr
