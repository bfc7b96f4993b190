// Programs made from TypeCodes: that they stay small, and what is known of TypeCodes that came before.
#include "orb/types/program.h"

#include <corbel/any.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "orb/types/block.h"
#include "orb/types/walk.h"
#include "wire.h"

using corbel::types::Kind;
using corbel::types::Member;
using corbel::types::Program;
using corbel::types::TypeCode;

namespace {

constexpr std::uint32_t kLong = 3, kDouble = 7, kStruct = 15, kSequence = 19, kArray = 20;

// Structs of two of the one before, `levels` times, around `inner`.
class Doubled {
 public:
  Doubled(const TypeCode& inner, int levels) {
    const TypeCode* last = &inner;
    for (int i = 0; i < levels; ++i) {
      names_.push_back("IDL:D" + std::to_string(i) + ":1.0");
      members_.push_back({{"a", last, 0, 0}, {"b", last, 0, 0}});
      types_.emplace_back(Kind::Struct, names_.back().c_str(), "", nullptr, members_.back().data(), 2);
      last = &types_.back();
    }
  }
  const TypeCode& type() const { return types_.back(); }

 private:
  std::deque<std::string> names_;
  std::deque<std::vector<Member>> members_;
  std::deque<TypeCode> types_;
};

TEST(Program, OfATypeUsedInManyPlacesIsSmall) {
  for (const TypeCode* const inner :
       {&corbel::tc::_tc_string, &corbel::tc::_tc_double, &corbel::tc::_tc_any, &corbel::tc::_tc_null}) {
    const Doubled tower(*inner, 60);
    corbel::types::Programs programs;
    programs.of(tower.type());
    EXPECT_LE(programs.size(), 60u * 20) << static_cast<int>(inner->kind);
  }
}

CORBA::TypeCode_var read(const std::string& bytes, bool little) {
  CORBA::TypeCode_var type;
  corbel::cdr::Decoder in(bytes.data(), bytes.data(), bytes.data() + bytes.size(),
                          little != corbel::cdr::kHostIsLittleEndian);
  if (!corbel::cdr::unmarshal(in, type)) type = nullptr;
  EXPECT_EQ(in.remaining(), 0u);
  return type;
}

constexpr std::uint32_t kMany = 500;

// A struct whose first member is a large struct, and the others a sequence, an array or a struct of their own
// of it. Known by `id`.
CORBA::TypeCode_var parts_of_one_large_type(const char* id) {
  Wire wire(true);
  const auto outer = wire.open(kStruct);
  wire.text(id);
  wire.text("Outer");
  wire.put<std::uint32_t>(kMany);
  wire.text("large");
  const auto large = wire.open(kStruct);
  wire.text("IDL:Large:1.0");
  wire.text("Large");
  wire.put<std::uint32_t>(kMany);
  for (std::uint32_t i = 0; i < kMany; ++i) {
    wire.text("m");
    wire.put(i % 2 == 0 ? kLong : kDouble);
  }
  wire.close(large);
  for (std::uint32_t i = 1; i < kMany; ++i) {
    wire.text("m");
    const auto part = wire.open(i % 3 == 0 ? kStruct : i % 3 == 1 ? kSequence : kArray);
    if (i % 3 == 0) {
      wire.text("");
      wire.text("");
      wire.put<std::uint32_t>(1);
      wire.text("m");
    }
    wire.indirection(large.kind);
    if (i % 3 != 0) wire.put(i);
    wire.close(part);
  }
  wire.close(outer);
  CORBA::TypeCode_var type = read(wire.bytes, true);
  EXPECT_TRUE(type.in());
  return type;
}

void ask_for_all_parts(const TypeCode& type) {
  for (std::uint32_t i = 0; i < kMany; ++i) {
    const Program& program = Program::of(*type.members[i].type);
    EXPECT_EQ(program.main().least, i == 0 || i % 3 == 0 ? 3000u : i % 3 == 1 ? 4u : 3000u * i) << i;
  }
}

TEST(Program, OfEachPartOfATypeIsSmallTogetherWithTheOthers) {
  const CORBA::TypeCode_var type = parts_of_one_large_type("IDL:Outer1:1.0");
  ask_for_all_parts(*type.in());
  EXPECT_LE(type->block->programs().size(), kMany * 4);
}

TEST(Program, PartsThatThreadsAskForAtOnceAreMadeOncePerThreadAtMost) {
  constexpr int kThreads = 4;
  const CORBA::TypeCode_var type = parts_of_one_large_type("IDL:Outer2:1.0");
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&] { ask_for_all_parts(*type.in()); });
  for (std::thread& t : threads) t.join();
  EXPECT_LE(type->block->programs().size(), kThreads * kMany * 4);
}

TEST(Program, OfAPartWithoutCharsHasNoneWhateverStandsBesideIt) {
  static const Member plain[] = {{"a", &corbel::tc::_tc_long, 0, 0}, {"b", &corbel::tc::_tc_string, 0, 0}};
  const TypeCode part{Kind::Struct, "IDL:P:1.0", "P", nullptr, plain, 2};
  const Member all[] = {{"a", &corbel::tc::_tc_char, 0, 0},
                        {"b", &part, 0, 0},
                        {"c", &corbel::tc::_tc_any, 0, 0},
                        {"d", &corbel::tc::_tc_double, 0, 0}};
  const TypeCode whole{Kind::Struct, "IDL:W:1.0", "W", nullptr, all, 4};
  corbel::types::Programs programs;
  const Program& of_whole = programs.of(whole);
  EXPECT_TRUE(of_whole.has_chars() && of_whole.has_floats() && of_whole.refers());
  const Program& of_part = programs.of(part);
  EXPECT_FALSE(of_part.has_chars() || of_part.has_floats() || of_part.refers());
}

// struct S { struct T { sequence<S> again; string c; } inside; char other; }: T is met before S has its char.
TEST(Program, OfATypeInsideOfItselfKnowsWhatAllOfItHas) {
  Member of_s[] = {{"inside", nullptr, 0, 0}, {"other", nullptr, 0, 0}};
  const TypeCode s{Kind::Struct, "IDL:S:1.0", "S", nullptr, of_s, 2};
  const TypeCode sequence{Kind::Sequence, "", "", &s, nullptr, 0};
  const Member of_t[] = {{"again", &sequence, 0, 0}, {"c", &corbel::tc::_tc_string, 0, 0}};
  const TypeCode t{Kind::Struct, "IDL:T:1.0", "T", nullptr, of_t, 2};
  of_s[0].type = &t, of_s[1].type = &corbel::tc::_tc_char;
  corbel::types::Programs programs;
  EXPECT_TRUE(programs.of(s).has_chars());
  EXPECT_TRUE(programs.of(t).has_chars());
}

TEST(Program, OfAChainOfManyTypesIsWhole) {
  constexpr int kChain = 2000;
  std::deque<TypeCode> types;
  std::deque<Member> members;
  const TypeCode* last = &corbel::tc::_tc_string;
  for (int i = 0; i < kChain; ++i) {
    types.emplace_back(Kind::Sequence, "", "", last, nullptr, 0);
    members.push_back({"m", &types.back(), 0, 0});
    last = &types.emplace_back(Kind::Struct, "IDL:S:1.0", "S", nullptr, &members.back(), 1);
  }
  corbel::types::Programs programs;
  const Program::Routine* r = &programs.of(*last).main();
  for (int i = 0; i < kChain; ++i) {
    ASSERT_EQ(r->count, 1u) << i;
    ASSERT_EQ(r->steps->op, Program::Op::Sequence) << i;
    r = r->steps->routine;
  }
  EXPECT_EQ(r->steps->op, Program::Op::String);
}

TEST(Program, ValuesThatWouldDeriveFromABoxAreRefused) {
  const TypeCode box{Kind::ValueBox, "IDL:B:1.0", "B", &corbel::tc::_tc_long, nullptr, 0};
  const TypeCode value{Kind::Value, "IDL:V:1.0", "V", &box, nullptr, 0};
  for (const bool box_first : {true, false}) {
    const Member members[] = {{"a", box_first ? &box : &value, 0, 0}, {"b", box_first ? &value : &box, 0, 0}};
    const TypeCode both{Kind::Struct, "IDL:S:1.0", "S", nullptr, members, 2};
    corbel::types::Programs programs;
    const Program::Step& step = programs.of(both).main().steps[box_first ? 1 : 0];
    ASSERT_EQ(step.op, Program::Op::Value);
    EXPECT_EQ(step.state->type, &value);
    EXPECT_EQ(step.state->base->routine->steps->op, Program::Op::Refuse);
    EXPECT_EQ(step.state->base->base, nullptr);
  }
}

TEST(Program, NumbersInARowAreOneStep) {
  static const Member members[] = {{"a", &corbel::tc::_tc_octet, 0, 0},
                                   {"b", &corbel::tc::_tc_double, 0, 0},
                                   {"c", &corbel::tc::_tc_long, 0, 0},
                                   {"d", &corbel::tc::_tc_ulong, 0, 0}};
  static const TypeCode inner{Kind::Struct, "IDL:I:1.0", "I", nullptr, members, 4};
  static const Member twice[] = {{"a", &inner, 0, 0}, {"b", &inner, 0, 0}};
  static const TypeCode outer{Kind::Struct, "IDL:O:1.0", "O", nullptr, twice, 2};
  const Program::Routine& main = Program::of(outer).main();
  ASSERT_EQ(main.count, 1u);
  ASSERT_EQ(main.steps->op, Program::Op::Flat);
  const Program::Flat& flat = *main.steps->flat;
  EXPECT_EQ(flat.octets, 2u * 17);
  EXPECT_EQ(flat.sizes[0], 24u + 24);
  EXPECT_EQ(flat.sizes[7], 1u + 16 + 24);
  EXPECT_FALSE(flat.checked);
  EXPECT_EQ(main.least, 34u);
}

TEST(Program, IsMadeOnceForATypeCode) {
  Wire wire(true);
  const auto s = wire.open(kStruct);
  wire.text("IDL:Once:1.0");
  wire.text("Once");
  wire.put<std::uint32_t>(1);
  wire.text("m");
  wire.put(kLong);
  wire.close(s);
  corbel::cdr::Decoder in(wire.bytes.data(), wire.bytes.data(), wire.bytes.data() + wire.bytes.size(),
                          !corbel::cdr::kHostIsLittleEndian);
  CORBA::TypeCode_var type;
  ASSERT_TRUE(corbel::cdr::unmarshal(in, type));
  std::vector<const Program*> seen(4);
  std::vector<std::thread> threads;
  for (auto& found : seen) threads.emplace_back([&] { found = &Program::of(*type.in()); });
  for (std::thread& t : threads) t.join();
  for (const Program* found : seen) EXPECT_EQ(found, seen[0]);
}

// An enum, a boolean and packed decimals between numbers, one wrong at a time.
TEST(Program, ChecksWhatHasFewValues) {
  static const Member colours[] = {{"red", nullptr, 0, 0}, {"green", nullptr, 0, 0}};
  static const TypeCode colour{Kind::Enum, "IDL:C:1.0", "C", nullptr, colours, 2};
  static const TypeCode money{Kind::Fixed, "", "", nullptr, nullptr, 0, 3, 1};
  static const Member members[] = {{"a", &corbel::tc::_tc_long, 0, 0},
                                   {"b", &colour, 0, 0},
                                   {"c", &corbel::tc::_tc_boolean, 0, 0},
                                   {"d", &money, 0, 0},
                                   {"e", &corbel::tc::_tc_short, 0, 0}};
  static const TypeCode record{Kind::Struct, "IDL:R:1.0", "R", nullptr, members, 5};
  static const TypeCode all{Kind::Array, "", "", &record, nullptr, 0, 3};
  EXPECT_EQ(Program::of(record).main().count, 1u);
  for (const bool little : {true, false}) {
    for (const std::size_t phase : {0u, 2u, 4u, 7u}) {
      const auto accepted = [&](std::uint32_t ordinal, int truth, int digits) {
        Wire wire(little, phase);
        for (int i = 0; i < 3; ++i) {
          const bool last = i == 2;
          wire.put<std::uint32_t>(0xffffffff);
          wire.put<std::uint32_t>(last ? ordinal : 1);
          wire.put(static_cast<std::uint8_t>(last ? truth : 1));
          wire.put<std::uint8_t>(0x12);
          wire.put(static_cast<std::uint8_t>(last ? digits : 0x3d));
          wire.put<std::uint16_t>(0xffff);
        }
        std::vector<double> memory(wire.bytes.size() / 8 + 1);
        char* const at = reinterpret_cast<char*>(memory.data());
        std::memcpy(at, wire.bytes.data(), wire.bytes.size());
        const char* const end = at + wire.bytes.size();
        const bool swap = little != corbel::cdr::kHostIsLittleEndian;
        corbel::cdr::Decoder stepped(at, at + phase, end, swap), copied = stepped;
        corbel::types::MetValues met;
        const bool good = corbel::types::skip(stepped, all, met) && stepped.remaining() == 0;
        corbel::cdr::Encoder out;
        out.reset();
        EXPECT_EQ(corbel::types::transcode(copied, out, all, met), good);
        return good;
      };
      EXPECT_TRUE(accepted(0, 0, 0x9c));
      EXPECT_FALSE(accepted(2, 1, 0x9c));
      EXPECT_FALSE(accepted(1, 2, 0x9c));
      EXPECT_FALSE(accepted(1, 1, 0xac));
      EXPECT_FALSE(accepted(1, 1, 0x9e));
    }
  }
}

// At the first octet that is missing of a long sequence of structs whose alignment changes from one to the
// next.
TEST(Program, KnowsTheSizeOfManyStructs) {
  static const Member members[] = {{"a", &corbel::tc::_tc_double, 0, 0},
                                   {"b", &corbel::tc::_tc_octet, 0, 0},
                                   {"c", &corbel::tc::_tc_short, 0, 0},
                                   {"d", &corbel::tc::_tc_octet, 0, 0}};
  static const Member odd[] = {{"a", &corbel::tc::_tc_octet, 0, 0},
                               {"b", &corbel::tc::_tc_short, 0, 0},
                               {"c", &corbel::tc::_tc_octet, 0, 0}};
  static const TypeCode wide{Kind::Struct, "IDL:W:1.0", "W", nullptr, members, 4};
  static const TypeCode narrow{Kind::Struct, "IDL:N:1.0", "N", nullptr, odd, 3};
  static const TypeCode of_wide{Kind::Sequence, "", "", &wide, nullptr, 0};
  static const TypeCode of_narrow{Kind::Sequence, "", "", &narrow, nullptr, 0};
  for (const TypeCode* const type : {&of_wide, &of_narrow}) {
    for (std::uint32_t count = 0; count < 40; ++count) {
      for (std::size_t phase = 0; phase < 8; ++phase) {
        Wire wire(true, phase);
        wire.put(count);
        for (std::uint32_t i = 0; i < count; ++i) {
          if (type == &of_wide) wire.put<std::uint64_t>(i);
          wire.put<std::uint8_t>(1);
          wire.put<std::uint16_t>(2);
          wire.put<std::uint8_t>(3);
        }
        std::vector<double> memory(wire.bytes.size() / 8 + 1);
        char* const at = reinterpret_cast<char*>(memory.data());
        std::memcpy(at, wire.bytes.data(), wire.bytes.size());
        corbel::cdr::Decoder in(at, at + phase, at + wire.bytes.size(), !corbel::cdr::kHostIsLittleEndian);
        ASSERT_TRUE(corbel::types::skip(in, *type)) << count << phase;
        ASSERT_EQ(in.remaining(), 0u) << count << phase;
        corbel::cdr::Decoder shorter(at, at + phase, at + wire.bytes.size() - 1,
                                     !corbel::cdr::kHostIsLittleEndian);
        ASSERT_FALSE(corbel::types::skip(shorter, *type)) << count << phase;
      }
    }
  }
}

std::string struct_type(const std::string& id, bool little, const std::string& name = "S") {
  Wire wire(little);
  const auto s = wire.open(kStruct);
  wire.text(id);
  wire.text(name);
  wire.put<std::uint32_t>(1);
  wire.text("m");
  wire.put(kLong);
  wire.close(s);
  return wire.bytes;
}

TEST(KnownTypeCode, IsReadOnce) {
  for (const bool little : {true, false}) {
    const std::string bytes = struct_type("IDL:Known:1.0", little);
    CORBA::TypeCode_var first = read(bytes, little);
    CORBA::TypeCode_ptr const address = first.in();
    CORBA::TypeCode_var second = read(bytes, little);
    EXPECT_EQ(second.in(), address);
    first = nullptr, second = nullptr;
    CORBA::TypeCode_var third = read(bytes, little);
    EXPECT_EQ(third.in(), address);
    EXPECT_STREQ(third->id(), "IDL:Known:1.0");
  }
}

TEST(KnownTypeCode, ConstantsStandForThoseWithoutParameters) {
  for (const CORBA::TypeCode_ptr type :
       {CORBA::_tc_null,      CORBA::_tc_void,       CORBA::_tc_short,  CORBA::_tc_long,
        CORBA::_tc_ushort,    CORBA::_tc_ulong,      CORBA::_tc_float,  CORBA::_tc_double,
        CORBA::_tc_boolean,   CORBA::_tc_char,       CORBA::_tc_octet,  CORBA::_tc_any,
        CORBA::_tc_TypeCode,  CORBA::_tc_Principal,  CORBA::_tc_string, CORBA::_tc_longlong,
        CORBA::_tc_ulonglong, CORBA::_tc_longdouble, CORBA::_tc_wchar,  CORBA::_tc_wstring}) {
    corbel::cdr::Encoder out;
    out.reset();
    corbel::cdr::marshal(out, type);
    CORBA::TypeCode_var back = read({out.data(), out.size()}, corbel::cdr::kHostIsLittleEndian);
    EXPECT_EQ(back->kind(), type->kind());
    EXPECT_EQ(back.in(), type);
  }
}

TEST(KnownTypeCode, IsAnotherOneWhereAnyOctetDiffers) {
  CORBA::TypeCode_var a = read(struct_type("IDL:Alike1:1.0", true), true);
  CORBA::TypeCode_var b = read(struct_type("IDL:Alike2:1.0", true), true);
  EXPECT_STREQ(a->id(), "IDL:Alike1:1.0");
  EXPECT_STREQ(b->id(), "IDL:Alike2:1.0");
  std::string exception = struct_type("IDL:Alike1:1.0", true);
  exception[0] = 22;
  CORBA::TypeCode_var c = read(exception, true);
  EXPECT_EQ(a->kind(), CORBA::tk_struct);
  EXPECT_EQ(c->kind(), CORBA::tk_except);
}

TEST(KnownTypeCode, ManyOthersDriveItOutAndItLives) {
  CORBA::TypeCode_var kept = read(struct_type("IDL:Kept:1.0", true), true);
  for (int i = 0; i < 5000; ++i) {
    CORBA::TypeCode_var other = read(struct_type("IDL:Other" + std::to_string(i) + ":1.0", true), true);
    ASSERT_STREQ(other->id(), ("IDL:Other" + std::to_string(i) + ":1.0").c_str());
  }
  EXPECT_STREQ(kept->id(), "IDL:Kept:1.0");
  CORBA::TypeCode_var again = read(struct_type("IDL:Kept:1.0", true), true);
  EXPECT_TRUE(again->equal(kept.in()));
}

TEST(KnownTypeCode, OfAnyLengthIsRead) {
  for (const std::size_t length : {100u, 8000u, 9000u, 40'000u}) {
    const std::string name(length, 'x');
    for (int i = 0; i < 10; ++i) {
      CORBA::TypeCode_var type = read(struct_type("IDL:Long:1.0", true, name), true);
      ASSERT_STREQ(type->name(), name.c_str());
    }
  }
}

TEST(KnownTypeCode, ThatWasRefusedIsNotKnown) {
  std::string bytes = struct_type("IDL:Refused:1.0", true);
  bytes[bytes.size() - 4] = 99;  // the member's kind
  for (int i = 0; i < 2; ++i) {
    CORBA::TypeCode_var type;
    corbel::cdr::Decoder in(bytes.data(), bytes.data(), bytes.data() + bytes.size(),
                            !corbel::cdr::kHostIsLittleEndian);
    EXPECT_FALSE(corbel::cdr::unmarshal(in, type));
  }
}

TEST(KnownTypeCode, MayBeAskedForByManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 2000; ++i) {
        const std::string id = "IDL:Shared" + std::to_string((i + t) % 300) + ":1.0";
        CORBA::TypeCode_var type = read(struct_type(id, true), true);
        ASSERT_STREQ(type->id(), id.c_str());
      }
    });
  }
  for (std::thread& t : threads) t.join();
}

}  // namespace
