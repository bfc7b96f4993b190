#include "orb/ior/url.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "orb/ior/assigned.h"
#include "orb/ior/ssl.h"

namespace corbel::ior {
namespace {

Corbaloc parsed(const std::string& url) {
  Corbaloc c;
  const SystemError e = parse_corbaloc(url, c);
  EXPECT_FALSE(e) << url << ": " << (e.detail ? e.detail : "");
  return c;
}

std::uint32_t minor_of(const std::string& url) {
  Corbaloc c;
  const SystemError e = parse_corbaloc(url, c);
  EXPECT_EQ(e.id, SystemErrorId::BAD_PARAM) << url;
  return e.minor;
}

TEST(Corbaloc, TakesEveryFormOfAnAddress) {
  struct Case {
    const char* url;
    Address address;
    bool version_given;
    unsigned minor;
  };
  for (const Case& c :
       {Case{"corbaloc::h/k", {"h", 2809}, false, 2}, Case{"corbaloc:iiop:h/k", {"h", 2809}, false, 2},
        Case{"corbaloc::h:1/k", {"h", 1}, false, 2}, Case{"corbaloc::1.0@h:65535/k", {"h", 65535}, true, 0},
        Case{"corbaloc:iiop:1.1@h:5/k", {"h", 5}, true, 1},
        Case{"corbaloc:iiop:1.2@h/k", {"h", 2809}, true, 2},
        Case{"corbaloc:iiop:1.7@h/k", {"h", 2809}, true, 2},
        Case{"corbaloc::[::1]:7/k", {"::1", 7}, false, 2},
        Case{"corbaloc::1.1@[fe80::1]/k", {"fe80::1", 2809}, true, 1},
        Case{"CorbaLoc::10.0.0.1:5/k", {"10.0.0.1", 5}, false, 2},
        Case{"corbaloc::/k", {"localhost", 2809}, false, 2}}) {
    const Corbaloc parsed_url = parsed(c.url);
    EXPECT_FALSE(parsed_url.rir);
    EXPECT_EQ(parsed_url.key, "k");
    ASSERT_EQ(parsed_url.endpoints.size(), 1u) << c.url;
    EXPECT_EQ(parsed_url.endpoints[0].address, c.address) << c.url;
    EXPECT_EQ(parsed_url.endpoints[0].version_given, c.version_given) << c.url;
    EXPECT_EQ(parsed_url.endpoints[0].minor, c.minor) << c.url;
  }
}

TEST(Corbaloc, KeepsSeveralAddressesInOrder) {
  const Corbaloc c = parsed("corbaloc::a:1,iiop:1.1@[::2]:2,:c/key/with/slashes");
  ASSERT_EQ(c.endpoints.size(), 3u);
  EXPECT_EQ(c.endpoints[0].address, (Address{"a", 1}));
  EXPECT_EQ(c.endpoints[1].address, (Address{"::2", 2}));
  EXPECT_EQ(c.endpoints[2].address, (Address{"c", 2809}));
  EXPECT_EQ(c.key, "key/with/slashes");
}

TEST(Corbaloc, NamesAnInitialReferenceWithRir) {
  EXPECT_TRUE(parsed("corbaloc:rir:/NameService").rir);
  EXPECT_EQ(parsed("corbaloc:rir:/Mine").key, "Mine");
  EXPECT_EQ(parsed("corbaloc:rir:").key, "NameService");
  EXPECT_EQ(parsed("corbaloc:rir:/").key, "NameService");
}

TEST(Corbaloc, RefusesBadAddressesWithTheirMinorCode) {
  for (const char* url :
       {"corbaloc:", "corbaloc:/k", "corbaloc:h/k", "corbaloc:http:h/k", "corbaloc::h:99999/k",
        "corbaloc::h:x/k", "corbaloc::h:-1/k", "corbaloc::2.0@h/k", "corbaloc::1@h/k", "corbaloc::1.x@h/k",
        "corbaloc::[::1/k", "corbaloc::[::1]7/k", "corbaloc::a,/k", "corbaloc:,:a/k", "corbaloc:rir:,:a/k",
        "corbaloc::a,rir:/k", "corbaloc::1.300@h/k"})
    EXPECT_EQ(minor_of(url), 0x4f4d0008u) << url;
}

TEST(Corbaloc, RefusesBadEscapesWithTheirMinorCode) {
  for (const char* url : {"corbaloc::h/%", "corbaloc::h/%4", "corbaloc::h/%4g", "corbaloc::h/%-1",
                          "corbaloc::h/a%%41", "corbaloc::h/% 1"})
    EXPECT_EQ(minor_of(url), 0x4f4d0009u) << url;
}

TEST(Corbaloc, BecomesAReferenceWithOneProfilePerAddress) {
  const Ior ior = to_ior(parsed("corbaloc::a:1,iiop:1.0@b:2/%00k"), "host");
  EXPECT_EQ(ior.type_id, "");
  ASSERT_EQ(ior.profiles.size(), 2u);
  const auto first = decode_iiop(ior.profiles[0]), second = decode_iiop(ior.profiles[1]);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->address, (Address{"a", 1}));
  EXPECT_EQ(first->minor, 2);
  EXPECT_EQ(first->object_key, std::string("\0k", 2));
  EXPECT_EQ(second->address, (Address{"b", 2}));
  EXPECT_EQ(second->minor, 0);
}

using Kind = Corbaloc::Endpoint::Kind;

TEST(Corbaloc, TakesTheOtherProtocolsOfOmniOrb) {
  const Corbaloc c = parsed("corbaloc:ssliop:1.1@h:7,omniunix:/tmp/a%2cb,unix:/tmp/c:,iiop:[::1]/k");
  ASSERT_EQ(c.endpoints.size(), 4u);
  EXPECT_EQ(c.key, "k");
  EXPECT_EQ(c.endpoints[0].kind, Kind::Ssl);
  EXPECT_EQ(c.endpoints[0].address, (Address{"h", 7}));
  EXPECT_EQ(c.endpoints[1].kind, Kind::Unix);
  EXPECT_EQ(c.endpoints[1].path, "/tmp/a,b");
  EXPECT_EQ(c.endpoints[2].path, "/tmp/c");
  EXPECT_EQ(c.endpoints[3].kind, Kind::Iiop);
  EXPECT_EQ(parsed("corbaloc:omniunix:/k:/key").endpoints[0].path, "/k");
  EXPECT_EQ(minor_of("corbaloc:omniunix::/k"), 0x4f4d0008u) << "no path";
}

TEST(Corbaloc, OtherProtocolsStandInComponents) {
  const Ior ior = to_ior(parsed("corbaloc:ssliop:1.0@h:7,omniunix:/tmp/s:/k"), "host");
  ASSERT_EQ(ior.profiles.size(), 2u);
  const auto tls = decode_iiop(ior.profiles[0]), local = decode_iiop(ior.profiles[1]);
  ASSERT_TRUE(tls && local);
  EXPECT_EQ(tls->minor, 1) << "1.0 has no components";
  EXPECT_EQ(tls->address, (Address{"h", 0})) << "no port without protection";
  ASSERT_EQ(tls->components.size(), 1u);
  const auto ssl = decode_ssl(tls->components[0]);
  ASSERT_TRUE(ssl);
  EXPECT_EQ(ssl->port, 7);
  ASSERT_EQ(local->components.size(), 1u);
  std::string transport, address;
  ASSERT_TRUE(decode_endpoint(local->components[0], transport, address));
  EXPECT_EQ(transport, "unix");
  EXPECT_EQ(address, "host//tmp/s");
}

TEST(Corbaloc, IsSpelledOtherwiseByUsersOfTao) {
  for (const char* url : {"iiop://h:1/k%20", "iioploc://h:1/k%20", "IIOPLOC://1.2@h:1/k%20"}) {
    EXPECT_TRUE(is_corbaloc(url));
    const Corbaloc c = parsed(url);
    ASSERT_EQ(c.endpoints.size(), 1u);
    EXPECT_EQ(c.endpoints[0].address, (Address{"h", 1}));
    EXPECT_EQ(c.key, "k ");
  }
  EXPECT_EQ(parsed("iioploc://a:1,1.1@b:2/k").endpoints.size(), 2u);
  for (const char* url : {"", "corbaloc", "iiop:h:1/k", "iioploc:/h/k", "corbaname::h"})
    EXPECT_FALSE(is_corbaloc(url)) << url;
}

TEST(Corbaloc, HasABoundedNumberOfAddresses) {
  std::string url = "corbaloc::a";
  for (int i = 1; i < 256; ++i) url += ",:a";
  EXPECT_EQ(parsed(url + "/k").endpoints.size(), 256u);
  EXPECT_EQ(minor_of(url + ",:a/k"), 0x4f4d0008u);
  EXPECT_EQ(parsed(url + "/" + std::string(4096, 'k')).key.size(), 4096u) << "each has the key";
  EXPECT_EQ(minor_of(url + "/" + std::string(4097, 'k')), 0x4f4d0009u);
  EXPECT_EQ(parsed("corbaloc::a/" + std::string(2 << 20, 'k')).key.size(), 2u << 20);
}

using Name = std::vector<NameComponent>;

TEST(Names, HaveIdsAndKinds) {
  const std::pair<const char*, Name> cases[] = {{"a", {{"a", ""}}},
                                                {"a.b", {{"a", "b"}}},
                                                {"a/b.c/d", {{"a", ""}, {"b", "c"}, {"d", ""}}},
                                                {".k", {{"", "k"}}},
                                                {".", {{"", ""}}},
                                                {"./.", {{"", ""}, {"", ""}}},
                                                {"a\\.b\\/c\\\\.k", {{"a.b/c\\", "k"}}}};
  for (const auto& [text, wanted] : cases) {
    Name name;
    EXPECT_TRUE(parse_name(text, name)) << text;
    EXPECT_EQ(name, wanted) << text;
  }
}

TEST(Names, AreRefusedIfMalformed) {
  for (const char* text : {"", "/", "a/", "/a", "a//b", "a.", "a./b", "a.b.c", "a\\", "a\\b", "a/..."}) {
    Name name;
    EXPECT_FALSE(parse_name(text, name)) << text;
  }
}

TEST(Corbanames, SayWhereTheContextIsAndWhatItIsAskedFor) {
  struct Case {
    const char* url;
    bool rir;
    std::size_t addresses;
    const char* key;
    Name name;
  };
  const Case cases[] = {{"corbaname::h#a.b/c", false, 1, "NameService", {{"a", "b"}, {"c", ""}}},
                        {"corbaname::h:1,:i/Other#a", false, 2, "Other", {{"a", ""}}},
                        {"corbaname:rir:#a", true, 0, "NameService", {{"a", ""}}},
                        {"corbaname:rir:/Mine#a", true, 0, "Mine", {{"a", ""}}},
                        {"CORBANAME::h", false, 1, "NameService", {}},
                        {"corbaname::h/#", false, 1, "NameService", {}},
                        {"corbaname::h#a%20b%2fc", false, 1, "NameService", {{"a b", ""}, {"c", ""}}}};
  for (const Case& c : cases) {
    Corbaname parsed_url;
    EXPECT_FALSE(parse_corbaname(c.url, parsed_url)) << c.url;
    EXPECT_EQ(parsed_url.context.rir, c.rir) << c.url;
    EXPECT_EQ(parsed_url.context.endpoints.size(), c.addresses) << c.url;
    EXPECT_EQ(parsed_url.context.key, c.key) << c.url;
    EXPECT_EQ(parsed_url.name, c.name) << c.url;
  }
}

TEST(Corbanames, AreRefusedWithTheirMinorCodes) {
  const std::pair<const char*, std::uint32_t> cases[] = {
      {"corbaname:", 8},      {"corbaname:h#a", 8},   {"corbaname::h:x#a", 8},  {"corbaname::h/%#a", 9},
      {"corbaname::h#a%", 9}, {"corbaname::h#a/", 9}, {"corbaname::h#a..b", 9}, {"corbaname::h#a%00", 9}};
  for (const auto& [url, minor] : cases) {
    Corbaname c;
    const SystemError e = parse_corbaname(url, c);
    EXPECT_EQ(e.id, SystemErrorId::BAD_PARAM) << url;
    EXPECT_EQ(e.minor, assigned::kOmgMinor | minor) << url;
  }
}

TEST(Escapes, LeaveExactlyTheAllowedOctetsAsTheyAre) {
  const std::string allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789;/:?@&=+$,-_.!~*'()";
  for (int c = 0; c < 256; ++c) {
    const std::string octet(1, static_cast<char>(c));
    const bool plain = allowed.find(octet) != std::string::npos;
    EXPECT_EQ(escape(octet).size(), plain ? 1u : 3u) << c;
    std::string back;
    ASSERT_TRUE(unescape(escape(octet), back)) << c;
    EXPECT_EQ(back, octet);
  }
  EXPECT_EQ(escape(std::string("\0\xfe %", 4)), "%00%fe%20%25");
}

TEST(Escapes, TakeDigitsOfEitherCase) {
  std::string bytes;
  ASSERT_TRUE(unescape("%aB%Cd%41z", bytes));
  EXPECT_EQ(bytes,
            "\xab\xcd"
            "Az");
}

class FileUrl : public testing::Test {
 protected:
  std::string write(const std::string& content) {
    std::ofstream(path_, std::ios::binary) << content;
    return "file://" + path_.string();
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) /
      ("corbel url " + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(FileUrl, GivesTheFirstLineWithoutWhiteSpaceAtItsEnd) {
  std::string content;
  ASSERT_FALSE(read_file_url(write("IOR:00 \r\nsecond line\n"), content));
  EXPECT_EQ(content, "IOR:00");
  ASSERT_FALSE(read_file_url(write("IOR:01"), content));
  EXPECT_EQ(content, "IOR:01");
}

TEST_F(FileUrl, TakesEscapesInThePath) {
  std::string url = write("IOR:00");
  while (url.find(' ') != std::string::npos) url.replace(url.find(' '), 1, "%20");
  std::string content;
  ASSERT_FALSE(read_file_url(url, content));
  EXPECT_EQ(content, "IOR:00");
}

TEST_F(FileUrl, ReadsNoMoreThanItsBound) {
  std::string content;
  ASSERT_FALSE(read_file_url(write(std::string(3u << 20, 'x')), content));
  EXPECT_EQ(content.size(), 1u << 20);
}

TEST_F(FileUrl, NamesTheFileThatHasNoReference) {
  std::string content;
  for (const std::string& url :
       {write(""), std::string("file:///does/not/exist"), "file://" + testing::TempDir()}) {
    const SystemError e = read_file_url(url, content);
    EXPECT_EQ(e.minor, 0x4f4d0009u);
    EXPECT_NE(std::string(e.detail).find(url.substr(7)), std::string::npos) << e.detail;
  }
}

TEST_F(FileUrl, SaysWhatIsWrong) {
  std::string content;
  for (const char* url : {"file:///does/not/exist", "file:///bad%escape"}) {
    const SystemError e = read_file_url(url, content);
    EXPECT_EQ(e.id, SystemErrorId::BAD_PARAM);
    EXPECT_EQ(e.minor, 0x4f4d0009u);
  }
}

}  // namespace
}  // namespace corbel::ior
