// The sets that Corbel::codesets brings.
#include <string>

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

#include <gtest/gtest.h>

#include "orb/cdr/char_sets.h"

namespace corbel::cdr {
namespace {

// A string of `native` as it stands in a message of `wire`; empty if it cannot.
std::string sent(const std::string& text, std::uint32_t wire, std::uint32_t native) {
  Encoder out;
  out.reset();
  out.set_text(form::of_sets(wire, native));
  out.put_string(text.c_str());
  return out.error() ? "" : std::string(out.data() + 4, out.size() - 5);
}

std::string received(const std::string& octets, std::uint32_t wire, std::uint32_t native) {
  Encoder out;
  out.reset();
  out.put_string(octets.c_str());
  Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  in.set_text(form::of_sets(wire, native));
  const char* text = "";
  std::uint32_t length = 0;
  return in.get_string_view(text, length) ? std::string(text, length) : "";
}

TEST(MoreCharSets, AreThoseOfOmniOrb) {
  for (const char* name :
       {"ISO-8859-2",   "ISO-8859-3",   "ISO-8859-4",   "ISO-8859-5",   "ISO-8859-6",   "ISO-8859-7",
        "ISO-8859-8",   "ISO-8859-9",   "ISO-8859-10",  "ISO-8859-11",  "ISO-8859-13",  "ISO-8859-14",
        "ISO-8859-15",  "ISO-8859-16",  "windows-1250", "windows-1251", "windows-1252", "windows-1253",
        "windows-1254", "windows-1255", "windows-1256", "windows-1257", "Windows-1258"})
    EXPECT_NE(find_char_set(name), 0u) << name;
  EXPECT_EQ(find_char_set(0x0001000fu), find_char_set("ISO-8859-15"));
  EXPECT_EQ(find_char_set(0x100204e3u), find_char_set("windows-1251"));
}

TEST(MoreCharSets, EveryCharacterComesBackFromUtf8) {
  for (std::uint32_t set = kAscii + 1; char_set(set); ++set) {
    int characters = 0;
    for (int c = 1; c < 256; ++c) {
      const std::string text(1, static_cast<char>(c)), utf8 = sent(text, kUtf8, set);
      if (utf8.empty()) continue;
      ++characters;
      EXPECT_EQ(received(utf8, kUtf8, set), text) << char_set(set)->name << ' ' << c;
      EXPECT_EQ(sent(utf8, set, kUtf8), text) << char_set(set)->name << ' ' << c;
      EXPECT_EQ(received(text, set, kUtf8), utf8) << char_set(set)->name << ' ' << c;
    }
    EXPECT_GT(characters, 200) << char_set(set)->name;
  }
}

TEST(MoreCharSets, HaveTheCharactersThatTheyAreKnownFor) {
  struct Case {
    const char *set, *octet, *utf8;
  };
  for (const Case& c : {Case{"ISO-8859-15", "\xa4", "\u20ac"}, Case{"ISO-8859-5", "\xb0", "\u0410"},
                        Case{"ISO-8859-7", "\xe1", "\u03b1"}, Case{"ISO-8859-2", "\xb1", "\u0105"},
                        Case{"ISO-8859-11", "\xa1", "\u0e01"}, Case{"windows-1252", "\x80", "\u20ac"},
                        Case{"windows-1251", "\xff", "\u044f"}, Case{"ISO-8859-9", "\xfd", "\u0131"}}) {
    EXPECT_EQ(sent(c.octet, kUtf8, find_char_set(c.set)), c.utf8) << c.set;
    EXPECT_EQ(sent(c.utf8, find_char_set(c.set), kUtf8), c.octet) << c.set;
  }
}

TEST(MoreCharSets, WhatTheyLackIsRefused) {
  const std::uint32_t hebrew = find_char_set("ISO-8859-8");
  EXPECT_EQ(sent("\xa1", kUtf8, hebrew), "") << "no character at all";
  EXPECT_EQ(sent("\u20ac", hebrew, kUtf8), "");
  EXPECT_EQ(sent("\U0001f600", hebrew, kUtf8), "");
}

TEST(MoreCharSets, OneIsConvertedToAnotherByWayOfUnicode) {
  const std::uint32_t nine = find_char_set("ISO-8859-15"), windows = find_char_set("windows-1252");
  EXPECT_EQ(sent("a\xa4\xe9", windows, nine), "a\x80\xe9");
}

TEST(MoreCharSets, SingleCharsAreConverted) {
  const std::uint32_t nine = find_char_set("ISO-8859-15"), windows = find_char_set("windows-1252");
  const auto sent_char = [](char c, std::uint32_t wire, std::uint32_t native) {
    Encoder out;
    out.reset();
    out.set_text(form::of_sets(wire, native));
    out.put_char(c);
    return out.error() ? '\0' : out.data()[0];
  };
  EXPECT_EQ(sent_char('\xa4', windows, nine), '\x80');
  EXPECT_EQ(sent_char('\xe9', kUtf8, nine), '\xe9');
  EXPECT_EQ(sent_char('\xa4', kUtf8, nine), '\0') << "no octet has this code point";
  EXPECT_EQ(sent_char('\xe9', nine, kUtf8), '\xe9');
}

}  // namespace
}  // namespace corbel::cdr
