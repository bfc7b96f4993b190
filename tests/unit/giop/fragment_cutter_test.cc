#include "orb/giop/fragment_cutter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "orb/giop/fragments.h"

namespace corbel::giop {
namespace {

// A Reply of 1.2 with request id 7 and so many octets in all, each its index.
std::string reply(std::size_t size) {
  std::string m(size, '\0');
  for (std::size_t i = 0; i < size; ++i) m[i] = static_cast<char>(i * 31 + i / 256);
  write(m.data(), MessageType::Reply, {1, 2}, static_cast<std::uint32_t>(size - kHeaderSize));
  cdr::store(m.data() + kHeaderSize, std::uint32_t{7});
  return m;
}

// The messages that come out, each in one piece.
std::vector<std::string> cut(const std::string& message, const std::vector<std::size_t>& borders,
                             std::size_t fragment_size) {
  std::vector<iovec> parts;
  std::size_t from = 0;
  for (const std::size_t to : borders) {
    parts.push_back({const_cast<char*>(message.data()) + from, to - from});
    from = to;
  }
  parts.push_back({const_cast<char*>(message.data()) + from, message.size() - from});
  FragmentCutter cutter(parts.data(), message.size(), fragment_size);
  iovec pieces[FragmentCutter::kMostPieces];
  std::string wire;
  while (const int count = cutter.next(pieces)) {
    EXPECT_LE(count, FragmentCutter::kMostPieces);
    for (int i = 0; i < count; ++i) wire.append(static_cast<char*>(pieces[i].iov_base), pieces[i].iov_len);
  }
  std::vector<std::string> messages;
  for (std::size_t at = 0; at < wire.size();) {
    Header header;
    EXPECT_EQ(parse(wire.data() + at, header), ParseResult::Ok);
    messages.push_back(wire.substr(at, kHeaderSize + header.size));
    at += kHeaderSize + header.size;
  }
  return messages;
}

std::string put_together(const std::vector<std::string>& messages) {
  std::atomic<std::uint64_t> pending{0};
  Assembler assembler(1 << 30, pending, 1 << 30);
  base::Memory whole;
  std::size_t size = 0;
  const cdr::Fragments* fragments = nullptr;
  for (const std::string& m : messages) {
    Header header;
    EXPECT_EQ(parse(m.data(), header), ParseResult::Ok);
    const auto result = assembler.add(header, m.data(), m.size(), whole, size, fragments);
    EXPECT_EQ(result, &m == &messages.back() ? Assembler::Result::Complete : Assembler::Result::Pending);
  }
  EXPECT_EQ(fragments, nullptr);
  return std::string(whole.data(), size);
}

// How many fragments leave together, for each write.
std::vector<int> writes(std::size_t size, std::size_t fragment_size) {
  const std::string message = reply(size);
  const iovec part{const_cast<char*>(message.data()), message.size()};
  FragmentCutter cutter(&part, message.size(), fragment_size);
  iovec pieces[FragmentCutter::kMostPieces];
  std::vector<int> all;
  while (const int count = cutter.next(pieces)) all.push_back(count / 2);  // a header and what follows it
  return all;
}

TEST(FragmentCutter, ASmallRestLeavesWithTheFragmentBeforeIt) {
  EXPECT_EQ(writes(1'000'000 + 60 * 1024, 1'000'000), (std::vector{2}));
  EXPECT_EQ(writes(2'000'000 + 60 * 1024, 1'000'000), (std::vector{1, 2}));
}

TEST(FragmentCutter, BetweenLargeFragmentsOthersMayWrite) {
  EXPECT_EQ(writes(1'000'000 + 70 * 1024, 1'000'000), (std::vector{1, 1}));
}

TEST(FragmentCutter, PutTogetherItIsTheMessageAgain) {
  for (const std::size_t size : {1025, 1032, 1033, 2000, 2032, 2033, 2040, 2041, 100'000, 5'000'000}) {
    const std::string message = reply(size);
    EXPECT_EQ(put_together(cut(message, {}, 1024)), message) << size;
    EXPECT_EQ(put_together(cut(message, {24, 500, 500, 1020}, 1024)), message) << size;
  }
}

TEST(FragmentCutter, AllFragmentsButTheLastHaveTheSizeThatWasAskedFor) {
  const auto messages = cut(reply(100'000), {24, 60'000}, 8192);
  ASSERT_EQ(messages.size(), 13u);
  for (std::size_t i = 0; i + 1 < messages.size(); ++i) {
    EXPECT_EQ(messages[i].size(), 8192u);
    EXPECT_EQ(messages[i][6] & 2, 2);
    EXPECT_EQ(messages[i][7], static_cast<char>(i == 0 ? MessageType::Reply : MessageType::Fragment));
    EXPECT_EQ(cdr::load<std::uint32_t>(messages[i].data() + kHeaderSize, false), 7u);
  }
  EXPECT_EQ(messages.back()[6] & 2, 0);
  EXPECT_EQ(messages.back().size(), 100'000 + 12u * 16 - 12 * 8192);
}

TEST(FragmentCutter, TheMessageItselfStaysAsItWas) {
  const std::string message = reply(10'000), before = message;
  cut(message, {}, 1024);
  EXPECT_EQ(message, before);
}

TEST(FragmentCutter, MessagesInManyPartsAreCutAsWell) {
  const std::string message = reply(300'000);
  std::vector<std::size_t> borders;
  for (std::size_t i = 1; i < FragmentCutter::kMostParts; ++i) borders.push_back(i * 1111);
  EXPECT_EQ(put_together(cut(message, borders, 1024)), message);
}

}  // namespace
}  // namespace corbel::giop
