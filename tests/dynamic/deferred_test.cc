// The Dynamic Invocation Interface: replies that are waited for later, and time limits.
#include <corbel/dynamic.h>
#include <corbel/fork.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "contract.any.h"
#include "orb/base/address_sanitizer.h"
#include "orb/base/thread_sanitizer.h"
#include "tests/calls/everything.h"
#include "tests/dynamic/outcomes.h"
#include "tests/dynamic/requests.h"
#include "tests/streaming/raw_peer.h"

namespace {

// Answers when it is told to.
class Slow : public EverythingServant {
 public:
  CORBA::Long plus(CORBA::Long n) override {
    ++inside;
    while (!open) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return n + 1;
  }
  std::atomic<bool> open{false};
  std::atomic<int> inside{0};
};

class Deferred : public Requests {
 protected:
  ~Deferred() override { slow->open = true; }
  PortableServer::Servant_var<Slow> slow = new Slow;
  Contract::Everything_var waiting = [this] {
    PortableServer::ObjectId_var id = orbs.poa->activate_object(slow);
    CORBA::Object_var local = orbs.poa->id_to_reference(id.in());
    CORBA::String_var text = orbs.server->object_to_string(local);
    CORBA::Object_var object = orbs.client->string_to_object(text);
    return Contract::Everything::_unchecked_narrow(object);
  }();
  CORBA::Request_var plus(CORBA::Object_ptr target, CORBA::Long n) {
    CORBA::Request_var r = target->_request("plus");
    r->add_in_arg() <<= n;
    r->set_return_type(CORBA::_tc_long);
    return r;
  }
};
INSTANTIATE_TEST_SUITE_P(Giop, Deferred, testing::Values("1.0", "1.1", "1.2"),
                         [](const auto& i) { return std::string("v1_") + i.param[2]; });

TEST_P(Deferred, ReplyIsGotLater) {
  CORBA::Request_var r = plus(waiting, 1);
  r->send_deferred();
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(r->poll_response());
  slow->open = true;
  r->get_response();
  ASSERT_EQ(exception_of(r), "none");
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
}

TEST_P(Deferred, PollFindsTheReply) {
  CORBA::Request_var r = plus(waiting, 1);
  for (int round = 0; round < 3; ++round) {
    slow->open = false;
    r->send_deferred();
    EXPECT_FALSE(r->poll_response());
    slow->open = true;
    while (!r->poll_response()) std::this_thread::yield();
    EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
    EXPECT_TRUE(r->poll_response());
    r->get_response();
  }
}

TEST_P(Deferred, RepliesOfManyComeInAnyOrder) {
  std::vector<CORBA::Request_var> all;
  for (CORBA::Long n = 0; n < 50; ++n) {
    all.push_back(plus(n == 0 ? waiting.in() : it, n));
    all.back()->send_deferred();
  }
  for (CORBA::Long n = 49; n > 0; --n) {
    all[static_cast<std::size_t>(n)]->get_response();
    EXPECT_EQ(value_of<CORBA::Long>(all[static_cast<std::size_t>(n)]->return_value()), n + 1);
  }
  EXPECT_FALSE(all[0]->poll_response());
  slow->open = true;
  all[0]->get_response();
  EXPECT_EQ(value_of<CORBA::Long>(all[0]->return_value()), 1);
}

TEST_P(Deferred, OrdinaryCallsReadItsReply) {
  CORBA::Request_var r = plus(it, 8);
  r->send_deferred();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(it->minus(3), 2);
  EXPECT_TRUE(r->poll_response());
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 9);
}

TEST_P(Deferred, ThreadsThatCallMeanwhileAreNotDisturbed) {
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      while (!stop)
        if (it->minus(3) != 2) ++wrong;
    });
  CORBA::Request_var r = plus(it, 0);
  for (CORBA::Long n = 0; n < 300; ++n) {
    *r->arguments()->item(0)->value() <<= n;
    r->send_deferred();
    if (n % 3 == 0)
      while (!r->poll_response()) std::this_thread::yield();
    r->get_response();
    ASSERT_EQ(value_of<CORBA::Long>(r->return_value()), n + 1);
  }
  stop = true;
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST_P(Deferred, ReleaseWhileUnderWayLeavesTheConnectionInOrder) {
  for (int i = 0; i < 20; ++i) {
    CORBA::Request_var r = plus(waiting, 1);
    r->send_deferred();
  }
  slow->open = true;
  for (CORBA::Long n = 0; n < 20; ++n) EXPECT_EQ(it->minus(n), n - 1);
}

// 1.2: there the identifier comes first in the message.
TEST(ReleasedRequest, UnderWayIsCancelledByName) {
  streaming::RawPeer peer([](const streaming::Piece&) { return std::string(); });
  int argc = 0;
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr, "dynamic-cancel");
  CORBA::Object_var object = orb->string_to_object(peer.url().c_str());
  {
    CORBA::Request_var r = object->_request("plus");
    r->set_return_type(CORBA::_tc_void);
    r->send_deferred();
    ASSERT_TRUE(peer.wait_for([](const auto& pieces) { return pieces.size() == 1; }));
    EXPECT_FALSE(r->poll_response());
  }
  ASSERT_TRUE(peer.wait_for([](const auto& pieces) { return pieces.size() == 2; }));
  const std::vector<streaming::Piece> pieces = peer.pieces();
  EXPECT_EQ(pieces[0].type, streaming::Request);
  EXPECT_EQ(pieces[1].type, streaming::Cancel);
  EXPECT_EQ(pieces[1].id, pieces[0].id);
  orb->destroy();
}

TEST_P(Deferred, ArgumentsStayAsTheyWereSent) {
  Contract::Octets octets;
  octets.length(200'000);
  octets[199'999] = 7;
  CORBA::Request_var r = it->_request("give_octets");
  CORBA::Any& a = r->add_in_arg();
  a <<= octets;
  r->add_inout_arg() <<= Contract::Octets();
  r->add_out_arg().replace(Contract::_tc_Octets, nullptr);
  r->set_return_type(Contract::_tc_Octets);
  r->send_deferred();
  r->get_response();
  const Contract::Octets* found;
  ASSERT_TRUE(r->return_value() >>= found);
  EXPECT_EQ((*found)[199'999], 7);
}

TEST_P(Deferred, WrongOrderIsRefused) {
  CORBA::Request_var r = plus(waiting, 1);
  EXPECT_EQ(thrown([&] { r->get_response(); }), "BAD_INV_ORDER/4f4d000b/1");
  EXPECT_EQ(thrown([&] { r->poll_response(); }), "BAD_INV_ORDER/4f4d000b/1");
  r->send_deferred();
  EXPECT_EQ(thrown([&] { r->send_deferred(); }), "BAD_INV_ORDER/4f4d000a/1");
  EXPECT_EQ(thrown([&] { r->invoke(); }), "BAD_INV_ORDER/4f4d000a/1");
  EXPECT_EQ(thrown([&] { r->send_oneway(); }), "BAD_INV_ORDER/4f4d000a/1");
  slow->open = true;
  r->get_response();
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
  EXPECT_EQ(thrown([&] { r->get_response(); }), "BAD_INV_ORDER/4f4d000c/1");
  EXPECT_EQ(thrown([&] { r->poll_response(); }), "BAD_INV_ORDER/4f4d000c/1");
  r->invoke();
  EXPECT_EQ(thrown([&] { r->get_response(); }), "BAD_INV_ORDER/4f4d000d/1");
  EXPECT_EQ(thrown([&] { r->poll_response(); }), "BAD_INV_ORDER/4f4d000d/1");
}

TEST_P(Deferred, ExceptionsAreToldWhenTheReplyIsGot) {
  CORBA::Request_var r = it->_request("fail");
  r->send_deferred();
  r->get_response();
  EXPECT_EQ(exception_of(r), "NO_PERMISSION/5/0");
  r = it->_request("refuse");
  r->add_in_arg() <<= CORBA::Long{0};
  r->exceptions()->add(Contract::_tc_Empty);
  r->send_deferred();
  while (!r->poll_response()) std::this_thread::yield();
  EXPECT_EQ(exception_of(r), "UnknownUserException");
}

TEST_P(Deferred, EndOfTheServerIsTold) {
  CORBA::Request_var r = plus(it, 1);
  r->send_deferred();
  r->get_response();
  CORBA::Request_var late = plus(waiting, 1);
  late->send_deferred();
  EXPECT_FALSE(late->poll_response());
  orbs.server->shutdown(false);
  slow->open = true;
  late->get_response();
  // Its reply still came, or the connection ended before it.
  const std::string how = exception_of(late);
  EXPECT_TRUE(how == "none" || how.rfind("COMM_FAILURE", 0) == 0 || how.rfind("TRANSIENT", 0) == 0) << how;
}

// Sanitizers do not let children of many threads go on as these do; tests/lifecycle has what there is for
// them.
#if !defined(CORBEL_ASAN) && !defined(CORBEL_TSAN)
template <typename Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    corbel::after_fork(true);
    _exit(body());
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_P(Deferred, RequestUnderWayIsTheParentsAfterFork) {
  CORBA::Request_var r = plus(waiting, 1);
  r->send_deferred();
  EXPECT_EQ(in_child([&] {
              r->get_response();
              if (exception_of(r) == "none") return 1;
              CORBA::Request_var own = plus(it, 4);
              own->send_deferred();
              own->get_response();
              return exception_of(own) == "none" && value_of<CORBA::Long>(own->return_value()) == 5 ? 0 : 2;
            }),
            0);
  EXPECT_EQ(in_child([&] {
              r = CORBA::Request::_nil();
              CORBA::Request_var own = plus(it, 5);
              own->invoke();
              return exception_of(own) == "none" ? 0 : 2;
            }),
            0);
  EXPECT_FALSE(r->poll_response());
  slow->open = true;
  r->get_response();
  ASSERT_EQ(exception_of(r), "none");
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
}

// Who read the replies is not in the child.
TEST_P(Deferred, RequestThatAnotherThreadWasToReadForIsLostAfterFork) {
  std::thread other([&] { EXPECT_EQ(waiting->plus(3), 4); });
  while (slow->inside < 1) std::this_thread::yield();
  CORBA::Request_var got = plus(waiting, 1), polled = plus(waiting, 2);
  CORBA::RequestSeq several;
  several.length(1);
  several[0] = plus(waiting, 3);
  got->send_deferred();
  polled->send_deferred();
  orbs.client->send_multiple_requests_deferred(several);
  EXPECT_EQ(in_child([&] {
              got->get_response();
              if (exception_of(got).rfind("COMM_FAILURE", 0) != 0) return 1;
              if (!polled->poll_response() || exception_of(polled).rfind("COMM_FAILURE", 0) != 0) return 2;
              CORBA::Request_var next;
              orbs.client->get_next_response(next);
              return exception_of(next).rfind("COMM_FAILURE", 0) == 0 ? 0 : 3;
            }),
            0);
  slow->open = true;
  other.join();
  for (const CORBA::Request_var& r : {got, polled}) {
    r->get_response();
    EXPECT_EQ(exception_of(r), "none");
  }
}
#endif

TEST_P(Deferred, SeveralAreSentAndGotAsTheyCome) {
  EXPECT_EQ(thrown([&] { orbs.client->poll_next_response(); }), "BAD_INV_ORDER/4f4d000b/1");
  CORBA::Request_var none;
  EXPECT_EQ(thrown([&] { orbs.client->get_next_response(none); }), "BAD_INV_ORDER/4f4d000b/1");
  CORBA::RequestSeq all;
  all.length(4);
  for (CORBA::ULong i = 0; i < 4; ++i)
    all[i] = plus(i == 0 ? waiting.in() : it, static_cast<CORBA::Long>(i))._retn();
  orbs.client->send_multiple_requests_deferred(all);
  CORBA::Long sum = 0;
  for (int i = 0; i < 3; ++i) {
    CORBA::Request_var next;
    orbs.client->get_next_response(next);
    sum += value_of<CORBA::Long>(next->return_value());
  }
  EXPECT_EQ(sum, 2 + 3 + 4);
  EXPECT_FALSE(orbs.client->poll_next_response());
  slow->open = true;
  while (!orbs.client->poll_next_response()) std::this_thread::yield();
  CORBA::Request_var last;
  orbs.client->get_next_response(last);
  EXPECT_EQ(last.in(), all[0].in());
  EXPECT_EQ(value_of<CORBA::Long>(last->return_value()), 1);
  EXPECT_EQ(thrown([&] { orbs.client->poll_next_response(); }), "BAD_INV_ORDER/4f4d000b/1");
}

TEST_P(Deferred, SeveralThreadsMaySendAndGetAtOnce) {
  std::atomic<CORBA::Long> sum = 0;
  constexpr CORBA::Long kThreads = 4, kEach = 50;
  std::vector<std::thread> threads;
  for (CORBA::Long t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      CORBA::RequestSeq all;
      all.length(kEach);
      for (CORBA::Long i = 0; i < kEach; ++i) all[i] = plus(it, kEach * t + i)._retn();
      orbs.client->send_multiple_requests_deferred(all);
      for (CORBA::Long i = 0; i < kEach; ++i) {
        CORBA::Request_var next;
        orbs.client->get_next_response(next);
        sum += value_of<CORBA::Long>(next->return_value());
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, kThreads * kEach * (kThreads * kEach + 1) / 2);
  EXPECT_EQ(thrown([&] { orbs.client->poll_next_response(); }), "BAD_INV_ORDER/4f4d000b/1");
}

TEST_P(Deferred, WhereOneOfSeveralCannotBeSentThoseBeforeItAreUnderWay) {
  CORBA::Request_var untyped = it->_request("plus");
  untyped->add_in_arg();
  CORBA::Request_var under_way = plus(waiting, 7);
  under_way->send_deferred();
  for (CORBA::Request_ptr unsendable : {CORBA::Request::_nil(), untyped.in(), under_way.in()}) {
    CORBA::RequestSeq all;
    all.length(3);
    all[0] = plus(it, 1)._retn();
    all[1] = CORBA::Request::_duplicate(unsendable);
    all[2] = plus(it, 2)._retn();
    EXPECT_NE(thrown([&] { orbs.client->send_multiple_requests_deferred(all); }), "none");
    CORBA::Request_var next;
    orbs.client->get_next_response(next);
    EXPECT_EQ(next.in(), all[0].in());
    EXPECT_EQ(value_of<CORBA::Long>(next->return_value()), 2);
    EXPECT_EQ(thrown([&] { all[2]->get_response(); }), "BAD_INV_ORDER/4f4d000b/1");
  }
  slow->open = true;
  under_way->get_response();
  EXPECT_EQ(value_of<CORBA::Long>(under_way->return_value()), 8);
}

// A value in an Any, which tells whether there is one.
int counted_longs = 0;
constexpr corbel::cpp::AnyOperations kCountedLong = {
    [](const void* value) -> void* {
      return ++counted_longs, new CORBA::Long(*static_cast<const CORBA::Long*>(value));
    },
    [](void* value) { --counted_longs, delete static_cast<CORBA::Long*>(value); },
    [](corbel::cdr::Encoder& out, const void* value) { out.put(*static_cast<const CORBA::Long*>(value)); },
    nullptr};

TEST_P(Deferred, SeveralThatAreGotOneByOneAreLetGo) {
  for (int i = 0; i < 3; ++i) {
    CORBA::RequestSeq one;
    one.length(1);
    one[0] = plus(it, 1)._retn();
    ++counted_longs;
    one[0]->arguments()->item(0)->value()->_corbel_adopt(*CORBA::_tc_long, new CORBA::Long(i), kCountedLong);
    orbs.client->send_multiple_requests_deferred(one);
    while (i != 0 && !one[0]->poll_response()) std::this_thread::yield();
    if (i != 2) one[0]->get_response();
    EXPECT_EQ(exception_of(one[0]), "none");
    EXPECT_EQ(value_of<CORBA::Long>(one[0]->return_value()), i + 1);
  }
  EXPECT_EQ(counted_longs, 0);
}

TEST_P(Deferred, NextResponseMayBeOfARequestThatWasSentAlone) {
  CORBA::Request_var late = plus(waiting, 1), soon = plus(it, 2), next;
  late->send_deferred();
  soon->send_deferred();
  orbs.client->get_next_response(next);
  EXPECT_EQ(next.in(), soon.in());
  EXPECT_EQ(value_of<CORBA::Long>(next->return_value()), 3);
  EXPECT_EQ(thrown([&] { soon->get_response(); }), "BAD_INV_ORDER/4f4d000c/1");
  EXPECT_FALSE(orbs.client->poll_next_response());
  slow->open = true;
  orbs.client->get_next_response(next);
  EXPECT_EQ(next.in(), late.in());
  // What has been got, is sent otherwise, or is released does not come.
  soon->send_deferred();
  soon->get_response();
  soon->send_deferred();
  while (!soon->poll_response()) std::this_thread::yield();
  soon->invoke();
  plus(it, 3)->send_deferred();
  EXPECT_EQ(thrown([&] { orbs.client->poll_next_response(); }), "BAD_INV_ORDER/4f4d000b/1");
}

// Whoever is first has the reply, and the other one is told.
TEST_P(Deferred, ThreadsMayGetTheirOwnWhileOthersGetAny) {
  constexpr int kRequests = 400;
  std::atomic<int> own = 0, any = 0, taken = 0, wrong = 0;
  std::atomic<bool> all_sent = false;
  std::thread others([&] {
    for (bool last = false; !last;) {
      last = all_sent;
      const std::string how = thrown([&] {
        CORBA::Request_var next;
        orbs.client->get_next_response(next);
        value_of<CORBA::Long>(next->return_value()) == 6 ? ++any : ++wrong;
      });
      if (how == "none") last = false;
      else if (how != "BAD_INV_ORDER/4f4d000b/1") ++wrong;
    }
  });
  for (int i = 0; i < kRequests; ++i) {
    CORBA::Request_var r = plus(it, 5);
    r->send_deferred();
    const std::string how = thrown([&] {
      if (i % 2 == 0)
        while (!r->poll_response()) continue;
      else r->get_response();
      if (value_of<CORBA::Long>(r->return_value()) != 6) ++wrong;
    });
    if (how == "BAD_INV_ORDER/4f4d000c/1") ++taken;
    else if (how != "none") ++wrong;
    else if (i % 2 != 0) ++own;
  }
  all_sent = true;
  others.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(any, taken.load());
  EXPECT_LE(own + any, kRequests);
}

TEST_P(Deferred, SeveralGoOneWay) {
  CORBA::RequestSeq all;
  all.length(5);
  for (CORBA::ULong i = 0; i < 5; ++i) {
    CORBA::Request_var r = it->_request("note");
    r->add_in_arg() <<= static_cast<CORBA::Long>(i);
    all[i] = r._retn();
  }
  orbs.client->send_multiple_requests_oneway(all);
  EXPECT_EQ(it->noted(), 10);
}

TEST(RequestsAtHome, ReactiveClientsReadWhatTheyPollFor) {
  TwoOrbs orbs("reactive-deferred");
  std::thread server([&] { orbs.server->run(); });
  orbs.connect();
  CORBA::Request_var r = orbs.everything->_request("plus");
  r->add_in_arg() <<= CORBA::Long{1};
  r->set_return_type(CORBA::_tc_long);
  r->send_deferred();
  while (!r->poll_response()) std::this_thread::yield();
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
  r->get_response();
  r->send_deferred();
  r->get_response();
  EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
  orbs.server->shutdown(false);
  server.join();
}

TEST(RequestsAtHome, TimeLimitsHold) {
  TwoOrbs orbs;
  const char* args[] = {"test", "-ORBclientCallTimeOutPeriod", "100", nullptr};
  int argc = 3;
  CORBA::ORB_var hurried = CORBA::ORB_init(argc, const_cast<char**>(args), "hurried");
  {
    PortableServer::Servant_var<Slow> slow = new Slow;
    PortableServer::ObjectId_var id = orbs.poa->activate_object(slow);
    CORBA::Object_var local = orbs.poa->id_to_reference(id.in());
    CORBA::String_var text = orbs.server->object_to_string(local);
    CORBA::Object_var object = hurried->string_to_object(text);
    CORBA::Request_var r = object->_request("plus");
    r->add_in_arg() <<= CORBA::Long{1};
    r->set_return_type(CORBA::_tc_long);
    const auto is_late = [&] {
      return exception_of(r).find("TIMEOUT") == 0 || exception_of(r).find("TRANSIENT") == 0;
    };
    r->invoke();
    EXPECT_TRUE(is_late()) << exception_of(r);
    r->send_deferred();
    r->get_response();
    EXPECT_TRUE(is_late()) << exception_of(r);
    r->send_deferred();
    while (!r->poll_response()) std::this_thread::yield();
    EXPECT_TRUE(is_late()) << exception_of(r);
    r->get_response();
    // What passes before the reply is asked for counts.
    r->send_deferred();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_TRUE(r->poll_response());
    EXPECT_TRUE(is_late()) << exception_of(r);
    slow->open = true;
    r->get_response();
  }
  hurried->destroy();
}

// A port where nobody answers, nor even accepts unless it is told to: it has no threads here.
class SilentPort {
 public:
  SilentPort() {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address_), size), 0);
    EXPECT_EQ(listen(socket_, 5), 0);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address_), &size);
  }
  ~SilentPort() { close(socket_); }
  CORBA::Object_var object(CORBA::ORB_ptr orb) const {
    const std::string url = "corbaloc::1.2@127.0.0.1:" + std::to_string(ntohs(address_.sin_port)) + "/key";
    return orb->string_to_object(url.c_str());
  }
  // All of the next connection is read, and nothing is answered.
  void swallow() const {
    const int connection = accept(socket_, nullptr, nullptr);
    char octets[4096];
    while (read(connection, octets, sizeof octets) > 0) continue;
    EXPECT_EQ(close(connection), 0);
  }
  // The next connection is reset.
  void reset() const {
    const int connection = accept(socket_, nullptr, nullptr);
    const linger at_once{1, 0};
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    EXPECT_EQ(close(connection), 0);
  }

 private:
  const int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address_{};
};

TEST(RequestsAtHome, NoThreadWaitsForTheirReplies) {
  const SilentPort port;
  const char* args[] = {"test", "-ORBtransports", "tcp", nullptr};
  int argc = 3;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, const_cast<char**>(args), "deferring");
  {
    CORBA::Object_var object = port.object(orb);
    const auto threads = [] {
      return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                           std::filesystem::directory_iterator());
    };
    std::vector<CORBA::Request_var> all;
    const auto send = [&] {
      all.emplace_back(object->_request("ping"));
      all.back()->send_deferred();
      EXPECT_FALSE(all.back()->poll_response());
    };
    send();
    const auto before = threads();
    for (int i = 0; i < 40; ++i) send();
    EXPECT_EQ(threads(), before);
  }
  orb->destroy();
}

TEST(RequestsAtHome, AreRefusedOnceAConnectionHasNoIdForMore) {
  const SilentPort port;
  std::thread peer([&] { port.swallow(); });
  const char* args[] = {"test", "-ORBtransports", "tcp", nullptr};
  int argc = 3;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, const_cast<char**>(args), "deferring");
  {
    CORBA::Object_var object = port.object(orb);
    std::vector<CORBA::Request_var> all;
    const auto send = [&] {
      all.emplace_back(object->_request("ping"));
      all.back()->send_deferred();
    };
    for (int i = 0; i < 4095; ++i) send();
    EXPECT_FALSE(all.back()->poll_response());
    send();
    all.back()->get_response();
    EXPECT_EQ(exception_of(all.back()), "NO_RESOURCES/0/1");
    all.erase(all.begin());  // whose reply nobody wants
    send();
    EXPECT_FALSE(all.back()->poll_response());
  }
  orb->destroy();
  peer.join();
}

TEST(RequestsAtHome, AreOverWhereAOneWayFindsTheEndOfTheirConnection) {
  const SilentPort port;
  const char* args[] = {"test", "-ORBtransports", "tcp", nullptr};
  int argc = 3;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, const_cast<char**>(args), "deferring");
  {
    CORBA::Object_var object = port.object(orb);
    CORBA::Request_var polled = object->_request("ping"), note = object->_request("note");
    note->add_in_arg() <<= CORBA::Long{1};
    CORBA::RequestSeq others;
    others.length(1);
    others[0] = object->_request("ping");
    polled->send_deferred();
    orb->send_multiple_requests_deferred(others);
    note->send_oneway();  // the first in a while looks whether the connection has ended, the next does not
    port.reset();
    note->send_oneway();
    const auto comes_true = [](auto condition) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      return condition();
    };
    ASSERT_TRUE(comes_true([&] { return polled->poll_response(); }));
    polled->get_response();
    EXPECT_EQ(exception_of(polled).rfind("COMM_FAILURE", 0), 0u) << exception_of(polled);
    ASSERT_TRUE(comes_true([&] { return orb->poll_next_response(); }));
    CORBA::Request_var other;
    orb->get_next_response(other);
    EXPECT_EQ(exception_of(other).rfind("COMM_FAILURE", 0), 0u) << exception_of(other);
  }
  orb->destroy();
}

// Of a single-threaded adapter: sends more than fits into a socket that nobody reads.
class Sending : public EverythingServant {
 public:
  explicit Sending(CORBA::Object_ptr peer) : peer_(CORBA::Object::_duplicate(peer)) {}
  CORBA::Long minus(CORBA::Long n) override {
    Contract::Octets octets;
    octets.length(200'000);  // below what asks first where its object is
    for (; sent < 500; ++sent) {
      CORBA::Request_var r = peer_->_request("take");
      r->add_in_arg() <<= octets;
      r->send_deferred();
      if (exception_of(r) != "none") break;
    }
    return n;
  }
  std::atomic<int> sent{0};

 private:
  CORBA::Object_var peer_;
};

TEST(RequestsAtHome, ThatWaitForRoomKeepNobodyOutOfTheirUpcallsAdapter) {
  auto port = std::make_unique<SilentPort>();
  TwoOrbs orbs;
  const char* args[] = {"test", "-ORBclientCallTimeOutPeriod", "5000", nullptr};
  int argc = 3;
  CORBA::ORB_var hurried = CORBA::ORB_init(argc, const_cast<char**>(args), "hurried");
  {
    CORBA::PolicyList policies;
    policies.length(1);
    policies[0] = orbs.poa->create_thread_policy(PortableServer::SINGLE_THREAD_MODEL);
    PortableServer::POAManager_var manager = orbs.poa->the_POAManager();
    PortableServer::POA_var poa = orbs.poa->create_POA("single", manager, policies);
    CORBA::Object_var peer = port->object(orbs.client);
    PortableServer::Servant_var<Sending> sending = new Sending(peer);
    PortableServer::ObjectId_var id = poa->activate_object(sending);
    CORBA::Object_var object = poa->id_to_reference(id);
    CORBA::String_var text = orbs.server->object_to_string(object);
    object = orbs.client->string_to_object(text);
    CORBA::Request_var first = object->_request("minus"), second;
    first->add_in_arg() <<= CORBA::Long{1};
    first->set_return_type(CORBA::_tc_long);
    first->send_deferred();
    int before;
    do {
      before = sending->sent;
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    } while ((before == 0 && !first->poll_response()) || before != sending->sent);
    EXPECT_GT(sending->sent, 0);
    EXPECT_LT(sending->sent, 500);
    object = hurried->string_to_object(text);
    second = object->_request("ping");
    second->invoke();
    EXPECT_EQ(exception_of(second), "none");
    port = nullptr;  // with what has connected
    first->get_response();
  }
  hurried->destroy();
}

// A profile only looks on.
TEST(RequestsAtHome, AreSentAndWaitedForLaterWhereCallsAreCounted) {
  const std::string file = testing::TempDir() + "deferred-profile-" + std::to_string(getpid());
  TwoOrbs orbs;
  const char* args[] = {"test", "-ORBprofileCalls", file.c_str(), nullptr};
  int argc = 3;
  CORBA::ORB_var counted = CORBA::ORB_init(argc, const_cast<char**>(args), "counted");
  {
    PortableServer::Servant_var<Slow> slow = new Slow;
    PortableServer::ObjectId_var id = orbs.poa->activate_object(slow);
    CORBA::Object_var local = orbs.poa->id_to_reference(id.in());
    CORBA::String_var text = orbs.server->object_to_string(local);
    CORBA::Object_var object = counted->string_to_object(text);
    CORBA::Request_var r = object->_request("plus");
    r->add_in_arg() <<= CORBA::Long{1};
    r->set_return_type(CORBA::_tc_long);
    r->send_deferred();
    EXPECT_FALSE(r->poll_response());
    slow->open = true;
    r->get_response();
    ASSERT_EQ(exception_of(r), "none");
    EXPECT_EQ(value_of<CORBA::Long>(r->return_value()), 2);
  }
  counted->destroy();
  counted = CORBA::ORB::_nil();
  std::ifstream in(file);
  const std::string profile{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(profile.find("\n1 8 plus"), std::string::npos) << profile;
  std::remove(file.c_str());
}

}  // namespace
