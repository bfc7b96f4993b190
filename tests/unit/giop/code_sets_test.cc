#include "orb/giop/code_sets.h"

#include <gtest/gtest.h>

#include "orb/cdr/char_sets.h"
#include "orb/ior/assigned.h"
#include "tests/unit/ior/wire.h"

namespace corbel::giop {
namespace {

using assigned::kCodeSetLatin1;
using assigned::kCodeSetUtf16;
using assigned::kCodeSetUtf8;

constexpr OwnCodeSets kLatin1{cdr::kLatin1, cdr::kLatin1}, kUtf8{cdr::kUtf8, cdr::kLatin1};
constexpr std::uint32_t kUtf8Text = cdr::form::of_sets(cdr::kUtf8, cdr::kLatin1);
constexpr std::uint32_t kLatin1Text = cdr::form::of_sets(cdr::kLatin1, cdr::kUtf8);
constexpr std::uint32_t kEbcdic = 0x100201f4, kKorean = 0x00030010;

ior::IiopProfile with(ior::CodeSetComponent sets) {
  ior::IiopProfile p;
  p.components = {{99, "other"}, ior::encode_code_sets(sets)};
  return p;
}

CodeSets choose(const ior::IiopProfile& profile, const OwnCodeSets& own = kLatin1) {
  CodeSets sets;
  const SystemError e = choose_code_sets(profile, own, sets);
  EXPECT_FALSE(e) << e.detail;
  return sets;
}
SystemError refusal(const ior::IiopProfile& profile, const OwnCodeSets& own = kLatin1) {
  CodeSets sets;
  return choose_code_sets(profile, own, sets);
}
void expect_incompatible(const SystemError& error) {
  EXPECT_EQ(error.id, SystemErrorId::CODESET_INCOMPATIBLE);
  EXPECT_EQ(error.minor, assigned::kOmgMinor | 1);
  EXPECT_EQ(error.completed, Completion::No);
}

TEST(CodeSets, WithoutAComponentNothingIsSaid) {
  EXPECT_EQ(choose({}), (CodeSets{0, 0}));
  EXPECT_EQ(choose({}, kUtf8), (CodeSets{kLatin1Text, 0})) << "then chars are ISO 8859-1";
  EXPECT_EQ(choose({}, {cdr::kUtf8, cdr::kUtf8}), (CodeSets{0, 0}));
}

TEST(CodeSets, AMalformedComponentCountsAsNone) {
  ior::IiopProfile p;
  p.components = {{assigned::kComponentCodeSets, "\1\0\0"}};
  EXPECT_EQ(choose(p).char_set, 0u);
  EXPECT_EQ(choose(with({0, {kCodeSetUtf8}, kCodeSetUtf16, {}})).char_set, 0u);
}

TEST(CodeSets, TheSameNativeSetNeedsNoConversion) {
  EXPECT_EQ(choose(with({kCodeSetLatin1, {}, 0, {}})), (CodeSets{0, kCodeSetLatin1, kCodeSetUtf16}));
  EXPECT_EQ(choose(with({kCodeSetUtf8, {}, 0, {}}), kUtf8), (CodeSets{0, kCodeSetUtf8, kCodeSetUtf16}));
}

TEST(CodeSets, TheClientConvertsToTheServersNativeSetIfItCan) {
  EXPECT_EQ(choose(with({kCodeSetUtf8, {7, kCodeSetLatin1}, 0, {}})),
            (CodeSets{kUtf8Text, kCodeSetUtf8, kCodeSetUtf16}));
  EXPECT_EQ(choose(with({kCodeSetLatin1, {kCodeSetUtf8}, 0, {}}), kUtf8),
            (CodeSets{kLatin1Text, kCodeSetLatin1, kCodeSetUtf16}));
}

TEST(CodeSets, ElseTheServerConverts) {
  EXPECT_EQ(choose(with({7, {kCodeSetUtf8, kCodeSetLatin1}, 0, {}})),
            (CodeSets{0, kCodeSetLatin1, kCodeSetUtf16}));
  EXPECT_EQ(choose(with({7, {kCodeSetLatin1, kCodeSetUtf8}, 0, {}}), kUtf8),
            (CodeSets{0, kCodeSetUtf8, kCodeSetUtf16}));
}

TEST(CodeSets, ElseBothConvertToTheFirstThatTheServerLists) {
  EXPECT_EQ(choose(with({7, {8, kCodeSetUtf8}, 0, {}})), (CodeSets{kUtf8Text, kCodeSetUtf8, kCodeSetUtf16}));
  EXPECT_EQ(choose(with({7, {8, assigned::kCodeSetAscii, kCodeSetUtf8}, 0, {}})).char_set,
            assigned::kCodeSetAscii);
}

TEST(CodeSets, WhatHoldsTheSameCharactersFallsBackToUtf8) {
  EXPECT_EQ(choose(with({kEbcdic, {}, 0, {}})), (CodeSets{kUtf8Text, kCodeSetUtf8, kCodeSetUtf16}));
  EXPECT_EQ(choose(with({assigned::kCodeSetUcs2, {}, 0, {}}), kUtf8),
            (CodeSets{0, kCodeSetUtf8, kCodeSetUtf16}));
  expect_incompatible(refusal(with({0x10020fff, {}, 0, {}})));
  expect_incompatible(refusal(with({assigned::kCodeSetUcs2, {}, 0, {}})));
}

TEST(CodeSets, NothingInCommonIsIncompatible) {
  expect_incompatible(refusal(with({7, {8}, kCodeSetLatin1, {kCodeSetLatin1}})));
  expect_incompatible(refusal(with({7, {8}, kCodeSetLatin1, {kCodeSetLatin1}}), kUtf8));
}

TEST(CodeSets, WideCharactersAreUtf16WhereTheServerHasUnicodeInAnyForm) {
  const auto wide = [](std::uint32_t native, std::vector<std::uint32_t> converted) {
    return (choose(with({kCodeSetLatin1, {}, native, std::move(converted)})).text & cdr::form::kNoWide) == 0;
  };
  EXPECT_TRUE(wide(0, {})) << "a server that has none is not asked for any";
  EXPECT_TRUE(wide(kCodeSetUtf16, {}));
  EXPECT_TRUE(wide(assigned::kCodeSetUcs2, {}));
  EXPECT_TRUE(wide(assigned::kCodeSetUcs4 + 2, {}));
  EXPECT_TRUE(wide(kKorean, {7, kCodeSetUtf16}));
  EXPECT_FALSE(wide(kKorean, {7}));
}

TEST(CodeSets, ContextsAreTheGoldenBytes) {
  if (!cdr::kHostIsLittleEndian) GTEST_SKIP() << "the golden bytes are little endian";
  const auto context = [](const CodeSets& sets) {
    std::string octets(kCodeSetContextSize, '?');
    write_code_set_context(sets, octets.data());
    return octets;
  };
  EXPECT_EQ(context({0, kCodeSetLatin1, kCodeSetUtf16}),
            test::from_hex("01000000 0c000000 01 000000 01000100 09010100"));
  EXPECT_EQ(context({kUtf8Text, kCodeSetUtf8, kCodeSetUtf16}),
            test::from_hex("01000000 0c000000 01 000000 01000105 09010100"));
  EXPECT_EQ(context({cdr::form::kNoWide, kCodeSetUtf8}),
            test::from_hex("01000000 0c000000 01 000000 01000105 00000000"));
}

TEST(CodeSets, OursAreNamedWithWhatWeConvertFrom) {
  const auto latin1 = code_set_component(kLatin1), utf8 = code_set_component(kUtf8);
  EXPECT_EQ(latin1.char_native, kCodeSetLatin1);
  EXPECT_EQ(latin1.char_conversions, std::vector<std::uint32_t>{kCodeSetUtf8});
  EXPECT_EQ(utf8.char_native, kCodeSetUtf8);
  EXPECT_EQ(utf8.char_conversions, std::vector<std::uint32_t>{kCodeSetLatin1});
  EXPECT_EQ(utf8.wchar_native, kCodeSetUtf16);
  EXPECT_EQ(utf8.wchar_conversions,
            (std::vector<std::uint32_t>{kCodeSetUtf8, assigned::kCodeSetUcs4, assigned::kCodeSetUcs2}));
  const auto ucs4 = code_set_component({cdr::kLatin1, cdr::kLatin1, cdr::form::kUcs4});
  EXPECT_EQ(ucs4.wchar_native, assigned::kCodeSetUcs4);
  EXPECT_EQ(ucs4.wchar_conversions.front(), kCodeSetUtf16);
}

TEST(CodeSets, WideCharactersAreOfTheServersNativeSetOrOneThatItConverts) {
  const auto wide = [](std::uint32_t native, std::vector<std::uint32_t> converted) {
    const CodeSets sets = choose(with({kCodeSetLatin1, {}, native, std::move(converted)}));
    return std::pair(sets.text, sets.wide_set);
  };
  constexpr std::uint32_t kUcs2 = assigned::kCodeSetUcs2, kUcs4 = assigned::kCodeSetUcs4;
  EXPECT_EQ(wide(kCodeSetUtf16, {kUcs4}), std::pair(cdr::form::kUtf16, kCodeSetUtf16));
  EXPECT_EQ(wide(kUcs4 + 2, {kCodeSetUtf16}), std::pair(cdr::form::kUcs4, kUcs4 + 2));
  EXPECT_EQ(wide(kUcs2, {}), std::pair(cdr::form::kUcs2, kUcs2));
  EXPECT_EQ(wide(kCodeSetUtf8, {}), std::pair(cdr::form::kWideUtf8, kCodeSetUtf8));
  EXPECT_EQ(wide(kKorean, {kUcs2, kCodeSetUtf16}), std::pair(cdr::form::kUtf16, kCodeSetUtf16));
  EXPECT_EQ(wide(kKorean, {7, kCodeSetUtf8, kUcs2}), std::pair(cdr::form::kWideUtf8, kCodeSetUtf8));
  EXPECT_EQ(wide(kKorean, {7}), std::pair(cdr::form::kNoWide, 0u));
  CodeSets before = choose(with({kCodeSetLatin1, {}, kUcs4, {}}));
  before.restrict_to_two_octets();
  EXPECT_EQ(before, (CodeSets{0, kCodeSetLatin1, kCodeSetUtf16})) << "in GIOP 1.1";
}

TEST(CodeSets, OfWideCharactersAreFoundByName) {
  EXPECT_EQ(find_wide_set("utf-16"), cdr::form::kUtf16);
  EXPECT_EQ(find_wide_set("UCS-4"), cdr::form::kUcs4);
  EXPECT_EQ(find_wide_set("ISO-8859-1"), cdr::form::kNoWide);
}

constexpr std::uint32_t kBefore = 0x1227;  // what was announced earlier
void take(AnnouncedText& a, bool big, std::uint32_t char_set, std::uint32_t wide, const OwnCodeSets& own) {
  const std::string context = test::encapsulation(big).u32(char_set).u32(wide).bytes();
  const test::Received received(
      test::Wire(big).u32(1).u32(assigned::kContextCodeSets).octets(context).bytes(), big);
  cdr::Decoder in = received.decoder();
  ServiceContexts contexts;
  EXPECT_TRUE(contexts.decode(in));
  a.take(contexts, own);
}
AnnouncedText announced(bool big, std::uint32_t char_set, std::uint32_t wide = kCodeSetUtf16,
                        const OwnCodeSets& own = kLatin1) {
  AnnouncedText a(own);
  a.text = kBefore;
  take(a, big, char_set, wide, own);
  return a;
}

TEST(CodeSets, OfARequestMustBeKnown) {
  for (const bool big : {false, true}) {
    EXPECT_EQ(announced(big, kCodeSetLatin1).text, 0u);
    EXPECT_EQ(announced(big, kCodeSetUtf8).text, kUtf8Text);
    EXPECT_EQ(announced(big, kCodeSetUtf8, kCodeSetUtf16, kUtf8).text, 0u);
    EXPECT_EQ(announced(big, kCodeSetLatin1, 0, kUtf8).text, kLatin1Text);
    EXPECT_TRUE(announced(big, assigned::kCodeSetAscii).known);
    for (const std::uint32_t bad : {0x01000100u, 0x00010100u, 0xffffffffu}) {
      const AnnouncedText a = announced(big, bad);
      EXPECT_FALSE(a.known);
      EXPECT_EQ(a.text, kBefore);
    }
    EXPECT_TRUE(announced(big, 0).known);
    EXPECT_EQ(announced(big, 0).text, kBefore);
    EXPECT_EQ(announced(big, kCodeSetLatin1, assigned::kCodeSetUcs2 + 2).text, cdr::form::kUcs2);
    EXPECT_EQ(announced(big, kCodeSetLatin1, assigned::kCodeSetUcs4).text, cdr::form::kUcs4);
    EXPECT_EQ(announced(big, kCodeSetUtf8, kCodeSetUtf8).text, kUtf8Text | cdr::form::kWideUtf8);
    EXPECT_EQ(announced(big, 0, assigned::kCodeSetUcs4).text, kBefore | cdr::form::kUcs4);
    EXPECT_FALSE(announced(big, kCodeSetLatin1, kKorean).known);
  }
  AnnouncedText text(kLatin1);
  text.text = kBefore;
  text.take(ServiceContexts(), kLatin1);
  EXPECT_TRUE(text.known);
  EXPECT_EQ(text.text, kBefore) << "no context says nothing";
}

TEST(CodeSets, StayUnknownUntilOthersAreAnnounced) {
  AnnouncedText a = announced(false, 0xffffffffu);
  a.take(ServiceContexts(), kLatin1);
  EXPECT_FALSE(a.known);
  take(a, false, kCodeSetUtf8, kCodeSetUtf16, kLatin1);
  EXPECT_TRUE(a.known);
  EXPECT_EQ(a.text, kUtf8Text);
}

}  // namespace
}  // namespace corbel::giop
