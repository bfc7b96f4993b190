// Strings that are ISO 8859-1 in the program and UTF-8 on the wire.
#include <cstring>
#include <string>

#include <corbel/cdr/arena.h>
#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

#include <gtest/gtest.h>

namespace corbel::cdr {
namespace {

std::string all_characters() {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  return all;
}

std::string written(const std::string& text, bool utf8 = true) {
  Encoder out;
  out.reset();
  if (utf8) out.set_utf8();
  out.put_string(text.c_str());
  EXPECT_FALSE(out.error());
  return std::string(out.data(), out.size());
}

// The octets of a string that says its own length.
std::string string_of(const std::string& octets) {
  const auto size = static_cast<std::uint32_t>(octets.size() + 1);
  return std::string(reinterpret_cast<const char*>(&size), 4) + octets + '\0';
}

struct Outcome {
  bool read, lacks_character;
  std::string text;
};
Outcome read(const std::string& message, bool with_arena, std::uint32_t bound = 0) {
  alignas(16) char memory[8192];
  std::memcpy(memory, message.data(), message.size());
  Arena arena;
  Decoder in(memory, memory, memory + message.size(), false);
  in.set_context(with_arena ? &arena : nullptr, true, nullptr);
  in.set_utf8(true);
  const char* text = nullptr;
  std::uint32_t length = 0;
  const bool right = in.get_string_view(text, length, bound);
  EXPECT_EQ(std::string(memory, message.size()), message) << "the message stays as it came";
  EXPECT_EQ(in.failed(), !right);
  if (right) {
    EXPECT_EQ(std::strlen(text), length);
  }
  return {right, in.lacks_character(), right ? text : ""};
}

TEST(CharSets, EveryCharacterOfIso8859_1ComesBack) {
  for (const bool arena : {false, true}) {
    const Outcome o = read(written(all_characters()), arena);
    EXPECT_TRUE(o.read);
    EXPECT_EQ(o.text, all_characters());
  }
}

TEST(CharSets, AsciiIsTheSameInBoth) {
  EXPECT_EQ(written("plain"), written("plain", false));
  EXPECT_EQ(read(written(""), true).text, "");
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
}

TEST(CharSets, ABoundCountsCharacters) {
  EXPECT_TRUE(read(written("\xe4\xf6\xfc"), true, 3).read);
  EXPECT_FALSE(read(written("\xe4\xf6\xfc"), true, 2).read);
  EXPECT_FALSE(read(written("abc"), true, 2).read);
}

TEST(CharSets, CharactersThatIso8859_1LacksAreToldFromBadOctets) {
  for (const char* text : {"\xc4\x80", "a\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
    const Outcome o = read(string_of(text), true);
    EXPECT_FALSE(o.read);
    EXPECT_TRUE(o.lacks_character);
  }
}

TEST(CharSets, BadUtf8IsRefused) {
  for (const char* text :
       {"\x80", "\xc3", "\xc3(", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf", "\xe2\x82", "\xed\xa0\x80",
        "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "ok\xe9"}) {
    for (const bool arena : {false, true}) {
      const Outcome o = read(string_of(text), arena);
      EXPECT_FALSE(o.read) << text;
      EXPECT_FALSE(o.lacks_character) << text;
    }
  }
}

TEST(CharSets, TheFormOfWideCharactersIsAnotherMatter) {
  Decoder in;
  in.set_utf8(true);
  in.set_older(1);
  EXPECT_TRUE(in.utf8());
  EXPECT_EQ(in.older(), 1u);
  Encoder out;
  out.reset();
  out.set_utf8();
  out.set_older(2);
  EXPECT_TRUE(out.utf8());
  EXPECT_EQ(out.older(), 2u);
  out.reset();
  EXPECT_FALSE(out.utf8()) << "until reset()";
}

}  // namespace
}  // namespace corbel::cdr
