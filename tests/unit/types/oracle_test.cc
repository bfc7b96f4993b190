// Random types and values against an oracle: what the run time passes on must be, octet by octet, what a slow
// writer by the book says.
#include <corbel/any.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include "oracle.h"

namespace {

constexpr int kRounds = 400;

void write_any(Wire& wire, const corbel::types::TypeCode& type, std::uint32_t seed) {
  oracle::TypeWriter(wire).type(type);
  oracle::ValueWriter(wire, seed).value(type);
}

std::string sent(const CORBA::Any& any, std::size_t phase) {
  corbel::cdr::Encoder out;
  out.reset();
  for (std::size_t i = 0; i < phase; ++i) out.put<std::uint8_t>(0);
  corbel::cdr::marshal(out, any);
  EXPECT_FALSE(out.error());
  return {out.data(), out.size()};
}

bool receive(const Wire& wire, std::size_t phase, CORBA::Any& any) {
  std::vector<double> memory(wire.bytes.size() / 8 + 1);
  char* const at = reinterpret_cast<char*>(memory.data());
  std::memcpy(at, wire.bytes.data(), wire.bytes.size());
  corbel::cdr::Decoder in(at, at + phase, at + wire.bytes.size(),
                          wire.little() != corbel::cdr::kHostIsLittleEndian);
  return corbel::cdr::unmarshal(in, any) && in.remaining() == 0;
}

TEST(Oracle, AnysArePassedOnToTheOctet) {
  for (std::uint32_t seed = 0; seed < kRounds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    oracle::Types types(random);
    const corbel::types::TypeCode& type = types.any_type(3);
    for (const bool little : {false, true}) {
      for (const std::size_t from : {0u, 1u, 4u, 6u}) {
        Wire said(little, from);
        write_any(said, type, seed);
        CORBA::Any any;
        ASSERT_TRUE(receive(said, from, any));
        const std::size_t to = random() % 8;
        Wire wanted(corbel::cdr::kHostIsLittleEndian, to);
        write_any(wanted, type, seed);
        ASSERT_EQ(sent(any, to), wanted.bytes) << little << from << to;
      }
    }
  }
}

TEST(Oracle, AnysThatAreCutOffAreRefused) {
  for (std::uint32_t seed = 0; seed < kRounds / 4; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    oracle::Types types(random);
    Wire whole(seed % 2 == 0);
    write_any(whole, types.any_type(3), seed);
    for (int i = 0; i < 20; ++i) {
      Wire part(whole.little());
      part.bytes = whole.bytes.substr(0, random() % whole.bytes.size());
      CORBA::Any any;
      ASSERT_FALSE(receive(part, 0, any)) << part.bytes.size() << " of " << whole.bytes.size();
    }
  }
}

TEST(Oracle, TypeCodesComeBackEqual) {
  for (std::uint32_t seed = 0; seed < kRounds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    oracle::Types types(random);
    const corbel::types::TypeCode& type = types.any_type(4);
    corbel::cdr::Encoder out;
    out.reset();
    corbel::types::marshal(out, type);
    Wire wanted(corbel::cdr::kHostIsLittleEndian);
    oracle::TypeWriter(wanted).type(type);
    ASSERT_EQ(std::string(out.data(), out.size()), wanted.bytes);
    corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
    CORBA::TypeCode_var back;
    ASSERT_TRUE(corbel::cdr::unmarshal(in, back));
    EXPECT_TRUE(corbel::types::equal(*back.in(), type));
    EXPECT_TRUE(corbel::types::equivalent(*back.in(), type));
    CORBA::TypeCode_var compact = back->get_compact_typecode();
    EXPECT_TRUE(corbel::types::equivalent(*compact.in(), type));
  }
}

}  // namespace
