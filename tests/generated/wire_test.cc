// Generated marshaling against an oracle that follows the rules of CDR value by value: at every alignment, in
// both byte orders, cut off anywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "tricky.stub.h"

namespace {

// Writes values one by one: align to the size, zeroes between, bytes in the wanted order.
class Oracle {
 public:
  Oracle(std::size_t begin, bool swap) : begin_(begin), swap_(swap) {}
  template <typename T>
  Oracle& put(T value) {
    while ((begin_ + bytes_.size()) % sizeof(T) != 0) bytes_ += '\0';
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof raw);
    if (swap_) std::reverse(raw, raw + sizeof raw);
    bytes_.append(raw, sizeof raw);
    return *this;
  }
  Oracle& put_string(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size() + 1));
    bytes_ += text;
    bytes_ += '\0';
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  const std::size_t begin_;
  const bool swap_;
  std::string bytes_;
};

template <typename T>
std::string encoded(const T& value, std::size_t begin) {
  corbel::cdr::Encoder out;
  out.reset();
  for (int i = 0; i < 2000; ++i) out.put<std::uint64_t>(~0ull);  // what shows through where nothing is stored
  out.reset(begin);
  marshal(out, value);
  EXPECT_FALSE(out.error());
  return std::string(out.data() + begin, out.size() - begin);
}

template <typename T>
bool decode(const std::string& bytes, std::size_t begin, bool swap, T& value, bool whole = true) {
  alignas(16) static char memory[1 << 16];
  std::memcpy(memory + begin, bytes.data(), bytes.size());
  corbel::cdr::Decoder in(memory, memory + begin, memory + begin + bytes.size(), swap);
  return unmarshal(in, value) && (!whole || in.remaining() == 0);
}

// `say` tells the oracle what `T` holds.
template <typename T, typename Say>
void check(const Say& say) {
  for (std::size_t begin = 0; begin < 8; ++begin) {
    Oracle native(begin, false);
    say(native);
    for (const bool swap : {false, true}) {
      SCOPED_TRACE(testing::Message() << "offset " << begin << (swap ? ", swapped" : ""));
      Oracle bytes(begin, swap);
      say(bytes);
      T value;
      ASSERT_TRUE(decode(bytes.bytes(), begin, swap, value));
      ASSERT_EQ(encoded(value, begin), native.bytes());
      for (std::size_t n = 0; n < bytes.bytes().size(); ++n) {
        T partial;
        ASSERT_FALSE(decode(bytes.bytes().substr(0, n), begin, swap, partial, false)) << n << " octets";
      }
    }
  }
}

void say_flat(Oracle& o, std::int32_t seed) {
  o.put<std::uint8_t>(200)
      .put<double>(seed / 4.0)
      .put<std::uint8_t>(seed & 1)
      .put<std::int64_t>(seed * -1000000007ll);
  o.put<std::uint32_t>(static_cast<std::uint32_t>(seed) % 3).put<std::int16_t>(-7);
  for (int i = 0; i < 3; ++i) o.put<char>(static_cast<char>('a' + i));
  for (int i = 0; i < 4; ++i) o.put<std::int32_t>(seed + i);
}

void say_pair(Oracle& o, std::int32_t seed) {
  o.put<std::int32_t>(seed).put<std::int16_t>(static_cast<std::int16_t>(~seed));
}

void say_pairs(Oracle& o, std::int32_t seed) {
  for (int i = 0; i < 8; ++i) say_pair(o, seed + i);
  o.put<std::int32_t>(-seed);
}

TEST(Wire, StructOfFixedLayout) {
  check<Types::Flat>([](Oracle& o) { say_flat(o, 12345); });
}

TEST(Wire, StructsInsideStructs) {
  check<Types::Nested>([](Oracle& o) {
    o.put<char>('n');
    say_flat(o, 1);
    o.put<std::uint8_t>(9);
    say_flat(o, 2);
    o.put<std::uint32_t>(3);
    for (int i = 0; i < 3; ++i) say_flat(o, 100 + i);
    o.put<std::uint8_t>(1);
  });
}

TEST(Wire, ArraysOfStructs) {
  check<Types::OfPairs>([](Oracle& o) { say_pairs(o, 77); });
  check<Types::ManyOfPairs>([](Oracle& o) {
    o.put<std::uint32_t>(20);
    for (int i = 0; i < 20; ++i) say_pairs(o, i);
  });
}

TEST(Wire, SequencesOfStructs) {
  for (const std::uint32_t count : {0u, 1u, 2u, 50u}) {
    check<Types::Pairs>([&](Oracle& o) {
      o.put(count);
      for (std::uint32_t i = 0; i < count; ++i) say_pair(o, static_cast<std::int32_t>(i));
    });
  }
  check<Types::FewPadded>([](Oracle& o) {
    o.put<std::uint32_t>(3);
    for (int i = 0; i < 3; ++i) o.put<double>(i).put<std::uint8_t>(7);
  });
}

TEST(Wire, SequencesOfStructsWithBooleansAndEnums) {
  check<Types::ManyChecked>([](Oracle& o) {
    o.put<std::uint32_t>(30);
    for (std::uint32_t i = 0; i < 30; ++i)
      o.put<std::uint8_t>(i & 1).put<std::uint32_t>(i % 3).put<std::uint8_t>(9).put<std::uint32_t>(i);
  });
}

TEST(Wire, StringsInArraysOfSequencesInSequences) {
  check<Types::ManyTables>([](Oracle& o) {
    o.put<std::uint32_t>(2);
    for (int i = 0; i < 8; ++i) {
      o.put<std::uint32_t>(static_cast<std::uint32_t>(i % 3));
      for (int k = 0; k < i % 3; ++k) o.put_string(std::string(static_cast<std::size_t>(i), 'x'));
    }
  });
}

TEST(Wire, Unions) {
  check<Types::ByShort>([](Oracle& o) { o.put<std::int16_t>(32767).put<double>(0.5); });
  check<Types::ByUShort>([](Oracle& o) { o.put<std::uint16_t>(65535).put_string("text"); });
  check<Types::ByULong>([](Oracle& o) { o.put<std::uint32_t>(1).put<float>(1.5f); });
  check<Types::ByLongLong>([](Oracle& o) { o.put<std::int64_t>(INT64_MIN).put<std::int32_t>(5); });
  check<Types::ByULongLong>([](Oracle& o) { o.put<std::uint64_t>(17); });
  check<Types::ByBoolean>([](Oracle& o) {
    o.put<std::uint8_t>(0).put<char>('\0').put<std::int16_t>(INT16_MIN).put<std::int32_t>(4);
  });
  check<Types::ByEnum>([](Oracle& o) {
    o.put<std::uint32_t>(1).put<std::uint32_t>(2);
    for (int i = 0; i < 2; ++i) o.put<std::uint32_t>(2).put_string("end");
  });
}

TEST(Wire, RecursiveTypes) {
  check<Types::Tree>([](Oracle& o) {
    o.put_string("root").put<std::uint32_t>(2);
    o.put_string("left").put<std::uint32_t>(0).put_string("right").put<std::uint32_t>(1);
    o.put_string("").put<std::uint32_t>(0);
  });
}

TEST(Wire, BooleansAndEnumsOutOfRangeAreRefused) {
  Types::Flat value;
  for (const bool swap : {false, true}) {
    Oracle o(0, swap);
    say_flat(o, 2);
    std::string bytes = o.bytes();
    ASSERT_TRUE(decode(bytes, 0, swap, value));
    bytes[16] = 2;  // the boolean
    EXPECT_FALSE(decode(bytes, 0, swap, value));
    bytes[16] = 1;
    bytes[swap ? 35 : 32] = 3;  // the enum
    EXPECT_FALSE(decode(bytes, 0, swap, value));
    bytes[swap ? 35 : 32] = 2;
    EXPECT_TRUE(decode(bytes, 0, swap, value));
  }
}

}  // namespace
