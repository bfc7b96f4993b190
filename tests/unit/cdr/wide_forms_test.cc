// Wide characters of every set that peers may agree on.
#include "orb/cdr/wide_forms.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/ior/wire.h"

namespace corbel::cdr {
namespace {

using test::from_hex;

constexpr std::uint32_t kForms[] = {form::kUtf16, form::kUcs2, form::kUcs4, form::kWideUtf8};

std::string written(std::uint32_t form, bool single, const std::wstring& text, std::uint32_t older = 0) {
  Encoder out;
  out.reset();
  out.set_text(form);
  out.set_older(older);
  write_wide(out, single, text.data(), text.size());
  EXPECT_FALSE(out.error());
  return {out.data(), out.size()};
}
bool read(const std::string& octets, std::uint32_t form, bool single, std::wstring& text, bool swap = false,
          std::uint32_t older = 0) {
  const std::string copy = octets + std::string(8, '\0');
  Decoder in(copy.data(), copy.data(), copy.data() + octets.size(), swap);
  in.set_text(form);
  in.set_older(older);
  return read_wide(in, single, text) && in.remaining() == 0;
}
SystemErrorId refused(std::uint32_t form, const std::wstring& text, bool single = false) {
  Encoder out;
  out.reset();
  out.set_text(form);
  write_wide(out, single, text.data(), text.size());
  return out.error().id;
}

// Text of an Any is read once more for each reference to it.
TEST(WideForms, TextClaimsNothingOfWhatStandsBehindIt) {
  for (const std::uint32_t older : {0u, 1u}) {
    const std::string octets = written(form::kUtf16, false, L"text", older);
    const std::string copy = octets + std::string(8, '\0');
    Decoder in(copy.data(), copy.data(), copy.data() + octets.size(), false);
    in.set_older(older);
    std::wstring text;
    EXPECT_TRUE(read_wide(in, false, text));
    EXPECT_EQ(in.claimed(), 0u);
  }
}

TEST(WideForms, EveryCharacterComesBack) {
  const std::wstring texts[] = {
      L"", L"plain", L"gr\u00fc\u00dfe", L"\u20ac\ufeff\ufffd", L"\ufeffmarked", L"\ufffeswapped"};
  for (const std::uint32_t form : kForms)
    for (const std::uint32_t older : {0u, 1u}) {
      std::wstring got;
      for (const std::wstring& text : texts) {
        ASSERT_TRUE(read(written(form, false, text, older), form, false, got, false, older)) << form;
        EXPECT_EQ(got, text) << form;
      }
      for (const wchar_t c : {L'\x1', L'z', L'\u00fc', L'\u07ff', L'\u0800', L'\ufeff', L'\uffff'}) {
        ASSERT_TRUE(read(written(form, true, {c}, older), form, true, got, false, older)) << form;
        EXPECT_EQ(got, std::wstring(1, c));
      }
    }
  for (const std::uint32_t form : {form::kUtf16, form::kUcs4, form::kWideUtf8}) {
    std::wstring got;
    const std::wstring text = L"\U00010000 \U0001f600 \U0010ffff";
    ASSERT_TRUE(read(written(form, false, text), form, false, got));
    EXPECT_EQ(got, text);
    ASSERT_TRUE(read(written(form, true, L"\U0001f600"), form, true, got));
    EXPECT_EQ(got, L"\U0001f600");
  }
}

TEST(WideForms, AreTheGoldenBytes) {
  if (!kHostIsLittleEndian) GTEST_SKIP() << "the golden bytes are little endian";
  EXPECT_EQ(written(form::kUcs2, false, L"a\u20ac"), from_hex("04000000 0061 20ac"));
  EXPECT_EQ(written(form::kUcs2, true, L"\u20ac"), from_hex("02 20ac"));
  EXPECT_EQ(written(form::kUcs4, false, L"a\u20ac"), from_hex("08000000 61000000 ac200000"));
  EXPECT_EQ(written(form::kUcs4, true, L"\u20ac"), from_hex("04 ac200000"));
  EXPECT_EQ(written(form::kWideUtf8, false, L"a\u20ac"), from_hex("04000000 61 e282ac"));
  EXPECT_EQ(written(form::kWideUtf8, true, L"\u20ac"), from_hex("03 e282ac"));
  std::wstring got;
  EXPECT_TRUE(read(from_hex("00000008 00000061 000020ac"), form::kUcs4, false, got, true));
  EXPECT_EQ(got, L"a\u20ac") << "in the order of the message";
}

TEST(WideForms, WhatTheSetLacksIsRefused) {
  EXPECT_EQ(refused(form::kUcs2, L"\U0001f600"), SystemErrorId::DATA_CONVERSION);
  for (const std::uint32_t form : kForms) {
    EXPECT_EQ(refused(form, std::wstring(1, static_cast<wchar_t>(0xd800))), SystemErrorId::DATA_CONVERSION);
    EXPECT_EQ(refused(form, std::wstring(1, static_cast<wchar_t>(0x110000)), true),
              SystemErrorId::DATA_CONVERSION);
  }
}

TEST(WideForms, MalformedOnesAreRefused) {
  std::wstring got;
  for (const char* octets :
       {"03000000 610000", "04000000 00001100", "04000000 00d80000", "08000000 61000000"})
    EXPECT_FALSE(read(from_hex(octets), form::kUcs4, false, got)) << octets;
  for (const char* octets : {"02000000 c080", "01000000 80", "03000000 eda080", "04000000 f4908080",
                             "02000000 e282", "05000000 61"})
    EXPECT_FALSE(read(from_hex(octets), form::kWideUtf8, false, got)) << octets;
  for (const char* octets : {"03000000 006100", "02000000 d800", "02000000 dc00"})
    EXPECT_FALSE(read(from_hex(octets), form::kUcs2, false, got)) << octets;
  for (const char* octets : {"00", "02 6162", "07 61626364656667", "02 c3"})
    EXPECT_FALSE(read(from_hex(octets), form::kWideUtf8, true, got)) << octets;
}

}  // namespace
}  // namespace corbel::cdr
