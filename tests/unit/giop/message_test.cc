#include "orb/giop/message.h"

#include <gtest/gtest.h>

#include "tests/unit/ior/wire.h"

namespace corbel::giop {
namespace {

using test::from_hex;
using test::Wire;

std::string header(unsigned minor, unsigned flags, unsigned type, std::uint32_t size) {
  return Wire((flags & 1) == 0, "GIOP").octet(1).octet(minor).octet(flags).octet(type).u32(size).bytes();
}

TEST(MessageHeader, IsReadInBothOrdersAndEveryVersion) {
  for (unsigned minor = 0; minor <= 2; ++minor) {
    for (unsigned type = 0; type <= (minor == 0 ? 6 : 7); ++type) {
      for (unsigned flags = 0; flags <= 1; ++flags) {
        Header h;
        ASSERT_EQ(parse(header(minor, flags, type, 0x01020304).data(), h), ParseResult::Ok);
        EXPECT_EQ(h.version, (Version{1, static_cast<std::uint8_t>(minor)}));
        EXPECT_EQ(static_cast<unsigned>(h.type), type);
        EXPECT_EQ(h.swap, (flags == 1) != cdr::kHostIsLittleEndian);
        EXPECT_FALSE(h.more_fragments);
        EXPECT_EQ(h.size, 0x01020304u);
      }
    }
  }
}

TEST(MessageHeader, TellsOfMoreFragmentsFrom11On) {
  Header h;
  EXPECT_EQ(parse(header(0, 2, 0, 8).data(), h), ParseResult::BadTypeOrFlags);
  for (const unsigned minor : {1u, 2u}) {
    ASSERT_EQ(parse(header(minor, 3, 0, 8).data(), h), ParseResult::Ok);
    EXPECT_TRUE(h.more_fragments);
    ASSERT_EQ(parse(header(minor, 2, 7, 8).data(), h), ParseResult::Ok);
    EXPECT_TRUE(h.more_fragments);
  }
}

TEST(MessageHeader, RefusesEveryOtherFirstOctet) {
  const std::string good = header(2, 1, 0, 8);
  for (std::size_t at = 0; at < 4; ++at) {
    for (int c = 0; c < 256; ++c) {
      std::string bad = good;
      bad[at] = static_cast<char>(c);
      Header h;
      EXPECT_EQ(parse(bad.data(), h), bad == good ? ParseResult::Ok : ParseResult::BadMagic);
    }
  }
}

TEST(MessageHeader, RefusesOtherVersionsTypesAndFlags) {
  for (unsigned value = 0; value < 256; ++value) {
    Header h;
    std::string major = header(2, 1, 0, 8);
    major[4] = static_cast<char>(value);
    EXPECT_EQ(parse(major.data(), h) == ParseResult::Ok, value == 1);
    EXPECT_EQ(parse(header(value, 1, 0, 8).data(), h) == ParseResult::Ok, value <= 2);
    EXPECT_EQ(parse(header(0, 1, value, 8).data(), h) == ParseResult::Ok, value <= 6);
    EXPECT_EQ(parse(header(1, 1, value, 8).data(), h) == ParseResult::Ok, value <= 7);
    EXPECT_EQ(parse(header(2, 1, value, 8).data(), h) == ParseResult::Ok, value <= 7);
    EXPECT_EQ(parse(header(0, value, 0, 8).data(), h) == ParseResult::Ok, value <= 1);
    EXPECT_EQ(parse(header(2, value, 0, 8).data(), h) == ParseResult::Ok, value <= 3);
  }
}

TEST(MessageHeader, IsWrittenInHostOrder) {
  char bytes[kHeaderSize];
  write(bytes, MessageType::CloseConnection, {1, 1}, 0);
  EXPECT_EQ(std::string(bytes, sizeof bytes), header(1, cdr::kHostIsLittleEndian ? 1 : 0, 5, 0));
  write(bytes, MessageType::Fragment, {1, 2}, 0x11223344);
  EXPECT_EQ(std::string(bytes, sizeof bytes), header(2, cdr::kHostIsLittleEndian ? 1 : 0, 7, 0x11223344));
  set_message_size(bytes, 112);
  EXPECT_EQ(std::string(bytes, sizeof bytes), header(2, cdr::kHostIsLittleEndian ? 1 : 0, 7, 100));
}

TEST(MessageHeader, CloseConnectionIsTheGoldenBytes) {
  if (!cdr::kHostIsLittleEndian) GTEST_SKIP() << "the golden bytes are little endian";
  char bytes[kHeaderSize];
  write(bytes, MessageType::CloseConnection, {1, 2}, 0);
  EXPECT_EQ(std::string(bytes, sizeof bytes), from_hex("47494f50 0102 01 05 00000000"));
  write(bytes, MessageType::MessageError, {1, 0}, 0);
  EXPECT_EQ(std::string(bytes, sizeof bytes), from_hex("47494f50 0100 01 06 00000000"));
}

}  // namespace
}  // namespace corbel::giop
