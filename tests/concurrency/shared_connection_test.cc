// Many threads on one connection, whose messages leave together: each gets its own answer, whatever the
// others do.
#include <atomic>
#include <future>
#include <set>
#include <thread>

#include "orb/ior/ior.h"
#include "tests/lifecycle/bare.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

class Shared : public testing::TestWithParam<const char*> {
 protected:
  Pair pair{{"-ORBcoalesceWrites", GetParam()}, {"-ORBcoalesceWrites", GetParam()}};
  // Runs `body(i)` in that many threads at once; gives what they raised, one behind the other.
  template <typename Body>
  std::string all(int count, Body body) {
    std::vector<std::future<std::string>> threads;
    for (int i = 0; i < count; ++i)
      threads.push_back(std::async(std::launch::async, [&, i] { return raised([&] { body(i); }); }));
    std::string failures;
    for (auto& t : threads)
      if (const std::string text = t.get(); text != "none") failures += text + ' ';
    return failures;
  }
};
INSTANTIATE_TEST_SUITE_P(Coalescing, Shared, testing::Values("0", "1"),
                         [](const auto& i) { return std::string(i.param); });

TEST_P(Shared, GivesEachThreadItsOwnAnswers) {
  EXPECT_EQ(all(16,
                [&](int t) {
                  for (int i = 0; i < 300; ++i) ASSERT_EQ(pair.remote->minus(t * 1000 + i), t * 1000 + i - 1);
                }),
            "");
}

// More threads than the wake-ups of one system call tell apart.
TEST_P(Shared, WakesEachOfHundredsOfThreads) {
  EXPECT_EQ(all(300,
                [&](int t) {
                  for (int i = 0; i < 10; ++i) ASSERT_EQ(pair.remote->minus(t * 100 + i), t * 100 + i - 1);
                }),
            "");
}

TEST_P(Shared, MixesLargeSmallAndOneWayRequests) {
  std::atomic<int> noted{0};
  EXPECT_EQ(all(12,
                [&](int t) {
                  Contract::Octets a, b;
                  Contract::Octets_var c;
                  a.length(t % 3 == 0 ? 700'000 : 3'000 + static_cast<CORBA::ULong>(t) * 300);
                  std::memset(a.get_buffer(), t + 1, a.length());
                  for (int i = 0; i < 20; ++i) {
                    Contract::Octets_var back = pair.remote->give_octets(a, b, c.out());
                    ASSERT_EQ(back->length(), a.length());
                    ASSERT_EQ(std::memcmp(back->get_buffer(), a.get_buffer(), a.length()), 0);
                    ASSERT_EQ(pair.remote->minus(i), i - 1);
                    pair.remote->note(1);
                    ++noted;
                  }
                }),
            "");
  for (int i = 0; i < 2000 && pair.remote->noted() != noted; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(pair.remote->noted(), noted);
}

TEST_P(Shared, LetsLongUpcallsHoldUpNobodyElse) {
  pair.servant->script = [] {
    static thread_local int calls = 0;
    if (++calls % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(12));
  };
  EXPECT_EQ(all(8,
                [&](int) {
                  for (int i = 0; i < 150; ++i) ASSERT_EQ(pair.remote->minus(i), i - 1);
                }),
            "");
}

TEST_P(Shared, LosesNoAnswerWhenTheServerShutsDown) {
  std::atomic<int> answered{0};
  auto calls = std::async(std::launch::async, [&] {
    return all(8, [&](int) {
      for (;;) {
        try {
          ASSERT_EQ(pair.remote->minus(3), 2);
          ++answered;
        } catch (const CORBA::TRANSIENT& e) {
          EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
          return;
        }
      }
    });
  });
  while (answered < 500) std::this_thread::yield();
  pair.server->shutdown(true);
  EXPECT_EQ(calls.get(), "");
}

// Gives many octets for none.
class Generous : public EverythingServant {
 public:
  Contract::Octets* give_octets(const Contract::Octets&, Contract::Octets&, Contract::Octets_out c) override {
    c = new Contract::Octets;
    Contract::Octets_var result = new Contract::Octets;
    result->length(9 * 1024 * 1024);
    return result._retn();
  }
};

// A large reply that stays where it is until it leaves is not mixed with the next one before 2 MiB of it have
// left, and small ones go in between.
TEST_P(Shared, SendsLargeRepliesInTurnAndSmallOnesAtOnce) {
  constexpr std::uint32_t kLarge = 4, kSmall = kLarge + 1;
  constexpr std::size_t kRun = 2 * 1024 * 1024;
  PortableServer::Servant_var<Generous> generous = new Generous;
  const PortableServer::ObjectId_var id = pair.poa->activate_object(generous);
  const CORBA::Object_var object = pair.poa->id_to_reference(id.in());
  corbel::ior::Ior generous_ior;
  ASSERT_FALSE(corbel::ior::parse_ior(take(pair.server->object_to_string(object)), generous_ior));
  const std::string generous_key = corbel::ior::decode_iiop(generous_ior.profiles.at(0))->object_key;
  std::atomic<bool> served{false};
  pair.servant->script = [&] { served = true; };
  corbel::ior::Ior parsed;
  ASSERT_FALSE(corbel::ior::parse_ior(pair.ior, parsed));
  const std::string key = corbel::ior::decode_iiop(parsed.profiles.at(0))->object_key;
  Bare peer(pair);
  for (std::uint32_t i = 1; i <= kLarge; ++i) peer.send(request(i, generous_key, "give_octets", {0, 0}));
  peer.send(request(kSmall, key, "minus", {7}));
  while (!served) std::this_thread::yield();  // nothing is read before: the large ones are under way

  std::uint32_t ended = 0, ended_before_small = kLarge, last = 0;
  std::size_t run = 0;
  while (ended < kLarge) {
    const std::string header = peer.receive(16);
    ASSERT_EQ(header.size(), 16u);
    const auto number = [&](std::size_t at) {
      std::uint32_t value = 0;
      for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(header[at + i]);
      return value;
    };
    const std::uint32_t size = number(8), id = number(12);
    ASSERT_EQ(peer.receive(size - 4).size(), size - 4);
    if (id == kSmall) {
      ended_before_small = ended;
      continue;
    }
    if (id != last && last != 0) {
      EXPECT_GE(run, kRun);
    }
    run = id == last ? run + size : size;
    const bool whole = (header[6] & 2) == 0;
    last = whole ? 0 : id;
    ended += whole;
  }
  EXPECT_LT(ended_before_small, kLarge);
}

// What is pipelined: a reply to each, in any order, for a request that is interrupted is overtaken.
TEST_P(Shared, AnswersRequestsThatCameTogether) {
  corbel::ior::Ior parsed;
  ASSERT_FALSE(corbel::ior::parse_ior(pair.ior, parsed));
  const std::string key = corbel::ior::decode_iiop(parsed.profiles.at(0))->object_key;
  Bare peer(pair);
  constexpr std::uint32_t kCount = 500;
  std::string burst;
  for (std::uint32_t i = 1; i <= kCount; ++i) burst += request(i, key, "ping");
  peer.send(burst);
  std::set<int> answered;
  for (std::uint32_t i = 1; i <= kCount; ++i) {
    const std::string reply = peer.receive(24);
    ASSERT_EQ(reply.size(), 24u);
    EXPECT_EQ(reply.substr(0, 4), "GIOP");
    answered.insert(static_cast<unsigned char>(reply[12]) | static_cast<unsigned char>(reply[13]) << 8);
  }
  EXPECT_EQ(answered.size(), kCount);
  EXPECT_EQ(*answered.begin(), 1);
  EXPECT_EQ(*answered.rbegin(), static_cast<int>(kCount));
}

// A server that ends answers what came before its end.
TEST_P(Shared, AnswersWhatCameBeforeGarbage) {
  corbel::ior::Ior parsed;
  ASSERT_FALSE(corbel::ior::parse_ior(pair.ior, parsed));
  const std::string key = corbel::ior::decode_iiop(parsed.profiles.at(0))->object_key;
  Bare peer(pair);
  peer.send(request(1, key, "ping") + request(2, key, "ping") + "no GIOP at all");
  const std::string answer = peer.rest();
  ASSERT_GE(answer.size(), 60u);  // two replies, then MessageError
  EXPECT_EQ(answer[7], 1);
  EXPECT_EQ(answer[24 + 7], 1);
  EXPECT_EQ(answer[48 + 7], 6);
}

}  // namespace
