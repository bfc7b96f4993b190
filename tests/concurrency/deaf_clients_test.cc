// Clients that do not read their replies, and what they keep of a server: nothing that others need.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "orb/giop/bidirectional.h"
#include "orb/ior/ior.h"
#include "tests/lifecycle/bare.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

constexpr CORBA::ULong kMuch = 32'000'000;  // octets, far more than sockets hold

constexpr CORBA::ULong kSome = 6'000'000;  // more than that, by less than what ends the reading of a client

// Large results for small requests.
class Generous : public ScriptedServant {
 public:
  Generous() { std::fill_n(memory.get(), kMuch, true); }
  Contract::Booleans* give_booleans(const Contract::Booleans&) override {
    ++calls;
    if (before) before();
    return new Contract::Booleans(kMuch, kMuch, memory.get(), false);
  }
  Contract::Chars* give_chars(const Contract::Chars&) override {
    auto* const all = new Contract::Chars;
    all->length(kSome);
    std::fill_n(all->get_buffer(), kSome, '\1');
    return all;
  }
  // It is marshaled piece by piece.
  Contract::Matrix* give_matrix(const Contract::Matrix&) override {
    ++calls;
    auto* const all = new Contract::Matrix;
    all->length(kMuch / 1000);
    for (CORBA::ULong i = 0; i < all->length(); ++i) {
      (*all)[i].length(250);
      std::fill_n((*all)[i].get_buffer(), 250, 0x01010101);
    }
    return all;
  }
  void ping() override { ++calls; }
  void note(CORBA::Long) override { std::fill_n(memory.get(), kMuch, false); }

  std::atomic<int> calls{0};
  std::function<void()> before;
  std::unique_ptr<CORBA::Boolean[]> memory{
      new CORBA::Boolean[kMuch]};  // the servant's own, which note() clears
};

// Objects of two adapters, one of which has a single thread, and a client that reads when it is told to.
class DeafClients : public testing::Test {
 protected:
  explicit DeafClients(std::vector<std::string> options = {}, const char* patience = "600000")
      : pair(with_patience(std::move(options), patience)) {
    CORBA::PolicyList policies(1);
    policies.length(1);
    policies[0] = pair.poa->create_thread_policy(PortableServer::SINGLE_THREAD_MODEL);
    PortableServer::POAManager_var manager = pair.poa->the_POAManager();
    PortableServer::POA_var one_thread = pair.poa->create_POA("single", manager, policies);
    many_key = add(pair.poa, many, many_remote);
    single_key = add(one_thread, single, single_remote);
    deaf = std::make_unique<Bare>(pair);
  }
  ~DeafClients() override { deaf = nullptr; }
  static std::vector<std::string> with_patience(std::vector<std::string> options, const char* patience) {
    options.insert(options.end(), {"-ORBwriteTimeout", patience});
    return options;
  }
  std::string add(PortableServer::POA_ptr poa, PortableServer::Servant_var<Generous>& servant,
                  Contract::Everything_var& remote) {
    servant = new Generous;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var object = poa->id_to_reference(id);
    const std::string text = take(pair.server->object_to_string(object));
    CORBA::Object_var imported = pair.client->string_to_object(text.c_str());
    remote = Contract::Everything::_unchecked_narrow(imported);
    corbel::ior::Ior ior;
    EXPECT_FALSE(corbel::ior::parse_ior(text, ior));
    return corbel::ior::decode_iiop(ior.profiles.at(0))->object_key;
  }
  // A reply of the other adapter fills the connection, and is not all written.
  void fill() {
    deaf->send(request(1, many_key, "give_booleans", {0}));
    begun = deaf->receive(12);
    ASSERT_EQ(begun.size(), 12u);
  }
  // The bodies of so many replies, by their ids; all others come first.
  std::map<std::uint32_t, std::string> replies(std::size_t count) {
    std::map<std::uint32_t, std::string> all;
    for (std::size_t complete = 0; complete < count;) {
      const std::string header = begun.empty() ? deaf->receive(12) : std::exchange(begun, {});
      std::uint32_t size = 0, id = 0;
      if (header.size() == 12) std::memcpy(&size, header.data() + 8, 4);
      const std::string body = deaf->receive(size);
      if (size < 4 || body.size() != size) {
        ADD_FAILURE() << "the connection has ended, or nothing comes, after " << complete << " replies";
        break;
      }
      std::memcpy(&id, body.data(), 4);
      all[id].append(body, 4);
      complete += (header[6] & 2) == 0;
    }
    return all;
  }
  // What is asked of the other object behind the first request runs while that is still in its upcall.
  void wait_until_within() {
    deaf->send(request(3, many_key, "ping", {}, std::string(4, '\0'), 0));
    ASSERT_TRUE(comes_true([&] { return many->calls == 2; }));
  }
  bool others_are_served() {
    auto other = std::async(std::launch::async, [this] { single_remote->ping(); });
    const bool served = other.wait_for(kPatience) == std::future_status::ready;
    if (!served) deaf = nullptr;  // so that it is
    return served;
  }

  Pair pair;
  PortableServer::Servant_var<Generous> many, single;
  Contract::Everything_var many_remote, single_remote;
  std::string many_key, single_key, begun;
  std::unique_ptr<Bare> deaf;
};

bool ends_with_ones(const std::string& reply, std::size_t size) {
  return reply.ends_with(std::string(size, '\1'));
}

TEST_F(DeafClients, WaitForEachOthersRoomOutsideOfASingleThreadedAdapter) {
  fill();
  deaf->send(request(2, single_key, "give_booleans", {0}));
  ASSERT_TRUE(comes_true([&] { return single->calls == 1; }));
  EXPECT_TRUE(others_are_served());
}

TEST_F(DeafClients, DoSoWithResultsThatLeavePieceByPiece) {
  fill();
  deaf->send(request(2, single_key, "give_matrix", {0}));
  ASSERT_TRUE(comes_true([&] { return single->calls == 1; }));
  EXPECT_TRUE(others_are_served());
}

TEST_F(DeafClients, GetTheResultsThatTheirUpcallsHad) {
  fill();
  deaf->send(request(2, single_key, "give_booleans", {0}));
  deaf->send(request(4, single_key, "give_matrix", {0}));
  ASSERT_TRUE(comes_true([&] { return single->calls == 2; }));
  single_remote->note(1);
  ASSERT_TRUE(others_are_served());
  auto all = replies(3);
  EXPECT_TRUE(ends_with_ones(all[1], kMuch));
  EXPECT_TRUE(ends_with_ones(all[2], kMuch));
  EXPECT_EQ(all[4].size(), all[2].size() + kMuch / 1000 * 4);
  EXPECT_TRUE(ends_with_ones(all[4], 1000));
}

// Small replies are left with whoever writes, or behind what is held back: none stays there, and none goes in
// between.
TEST_F(DeafClients, GetWhatWasLeftBehindRepliesThatWereHeldBack) {
  constexpr std::uint32_t kPings = 20, kRounds = 5;
  for (std::uint32_t id = 0, round = 0; round < kRounds; ++round) {
    const std::uint32_t large = ++id;
    deaf->send(request(large, single_key, "give_chars", {0}));
    begun = deaf->receive(12);
    single_remote->ping();  // so it is held back
    auto all = std::async(std::launch::async, [this] { return replies(1 + kPings); });
    for (std::uint32_t i = 0; i < kPings; ++i) deaf->send(request(++id, many_key, "ping"));
    auto found = all.get();
    ASSERT_EQ(found.size(), 1 + kPings);
    ASSERT_TRUE(ends_with_ones(found[large], kSome));
  }
}

TEST_F(DeafClients, ThatHaveEndedTheirOwnDirectionGetThemToo) {
  Gate gate;
  single->before = [&] { gate.wait(); };
  deaf->send(request(1, single_key, "give_booleans", {0}));
  ASSERT_TRUE(gate.wait_until_inside(1));
  // The upcall has lost the reading role by then: who reads goes on to the end.
  deaf->send(request(3, many_key, "ping"));
  ASSERT_TRUE(comes_true([&] { return many->calls == 1; }));
  deaf->end_output();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  gate.open();
  EXPECT_TRUE(others_are_served());
  EXPECT_TRUE(ends_with_ones(replies(2)[1], kMuch));
  EXPECT_EQ(deaf->rest(), std::string("GIOP\1\2\1\5\0\0\0\0", 12)) << "goodbye";
}

class DeafClientsAlone : public DeafClients {
 protected:
  DeafClientsAlone() : DeafClients({"-ORBcoalesceWrites", "0"}) {}
};

TEST_F(DeafClientsAlone, WaitForAnEarlyAnswerOutsideOfASingleThreadedAdapter) {
  fill();
  deaf->send(request(2, single_key, "ping", {}, std::string(4, '\0'), 1));
  wait_until_within();
  EXPECT_TRUE(others_are_served());
}

class DeafClientsTogether : public DeafClients {
 protected:
  // Once half of the threads wait for clients their replies are held back: five of them, and not all of one
  // client.
  DeafClientsTogether()
      : DeafClients({"-ORBthreadPoolSize", "4", "-ORBmaxThreads", "6", "-ORBmaxPendingBytes",
                     std::to_string(5 * kMuch)}) {}
};

TEST_F(DeafClientsTogether, LeaveRoomForEachOthersReplies) {
  Gate gate;
  many->before = [&] { gate.wait(); };
  for (std::uint32_t id = 1; id != 5; ++id) deaf->send(request(id, many_key, "give_booleans", {0}));
  ASSERT_TRUE(gate.wait_until_inside(4));
  const int descriptors = count_entries("/proc/self/fd");
  gate.open();
  // A second reply is more than its share. Until its connection has ended there is no room for all the
  // others.
  ASSERT_TRUE(comes_true([&] { return count_entries("/proc/self/fd") < descriptors; }));
  // Three wait in their threads, the others' are held back.
  std::vector<std::unique_ptr<Bare>> others;
  for (int i = 0; i < 7; ++i) {
    others.push_back(std::make_unique<Bare>(pair));
    others.back()->send(request(1, many_key, "give_booleans", {0}));
  }
  ASSERT_TRUE(comes_true([&] { return many->calls == 11; }));
  EXPECT_TRUE(others_are_served());
  for (auto& other : others) {
    deaf.swap(other);
    EXPECT_TRUE(ends_with_ones(replies(1)[1], kMuch));
    deaf.swap(other);
  }
}

class DeafClientsAtTheEnd : public DeafClients {
 protected:
  DeafClientsAtTheEnd() : DeafClients({}, "3000") {}
};

TEST_F(DeafClientsAtTheEnd, KeepAServerThatStopsNoLongerThanOneOfThemMay) {
  std::vector<std::unique_ptr<Bare>> others;
  for (int i = 0; i < 8; ++i) {
    others.push_back(std::make_unique<Bare>(pair));
    others.back()->send(request(1, i % 2 == 0 ? many_key : single_key, "give_booleans", {0}));
    ASSERT_EQ(others.back()->receive(12).size(), 12u);
  }
  auto end = std::async(std::launch::async, [&] { pair.server->destroy(); });
  EXPECT_EQ(end.wait_for(kPatience), std::future_status::ready);
  end.wait();
  pair.server = make_orb("pair-server");
}

class DeafCallbacks : public DeafClients {
 protected:
  DeafCallbacks()
      : DeafClients({"-ORBthreadPoolSize", "1", "-ORBmaxQueuedRequests", "1", "-ORBqueueFull", "refuse",
                     "-ORBacceptBiDirectionalGIOP", "1"}) {}
};

// A call that waits for room counts as no upcall that runs, not as less than none.
TEST_F(DeafCallbacks, LeaveOthersNoMoreThanThePoolHas) {
  CORBA::Object_var object =
      pair.server->string_to_object("corbaloc:iiop:1.2@callback.invalid:4711/callback");
  Contract::Callback_var callback = Contract::Callback::_unchecked_narrow(object);
  std::string offer("\1\0\0\0", 4);
  offer += corbel::giop::bidirectional_context({{"callback.invalid", 4711}});
  deaf->send(request(1, many_key, "ping", {}, offer));
  ASSERT_EQ(deaf->receive(24).size(), 24u);
  fill();
  std::atomic<std::uint32_t> callers{0};
  many->script = [&] {
    ++callers;
    raised([&] { callback->twice(1); });
  };
  // One after the other: of those that come while one waits for a turn the next would be refused.
  for (std::uint32_t id = 4; id != 8; ++id) {
    deaf->send(request(id, many_key, "minus", {1}));
    ASSERT_TRUE(comes_true([&] { return callers == id - 3; }));
  }
  Gate gate;
  pair.servant->script = [&] { gate.wait(); };
  // Each on a connection of its own: who waits for a turn reads no further.
  std::vector<CORBA::ORB_var> orbs;
  std::vector<std::future<std::string>> calls;
  const auto call = [&] {
    orbs.emplace_back(make_orb(("caller-" + std::to_string(calls.size())).c_str(), on_loopback()));
    object = orbs.back()->string_to_object(pair.ior.c_str());
    calls.push_back(
        std::async(std::launch::async, [target = Contract::Everything::_unchecked_narrow(object)] {
          const Contract::Everything_var owner = target;
          return raised([&] { owner->minus(1); });
        }));
  };
  call();
  ASSERT_TRUE(gate.wait_until_inside(1));
  call();
  call();
  const auto refused = [&] {
    return std::count_if(calls.begin(), calls.end(), [](auto& c) {
      return c.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    });
  };
  EXPECT_TRUE(comes_true([&] { return refused() == 1 || gate.wait_until_inside(2, {}); }));
  EXPECT_FALSE(gate.wait_until_inside(2, {}));
  gate.open();
  std::multiset<std::string> results;
  for (auto& c : calls) results.insert(c.get());
  EXPECT_EQ(results, (std::multiset<std::string>{"TRANSIENT/4f4d0001/NO", "none", "none"}));
  for (const CORBA::ORB_var& orb : orbs) orb->destroy();
  deaf = nullptr;
}

}  // namespace
