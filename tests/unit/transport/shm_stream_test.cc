// Streams through shared memory between honest ends.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "orb/transport/shm.h"
#include "tests/unit/transport/shm_pair.h"

namespace corbel::transport::shm {
namespace {

bool readable(Stream& stream) {
  pollfd p{stream.descriptor(), POLLIN, 0};
  return ::poll(&p, 1, 0) == 1;
}

base::Deadline in_ms(int ms) { return base::now() + ms * 1'000'000LL; }

class Spinning : public testing::TestWithParam<int> {
 protected:
  Settings settings(std::size_t ring_size = 4096) const {
    Settings s = sleeping(ring_size);
    s.spin_time = GetParam() * 1000LL;
    return s;
  }
};
INSTANTIATE_TEST_SUITE_P(ForMicroseconds, Spinning, testing::Values(0, 20, 1000));

TEST(ShmStream, CarriesBytesBothWays) {
  Pair pair;
  EXPECT_EQ(write(*pair.client, "question").bytes, 8u);
  EXPECT_EQ(read_all(*pair.server, 8), "question");
  EXPECT_EQ(write(*pair.server, "answer").bytes, 6u);
  EXPECT_EQ(read_all(*pair.client, 6), "answer");
}

TEST(ShmStream, TriesToReadWithoutWaiting) {
  Pair pair;
  char to[8];
  EXPECT_EQ(pair.server->try_read(to, 8).status, Io::WouldBlock);
  EXPECT_EQ(pair.client->try_read(to, 8).status, Io::WouldBlock);
}

TEST(ShmStream, WritesSeveralPartsAsOne) {
  Pair pair;
  std::string a = "one ", b = "two ", c = "three";
  const iovec parts[] = {{a.data(), a.size()}, {b.data(), b.size()}, {nullptr, 0}, {c.data(), c.size()}};
  EXPECT_EQ(pair.client->try_write(parts, 4).bytes, 13u);
  EXPECT_EQ(read_all(*pair.server, 13), "one two three");
}

TEST_P(Spinning, MessagesLargerThanTheRingPassWhole) {
  Pair pair(settings());
  const std::string sent = pattern(1'000'000);
  std::thread writer([&] { EXPECT_TRUE(write_all(*pair.client, sent.data(), sent.size())); });
  EXPECT_EQ(read_all(*pair.server, sent.size()), sent);
  writer.join();
}

TEST_P(Spinning, FullRingsInBothDirectionsAtOnceMoveOn) {
  Pair pair(settings());
  const std::string sent = pattern(500'000);
  const auto both = [&sent](ShmStream& stream, std::string& got) {
    char buffer[3000];
    std::size_t written = 0;
    while (written < sent.size() || got.size() < sent.size()) {
      if (written < sent.size()) {
        const iovec part{const_cast<char*>(sent.data()) + written, sent.size() - written};
        const auto [status, bytes] = stream.try_write(&part, 1);
        if (status == Io::Ok) written += bytes;
        else ASSERT_EQ(status, Io::WouldBlock);
      }
      if (written == sent.size() && got.size() == sent.size()) break;
      const auto ready = stream.wait(true, written < sent.size(), base::kNoDeadline);
      if (!ready.readable) continue;
      const auto [status, bytes] = stream.try_read(buffer, sizeof buffer);
      if (status == Io::WouldBlock) continue;
      ASSERT_EQ(status, Io::Ok);
      got.append(buffer, bytes);
    }
  };
  std::string a, b;
  std::thread other([&] { both(*pair.server, a); });
  both(*pair.client, b);
  other.join();
  EXPECT_EQ(a, sent);
  EXPECT_EQ(b, sent);
}

TEST_P(Spinning, OneByteAtATimeArrivesInOrder) {
  Pair pair(settings());
  const std::string sent = pattern(20'000);
  std::thread writer([&] { EXPECT_TRUE(write_all(*pair.client, sent.data(), sent.size(), 1)); });
  EXPECT_EQ(read_all(*pair.server, sent.size(), nullptr, 1), sent);
  writer.join();
}

TEST_P(Spinning, QuestionsAndAnswersAlternate) {
  Pair pair(settings());
  std::thread server([&] {
    for (int i = 0; i < 3000; ++i) {
      const std::string got = read_all(*pair.server, 100);
      EXPECT_TRUE(write_all(*pair.server, got.data(), 24));
    }
  });
  const std::string sent = pattern(100);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(write_all(*pair.client, sent.data(), sent.size()));
    ASSERT_EQ(read_all(*pair.client, 24), sent.substr(0, 24));
  }
  server.join();
}

// As an event loop does: the descriptor tells, the stream is read until nothing is there.
TEST_P(Spinning, ADescriptorThatIsArmedAnnouncesEveryMessage) {
  Pair pair(settings());
  std::string got;
  std::thread loop([&] {
    char buffer[64];
    while (got.size() < 20'000) {
      const auto [status, bytes] = pair.server->try_read(buffer, sizeof buffer);
      if (status == Io::Ok) got.append(buffer, bytes);
      else if (pair.server->arm()) wait_ready(pair.server->descriptor(), true, false, base::kNoDeadline);
    }
  });
  const std::string sent = pattern(20'000);
  for (std::size_t i = 0; i < sent.size(); i += 10) {
    ASSERT_TRUE(write_all(*pair.client, sent.data() + i, 10));
    if (i % 100 == 0) std::this_thread::yield();
  }
  loop.join();
  EXPECT_EQ(got, sent);
}

TEST(ShmStream, WhatIsThereAlreadyIsNotToBeWaitedFor) {
  Pair pair;
  EXPECT_TRUE(readable(*pair.server)) << "the memory has arrived";
  char to[8];
  EXPECT_EQ(pair.server->try_read(to, 8).status, Io::WouldBlock);
  EXPECT_TRUE(pair.server->arm());
  EXPECT_FALSE(readable(*pair.server));
  write(*pair.client, "x");
  EXPECT_TRUE(readable(*pair.server));
  EXPECT_FALSE(pair.server->arm());
  EXPECT_EQ(pair.server->try_read(to, 8).bytes, 1u);
  write(*pair.client, "y");
  EXPECT_FALSE(readable(*pair.server)) << "nobody has asked to be told";
  EXPECT_FALSE(pair.server->arm());
}

TEST(ShmStream, AReadEndsAfterItsTimeout) {
  Pair pair;
  char to[8];
  pair.client->set_read_timeout(1);
  EXPECT_EQ(pair.client->read(to, 8).status, Io::TimedOut);
  pair.client->set_read_timeout(60);
  EXPECT_EQ(pair.client->read(to, 8).status, Io::TimedOut);
  pair.server->set_read_timeout(1);
  EXPECT_EQ(pair.server->try_read(to, 8).status, Io::WouldBlock);
  EXPECT_EQ(pair.server->read(to, 8).status, Io::TimedOut);
}

TEST(ShmStream, WaitingEndsAtTheDeadline) {
  Pair pair;
  EXPECT_FALSE(pair.client->wait(true, false, in_ms(5)).readable);
  EXPECT_FALSE(pair.client->wait(true, false, in_ms(50)).readable);
  while (write(*pair.client, std::string(1000, 'x')).status == Io::Ok) {
  }
  EXPECT_FALSE(pair.client->wait(false, true, in_ms(50)).writable);
  const auto ready = pair.client->wait(true, true, in_ms(50));
  EXPECT_FALSE(ready.readable || ready.writable);
  read_all(*pair.server, 4096);
  EXPECT_TRUE(pair.client->wait(false, true, base::kNoDeadline).writable);
  EXPECT_TRUE(pair.client->wait(true, true, base::kNoDeadline).writable);
}

TEST(ShmStream, SignalsDoNotShortenAWait) {
  Pair pair;
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = [](int) {};
  sigaction(SIGALRM, &ignore, &before);
  const itimerval often{{0, 1000}, {0, 1000}}, never{};
  setitimer(ITIMER_REAL, &often, nullptr);
  for (const int ms : {15, 40}) {
    const base::Deadline end = in_ms(ms);
    EXPECT_FALSE(pair.client->wait(true, false, end).readable);
    EXPECT_GE(base::now(), end);
  }
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
}

TEST(ShmStream, ALongWaitEndsWithTheBytes) {
  Pair pair;
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    write(*pair.server, "late");  // not met yet: fails
    char to[8];
    EXPECT_EQ(pair.server->try_read(to, 8).status, Io::WouldBlock);
    EXPECT_EQ(write(*pair.server, "late").status, Io::Ok);
  });
  EXPECT_EQ(read_all(*pair.client, 4), "late");
  late.join();
}

TEST(ShmStream, WhatWasWrittenBeforeTheEndIsRead) {
  Pair pair;
  write(*pair.client, "last words");
  pair.client->finish_writing();
  Io last;
  EXPECT_EQ(read_all(*pair.server, 100, &last), "last words");
  EXPECT_EQ(last, Io::Closed);
  EXPECT_EQ(write(*pair.server, "I go on").status, Io::Ok) << "half closed";
  EXPECT_EQ(read_all(*pair.client, 7), "I go on");
  pair.client = nullptr;
  char to[8];
  EXPECT_EQ(pair.server->read(to, 8).status, Io::Closed);
}

TEST(ShmStream, WhatWasWrittenBeforeTheSocketClosedIsRead) {
  Pair pair;
  write(*pair.client, "last words");
  pair.client = nullptr;
  Io last;
  EXPECT_EQ(read_all(*pair.server, 100, &last), "last words");
  EXPECT_EQ(last, Io::Closed);
  EXPECT_EQ(pair.server->arm(), false);
}

TEST(ShmStream, AWriteToAnEndThatIsGoneFailsBeforeAnythingIsSent) {
  Pair pair;
  char to[8];
  EXPECT_EQ(pair.server->try_read(to, 8).status, Io::WouldBlock);
  EXPECT_TRUE(pair.server->arm());
  pair.server = nullptr;
  EXPECT_EQ(write(*pair.client, "anybody there?").status, Io::Failed);
  EXPECT_EQ(pair.client->read(to, 8).status, Io::Closed);
}

TEST(ShmStream, AThreadInsideReadReturnsWhenItIsInterrupted) {
  for (const int after_ms : {0, 5, 60}) {
    Pair pair;
    std::thread reader([&] {
      char to[8];
      EXPECT_EQ(pair.client->read(to, 8).status, Io::Closed);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(after_ms));
    pair.client->interrupt();
    reader.join();
    char to[8];
    EXPECT_EQ(pair.server->read(to, 8).status, Io::Closed) << "and so does the peer";
    EXPECT_EQ(write(*pair.client, "x").status, Io::Failed);
  }
}

TEST(ShmStream, WhatHadArrivedBeforeAnInterruptionIsReadAndNothingElse) {
  Pair pair;
  char to[8];
  EXPECT_EQ(pair.server->try_read(to, 8).status, Io::WouldBlock);
  EXPECT_EQ(write(*pair.server, "before").status, Io::Ok);
  pair.client->interrupt();
  EXPECT_EQ(read_all(*pair.client, 3), "bef");
  write(*pair.server, "after");
  Io last;
  EXPECT_EQ(read_all(*pair.client, 100, &last), "ore");
  EXPECT_EQ(last, Io::Closed);
}

TEST(ShmStream, AThreadThatWaitsForRoomReturnsWhenItIsInterrupted) {
  for (const bool reads : {false, true}) {
    Pair pair;
    while (write(*pair.client, std::string(1000, 'x')).status == Io::Ok) {
    }
    std::thread writer([&] { EXPECT_TRUE(pair.client->wait(reads, true, base::kNoDeadline).writable); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    pair.client->interrupt();
    writer.join();
  }
}

TEST(ShmStream, WritingGoesOnWhenReadingWasStopped) {
  Pair pair;
  char to[8];
  EXPECT_EQ(pair.server->try_read(to, 8).status, Io::WouldBlock);
  std::thread reader([&] {
    char more[8];
    EXPECT_EQ(pair.server->read(more, 8).status, Io::Closed);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  pair.server->stop_reading();
  reader.join();
  EXPECT_EQ(write(*pair.server, "farewell").status, Io::Ok);
  EXPECT_EQ(read_all(*pair.client, 8), "farewell");
}

TEST(ShmStream, WaitingBurnsNoProcessorTime) {
  Settings settings = sleeping();
  settings.spin_time = 20'000;
  Pair pair(settings);
  timespec before, after;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
  EXPECT_FALSE(pair.client->wait(true, false, in_ms(1000)).readable);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
  EXPECT_LT((after.tv_sec - before.tv_sec) * 1'000'000'000L + after.tv_nsec - before.tv_nsec, 20'000'000);
}

std::size_t open_descriptors() {
  std::size_t n = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++n;
  return n;
}

TEST(ShmStream, NothingIsLeftOfAConnection) {
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 50; ++i) {
    Pair pair;
    write(*pair.client, "x");
    read_all(*pair.server, 1);
  }
  EXPECT_EQ(open_descriptors(), before);
}

// ---- rendezvous

TransportSettings given(std::initializer_list<std::pair<const char*, const char*>> options) {
  TransportSettings settings;
  for (const auto& [name, value] : options) settings.set(name, value);
  return settings;
}

std::unique_ptr<Transport> transport(const TransportSettings& settings = {}) {
  std::string why;
  auto made = kShm.make(settings, why);
  EXPECT_TRUE(made) << why;
  return made;
}

TEST(ShmRendezvous, LeadsToAServerOfThisHost) {
  std::string why;
  const auto shm = transport();
  const auto acceptor = shm->listen("", why);
  ASSERT_TRUE(acceptor) << why;
  const std::string address = acceptor->address("elsewhere");
  ASSERT_TRUE(shm->reachable(address)) << address;
  const auto connected = shm->connect(address, in_ms(5000));
  ASSERT_TRUE(connected.stream) << connected.why;
  EXPECT_EQ(write(*connected.stream, "at once").status, Io::Ok) << "before the server has looked";
  bool exhausted = true;
  const auto accepted = acceptor->accept(exhausted);
  ASSERT_TRUE(accepted);
  EXPECT_EQ(read_all(*accepted, 7), "at once");
  EXPECT_EQ(accepted->peer(), "shared memory, process " + std::to_string(getpid()));
  EXPECT_EQ(accepted->identity()->uid, static_cast<long>(geteuid()));
  EXPECT_EQ(connected.stream->identity()->pid, getpid());
  EXPECT_FALSE(acceptor->accept(exhausted));
  EXPECT_FALSE(exhausted);
}

TEST(ShmRendezvous, NamesAreNotShared) {
  std::string why;
  const auto shm = transport();
  const std::string name = "test-" + std::to_string(getpid());
  const auto acceptor = shm->listen(name, why);
  ASSERT_TRUE(acceptor);
  EXPECT_FALSE(shm->listen(name, why));
  EXPECT_NE(why, "");
  EXPECT_FALSE(shm->listen(std::string(200, 'x'), why));
}

TEST(ShmRendezvous, OtherHostsVersionsAndNobodyAreNotConnectedTo) {
  std::string why;
  const auto shm = transport();
  const auto acceptor = shm->listen("", why);
  const std::string address = acceptor->address("");
  std::string other_host = address, other_version = address;
  other_host[2] = other_host[2] == '0' ? '1' : '0';
  other_version[17] = '2';
  const std::string no_name = address.substr(0, address.rfind('/') + 1);
  for (const std::string& a : {other_host, other_version, no_name, std::string(), address.substr(0, 10)}) {
    EXPECT_FALSE(shm->reachable(a)) << a;
    EXPECT_FALSE(shm->connect(a, in_ms(5000)).stream) << a;
  }
  EXPECT_FALSE(shm->connect(address + "x", in_ms(5000)).stream);
  EXPECT_FALSE(shm->connect(address + std::string(200, 'x'), in_ms(5000)).stream);
  EXPECT_TRUE(shm->connect(address, in_ms(5000)).stream);
}

// Needs the right to become another user.
TEST(ShmRendezvous, OnlyProcessesOfOneUserShareMemory) {
  std::string why;
  const auto shm = transport(), any = transport(given({{"shmUsers", "any"}}));
  const auto acceptor = shm->listen("", why);
  const auto open = any->listen("", why);
  if (::geteuid() != 0) {
    EXPECT_TRUE(shm->connect(acceptor->address(""), in_ms(5000)).stream);
    return;
  }
  ASSERT_EQ(::seteuid(12345), 0);
  const auto refused = shm->connect(acceptor->address(""), in_ms(5000));
  const auto intruder = any->connect(acceptor->address(""), in_ms(5000));
  const auto guest = any->connect(open->address(""), in_ms(5000));
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_FALSE(refused.stream) << "the client looks";
  EXPECT_NE(refused.why, "");
  bool exhausted;
  EXPECT_FALSE(acceptor->accept(exhausted)) << "and so does the server";
  ASSERT_TRUE(intruder.stream && guest.stream);
  char to[8];
  EXPECT_EQ(intruder.stream->read(to, 8).status, Io::Closed);
  const auto accepted = open->accept(exhausted);
  ASSERT_TRUE(accepted);
  write(*guest.stream, "hello");
  EXPECT_EQ(read_all(*accepted, 5), "hello");
}

TEST(ShmRendezvous, OptionsWithoutSenseAreRefused) {
  for (const auto& [name, values] : std::initializer_list<std::pair<const char*, std::vector<const char*>>>{
           {"shmSpin", {"", "-1", "1000001", "1s"}},
           {"shmRingSize", {"", "0", "4095", "5000", "33554432", "4294967296"}},
           {"shmUsers", {"", "none"}}})
    for (const char* value : values) {
      std::string why;
      EXPECT_FALSE(kShm.make(given({{name, value}}), why)) << name << ' ' << value;
      EXPECT_NE(why.find(name), why.npos) << why;
    }
  transport(given({{"shmSpin", "0"}, {"shmRingSize", "4096"}, {"shmUsers", "same"}}));
}

TEST(ShmRendezvous, MemoryThatCouldShrinkIsRefused) {
  const std::size_t size = kRingsAt + 2 * 4096;
  const auto refuses = [](int memory, std::uint32_t ring_size) {
    Sockets sockets;
    EXPECT_TRUE(send_hello(sockets.client.get(), memory, ring_size));
    ShmStream server(std::move(sockets.server), sleeping());
    server.set_read_timeout(1);
    char to[8];
    const bool failed = server.try_read(to, 8).status == Io::Failed;
    EXPECT_EQ(server.read(to, 8).status, failed ? Io::Failed : Io::TimedOut);
    return failed;
  };
  const Descriptor open(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(ftruncate(open.get(), size), 0);
  EXPECT_TRUE(refuses(open.get(), 4096)) << "not sealed";
  fcntl(open.get(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SEAL);
  EXPECT_TRUE(refuses(open.get(), 4096)) << "may shrink";
  const Descriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  EXPECT_TRUE(refuses(null.get(), 4096));
  Descriptor good;
  const SharedMemory memory = SharedMemory::create(8192, good);
  EXPECT_TRUE(refuses(good.get(), 4096)) << "of another size";
  EXPECT_TRUE(refuses(good.get(), 8191));
  EXPECT_TRUE(refuses(good.get(), 0));
  EXPECT_TRUE(refuses(good.get(), 0x80000000u));
}

TEST(ShmRendezvous, ThereIsNoMemoryWhereFilesMayNotBeSoLarge) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{8192, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  Descriptor passed;
  const SharedMemory memory = SharedMemory::create(8192, passed);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(memory);
}

TEST(ShmRendezvous, OtherFirstBytesAreRefused) {
  for (const std::string& first : {std::string("GIOP\1\2\0\0\0\0\0\0"), std::string(16, '\0'),
                                   std::string("CorbelSM"), std::string("x")}) {
    Sockets sockets;
    ASSERT_EQ(::send(sockets.client.get(), first.data(), first.size(), 0),
              static_cast<ssize_t>(first.size()));
    ShmStream server(std::move(sockets.server), sleeping());
    char to[8];
    EXPECT_EQ(server.try_read(to, 8).status, Io::Failed);
    EXPECT_EQ(write(server, "x").status, Io::Failed);
    EXPECT_FALSE(server.arm());
    EXPECT_TRUE(server.wait(true, false, base::kNoDeadline).readable);
  }
}

TEST(ShmRendezvous, AClientThatSaysNothingIsWaitedForInTheLoop) {
  Sockets sockets;
  ShmStream server(std::move(sockets.server), sleeping());
  char to[8];
  EXPECT_EQ(server.try_read(to, 8).status, Io::WouldBlock);
  EXPECT_TRUE(server.arm());
  EXPECT_FALSE(readable(server));
  sockets.client = Descriptor();
  EXPECT_TRUE(readable(server));
  EXPECT_EQ(server.try_read(to, 8).status, Io::Closed);
}

}  // namespace
}  // namespace corbel::transport::shm
