// Generated marshaling against CDR written by hand: every alignment, both byte orders, every truncation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

#include "contract.stub.h"

namespace {

using corbel::cdr::Decoder;
using corbel::cdr::Encoder;

// CDR octet by octet, in either order, from `offset` on.
class Wire {
 public:
  Wire(std::size_t offset, bool big) : offset_(offset), big_(big) {}
  template <typename T>
  void number(T value) {
    while ((offset_ + bytes_.size()) % sizeof(T) != 0) bytes_ += '\0';
    std::string octets(sizeof(T), '\0');
    std::memcpy(octets.data(), &value, sizeof(T));
    const std::uint16_t probe = 1;
    const bool host_is_big = *reinterpret_cast<const char*>(&probe) == 0;
    if (big_ != host_is_big) std::reverse(octets.begin(), octets.end());
    bytes_ += octets;
  }
  void length(std::size_t n) { number(static_cast<std::uint32_t>(n)); }
  void text(const char* s) {
    length(std::strlen(s) + 1);
    bytes_.append(s, std::strlen(s) + 1);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  const std::size_t offset_;
  const bool big_;
  std::string bytes_;
};

// The values and how each is written.
Contract::Point point(int seed) {
  Contract::Point p;
  p.x = static_cast<CORBA::Short>(0x0102 + seed);
  p.tag = 't';
  p.y = 0x03040506 + seed;
  p.o = 0xfe;
  p.z = 1.0 / (3 + seed);
  return p;
}
void write(Wire& w, const Contract::Point& v) {
  w.number(v.x);
  w.number(v.tag);
  w.number(v.y);
  w.number(v.o);
  w.number(v.z);
}

Contract::Person person(const char* name, CORBA::ULong nicknames) {
  Contract::Person p;
  p.name = name;
  p.age = 0x11223344;
  p.nicknames.length(nicknames);
  for (CORBA::ULong i = 0; i < nicknames; ++i) p.nicknames[i] = std::string(i, 'n').c_str();
  return p;
}
void write(Wire& w, const Contract::Person& v) {
  w.text(v.name);
  w.number(v.age);
  w.length(v.nicknames.length());
  for (CORBA::ULong i = 0; i < v.nicknames.length(); ++i) w.text(v.nicknames[i]);
}

void write(Wire& w, const Contract::Flags& v) {
  w.number(static_cast<std::uint8_t>(v.on ? 1 : 0));
  w.number(static_cast<std::uint32_t>(v.hue));
}

template <typename Sequence>
void write_numbers(Wire& w, const Sequence& v) {
  w.length(v.length());
  for (CORBA::ULong i = 0; i < v.length(); ++i) w.number(v[i]);
}
template <typename Sequence>
void write_values(Wire& w, const Sequence& v) {
  w.length(v.length());
  for (CORBA::ULong i = 0; i < v.length(); ++i) write(w, v[i]);
}

void write(Wire& w, const Contract::Value& v) {
  w.number(static_cast<std::uint32_t>(v._d()));
  switch (v._d()) {
    case Contract::red:
      return w.number(v.number());
    case Contract::green:
      return w.text(v.text());
    default:
      return write(w, v.spot());
  }
}
void write(Wire& w, const Contract::Maybe& v) {
  w.number(static_cast<std::uint8_t>(v._d() ? 1 : 0));
  if (v._d()) write_numbers(w, v.some());
}
void write(Wire& w, const Contract::Tree& v) {
  w.number(v.label);
  write_values(w, v.children);
}

template <typename T>
std::string encoded(const T& value, std::size_t offset) {
  Encoder out;
  out.reset(8);
  std::memset(out.chunk<1>(1000), 0xff, 1000);  // what padding must not show
  out.reset(offset);
  marshal(out, value);
  EXPECT_FALSE(out.error());
  return std::string(out.data() + offset, out.size() - offset);
}

// Bytes in a block that ends where they end, so that the sanitizer sees what is read beyond.
class Block {
 public:
  Block(const std::string& bytes, std::size_t offset, std::size_t size)
      : memory_(static_cast<char*>(std::malloc(offset + size))), offset_(offset), size_(size) {
    if (size != 0) std::memcpy(memory_ + offset, bytes.data(), size);
  }
  ~Block() { std::free(memory_); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  Decoder decoder(bool swap) const {
    return Decoder(memory_, memory_ + offset_, memory_ + offset_ + size_, swap);
  }

 private:
  char* const memory_;
  const std::size_t offset_, size_;
};

// `writer` writes what the generated code must write for `value`.
template <typename T, typename Writer>
void check(const T& value, const Writer& writer) {
  const std::uint16_t probe = 1;
  const bool host_is_big = *reinterpret_cast<const char*>(&probe) == 0;
  for (std::size_t offset = 0; offset < 8; ++offset) {
    Wire host(offset, host_is_big);
    writer(host, value);
    ASSERT_EQ(encoded(value, offset), host.bytes()) << "offset " << offset;
    for (const bool swap : {false, true}) {
      Wire wire(offset, host_is_big != swap);
      writer(wire, value);
      const std::string& bytes = wire.bytes();
      T read;
      // Twice into the same value: the second time it holds something.
      for (int round = 0; round < 2; ++round) {
        const Block block(bytes, offset, bytes.size());
        Decoder in = block.decoder(swap);
        ASSERT_TRUE(unmarshal(in, read)) << "offset " << offset << " swap " << swap;
        ASSERT_EQ(in.remaining(), 0u);
        ASSERT_EQ(encoded(read, offset), host.bytes()) << "offset " << offset << " swap " << swap;
      }
      for (std::size_t size = 0; size < bytes.size(); ++size) {
        const Block block(bytes, offset, size);
        Decoder in = block.decoder(swap);
        T cut;
        ASSERT_FALSE(unmarshal(in, cut))
            << size << " of " << bytes.size() << ", offset " << offset << " swap " << swap;
        ASSERT_TRUE(in.failed());
        // What held a value stays one that can be copied and destroyed.
        Decoder again = block.decoder(swap);
        T held = value;
        ASSERT_FALSE(unmarshal(again, held));
        [[maybe_unused]] const T copy = held;
      }
    }
  }
}

const auto by_write = [](Wire& w, const auto& v) { write(w, v); };
const auto as_numbers = [](Wire& w, const auto& v) { write_numbers(w, v); };
const auto as_values = [](Wire& w, const auto& v) { write_values(w, v); };

TEST(Marshaling, OfStructs) {
  check(point(0), by_write);
  for (const Contract::Color hue : {Contract::red, Contract::green, Contract::blue}) {
    Contract::Flags flags;
    flags.on = hue != Contract::green;
    flags.hue = hue;
    check(flags, by_write);
  }
  check(person("", 0), by_write);
  check(person("a name that is longer than what stands inside a member", 4), by_write);
}

TEST(Marshaling, OfSequencesOfNumbers) {
  for (const CORBA::ULong n : {0u, 1u, 2u, 7u, 8u}) {
    Contract::Octets octets;
    Contract::Longs longs;
    Contract::FewDoubles doubles;
    Contract::Booleans booleans;
    Contract::Chars chars;
    octets.length(n), longs.length(n), doubles.length(n), booleans.length(n), chars.length(n);
    for (CORBA::ULong i = 0; i < n; ++i) {
      octets[i] = static_cast<CORBA::Octet>(255 - i);
      longs[i] = static_cast<CORBA::Long>(0x01020304 * (i + 1));
      doubles[i] = 1.0 / (i + 3);
      booleans[i] = i % 2 == 0;
      chars[i] = static_cast<CORBA::Char>('a' + i);
    }
    check(octets, as_numbers);
    check(longs, as_numbers);
    check(doubles, as_numbers);
    check(booleans, as_numbers);
    check(chars, as_numbers);
  }
}

TEST(Marshaling, OfSequencesOfOtherThings) {
  for (const CORBA::ULong n : {0u, 1u, 3u}) {
    Contract::Strings strings;
    Contract::Points points;
    Contract::People people;
    Contract::Matrix matrix;
    strings.length(n), points.length(n), people.length(n), matrix.length(n);
    for (CORBA::ULong i = 0; i < n; ++i) {
      strings[i] = std::string(i * 9, 's').c_str();
      points[i] = point(static_cast<int>(i));
      people[i] = person("p", i);
      matrix[i].length(i);
      for (CORBA::ULong j = 0; j < i; ++j) matrix[i][j] = static_cast<CORBA::Long>(j + 1);
    }
    check(strings, [](Wire& w, const Contract::Strings& v) {
      w.length(v.length());
      for (CORBA::ULong i = 0; i < v.length(); ++i) w.text(v[i]);
    });
    check(points, as_values);
    check(people, as_values);
    check(matrix, [](Wire& w, const Contract::Matrix& v) {
      w.length(v.length());
      for (CORBA::ULong i = 0; i < v.length(); ++i) write_numbers(w, v[i]);
    });
  }
}

TEST(Marshaling, OfUnionsAndTypesThatContainThemselves) {
  Contract::Value value;
  value.number(-2);
  check(value, by_write);
  value.text("text");
  check(value, by_write);
  value.spot(point(5));
  check(value, by_write);
  Contract::Longs some;
  some.length(3);
  some[1] = 0x7fffffff;
  Contract::Maybe maybe;
  maybe.some(some);
  check(maybe, by_write);
  maybe._default();
  check(maybe, by_write);
  Contract::Tree tree;
  tree.label = 1;
  tree.children.length(2);
  tree.children[0].label = 2;
  tree.children[0].children.length(1);
  tree.children[0].children[0].label = 3;
  tree.children[1].label = 4;
  check(tree, by_write);
}

// Lengths that the message cannot hold, in front of a little of what could follow.
TEST(Marshaling, RefusesLengthsBeyondTheMessage) {
  const auto refused = [](auto value, std::size_t extra) {
    for (const std::uint32_t length :
         {100u, 0x10000u, 0x10000000u, 0x20000001u, 0x7fffffffu, 0x80000000u, 0xffffffffu})
      for (const bool swap : {false, true}) {
        const std::uint16_t probe = 1;
        Wire wire(0, (*reinterpret_cast<const char*>(&probe) == 0) != swap);
        wire.number(length);
        const std::string bytes = wire.bytes() + std::string(extra, '\0');
        const Block block(bytes, 0, bytes.size());
        Decoder in = block.decoder(swap);
        EXPECT_FALSE(unmarshal(in, value)) << length;
        EXPECT_TRUE(in.failed());
        EXPECT_LE(value.maximum(), 100u) << length;
      }
  };
  for (const std::size_t extra : {0u, 8u, 64u}) {
    refused(Contract::Octets(), extra);
    refused(Contract::Longs(), extra);
    refused(Contract::FewDoubles(), extra);
    refused(Contract::Booleans(), extra);
    refused(Contract::Strings(), extra);
    refused(Contract::Points(), extra);
    refused(Contract::People(), extra);
    refused(Contract::Matrix(), extra);
  }
}

}  // namespace
