// Bidirectional connections under many threads, and closed by both ends at once.
#include <corbel/identity.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

#include "orb/core/call_settings.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

// An ORB whose loop runs where its model needs that.
struct Side {
  Side(const char* name, std::vector<std::string> options, const std::string& model) {
    options.insert(options.begin(), {"-ORBtransports", "tcp"});
    options.insert(options.end(), {"-ORBserverModel", model});
    orb = make_orb(name, on_loopback(std::move(options)));
    poa = TwoOrbs::activate(orb);
    if (model == "reactive")
      loop = std::thread([o = CORBA::ORB::_duplicate(orb)] {
        CORBA::ORB_var owner = o;
        raised([&] { owner->run(); });  // refused where it comes after the shutdown
      });
  }
  void destroy() {
    poa = PortableServer::POA::_nil();
    orb->shutdown(false);
    if (loop.joinable()) loop.join();
    orb->destroy();
  }
  template <typename Servant>
  CORBA::Object_ptr make() {
    PortableServer::Servant_var<Servant> servant = new Servant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    return poa->id_to_reference(id);
  }

  CORBA::ORB_var orb;
  PortableServer::POA_var poa;
  std::thread loop;
};

class Bidirectional : public testing::TestWithParam<std::string> {
 protected:
  Bidirectional()
      : server("server", {"-ORBacceptBiDirectionalGIOP", "1"}, GetParam()),
        client("client", {"-ORBofferBiDirectionalGIOP", "1"}, GetParam()) {
    CORBA::Object_var object = server.make<EverythingServant>();
    CORBA::String_var ior = server.orb->object_to_string(object);
    object = client.orb->string_to_object(ior);
    everything = Contract::Everything::_unchecked_narrow(object);
    object = client.make<CallbackServant>();
    callback = Contract::Callback::_narrow(object);
  }

  // Calls that call back, until `stop`.
  void call(const std::atomic<bool>& stop) {
    for (CORBA::Long n = 0; !stop; ++n) {
      try {
        EXPECT_EQ(everything->call_back(callback, n), 2 * n + 1);
      } catch (const CORBA::SystemException& e) {
        EXPECT_TRUE(ending) << e._rep_id();
      }
    }
  }

  Side server, client;
  Contract::Everything_var everything;
  Contract::Callback_var callback;
  std::atomic<bool> ending{false};
};
INSTANTIATE_TEST_SUITE_P(, Bidirectional, testing::Values("pool", "connection", "reactive"),
                         [](const auto& info) { return info.param; });

TEST_P(Bidirectional, ManyThreadsShareAConnectionBothWays) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (CORBA::Long n = 0; n < 60; ++n)
        EXPECT_EQ(everything->call_back(callback, 100 * t + n), 2 * (100 * t + n) + 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  everything = Contract::Everything::_nil();
  callback = Contract::Callback::_nil();
  client.destroy();
  server.destroy();
}

// One that others wait for, with the only turn there is, while it waits for a callback, whose reply stands
// behind a request that waits for that turn.
class Guarded : public EverythingServant {
 public:
  CORBA::Long call_back(Contract::Callback_ptr target, CORBA::Long n) override {
    std::lock_guard lock(mutex_);
    return EverythingServant::call_back(target, n);
  }
  CORBA::Long minus(CORBA::Long n) override {
    std::lock_guard lock(mutex_);
    return n - 1;
  }

 private:
  std::mutex mutex_;
};

class Crowding final : public CallbackServant {
 public:
  CORBA::Long twice(CORBA::Long n) override {
    for (const Contract::Everything_var& one : callers) {
      calls.push_back(std::async(std::launch::async, [&one] { return one->minus(3); }));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));  // it waits by then
    }
    return CallbackServant::twice(n);
  }
  std::vector<Contract::Everything_var> callers;
  std::vector<std::future<CORBA::Long>> calls;
};

TEST(BidirectionalTurns, ARequestThatWaitsForOneDoesNotKeepTheRepliesBehindIt) {
  Side server("server", {"-ORBacceptBiDirectionalGIOP", "1", "-ORBthreadPoolSize", "1"}, "pool");
  Side client("client", {"-ORBofferBiDirectionalGIOP", "1"}, "pool"), other("other", {}, "pool");
  CORBA::Object_var object = server.make<Guarded>();
  CORBA::String_var ior = server.orb->object_to_string(object);
  const auto seen_by = [&](const Side& side) -> Contract::Everything_var {
    CORBA::Object_var seen = side.orb->string_to_object(ior);
    return Contract::Everything::_unchecked_narrow(seen);
  };
  PortableServer::Servant_var<Crowding> crowding = new Crowding;
  crowding->callers = {seen_by(other), seen_by(client)};
  PortableServer::ObjectId_var id = client.poa->activate_object(crowding);
  object = client.poa->id_to_reference(id);
  const Contract::Callback_var callback = Contract::Callback::_narrow(object);
  EXPECT_EQ(seen_by(client)->call_back(callback, 4), 9);
  for (auto& call : crowding->calls) EXPECT_EQ(call.get(), 2);
  crowding->callers.clear();
  for (Side* side : {&client, &other, &server}) side->destroy();
}

// SYNC_NONE: threads of each ORB write them, those of the server on the connection that the client has made.
TEST_P(Bidirectional, OneWaysThatNobodyWaitsForGoBothWaysAtOnce) {
  constexpr int kThreads = 4, kEach = 200;
  EXPECT_EQ(everything->call_back(callback, 3), 7);
  CORBA::Object_var object = client.make<EverythingServant>();
  const Contract::Everything_var here = Contract::Everything::_narrow(object);
  CORBA::String_var ior = client.orb->object_to_string(object);
  object = server.orb->string_to_object(ior);
  const Contract::Everything_var there = Contract::Everything::_unchecked_narrow(object);
  const int descriptors = count_entries("/proc/self/fd");
  std::vector<std::thread> threads;
  for (int t = 0; t < 2 * kThreads; ++t)
    threads.emplace_back([&, t] {
      corbel::core::thread_call_settings.put(corbel::core::CallSetting::SyncScope,
                                             static_cast<std::int64_t>(corbel::core::SyncScope::None));
      const Contract::Everything_var& to = t % 2 == 0 ? everything : there;
      for (int i = 0; i < kEach; ++i) EXPECT_EQ(raised([&] { to->note(1); }), "none");
    });
  for (int i = 0; i < kEach; ++i) EXPECT_EQ(everything->call_back(callback, i), 2 * i + 1);
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(comes_true([&] { return here->noted() >= kThreads * kEach; }));
  EXPECT_TRUE(comes_true([&] { return everything->noted() >= kThreads * kEach; }));
  EXPECT_EQ(here->noted(), kThreads * kEach);
  EXPECT_EQ(everything->noted(), kThreads * kEach);
  EXPECT_EQ(count_entries("/proc/self/fd"), descriptors);
  std::thread one([&] { server.destroy(); }), other([&] { client.destroy(); });
  one.join();
  other.join();
}

// Whoever closes first, and whatever is under way: both come to their end.
TEST_P(Bidirectional, BothEndsMayCloseAtOnce) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&] { call(stop); });
  EXPECT_EQ(everything->call_back(callback, 3), 7);
  ending = true;
  std::thread one([&] { server.destroy(); }), other([&] { client.destroy(); });
  one.join();
  other.join();
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

// ---- who is at the other end of a callback

struct Known {
  bool known = false;
  long uid = -1, pid = -1;
};
class Asking : public EverythingServant {
 public:
  CORBA::Long call_back(Contract::Callback_ptr target, CORBA::Long n) override {
    const CORBA::Long result = target->twice(n);
    corbel::PeerIdentity identity;
    server = {corbel::server_of(target, identity), identity.uid, identity.pid};
    return result;
  }
  Known server;
};
class Asked : public POA_Contract::Callback {
 public:
  CORBA::Long twice(CORBA::Long n) override {
    const corbel::PeerIdentity* const identity = corbel::caller();
    caller = {identity != nullptr, identity ? identity->uid : -1, identity ? identity->pid : -1};
    return 2 * n;
  }
  Known caller;
};

class CallbackIdentity : public testing::TestWithParam<std::tuple<std::string, std::string>> {};
INSTANTIATE_TEST_SUITE_P(, CallbackIdentity,
                         testing::Combine(testing::Values("pool", "connection", "reactive"),
                                          testing::Values("tcp", "unix")),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" + std::get<1>(info.param);
                         });

TEST_P(CallbackIdentity, IsWhatTheTransportKnows) {
  const auto& [model, transport] = GetParam();
  const bool local = transport == "unix";
  std::vector<std::string> serves{"-ORBacceptBiDirectionalGIOP", "1"},
      calls{"-ORBofferBiDirectionalGIOP", "1"};
  if (local) {
    serves.insert(serves.end(), {"-ORBtransports", "unix,tcp", "-ORBendPoint", "giop:unix:"});
    calls.insert(calls.end(), {"-ORBtransports", "unix,tcp"});
  }
  Side server("identity-server", serves, model), client("identity-client", calls, model);
  PortableServer::Servant_var<Asking> asking = new Asking;
  PortableServer::Servant_var<Asked> asked = new Asked;
  {
    PortableServer::ObjectId_var id = server.poa->activate_object(asking);
    CORBA::Object_var object = server.poa->id_to_reference(id);
    object = client.orb->string_to_object(take(server.orb->object_to_string(object)).c_str());
    const Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
    id = client.poa->activate_object(asked);
    object = client.poa->id_to_reference(id);
    const Contract::Callback_var callback = Contract::Callback::_unchecked_narrow(object);
    EXPECT_EQ(everything->call_back(callback, 4), 8);
  }
  for (const Known& known : {asking->server, asked->caller}) {
    EXPECT_EQ(known.known, local);
    EXPECT_EQ(known.uid, local ? static_cast<long>(getuid()) : -1);
    EXPECT_EQ(known.pid, local ? static_cast<long>(getpid()) : -1);
  }
  client.destroy();
  server.destroy();
}

}  // namespace
