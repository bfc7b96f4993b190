#include "orb/giop/fragments.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "orb/giop/reply.h"
#include "tests/unit/ior/wire.h"

namespace corbel::giop {
namespace {

using Result = Assembler::Result;
using test::Wire;

enum : unsigned { kRequest, kReply, kCancel, kLocateRequest, kLocateReply, kClose, kError, kFragment };

std::string message(bool big, unsigned minor, unsigned type, bool more, std::string_view body) {
  Wire w(big, "GIOP");
  w.octet(1).octet(minor).octet((big ? 0u : 1u) | (more ? 2u : 0u)).octet(type);
  return w.u32(static_cast<std::uint32_t>(body.size())).raw(body).bytes();
}

std::string id_bytes(bool big, std::uint32_t id) { return Wire(big).u32(id).bytes(); }

// A Fragment of 1.2 carries the request id before its octets, one of 1.1 nothing.
std::string fragment(bool big, unsigned minor, std::uint32_t id, bool more, std::string_view octets) {
  return message(big, minor, kFragment, more, (minor == 2 ? id_bytes(big, id) : "") + std::string(octets));
}

std::string octets(std::size_t size, unsigned seed = 0) {
  std::string s(size, '\0');
  for (std::size_t i = 0; i < size; ++i) s[i] = static_cast<char>(i * 7 + seed);
  return s;
}

struct Pool {
  explicit Pool(std::uint64_t max_size = 1 << 20, std::uint64_t max_pending = 1 << 20)
      : assembler(max_size, in_use, max_pending) {}
  Result add(const std::string& bytes) {
    Header h;
    EXPECT_EQ(parse(bytes.data(), h), ParseResult::Ok);
    const std::vector<char> exact(bytes.begin(), bytes.end());
    std::size_t size = 0;
    const Result result = assembler.add(h, exact.data(), exact.size(), memory, size, fragments);
    if (result == Result::Complete) whole.assign(memory.data(), size);
    return result;
  }
  std::atomic<std::uint64_t> in_use{0};
  base::Memory memory;
  const cdr::Fragments* fragments = nullptr;
  std::string whole;
  Assembler assembler;
};

class Fragments : public testing::TestWithParam<std::tuple<bool, unsigned>> {
 protected:
  bool big() const { return std::get<0>(GetParam()); }
  unsigned minor() const { return std::get<1>(GetParam()); }
  // Body of a message: 1.2 begins with the request id, 1.1 with an empty list of contexts and the request id.
  std::string body(std::uint32_t id, std::size_t size, unsigned seed = 0) const {
    return (minor() == 2 ? "" : id_bytes(big(), 0)) + id_bytes(big(), id) + octets(size, seed);
  }
  std::string first(std::string_view b, unsigned type = kRequest) const {
    return message(big(), minor(), type, true, b);
  }
  std::string next(std::uint32_t id, bool more, std::string_view o) const {
    return fragment(big(), minor(), id, more, o);
  }
  std::string entire(std::string_view b, unsigned type = kRequest) const {
    return message(big(), minor(), type, false, b);
  }
  std::string cancel(std::uint32_t id) const {
    return message(big(), minor(), kCancel, false, id_bytes(big(), id));
  }
};
INSTANTIATE_TEST_SUITE_P(, Fragments, testing::Combine(testing::Bool(), testing::Values(1u, 2u)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param) ? "Big" : "Little") + "1_" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST_P(Fragments, CutAnywhereGiveTheWholeMessage) {
  const std::string b = body(9, 40);
  for (std::size_t cut = 8; cut <= b.size(); ++cut) {
    for (std::size_t second = cut; second <= b.size(); second += 3) {
      Pool pool;
      ASSERT_EQ(pool.add(first(b.substr(0, cut), kReply)), Result::Pending);
      ASSERT_EQ(pool.add(next(9, true, b.substr(cut, second - cut))), Result::Pending);
      ASSERT_EQ(pool.add(next(9, false, b.substr(second))), Result::Complete);
      EXPECT_EQ(pool.whole, entire(b, kReply));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pool.memory.data()) % 16, 0u);
      EXPECT_EQ(pool.in_use, 0u);
      EXPECT_FALSE(pool.assembler.pending());
    }
  }
}

TEST_P(Fragments, ManyOfThemGrowTheMemory) {
  Pool pool;
  std::string b = body(9, 0);
  ASSERT_EQ(pool.add(first(b)), Result::Pending);
  for (unsigned i = 0; i < 500; ++i) {
    b += octets(i % 97, i);
    ASSERT_EQ(pool.add(next(9, true, octets(i % 97, i))), Result::Pending);
    EXPECT_GE(pool.in_use, b.size());
  }
  ASSERT_EQ(pool.add(next(9, false, "")), Result::Complete);
  EXPECT_EQ(pool.whole, entire(b));
}

TEST_P(Fragments, LeaveWholeMessagesAlone) {
  Pool pool;
  ASSERT_EQ(pool.add(first(body(9, 4))), Result::Pending);
  EXPECT_EQ(pool.add(entire(body(10, 4))), Result::PassThrough);
  EXPECT_EQ(pool.add(next(9, false, "")), Result::Complete);
}

TEST_P(Fragments, OfNoMessageAreHandedBack) {
  Pool pool;
  EXPECT_EQ(pool.add(next(9, false, "lost")), Result::PassThrough);
  EXPECT_EQ(pool.in_use, 0u);
}

TEST_P(Fragments, OfTheOtherByteOrderAreRefused) {
  Pool pool;
  ASSERT_EQ(pool.add(first(body(0, 4))), Result::Pending);
  EXPECT_EQ(pool.add(fragment(!big(), minor(), 0, false, "data")), Result::ProtocolError);
}

TEST_P(Fragments, OfTheOtherVersionAreRefused) {
  Pool pool;
  ASSERT_EQ(pool.add(first(body(0, 4))), Result::Pending);
  EXPECT_EQ(pool.add(fragment(big(), 3 - minor(), 0, false, "data")), Result::ProtocolError);
}

TEST_P(Fragments, CannotBeginTwice) {
  Pool pool;
  ASSERT_EQ(pool.add(first(body(9, 4))), Result::Pending);
  EXPECT_EQ(pool.add(first(body(9, 4))), Result::ProtocolError);
}

TEST_P(Fragments, AreForTheTypesOfTheVersionOnly) {
  for (const unsigned type : {kRequest, kReply, kLocateRequest, kLocateReply, kClose, kError}) {
    Pool pool;
    const bool locate = type == kLocateRequest || type == kLocateReply;
    const bool allowed = type == kRequest || type == kReply || (locate && minor() == 2);
    EXPECT_EQ(pool.add(first(body(9, 4), type)), allowed ? Result::Pending : Result::ProtocolError) << type;
  }
}

TEST_P(Fragments, OverTheMessageLimitAreRefusedAndForgotten) {
  Pool pool(100);
  ASSERT_EQ(pool.add(first(body(9, 30))), Result::Pending);
  const std::size_t left = 100 - kHeaderSize - body(9, 30).size();
  ASSERT_EQ(pool.add(next(9, true, octets(left))), Result::Pending);
  EXPECT_EQ(pool.add(next(9, false, "x")), Result::TooLarge);
  EXPECT_EQ(pool.in_use, 0u);
  EXPECT_EQ(pool.add(first(body(9, 100))), Result::TooLarge);
  EXPECT_FALSE(pool.assembler.pending());
}

TEST_P(Fragments, ShareTheBoundOfPendingBytes) {
  std::atomic<std::uint64_t> in_use{0};
  base::Memory memory;
  std::size_t size;
  const cdr::Fragments* fragments = nullptr;
  const std::string start = first(body(9, 1000));
  Header h;
  ASSERT_EQ(parse(start.data(), h), ParseResult::Ok);
  {
    Assembler one(1 << 20, in_use, 1500), two(1 << 20, in_use, 1500);
    EXPECT_EQ(one.add(h, start.data(), start.size(), memory, size, fragments), Result::Pending);
    EXPECT_EQ(two.add(h, start.data(), start.size(), memory, size, fragments), Result::TooLarge);
    EXPECT_EQ(in_use, start.size());
  }
  EXPECT_EQ(in_use, 0u) << "an assembler that goes gives back what it holds";
}

TEST_P(Fragments, OfACancelledMessageAreDropped) {
  Pool pool;
  ASSERT_EQ(pool.add(first(body(9, 4))), Result::Pending);
  EXPECT_EQ(pool.add(cancel(9)), Result::PassThrough);
  EXPECT_FALSE(pool.assembler.pending());
  EXPECT_EQ(pool.in_use, 0u);
  EXPECT_EQ(pool.add(next(9, false, "late")), Result::PassThrough);
}

TEST_P(Fragments, StayWhenAnotherMessageIsCancelled) {
  for (const std::uint32_t id : {9u, 0u}) {
    Pool pool;
    ASSERT_EQ(pool.add(first(body(id, 4))), Result::Pending);
    EXPECT_EQ(pool.add(cancel(8)), Result::PassThrough);
    EXPECT_EQ(pool.add(next(id, false, "end")), Result::Complete);
  }
}

TEST_P(Fragments, StayWhenTheOtherVersionIsCancelled) {
  Pool pool;
  ASSERT_EQ(pool.add(first(body(0, 4))), Result::Pending);
  EXPECT_EQ(pool.add(message(big(), 3 - minor(), kCancel, false, id_bytes(big(), 0))), Result::PassThrough);
  EXPECT_TRUE(pool.assembler.pending());
}

TEST(InterleavedFragments, OfTwelveAreSortedByRequestId) {
  Pool pool;
  const auto begin = [&](std::uint32_t id) {
    return message(true, 2, kReply, true, id_bytes(true, id) + "b");
  };
  ASSERT_EQ(pool.add(begin(1)), Result::Pending);
  ASSERT_EQ(pool.add(begin(2)), Result::Pending);
  ASSERT_EQ(pool.add(begin(3)), Result::Pending);
  ASSERT_EQ(pool.add(fragment(true, 2, 2, true, "two")), Result::Pending);
  ASSERT_EQ(pool.add(fragment(true, 2, 1, false, "one")), Result::Complete);
  EXPECT_EQ(pool.whole, message(true, 2, kReply, false, id_bytes(true, 1) + "bone"));
  ASSERT_EQ(pool.add(fragment(true, 2, 3, false, "")), Result::Complete);
  EXPECT_EQ(pool.whole, message(true, 2, kReply, false, id_bytes(true, 3) + "b"));
  ASSERT_EQ(pool.add(fragment(true, 2, 2, false, "end")), Result::Complete);
  EXPECT_EQ(pool.whole, message(true, 2, kReply, false, id_bytes(true, 2) + "btwoend"));
  EXPECT_EQ(pool.in_use, 0u);
}

TEST(InterleavedFragments, AreBoundedInNumber) {
  Pool pool;
  for (std::uint32_t id = 0; id < Assembler::kMostPending; ++id)
    ASSERT_EQ(pool.add(message(true, 2, kRequest, true, id_bytes(true, id))), Result::Pending);
  EXPECT_EQ(pool.add(message(true, 2, kRequest, true, id_bytes(true, 1000))), Result::TooLarge);
}

TEST(InterleavedFragments, OfRepliesThatNobodyWaitsForAreForgottenWhenSomethingElseComes) {
  Pool pool;
  std::uint32_t awaited = 1;
  pool.assembler.keep_only(
      [](void* by, std::uint32_t id) { return id == *static_cast<const std::uint32_t*>(by); }, &awaited);
  const auto first = [](std::uint32_t id, unsigned type = kReply) {
    return message(true, 2, type, true, id_bytes(true, id) + "begin");
  };
  ASSERT_EQ(pool.add(first(1)), Result::Pending);
  const std::uint64_t one = pool.in_use;
  for (std::uint32_t id = 2; id < 2 + 2 * Assembler::kMostPending; ++id)
    ASSERT_EQ(pool.add(first(id, id % 2 == 0 ? kReply : kLocateReply)), Result::Pending);
  ASSERT_EQ(pool.add(fragment(true, 2, 2, true, "more")), Result::PassThrough);
  EXPECT_EQ(pool.in_use, one);
  ASSERT_EQ(pool.add(fragment(true, 2, 1, true, "more")), Result::Pending);
  awaited = 2;  // 1 has been given up
  ASSERT_EQ(pool.add(fragment(true, 2, 1, false, "end")), Result::PassThrough);
  EXPECT_EQ(pool.in_use, 0u);
  ASSERT_EQ(pool.add(first(2)), Result::Pending);
  ASSERT_EQ(pool.add(first(3, kRequest)), Result::Pending);  // of the other direction
  ASSERT_EQ(pool.add(fragment(true, 2, 2, false, "end")), Result::Complete);
  EXPECT_EQ(pool.whole, message(true, 2, kReply, false, id_bytes(true, 2) + "beginend"));
  ASSERT_EQ(pool.add(fragment(true, 2, 3, false, "end")), Result::Complete);
  EXPECT_EQ(pool.in_use, 0u);
}

// Their ids stand behind the service contexts, so they may not have arrived yet.
TEST(FragmentsOfEleven, OfAReplyThatNobodyWaitsForAreForgottenWhenAnotherMessageBegins) {
  Pool pool;
  std::uint32_t awaited = 1;
  pool.assembler.keep_only(
      [](void* by, std::uint32_t id) { return id == *static_cast<const std::uint32_t*>(by); }, &awaited);
  const auto first = [](std::uint32_t id) {
    return message(true, 1, kReply, true, id_bytes(true, 0) + id_bytes(true, id) + "begin");
  };
  ASSERT_EQ(pool.add(first(1)), Result::Pending);
  ASSERT_EQ(pool.add(first(2)), Result::ProtocolError);  // somebody waits for the one that is under way
  const std::uint64_t one = pool.in_use;
  awaited = 2;
  ASSERT_EQ(pool.add(fragment(true, 1, 0, true, "more")), Result::Pending);
  for (std::uint32_t id = 3; id < 100; ++id) ASSERT_EQ(pool.add(first(id)), Result::Pending);
  ASSERT_EQ(pool.add(first(2)), Result::Pending);
  EXPECT_EQ(pool.in_use, one);
  ASSERT_EQ(pool.add(fragment(true, 1, 0, false, "end")), Result::Complete);
  EXPECT_EQ(pool.whole, message(true, 1, kReply, false, id_bytes(true, 0) + id_bytes(true, 2) + "beginend"));
  EXPECT_EQ(pool.in_use, 0u);
  ASSERT_EQ(pool.add(message(true, 1, kReply, true, id_bytes(true, 0) + "xx")), Result::Pending);
  EXPECT_EQ(pool.add(first(2)), Result::ProtocolError);
}

TEST(ShortFragments, WithoutARequestIdAreRefused) {
  for (std::size_t size = 0; size < 4; ++size) {
    Pool pool;
    EXPECT_EQ(pool.add(message(true, 2, kRequest, true, octets(size))), Result::ProtocolError);
    EXPECT_EQ(pool.add(message(true, 2, kFragment, true, octets(size))), Result::ProtocolError);
    EXPECT_EQ(pool.add(message(true, 1, kCancel, false, octets(size))), Result::ProtocolError);
  }
}

TEST(ShortFragments, OfElevenMayBeEmpty) {
  Pool pool;
  ASSERT_EQ(pool.add(message(false, 1, kRequest, true, "")), Result::Pending);
  ASSERT_EQ(pool.add(message(false, 1, kCancel, false, id_bytes(false, 0))), Result::PassThrough);
  ASSERT_EQ(pool.add(message(false, 1, kFragment, true, "")), Result::Pending);
  ASSERT_EQ(pool.add(message(false, 1, kFragment, false, "rest")), Result::Complete);
  EXPECT_EQ(pool.whole, message(false, 1, kRequest, false, "rest"));
}

// Of 1.1 the request id stands behind the contexts. Where these end with a fragment it is the first of the
// next one, which counts alignment anew.
class BorderedContexts : public testing::TestWithParam<bool> {
 protected:
  std::string contexts(std::size_t size) const {
    return Wire(GetParam()).u32(1).u32(77).octets(octets(size)).bytes();
  }
};
INSTANTIATE_TEST_SUITE_P(, BorderedContexts, testing::Bool(),
                         [](const auto& info) { return info.param ? "Big" : "Little"; });

TEST_P(BorderedContexts, LeaveTheRequestIdWhereItIsFound) {
  for (std::size_t size = 0; size <= 8; ++size) {
    Pool pool;
    ASSERT_EQ(pool.add(message(GetParam(), 1, kReply, true, contexts(size))), Result::Pending);
    ASSERT_EQ(pool.add(fragment(GetParam(), 1, 0, false, Wire(GetParam()).u32(0x01020304).u32(0).bytes())),
              Result::Complete);
    Header header;
    ASSERT_EQ(parse(pool.whole.data(), header), ParseResult::Ok);
    const char* const whole = pool.memory.data();
    cdr::Decoder in(whole, whole + kHeaderSize, whole + pool.whole.size(), header.swap);
    if (pool.fragments) in.set_fragments(*pool.fragments);
    EXPECT_EQ(peek_reply_id(header, in), 0x01020304u) << size;
  }
}

TEST_P(BorderedContexts, LeaveTheMessageToBeCancelled) {
  for (std::size_t size = 0; size <= 8; ++size) {
    Pool pool;
    ASSERT_EQ(pool.add(message(GetParam(), 1, kRequest, true, contexts(size))), Result::Pending);
    ASSERT_EQ(pool.add(fragment(GetParam(), 1, 0, true, id_bytes(GetParam(), 0x01020304))), Result::Pending);
    ASSERT_EQ(pool.add(message(GetParam(), 1, kCancel, false, id_bytes(GetParam(), 0x01020304))),
              Result::PassThrough);
    EXPECT_FALSE(pool.assembler.pending()) << size;
  }
}

}  // namespace
}  // namespace corbel::giop
