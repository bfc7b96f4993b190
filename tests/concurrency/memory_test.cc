// Memory that runs out in the middle: the call or the connection that wants it may end, nothing else.
#include <atomic>
#include <future>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "orb/ior/ior.h"
#include "tests/lifecycle/bare.h"
#include "tests/lifecycle/support.h"
#include "tests/support/failing_new.h"

namespace {

using namespace lifecycle;

constexpr int kMost = 12;   // allocations that are tried
std::atomic<int> fails{0};  // which one behind an operation

// The same with the calling thread's own memory, which may run out.
template <typename Function>
void try_to(Function function) {
  try {
    function();
  } catch (const std::bad_alloc&) {
  } catch (const CORBA::SystemException&) {
  }
  allocation_that_fails = 0;
}

class OutOfMemory : public testing::TestWithParam<const char*> {
 protected:
  OutOfMemory() : pair({"-ORBserverModel", GetParam()}) {
    if (GetParam() == std::string("reactive")) loop = std::thread([this] { pair.server->run(); });
  }
  ~OutOfMemory() override {
    if (!loop.joinable()) return;
    pair.server->shutdown(false);
    loop.join();
  }
  // What has failed was one connection, at most.
  void expect_served() {
    for (int i = 0; i < 20; ++i)
      if (raised([&] { EXPECT_EQ(pair.remote->minus(3), 2); }) == "none") return;
    ADD_FAILURE() << "nobody is served any more";
  }
  Pair pair;
  std::thread loop;
};
INSTANTIATE_TEST_SUITE_P(, OutOfMemory, testing::Values("pool", "connection", "reactive"),
                         [](const auto& i) { return std::string(i.param); });

// Their memory runs out behind an upcall, which may be that of any request that comes then.
TEST_P(OutOfMemory, EndsNoThreadOfTheServer) {
  corbel::ior::Ior parsed;
  ASSERT_FALSE(corbel::ior::parse_ior(pair.ior, parsed));
  const std::string key = corbel::ior::decode_iiop(parsed.profiles.at(0))->object_key;
  std::string contexts;
  put_long(contexts, 1);
  put_long(contexts, 77);
  put_octets(contexts, "unknown!");
  pair.servant->script = [] { allocation_that_fails = fails; };
  for (int n = 1; n <= kMost; ++n) {
    fails = n;
    try_to([&] { pair.remote->minus(1); });
    try_to([&] { (void)pair.remote->_non_existent(); });
    {
      Bare peer(pair);
      std::string many;
      for (std::uint32_t i = 1; i < 20; ++i)
        many += request(i, key, "minus", {i}, i % 4 == 0 ? contexts : std::string(4, '\0'));
      peer.send(many);
      (void)peer.receive(1);
    }
    fails = 0;
    expect_served();
  }
}

TEST_P(OutOfMemory, InOneThreadOfAClientKeepsNoOther) {
  for (int n = 1; n <= kMost; ++n) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 30; ++i)
          try_to([&] {
            allocation_that_fails = t % 2 == 0 ? n : 0;
            if (i % 5 == 0) pair.remote->note(1);
            else EXPECT_EQ(pair.remote->minus(i), i - 1);
          });
      });
    for (std::thread& t : threads) t.join();
    expect_served();
  }
}

// Makes servants, and lets the memory run out behind that.
class Maker : public PortableServer::ServantActivator {
  PortableServer::Servant incarnate(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    PortableServer::Servant const made = new EverythingServant;
    allocation_that_fails = fails;
    return made;
  }
  void etherealize(const PortableServer::ObjectId&, PortableServer::POA_ptr, PortableServer::Servant servant,
                   CORBA::Boolean, CORBA::Boolean) override {
    servant->_remove_ref();
  }
};

// Others may want the same object, and whoever destroys the adapter waits for nobody who is not there.
TEST_P(OutOfMemory, KeepsNoIdBusyAndLeavesNobodyInsideOfAnAdapter) {
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = pair.poa->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  policies[1] = pair.poa->create_id_assignment_policy(PortableServer::USER_ID);
  PortableServer::POAManager_var manager = pair.poa->the_POAManager();
  PortableServer::POA_var poa = pair.poa->create_POA("on demand", manager, policies);
  PortableServer::ServantActivator_var maker = new Maker;
  poa->set_servant_manager(maker);
  for (int n = 1; n <= kMost; ++n) {
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(std::to_string(n).c_str());
    CORBA::Object_var object = poa->create_reference_with_id(id, Contract::Everything::_corbel_id);
    object = pair.client->string_to_object(take(pair.server->object_to_string(object)).c_str());
    Contract::Everything_var it = Contract::Everything::_unchecked_narrow(object);
    fails = n;
    try_to([&] { it->minus(1); });
    fails = 0;
    bool served = false;
    for (int i = 0; i < 20 && !served; ++i) served = raised([&] { EXPECT_EQ(it->minus(3), 2); }) == "none";
    EXPECT_TRUE(served) << n;
  }
  auto end = std::async(std::launch::async, [&] { poa->destroy(true, true); });
  EXPECT_EQ(end.wait_for(kPatience), std::future_status::ready) << "somebody is still inside";
}

}  // namespace
