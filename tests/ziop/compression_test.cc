// The library's half of compressed messages: what it makes of octets, of offers and of options.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

#include "orb/ior/assigned.h"
#include "orb/ziop/compression.h"

namespace corbel::ziop {
namespace {

using core::CallSetting;
using core::CallSettings;
using core::Compressing;
using Expanded = core::Compression::Expanded;

constexpr std::size_t kNoLimit = 0x7fffffff;

std::string message(const std::string& body) {
  std::string m(giop::kHeaderSize, '\0');
  giop::write(m.data(), giop::MessageType::Request, {1, 2}, static_cast<std::uint32_t>(body.size()));
  return m + body;
}

std::string text(std::size_t size) {
  std::string t;
  for (unsigned n = 0; t.size() < size; ++n) t += "the quick brown fox " + std::to_string(n * n);
  t.resize(size);
  return t;
}

std::string noise(std::size_t size) {
  std::mt19937 generator(1);
  std::string octets(size, '\0');
  for (char& c : octets) c = static_cast<char>(generator());
  return octets;
}

class CompressionTest : public testing::Test {
 protected:
  // Empty where it is to be sent as it is. In so many parts, the first of which is the header alone.
  std::string compressed(const std::string& body, const Compressing& how, std::size_t parts = 1) {
    std::string m = message(body);
    std::vector<iovec> pieces;
    if (parts == 1) {
      pieces.push_back({m.data(), m.size()});
    } else {
      pieces.push_back({m.data(), giop::kHeaderSize});
      const std::size_t each = body.size() / parts;
      for (std::size_t i = 0, at = giop::kHeaderSize; i < parts; ++i, at += each)
        pieces.push_back({m.data() + at, i + 1 == parts ? m.size() - at : each});
    }
    base::Memory memory;
    std::size_t size;
    if (!compression_.compress(how, pieces.data(), static_cast<int>(pieces.size()), memory, size)) return {};
    return {memory.data(), size};
  }

  Expanded expand(std::string octets, std::string& result, std::size_t most = kNoLimit) {
    if (octets.size() < giop::kHeaderSize) return Expanded::Malformed;
    giop::Header header;
    octets[0] = 'G';
    if (giop::parse(octets.data(), header) != giop::ParseResult::Ok) return Expanded::Malformed;
    octets[0] = 'Z';
    base::Memory memory;
    std::size_t size;
    const Expanded outcome = compression_.expand(header, octets.data(), octets.size(), most, memory, size);
    if (outcome == Expanded::Yes) result.assign(memory.data(), size);
    return outcome;
  }

  OrbCompression compression_{Settings{true, {{kZstd, 3}, {assigned::kCompressorZlib, 6}}}};
};

constexpr std::uint16_t kAll[] = {assigned::kCompressorGzip, assigned::kCompressorZlib, kZstd};

TEST_F(CompressionTest, MessagesComeBackAsTheyWere) {
  for (const std::uint16_t id : kAll)
    for (const std::size_t size : {100u, 1000u, 70'000u, 1'000'000u})
      for (const std::size_t parts : {1u, 2u, 9u})
        for (const std::uint16_t level : {0, 1, 9, 65535}) {
          if (size > 100'000 && level != 1) continue;
          const std::string body = text(size);
          const std::string zipped = compressed(body, {id, level, 0, 1}, parts);
          ASSERT_FALSE(zipped.empty()) << id << ' ' << size << ' ' << parts << ' ' << level;
          EXPECT_LT(zipped.size(), giop::kHeaderSize + size);
          EXPECT_EQ(zipped.substr(0, 4), "ZIOP");
          std::string back;
          ASSERT_EQ(expand(zipped, back), Expanded::Yes);
          EXPECT_EQ(back, message(body));
        }
}

TEST_F(CompressionTest, WhatDoesNotShrinkAsMuchAsIsWantedStaysAsItIs) {
  for (const std::uint16_t id : kAll) {
    EXPECT_TRUE(compressed(noise(5000), {id, 9, 0, 1}).empty());
    EXPECT_TRUE(compressed(text(5000), {id, 9, 0, 0.05f}).empty());
    EXPECT_TRUE(compressed(text(5000), {id, 9, 0, 0}).empty());
    EXPECT_FALSE(compressed(text(5000), {id, 9, 5000, 1}).empty());
    EXPECT_TRUE(compressed(text(5000), {id, 9, 5001, 1}).empty());
    for (std::size_t size = 0; size < 40; ++size)
      if (const std::string z = compressed(std::string(size, 'x'), {id, 9, 0, 1}); !z.empty()) {
        EXPECT_LT(z.size(), giop::kHeaderSize + size);
      }
  }
  EXPECT_TRUE(compressed(text(5000), {99, 9, 0, 1}).empty());
}

TEST_F(CompressionTest, ASizeOverTheLimitIsRefusedBeforeAnythingElse) {
  for (const std::uint16_t id : kAll) {
    const std::string zipped = compressed(text(5000), {id, 3, 0, 1});
    std::string back;
    EXPECT_EQ(expand(zipped, back, 5011), Expanded::TooLarge);
    EXPECT_EQ(expand(zipped, back, 5012), Expanded::Yes);
  }
}

TEST_F(CompressionTest, NothingButTheTrueSizeIsTaken) {
  for (const std::uint16_t id : kAll) {
    const std::string good = compressed(text(5000), {id, 3, 0, 1});
    for (const std::uint32_t claim : {0u, 1u, 4999u, 5001u, 1'000'000u, 0x7ffffff0u, 0xffffffffu}) {
      std::string bad = good, back;
      cdr::store(bad.data() + 16, claim);
      EXPECT_NE(expand(bad, back), Expanded::Yes) << id << ' ' << claim;
    }
  }
}

TEST_F(CompressionTest, CutOrChangedDataAreRefusedOrAsLongAsTheySay) {
  std::mt19937 generator(2);
  for (const std::uint16_t id : kAll) {
    const std::string good = compressed(text(3000), {id, 3, 0, 1});
    std::string back;
    for (std::size_t size = 0; size < good.size(); ++size) {
      std::string cut = good.substr(0, size);
      EXPECT_EQ(expand(cut, back), Expanded::Malformed) << id << ' ' << size;
      if (size < 24) continue;
      cdr::store(cut.data() + 20, static_cast<std::uint32_t>(size - 24));
      EXPECT_EQ(expand(cut, back), Expanded::Malformed) << id << ' ' << size;
    }
    for (int i = 0; i < 3000; ++i) {
      std::string changed = good;
      for (int n = 0; n < 3; ++n)
        changed[giop::kHeaderSize + generator() % (changed.size() - giop::kHeaderSize)] =
            static_cast<char>(generator());
      back.clear();
      if (expand(changed, back, 1 << 20) == Expanded::Yes) {
        EXPECT_EQ(back.size(), giop::kHeaderSize + cdr::load<std::uint32_t>(changed.data() + 16, false));
      }
    }
  }
}

std::string offered(bool enabled, const CompressorList& list) {
  std::vector<ior::PolicyValue> policies;
  put_offer({enabled, list}, policies);
  return ior::encode_policies(policies);
}

CallSettings on(const CompressorList& list = {}) {
  CallSettings settings;
  settings.put(CallSetting::Compression, 1);
  if (!list.empty()) settings.put(CallSetting::Compressors, keep_list(list));
  return settings;
}

TEST_F(CompressionTest, TheFirstOfOnesOwnThatTheOtherHasIsTakenAtTheLowerLevel) {
  std::string context;
  Compressing how =
      compression_.for_request(on({{99, 9}, {1, 8}, {4, 7}}), offered(true, {{4, 9}, {1, 3}}), context);
  EXPECT_EQ(how.compressor, 1);
  EXPECT_EQ(how.level, 3);
  const Offer said = get_offer(context.data(), context.size());
  EXPECT_TRUE(said.enabled);
  EXPECT_EQ(said.compressors, (CompressorList{{1, 3}, {99, 9}, {4, 7}}));
  how = compression_.for_reply(on(), context.data(), context.size());
  EXPECT_EQ(how.compressor, 4) << "the server's own list counts";
  EXPECT_EQ(how.level, 6);
  EXPECT_EQ(how.low_value, 1024u);
}

TEST_F(CompressionTest, BothEndsHaveToWantIt) {
  std::string context;
  EXPECT_FALSE(compression_.for_request({}, offered(true, {{4, 9}}), context));
  EXPECT_FALSE(compression_.for_request(on(), offered(false, {{4, 9}}), context));
  EXPECT_FALSE(compression_.for_request(on(), offered(true, {}), context));
  EXPECT_FALSE(compression_.for_request(on(), offered(true, {{2, 9}}), context));
  EXPECT_FALSE(compression_.for_request(on(), "", context));
  EXPECT_FALSE(compression_.for_request(on(), offered(true, {{4, 9}}).substr(0, 20), context));
  EXPECT_EQ(context, "");
  EXPECT_FALSE(compression_.expected());
  std::vector<ior::PolicyValue> policies;
  compression_.expose({}, policies);
  EXPECT_TRUE(policies.empty());
  EXPECT_FALSE(compression_.expected());
  compression_.expose(on(), policies);
  EXPECT_EQ(policies.size(), 2u);
  EXPECT_TRUE(compression_.expected());
}

TEST_F(CompressionTest, SettingsOfTheCallGoBeforeTheOrbs) {
  CallSettings settings = on({{4, 0}});
  settings.put(CallSetting::CompressionLowValue, 7);
  settings.put(CallSetting::CompressionMinRatio, std::bit_cast<std::uint32_t>(0.5f));
  std::string context;
  const Compressing how = compression_.for_request(settings, offered(true, {{4, 9}}), context);
  EXPECT_EQ(how.low_value, 7u);
  EXPECT_EQ(how.ratio, 0.5f);
}

TEST(CompressorLists, AreReadFromOptions) {
  CompressorList list;
  EXPECT_TRUE(parse_list("zstd:3,zlib,gzip:9,77:1", 500, list));
  EXPECT_EQ(list, (CompressorList{{500, 3}, {4, 0}, {1, 9}, {77, 1}}));
  for (const char* bad :
       {"", ",", "zlib,,gzip", "zlib:", "zlib:x", "zlib:70000", "lzma", "0", "70000", "zlib 6"})
    EXPECT_FALSE(parse_list(bad, 500, list)) << bad;
}

TEST(CompressorLists, AreTheSameNumberAgain) {
  const std::int64_t number = keep_list({{4, 1}, {1, 2}});
  EXPECT_EQ(keep_list({{4, 1}, {1, 2}}), number);
  EXPECT_EQ(kept_list(number), (CompressorList{{4, 1}, {1, 2}}));
  EXPECT_TRUE(kept_list(-1).empty());
  EXPECT_TRUE(kept_list(1 << 20).empty());
}

TEST(CompressionOptions, SayWhatIsWrong) {
  const struct {
    const char* name;
    const char* value;
  } kWrong[] = {
      {"compression", "yes"},          {"compressors", "zlib:x"},       {"compressors", ""},
      {"compressionLowValue", "-1"},   {"compressionLowValue", "many"}, {"compressionMinRatio", "2"},
      {"compressionMinRatio", "-0.1"}, {"zstdCompressorId", "4"},       {"zstdCompressorId", "65536"}};
  for (const auto& [name, value] : kWrong) {
    transport::TransportSettings given;
    given.set(name, value);
    Settings settings;
    std::string why;
    EXPECT_FALSE(read_settings(given, settings, why)) << name << ' ' << value;
    EXPECT_NE(why.find(std::string("-ORB") + name), why.npos) << why;
  }
}

TEST(CompressionOptions, ChangeWhatIsSo) {
  transport::TransportSettings given;
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"compression", "1"},
                                                                  {"compressors", "zstd:9"},
                                                                  {"compressionLowValue", "5"},
                                                                  {"compressionMinRatio", "0.75"},
                                                                  {"zstdCompressorId", "20000"}})
    given.set(name, value);
  Settings settings;
  std::string why;
  ASSERT_TRUE(read_settings(given, settings, why)) << why;
  EXPECT_TRUE(settings.enabled);
  EXPECT_EQ(settings.compressors, (CompressorList{{20000, 9}}));
  EXPECT_EQ(settings.low_value, 5u);
  EXPECT_EQ(settings.ratio, 0.75f);
}

}  // namespace
}  // namespace corbel::ziop
