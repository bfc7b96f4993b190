// The server's models: what each does with threads, with more work than it has threads for, and at the end.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <future>
#include <set>
#include <thread>

#include "orb/ior/ior.h"
#include "tests/lifecycle/bare.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

// A client ORB of its own, which is a connection of its own.
class Client {
 public:
  Client(const std::string& ior, int number, std::vector<std::string> options = {})
      : orb_(make_orb(("client-" + std::to_string(number)).c_str(), on_loopback(std::move(options)))) {
    CORBA::Object_var object = orb_->string_to_object(ior.c_str());
    remote = Contract::Everything::_unchecked_narrow(object);
  }
  ~Client() { orb_->destroy(); }
  Contract::Everything_var remote;

 private:
  CORBA::ORB_var orb_;
};
using Clients = std::vector<std::unique_ptr<Client>>;

Clients make_clients(const std::string& ior, int count, const std::vector<std::string>& options = {}) {
  Clients clients;
  for (int i = 0; i < count; ++i) clients.push_back(std::make_unique<Client>(ior, i, options));
  return clients;
}

std::future<std::string> call(Client& client, CORBA::Long n) {
  return std::async(std::launch::async,
                    [&client, n] { return raised([&] { EXPECT_EQ(client.remote->minus(n), n - 1); }); });
}

int threads_of_process() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("Threads:", 0) == 0) return std::stoi(line.substr(8));
  return -1;
}

class EveryModel : public testing::TestWithParam<const char*> {
 protected:
  EveryModel() {
    if (*GetParam() == 'r')
      loop_ = std::thread([orb = CORBA::ORB::_duplicate(pair.server)] {
        CORBA::ORB_var owner = orb;
        raised([&] { owner->run(); });
      });
  }
  ~EveryModel() override {
    raised([&] { pair.server->shutdown(false); });
    if (loop_.joinable()) loop_.join();
  }
  Pair pair{{"-ORBserverModel", GetParam()}, {"-ORBserverModel", GetParam()}};

 private:
  std::thread loop_;
};
INSTANTIATE_TEST_SUITE_P(Model, EveryModel, testing::Values("pool", "connection", "reactive"),
                         [](const auto& i) { return std::string(i.param); });

TEST_P(EveryModel, AnswersRequestsThatAreUnderWayWhenItShutsDown) {
  Gate gate;
  pair.servant->script = [&] { gate.wait(); };
  Client client(pair.ior, 1);
  auto under_way = call(client, 5);
  ASSERT_TRUE(gate.wait_until_inside(1));
  auto end = std::async(std::launch::async, [&] { return raised([&] { pair.server->shutdown(true); }); });
  EXPECT_EQ(end.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  gate.open();
  EXPECT_EQ(under_way.get(), "none");
  EXPECT_EQ(end.get(), "none");
  EXPECT_EQ(raised_name([&] { client.remote->ping(); }), "TRANSIENT");
}

// Each bounce is an upcall inside of the one before, alternately here and there.
class Bouncer : public POA_Contract::Callback {
 public:
  CORBA::Long twice(CORBA::Long n) override { return n == 0 ? 0 : other->call_back(self, n - 1); }
  Contract::Everything_var other;
  Contract::Callback_var self;
};

TEST_P(EveryModel, CallsBackInsideOfCallbacks) {
  PortableServer::POA_var client_poa = TwoOrbs::activate(pair.client);
  PortableServer::Servant_var<Bouncer> bouncer = new Bouncer;
  PortableServer::ObjectId_var id = client_poa->activate_object(bouncer);
  CORBA::Object_var object = client_poa->id_to_reference(id.in());
  bouncer->self = Contract::Callback::_narrow(object);
  bouncer->other = Contract::Everything::_duplicate(pair.remote);
  EXPECT_EQ(pair.remote->call_back(bouncer->self, 10), 11);
  bouncer->self = Contract::Callback::_nil();
  bouncer->other = Contract::Everything::_nil();
}

TEST_P(EveryModel, GoesOnServingAfterServantsThatThrowAnything) {
  pair.servant->script = [] { throw 5; };
  for (int i = 0; i < 100; ++i) EXPECT_EQ(raised_name([&] { pair.remote->minus(1); }), "UNKNOWN");
  pair.servant->script = nullptr;
  Clients clients = make_clients(pair.ior, 3);
  for (auto& c : clients) EXPECT_EQ(c->remote->minus(3), 2);
}

// Takes what is sent to it, and answers nothing.
class Silent {
 public:
  Silent() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    listen(listener_, 1);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    reference = "corbaloc::1.2@127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/silent";
    thread_ = std::thread([this] {
      const int peer = accept(listener_, nullptr, nullptr);
      char octets[65536];
      while (!over_) {
        pollfd ready{peer, POLLIN, 0};
        if (poll(&ready, 1, 10) > 0 && read(peer, octets, sizeof octets) <= 0) break;
      }
      close(peer);
    });
  }
  void end() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }
  ~Silent() {
    end();
    close(listener_);
  }
  std::string reference;

 private:
  const int listener_ = socket(AF_INET, SOCK_STREAM, 0);
  std::atomic<bool> over_{false};
  std::thread thread_;
};

// The large ones leave in fragments while they are marshaled.
TEST(PoolModel, ServesWhileAllItsThreadsWaitForReplies) {
  for (const CORBA::ULong size : {10u, 1'000'000u}) {
    Pair pair({"-ORBmaxThreads", "3"});
    Silent silent;
    CORBA::Object_var object = pair.server->string_to_object(silent.reference.c_str());
    const Contract::Everything_var unanswered = Contract::Everything::_unchecked_narrow(object);
    Contract::Octets octets(size);
    octets.length(size);
    std::atomic<int> refused{0}, ended{0};
    pair.servant->script = [&] {
      Contract::Octets same = octets;
      Contract::Octets_var other;
      const std::string how =
          raised([&] { Contract::Octets_var result = unanswered->give_octets(octets, same, other); });
      how == "TRANSIENT/4f4d0001/NO" ? ++refused : how.rfind("COMM_FAILURE", 0) == 0 ? ++ended : 0;
    };
    Clients clients = make_clients(pair.ior, 6);
    std::vector<std::future<std::string>> calls;
    for (auto& c : clients) calls.push_back(call(*c, 4));
    EXPECT_TRUE(comes_true([&] { return refused == 3; })) << refused;
    EXPECT_EQ(raised([&] { pair.remote->ping(); }), "none");
    silent.end();
    for (auto& c : calls) EXPECT_EQ(c.get(), "none");
    EXPECT_EQ(ended, 3);
    pair.servant->script = nullptr;
    EXPECT_EQ(pair.remote->minus(3), 2);
  }
}

TEST(PoolModel, WithAllItsThreadsInLongUpcallsKeepsOthersForLater) {
  Pair pair({"-ORBthreadPoolSize", "2"});
  Gate gate;
  pair.servant->script = [&] { gate.wait(); };
  Clients clients = make_clients(pair.ior, 6);
  std::vector<std::future<std::string>> calls;
  for (auto& c : clients) calls.push_back(call(*c, 4));
  ASSERT_TRUE(gate.wait_until_inside(2));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(gate.wait_until_inside(3, std::chrono::milliseconds(1)));
  gate.open();
  for (auto& c : calls) EXPECT_EQ(c.get(), "none");
  EXPECT_EQ(pair.remote->minus(3), 2);
}

TEST(PoolModel, RefusesWhatFindsItsQueueFullWhereItIsToldTo) {
  Pair pair({"-ORBthreadPoolSize", "1", "-ORBmaxQueuedRequests", "2", "-ORBqueueFull", "refuse"});
  Gate gate;
  pair.servant->script = [&] { gate.wait(); };
  Clients clients = make_clients(pair.ior, 8);
  std::vector<std::future<std::string>> calls;
  for (auto& c : clients) calls.push_back(call(*c, 4));
  int refused = 0, kept = 0;
  ASSERT_TRUE(comes_true([&] {
    refused = 0;
    for (auto& c : calls) refused += c.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    return refused >= 5;
  }));
  gate.open();
  refused = 0;
  for (auto& c : calls) {
    const std::string result = c.get();
    if (result == "none") ++kept;
    else if (result == "TRANSIENT/4f4d0001/NO") ++refused;
    else ADD_FAILURE() << result;
  }
  EXPECT_EQ(kept, 3);  // one that ran and two that waited
  EXPECT_EQ(refused, 5);
  EXPECT_EQ(pair.remote->minus(3), 2);
}

TEST(PoolModel, ReadsNoMoreWhileItsQueueIsFull) {
  Pair pair({"-ORBthreadPoolSize", "1", "-ORBmaxQueuedRequests", "2"});
  Gate gate;
  pair.servant->script = [&] { gate.wait(); };
  Clients clients = make_clients(pair.ior, 4);
  std::vector<std::future<std::string>> calls;
  for (auto& c : clients) calls.push_back(call(*c, 4));
  ASSERT_TRUE(gate.wait_until_inside(1));
  // Garbage is answered at once by a server that reads, as it does until all calls are there.
  std::unique_ptr<Bare> late;
  EXPECT_TRUE(comes_true([&] {
    late = std::make_unique<Bare>(pair);
    late->send("no GIOP at all");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return late->open();
  }));
  gate.open();
  for (auto& c : calls) EXPECT_EQ(c.get(), "none");
  EXPECT_EQ(late->rest().substr(0, 4), "GIOP");
}

TEST(PoolModel, ServesThoughNoMoreThreadsCanBeMade) {
  Pair pair;
  Clients clients = make_clients(pair.ior, 4);
  EXPECT_EQ(pair.remote->minus(3), 2);
  pthread_attr_t usual, huge;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_getattr_default_np(&huge), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 46), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  EXPECT_THROW(std::thread([] {}).join(), std::system_error);
  for (int i = 0; i < 20; ++i)
    for (auto& c : clients) EXPECT_EQ(c->remote->minus(3), 2);
  EXPECT_EQ(pthread_setattr_default_np(&usual), 0);
  // The pool grows again.
  Gate gate;
  pair.servant->script = [&] { gate.wait(); };
  std::vector<std::future<std::string>> calls;
  for (auto& c : clients) calls.push_back(call(*c, 4));
  EXPECT_TRUE(gate.wait_until_inside(4));
  gate.open();
  for (auto& c : calls) EXPECT_EQ(c.get(), "none");
}

// What comes one after the other, over more connections than threads stay with, is served without handing the
// lead over. The others do not wait for one that turns out to be long.
TEST(PoolModel, ServesTheOthersOfManyConnectionsWhileOneHasALongRequest) {
  Pair pair({"-ORBthreadPoolSize", "2"});
  std::atomic<Gate*> keeps{nullptr};
  pair.servant->script = [&] {
    if (Gate* const gate = keeps.exchange(nullptr)) gate->wait();
  };
  Clients clients = make_clients(pair.ior, 8);
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < 2'500; ++i) {
      EXPECT_EQ(clients[static_cast<std::size_t>(i) % clients.size()]->remote->minus(3), 2);
    }
    Gate gate;
    keeps = &gate;
    Client& slow = *clients[static_cast<std::size_t>(round)];
    auto kept = call(slow, 4);
    ASSERT_TRUE(gate.wait_until_inside(1));
    for (auto& c : clients) {
      if (c.get() != &slow) {
        EXPECT_EQ(c->remote->minus(3), 2);
      }
    }
    EXPECT_EQ(kept.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
    gate.open();
    EXPECT_EQ(kept.get(), "none");
  }
}

TEST(PoolModel, GoesOnAcceptingOnceThereAreDescriptorsAgain) {
  Pair pair;
  EXPECT_EQ(pair.remote->minus(3), 2);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  corbel::ior::Ior ior;
  ASSERT_FALSE(corbel::ior::parse_ior(pair.ior, ior));
  const std::string key = corbel::ior::decode_iiop(ior.profiles.at(0))->object_key;
  Bare all[4];
  const int next = dup(0);
  close(next);
  const rlimit few{static_cast<rlim_t>(next), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  EXPECT_LT(dup(0), 0);
  for (Bare& bare : all) {
    bare.connect_to(pair);
    bare.send(request(1, key, "minus", {7}));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  EXPECT_EQ(pair.remote->minus(3), 2);
  for (Bare& bare : all) EXPECT_TRUE(bare.open()) << "nobody has a descriptor for it";
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  for (Bare& bare : all) EXPECT_EQ(bare.receive(12).size(), 12u);
  Client client(pair.ior, 1);
  EXPECT_EQ(client.remote->minus(3), 2);
}

// Where the application's objects of a thread take their time to die, the thread that has ended is not waited
// for by those that serve.
TEST(PoolModel, DoesNotWaitForTheEndOfItsThreads) {
  static Gate* last_words;
  struct SlowToDie {
    ~SlowToDie() { last_words->wait(); }
    int used = 0;
  };
  Gate words;
  last_words = &words;
  Pair pair;
  Clients clients = make_clients(pair.ior, 6);
  const auto all_at_once = [&] {
    Gate gate;
    pair.servant->script = [&] {
      static thread_local SlowToDie object;
      ++object.used;
      gate.wait();
    };
    std::vector<std::future<std::string>> calls;
    for (auto& c : clients) calls.push_back(call(*c, 4));
    EXPECT_TRUE(gate.wait_until_inside(6));
    gate.open();
    for (auto& c : calls) EXPECT_EQ(c.get(), "none");
  };
  all_at_once();
  EXPECT_TRUE(words.wait_until_inside(1));
  all_at_once();
  words.open();
}

// Which thread serves each of these connections, each time after a pause in which one of a pool would have
// left it.
using Threads = std::vector<std::thread::id>;
Threads threads_that_serve(Pair& pair, const Clients& clients) {
  Threads all;
  std::mutex mutex;
  pair.servant->script = [&] {
    std::lock_guard lock(mutex);
    all.push_back(std::this_thread::get_id());
  };
  for (const auto& c : clients) EXPECT_EQ(c->remote->minus(3), 2);
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  return all;
}

// Three times the same, a thread for each: that of a long upcall gives its connection away, and where the
// processors have much else to do any upcall may be one.
bool each_has_its_thread(Pair& pair, const Clients& clients) {
  return comes_true([&] {
    const Threads all = threads_that_serve(pair, clients);
    return std::set(all.begin(), all.end()).size() == clients.size() &&
           threads_that_serve(pair, clients) == all && threads_that_serve(pair, clients) == all;
  });
}

TEST(ConnectionModel, KeepsAThreadForEachConnection) {
  Pair pair({"-ORBserverModel", "connection"});
  EXPECT_TRUE(each_has_its_thread(pair, make_clients(pair.ior, 4)));
}

TEST(ConnectionModel, ServesConnectionsBeyondItsLimitByThePool) {
  Pair pair({"-ORBserverModel", "connection", "-ORBthreadPerConnectionUpperLimit", "2",
             "-ORBthreadPerConnectionLowerLimit", "1"});
  const int before = threads_of_process();
  Clients clients = make_clients(pair.ior, 8);
  for (int round = 0; round < 3; ++round)
    for (auto& c : clients) EXPECT_EQ(c->remote->minus(3), 2);
  // Two that stay, and what the pool keeps.
  EXPECT_TRUE(comes_true([&] { return threads_of_process() <= before + 4; }))
      << threads_of_process() - before;
}

TEST(ConnectionModel, ReadsAConnectionOnWhoseThreadIsInALongUpcall) {
  Pair pair({"-ORBserverModel", "connection"});
  Gate gate;
  pair.servant->script = [&] { gate.wait(); };
  auto first = std::async(std::launch::async, [&] { return raised([&] { pair.remote->minus(3); }); });
  ASSERT_TRUE(gate.wait_until_inside(1));
  pair.remote->ping();  // over the same connection
  gate.open();
  EXPECT_EQ(first.get(), "none");
}

TEST(ConnectionModel, EndsAConnectionThatStopsInTheMiddleOfAMessage) {
  Pair pair({"-ORBserverModel", "connection", "-ORBmessageTimeout", "100"});
  Bare slow(pair);
  slow.send("GIOP\1");
  EXPECT_EQ(slow.rest(), "");
  EXPECT_EQ(pair.remote->minus(3), 2);
}

TEST(ConnectionModel, IsChosenByOmniOrbsOptionToo) {
  Pair pair({"-ORBthreadPerConnectionPolicy", "1"});
  EXPECT_TRUE(each_has_its_thread(pair, make_clients(pair.ior, 4)));
}

TEST(ConnectionLimits, HoldForEachPeerByItself) {
  const std::vector<std::string> tcp{"-ORBtransports", "tcp"};
  Pair pair({"-ORBmaxConnectionsPerPeer", "2", "-ORBtransports", "tcp"}, tcp);
  auto first = std::make_unique<Client>(pair.ior, 1, tcp),
       second = std::make_unique<Client>(pair.ior, 2, tcp);
  EXPECT_EQ(first->remote->minus(3), 2);
  EXPECT_EQ(second->remote->minus(3), 2);
  Client third(pair.ior, 3, tcp);
  EXPECT_EQ(raised_name([&] { third.remote->minus(3); }), "TRANSIENT");
  Bare one_too_many(pair), of_another_host(pair, "127.0.0.2");
  EXPECT_EQ(one_too_many.rest().substr(0, 8), std::string("GIOP\1\0\1\5", 8));  // CloseConnection
  EXPECT_TRUE(of_another_host.open());
  first = nullptr;
  EXPECT_TRUE(comes_true([&] { return raised_name([&] { third.remote->minus(3); }) == "none"; }));
}

}  // namespace
