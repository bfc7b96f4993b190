#include "orb/core/message_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <new>
#include <string>
#include <utility>

#include "orb/giop/fragment_cutter.h"
#include "orb/giop/request.h"

namespace {
thread_local int allocations_left = -1;  // by operator new; -1: as many as there is memory for
}  // namespace

void* operator new(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace corbel::core {
namespace {

// A Request of 1.2 of so many octets in all, whose contents depend on `seed`.
std::string request(std::size_t size, std::size_t seed) {
  std::string m(size, '\0');
  for (std::size_t i = 0; i < size; ++i) m[i] = static_cast<char>(i * 31 + i / 256 + seed);
  giop::write(m.data(), giop::MessageType::Request, {1, 2},
              static_cast<std::uint32_t>(size - giop::kHeaderSize));
  return m;
}

// A peer that has sent everything already: each read fills all the memory that the reader offers, `most`
// octets of it.
class Reading {
 public:
  Reading(std::string octets, std::size_t most = SIZE_MAX) : octets_(std::move(octets)), most_(most) {}

  // The next message, copied; empty at the end.
  std::string next() {
    Message message;
    while (reader_.next(message) != MessageReader::Status::Message) {
      if (at_ == octets_.size()) return {};
      const auto space = reader_.space();
      const std::size_t bytes = std::min({space.size, most_, octets_.size() - at_});
      std::memcpy(space.at, octets_.data() + at_, bytes);
      reader_.commit(bytes);
      at_ += bytes;
      ++reads_;
      most_at_once_ = std::max(most_at_once_, bytes);
    }
    at_16_ = (reinterpret_cast<std::uintptr_t>(message.data) & 15) == 0;
    return {message.data, message.size};
  }
  void say(const std::string& octets) { octets_ += octets; }
  bool at_16() const { return at_16_; }
  int reads() const { return reads_; }
  std::size_t most_at_once() const { return most_at_once_; }
  MessageReader& reader() { return reader_; }

 private:
  Options options_;
  std::atomic<std::uint64_t> pending_{0};
  MessageReader reader_{options_, pending_};
  std::string octets_;
  const std::size_t most_;
  std::size_t at_ = 0, most_at_once_ = 0;
  int reads_ = 0;
  bool at_16_ = false;
};

void expect_all(std::size_t size, std::size_t count, std::size_t most_at_once) {
  std::string octets;
  for (std::size_t i = 0; i < count; ++i) octets += request(size, i);
  Reading reading(octets, most_at_once);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(reading.next(), request(size, i)) << size << ' ' << i;
  EXPECT_EQ(reading.next(), "");
}

TEST(MessageReader, SmallMessagesThatFollowEachOtherAreReadManyAtOnce) {
  constexpr std::size_t kSize = 8276, kCount = 640;
  std::string octets;
  for (std::size_t i = 0; i < kCount; ++i) octets += request(kSize, i);
  Reading reading(octets);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(reading.next(), request(kSize, i)) << i;
  EXPECT_EQ(reading.next(), "");
  EXPECT_LT(reading.reads(), static_cast<int>(kCount / 10));
  EXPECT_LE(reading.most_at_once(), std::size_t{128 * 1024});
}

TEST(MessageReader, ALargeMessageIsReadWithLittleOfWhatFollows) {
  constexpr std::size_t kSize = 200'000;
  Reading reading(request(kSize, 1) + request(kSize, 2) + request(kSize, 3));
  for (const std::size_t i : {1, 2, 3}) ASSERT_EQ(reading.next(), request(kSize, i));
  EXPECT_LT(reading.most_at_once(), kSize + 8192);
}

TEST(MessageReader, KeepsMessagesWholeWhereverTheReadsEnd) {
  for (const std::size_t size : {12, 13, 68, 1023, 1024, 1025, 8276, 16383, 16384, 16385, 65620, 131156})
    for (const std::size_t most : {std::size_t{1000}, std::size_t{4097}, std::size_t{65536}, SIZE_MAX})
      expect_all(size, 10, most);
}

TEST(MessageReader, PutsFragmentedMessagesOfAnySizeTogether) {
  const std::size_t sizes[] = {3'000'000, 70'000, 3'000'000, 1'200'000, 5'000'000, 300};
  std::string octets;
  for (const std::size_t size : sizes) {
    std::string whole = request(size, size);
    iovec part{whole.data(), whole.size()};
    giop::FragmentCutter cutter(&part, size, 65'536);
    iovec pieces[giop::FragmentCutter::kMostPieces];
    while (const int count = cutter.next(pieces))
      for (int i = 0; i < count; ++i)
        octets.append(static_cast<const char*>(pieces[i].iov_base), pieces[i].iov_len);
  }
  for (const std::size_t most : {std::size_t{50'000}, SIZE_MAX}) {
    Reading reading(octets, most);
    for (const std::size_t size : sizes) ASSERT_TRUE(reading.next() == request(size, size)) << size;
    EXPECT_EQ(reading.next(), "");
  }
}

// The message in a first part of `first` octets and fragments that carry `each`, or none, `count` of them
// before the last one, which has the rest.
std::string in_fragments(const std::string& whole, std::size_t first, std::size_t each, std::size_t count) {
  std::string octets = whole.substr(0, first);
  giop::write(octets.data(), giop::MessageType::Request, {1, 2},
              static_cast<std::uint32_t>(first - giop::kHeaderSize));
  octets[6] |= 2;
  for (std::size_t i = 0, at = first; i <= count; ++i, at += each) {
    const std::string carried = whole.substr(at, i == count ? whole.size() - at : each);
    char header[giop::kHeaderSize];
    giop::write(header, giop::MessageType::Fragment, {1, 2}, static_cast<std::uint32_t>(4 + carried.size()));
    if (i != count) header[6] |= 2;
    octets.append(header, sizeof header).append(whole, giop::kHeaderSize, 4).append(carried);
  }
  return octets;
}

TEST(MessageReader, PutsMessagesInSmallFragmentsTogetherWhateverFollowsThem) {
  const struct {
    std::size_t size, first, each, count;
  } cut[] = {{60, 20, 0, 5},  {61, 17, 3, 9},     {300, 299, 0, 300}, {100, 16, 7, 11}, {5000, 33, 31, 100},
             {16, 16, 0, 40}, {9000, 40, 1, 800}, {77, 30, 13, 2},    {200, 200, 0, 0}};
  std::string octets;
  for (const auto& c : cut)
    octets += in_fragments(request(c.size, 1), c.first, c.each, c.count) + request(33, 2);
  for (const std::size_t most :
       {std::size_t{1}, std::size_t{7}, std::size_t{100}, std::size_t{3000}, SIZE_MAX}) {
    Reading reading(octets, most);
    for (const auto& c : cut) {
      ASSERT_EQ(reading.next(), request(c.size, 1)) << c.size << ' ' << most;
      EXPECT_TRUE(reading.at_16());
      ASSERT_EQ(reading.next(), request(33, 2)) << c.size << ' ' << most;
    }
    EXPECT_EQ(reading.next(), "");
  }
}

// Behind a large message, whose memory is kept, and read into at once.
std::clock_t time_of(const std::string& octets) {
  Reading reading(request(octets.size(), 1));
  EXPECT_FALSE(reading.next().empty());
  reading.say(octets);
  const std::clock_t begun = std::clock();
  while (!reading.next().empty()) {
  }
  return std::clock() - begun;
}

// What is buffered behind a fragment is not moved for each: that would take seconds.
TEST(MessageReader, ManySmallFragmentsTakeTimeInProportionToTheirNumber) {
  constexpr std::size_t kSize = 1'500'000;
  const std::string one = in_fragments(request(61, 1), 20, 0, 1);
  std::string many;
  while (many.size() < kSize) many += one;
  EXPECT_LT(time_of(in_fragments(request(61, 1), 20, 0, kSize / 16)), CLOCKS_PER_SEC / 4);
  EXPECT_LT(time_of(many), CLOCKS_PER_SEC / 4);
}

TEST(MessageReader, SmallMessagesStandAligned) {
  std::string octets;
  for (std::size_t i = 0; i < 100; ++i) octets += request(61 + i, i);
  Reading reading(octets);
  for (std::size_t i = 0; i < 100; ++i) {
    ASSERT_EQ(reading.next(), request(61 + i, i));
    EXPECT_TRUE(reading.at_16());
  }
}

// The bound is one for what is incomplete, all of it once: as large may a message be that comes little by
// little.
TEST(MessageReader, WhatAMessageHoldsAlreadyCountsOnce) {
  for (const bool cut : {false, true}) {
    std::string octets = request(120'000, 1);
    if (cut) {
      const iovec whole{octets.data(), octets.size()};
      giop::FragmentCutter cutter(&whole, octets.size(), 40'000);
      std::string pieces;
      iovec piece[giop::FragmentCutter::kMostPieces];
      while (const int count = cutter.next(piece))
        for (int i = 0; i < count; ++i)
          pieces.append(static_cast<char*>(piece[i].iov_base), piece[i].iov_len);
      octets = pieces;
    }
    for (const std::uint64_t most : {100'000u, 150'000u}) {
      Options options;
      options.max_pending_bytes = most;
      std::atomic<std::uint64_t> pending{0};
      MessageReader reader(options, pending);
      Message message;
      auto status = MessageReader::Status::NeedMore;
      for (std::size_t at = 0; at < octets.size() && status == MessageReader::Status::NeedMore;) {
        const auto space = reader.space();
        const std::size_t bytes = std::min({space.size, std::size_t{5000}, octets.size() - at});
        std::memcpy(space.at, octets.data() + at, bytes);
        reader.commit(bytes);
        at += bytes;
        status = reader.next(message);
      }
      EXPECT_EQ(status, most < 120'000 ? MessageReader::Status::TooLarge : MessageReader::Status::Message)
          << most << (cut ? " in fragments" : "");
    }
  }
}

// As peers of either byte order write a message; nothing is taken before all of it is there.
template <bool Swap>
void expect_found_at_once(const char* begins_with, const char* other) {
  Options options;
  std::atomic<std::uint64_t> pending{0};
  MessageReader reader(options, pending);
  std::string octets = request(77, 5);
  cdr::store(octets.data() + 8, cdr::load<std::uint32_t>(octets.data() + 8, Swap));
  octets[6] = begins_with[6];
  std::memcpy(reader.space().at, octets.data(), octets.size() - 1);
  reader.commit(octets.size() - 1);
  Message message;
  EXPECT_FALSE(reader.next_is_all<Swap>(begins_with, message));
  *reader.space().at = octets.back();
  reader.commit(1);
  EXPECT_FALSE(reader.next_is_all<!Swap>(other, message));
  ASSERT_TRUE(reader.next_is_all<Swap>(begins_with, message));
  EXPECT_EQ(message.header.swap, Swap);
  EXPECT_EQ(message.header.size, 77 - giop::kHeaderSize);
  EXPECT_EQ(std::string(message.data, message.size), octets);
}

TEST(MessageReader, FindsRequestsInEitherByteOrderAtOnce) {
  expect_found_at_once<false>(giop::kCommonRequest, giop::kSwappedRequest);
  expect_found_at_once<true>(giop::kSwappedRequest, giop::kCommonRequest);
}

TEST(MessageReader, ReadsIntoMemoryThatIsLentUnlessSomethingIsThere) {
  const Options options;
  std::atomic<std::uint64_t> pending{0};
  MessageReader reader(options, pending);
  base::Memory lent(64 * 1024);
  char* const first = lent.data();
  reader.read_into(lent);
  EXPECT_EQ(reader.space().at, first);
  EXPECT_EQ(reader.space().size, std::size_t{64 * 1024});
  std::memcpy(reader.space().at, "GIOP", 4);
  reader.commit(4);
  base::Memory other(64 * 1024);
  reader.read_into(other);
  EXPECT_EQ(reader.space().at, first + 4);
}

// Stands in for the library: expands to what is claimed, and does something meanwhile.
class Expanding : public Compression {
 public:
  bool expected() const override { return true; }
  Expanded expand(const giop::Header&, const char* message, std::size_t, std::size_t most,
                  base::Memory& memory, std::size_t& expanded) override {
    const std::size_t claim = cdr::load<std::uint32_t>(message + giop::kHeaderSize + 4, false);
    expanded = giop::kHeaderSize + claim;
    if (expanded > most) return Expanded::TooLarge;
    if (const auto now = std::exchange(meanwhile, nullptr)) now();
    const std::string whole = request(expanded, 0);
    memory = base::Memory(expanded);
    std::memcpy(memory.data(), whole.data(), expanded);
    return Expanded::Yes;
  }
  bool compress(const Compressing&, const iovec*, int, base::Memory&, std::size_t&) override { return false; }
  Compressing for_request(const CallSettings&, const std::string&, std::string&) override { return {}; }
  Compressing for_reply(const CallSettings&, const char*, std::size_t) override { return {}; }
  void expose(const CallSettings&, std::vector<ior::PolicyValue>&) override {}

  std::function<void()> meanwhile;  // of the next
};

// A compressed message that claims to stand for so many octets, header included.
std::string claiming(std::size_t size) {
  std::string m = request(giop::kHeaderSize + 12, 0);
  m[0] = 'Z';
  cdr::store(m.data() + giop::kHeaderSize + 4, static_cast<std::uint32_t>(size - giop::kHeaderSize));
  return m;
}

TEST(MessageReader, WhatIsBeingExpandedCountsForAllOthers) {
  constexpr std::size_t kSize = 200'000;
  Options options;
  options.max_pending_bytes = 300'000;
  std::atomic<std::uint64_t> pending{0};
  Expanding compression;
  const auto outcome = [&](std::size_t size) {
    MessageReader reader(options, pending);
    reader.expect_compressed(&compression);
    Message message;
    EXPECT_EQ(reader.next(message), MessageReader::Status::NeedMore);
    const std::string octets = claiming(size);
    std::memcpy(reader.space().at, octets.data(), octets.size());
    reader.commit(octets.size());
    return reader.next(message);
  };
  EXPECT_EQ(outcome(kSize), MessageReader::Status::Message);
  MessageReader::Status large{}, small{};
  compression.meanwhile = [&] {
    large = outcome(kSize);
    small = outcome(1000);
  };
  EXPECT_EQ(outcome(kSize), MessageReader::Status::Message);
  EXPECT_EQ(large, MessageReader::Status::TooLarge);
  EXPECT_EQ(small, MessageReader::Status::Message);
  EXPECT_EQ(pending, 0u);
  EXPECT_EQ(outcome(400'000), MessageReader::Status::TooLarge);
  EXPECT_EQ(pending, 0u);
  EXPECT_EQ(outcome(kSize), MessageReader::Status::Message);
}

// As what is too large: whoever reads has a role that others wait for, and ends the connection.
TEST(MessageReader, SaysSoWhereThereIsNoMemoryForFragmentsThatAreMixed) {
  std::string first = request(200, 1), second = request(200, 2);
  first[6] |= 2;
  second[6] |= 2;
  second[giop::kHeaderSize] = static_cast<char>(first[giop::kHeaderSize] + 1);
  const std::string octets = first + second;
  Options options;
  std::atomic<std::uint64_t> pending{0};
  MessageReader reader(options, pending);
  const auto space = reader.space();
  ASSERT_GE(space.size, octets.size());
  std::memcpy(space.at, octets.data(), octets.size());
  reader.commit(octets.size());
  Message message;
  allocations_left = 0;
  MessageReader::Status status = MessageReader::Status::NeedMore;
  bool thrown = false;
  try {
    status = reader.next(message);
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  allocations_left = -1;
  EXPECT_FALSE(thrown);
  EXPECT_EQ(status, MessageReader::Status::TooLarge);
}

TEST(MessageReader, KeepsNoMemoryOnceItIsIdle) {
  Reading reading(request(8276, 0) + request(8276, 1) + request(8276, 2) + request(8276, 3));
  for (int i = 0; i < 4; ++i) ASSERT_NE(reading.next(), "");
  EXPECT_GE(reading.reader().space().size, std::size_t{128 * 1024});
  reading.reader().trim();
  EXPECT_EQ(reading.reader().space().size, std::size_t{16 * 1024});
}

TEST(MessageReader, KeepsLittleMemoryForTheBeginningOfASmallMessage) {
  std::string octets;
  for (std::size_t i = 0; i < 5; ++i) octets += request(8276, i);
  const Options options;
  std::atomic<std::uint64_t> pending{0};
  MessageReader reader(options, pending);
  std::size_t at = 0;
  std::string last;
  const auto read = [&](std::size_t until) {
    while (at < until) {
      const auto space = reader.space();
      const std::size_t bytes = std::min(space.size, until - at);
      std::memcpy(space.at, octets.data() + at, bytes);
      reader.commit(bytes);
      at += bytes;
      for (Message message; reader.next(message) == MessageReader::Status::Message;)
        last = {message.data, message.size};
    }
  };
  read(octets.size() - 1000);
  EXPECT_EQ(last, request(8276, 3));
  EXPECT_GT(reader.space().size, std::size_t{64 * 1024});
  reader.trim();
  EXPECT_LE(reader.space().size, std::size_t{16 * 1024});
  read(octets.size());
  EXPECT_EQ(last, request(8276, 4));
}

}  // namespace
}  // namespace corbel::core
