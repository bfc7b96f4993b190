#include "orb/giop/code_sets.h"

#include <gtest/gtest.h>

#include "orb/ior/assigned.h"
#include "tests/unit/ior/wire.h"

namespace corbel::giop {
namespace {

ior::IiopProfile with(ior::CodeSetComponent sets) {
  ior::IiopProfile p;
  p.components = {{99, "other"}, ior::encode_code_sets(sets)};
  return p;
}

TEST(CodeSets, WithoutAComponentNothingIsSaid) { EXPECT_EQ(choose_code_set({}), CodeSetChoice::Default); }

TEST(CodeSets, AMalformedComponentCountsAsNone) {
  ior::IiopProfile p;
  p.components = {{assigned::kComponentCodeSets, "\1\0\0"}};
  EXPECT_EQ(choose_code_set(p), CodeSetChoice::Default);
}

TEST(CodeSets, TheSameNativeSetNeedsNoConversion) {
  EXPECT_EQ(choose_code_set(with({assigned::kCodeSetLatin1, {}, 0, {}})), CodeSetChoice::Same);
}

TEST(CodeSets, APeerThatConvertsIsSentOurs) {
  EXPECT_EQ(choose_code_set(with({assigned::kCodeSetUtf8, {7, assigned::kCodeSetLatin1}, 0, {}})),
            CodeSetChoice::Same);
}

TEST(CodeSets, NothingInCommonIsIncompatible) {
  EXPECT_EQ(choose_code_set(
                with({assigned::kCodeSetUtf8, {7}, assigned::kCodeSetLatin1, {assigned::kCodeSetLatin1}})),
            CodeSetChoice::Incompatible);
}

TEST(CodeSets, TheContextIsTheGoldenBytes) {
  if (!cdr::kHostIsLittleEndian) GTEST_SKIP() << "the golden bytes are little endian";
  EXPECT_EQ(std::string(code_set_context(), kCodeSetContextSize),
            test::from_hex("01000000 0c000000 01 000000 01000100 09010100"));
}

bool accepted(bool big, std::uint32_t char_set) {
  const std::string context = test::encapsulation(big).u32(char_set).u32(assigned::kCodeSetUtf16).bytes();
  const test::Received received(
      test::Wire(big).u32(1).u32(assigned::kContextCodeSets).octets(context).bytes(), big);
  cdr::Decoder in = received.decoder();
  ServiceContexts contexts;
  EXPECT_TRUE(contexts.decode(in));
  return accepts_code_sets(contexts);
}

TEST(CodeSets, OfARequestMustBeReadableAsIso8859_1) {
  for (const bool big : {false, true}) {
    EXPECT_TRUE(accepted(big, assigned::kCodeSetLatin1));
    EXPECT_TRUE(accepted(big, assigned::kCodeSetAscii));
    EXPECT_FALSE(accepted(big, assigned::kCodeSetUtf8));
    EXPECT_FALSE(accepted(big, 0x01000100));
  }
  EXPECT_TRUE(accepts_code_sets(ServiceContexts())) << "no context says nothing";
}

}  // namespace
}  // namespace corbel::giop
