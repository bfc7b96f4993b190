// Settings of calls as programs written for omniORB make them: time limits, handlers of failures.
#include <omniORB4/CORBA.h>

#include <echo.hh>

#include <arpa/inet.h>
#include <corbel/messaging.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace {

// Answers only when it is let.
class SlowEcho : public POA_Echo {
 public:
  char* echo_string(const char* text) override {
    ++calls;
    if (std::string(text) == "wait") gate.wait();
    if (failures > 0 && failures-- > 0) throw CORBA::TRANSIENT(7, CORBA::COMPLETED_NO);
    if (std::string(text) == "refuse") throw CORBA::NO_PERMISSION(3, CORBA::COMPLETED_NO);
    return CORBA::string_dup(text);
  }
  void ping() override {
    if (moved_to.in()) throw omniORB::LOCATION_FORWARD(Echo::_duplicate(moved_to.in()), true);
    ++calls;
  }
  Echo_var moved_to;
  omni_semaphore gate{0};
  std::atomic<int> calls{0};
  std::atomic<int> failures{0};
};

CORBA::ORB_ptr make_orb(const char* id, std::vector<std::string> options = {}) {
  options.insert(options.begin(), {"test", "-ORBendPoint", "giop:tcp:127.0.0.1:"});
  std::vector<char*> argv;
  for (std::string& o : options) argv.push_back(o.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(options.size());
  return CORBA::ORB_init(argc, argv.data(), id);
}

class OmniorbCalls : public testing::Test {
 protected:
  void start(std::vector<std::string> options = {}) {
    server = make_orb("server");
    CORBA::Object_var object = server->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    PortableServer::ObjectId_var oid = poa->activate_object(servant);
    object = poa->id_to_reference(oid);
    CORBA::String_var ior = server->object_to_string(object);
    client = make_orb("client", options);
    object = client->string_to_object(ior);
    echo = Echo::_narrow(object);
    object = client->string_to_object(ior);
    other = Echo::_narrow(object);
  }
  void TearDown() override {
    omniORB::setClientCallTimeout(0);
    omniORB::setClientThreadCallTimeout(0);
    for (int i = 0; i < 100; ++i) servant->gate.post();
    client->destroy();
    server->destroy();
  }
  // "CORBA::TIMEOUT" and so on.
  static std::string outcome(const std::function<void()>& function) {
    try {
      function();
      return "answered";
    } catch (const CORBA::SystemException& e) {
      return e._name();
    }
  }
  std::string wait(Echo_ptr object) {
    return outcome([&] { CORBA::String_var said = object->echo_string("wait"); });
  }

  PortableServer::Servant_var<SlowEcho> servant = new SlowEcho;
  CORBA::ORB_var server, client;
  Echo_var echo, other;
};

TEST_F(OmniorbCalls, CallsEndWhenTheTimeForAllIsOver) {
  start();
  omniORB::setClientCallTimeout(50);
  try {
    CORBA::String_var said = echo->echo_string("wait");
    FAIL();
  } catch (const CORBA::TIMEOUT& e) {
    EXPECT_EQ(e.minor(), omni::TIMEOUT_CallTimedOutOnClient);
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
  }
  CORBA::String_var quick = echo->echo_string("quick");
  EXPECT_STREQ(quick, "quick");
  servant->gate.post();  // for the call that was given up
  omniORB::setClientCallTimeout(0);
  omni_thread* const opener = omni_thread::create(
      [](void* gate) {
        omni_thread::sleep(0, 150000000);
        static_cast<omni_semaphore*>(gate)->post();
        return gate;
      },
      &servant->gate);
  EXPECT_EQ(wait(echo), "answered");
  opener->join(nullptr);
}

TEST_F(OmniorbCalls, TransientTakesTheNameOfTimeoutIfTheProgramWants) {
  start({"-ORBthrowTransientOnTimeOut", "1", "-ORBclientCallTimeOutPeriod", "50"});
  try {
    CORBA::String_var said = echo->echo_string("wait");
    FAIL();
  } catch (const CORBA::TRANSIENT& e) {
    EXPECT_EQ(e.minor(), omni::TRANSIENT_CallTimedout);
  }
}

TEST_F(OmniorbCalls, TheNarrowestLimitCounts) {
  start();
  omniORB::setClientCallTimeout(50);
  omniORB::setClientCallTimeout(other, 20000);
  // 100 ms by the object's own limit would not do: others have the ORB's.
  EXPECT_EQ(wait(echo), "TIMEOUT");
  servant->gate.post();
  servant->gate.post();
  EXPECT_EQ(wait(other), "answered");
  while (servant->gate.trywait()) {
    // The call that was given up may not have come this far.
  }
  omniORB::setClientCallTimeout(0);
  omniORB::setClientThreadCallTimeout(50);
  EXPECT_EQ(wait(echo), "TIMEOUT");
  // Narrowed references share it; another thread has no limit of its own.
  omniORB::setClientCallTimeout(other, 40);
  CORBA::Object_var plain = CORBA::Object::_duplicate(other);
  Echo_var again = Echo::_narrow(plain);
  omniORB::setClientThreadCallTimeout(20000);
  EXPECT_EQ(wait(again), "TIMEOUT");
  EXPECT_THROW(omniORB::setClientCallTimeout(CORBA::Object::_nil(), 1), CORBA::BAD_PARAM);
}

TEST_F(OmniorbCalls, LimitsOfTheThreadAndPolicyCurrentLeaveEachOtherAlone) {
  start();
  CORBA::Object_var object = client->resolve_initial_references("PolicyCurrent");
  CORBA::PolicyCurrent_var current = CORBA::PolicyCurrent::_narrow(object);
  const auto add = [&](CORBA::PolicyType type, const CORBA::Any& value) {
    CORBA::PolicyList policies;
    policies.length(1);
    policies[0] = client->create_policy(type, value);
    current->set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
  };
  CORBA::Any value;
  omniORB::setClientThreadCallTimeout(50);
  value <<= Messaging::SYNC_WITH_TARGET;
  add(Messaging::SYNC_SCOPE_POLICY_TYPE, value);
  EXPECT_EQ(wait(echo), "TIMEOUT");
  value <<= TimeBase::TimeT{500'000};  // 50 ms
  add(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, value);
  omniORB::setClientThreadCallTimeout(0);
  EXPECT_EQ(wait(echo), "TIMEOUT");
  current->set_policy_overrides(CORBA::PolicyList(), CORBA::SET_OVERRIDE);
  servant->gate.post();
  servant->gate.post();
  servant->gate.post();
  EXPECT_EQ(wait(echo), "answered");
}

TEST_F(OmniorbCalls, ADeadlineOfTheThreadEndsAllItsCalls) {
  start();
  omni_time_t until;
  omni_thread::get_time(until, omni_time_t(0, 80000000));
  omniORB::setClientThreadCallDeadline(until);
  EXPECT_EQ(wait(echo), "TIMEOUT");
  omni_thread::sleep(0, 20000000);  // waits are rounded to milliseconds
  EXPECT_EQ(outcome([&] { CORBA::String_var said = echo->echo_string("quick"); }), "TIMEOUT");
  omniORB::setClientThreadCallDeadline(~0ul, 0);  // never
  EXPECT_EQ(outcome([&] { CORBA::String_var said = echo->echo_string("quick"); }), "answered");
  omniORB::setClientThreadCallDeadline(0, 0);
  EXPECT_EQ(outcome([&] { CORBA::String_var said = echo->echo_string("quick"); }), "answered");
}

TEST_F(OmniorbCalls, WhatIsSetBeforehandHoldsForOrbsToCome) {
  omniORB::setClientCallTimeout(50);
  start();
  EXPECT_EQ(wait(echo), "TIMEOUT");
  client->destroy();
  client = make_orb("client", {"-ORBclientCallTimeOutPeriod", "20000"});
  CORBA::String_var ior = server->object_to_string(echo);
  CORBA::Object_var object = client->string_to_object(ior);
  echo = Echo::_narrow(object);
  servant->gate.post();
  servant->gate.post();
  EXPECT_EQ(wait(echo), "answered");
}

struct Seen {
  std::vector<std::string> calls;
  int wanted = 0;  // retries
};
CORBA::Boolean on_transient(void* cookie, CORBA::ULong retries, const CORBA::TRANSIENT& exception) {
  auto& seen = *static_cast<Seen*>(cookie);
  seen.calls.push_back("transient " + std::to_string(retries) + " " + std::to_string(exception.minor()));
  return static_cast<int>(retries) < seen.wanted;
}
CORBA::Boolean on_system(void* cookie, CORBA::ULong retries, const CORBA::SystemException& exception,
                         CORBA::Object_ptr object, const char* operation) {
  auto& seen = *static_cast<Seen*>(cookie);
  seen.calls.push_back(std::string(exception._name()) + " of " + operation + " " + std::to_string(retries));
  return !CORBA::is_nil(object) && static_cast<int>(retries) < seen.wanted;
}
CORBA::Boolean on_timeout(void* cookie, CORBA::ULong retries, const CORBA::TIMEOUT&) {
  static_cast<Seen*>(cookie)->calls.push_back("timeout " + std::to_string(retries));
  return retries == 0;
}
CORBA::Boolean give_up(void*, CORBA::ULong, const CORBA::TRANSIENT&) { throw CORBA::NO_RESPONSE(); }

TEST_F(OmniorbCalls, HandlersHaveCallsMadeAgain) {
  start();
  Seen all, own;
  all.wanted = own.wanted = 2;
  omniORB::installTransientExceptionHandler(&all, on_transient);
  omniORB::installTransientExceptionHandler(other, &own, on_transient);
  omniORB::installSystemExceptionHandlerExt(&all, on_system);
  servant->failures = 2;
  EXPECT_EQ(outcome([&] { CORBA::String_var said = echo->echo_string("again"); }), "answered");
  EXPECT_EQ(all.calls, (std::vector<std::string>{"transient 0 7", "transient 1 7"}));
  servant->failures = 3;
  EXPECT_EQ(outcome([&] { CORBA::String_var said = other->echo_string("too often"); }), "TRANSIENT");
  EXPECT_EQ(own.calls, (std::vector<std::string>{"transient 0 7", "transient 1 7", "transient 2 7"}));
  // The object has none for this.
  all.calls.clear();
  EXPECT_EQ(outcome([&] { CORBA::String_var said = other->echo_string("refuse"); }), "NO_PERMISSION");
  EXPECT_EQ(all.calls,
            (std::vector<std::string>{"NO_PERMISSION of echo_string 0", "NO_PERMISSION of echo_string 1",
                                      "NO_PERMISSION of echo_string 2"}));
  // Without a handler, and with one that throws.
  omniORB::installTransientExceptionHandler(nullptr, nullptr);
  servant->failures = 1;
  EXPECT_EQ(outcome([&] { CORBA::String_var said = echo->echo_string("fail"); }), "TRANSIENT");
  omniORB::installTransientExceptionHandler(echo, nullptr, give_up);
  servant->failures = 1;
  EXPECT_EQ(outcome([&] { CORBA::String_var said = echo->echo_string("fail"); }), "NO_RESPONSE");
  EXPECT_EQ(outcome([&] { CORBA::String_var said = echo->echo_string("well"); }), "answered");
  omniORB::installSystemExceptionHandlerExt(nullptr, nullptr);
}

TEST_F(OmniorbCalls, HandlersAreAskedWhenNobodyListens) {
  start();
  CORBA::Object_var object = client->string_to_object("corbaloc::127.0.0.1:1/Nobody");
  Echo_var nobody = Echo::_unchecked_narrow(object);
  Seen seen;
  seen.wanted = 3;
  omniORB::installTransientExceptionHandler(nobody, &seen, on_transient);
  try {
    nobody->ping();
    FAIL();
  } catch (const CORBA::TRANSIENT& e) {
    EXPECT_EQ(e.minor(), omni::TRANSIENT_ConnectFailed);
  }
  EXPECT_EQ(seen.calls.size(), 4u);
}

TEST_F(OmniorbCalls, RepeatedCallsHaveTheirTimeAgainIfTheProgramWants) {
  start({"-ORBresetTimeOutOnRetries", "1"});
  Seen seen;
  omniORB::installTimeoutExceptionHandler(echo, &seen, on_timeout);
  omniORB::setClientCallTimeout(echo, 100);
  servant->calls = 0;
  EXPECT_EQ(wait(echo), "TIMEOUT");
  EXPECT_EQ(seen.calls, (std::vector<std::string>{"timeout 0", "timeout 1"}));
  EXPECT_EQ(servant->calls, 2);
}

// A port of this host where connections are neither accepted nor refused: its queue is full.
class FullPort {
 public:
  FullPort() {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    auto* const address = reinterpret_cast<sockaddr*>(&address_);
    EXPECT_EQ(bind(listener_, address, size), 0);
    EXPECT_EQ(listen(listener_, 0), 0);
    EXPECT_EQ(getsockname(listener_, address, &size), 0);
    for (const int waiting : waiting_) (void)connect(waiting, address, size);
  }
  ~FullPort() {
    for (const int waiting : waiting_) close(waiting);
    close(listener_);
  }
  FullPort(const FullPort&) = delete;
  FullPort& operator=(const FullPort&) = delete;
  int number() const { return ntohs(address_.sin_port); }

 private:
  static int make() { return socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }
  sockaddr_in address_{};
  int listener_ = make();
  int waiting_[4] = {make(), make(), make(), make()};
};

TEST_F(OmniorbCalls, ServantsForward) {
  start();
  PortableServer::Servant_var<SlowEcho> next = new SlowEcho;
  servant->moved_to = next->_this();
  echo->ping();
  EXPECT_EQ(next->calls, 1);
  EXPECT_EQ(servant->calls, 0);
  EXPECT_FALSE(echo->_is_equivalent(other));  // it was for good
}

TEST_F(OmniorbCalls, ConnectingHasATimeOfItsOwn) {
  start();
  const FullPort port;
  const std::string url = "corbaloc::127.0.0.1:" + std::to_string(port.number()) + "/Nobody";
  CORBA::Object_var object = client->string_to_object(url.c_str());
  Echo_var nobody = Echo::_unchecked_narrow(object);
  omniORB::setClientConnectTimeout(60);
  const auto asked = [&] { nobody->ping(); };
  EXPECT_EQ(outcome(asked), "TRANSIENT");
  omniORB::setClientConnectTimeout(20000);
  omniORB::setClientCallTimeout(nobody, 60);
  EXPECT_EQ(outcome(asked), "TIMEOUT");
  omniORB::setClientConnectTimeout(10000);
}

TEST(OmniorbOptions, StandInPairsToo) {
  const char* options[][2] = {
      {"giopMaxMsgSize", "65536"}, {"endPoint", "giop:tcp:127.0.0.1:"}, {nullptr, nullptr}};
  char program[] = "p", mine[] = "mine", name[] = "-ORBgiopMaxMsgSize", size[] = "70000";
  char* argv[] = {program, mine, name, size, nullptr};
  int argc = 2;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "pairs", options);
  EXPECT_EQ(omniORB::giopMaxMsgSize(), 65536u);
  orb->destroy();
  argc = 4;
  orb = CORBA::ORB_init(argc, argv, "pairs", options);
  EXPECT_EQ(omniORB::giopMaxMsgSize(), 70000u);
  ASSERT_EQ(argc, 2);
  EXPECT_STREQ(argv[1], "mine");
  EXPECT_EQ(argv[2], nullptr);
  orb->destroy();
  EXPECT_EQ(omniORB::giopMaxMsgSize(), 0x7fffffffu);
}

}  // namespace
