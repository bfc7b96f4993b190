// The marshal programs made of TypeCodes against the papers' interpreter of TypeCodes, with each of its
// steps: both take the same octets and pass them on alike.
#include <corbel/any.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include <optional>

#include "bench/programs/original_engine.h"
#include "oracle.h"

namespace {

using corbel::types::Kind;
using original::kSteps;
using original::Step;

// Octets of a peer, at an offset from a multiple of 8, in memory that ends where they do.
class Received {
 public:
  Received(const std::string& bytes, std::size_t phase, bool little)
      : memory_(new char[bytes.size()]),
        size_(bytes.size()),
        phase_(phase),
        swap_(little != corbel::cdr::kHostIsLittleEndian) {
    std::memcpy(memory_.get(), bytes.data(), size_);
  }
  corbel::cdr::Decoder decoder() const { return {at(), at() + phase_, at() + size_, swap_}; }
  original::Input input() const { return {at(), at() + phase_, at() + size_, swap_}; }
  std::size_t offset(const char* position) const { return static_cast<std::size_t>(position - at()); }

 private:
  const char* at() const { return memory_.get(); }
  std::unique_ptr<char[]> memory_;
  std::size_t size_, phase_;
  bool swap_;
};

// As a peer's, so that its program goes with it.
std::unique_ptr<corbel::types::TypeCode, void (*)(const corbel::types::TypeCode*)> counted(
    const corbel::types::TypeCode& type) {
  return {corbel::types::copy(type), corbel::types::release};
}

// How far a value goes, and what is sent of it.
using Passed = std::optional<std::pair<std::size_t, std::string>>;

Passed by_program(const corbel::types::TypeCode& type, const Received& received, std::size_t to) {
  corbel::cdr::Decoder in = received.decoder(), again = received.decoder();
  corbel::cdr::Encoder out;
  out.reset();
  for (std::size_t i = 0; i < to; ++i) out.put<std::uint8_t>(0);
  const bool good = corbel::types::transcode(in, out, type);
  EXPECT_EQ(corbel::types::skip(again, type), good);
  if (!good) return {};
  return {{received.offset(in.position()), std::string(out.data(), out.size())}};
}

// Through a copy, so that all four functions have a part in it.
Passed by_engine(Step step, const corbel::types::TypeCode& code, const Received& received, std::size_t to) {
  original::Types types;
  const original::Type& type = types.of(code);
  const auto engine = original::Engine::make(step);
  original::Input in = received.input();
  void* const value = engine->decode(type, in);
  if (!value) return {};
  void* const copied = engine->copy(type, value);
  engine->free(type, value);
  original::Output out(to);
  engine->encode(type, copied, out);
  engine->free(type, copied);
  return {{received.offset(in.position()), std::string(out.written())}};
}

void expect_alike(const corbel::types::TypeCode& type, const Received& received, std::size_t to,
                  std::initializer_list<Step> steps) {
  const Passed wanted = by_program(type, received, to);
  for (const Step step : steps) {
    const Passed made = by_engine(step, type, received, to);
    ASSERT_EQ(made.has_value(), wanted.has_value()) << "step " << static_cast<int>(step);
    if (!wanted) continue;
    ASSERT_EQ(made->first, wanted->first) << "step " << static_cast<int>(step);
    ASSERT_EQ(made->second, wanted->second) << "step " << static_cast<int>(step);
  }
}

TEST(OriginalEngine, PassesValuesOnAsProgramsDo) {
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    oracle::Types types(random);
    const auto own = counted(types.root(3));
    const corbel::types::TypeCode& type = *own;
    for (const bool little : {false, true}) {
      for (std::size_t from = 0; from < 8; ++from) {
        Wire wire(little, from);
        oracle::ValueWriter(wire, seed).value(type);
        const Received received(wire.bytes, from, little);
        ASSERT_TRUE(by_program(type, received, 0));
        expect_alike(type, received, random() % 8,
                     {Step::None, Step::Inlined, Step::Precomputed, Step::Receiver, Step::Sender});
        if (HasFatalFailure()) return;
      }
    }
  }
}

// A value with some octets changed, or cut off, or any octets.
std::string spoilt(std::string bytes, std::size_t phase, std::mt19937& random) {
  if (random() % 4 == 0) {
    bytes.resize(phase + random() % 200);
    for (std::size_t i = phase; i < bytes.size(); ++i)
      bytes[i] = random() % 3 ? '\0' : static_cast<char>(random() % (random() % 2 ? 8 : 256));
    return bytes;
  }
  if (bytes.size() == phase) return bytes;
  for (std::uint32_t i = 0, n = static_cast<std::uint32_t>(random() % 4); i < n; ++i) {
    char& octet = bytes[phase + random() % (bytes.size() - phase)];
    octet = static_cast<char>(random() % 2 ? random() : static_cast<unsigned char>(octet) + random() % 3 - 1);
  }
  if (random() % 3 == 0) bytes.resize(phase + random() % (bytes.size() - phase));
  return bytes;
}

TEST(OriginalEngine, TakesWhatProgramsTakeOfHostileOctets) {
  std::uint32_t taken = 0, refused = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    oracle::Types types(random);
    const auto own = counted(types.root(3));
    const corbel::types::TypeCode& type = *own;
    const bool little = random() % 2 == 0;
    const std::size_t from = random() % 8;
    Wire wire(little, from);
    oracle::ValueWriter(wire, seed).value(type);
    if (wire.bytes.size() > 20'000) continue;
    const Received received(spoilt(wire.bytes, from, random), from, little);
    ++(by_program(type, received, 0) ? taken : refused);
    expect_alike(type, received, random() % 8, {kSteps[seed % 5]});
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(taken, 400u);
  EXPECT_GT(refused, 400u);
}

// TypeCodes are spoilt, too, where they stand in an Any.
TEST(OriginalEngine, TakesWhatProgramsTakeOfHostileTypes) {
  std::uint32_t taken = 0, refused = 0;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    oracle::Types types(random);
    const corbel::types::TypeCode& type = types.root(3);
    const bool little = random() % 2 == 0;
    const std::size_t from = random() % 8;
    Wire wire(little, from);
    oracle::TypeWriter(wire).type(type);
    oracle::ValueWriter(wire, seed).value(type);
    if (wire.bytes.size() > 20'000) continue;
    const Received received(spoilt(wire.bytes, from, random), from, little);
    ++(by_program(corbel::tc::_tc_any, received, 0) ? taken : refused);
    expect_alike(corbel::tc::_tc_any, received, random() % 8, {kSteps[seed % 5]});
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(taken, 400u);
  EXPECT_GT(refused, 400u);
}

// Values without octets, and types that mean more than what is left could be.
TEST(OriginalEngine, RefusesWhatWouldTakeLong) {
  using corbel::types::TypeCode;
  static const TypeCode nothing(Kind::Struct, "IDL:E:1.0", "E", nullptr, nullptr, 0);
  static const TypeCode some(Kind::Sequence, "", "", &nothing, nullptr, 0);
  static const TypeCode many(Kind::Array, "", "", &some, nullptr, 0, 0x7fffffff);
  static const TypeCode boxes(Kind::Array, "", "", &nothing, nullptr, 0, 20'000);
  Wire wire(corbel::cdr::kHostIsLittleEndian);
  wire.put<std::uint32_t>(9'999);
  const Received few(wire.bytes, 0, corbel::cdr::kHostIsLittleEndian);
  wire.bytes.clear();
  wire.put<std::uint32_t>(0x7fffffff);
  const Received lots(wire.bytes, 0, corbel::cdr::kHostIsLittleEndian);
  for (const Step step : kSteps) {
    expect_alike(some, few, 0, {step});
    expect_alike(some, lots, 0, {step});
    expect_alike(many, lots, 0, {step});
    expect_alike(boxes, lots, 0, {step});
    EXPECT_TRUE(by_engine(step, some, few, 0));
    EXPECT_FALSE(by_engine(step, some, lots, 0));
  }
}

}  // namespace
