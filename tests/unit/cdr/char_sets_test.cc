// Chars and strings whose set in the program is not that of the message.
#include "orb/cdr/char_sets.h"

#include <cstring>
#include <string>

#include <corbel/cdr/arena.h>
#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

#include <gtest/gtest.h>

#include "tests/support/other_locale.h"

namespace corbel::cdr {
namespace {

// What the message has, then what the program has.
constexpr std::uint32_t kUtf8ForLatin1 = form::of_sets(kUtf8, kLatin1);
constexpr std::uint32_t kLatin1ForUtf8 = form::of_sets(kLatin1, kUtf8);
constexpr std::uint32_t kAsciiForLatin1 = form::of_sets(kAscii, kLatin1);

std::string all_characters() {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  return all;
}

// Of ISO 8859-1.
std::string as_utf8(const std::string& text) {
  std::string all;
  for (const unsigned char c : text) {
    if (c >= 0x80) all += static_cast<char>(0xc0 | c >> 6);
    all += static_cast<char>(c < 0x80 ? c : 0x80 | (c & 0x3f));
  }
  return all;
}

struct Written {
  SystemError error;
  std::string octets;
};
Written write(const std::string& text, std::uint32_t form, std::uint32_t bound = 0) {
  Encoder out;
  out.reset();
  out.set_text(form);
  out.put_string(text.c_str(), bound);
  return {out.error(), std::string(out.data(), out.size())};
}
std::string written(const std::string& text, std::uint32_t form = kUtf8ForLatin1) {
  const Written w = write(text, form);
  EXPECT_FALSE(w.error) << w.error.detail;
  return w.octets;
}

// The octets of a string that says its own length.
std::string string_of(const std::string& octets) {
  const auto size = static_cast<std::uint32_t>(octets.size() + 1);
  return std::string(reinterpret_cast<const char*>(&size), 4) + octets + '\0';
}

struct Outcome {
  bool read, bad_text;
  std::string text;
};
Outcome read(const std::string& message, bool with_arena, std::uint32_t bound = 0,
             std::uint32_t form = kUtf8ForLatin1) {
  alignas(16) static char memory[65536];
  std::memcpy(memory, message.data(), message.size());
  Arena arena;
  Decoder in(memory, memory, memory + message.size(), false);
  in.set_context(with_arena ? &arena : nullptr, true, nullptr);
  in.set_text(form);
  const char* text = nullptr;
  std::uint32_t length = 0;
  const bool right = in.get_string_view(text, length, bound);
  EXPECT_EQ(std::string(memory, message.size()), message) << "the message stays as it came";
  EXPECT_EQ(in.failed(), !right);
  if (right) {
    EXPECT_EQ(std::strlen(text), length);
  }
  return {right, in.bad_text(), right ? text : ""};
}

TEST(CharSets, EveryCharacterOfIso8859_1ComesBack) {
  for (const bool arena : {false, true}) {
    const Outcome o = read(written(all_characters()), arena);
    EXPECT_TRUE(o.read);
    EXPECT_EQ(o.text, all_characters());
  }
}

TEST(CharSets, AProgramOfUtf8HasIso8859_1InTheMessage) {
  EXPECT_EQ(written(as_utf8(all_characters()), kLatin1ForUtf8), string_of(all_characters()));
  for (const bool arena : {false, true}) {
    const Outcome o = read(string_of(all_characters()), arena, 0, kLatin1ForUtf8);
    EXPECT_TRUE(o.read);
    EXPECT_EQ(o.text, as_utf8(all_characters()));
  }
}

TEST(CharSets, AsciiIsTheSameInAll) {
  for (const std::uint32_t form : {kUtf8ForLatin1, kLatin1ForUtf8, kAsciiForLatin1}) {
    EXPECT_EQ(written("plain", form), string_of("plain"));
    EXPECT_EQ(read(written("", form), true, 0, form).text, "");
  }
}

TEST(CharSets, OthersAreTwoOctets) {
  EXPECT_EQ(written("gr\xfc\xdf"), string_of("gr\xc3\xbc\xc3\x9f"));
  EXPECT_EQ(written("\xff"), string_of("\xc3\xbf"));
  EXPECT_EQ(written("\x80"), string_of("\xc2\x80"));
}

TEST(CharSets, LongStringsAreWrittenWhole) {
  std::string text, octets;
  for (int i = 0; i < 3000; ++i) text += "a\xe4", octets += "a\xc3\xa4";
  EXPECT_EQ(written(text), string_of(octets));
  EXPECT_EQ(written(octets, kLatin1ForUtf8), string_of(text));
}

TEST(CharSets, ABoundCountsWhatTheProgramHas) {
  EXPECT_TRUE(read(written("\xe4\xf6\xfc"), true, 3).read);
  EXPECT_FALSE(read(written("\xe4\xf6\xfc"), true, 2).read);
  EXPECT_FALSE(read(written("abc"), true, 2).read);
  EXPECT_FALSE(write("\xe4\xf6\xfc", kUtf8ForLatin1, 3).error);
  EXPECT_EQ(write("\xe4\xf6\xfc", kUtf8ForLatin1, 2).error.id, SystemErrorId::BAD_PARAM);
}

TEST(CharSets, CharactersThatTheProgramsSetLacksAreRefused) {
  for (const char* text : {"\xc4\x80", "a\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
    const Outcome o = read(string_of(text), true);
    EXPECT_FALSE(o.read);
    EXPECT_TRUE(o.bad_text);
  }
  EXPECT_TRUE(read(string_of("\xe9"), true, 0, kAsciiForLatin1).bad_text);
}

TEST(CharSets, CharactersThatTheMessagesSetLacksAreRefused) {
  for (const auto& [text, form] : {std::pair{"\xe2\x82\xac", kLatin1ForUtf8}, {"\xe9", kAsciiForLatin1}}) {
    const SystemError e = write(text, form).error;
    EXPECT_EQ(e.id, SystemErrorId::DATA_CONVERSION);
    EXPECT_EQ(e.minor, 0x4f4d0001u);
  }
}

constexpr const char* kBadUtf8[] = {"\x80",
                                    "\xc3",
                                    "\xc3(",
                                    "\xc0\xaf",
                                    "\xc1\xbf",
                                    "\xe0\x80\xaf",
                                    "\xe2\x82",
                                    "\xed\xa0\x80",
                                    "\xf0\x80\x80\xaf",
                                    "\xf4\x90\x80\x80",
                                    "\xf5\x80\x80\x80",
                                    "\xff",
                                    "ok\xe9"};

TEST(CharSets, BadUtf8IsRefusedWhereItIsRead) {
  for (const char* text : kBadUtf8) {
    for (const bool arena : {false, true}) {
      const Outcome o = read(string_of(text), arena);
      EXPECT_FALSE(o.read) << text;
      EXPECT_TRUE(o.bad_text) << text;
    }
  }
}

TEST(CharSets, BadUtf8IsRefusedWhereItIsWritten) {
  for (const char* text : kBadUtf8)
    EXPECT_EQ(write(text, kLatin1ForUtf8).error.id, SystemErrorId::DATA_CONVERSION) << text;
}

TEST(CharSets, TextIsToldFromAsciiWhereverTheOddOctetStands) {
  for (std::size_t size = 0; size < 200; ++size) {
    std::string text(size, 'x');
    EXPECT_TRUE(is_ascii(text.data(), size)) << size;
    for (std::size_t at = 0; at < size; ++at) {
      text[at] = '\x80';
      EXPECT_FALSE(is_ascii(text.data(), size)) << at << " of " << size;
      text[at] = 'x';
    }
  }
}

// ---- chars: one octet on both sides

Written write_chars(const std::string& chars, std::uint32_t form) {
  Encoder out;
  out.reset();
  out.allow_externals(true);
  out.set_text(form);
  if (chars.size() == 1) out.put_char(chars[0]);
  else out.run_chars(chars.data(), chars.size());
  std::string all(out.data(), out.size());
  for (std::size_t i = out.external_count(); i-- != 0;)
    all.insert(out.externals()[i].at, out.externals()[i].data, out.externals()[i].size);
  return {out.error(), all};
}

struct Chars {
  bool read, bad_text;
  std::string chars;
};
Chars read_chars(std::string octets, std::uint32_t form) {
  Decoder in(octets.data(), octets.data(), octets.data() + octets.size(), false);
  in.set_text(form);
  std::string chars(octets.size(), '?');
  const bool good = octets.size() == 1 ? in.get_char(chars[0]) : in.get_chars(chars.data(), chars.size());
  return {good, in.bad_text(), chars};
}

TEST(CharSets, ManyCharsOfAsciiStayWithTheCaller) {
  const std::string chars(Encoder::kExternalThreshold, 'x');
  for (const std::uint32_t form : {kUtf8ForLatin1, kAsciiForLatin1}) {
    Encoder out;
    out.reset();
    out.allow_externals(true);
    out.set_text(form);
    out.put_chars(chars.data(), static_cast<std::uint32_t>(chars.size()));
    EXPECT_EQ(out.external_count(), 1u);
    EXPECT_EQ(out.wire_size(), chars.size() + 4);
  }
}

TEST(CharSets, CharsOfIso8859_1AreTheSameOctetsInUtf8) {
  for (const std::uint32_t form : {kUtf8ForLatin1, kLatin1ForUtf8}) {
    EXPECT_EQ(write_chars(all_characters(), form).octets, all_characters());
    EXPECT_EQ(read_chars(all_characters(), form).chars, all_characters());
    EXPECT_EQ(write_chars("\xe9", form).octets, "\xe9");
  }
}

TEST(CharSets, ACharThatTheOtherSetLacksIsRefused) {
  for (const std::string& chars : {std::string("\xe9"), std::string(5000, 'x') + '\xe9'}) {
    EXPECT_EQ(write_chars(chars, kAsciiForLatin1).error.id, SystemErrorId::DATA_CONVERSION);
    const Chars c = read_chars(chars, kAsciiForLatin1);
    EXPECT_FALSE(c.read);
    EXPECT_TRUE(c.bad_text);
  }
}

TEST(CharSets, CharsThatNothingConvertsAreCopied) {
  EXPECT_EQ(write_chars(all_characters(), 0).octets, all_characters());
  EXPECT_EQ(read_chars(all_characters(), 0).chars, all_characters());
}

// ---- which sets there are

TEST(CharSets, AreFoundByNameInAnyCaseAndByNumber) {
  EXPECT_EQ(find_char_set("ISO-8859-1"), kLatin1);
  EXPECT_EQ(find_char_set("utf-8"), kUtf8);
  EXPECT_EQ(find_char_set("0x05010001"), kUtf8);
  EXPECT_EQ(find_char_set("65537"), kLatin1);
  EXPECT_EQ(find_char_set(0x00010020u), kAscii);
  for (const char* none : {"", "0", "0x", "UTF-9", "ISO-8859-", "UTF-8 "})
    EXPECT_EQ(find_char_set(none), 0u) << none;
  EXPECT_EQ(char_set(0), nullptr);
}

TEST(CharSets, AreFoundInATurkishLocale) {
  const testing_support::TurkishLocale locale;
  if (!locale.there()) GTEST_SKIP() << "there is no Turkish locale";
  EXPECT_EQ(find_char_set("iso-8859-1"), kLatin1);
  EXPECT_EQ(find_char_set("us-ascii"), kAscii);
}

TEST(CharSets, TheFormOfWideCharactersIsAnotherMatter) {
  Decoder in;
  in.set_text(kUtf8ForLatin1);
  in.set_older(1);
  EXPECT_TRUE(in.converts());
  EXPECT_EQ(in.older(), 1u);
  Encoder out;
  out.reset();
  out.set_text(kUtf8ForLatin1);
  out.set_older(2);
  EXPECT_TRUE(out.converts());
  EXPECT_EQ(out.older(), 2u);
  out.reset();
  EXPECT_FALSE(out.converts()) << "until reset()";
}

}  // namespace
}  // namespace corbel::cdr
