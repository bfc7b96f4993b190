#include "orb/giop/reply.h"

#include <gtest/gtest.h>

#include <tuple>

#include "orb/ior/assigned.h"
#include "tests/unit/ior/wire.h"

namespace corbel::giop {
namespace {

using test::from_hex;
using test::Received;
using test::Wire;

class Replies : public testing::TestWithParam<std::tuple<bool, unsigned>> {
 protected:
  bool big() const { return std::get<0>(GetParam()); }
  unsigned minor() const { return std::get<1>(GetParam()); }
  cdr::Decoder decoder(const char* message, std::size_t size) const {
    return {message, message + kHeaderSize, message + size, big() == cdr::kHostIsLittleEndian};
  }
  Version version() const { return {1, static_cast<std::uint8_t>(minor())}; }
  // A Reply without a body and, in 1.2, without the padding before one.
  Wire make(std::uint32_t status, const std::string& context) const {
    Wire w(big(), "GIOP");
    w.octet(1).octet(minor()).octet(big() ? 0 : 1).octet(1).u32(0);
    if (minor() == 2) w.u32(0x01020304).u32(status);
    w.u32(context.empty() ? 0 : 1);
    if (!context.empty()) w.u32(77).octets(context);
    if (minor() < 2) w.u32(0x01020304).u32(status);
    return w;
  }
};
INSTANTIATE_TEST_SUITE_P(, Replies, testing::Combine(testing::Bool(), testing::Values(0u, 1u, 2u)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param) ? "Big" : "Little") + "1_" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST_P(Replies, AreReadWholeAndTheBodyFound) {
  for (const char* context : {"", "a", "abcd", "abcde", "abcdefgh"}) {
    Wire w = make(1, context);
    w.align(minor() == 2 ? 8 : 1);
    const std::size_t body = w.size();
    w.octet(0x5a);
    const Received message(w.bytes(), big(), kHeaderSize);
    cdr::Decoder in = message.decoder();
    ReplyHeader h;
    ASSERT_TRUE(decode_reply(in, version(), h));
    EXPECT_EQ(h.request_id, 0x01020304u);
    EXPECT_EQ(h.status, ReplyStatus::UserException);
    EXPECT_EQ(in.offset(), body);
    const char* data = nullptr;
    std::uint32_t size = 0;
    EXPECT_EQ(h.contexts.find(77, data, size), *context != '\0');
    EXPECT_EQ(std::string(data, size), context);
  }
}

TEST_P(Replies, WithoutABodyNeedNoPadding) {
  for (const char* context : {"", "a", "abcde"}) {
    const Wire w = make(0, context);
    const Received message(w.bytes(), big(), kHeaderSize);
    cdr::Decoder in = message.decoder();
    ReplyHeader h;
    ASSERT_TRUE(decode_reply(in, version(), h));
    EXPECT_EQ(in.remaining(), 0u);
  }
}

TEST_P(Replies, TakeTheStatusesOfTheirVersionOnly) {
  for (const std::uint32_t status : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 0xffffffffu}) {
    const Wire w = make(status, "");
    const Received message(w.bytes(), big(), kHeaderSize);
    cdr::Decoder in = message.decoder();
    ReplyHeader h;
    ASSERT_EQ(decode_reply(in, version(), h), status <= (minor() == 2 ? 5u : 3u)) << status;
    if (status <= 3) {
      EXPECT_EQ(static_cast<std::uint32_t>(h.status), status);
    }
  }
}

TEST_P(Replies, CutAnywhereAreRefused) {
  const Wire w = make(0, "context");
  for (std::size_t size = kHeaderSize; size < w.size(); ++size) {
    const Received message(w.bytes().substr(0, size), big(), kHeaderSize);
    cdr::Decoder in = message.decoder();
    ReplyHeader h;
    EXPECT_FALSE(decode_reply(in, version(), h)) << size;
  }
}

TEST_P(Replies, WithHostileContextListsAreRefused) {
  const std::size_t count_at = minor() == 2 ? 20 : 12;
  for (const std::uint32_t count : {2u, 1000u, 0x20000000u, 0xffffffffu}) {
    std::string bytes = make(0, "context").bytes();
    bytes.replace(count_at, 4, Wire(big()).u32(count).bytes());
    const Received message(bytes, big(), kHeaderSize);
    cdr::Decoder in = message.decoder();
    ReplyHeader h;
    EXPECT_FALSE(decode_reply(in, version(), h)) << count;
  }
}

TEST_P(Replies, GiveTheirRequestIdBeforeTheyAreChecked) {
  for (const char* context : {"", "abcde"}) {
    const Wire w = make(99, context);
    Header header;
    ASSERT_EQ(parse(w.bytes().data(), header), ParseResult::Ok);
    for (std::size_t size = kHeaderSize; size <= w.size(); ++size) {
      const Received message(w.bytes().substr(0, size), big(), kHeaderSize);
      const std::size_t id_end = minor() == 2 ? 16 : w.size() - 4;
      EXPECT_EQ(peek_reply_id(header, decoder(message.data(), size)), size >= id_end ? 0x01020304u : 0u)
          << size;
    }
  }
}

TEST_P(Replies, ToLocateGiveTheirRequestId) {
  const std::string bytes =
      Wire(big(), "GIOP").octet(1).octet(minor()).octet(big() ? 0 : 1).octet(4).u32(8).u32(5).u32(1).bytes();
  Header header;
  ASSERT_EQ(parse(bytes.data(), header), ParseResult::Ok);
  EXPECT_EQ(peek_reply_id(header, decoder(bytes.data(), bytes.size())), 5u);
}

TEST_P(Replies, ToLocateHaveTheStatusesOfTheirVersion) {
  for (std::uint32_t number = 0; number < 8; ++number) {
    const Wire w =
        Wire(big(), "GIOP").octet(1).octet(minor()).octet(big() ? 0 : 1).octet(4).u32(8).u32(5).u32(number);
    const Received message(w.bytes(), big(), kHeaderSize);
    cdr::Decoder in = message.decoder();
    std::uint32_t id;
    LocateStatus status;
    ASSERT_EQ(decode_locate_reply(in, version(), id, status), number <= (minor() < 2 ? 2u : 5u)) << number;
  }
}

TEST_P(Replies, ToLocateHaveABodyThatMayBePadded) {
  // Until 1.1 the only body is a reference, whose place this one takes here.
  const auto told = minor() < 2 ? LocateStatus::ObjectForward : LocateStatus::SystemException;
  for (const bool padded : {false, true}) {
    Wire w = Wire(big(), "GIOP").octet(1).octet(minor()).octet(big() ? 0 : 1).octet(4).u32(0).u32(5);
    w.u32(static_cast<std::uint32_t>(told));
    if (padded) w.u32(0);
    const std::size_t body = w.size();
    w.text("IDL:omg.org/CORBA/TRANSIENT:1.0").u32(7).u32(1);
    for (std::size_t size = kHeaderSize; size <= w.size(); ++size) {
      const Received message(w.bytes().substr(0, size), big(), kHeaderSize);
      cdr::Decoder in = message.decoder();
      std::uint32_t id;
      LocateStatus status;
      ASSERT_EQ(decode_locate_reply(in, version(), id, status), size >= 20) << size;
      if (size < body) continue;
      EXPECT_EQ(id, 5u);
      EXPECT_EQ(status, told);
      SystemError error;
      const bool read =
          decode_locate_body(in, [&](cdr::Decoder& b) { return decode_system_exception(b, error); });
      ASSERT_EQ(read, size == w.size()) << size;
      if (!read) continue;
      EXPECT_EQ(error.id, SystemErrorId::TRANSIENT);
      EXPECT_EQ(error.minor, 7u);
    }
  }
}

TEST_P(Replies, AreWrittenSoThatTheyAreReadBack) {
  for (const ReplyStatus status : {ReplyStatus::NoException, ReplyStatus::UserException,
                                   ReplyStatus::SystemException, ReplyStatus::LocationForward}) {
    char bytes[kReplyHeaderSize];
    write_reply_header(bytes, version(), 0xfedcba98, status);
    set_message_size(bytes, sizeof bytes);
    Header header;
    ASSERT_EQ(parse(bytes, header), ParseResult::Ok);
    EXPECT_EQ(header.type, MessageType::Reply);
    EXPECT_EQ(header.version, version());
    EXPECT_EQ(header.size, 12u);
    cdr::Decoder in(bytes, bytes + kHeaderSize, bytes + sizeof bytes, header.swap);
    ReplyHeader h;
    ASSERT_TRUE(decode_reply(in, version(), h));
    EXPECT_EQ(h.request_id, 0xfedcba98u);
    EXPECT_EQ(h.status, status);
    EXPECT_EQ(in.remaining(), 0u);
  }
}

TEST(PaddedReplies, BeginAsThoseWithAContextOfZeroes) {
  for (const std::uint8_t minor : {0, 1, 2}) {
    const Version version{1, minor};
    std::string header(kPaddedReplyHeaderSize, 'x');
    write_padded_reply_header(header.data(), version, 0x01020304, ReplyStatus::NoException);
    EXPECT_EQ(header, make_reply_header(version, 0x01020304, ReplyStatus::NoException,
                                        {{assigned::kContextPadding, std::string(24, '\0')}}, true));
  }
}

TEST(GoldenReplies, AreWrittenByteForByte) {
  if (!cdr::kHostIsLittleEndian) GTEST_SKIP() << "the golden bytes are little endian";
  char bytes[kReplyHeaderSize];
  write_reply_header(bytes, {1, 2}, 7, ReplyStatus::LocationForwardPerm);
  set_message_size(bytes, 40);
  EXPECT_EQ(std::string(bytes, sizeof bytes),
            from_hex("47494f50 0102 01 01 1c000000 07000000 04000000 00000000"));
  write_reply_header(bytes, {1, 0}, 7, ReplyStatus::SystemException);
  EXPECT_EQ(std::string(bytes, sizeof bytes),
            from_hex("47494f50 0100 01 01 00000000 00000000 07000000 02000000"));
  char located[kLocateReplySize];
  write_locate_reply(located, {1, 1}, 7, LocateStatus::ObjectHere);
  EXPECT_EQ(std::string(located, sizeof located), from_hex("47494f50 0101 01 04 08000000 07000000 01000000"));
}

TEST(SystemExceptions, EveryOneSurvivesTheWire) {
  for (int i = 1; i < kSystemErrorCount; ++i) {
    for (const Completion completed : {Completion::Yes, Completion::No, Completion::Maybe}) {
      cdr::Encoder out;
      out.reset();
      encode_system_exception(out, {static_cast<SystemErrorId>(i), completed, 0x4f4d0001, nullptr});
      cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
      SystemError error;
      ASSERT_TRUE(decode_system_exception(in, error));
      EXPECT_EQ(static_cast<int>(error.id), i);
      EXPECT_EQ(error.completed, completed);
      EXPECT_EQ(error.minor, 0x4f4d0001u);
    }
  }
}

TEST(SystemExceptions, AreReadInBothOrdersAndRefusedWhenCutOrOutOfRange) {
  for (const bool big : {false, true}) {
    const Wire w = Wire(big).text("IDL:omg.org/CORBA/MARSHAL:1.0").u32(3).u32(2);
    for (std::size_t size = 0; size <= w.size(); ++size) {
      const Received bytes(w.bytes().substr(0, size), big);
      cdr::Decoder in = bytes.decoder();
      SystemError error;
      ASSERT_EQ(decode_system_exception(in, error), size == w.size());
    }
    const Wire bad = Wire(big).text("IDL:omg.org/CORBA/MARSHAL:1.0").u32(3).u32(3);
    const Received bytes(bad.bytes(), big);
    cdr::Decoder in = bytes.decoder();
    SystemError error;
    EXPECT_FALSE(decode_system_exception(in, error));
  }
}

TEST(SystemExceptions, SayWhatTheMinorCodesOfTheOmgMean) {
  const auto detail = [](SystemErrorId id, std::uint32_t minor) {
    cdr::Encoder out;
    out.reset();
    encode_system_exception(out, {id, Completion::No, minor, nullptr});
    cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
    SystemError error;
    return decode_system_exception(in, error) ? std::string(error.detail) : "";
  };
  EXPECT_NE(detail(SystemErrorId::BAD_OPERATION, 0x4f4d0002).find("no such operation"), std::string::npos);
  EXPECT_NE(detail(SystemErrorId::OBJECT_NOT_EXIST, 0x4f4d0002).find("no such object"), std::string::npos);
  EXPECT_NE(detail(SystemErrorId::MARSHAL, 0x4f4d0001).find("factory"), std::string::npos);
  EXPECT_NE(detail(SystemErrorId::UNKNOWN, 0).find("std::exception"), std::string::npos);
  EXPECT_EQ(detail(SystemErrorId::BAD_OPERATION, 2), "raised by the server");
  EXPECT_EQ(detail(SystemErrorId::OBJECT_NOT_EXIST, 0x4f4d0001), "raised by the server");
}

TEST(SystemExceptions, ThatAreNotStandardBecomeUnknown) {
  const Wire w = Wire(true).text("IDL:vendor/STRANGE:1.0").u32(3).u32(1);
  const Received bytes(w.bytes(), true);
  cdr::Decoder in = bytes.decoder();
  SystemError error;
  ASSERT_TRUE(decode_system_exception(in, error));
  EXPECT_EQ(error.id, SystemErrorId::UNKNOWN);
}

}  // namespace
}  // namespace corbel::giop
