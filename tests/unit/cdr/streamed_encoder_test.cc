// What an encoder writes is the same, octet by octet, whether it stays or leaves bit by bit through a sink.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include <corbel/cdr/encoder.h>

namespace corbel::cdr {
namespace {

// The octets up to `until` of own memory, externals in their places.
std::string octets(const Encoder& out, std::size_t from, std::size_t until) {
  std::string all;
  for (std::size_t i = 0; i < out.external_count(); ++i) {
    const External& e = out.externals()[i];
    if (e.at > until) break;
    all.append(out.data() + from, e.at - from).append(e.data, e.size);
    from = e.at;
  }
  return all.append(out.data() + from, until - from);
}

class Collector final : public Sink {
 public:
  Collector(std::size_t most, std::size_t begin)
      : Sink(most, [](Sink& self, Encoder& out) { return static_cast<Collector&>(self).collect(out); }),
        from_(begin) {}
  bool collect(Encoder& out) {
    if (refuses || out.settled() < limit() / 2) return false;
    std::string part = octets(out, from_, out.settled());
    const std::size_t rest = part.size() % 8;  // the body begins at a multiple of 8
    largest = std::max(largest, out.size());
    sent.append(part, 0, part.size() - rest);
    const std::string tail = part.substr(part.size() - rest);
    ++times;
    from_ = Encoder::kSentBegin;
    out.sent(out.settled(), tail.data(), rest);
    return true;
  }
  std::string all(const Encoder& out) const { return sent + octets(out, from_, out.size()); }

  std::string sent;
  std::size_t largest = 0;
  int times = 0;
  bool refuses = false;

 private:
  std::size_t from_;
};

// The same things in the same order for the same seed.
void write_many(Encoder& out, std::uint32_t seed, const std::vector<char>& large) {
  std::mt19937 random(seed);
  for (int i = 0; i < 4000; ++i) {
    switch (random() % 8) {
      case 0:
        out.put<std::uint8_t>(7);
        break;
      case 1:
        out.put(1.25);
        break;
      case 2:
        out.put<std::uint16_t>(static_cast<std::uint16_t>(i));
        break;
      case 3:
        out.put_string(std::string(random() % 60, 's').c_str());
        break;
      case 4:
        if (i % 100 == 0) out.put_string(std::string(random() % 70000, 'l').c_str());
        break;
      case 5:
        out.run<4>(large.data(), random() % 600 * 4);
        break;
      case 6:
        if (i % 50 == 0) out.run<8>(large.data(), Encoder::kExternalThreshold + random() % 5000 * 8);
        break;
      case 7: {
        char* const to = out.chunk<4>(100);
        std::memset(to, i, 100);
      }
    }
  }
}

TEST(StreamedEncoder, WritesWhatItWouldWriteWhole) {
  std::vector<char> large(128 * 1024);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 31);
  for (const bool externals : {false, true}) {
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
      Encoder whole;
      whole.reset(40);
      write_many(whole, seed, large);
      Collector sink(16 * 1024 + seed % 3 * 8, 40);
      Encoder out;
      out.set_sink(&sink);
      out.reset(40);
      out.allow_externals(externals);
      write_many(out, seed, large);
      ASSERT_FALSE(out.error());
      EXPECT_GT(sink.times, 10);
      EXPECT_EQ(out.offset(), whole.offset());
      EXPECT_TRUE(sink.all(out) == octets(whole, 40, whole.size())) << externals << ' ' << seed;
    }
  }
}

TEST(StreamedEncoder, HoldsNotMoreThanLeavesAtOnce) {
  Collector sink(64 * 1024, 24);
  Encoder out;
  out.set_sink(&sink);
  out.reset(24);
  for (int i = 0; i < 1'000'000; ++i) out.put_string("a string of a sequence that is long");
  EXPECT_LE(sink.largest, sink.limit() + 8);
  out.put_string(std::string(5'000'000, 'x').c_str());
  EXPECT_LE(sink.largest, sink.limit() + 8) << "a long string is copied bit by bit";
  const std::vector<char> run(3'000'000);
  out.run<1>(run.data(), run.size());
  EXPECT_LE(sink.largest, sink.limit() + 8) << "a run too";
  EXPECT_GT(sink.times, 600);
}

TEST(StreamedEncoder, KeepsWhatIsToBeFilledIn) {
  Collector sink(16 * 1024, 16);
  Encoder out;
  out.set_sink(&sink);
  out.reset(16);
  std::string expected;
  for (std::uint32_t i = 0; i < 10; ++i) {
    for (std::uint32_t k = 0; k < 3000; ++k) {
      out.put(k);
      expected.append(reinterpret_cast<const char*>(&k), 4);
    }
    out.put(std::uint32_t{0});
    const std::size_t mark = out.hold(4);
    const std::string text(20'000 + i * 4, static_cast<char>('a' + i));
    out.run<1>(text.data(), text.size());
    store(out.held(mark), i);
    out.let_go();
    expected.append(reinterpret_cast<const char*>(&i), 4).append(text);
  }
  EXPECT_GT(sink.times, 5);
  EXPECT_TRUE(sink.all(out) == expected);
}

TEST(StreamedEncoder, GrowsWhereTheSinkTakesNothing) {
  Collector sink(16 * 1024, 16);
  sink.refuses = true;
  Encoder out;
  out.set_sink(&sink);
  out.reset(16);
  for (std::uint32_t i = 0; i < 100'000; ++i) out.put(i);
  EXPECT_EQ(out.size(), 16 + 400'000u);
  EXPECT_EQ(load<std::uint32_t>(out.data() + 16 + 4 * 99'999, false), 99'999u);
}

TEST(StreamedEncoder, EndsAt2GiBInAllThoughMemoryIsSmall) {
  Sink sink(1 << 20, [](Sink&, Encoder& out) {
    out.sent(out.settled(), "12345678", out.offset() % 8);
    return true;
  });
  Encoder out;
  out.set_sink(&sink);
  out.reset();
  const std::vector<char> run(1 << 20);
  for (int i = 0; i < 2047; ++i) out.run<1>(run.data(), run.size());
  EXPECT_FALSE(out.error());
  out.run<1>(run.data(), run.size());
  EXPECT_EQ(out.error().id, SystemErrorId::IMP_LIMIT);
}

}  // namespace
}  // namespace corbel::cdr
