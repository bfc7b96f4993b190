// Types and values made at random, in CDR as a script wrote it by the book: what is generated for the types
// reads and writes it at every alignment, in both byte orders, inside and outside of an Any, and stands it
// being cut off and changed. What is changed is refused where the papers' interpreter refuses it.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <set>

#include "bench/programs/original_engine.h"
#include "tests/random/cases.h"

using corbel::cdr::Encoder;

namespace {

// Of an entry's type.
class Value {
 public:
  explicit Value(const Entry& entry) : entry_(entry), value_(entry.make()) {}
  Value(const Entry& entry, void* adopted) : entry_(entry), value_(adopted) {}
  ~Value() { entry_.destroy(value_); }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
  void* get() const { return value_; }
  std::string text() const {
    Text out;
    entry_.show(out, value_);
    return out.all();
  }
  void end_circles() const {
    Text out;
    entry_.show(out, value_);
    out.end_circles();
  }

 private:
  const Entry& entry_;
  void* const value_;
};

// What is written with something else where nothing may show through; nothing if it cannot be written.
template <typename Write>
std::optional<std::string> try_to_write(const Octets& as, const Write& write) {
  Encoder out;
  out.reset(8);
  std::memset(out.chunk<1>(2000), 0xff, 2000);
  out.reset(as.offset);
  out.set_older(as.older());
  try {
    write(out);
  } catch (const CORBA::MARSHAL&) {
    return {};
  }
  if (out.error()) return {};
  return std::string(out.data() + as.offset, out.size() - as.offset);
}
std::optional<std::string> try_to_write(const Octets& as, const Entry& entry, const void* value) {
  return try_to_write(as, [&](Encoder& out) { entry.marshal(out, value); });
}
std::optional<std::string> try_to_write(const Octets& as, const CORBA::Any& any) {
  return try_to_write(as, [&](Encoder& out) { marshal_whole(out, [&] { marshal(out, any); }); });
}
template <typename... Value>
std::string written(const Octets& as, const Value&... value) {
  const auto bytes = try_to_write(as, value...);
  EXPECT_TRUE(bytes);
  return bytes.value_or("");
}

// Empty if they are the same.
std::string difference(const std::string& bytes, const std::string& expected) {
  if (bytes == expected) return "";
  std::size_t at = 0;
  while (at < bytes.size() && at < expected.size() && bytes[at] == expected[at]) ++at;
  const auto around = [at](const std::string& text) {
    return testing::PrintToString(text.substr(at > 40 ? at - 40 : 0, 80));
  };
  return "at " + std::to_string(at) + ": " + around(bytes) + "\n  expected " + around(expected);
}

// Runs for each value and each of its encodings; ends at the first failure.
template <typename Check>
void each(bool in_any, const Check& check) {
  ASSERT_FALSE(cases().empty());
  for (const Case& one : cases())
    for (const Octets& octets : one.octets) {
      if (octets.in_any != in_any || (!in_any && !one.entry->unmarshal)) continue;
      SCOPED_TRACE(testing::Message() << one.entry->name << " " << one.text.substr(0, 300)
                                      << (octets.little ? " little" : " big") << "-endian at "
                                      << octets.offset << ", GIOP 1." << octets.minor);
      check(one, octets);
      if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(RandomTypes, AreShownAsTheyAreFilled) {
  for (const Case& one : cases()) {
    Value value(*one.entry);
    Tokens in(one.text);
    one.entry->fill(in, value.get());
    ASSERT_TRUE(in.at_end()) << one.entry->name;
    ASSERT_EQ(value.text(), one.text) << one.entry->name;
    const Value other(*one.entry, one.entry->copy(value.get()));
    ASSERT_EQ(other.text(), one.text) << one.entry->name;
  }
}

TEST(RandomTypes, AreWrittenByTheBook) {
  each(false, [](const Case& one, const Octets& octets) {
    if (!octets.native() || octets.as_others) return;
    Value value(*one.entry);
    Tokens in(one.text);
    one.entry->fill(in, value.get());
    ASSERT_EQ(difference(written(octets, *one.entry, value.get()), octets.bytes), "");
  });
}

TEST(RandomTypes, AreReadAtEveryAlignmentInBothOrders) {
  each(false, [](const Case& one, const Octets& octets) {
    Value value(*one.entry);
    for (int round = 0; round < 2; ++round) {  // the second time into what holds something
      Block block(octets);
      ASSERT_TRUE(one.entry->unmarshal(block.in, value.get()));
      ASSERT_EQ(block.in.remaining(), 0u);
      ASSERT_EQ(value.text(), one.text);
    }
  });
}

TEST(RandomTypes, AreRefusedWhereTheyAreCutOff) {
  each(false, [](const Case& one, const Octets& octets) {
    if (octets.offset % 5 != 0) return;
    const std::size_t step = 1 + octets.bytes.size() / 200;
    for (std::size_t size = 0; size < octets.bytes.size(); size += step) {
      Value value(*one.entry);
      Block block(octets.bytes, size, octets);
      ASSERT_FALSE(one.entry->unmarshal(block.in, value.get())) << size << " of " << octets.bytes.size();
      ASSERT_TRUE(block.in.failed());
      const Value other(*one.entry, one.entry->copy(value.get()));  // still a value
    }
  });
}

using corbel::types::Kind;

// Kinds of which more than the octets decides whether they are taken: as the ORB's functions do.
constexpr Kind kOwnRules[] = {Kind::LongDouble, Kind::WChar,  Kind::WString, Kind::Any,
                              Kind::TypeCode,   Kind::ObjRef, Kind::Fixed};
constexpr Kind kAnys[] = {Kind::Any};
// In C++ a string ends at its first zero.
constexpr Kind kTexts[] = {Kind::String};

template <std::size_t N>
bool holds(const corbel::types::TypeCode& type, const Kind (&kinds)[N],
           std::set<const corbel::types::TypeCode*>& seen) {
  if (std::find(kinds, kinds + N, type.kind) != kinds + N) return true;
  if (type.kind == Kind::Enum || !seen.insert(&type).second) return false;
  if (type.content && holds(*type.content, kinds, seen)) return true;
  return std::any_of(type.members, type.members + type.member_count,
                     [&](const corbel::types::Member& m) { return holds(*m.type, kinds, seen); });
}
template <std::size_t N>
bool holds(const corbel::types::TypeCode& type, const Kind (&kinds)[N]) {
  std::set<const corbel::types::TypeCode*> seen;
  return holds(type, kinds, seen);
}
// Whether a value of its type, or of what its Anys hold, may hold one of a valuetype.
bool may_hold_values(const Case& one) {
  static constexpr Kind kValues[] = {Kind::Value, Kind::ValueBox, Kind::AbstractInterface};
  return one.values || holds(*one.entry->type, kValues);
}

// What is changed at random is refused, or it is a value that can be looked at and sent on.
TEST(RandomTypes, AreRefusedOrValuesWhereOctetsAreChanged) {
  std::mt19937 random(1);
  int refused = 0, taken = 0;
  each(false, [&](const Case& one, const Octets& octets) {
    if (octets.offset != 0 || octets.bytes.empty()) return;
    for (int round = 0; round < rounds(30); ++round) {
      std::string bytes = octets.bytes;
      for (std::uint32_t changes = 1 + random() % 3; changes != 0; --changes) {
        static constexpr unsigned char kOctets[] = {0, 1, 2, 0x7f, 0x80, 0xff};
        const std::size_t at = random() % bytes.size();
        bytes[at] = static_cast<char>(random() % 2 ? kOctets[random() % sizeof kOctets] : random());
      }
      Value value(*one.entry);
      Block block(bytes, bytes.size(), octets);
      if (!one.entry->unmarshal(block.in, value.get())) {
        ++refused;
        continue;
      }
      ++taken;
      const Octets again{false, corbel::cdr::kHostIsLittleEndian, 3, octets.minor, ""};
      const auto sent = try_to_write(again, *one.entry, value.get());
      ASSERT_TRUE(sent || may_hold_values(one));  // a value in an Any may be of a class that nobody knows
      if (sent) {
        Value received(*one.entry);
        Block other(*sent, sent->size(), again);
        ASSERT_TRUE(one.entry->unmarshal(other.in, received.get()));
        ASSERT_EQ(received.text(), value.text());
        received.end_circles();
      }
      value.end_circles();
    }
  });
  EXPECT_GT(refused, 100);
  EXPECT_GT(taken, 100);
}

// What is left behind a value, and what is sent of it; nothing where it is refused.
using Passed = std::optional<std::pair<std::size_t, std::string>>;

Passed by_engine(original::Step step, const original::Type& type, const Octets& as,
                 const std::string& bytes) {
  const std::unique_ptr<char[]> memory(new char[as.offset + bytes.size()]);
  std::memcpy(memory.get() + as.offset, bytes.data(), bytes.size());
  original::Input in(memory.get(), memory.get() + as.offset, memory.get() + as.offset + bytes.size(),
                     !as.native());
  const auto engine = original::Engine::make(step);
  void* const value = engine->decode(type, in);
  if (!value) return {};
  original::Output out(as.offset);
  engine->encode(type, value, out);
  engine->free(type, value);
  return {{in.remaining(), std::string(out.written().substr(as.offset))}};
}
Passed by_functions(const Entry& entry, const Octets& as, const std::string& bytes) {
  Value value(entry);
  Block block(bytes, bytes.size(), as);
  if (!entry.unmarshal(block.in, value.get())) return {};
  return {{block.in.remaining(), written(as, entry, value.get())}};
}

TEST(RandomTypes, AreTakenAndSentAsByTheOriginalInterpreter) {
  std::mt19937 random(3);
  original::Types types;
  int refused = 0, taken = 0;
  std::size_t step = 0;
  each(false, [&](const Case& one, const Octets& octets) {
    // Their type is told by each value, to which the papers' interpreter has no answer.
    if (may_hold_values(one) || octets.minor != 2 || octets.bytes.empty()) return;
    const original::Type& type = types.of(*one.entry->type);
    const bool alike = !holds(*one.entry->type, kOwnRules), texts = holds(*one.entry->type, kTexts),
               anys = holds(*one.entry->type, kAnys);
    for (int round = 0; round < rounds(20); ++round) {
      std::string bytes = octets.bytes;
      // The first octets hold lengths and discriminators.
      for (std::uint32_t changes = round == 0 ? 0 : 1 + random() % 2; changes != 0; --changes)
        bytes[random() % (random() % 2 ? bytes.size() : std::min<std::size_t>(bytes.size(), 8))] =
            static_cast<char>(random() % 2 ? random() % 4 : random());
      const Passed wanted =
          by_engine(original::kSteps[step++ % std::size(original::kSteps)], type, octets, bytes);
      const Passed made = by_functions(*one.entry, octets, bytes);
      ++(made ? taken : refused);
      // An Any that is changed may hold a value.
      if (alike || (made && (round == 0 || !anys))) {
        ASSERT_EQ(made.has_value(), wanted.has_value()) << testing::PrintToString(bytes);
      }
      if (!made || !(alike || round == 0)) continue;
      ASSERT_EQ(made->first, wanted->first);
      if (!texts || round == 0) {
        ASSERT_EQ(difference(made->second, wanted->second), "");
      }
    }
  });
  EXPECT_GT(refused, 100);
  EXPECT_GT(taken, 100);
}

TEST(RandomTypes, GoIntoAnAnyAndOutOfIt) {
  for (const Case& one : cases()) {
    Value value(*one.entry);
    Tokens in(one.text);
    one.entry->fill(in, value.get());
    CORBA::Any any;
    one.entry->insert(any, value.get());
    ASSERT_EQ(text_of(any, *one.entry), one.text) << one.entry->name;
    const CORBA::Any other(any);
    ASSERT_EQ(text_of(other, *one.entry), one.text) << one.entry->name;
    // Through the wire.
    const Octets as{true, corbel::cdr::kHostIsLittleEndian, 2, 2, ""};
    const std::string bytes = written(as, any);
    Block block(bytes, bytes.size(), as);
    CORBA::Any received;
    ASSERT_TRUE(read_any(block, received)) << one.entry->name;
    ASSERT_EQ(block.in.remaining(), 0u);
    ASSERT_EQ(text_of(received, *one.entry), one.text) << one.entry->name;
    const CORBA::TypeCode_var sent = any.type(), type = received.type();
    ASSERT_TRUE(type->equal(sent)) << one.entry->name;
  }
}

TEST(RandomTypes, AreReadFromAnys) {
  each(true, [](const Case& one, const Octets& octets) {
    Block block(octets);
    CORBA::Any any;
    ASSERT_TRUE(read_any(block, any));
    ASSERT_EQ(block.in.remaining(), 0u);
    const CORBA::TypeCode_var type = any.type();
    ASSERT_TRUE(type->equal(one.entry->type));
    // Sent on before anybody has looked into it, then looked into, and what was sent on, too.
    const Octets as{true, corbel::cdr::kHostIsLittleEndian, 7, 2, ""};
    const std::string bytes = written(as, any);
    ASSERT_EQ(text_of(any, *one.entry), one.text);
    Block other(bytes, bytes.size(), as);
    CORBA::Any received;
    ASSERT_TRUE(read_any(other, received));
    ASSERT_EQ(text_of(received, *one.entry), one.text);
  });
}

TEST(RandomTypes, AreRefusedOrValuesWhereOctetsOfAnAnyAreChanged) {
  std::mt19937 random(2);
  each(true, [&](const Case& one, const Octets& octets) {
    if (octets.offset != 0) return;
    for (int round = 0; round < rounds(20); ++round) {
      std::string bytes = octets.bytes;
      const std::size_t size = round % 4 == 0 ? random() % bytes.size() : bytes.size();
      for (std::uint32_t changes = round % 4 == 0 ? 0 : 1 + random() % 2; changes != 0; --changes)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      Block block(bytes, size, octets);
      CORBA::Any any;
      if (!read_any(block, any)) continue;
      const std::string text = text_of(any, *one.entry);
      const Octets as{true, corbel::cdr::kHostIsLittleEndian, 1, 2, ""};
      const auto sent = try_to_write(as, any);
      ASSERT_TRUE(sent || may_hold_values(one));
      if (sent) {
        Block other(*sent, sent->size(), as);
        CORBA::Any received;
        ASSERT_TRUE(read_any(other, received));
        // A type that has its id alone from ours is extracted as ours, and sent on as its own.
        const CORBA::TypeCode_var type = any.type();
        if (type->equal(one.entry->type)) {
          ASSERT_EQ(text_of(received, *one.entry), text);
        }
        end_circles(received, *one.entry);
      }
      end_circles(any, *one.entry);
    }
  });
}

}  // namespace
