#include "orb/giop/request.h"

#include <gtest/gtest.h>

#include <cstring>
#include <tuple>

#include "orb/giop/bidirectional.h"
#include "tests/unit/ior/wire.h"

namespace corbel::giop {
namespace {

using test::encapsulation;
using test::from_hex;
using test::Received;
using test::Wire;

enum class Target { Key, Profile, Reference };

struct Context {
  std::uint32_t id;
  std::string data;
};

struct Spec {
  std::uint32_t id = 0x01020304;
  unsigned flags = 3;
  Target target = Target::Key;
  std::string key = "the key";
  std::string operation = "push_struct";
  std::vector<Context> contexts;
};

void put_contexts(Wire& w, const std::vector<Context>& contexts) {
  w.u32(static_cast<std::uint32_t>(contexts.size()));
  for (const Context& c : contexts) w.u32(c.id).octets(c.data);
}

std::string iiop_body(bool big, const std::string& key) {
  return encapsulation(big).octet(1).octet(2).text("host").u16(5).octets(key).u32(0).bytes();
}

void put_target(Wire& w, const Spec& spec) {
  w.u16(static_cast<std::uint32_t>(spec.target));
  switch (spec.target) {
    case Target::Key:
      w.octets(spec.key);
      break;
    case Target::Profile:
      w.u32(0).octets(iiop_body(!w.big(), spec.key));
      break;
    case Target::Reference:
      w.u32(1).text("IDL:T:1.0").u32(3).u32(99).octets("unknown");
      w.u32(0).octets(iiop_body(w.big(), spec.key)).u32(0).octets(iiop_body(w.big(), "another"));
      break;
  }
}

// A Request as chapter "GIOP" lays it out, without a body and, in 1.2, without the padding before one.
Wire request(bool big, unsigned minor, const Spec& spec) {
  Wire w(big, "GIOP");
  w.octet(1).octet(minor).octet(big ? 0 : 1).octet(0).u32(0);
  if (minor == 2) {
    w.u32(spec.id).octet(spec.flags).raw("abc");
    put_target(w, spec);
    w.text(spec.operation);
    put_contexts(w, spec.contexts);
  } else {
    put_contexts(w, spec.contexts);
    w.u32(spec.id).octet(spec.flags & 1);
    if (minor == 1) w.raw("abc");
    w.octets(spec.key).text(spec.operation).octets("principal");
  }
  return w;
}

class Requests : public testing::TestWithParam<std::tuple<bool, unsigned>> {
 protected:
  bool big() const { return std::get<0>(GetParam()); }
  unsigned minor() const { return std::get<1>(GetParam()); }
  Version version() const { return {1, static_cast<std::uint8_t>(minor())}; }
  Wire make(const Spec& spec) const { return request(big(), minor(), spec); }
  std::vector<Target> targets() const {
    return minor() == 2 ? std::vector{Target::Key, Target::Profile, Target::Reference}
                        : std::vector{Target::Key};
  }
};
INSTANTIATE_TEST_SUITE_P(, Requests, testing::Combine(testing::Bool(), testing::Values(0u, 1u, 2u)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param) ? "Big" : "Little") + "1_" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST_P(Requests, AreReadWholeAndTheBodyFound) {
  for (const Target target : targets()) {
    for (const char* operation : {"a", "ab", "abc", "abcd", "abcde", "push_struct"}) {
      Spec spec;
      spec.target = target;
      spec.operation = operation;
      Wire w = make(spec);
      if (minor() == 2) w.align(8);
      const std::size_t body = w.size();
      w.octet(0x5a);
      const Received message(w.bytes(), big(), kHeaderSize);
      cdr::Decoder in = message.decoder();
      RequestHeader h;
      ASSERT_TRUE(decode_request(in, version(), h));
      EXPECT_EQ(h.request_id, spec.id);
      EXPECT_TRUE(h.response_expected);
      EXPECT_EQ(std::string(h.key, h.key_size), spec.key);
      EXPECT_EQ(std::string(h.operation, h.operation_length), spec.operation);
      EXPECT_EQ(h.operation[h.operation_length], '\0');
      EXPECT_EQ(h.contexts.count(), 0u);
      EXPECT_EQ(in.offset(), body);
      EXPECT_EQ(in.remaining(), 1u);
    }
  }
}

TEST_P(Requests, WithoutABodyNeedNoPadding) {
  for (const char* operation : {"a", "abcdef"}) {  // header ends at 0 and at 4 modulo 8
    Spec spec;
    spec.operation = operation;
    const Wire w = make(spec);
    const Received message(w.bytes(), big(), kHeaderSize);
    cdr::Decoder in = message.decoder();
    RequestHeader h;
    ASSERT_TRUE(decode_request(in, version(), h));
    EXPECT_EQ(in.remaining(), 0u);
  }
}

TEST_P(Requests, WithPaddingBeforeNoBodyAreTaken) {
  for (const char* operation : {"a", "abcdef"}) {
    Spec spec;
    spec.operation = operation;
    Wire w = make(spec);
    if (minor() == 2) w.align(8);
    const Received message(w.bytes(), big(), kHeaderSize);
    cdr::Decoder in = message.decoder();
    RequestHeader h;
    ASSERT_TRUE(decode_request(in, version(), h));
    EXPECT_EQ(in.remaining(), 0u);
  }
}

TEST_P(Requests, CutAnywhereAreRefused) {
  for (const Target target : targets()) {
    Spec spec;
    spec.target = target;
    spec.contexts = {{1, "twelve octet"}, {9, "odd"}};
    const Wire w = make(spec);
    for (std::size_t size = kHeaderSize; size < w.size(); ++size) {
      const Received message(w.bytes().substr(0, size), big(), kHeaderSize);
      cdr::Decoder in = message.decoder();
      RequestHeader h;
      EXPECT_FALSE(decode_request(in, version(), h)) << size;
    }
  }
}

TEST_P(Requests, WithHostileLengthsNeverPointOutsideTheMessage) {
  for (const Target target : targets()) {
    Spec spec;
    spec.target = target;
    spec.contexts = {{1, "twelve octet"}, {9, "odd"}};
    const std::string good = make(spec).bytes();
    for (std::size_t at = kHeaderSize; at + 4 <= good.size(); at += 4) {
      for (const std::uint32_t value : {0u, 1u, 0x7fffffffu, 0x80000000u, 0xfffffff8u, 0xffffffffu}) {
        std::string bad = good;
        bad.replace(at, 4, Wire(big()).u32(value).bytes());
        const Received message(bad, big(), kHeaderSize);
        cdr::Decoder in = message.decoder();
        RequestHeader h;
        if (!decode_request(in, version(), h)) continue;
        if (h.key) {
          EXPECT_TRUE(message.holds(h.key, h.key_size)) << at;
        }
        if (h.operation_length != 0) {
          EXPECT_TRUE(message.holds(h.operation, h.operation_length + 1)) << at;
        }
        EXPECT_EQ(h.operation[h.operation_length], '\0');
      }
    }
  }
}

// A request without arguments ends with its last context.
TEST(BidirectionalContext, EndsWithItsData) {
  for (std::size_t length = 1; length < 9; ++length) {
    const std::string context = bidirectional_context({{std::string(length, 'h'), 2809}});
    EXPECT_EQ(context.size(), 8 + cdr::load<std::uint32_t>(context.data() + 4, false));
  }
}

TEST_P(Requests, GiveTheirServiceContexts) {
  Spec spec;
  spec.contexts = {{5, "x"}, {1, "first"}, {0xffffffff, ""}, {1, "second"}};
  const Wire w = make(spec);
  const Received message(w.bytes(), big(), kHeaderSize);
  cdr::Decoder in = message.decoder();
  RequestHeader h;
  ASSERT_TRUE(decode_request(in, version(), h));
  EXPECT_EQ(h.contexts.count(), 4u);
  const char* data;
  std::uint32_t size;
  ASSERT_TRUE(h.contexts.find(1, data, size));
  EXPECT_EQ(std::string(data, size), "first");
  ASSERT_TRUE(h.contexts.find(0xffffffff, data, size));
  EXPECT_EQ(size, 0u);
  EXPECT_FALSE(h.contexts.find(6, data, size));
}

TEST_P(Requests, TellWhetherAReplyIsWanted) {
  for (const unsigned flags : {0u, 1u, 3u}) {
    Spec spec;
    spec.flags = flags;
    const Wire w = make(spec);
    const Received message(w.bytes(), big(), kHeaderSize);
    cdr::Decoder in = message.decoder();
    RequestHeader h;
    h.reply_early = flags != 1;  // as of another request
    ASSERT_TRUE(decode_request(in, version(), h));
    EXPECT_EQ(h.response_expected, flags != 0);
    EXPECT_EQ(h.reply_early, flags == 1 && version().minor == 2);
  }
}

TEST_P(Requests, WithUnterminatedOperationAreRefused) {
  Spec spec;
  std::string bytes = make(spec).bytes();
  bytes[bytes.find(spec.operation) + spec.operation.size()] = 'x';
  const Received message(bytes, big(), kHeaderSize);
  cdr::Decoder in = message.decoder();
  RequestHeader h;
  EXPECT_FALSE(decode_request(in, version(), h));
}

TEST_P(Requests, WhoseTargetIsAProfileOfAnotherKindHaveNoKey) {
  if (minor() != 2) return;
  Wire w = Wire(big(), "GIOP");
  w.raw(std::string(8, '\0')).u32(1).u32(3).u16(1).u32(42).octets(iiop_body(big(), "k")).text("op").u32(0);
  const Received message(w.bytes(), big(), kHeaderSize);
  cdr::Decoder in = message.decoder();
  RequestHeader h;
  ASSERT_TRUE(decode_request(in, version(), h));
  EXPECT_EQ(h.key, nullptr);
  EXPECT_EQ(std::string(h.operation), "op");
}

TEST_P(Requests, WithATargetThatIsNotOursAreRefused) {
  if (minor() != 2) return;
  Wire unknown = Wire(big(), "GIOP");
  unknown.raw(std::string(8, '\0')).u32(1).u32(3).u16(3).octets("key").text("op").u32(0);
  Wire foreign = Wire(big(), "GIOP");  // an IIOP profile that is none
  foreign.raw(std::string(8, '\0'))
      .u32(1)
      .u32(3)
      .u16(1)
      .u32(0)
      .octets(std::string("\2") + iiop_body(big(), "k").substr(1))
      .text("op")
      .u32(0);
  Wire beyond = Wire(big(), "GIOP");
  beyond.raw(std::string(8, '\0'))
      .u32(1)
      .u32(3)
      .u16(2)
      .u32(1)
      .text("")
      .u32(1)
      .u32(0)
      .octets(iiop_body(big(), "k"));
  beyond.text("op").u32(0);
  for (const Wire& w : {unknown, foreign, beyond}) {
    const Received message(w.bytes(), big(), kHeaderSize);
    cdr::Decoder in = message.decoder();
    RequestHeader h;
    EXPECT_FALSE(decode_request(in, version(), h));
  }
}

TEST_P(Requests, ToLocateAreReadAndRefusedWhenCut) {
  for (const Target target : targets()) {
    Spec spec;
    spec.target = target;
    Wire w(big(), std::string(kHeaderSize, '\0'));
    w.u32(spec.id);
    if (minor() == 2) put_target(w, spec);
    else w.octets(spec.key);
    for (std::size_t size = kHeaderSize; size <= w.size(); ++size) {
      const Received message(w.bytes().substr(0, size), big(), kHeaderSize);
      cdr::Decoder in = message.decoder();
      LocateRequestHeader h;
      ASSERT_EQ(decode_locate_request(in, version(), h), size == w.size()) << size;
      if (size < w.size()) continue;
      EXPECT_EQ(h.request_id, spec.id);
      EXPECT_EQ(std::string(h.key, h.key_size), spec.key);
    }
  }
}

// ---- writing

std::string written(Version version, const std::string& key, const std::string& operation, bool response,
                    const std::vector<Context>& contexts, std::size_t* header_end = nullptr) {
  Wire list(!cdr::kHostIsLittleEndian);
  for (const Context& c : contexts) list.u32(c.id).octets(c.data);
  const std::string prefix = make_prefix(version, key);
  const RequestParts parts{version,
                           prefix,
                           operation.c_str(),
                           static_cast<std::uint32_t>(operation.size()),
                           response ? Response::Expected : Response::Nothing,
                           contexts.empty() ? nullptr : list.bytes().data(),
                           static_cast<std::uint32_t>(list.size()),
                           static_cast<std::uint32_t>(contexts.size())};
  const std::uint32_t offset = body_offset(parts);
  std::string bytes(offset + 16, '\x77');
  const std::uint32_t end = write_request_header(bytes.data(), parts);
  set_request_id(bytes.data(), version, parts.contexts_size, 7);
  EXPECT_EQ(offset % 8, 0u);
  EXPECT_LE(end, offset);
  EXPECT_LT(offset - end, 8u);
  EXPECT_EQ(bytes.substr(offset), std::string(16, '\x77')) << "wrote into the body";
  set_message_size(bytes.data(), offset);
  if (header_end) *header_end = end;
  return bytes.substr(0, offset);
}

TEST(OperationNumber, StandsInThePaddingBehindTheKeyWhereThereAreTwoOctets) {
  for (std::size_t key_size = 0; key_size < 9; ++key_size) {
    const std::string prefix = make_prefix({1, 2}, std::string(key_size, 'k'));
    for (const std::uint16_t number : {0, 1, 0x1234, 0xffff}) {
      const RequestParts parts{{1, 2}, prefix, "ping", 4, Response::Expected, nullptr, 0, 0, number};
      std::string bytes(body_offset(parts), '\x77');
      set_message_size(bytes.data(), write_request_header(bytes.data(), parts));
      const Received message(bytes, !cdr::kHostIsLittleEndian, kHeaderSize);
      cdr::Decoder in = message.decoder();
      RequestHeader header;
      ASSERT_TRUE(decode_request(in, {1, 2}, header));
      EXPECT_EQ(std::string(header.key, header.key_size), std::string(key_size, 'k'));
      EXPECT_STREQ(header.operation, "ping");
      const bool room = key_size % 4 == 1 || key_size % 4 == 2;
      EXPECT_EQ(operation_number(header), room ? number : 0u) << key_size;
    }
  }
}

TEST(OperationNumber, IsNoneOfAHeaderThatCameWithoutAMessage) {
  const std::string key = "key", operation = "ping";
  RequestHeader header;
  header.key = key.data();
  header.key_size = 3;
  header.operation = operation.c_str();
  EXPECT_EQ(operation_number(header), 0u);
}

class WrittenRequests : public testing::TestWithParam<unsigned> {
 protected:
  Version version() const { return {1, static_cast<std::uint8_t>(GetParam())}; }
};
INSTANTIATE_TEST_SUITE_P(, WrittenRequests, testing::Values(0u, 1u, 2u));

TEST_P(WrittenRequests, AreReadBackForEverySizeOfTheirParts) {
  for (std::size_t key_size = 0; key_size < 10; ++key_size) {
    for (std::size_t operation_size = 1; operation_size < 10; ++operation_size) {
      for (int context_size = -1; context_size < 9; ++context_size) {
        const std::string key(key_size, 'k'), operation(operation_size, 'o');
        std::vector<Context> contexts;
        if (context_size >= 0)
          contexts = {{1, "abc"}, {2, std::string(static_cast<std::size_t>(context_size), 'c')}};
        const std::string bytes = written(version(), key, operation, true, contexts);
        Header header;
        ASSERT_EQ(parse(bytes.data(), header), ParseResult::Ok);
        EXPECT_EQ(header.type, MessageType::Request);
        EXPECT_EQ(header.version, version());
        EXPECT_EQ(header.size, bytes.size() - kHeaderSize);
        const Received message(bytes + "body", !cdr::kHostIsLittleEndian, kHeaderSize);
        cdr::Decoder in = message.decoder();
        RequestHeader h;
        ASSERT_TRUE(decode_request(in, version(), h));
        EXPECT_EQ(h.request_id, 7u);
        EXPECT_TRUE(h.response_expected);
        EXPECT_EQ(std::string(h.key, h.key_size), key);
        EXPECT_EQ(std::string(h.operation), operation);
        EXPECT_EQ(in.offset(), bytes.size());
        ASSERT_EQ(h.contexts.count(), contexts.size());
        const char* data;
        std::uint32_t size;
        if (context_size < 0) continue;
        ASSERT_TRUE(h.contexts.find(2, data, size));
        EXPECT_EQ(std::string(data, size), contexts[1].data);
      }
    }
  }
}

TEST_P(WrittenRequests, WithoutABodyEndWhereTheHeaderEnds) {
  for (std::size_t operation_size = 1; operation_size < 10; ++operation_size) {
    std::size_t end = 0;
    const std::string bytes = written(version(), "key", std::string(operation_size, 'o'), false, {}, &end);
    const Received message(bytes.substr(0, end), !cdr::kHostIsLittleEndian, kHeaderSize);
    cdr::Decoder in = message.decoder();
    RequestHeader h;
    ASSERT_TRUE(decode_request(in, version(), h));
    EXPECT_FALSE(h.response_expected);
    EXPECT_EQ(in.remaining(), 0u);
  }
}

ior::TaggedProfile profile_of(const char* key) {
  ior::IiopProfile profile;
  profile.address.host = "127.0.0.1";
  profile.object_key = key;
  return ior::encode_iiop(profile);
}

ior::Ior two_profiles() { return {"IDL:Thing:1.0", {profile_of("first"), profile_of("second")}}; }

TEST(AddressedRequests, NameTheirTargetByProfileOrReference) {
  for (const Addressing addressing : {Addressing::Profile, Addressing::Reference}) {
    const std::string prefix = make_prefix(addressing, two_profiles(), 1);
    const RequestParts parts{{1, 2}, prefix, "ping", 4, Response::Expected, nullptr, 0, 0};
    std::string bytes(body_offset(parts), '\x77');
    bytes.resize(write_request_header(bytes.data(), parts));
    const Received message(bytes, !cdr::kHostIsLittleEndian, kHeaderSize);
    cdr::Decoder in = message.decoder();
    RequestHeader h;
    ASSERT_TRUE(decode_request(in, {1, 2}, h));
    EXPECT_EQ(std::string(h.key, h.key_size), "second");
    EXPECT_EQ(std::string(h.operation), "ping");
    EXPECT_EQ(in.remaining(), 0u);
  }
}

TEST_P(WrittenRequests, AskForTheLocationOfTheirTarget) {
  for (const std::string& key : {std::string(), std::string("k"), std::string("a longer key")}) {
    const std::string bytes = make_locate_request(version(), make_prefix(version(), key), 9);
    Header header;
    ASSERT_EQ(parse(bytes.data(), header), ParseResult::Ok);
    EXPECT_EQ(header.type, MessageType::LocateRequest);
    EXPECT_EQ(header.version, version());
    EXPECT_EQ(header.size, bytes.size() - kHeaderSize);
    const Received message(bytes, !cdr::kHostIsLittleEndian, kHeaderSize);
    cdr::Decoder in = message.decoder();
    LocateRequestHeader h;
    ASSERT_TRUE(decode_locate_request(in, version(), h));
    EXPECT_EQ(h.request_id, 9u);
    EXPECT_EQ(std::string(h.key, h.key_size), key);
    EXPECT_EQ(in.remaining(), 0u);
  }
}

TEST(AddressedRequests, AskForTheLocationOfTheirTargetToo) {
  for (const Addressing addressing : {Addressing::Profile, Addressing::Reference}) {
    const std::string bytes = make_locate_request({1, 2}, make_prefix(addressing, two_profiles(), 1), 9);
    const Received message(bytes, !cdr::kHostIsLittleEndian, kHeaderSize);
    cdr::Decoder in = message.decoder();
    LocateRequestHeader h;
    ASSERT_TRUE(decode_locate_request(in, {1, 2}, h));
    EXPECT_EQ(std::string(h.key, h.key_size), "second");
  }
}

TEST(GoldenRequests, AreWrittenByteForByte) {
  if (!cdr::kHostIsLittleEndian) GTEST_SKIP() << "the golden bytes are little endian";
  EXPECT_EQ(written({1, 2}, "key12", "ping", true, {}),
            from_hex("47494f50 0102 01 00 2c000000  07000000 03 000000 0000 0000 05000000 6b65793132 000000"
                     "05000000 70696e6700 000000 00000000 00000000"));
  EXPECT_EQ(written({1, 2}, "key", "ping", false, {}),
            from_hex("47494f50 0102 01 00 24000000  07000000 00 000000 0000 0000 03000000 6b6579 00"
                     "05000000 70696e6700 000000 00000000"));
  EXPECT_EQ(written({1, 1}, "key12", "ping", true, {}),
            from_hex("47494f50 0101 01 00 2c000000  00000000 07000000 01 000000 05000000 6b65793132 000000"
                     "05000000 70696e6700 000000 04000000 00000000"));
  EXPECT_EQ(written({1, 0}, "key", "ping", false, {}),
            from_hex("47494f50 0100 01 00 24000000  00000000 07000000 00 000000 03000000 6b6579 00"
                     "05000000 70696e6700 000000 00000000"));
  EXPECT_EQ(written({1, 2}, "key", "ping", true, {{1, "ab"}}),
            from_hex("47494f50 0102 01 00 34000000  07000000 03 000000 0000 0000 03000000 6b6579 00"
                     "05000000 70696e6700 000000 01000000 01000000 02000000 6162 000000000000"));
}

TEST(GoldenRequests, CancelRequestIsWrittenByteForByte) {
  if (!cdr::kHostIsLittleEndian) GTEST_SKIP() << "the golden bytes are little endian";
  char bytes[kCancelRequestSize];
  write_cancel_request(bytes, {1, 1}, 0x0a0b0c0d);
  EXPECT_EQ(std::string(bytes, sizeof bytes), from_hex("47494f50 0101 01 02 04000000 0d0c0b0a"));
}

}  // namespace
}  // namespace corbel::giop
