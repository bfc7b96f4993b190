// Random types and values against an oracle: what the run time passes on must be, octet by octet, what a slow
// writer by the book says.
#include <corbel/any.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include "oracle.h"
#include "orb/cdr/char_sets.h"

namespace {

constexpr int kRounds = 400;
// UTF-8 in the message, ISO 8859-1 in the program.
constexpr std::uint32_t kText = corbel::cdr::form::of_sets(corbel::cdr::kUtf8, corbel::cdr::kLatin1);

void write_any(Wire& wire, const corbel::types::TypeCode& type, std::uint32_t seed, oracle::Form form = {}) {
  oracle::TypeWriter(wire, form).type(type);
  oracle::ValueWriter(wire, seed, form).value(type);
}

std::string sent(const CORBA::Any& any, std::size_t phase, oracle::Form form = {}) {
  corbel::cdr::Encoder out;
  out.reset();
  out.set_older(form.old ? 1 : 0);
  if (form.utf8) out.set_text(kText);
  for (std::size_t i = 0; i < phase; ++i) out.put<std::uint8_t>(0);
  corbel::cdr::marshal(out, any);
  EXPECT_FALSE(out.error());
  return {out.data(), out.size()};
}

bool receive(const Wire& wire, std::size_t phase, CORBA::Any& any, oracle::Form form = {}) {
  std::vector<double> memory(wire.bytes.size() / 8 + 1);
  char* const at = reinterpret_cast<char*>(memory.data());
  std::memcpy(at, wire.bytes.data(), wire.bytes.size());
  corbel::cdr::Decoder in(at, at + phase, at + wire.bytes.size(),
                          wire.little() != corbel::cdr::kHostIsLittleEndian);
  in.set_older(form.old ? 1 : 0);
  in.set_text(form.utf8 ? kText : 0);
  return corbel::cdr::unmarshal(in, any) && in.remaining() == 0;
}

TEST(Oracle, AnysArePassedOnToTheOctet) {
  for (std::uint32_t seed = 0; seed < kRounds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    oracle::Types types(random);
    const corbel::types::TypeCode& type = types.root(3);
    for (const bool little : {false, true}) {
      for (std::size_t from = 0; from < 8; ++from) {
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

TEST(Oracle, AnysArePassedOnInTheFormOfTheNextConnection) {
  const oracle::Form forms[] = {{false, false}, {false, true}, {true, false}, {true, true}};
  for (std::uint32_t seed = 0; seed < kRounds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    oracle::Types types(random);
    const corbel::types::TypeCode& type = types.root(3);
    for (const oracle::Form& before : forms) {
      for (const oracle::Form& after : forms) {
        const bool little = random() % 2 == 0;
        const std::size_t from = random() % 8, to = random() % 8;
        Wire said(little, from), wanted(corbel::cdr::kHostIsLittleEndian, to);
        write_any(said, type, seed, before);
        write_any(wanted, type, seed, after);
        CORBA::Any any;
        ASSERT_TRUE(receive(said, from, any, before)) << before.old << before.utf8 << from;
        ASSERT_EQ(sent(any, to, after), wanted.bytes) << before.old << before.utf8 << after.old << after.utf8;
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
