// Layouts that are not what they seem: structures inside others, derived ones, borders between members,
// recursion through bases, unions that are assigned a part of themselves.
#include <corbel/cpp/octet_seq.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "layouts.any.h"
#include "layouts.stub.h"
#include "tests/support/heap.h"
#include "value_message.h"

namespace {

using corbel::cdr::Decoder;
using corbel::cdr::Encoder;
using namespace value_message;

// A message of numbers, each aligned to its size, that begins at the offset `begin` in either byte order.
class Numbers {
 public:
  Numbers(std::size_t begin, bool swap) : begin_(begin), swap_(swap), bytes_(begin, '\0') {}
  template <typename T>
  Numbers& put(T value) {
    bytes_.resize((bytes_.size() + sizeof value - 1) / sizeof value * sizeof value);
    std::string octets(reinterpret_cast<const char*>(&value), sizeof value);
    if (swap_) octets.assign(octets.rbegin(), octets.rend());
    bytes_ += octets;
    return *this;
  }
  std::string bytes() const { return bytes_.substr(begin_); }
  template <typename T>
  bool read(T& value) const {
    // From a multiple of 8 on, as a message stands in memory.
    std::vector<double> memory(bytes_.size() / 8 + 1);
    auto* const at = reinterpret_cast<char*>(memory.data());
    std::memcpy(at, bytes_.data(), bytes_.size());
    Decoder in(at, at + begin_, at + bytes_.size(), swap_);
    return unmarshal(in, value) && in.remaining() == 0;
  }
  template <typename T>
  void expect_written(const T& value) const {
    Encoder out;
    out.reset(begin_);
    marshal(out, value);
    EXPECT_EQ(std::string(out.data() + begin_, out.data() + out.size()), bytes()) << begin_;
  }

 private:
  std::size_t begin_;
  bool swap_;
  std::string bytes_;
};

Numbers outers(CORBA::ULong count, std::size_t begin, bool swap) {
  Numbers message(begin, swap);
  message.put(count);
  for (CORBA::ULong i = 0; i < count; ++i)
    message.put(static_cast<CORBA::Short>(i)).put(static_cast<CORBA::Long>(i * 1000)).put(i + 0.5);
  return message;
}

// The inner one begins where its long does, although it stands at a multiple of 8 in memory.
TEST(Layouts, StructuresInsideOthersBeginWithTheirFirstValue) {
  for (const CORBA::ULong count : {0u, 1u, 2u, 7u, 40u})
    for (const std::size_t begin : {0, 4}) {
      Layouts::Outers value;
      value.length(count);
      for (CORBA::ULong i = 0; i < count; ++i)
        value[i] = {static_cast<CORBA::Short>(i), {static_cast<CORBA::Long>(i * 1000), i + 0.5}};
      outers(count, begin, false).expect_written(value);
      for (const bool swap : {false, true}) {
        Layouts::Outers back;
        ASSERT_TRUE(outers(count, begin, swap).read(back)) << count << " at " << begin;
        ASSERT_EQ(back.length(), count);
        for (CORBA::ULong i = 0; i < count; ++i) {
          EXPECT_EQ(back[i].x, static_cast<CORBA::Short>(i));
          EXPECT_EQ(back[i].part.a, static_cast<CORBA::Long>(i * 1000));
          EXPECT_EQ(back[i].part.b, i + 0.5);
        }
      }
    }
}

TEST(Layouts, SoDoArraysOfThem) {
  for (const std::size_t begin : {0, 4}) {
    Layouts::AllRows value;
    value.length(3);
    Numbers message(begin, false);
    message.put(CORBA::ULong{3});
    for (CORBA::Long i = 0; i < 3; ++i) {
      value[static_cast<CORBA::ULong>(i)] = {i, {{i + 10, 1.5}, {i + 20, 2.5}}};
      message.put(i).put(i + 10).put(1.5).put(i + 20).put(2.5);
    }
    message.expect_written(value);
    Layouts::AllRows back;
    ASSERT_TRUE(message.read(back));
    EXPECT_EQ(back[2].part[1].a, 22);
    EXPECT_EQ(back[2].part[1].b, 2.5);
  }
}

// What an Any was sent, and gives back.
template <typename T>
void through_any(const T& value, CORBA::TypeCode_ptr type, void (*check)(const T& value)) {
  for (int round = 0; round < 2; ++round)  // the second finds the type's program
    for (const std::size_t begin : {0, 4}) {
      CORBA::Any any;
      any <<= value;
      Encoder out;
      out.reset(begin);
      any._corbel_marshal_value(out);
      Decoder in(out.data(), out.data() + begin, out.data() + out.size(), false);
      CORBA::Any got;
      ASSERT_TRUE(got._corbel_unmarshal_value(in, *type));
      const T* back = nullptr;
      ASSERT_TRUE(got >>= back);
      check(*back);
    }
}

// Functions for what a structure is derived from do not hold for itself.
TEST(Layouts, DerivedStructuresInAnysAreReadAsWhatTheyAre) {
  Layouts::Text text;
  text.a = 1, text.b = 2, text.s = "nineteen characters";
  through_any<Layouts::Text>(text, Layouts::_tc_Text, [](const Layouts::Text& t) {
    EXPECT_EQ(t.a, 1);
    EXPECT_STREQ(t.s, "nineteen characters");
  });
  Layouts::Number number{};
  number.a = 1, number.b = 2, number.c = 3, number.part = {4, 5.5};
  through_any<Layouts::Number>(number, Layouts::_tc_Number, [](const Layouts::Number& n) {
    EXPECT_EQ(n.c, 3);
    EXPECT_EQ(n.part.a, 4);
    EXPECT_EQ(n.part.b, 5.5);
  });
  Layouts::Numbers many;
  many.length(3);
  for (CORBA::ULong i = 0; i < 3; ++i) many[i] = number;
  through_any<Layouts::Numbers>(many, Layouts::_tc_Numbers, [](const Layouts::Numbers& n) {
    ASSERT_EQ(n.length(), 3u);
    EXPECT_EQ(n[2].c, 3);
    EXPECT_EQ(n[2].part.b, 5.5);
  });
}

// Behind a base stands what padding it ends with, which the message does not have.
TEST(Layouts, DerivedStructuresBeginBehindThePaddingOfTheirBases) {
  for (const std::size_t begin : {0, 4}) {
    Layouts::Behinds value;
    value.length(3);
    Numbers message(begin, false);
    message.put(CORBA::ULong{3});
    for (CORBA::ULong i = 0; i < 3; ++i) {
      value[i].a = i, value[i].b = static_cast<CORBA::Octet>(i + 10),
      value[i].c = static_cast<CORBA::Octet>(i + 20);
      message.put(value[i].a).put(value[i].b).put(value[i].c);
    }
    message.expect_written(value);
    Layouts::Behinds back;
    ASSERT_TRUE(message.read(back));
    for (CORBA::ULong i = 0; i < 3; ++i) {
      EXPECT_EQ(back[i].a, value[i].a);
      EXPECT_EQ(back[i].b, value[i].b);
      EXPECT_EQ(back[i].c, value[i].c);
    }
  }
}

TEST(Layouts, SoDoThoseInsideOfArraysOfStructures) {
  Layouts::ArraysOfBehind value;
  Numbers message(0, false);
  for (CORBA::Octet i = 0; i < 4; ++i) {
    Layouts::AroundBehind& around = value.all[i / 2][i % 2];
    for (CORBA::Octet k = 0; k < 2; ++k) {
      Layouts::Behind& one = around.one[k];
      one.a = i, one.b = static_cast<CORBA::Octet>(k + 10), one.c = static_cast<CORBA::Octet>(k + 20);
      message.put(one.a).put(one.b).put(one.c);
    }
    around.d = i;
    message.put(around.d);
  }
  message.expect_written(value);
  Layouts::ArraysOfBehind back;
  ASSERT_TRUE(message.read(back));
  EXPECT_EQ(back.all[1][1].one[1].a, 3);
  EXPECT_EQ(back.all[1][1].one[1].c, 21);
  EXPECT_EQ(back.all[1][1].d, 3);
}

// A sequence is made before its elements are read: they may not take more than the message could hold.
TEST(Layouts, UnionsThatHaveBeenMadeHoldLittle) {
  const std::size_t before = heap_in_use();
  Layouts::AllSized value;
  value.length(10'000);
  EXPECT_LT(heap_in_use() - before, 10'000u * 200);
  Numbers message(0, false);
  message.put(CORBA::ULong{10'000});
  for (int i = 0; i < 10'000; ++i) message.put(CORBA::Octet{2}).put(CORBA::Octet{7});
  Layouts::AllSized back;
  ASSERT_TRUE(message.read(back));
  EXPECT_EQ(back[9'999].small(), 7);
}

TEST(Layouts, UnionsAreHeldAgainstTheOctetsThatTheirMembersHave) {
  Numbers good(0, false), bad(0, false);
  good.put(CORBA::ULong{2});
  for (int i = 0; i < 2; ++i) good.put(CORBA::Octet{0}).put(CORBA::ULong{0});
  Layouts::AllLarge value, none;
  EXPECT_TRUE(good.read(value));
  EXPECT_EQ(value[1].some().length(), 0u);
  bad.put(CORBA::ULong{1'000'000});
  for (int i = 0; i < 1'000'000; ++i) bad.put(CORBA::ULong{0});
  EXPECT_FALSE(bad.read(none));
  EXPECT_EQ(none.length(), 0u);
}

// A value's chunk may end between any two of its members, and the next one begins at a multiple of 4.
TEST(Layouts, ChunksOfValuesEndBetweenAnyTwoMembers) {
  const char* args[] = {"test", nullptr};
  int argc = 1;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, const_cast<char**>(args), "layouts");
  CORBA::ValueFactory_var factory = new Factory<OBV_Layouts::Borders>;
  CORBA::ValueFactory_var old = orb->register_value_factory("IDL:Layouts/Borders:1.0", factory.in());
  // Octets of a member, and where it stands if no border is before it.
  const std::string members[] = {std::string("\7\0\0\0", 4), "\5", std::string("\11\0\0\0", 4),
                                 std::string("\1\0", 2),     "\6", std::string("\10\0", 2)};
  const std::size_t alignments[] = {4, 1, 4, 1, 1, 2};
  for (unsigned borders = 0; borders < 32; ++borders) {
    Message message(false);
    message.number(kValue | kOneId | kChunked).text("IDL:Layouts/Borders:1.0");
    for (std::size_t first = 0, end; first < 6; first = end) {
      std::string chunk;
      for (end = first; end < 6; ++end) {
        if (end > first && (borders >> (end - 1) & 1) != 0) break;
        chunk.resize((chunk.size() + alignments[end] - 1) / alignments[end] * alignments[end]);
        chunk += members[end];
      }
      message.number(static_cast<std::uint32_t>(chunk.size())).raw(chunk);
    }
    Input input(message.end(1).bytes(), false, orb);
    corbel::cpp::ReadValues scope(*input);
    Layouts::Borders_var v;
    ASSERT_TRUE(corbel::cpp::get_value<Layouts::Borders>(*input, v.inout())) << borders;
    EXPECT_EQ((*input).remaining(), 0u);
    EXPECT_EQ(v->a(), 7) << borders;
    EXPECT_EQ(v->b(), 5) << borders;
    EXPECT_EQ(v->c(), 9) << borders;
    EXPECT_TRUE(v->d()[0] && !v->d()[1]) << borders;
    EXPECT_EQ(v->e(), 6) << borders;
    EXPECT_EQ(v->f(), 8) << borders;
  }
  orb->destroy();
}

// So may a fragment of GIOP 1.1, which begins behind a header of 12 octets.
TEST(Layouts, FragmentsEndBetweenAnyTwoMembers) {
  constexpr std::size_t kHeader = 12;
  const std::string members[] = {std::string("\7\0\0\0", 4),
                                 "\5",
                                 std::string("\11\0\0\0", 4),
                                 std::string("\1\0", 2),
                                 "\6",
                                 std::string("\10\0", 2),
                                 std::string("\0\0\0\0\0\0\xf0\x3f", 8)};
  const std::size_t alignments[] = {4, 1, 4, 1, 1, 2, 8};
  for (unsigned borders = 0; borders < 64; ++borders) {
    std::string bytes(kHeader, '\0');
    std::vector<std::uint32_t> starts;
    std::size_t offset = kHeader;
    for (std::size_t i = 0; i < 7; ++i) {
      if (i > 0 && (borders >> (i - 1) & 1) != 0) {
        starts.push_back(static_cast<std::uint32_t>(bytes.size()));
        offset = kHeader;
      }
      for (; offset % alignments[i] != 0; ++offset) bytes += '\0';
      bytes += members[i];
      offset += members[i].size();
    }
    std::vector<double> memory(bytes.size() / 8 + 1);
    auto* const at = reinterpret_cast<char*>(memory.data());
    std::memcpy(at, bytes.data(), bytes.size());
    const corbel::cdr::Fragments fragments{at, at + bytes.size(), starts.data(),
                                           static_cast<std::uint32_t>(starts.size())};
    Decoder in(at, at + kHeader, at + bytes.size(), false);
    in.set_older(1);
    if (!starts.empty()) in.set_fragments(fragments);
    Layouts::Rising v{};
    ASSERT_TRUE(unmarshal(in, v)) << borders;
    EXPECT_EQ(v.a, 7) << borders;
    EXPECT_EQ(v.b, 5) << borders;
    EXPECT_EQ(v.c, 9) << borders;
    EXPECT_TRUE(v.d[0] && !v.d[1]) << borders;
    EXPECT_EQ(v.e, 6) << borders;
    EXPECT_EQ(v.f, 8) << borders;
    EXPECT_EQ(v.g, 1.0) << borders;
  }
}

class ValuesInAnys : public testing::Test {
 protected:
  ValuesInAnys() {
    const char* args[] = {"test", nullptr};
    int argc = 1;
    orb = CORBA::ORB_init(argc, const_cast<char**>(args), "layouts");
  }
  ~ValuesInAnys() override { orb->destroy(); }
  CORBA::ORB_var orb;
};

// What is put together of a value's chunks lives no longer than the Any is read.
TEST_F(ValuesInAnys, AreCopiedIntoTheMessageThatTheyArePassedOnIn) {
  constexpr std::size_t kHalf = 20'000;
  Message message(false);
  message.number(kValue | kOneId | kChunked).text("IDL:Layouts/Wordy:1.0");
  message.number(4 + kHalf).number(2 * kHalf + 1).raw(std::string(kHalf, 'x'));
  message.number(kHalf + 8).raw(std::string(kHalf, 'x')).raw(std::string(1, '\0')).number(0).end(1);
  CORBA::Any any;
  Input input(message.bytes(), false, orb);
  ASSERT_TRUE(any._corbel_unmarshal_value(*input, *Layouts::_tc_Wordy));
  for (const std::size_t begin : {0, 4}) {
    Encoder out;
    out.reset(begin);
    out.allow_externals(true);
    any._corbel_marshal_value(out);
    ASSERT_FALSE(out.error());
    const std::vector<std::string> others(8, std::string(2 * kHalf, 'y'));  // in memory that was given back
    ASSERT_TRUE(out.copy_externals());
    const std::string octets(out.data(), out.size());
    EXPECT_EQ(std::count(octets.begin(), octets.end(), 'x'), static_cast<std::ptrdiff_t>(2 * kHalf)) << begin;
    EXPECT_EQ(octets.find('y', octets.find('x')), std::string::npos) << begin;
  }
}

TEST_F(ValuesInAnys, WhoseClassIsMissingLeaveNothingBehind) {
  const auto has_value = [](Message& m) -> Message& {
    return m.text("a text that has memory of its own")
        .number(kValue | kOneId)
        .text("IDL:Layouts/Wordy:1.0")
        .text("s")
        .number(0);
  };
  const auto extracted = [&](const Message& message, CORBA::TypeCode_ptr type, const auto& extract) {
    Input input(message.bytes(), false, orb);
    CORBA::Any any;
    ASSERT_TRUE(any._corbel_unmarshal_value(*input, *type));
    EXPECT_THROW(extract(any), CORBA::MARSHAL);
  };
  Message one(false), two(false), exception(false);
  extracted(has_value(one), Layouts::_tc_HasValue, [](const CORBA::Any& any) {
    const Layouts::HasValue* value;
    return any >>= value;
  });
  extracted(has_value(two.text("").number(0)), Layouts::_tc_HasValues, [](const CORBA::Any& any) {
    Layouts::HasValues_forany value;
    return any >>= value;
  });
  extracted(has_value(exception.text("IDL:Layouts/WithValue:1.0")), Layouts::_tc_WithValue,
            [](const CORBA::Any& any) {
              const Layouts::WithValue* value;
              return any >>= value;
            });
}

// A TypeCode that refers to itself may lie in two chunks.
TEST_F(ValuesInAnys, HaveTypesThatLieInSeveralChunks) {
  CORBA::ValueFactory_var factory = new Factory<OBV_Layouts::Holder>;
  CORBA::ValueFactory_var old = orb->register_value_factory("IDL:Layouts/Holder:1.0", factory.in());
  Layouts::Parent parent{};
  parent.y = 7;
  CORBA::Any inside;
  inside <<= parent;
  Encoder out;
  out.reset();
  inside._corbel_marshal(out);
  const std::string octets(out.data(), out.size());
  for (std::size_t border = 12; border < octets.size(); border += 4) {
    Message message(false);
    message.number(kValue | kOneId | kChunked).text("IDL:Layouts/Holder:1.0");
    message.number(static_cast<std::uint32_t>(border)).raw(octets.substr(0, border));
    message.number(static_cast<std::uint32_t>(octets.size() - border)).raw(octets.substr(border)).end(1);
    Input input(message.bytes(), false, orb);
    corbel::cpp::ReadValues scope(*input);
    Layouts::Holder_var value;
    ASSERT_TRUE(corbel::cpp::get_value<Layouts::Holder>(*input, value.inout())) << border;
    const Layouts::Parent* back = nullptr;
    ASSERT_TRUE(value->a() >>= back) << border;
    EXPECT_EQ(back->y, 7) << border;
  }
}

TEST(Layouts, RecursionThroughABaseIsBounded) {
  const auto nested = [](CORBA::ULong levels) {
    Numbers message(0, false);
    for (CORBA::ULong i = 0; i < levels; ++i) message.put(CORBA::ULong{1});
    message.put(CORBA::ULong{0});
    for (CORBA::ULong i = 0; i < levels; ++i) message.put(CORBA::Long{1}).put(CORBA::Long{2});
    return message;
  };
  Layouts::Parents value;
  EXPECT_TRUE(nested(500).read(value));
  EXPECT_FALSE(nested(200'000).read(value));
}

TEST(Layouts, UnionsMayBeAssignedAPartOfThemselves) {
  Layouts::Branch tree;
  Layouts::Branches two;
  two.length(2);
  two[0].leaf(7);
  two[1].text("a text that is longer than what stands inside");
  tree.more(two);
  Layouts::Branch other = tree;
  tree = tree.more()[0];
  EXPECT_EQ(tree.leaf(), 7);
  other = other.more()[1];
  EXPECT_STREQ(other.text(), "a text that is longer than what stands inside");
}

// The block is the program's from then on.
TEST(Layouts, SequencesLetGoOfTheBlockThatTheyArrivedIn) {
  void* const block = std::malloc(64);
  char* const elements = static_cast<char*>(block) + 16;
  std::memcpy(elements - sizeof block, &block, sizeof block);
  {
    CORBA::OctetSeq sequence;
    sequence._corbel_take(reinterpret_cast<CORBA::Octet*>(elements), 8);
    sequence.replace(8, 8, sequence.get_buffer(), false);
    sequence.length(1000);
  }
  std::free(block);
}

}  // namespace
