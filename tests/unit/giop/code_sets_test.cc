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

TEST(CodeSets, WithoutAComponentNothingIsSaid) { EXPECT_EQ(choose_code_set({}), CodeSet::Default); }

TEST(CodeSets, AMalformedComponentCountsAsNone) {
  ior::IiopProfile p;
  p.components = {{assigned::kComponentCodeSets, "\1\0\0"}};
  EXPECT_EQ(choose_code_set(p), CodeSet::Default);
}

TEST(CodeSets, TheSameNativeSetNeedsNoConversion) {
  EXPECT_EQ(choose_code_set(with({assigned::kCodeSetLatin1, {}, 0, {}})), CodeSet::Latin1);
}

TEST(CodeSets, APeerWhoseNativeSetIsUtf8IsSentThatThoughItConverts) {
  EXPECT_EQ(choose_code_set(with({assigned::kCodeSetUtf8, {7, assigned::kCodeSetLatin1}, 0, {}})),
            CodeSet::Utf8);
}

TEST(CodeSets, OfWhatAPeerConvertsOursIsPreferred) {
  EXPECT_EQ(choose_code_set(with({7, {assigned::kCodeSetUtf8, assigned::kCodeSetLatin1}, 0, {}})),
            CodeSet::Latin1);
  EXPECT_EQ(choose_code_set(with({7, {8, assigned::kCodeSetUtf8}, 0, {}})), CodeSet::Utf8);
}

TEST(CodeSets, NothingInCommonIsIncompatible) {
  EXPECT_EQ(choose_code_set(with({7, {8}, assigned::kCodeSetLatin1, {assigned::kCodeSetLatin1}})),
            CodeSet::Incompatible);
}

TEST(CodeSets, TheContextsAreTheGoldenBytes) {
  if (!cdr::kHostIsLittleEndian) GTEST_SKIP() << "the golden bytes are little endian";
  EXPECT_EQ(std::string(code_set_context(CodeSet::Latin1), kCodeSetContextSize),
            test::from_hex("01000000 0c000000 01 000000 01000100 09010100"));
  EXPECT_EQ(std::string(code_set_context(CodeSet::Utf8), kCodeSetContextSize),
            test::from_hex("01000000 0c000000 01 000000 01000105 09010100"));
}

CodeSet announced(bool big, std::uint32_t char_set) {
  const std::string context = test::encapsulation(big).u32(char_set).u32(assigned::kCodeSetUtf16).bytes();
  const test::Received received(
      test::Wire(big).u32(1).u32(assigned::kContextCodeSets).octets(context).bytes(), big);
  cdr::Decoder in = received.decoder();
  ServiceContexts contexts;
  EXPECT_TRUE(contexts.decode(in));
  return announced_code_set(contexts);
}

TEST(CodeSets, OfARequestMustBeIso8859_1OrUtf8) {
  for (const bool big : {false, true}) {
    EXPECT_EQ(announced(big, assigned::kCodeSetLatin1), CodeSet::Latin1);
    EXPECT_EQ(announced(big, assigned::kCodeSetAscii), CodeSet::Latin1);
    EXPECT_EQ(announced(big, assigned::kCodeSetUtf8), CodeSet::Utf8);
    EXPECT_EQ(announced(big, 0x01000100), CodeSet::Incompatible);
    EXPECT_EQ(announced(big, 0), CodeSet::Default);
  }
  EXPECT_EQ(announced_code_set(ServiceContexts()), CodeSet::Default) << "no context says nothing";
}

}  // namespace
}  // namespace corbel::giop
