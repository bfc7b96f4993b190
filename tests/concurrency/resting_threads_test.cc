// Threads that wait for the next request in a read without a time limit: the server takes them back by a
// signal, of which nobody else notices anything.
#include <dirent.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <map>

#include "orb/transport/tcp.h"
#include "tests/lifecycle/support.h"

namespace transport = corbel::transport;

namespace {

using namespace lifecycle;
using std::chrono::milliseconds;

// Calls in a row after which threads rest.
constexpr int kOften = 100;

std::vector<std::string> over_tcp(std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"-ORBtransports", "tcp"});
  return more;
}

void call_often(Pair& pair) {
  for (int i = 0; i < kOften; ++i) ASSERT_EQ(pair.remote->minus(3), 2);
}

// How often each thread of this process has gone to sleep.
std::map<std::string, long> sleeps() {
  std::map<std::string, long> all;
  DIR* const tasks = opendir("/proc/self/task");
  while (const dirent* const task = readdir(tasks)) {
    if (task->d_name[0] == '.') continue;
    std::ifstream status("/proc/self/task/" + std::string(task->d_name) + "/status");
    for (std::string word; status >> word;)
      if (long count = 0; word == "voluntary_ctxt_switches:" && status >> count) all[task->d_name] = count;
  }
  closedir(tasks);
  return all;
}

// The most that one of them did in that time.
long most_sleeps_within(milliseconds time) {
  const auto before = sleeps();
  std::this_thread::sleep_for(time);
  long most = 0;
  for (const auto& [thread, count] : sleeps())
    if (const auto then = before.find(thread); then != before.end())
      most = std::max(most, count - then->second);
  return most;
}

bool is_handled_by(void (*handler)(int)) {
  struct sigaction now;
  sigaction(SIGURG, nullptr, &now);
  return now.sa_handler == handler;
}

struct How {
  const char *signal, *model, *transport;
};
class RestingThreads : public testing::TestWithParam<How> {
 protected:
  Pair pair{{"-ORBtransports", "tcp,unix", "-ORBsignalIdleThreads", GetParam().signal, "-ORBserverModel",
             GetParam().model, "-ORBthreadPoolSize", "1", "-ORBendPoint", "giop:unix:"},
            {"-ORBtransports", std::string(GetParam().transport) + ",tcp"}};
};
INSTANTIATE_TEST_SUITE_P(Way, RestingThreads,
                         testing::Values(How{"1", "pool", "tcp"}, How{"1", "pool", "unix"},
                                         How{"1", "connection", "tcp"}, How{"0", "pool", "tcp"}),
                         [](const auto& i) {
                           const How& how = i.param;
                           return std::string(*how.signal == '1' ? "signal_" : "timer_") + how.model + '_' +
                                  how.transport;
                         });

// While a thread is with a connection the leader looks after it many times a second.
TEST_P(RestingThreads, AreTakenBackFromASilentConnection) {
  for (int i = 0; i < 3; ++i) {
    call_often(pair);
    std::this_thread::sleep_for(milliseconds(100));
    // 25 looks in that time; sanitizers have threads of their own.
    EXPECT_LE(most_sleeps_within(milliseconds(400)), 12);
  }
}

// TCP whose server says when it is about to take a thread back.
std::function<void()> about_to_take_back;

std::atomic<int> rests{0};

class WatchedStream final : public transport::TcpStream {
 public:
  explicit WatchedStream(transport::Descriptor socket) : TcpStream(std::move(socket), {}) {}
  bool limit_reads(int milliseconds) override {
    if (milliseconds == 0) ++rests;
    if (milliseconds == 1 && about_to_take_back) about_to_take_back();
    return TcpStream::limit_reads(milliseconds);
  }
};

class WatchedAcceptor final : public transport::Acceptor {
 public:
  explicit WatchedAcceptor(std::string& why) { listener_.listen("127.0.0.1:0", why); }
  std::unique_ptr<transport::Stream> accept(bool& exhausted) override {
    transport::Descriptor socket = listener_.accept(exhausted);
    if (!socket) return nullptr;
    return std::make_unique<WatchedStream>(std::move(socket));
  }
  int descriptor() const override { return listener_.descriptor(); }
  std::string address(const std::string& host) const override { return listener_.address(host); }
  void stop() override { listener_.stop(); }

 private:
  transport::TcpListener listener_;
};

class WatchedTransport final : public transport::Transport {
 public:
  const char* name() const override { return "watched"; }
  std::unique_ptr<transport::Acceptor> listen(const std::string&, std::string& why) override {
    return std::make_unique<WatchedAcceptor>(why);
  }
  transport::ConnectResult connect(const std::string& address, transport::Deadline deadline) override {
    transport::HostAndPorts at;
    transport::ConnectResult result;
    if (!transport::parse_host_and_ports(address, at)) return result;
    transport::Descriptor socket = transport::connect_tcp(at.host, at.first, deadline, result.timed_out);
    if (socket)
      result.stream = std::make_unique<transport::TcpStream>(std::move(socket), transport::KeepAlive());
    return result;
  }
};

const transport::TransportKind kWatched{
    "watched", nullptr,
    [](const transport::TransportSettings&, std::string&) -> std::unique_ptr<transport::Transport> {
      return std::make_unique<WatchedTransport>();
    }};

class WatchedPair : public Pair {
 public:
  explicit WatchedPair(std::vector<std::string> more = {}) : Pair(options(std::move(more)), options({})) {}

  // Calls until a thread rests. Where calls take long, as between threads that wait for their turn, upcalls
  // are handed over, and none does.
  void call_until_a_thread_rests() {
    const int before = rests;
    EXPECT_TRUE(comes_true([&] {
      for (int i = 0; i < kOften; ++i) remote->ping();
      return rests != before;
    }));
  }

 private:
  static std::vector<std::string> options(std::vector<std::string> more) {
    transport::register_transport(kWatched);
    more.insert(more.begin(), {"-ORBtransports", "watched,tcp", "-ORBendPoint", "giop:watched:"});
    return more;
  }
};

// A signal that met it would end the sleep: nothing restarts one.
TEST(RequestsToRestingThreads, ThatComeWithTheSignalFindServantsThatSleepAsLongAsTheyWant) {
  std::promise<void> now;
  about_to_take_back = [&, first = true]() mutable {
    if (std::exchange(first, false)) now.set_value();
    std::this_thread::sleep_for(milliseconds(20));  // the request comes meanwhile
  };
  {
    WatchedPair pair;
    bool slept = false, whole = false;
    pair.servant->script = [&] {
      const timespec time{0, 50'000'000};
      whole = nanosleep(&time, nullptr) == 0;
      slept = true;
    };
    pair.call_until_a_thread_rests();
    EXPECT_EQ(now.get_future().wait_for(kPatience), std::future_status::ready);
    EXPECT_EQ(pair.remote->minus(3), 2);
    EXPECT_TRUE(slept);
    EXPECT_TRUE(whole);
  }
  about_to_take_back = nullptr;
}

// One of the two rests, the other one is in the upcall.
TEST(ThreadsThatRest, ComeBackToLeadWhereThereMayBeNoOther) {
  WatchedPair pair({"-ORBmaxThreads", "2"});
  const CORBA::ORB_var orb = make_orb("other", {"-ORBtransports", "watched,tcp"});
  const CORBA::Object_var object = orb->string_to_object(pair.ior.c_str());
  const Contract::Everything_var other = Contract::Everything::_unchecked_narrow(object);
  other->ping();
  std::this_thread::sleep_for(milliseconds(100));
  Gate gate;
  pair.servant->script = [&] { gate.wait(); };
  pair.call_until_a_thread_rests();
  std::thread caller([&] { EXPECT_EQ(raised([&] { other->minus(3); }), "none"); });
  EXPECT_TRUE(gate.wait_until_inside(1));
  const CORBA::ORB_var third = make_orb("third", {"-ORBtransports", "watched,tcp"});
  std::future<std::string> ping = std::async(std::launch::async, [&] {
    const CORBA::Object_var same = third->string_to_object(pair.ior.c_str());
    const Contract::Everything_var remote = Contract::Everything::_unchecked_narrow(same);
    return raised([&] { remote->ping(); });
  });
  EXPECT_EQ(ping.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  gate.open();
  EXPECT_EQ(ping.get(), "none");
  caller.join();
  orb->destroy();
  third->destroy();
}

TEST(SignalOfRestingThreads, IsHandledWhileThereIsAServer) {
  ASSERT_TRUE(is_handled_by(SIG_DFL));
  {
    Pair pair(over_tcp());
    call_often(pair);
    EXPECT_FALSE(is_handled_by(SIG_DFL));
  }
  EXPECT_TRUE(is_handled_by(SIG_DFL));
}

TEST(SignalOfRestingThreads, IsNotHandledWhereItIsNotUsed) {
  Pair pair(over_tcp({"-ORBsignalIdleThreads", "0"}), over_tcp({"-ORBsignalIdleThreads", "0"}));
  call_often(pair);
  EXPECT_TRUE(is_handled_by(SIG_DFL));
}

std::atomic<int> came{0};
void count(int) { ++came; }

TEST(SignalOfRestingThreads, BelongsToTheProgramThatHandlesIt) {
  signal(SIGURG, count);
  const int before = rests;
  {
    WatchedPair pair;
    for (int i = 0; i < kOften; ++i) pair.remote->ping();
  }
  EXPECT_EQ(came, 0);
  EXPECT_EQ(rests, before);
  EXPECT_TRUE(is_handled_by(count));
  signal(SIGURG, SIG_DFL);
}

TEST(SignalOfRestingThreads, BelongsToTheProgramThatBlocksIt) {
  sigset_t urgent, before;
  sigemptyset(&urgent);
  sigaddset(&urgent, SIGURG);
  pthread_sigmask(SIG_BLOCK, &urgent, &before);
  {
    Pair pair(over_tcp(), over_tcp());
    call_often(pair);
    EXPECT_TRUE(is_handled_by(SIG_DFL));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// The thread that rests then does so until something comes, or the end.
TEST(SignalOfRestingThreads, MayBeTakenFromTheServerAtAnyTime) {
  {
    WatchedPair pair;
    pair.call_until_a_thread_rests();
    signal(SIGURG, count);
    std::this_thread::sleep_for(milliseconds(100));
    call_often(pair);
  }
  EXPECT_EQ(came, 0);
  EXPECT_TRUE(is_handled_by(count));
  signal(SIGURG, SIG_DFL);
}

}  // namespace
