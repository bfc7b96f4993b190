#include "orb/ior/ior.h"

#include <gtest/gtest.h>

#include <tuple>

#include "orb/ior/assigned.h"
#include "tests/unit/ior/wire.h"

namespace corbel::ior {
namespace {

using test::encapsulation;
using test::from_hex;
using test::Received;
using test::Wire;

class InBothOrders : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(, InBothOrders, testing::Bool(),
                         [](const auto& info) { return info.param ? "BigEndian" : "LittleEndian"; });

std::string component_bytes(bool big, std::uint32_t native, std::vector<std::uint32_t> conversions) {
  Wire w = encapsulation(big);
  w.u32(native).u32(static_cast<std::uint32_t>(conversions.size()));
  for (const std::uint32_t c : conversions) w.u32(c);
  w.u32(0x00010109).u32(0);
  return w.bytes();
}

TaggedProfile iiop(bool big, unsigned minor) {
  Wire w = encapsulation(big);
  w.octet(1).octet(minor).text("host.example").u16(4711).octets(std::string_view("k\0y", 3));
  if (minor > 0) {
    w.u32(2).u32(1).octets(component_bytes(big, 0x00010001, {0x05010001}));
    w.u32(0x12345678).octets("\xff any");
  }
  return {0, w.bytes()};
}

TEST_P(InBothOrders, ReadsProfilesOfEveryVersion) {
  for (const unsigned minor : {0u, 1u, 2u, 3u, 4u, 255u}) {
    const auto p = decode_iiop(iiop(GetParam(), minor));
    ASSERT_TRUE(p) << minor;
    EXPECT_EQ(p->major, 1);
    EXPECT_EQ(p->minor, std::min(minor, 2u));
    EXPECT_EQ(p->address, (Address{"host.example", 4711}));
    EXPECT_EQ(p->object_key, std::string("k\0y", 3));
    ASSERT_EQ(p->components.size(), minor == 0 ? 0u : 2u);
    if (minor > 0) {
      EXPECT_EQ(p->components[1], (TaggedComponent{0x12345678, "\xff any"}));
    }
  }
}

TEST_P(InBothOrders, RefusesAProfileCutAnywhere) {
  for (const unsigned minor : {0u, 1u, 2u}) {
    const TaggedProfile whole = iiop(GetParam(), minor);
    for (std::size_t size = 0; size < whole.data.size(); ++size)
      EXPECT_FALSE(decode_iiop({0, whole.data.substr(0, size)})) << minor << " at " << size;
  }
}

TEST_P(InBothOrders, RefusesOtherMajorVersionsTagsAndByteOrders) {
  TaggedProfile p = iiop(GetParam(), 2);
  p.tag = 1;
  EXPECT_FALSE(decode_iiop(p));
  p.tag = 0;
  p.data[1] = 2;
  EXPECT_FALSE(decode_iiop(p));
  p.data[1] = 1;
  p.data[0] = 2;
  EXPECT_FALSE(decode_iiop(p));
}

TEST_P(InBothOrders, SurvivesHostileLengthsAnywhereInAProfile) {
  const TaggedProfile whole = iiop(GetParam(), 2);
  for (std::size_t at = 4; at + 4 <= whole.data.size(); at += 4) {
    for (const char* length :
         {"\xff\xff\xff\xff", "\x80\x00\x00\x00", "\x7f\xff\xff\xff", "\x00\x00\x01\x00"}) {
      TaggedProfile p = whole;
      p.data.replace(at, 4, length, 4);
      if (const auto decoded = decode_iiop(p)) {
        EXPECT_LE(decoded->object_key.size(), whole.data.size());
      }
    }
  }
}

TEST_P(InBothOrders, ReadsAReferenceWithUnknownPartsByteForByte) {
  Wire w(GetParam());
  w.text("IDL:Echo:1.0").u32(3);
  w.u32(0).octets(iiop(GetParam(), 1).data);
  w.u32(0xdeadbeef).octets(std::string_view("\0\1\2\xff\n", 5));
  w.u32(0).octets(iiop(!GetParam(), 2).data);
  const Received bytes(w.bytes(), GetParam());
  cdr::Decoder in = bytes.decoder();
  Ior ior;
  ASSERT_TRUE(decode(in, ior));
  EXPECT_EQ(in.remaining(), 0u);
  EXPECT_EQ(ior.type_id, "IDL:Echo:1.0");
  ASSERT_EQ(ior.profiles.size(), 3u);
  EXPECT_EQ(ior.profiles[1], (TaggedProfile{0xdeadbeef, std::string("\0\1\2\xff\n", 5)}));
  EXPECT_TRUE(decode_iiop(ior.profiles[0]));
  EXPECT_TRUE(decode_iiop(ior.profiles[2]));

  Ior again;
  ASSERT_FALSE(parse_ior(to_string(ior), again));
  EXPECT_EQ(again.type_id, ior.type_id);
  EXPECT_EQ(again.profiles, ior.profiles);
}

TEST_P(InBothOrders, RefusesAReferenceCutAnywhere) {
  Wire w(GetParam());
  w.text("IDL:Echo:1.0").u32(2).u32(0).octets(iiop(GetParam(), 2).data).u32(7).octets("seven");
  for (std::size_t size = 0; size < w.size(); ++size) {
    const Received bytes(w.bytes().substr(0, size), GetParam());
    cdr::Decoder in = bytes.decoder();
    Ior ior;
    EXPECT_FALSE(decode(in, ior)) << size;
  }
}

TEST_P(InBothOrders, RefusesCountsThatTheBytesCannotHold) {
  for (const std::uint32_t count : {3u, 0x20000000u, 0x80000000u, 0xffffffffu}) {
    Wire w(GetParam());
    w.text("").u32(count).u32(0).octets("").u32(0).octets("");
    const Received bytes(w.bytes(), GetParam());
    cdr::Decoder in = bytes.decoder();
    Ior ior;
    EXPECT_FALSE(decode(in, ior)) << count;
  }
}

TEST(Reference, RefusesMoreProfilesThanAnyReferenceHas) {
  for (const std::uint32_t count : {1024u, 1025u}) {
    Wire w(false);
    w.text("").u32(count);
    for (std::uint32_t i = 0; i < count; ++i) w.u32(9).octets("");
    const Received bytes(w.bytes(), false);
    cdr::Decoder in = bytes.decoder();
    Ior ior;
    EXPECT_EQ(decode(in, ior), count == 1024);
  }
}

// Of so many profiles that have, and share by profiles of their own, so many empty components of all kinds.
std::string reference_with(std::uint32_t profiles, std::uint32_t sharing, std::uint32_t components) {
  IiopProfile profile;
  Wire shared = encapsulation(false);
  shared.u32(components);
  for (std::uint32_t i = 0; i < components; ++i) {
    profile.components.push_back({10'000 + i, {}});
    shared.u32(20'000 + i).octets("");
  }
  const TaggedProfile one = encode_iiop(profile);
  Wire w(false);
  w.text("").u32(profiles + sharing);
  for (std::uint32_t i = 0; i < profiles; ++i) w.u32(one.tag).octets(one.data);
  for (std::uint32_t i = 0; i < sharing; ++i) w.u32(assigned::kTagMultipleComponents).octets(shared.bytes());
  return w.bytes();
}

TEST(Reference, RefusesMoreSharedComponentsThanItsProfilesCanBeReadWith) {
  for (const auto& [profiles, sharing, good] :
       {std::tuple{512u, 512u, false}, {1022u, 2u, false}, {100u, 1u, true}}) {
    const Received bytes(reference_with(profiles, sharing, 1024), false);
    cdr::Decoder in = bytes.decoder();
    Ior ior;
    EXPECT_EQ(decode(in, ior), good) << profiles << ' ' << sharing;
  }
}

TEST(Reference, HasItsOwnComponentsAndTheSharedOnes) {
  const Received bytes(reference_with(3, 1, 1024), false);
  cdr::Decoder in = bytes.decoder();
  Ior ior;
  ASSERT_TRUE(decode(in, ior));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(decode_iiop(ior, i)->components.size(), 2048u);
}

TEST(Reference, RefusesATypeIdWithANulInside) {
  Wire w(false);
  w.text(std::string_view("a\0b", 3)).u32(0);
  const Received bytes(w.bytes(), false);
  cdr::Decoder in = bytes.decoder();
  Ior ior;
  EXPECT_FALSE(decode(in, ior));
}

TEST(Reference, IsNilOnlyWithNeitherTypeNorProfile) {
  EXPECT_TRUE(Ior{}.nil());
  EXPECT_FALSE((Ior{"IDL:Echo:1.0", {}}.nil()));
  EXPECT_FALSE((Ior{"", {{0, ""}}}.nil()));
}

TEST(Stringified, NilIsTheGoldenString) {
  if (!cdr::kHostIsLittleEndian) GTEST_SKIP() << "the golden string is little endian";
  EXPECT_EQ(to_string(Ior{}),
            "IOR:010000000100000000000000"
            "00000000");
}

TEST(Stringified, BigEndianGoldenStringIsRead) {
  // byte order, type id "IDL:A:1.0", one IIOP 1.0 profile: h:256, key "K"
  const std::string golden =
      "IOR:000000000000000a"
      "49444c3a413a312e30000000"
      "00000001"
      "00000000"
      "00000015"
      "00010000"
      "00000002"
      "68000100"
      "00000001"
      "4b";
  // The profile is 17 octets; say so.
  std::string exact = golden;
  exact.replace(exact.find("00000015"), 8, "00000011");
  Ior ior;
  ASSERT_FALSE(parse_ior(exact, ior));
  EXPECT_EQ(ior.type_id, "IDL:A:1.0");
  ASSERT_EQ(ior.profiles.size(), 1u);
  const auto p = decode_iiop(ior.profiles[0]);
  ASSERT_TRUE(p);
  EXPECT_EQ(p->address, (Address{"h", 256}));
  EXPECT_EQ(p->object_key, "K");
  EXPECT_TRUE(parse_ior(golden, ior)) << "a profile longer than the string";
}

TEST(Stringified, TakesEitherCaseAndWhiteSpaceAtTheEnd) {
  const Ior ior{"IDL:Echo:1.0", {{77, "data\xab"}}};
  const std::string text = to_string(ior);
  std::string upper = text;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(c));
  for (const std::string& form : {text, upper, lower, text + "\n", text + " \t\r\n"}) {
    Ior read;
    ASSERT_FALSE(parse_ior(form, read)) << form;
    EXPECT_EQ(read.type_id, ior.type_id);
    EXPECT_EQ(read.profiles, ior.profiles);
  }
}

TEST(Stringified, RefusesWhatIsNoReference) {
  const std::string good = to_string(Ior{"IDL:Echo:1.0", {{77, "data"}}});
  for (const std::string& bad :
       {std::string(), std::string("I"), std::string("IOR:"), std::string("IOR:0"), good + "0",
        good.substr(0, good.size() - 2), "XOR:" + good.substr(4), good.substr(0, 10) + "g" + good.substr(11),
        "IOR:02" + good.substr(6), " " + good, good.substr(0, 8) + " " + good.substr(8)}) {
    Ior ior;
    const SystemError e = parse_ior(bad, ior);
    EXPECT_EQ(e.id, SystemErrorId::BAD_PARAM) << bad;
    EXPECT_EQ(e.minor, 0x4f4d000au) << bad;
  }
}

TEST(Stringified, SaysThatOneMayHaveBeenCutShort) {
  const std::string good = to_string(Ior{"IDL:Echo:1.0", {{77, "data"}}});
  for (std::size_t size = 4; size < good.size(); ++size) {
    Ior ior;
    const SystemError e = parse_ior(good.substr(0, size), ior);
    EXPECT_NE(std::string(e.detail).find("cut short"), std::string::npos) << size;
  }
}

TEST(Profile, RoundTripsInEveryVersion) {
  for (const std::uint8_t minor : {0, 1, 2}) {
    IiopProfile p{1, minor, {"::1", 65535}, std::string("\0\xff key", 6), {}};
    if (minor > 0) p.components = {{42, "forty-two"}, {0, ""}};
    const auto again = decode_iiop(encode_iiop(p));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->minor, minor);
    EXPECT_EQ(again->address, p.address);
    EXPECT_EQ(again->object_key, p.object_key);
    EXPECT_EQ(again->components, p.components);
  }
}

TEST(Profile, IsTheGoldenBytes) {
  if (!cdr::kHostIsLittleEndian) GTEST_SKIP() << "the golden bytes are little endian";
  const TaggedProfile p = encode_iiop({1, 2, {"h", 0x1234}, "key", {{5, "ab"}}});
  EXPECT_EQ(p.tag, 0u);
  EXPECT_EQ(p.data,
            from_hex("01 01 02 00 02000000 68 00 3412 03000000 6b6579 00 01000000 05000000 02000000 6162"));
}

TEST_P(InBothOrders, AlternateAddressesFollowTheProfilesOwnAndBadOnesAreLeftOut) {
  const std::string good = encapsulation(GetParam()).text("other").u16(99).bytes();
  const IiopProfile p{
      1, 2, {"own", 1}, "k", {{3, good}, {3, good.substr(0, good.size() - 1)}, {3, ""}, {4, good}}};
  EXPECT_EQ(addresses(p), (std::vector<Address>{{"own", 1}, {"other", 99}}));
}

TEST(Addresses, OfAnAlternateComponentAreReadBack) {
  const IiopProfile p{1, 2, {"own", 1}, "k", {encode_alternate_address({"::1", 65535})}};
  EXPECT_EQ(addresses(p), (std::vector<Address>{{"own", 1}, {"::1", 65535}}));
}

TEST_P(InBothOrders, ReadsCodeSetsAndRefusesThemCutAnywhere) {
  const std::string bytes = component_bytes(GetParam(), 0x05010001, {0x00010001, 0x00010020});
  const auto sets = decode_code_sets({1, bytes});
  ASSERT_TRUE(sets);
  EXPECT_EQ(sets->char_native, 0x05010001u);
  EXPECT_EQ(sets->char_conversions, (std::vector<std::uint32_t>{0x00010001, 0x00010020}));
  EXPECT_EQ(sets->wchar_native, 0x00010109u);
  EXPECT_TRUE(sets->wchar_conversions.empty());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_code_sets({1, bytes.substr(0, size)})) << size;
}

TEST(Components, OursNameTheOrbAndIso8859) {
  const auto components = standard_components({0x00010001, {0x05010001}, 0x00010109, {}});
  ASSERT_EQ(components.size(), 2u);
  EXPECT_EQ(components[0].tag, assigned::kComponentOrbType);
  ASSERT_EQ(components[0].data.size(), 8u);
  EXPECT_EQ(cdr::load<std::uint32_t>(components[0].data.data() + 4, false), assigned::kOrbType);
  EXPECT_EQ(components[1].tag, assigned::kComponentCodeSets);
  const auto sets = decode_code_sets(components[1]);
  ASSERT_TRUE(sets);
  EXPECT_EQ(sets->char_native, 0x00010001u);
  EXPECT_EQ(sets->char_conversions, std::vector<std::uint32_t>{0x05010001u});
  EXPECT_EQ(sets->wchar_native, 0x00010109u);
}

std::string components(bool big, const std::vector<std::pair<std::uint32_t, std::string>>& all) {
  Wire w = encapsulation(big);
  w.u32(static_cast<std::uint32_t>(all.size()));
  for (const auto& [tag, data] : all) w.u32(tag).octets(data);
  return w.bytes();
}

TEST_P(InBothOrders, ComponentsInAProfileOfTheirOwnAreThoseOfAllProfiles) {
  const std::string shared =
      components(GetParam(), {{assigned::kComponentPolicies, "shared"}, {77, "x"}, {77, "y"}});
  Ior ior{"", {{assigned::kTagMultipleComponents, shared}}};
  IiopProfile profile;
  profile.minor = 0;  // which has no components
  ior.profiles.push_back(encode_iiop(profile));
  profile.minor = 2;
  profile.components = {{assigned::kComponentPolicies, "own"}};
  ior.profiles.push_back(encode_iiop(profile));
  EXPECT_FALSE(decode_iiop(ior, 0));
  const auto old = decode_iiop(ior, 1);
  ASSERT_TRUE(old);
  EXPECT_EQ(old->components,
            (std::vector<TaggedComponent>{{assigned::kComponentPolicies, "shared"}, {77, "x"}, {77, "y"}}));
  const auto later = decode_iiop(ior, 2);
  ASSERT_TRUE(later);
  EXPECT_EQ(later->components,
            (std::vector<TaggedComponent>{{assigned::kComponentPolicies, "own"}, {77, "x"}, {77, "y"}}));
}

TEST_P(InBothOrders, MalformedComponentsInAProfileOfTheirOwnAreNone) {
  const std::string good = components(GetParam(), {{77, "abcd"}});
  for (std::size_t size = 0; size < good.size(); ++size) {
    const Ior ior{"", {iiop(GetParam(), 0), {assigned::kTagMultipleComponents, good.substr(0, size)}}};
    const auto profile = decode_iiop(ior, 0);
    ASSERT_TRUE(profile);
    EXPECT_TRUE(profile->components.empty()) << size;
  }
}

}  // namespace
}  // namespace corbel::ior
