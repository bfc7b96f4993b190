// One-ways that a client has sent arrive, whatever comes for it when it ends or closes its connection:
// replies that nobody waits for any more, callbacks.
#include <corbel/dynamic.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <future>

#include "tests/lifecycle/certified.h"
#include "tests/policies/support.h"

namespace {

using namespace lifecycle;

// Connections of this process over TCP that neither end has begun to close.
int open_connections() {
  int count = 0;
  for (int fd = 0; fd < 1024; ++fd) {
    tcp_info info{};
    socklen_t size = sizeof info;
    count += getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && info.tcpi_state == TCP_ESTABLISHED;
  }
  return count;
}

struct Setup {
  const char* transport;
  const char* client_model = "pool";
};

// The thread of a reactive server.
class Loop {
 public:
  explicit Loop(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)), thread_([this] { orb_->run(); }) {}
  ~Loop() {
    orb_->shutdown(false);
    thread_.join();
  }

 private:
  CORBA::ORB_var orb_;
  std::thread thread_;
};

// The server reads nothing while it is in minus().
class LastOneways : public testing::TestWithParam<Setup> {
 protected:
  LastOneways() {
    pair.servant->script = [this] { gate.wait(); };
    client_poa = TwoOrbs::activate(pair.client);  // with a reactive server its loop reads
    pair.remote->ping();
  }
  ~LastOneways() override { gate.open(); }

  static bool is(const char* transport) { return std::string(GetParam().transport) == transport; }
  static bool over_tcp() { return is("tcp") || is("ssl"); }
  std::vector<std::string> and_certificates(std::vector<std::string> options) const {
    options.insert(options.end(), certified_.options.begin(), certified_.options.end());
    return options;
  }
  std::vector<std::string> of_server() const {
    std::vector<std::string> options{"-ORBserverModel", "reactive"};
    if (is("unix")) options.insert(options.end(), {"-ORBendPoint", "giop:unix:"});
    if (is("ssl")) options.insert(options.end(), {"-ORBendPoint", "giop:ssl:127.0.0.1:0"});
    return and_certificates(options);
  }
  std::vector<std::string> of_client(std::vector<std::string> options = {}) const {
    options.insert(options.end(), {"-ORBtransports", std::string(GetParam().transport) + ",tcp",
                                   "-ORBserverModel", GetParam().client_model});
    return and_certificates(options);
  }

  CORBA::Request_ptr begin_minus() {
    CORBA::Request_var request = pair.remote->_request("minus");
    request->add_in_arg() <<= CORBA::Long{1};
    request->set_return_type(CORBA::_tc_long);
    request->send_deferred();
    EXPECT_TRUE(gate.wait_until_inside(1));
    return request._retn();
  }
  // More than the server's system takes of them, where that could lose any.
  void send_oneways() {
    for (int i = 0; i < count; ++i) pair.remote->note(1);
  }
  bool all_arrive() {
    return comes_true([&] { return pair.servant->noted() == count; });
  }
  // Destroys the client; its last reply comes once it has said that it writes no more.
  void destroy() {
    const int open = open_connections();
    auto ending = std::async(std::launch::async, [&] { pair.client->destroy(); });
    if (over_tcp()) EXPECT_TRUE(comes_true([&] { return open_connections() < open; }));
    else ending.wait();
    gate.open();
    EXPECT_TRUE(all_arrive());
    ending.get();
    EXPECT_EQ(pair.servant->noted(), count);
    pair.client = make_orb("another");
  }

  const Certified certified_ = is("ssl") ? certified() : Certified();
  const int count = over_tcp() ? 5000 : 100;
  Gate gate;
  Pair pair{of_server(), of_client()};
  Loop loop{pair.server};
  PortableServer::POA_var client_poa;
};

std::vector<Setup> setups() {
  std::vector<Setup> all{{"tcp"}, {"tcp", "reactive"}, {"unix"}, {"shm"}};
  if (has_tls()) all.insert(all.end(), {{"ssl"}, {"ssl", "reactive"}});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Over, LastOneways, testing::ValuesIn(setups()), [](const auto& i) {
  return std::string(i.param.transport) + "_" + i.param.client_model;
});

TEST_P(LastOneways, ArriveThoughTheReplyToACallThatTimedOutComesLate) {
  Contract::Everything_var impatient =
      policies::with(pair.remote.in(), {policies::roundtrip(pair.client, 100 * policies::kMillisecond)});
  while (raised([&] { impatient->minus(1); }) != "TIMEOUT/43420001/MAYBE") {
  }
  ASSERT_TRUE(gate.wait_until_inside(1));
  send_oneways();
  destroy();
}

TEST_P(LastOneways, ArriveThoughTheReplyToACallThatIsWaitedForComesLate) {
  auto call = std::async(std::launch::async, [&] { return raised_name([&] { pair.remote->minus(1); }); });
  ASSERT_TRUE(gate.wait_until_inside(1));
  send_oneways();
  destroy();
  const std::string outcome = call.get();
  EXPECT_TRUE(outcome == "none" || outcome == "COMM_FAILURE") << outcome;
}

TEST_P(LastOneways, ArriveThoughTheReplyToADeferredRequestComesLate) {
  CORBA::Request_var request = begin_minus();
  send_oneways();
  destroy();
}

TEST_P(LastOneways, ArriveThoughTheReplyToADeferredRequestThatWasDroppedComesLate) {
  CORBA::Request_var request = begin_minus();
  request = CORBA::Request::_nil();
  send_oneways();
  destroy();
}

TEST_P(LastOneways, OfAnIdleConnectionThatIsClosedArrive) {
  CORBA::ORB_var sleepy = make_orb("sleepy", of_client({"-ORBoutConScanPeriod", "1"}));
  PortableServer::POA_var poa = TwoOrbs::activate(sleepy);
  CORBA::Object_var object = sleepy->string_to_object(pair.ior.c_str());
  const Contract::Everything_var kept = pair.remote;
  pair.remote = Contract::Everything::_unchecked_narrow(object);
  pair.remote->ping();
  CORBA::Request_var request = begin_minus();
  request = CORBA::Request::_nil();
  const int open = open_connections();
  send_oneways();
  if (over_tcp()) EXPECT_TRUE(comes_true([&] { return open_connections() < open; }));
  else std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  gate.open();
  EXPECT_TRUE(all_arrive());
  pair.remote->note(1);
  EXPECT_EQ(pair.remote->plus(1), 2);
  EXPECT_EQ(pair.servant->noted(), count + 1);
  pair.remote = kept;
  sleepy->destroy();
}

// Calls its client back when the first one-way's gate is open.
class CallingServant : public EverythingServant {
 public:
  void note(CORBA::Long n) override {
    if (noted() == 0) {
      gate.wait();
      for (int i = 0; i < 10; ++i) client->note(1);
    }
    EverythingServant::note(n);
  }
  Gate gate;
  Contract::Everything_var client;
};

class LastOnewaysBothWays : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Model, LastOnewaysBothWays, testing::Values("pool", "connection", "reactive"));

TEST_P(LastOnewaysBothWays, ArriveThoughCallbacksComeLate) {
  constexpr int kCount = 5000;
  Pair pair({"-ORBserverModel", "reactive", "-ORBacceptBiDirectionalGIOP", "1", "-ORBtransports", "tcp"});
  Loop loop(pair.server);
  // Over this connection or not at all.
  CORBA::ORB_var client =
      make_orb("called-back", on_loopback({"-ORBofferBiDirectionalGIOP", "1", "-ORBpublishHost", "127.0.0.2",
                                           "-ORBtransports", "tcp", "-ORBserverModel", GetParam()}));
  PortableServer::POA_var poa = TwoOrbs::activate(client);
  PortableServer::Servant_var<EverythingServant> called = new EverythingServant;
  PortableServer::Servant_var<CallingServant> calling = new CallingServant;
  PortableServer::ObjectId_var called_id = poa->activate_object(called),
                               calling_id = pair.poa->activate_object(calling);
  CORBA::Object_var object = poa->id_to_reference(called_id);
  object = pair.server->string_to_object(take(client->object_to_string(object)).c_str());
  calling->client = Contract::Everything::_unchecked_narrow(object);
  object = pair.poa->id_to_reference(calling_id);
  object = client->string_to_object(take(pair.server->object_to_string(object)).c_str());
  Contract::Everything_var remote = Contract::Everything::_unchecked_narrow(object);
  remote->ping();
  for (int i = 0; i < kCount; ++i) remote->note(1);
  ASSERT_TRUE(calling->gate.wait_until_inside(1));
  const int open = open_connections();
  auto ending = std::async(std::launch::async, [&] { client->destroy(); });
  EXPECT_TRUE(comes_true([&] { return open_connections() < open; }));
  calling->gate.open();
  EXPECT_TRUE(comes_true([&] { return calling->noted() == kCount; }));
  ending.get();
}

}  // namespace
