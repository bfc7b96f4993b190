// Streams through shared memory whose other end scribbles, stops or dies.
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <random>
#include <thread>

#include "tests/unit/transport/shm_pair.h"

namespace corbel::transport::shm {
namespace {

base::Deadline in_ms(int ms) { return base::now() + ms * 1'000'000LL; }

// A process that ends with its test.
class Child {
 public:
  explicit Child(const std::function<void()>& body) : pid_(::fork()) {
    if (pid_ != 0) return;
    body();
    ::_exit(0);
  }
  ~Child() {
    kill(SIGKILL);
    if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }
  void kill(int signal) const {
    if (pid_ > 0) ::kill(pid_, signal);
  }
  void forget() { pid_ = -1; }

 private:
  pid_t pid_;
};

// ---- scribbling

struct Scribbler {
  Descriptor socket;
  SharedMemory memory;
  explicit Scribbler(Descriptor s) : socket(std::move(s)) {
    Descriptor passed;
    memory = SharedMemory::create(4096, passed);
    EXPECT_TRUE(send_hello(socket.get(), passed.get(), 4096));
  }
  // Overwrites words that mean something, with values that nearly do.
  void scribble(std::mt19937_64& random) {
    Shared& shared = memory.shared();
    Side& side = random() % 2 ? shared.client : shared.server;
    const std::uint64_t near = side.written.load() + random() % 16 - 8;
    const std::uint64_t value = random() % 3 == 0 ? random() : near;
    switch (random() % 8) {
      case 0:
        side.written = value;
        break;
      case 1:
        side.origin = value;
        break;
      case 2:
        side.taken = value;
        break;
      case 3:
        side.finished = static_cast<std::uint32_t>(random() % 64 == 0);
        break;
      case 4:
        side.data_wait = static_cast<std::uint32_t>(random() % 4);
        break;
      case 5:
        side.room_wait = static_cast<std::uint32_t>(random() % 4);
        break;
      case 6:
        side.processor = static_cast<std::uint32_t>(random() % 4);
        break;
      default:
        memory.client_ring()[random() % 4096] = static_cast<char>(random());
    }
    if (random() % 50 == 0) {
      const char rings[3]{};
      [[maybe_unused]] const auto n = ::send(socket.get(), rings, random() % 4, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
  }
};

// Uses a stream in every way until it has ended, or for so many steps. Returns the steps.
int use(ShmStream& stream, std::mt19937_64& random) {
  std::string buffer(5000, 'x');
  for (int step = 0; step < 3000; ++step) {
    IoResult result{Io::WouldBlock};
    const std::size_t size = 1 + random() % buffer.size();
    const iovec parts[] = {{buffer.data(), size / 2}, {buffer.data() + size / 2, size - size / 2}};
    switch (random() % 8) {
      case 0:
      case 1:
        result = stream.try_read(buffer.data(), size);
        break;
      case 2:
        result = stream.read(buffer.data(), size);
        break;
      case 3:
      case 4:
        result = stream.try_write(parts, 2);
        break;
      case 5:
        stream.wait(true, false, in_ms(1));
        break;
      case 6:
        stream.wait(random() % 2, true, in_ms(1));
        break;
      default:
        if (stream.arm()) wait_ready(stream.descriptor(), true, false, in_ms(1));
    }
    EXPECT_LE(result.bytes, size);
    if (result.status == Io::Failed || result.status == Io::Closed) {
      EXPECT_NE(stream.try_read(buffer.data(), size).status, Io::WouldBlock) << "it stays so";
      return step;
    }
  }
  return 3000;
}

TEST(ShmPeers, AScribblingOneHarmsNobodyButItself) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Sockets sockets;
    Settings settings = sleeping();
    settings.spin_time = seed % 2 ? 20'000 : 0;
    ShmStream server(std::move(sockets.server), settings);
    server.set_read_timeout(1);
    std::atomic<bool> done{false};
    std::thread peer([&] {
      std::mt19937_64 random(seed);
      Scribbler scribbler(std::move(sockets.client));
      while (!done) {
        for (int i = 0; i < 100; ++i) scribbler.scribble(random);
        std::this_thread::yield();
      }
    });
    wait_ready(server.descriptor(), true, false, base::kNoDeadline);  // for the memory
    std::mt19937_64 random(seed + 1000);
    use(server, random);
    done = true;
    peer.join();
  }
}

TEST(ShmPeers, AnImpossiblePositionEndsTheConnection) {
  for (int which = 0; which < 2; ++which) {
    Sockets sockets;
    ShmStream server(std::move(sockets.server), sleeping());
    Scribbler peer(std::move(sockets.client));
    char to[8];
    EXPECT_EQ(server.try_read(to, 8).status, Io::WouldBlock);
    auto& word = which == 0 ? peer.memory.shared().client.written : peer.memory.shared().client.taken;
    word = 5000;
    EXPECT_EQ(which == 0 ? server.read(to, 8).status : write(server, "x").status, Io::Failed);
    word = 0;
    EXPECT_EQ(server.read(to, 8).status, Io::Failed);
    EXPECT_EQ(write(server, "x").status, Io::Failed);
    EXPECT_TRUE(server.wait(true, true, base::kNoDeadline).readable);
  }
}

TEST(ShmPeers, OneThatRingsUnaskedEndsTheConnection) {
  Sockets sockets;
  ShmStream server(std::move(sockets.server), sleeping());
  Scribbler peer(std::move(sockets.client));
  char to[8];
  EXPECT_EQ(server.try_read(to, 8).status, Io::WouldBlock);
  EXPECT_TRUE(server.arm());
  EXPECT_EQ(::send(peer.socket.get(), "ring", 4, 0), 4);
  EXPECT_EQ(server.try_read(to, 8).status, Io::Failed);
}

TEST(ShmPeers, OneThatSendsDescriptorsLeavesNone) {
  Sockets sockets;
  ShmStream server(std::move(sockets.server), sleeping());
  Scribbler peer(std::move(sockets.client));
  char to[8];
  EXPECT_EQ(server.try_read(to, 8).status, Io::WouldBlock);
  EXPECT_TRUE(server.arm());
  const int lowest = ::dup(0);
  ::close(lowest);
  EXPECT_FALSE(send_hello(peer.socket.get(), 0, 4096) && server.try_read(to, 8).status == Io::Ok);
  const int again = ::dup(0);
  ::close(again);
  EXPECT_EQ(again, lowest);
}

TEST(ShmPeers, OneWhoseSocketIsHalfClosedHasEnded) {
  Sockets sockets;
  ShmStream server(std::move(sockets.server), sleeping());
  Scribbler peer(std::move(sockets.client));
  char to[8];
  EXPECT_EQ(server.try_read(to, 8).status, Io::WouldBlock);
  ::shutdown(peer.socket.get(), SHUT_WR);
  EXPECT_EQ(server.read(to, 8).status, Io::Closed);
}

// Its words say that nobody waits, so it never lets anybody go on.
TEST(ShmPeers, OneThatNeverWakesAnybodyIsWaitedForNoLongerThanAsked) {
  Sockets sockets;
  ShmStream server(std::move(sockets.server), sleeping());
  Scribbler peer(std::move(sockets.client));
  std::atomic<bool> done{false};
  std::thread resets([&] {
    Side& side = peer.memory.shared().server;
    while (!done) {
      side.data_wait = 0;
      side.room_wait = 0;
      std::this_thread::yield();
    }
  });
  server.set_read_timeout(30);
  char to[8];
  EXPECT_EQ(server.read(to, 8).status, Io::TimedOut);
  while (write(server, std::string(999, 'x')).status == Io::Ok) {
  }
  EXPECT_FALSE(server.wait(false, true, in_ms(30)).writable);
  const auto ready = server.wait(true, true, in_ms(30));
  EXPECT_FALSE(ready.readable || ready.writable);
  done = true;
  resets.join();
}

// ---- stopped and killed

TEST(ShmPeers, AStoppedOneIsWaitedForNoLongerThanAskedAndGoesOn) {
  Pair pair;
  Child echo([&] {
    char buffer[256];
    for (;;) {
      const auto [status, bytes] = pair.server->read(buffer, sizeof buffer);
      if (status != Io::Ok || !write_all(*pair.server, buffer, bytes)) ::_exit(0);
    }
  });
  EXPECT_EQ(write(*pair.client, "one").status, Io::Ok);
  EXPECT_EQ(read_all(*pair.client, 3), "one");
  echo.kill(SIGSTOP);
  EXPECT_EQ(write(*pair.client, "two").status, Io::Ok);
  EXPECT_FALSE(pair.client->wait(true, false, in_ms(50)).readable);
  while (write(*pair.client, std::string(1000, 'x')).status == Io::Ok) {
  }
  EXPECT_FALSE(pair.client->wait(false, true, in_ms(50)).writable);
  echo.kill(SIGCONT);
  EXPECT_EQ(read_all(*pair.client, 3), "two");
}

TEST(ShmPeers, AKilledOneIsMissed) {
  for (int round = 0; round < 16; ++round) {
    Settings settings = sleeping();
    settings.spin_time = round % 2 ? 20'000 : 0;
    Pair pair(settings);
    Child talker([&] {
      const std::string sent = pattern(200'000);
      write_all(*pair.server, sent.data(), sent.size(), 777);
      for (;;) ::pause();
    });
    pair.server = nullptr;  // the child's alone
    const std::string start = read_all(*pair.client, 1000u + static_cast<unsigned>(round) * 5'000);
    talker.kill(SIGKILL);
    Io last;
    const std::string got = start + read_all(*pair.client, 2'000'000, &last);
    EXPECT_EQ(last, Io::Closed);
    EXPECT_EQ(got, pattern(200'000).substr(0, got.size()));
    EXPECT_EQ(write(*pair.client, "x").status, Io::Failed);
  }
}

// Lets the child go so many instructions and kills it there; false if it ended before.
bool kill_after(Child& child, long instructions, long* done) {
  int status;
  EXPECT_EQ(::waitpid(child.pid(), &status, 0), child.pid());
  EXPECT_TRUE(WIFSTOPPED(status));
  for (*done = 0; *done < instructions; ++*done) {
    if (::ptrace(PTRACE_SINGLESTEP, child.pid(), nullptr, nullptr) != 0 ||
        ::waitpid(child.pid(), &status, 0) != child.pid() || WIFEXITED(status)) {
      child.forget();
      return false;
    }
  }
  child.kill(SIGKILL);
  ::waitpid(child.pid(), &status, 0);
  child.forget();
  return true;
}

// Kills a peer that does `body` at instructions spread evenly over it, while `use` uses the other end.
void kill_at_instructions(const std::function<void(ShmStream&)>& body,
                          const std::function<void(ShmStream&)>& use) {
  constexpr int kMostPlaces = 40;
  constexpr long kMostSteps = 400'000;  // some sanitizers make each instruction many
  int places = kMostPlaces;
  long all = 0;
  for (int place = places; place >= 0; --place) {
    Pair pair;
    char to[1];
    EXPECT_EQ(pair.server->try_read(to, 1).status, Io::WouldBlock);
    Child child([&] {
      pair.client = nullptr;
      ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      ::raise(SIGSTOP);
      body(*pair.server);
      ::_exit(0);
    });
    pair.server = nullptr;
    std::thread other([&] { use(*pair.client); });
    long done;
    const bool killed = kill_after(child, all == 0 ? 10'000'000 : all * place / places, &done);
    other.join();
    if (all != 0) continue;
    ASSERT_FALSE(killed);
    all = done;
    EXPECT_GT(all, 100);
    place = places = static_cast<int>(std::clamp(kMostSteps / all, 5L, long{kMostPlaces}));
  }
}

TEST(ShmPeers, OneKilledAtAnyInstructionOfAWriteLeavesWholePrefixes) {
  const std::string sent = pattern(300);
  kill_at_instructions(
      [&](ShmStream& peer) {
        for (int i = 0; i < 3; ++i) {
          const iovec part{const_cast<char*>(sent.data()) + i * 100, 100};
          peer.try_write(&part, 1);
        }
      },
      [&](ShmStream& own) {
        Io last;
        const std::string got = read_all(own, 1000, &last);
        EXPECT_EQ(last, Io::Closed);
        EXPECT_EQ(got.size() % 100, 0u);
        EXPECT_EQ(got, sent.substr(0, got.size()));
      });
}

TEST(ShmPeers, OneKilledAtAnyInstructionOfAReadIsMissedByWriters) {
  const std::string sent = pattern(20'000);
  kill_at_instructions(
      [&](ShmStream& peer) {
        char to[2000];
        for (int i = 0; i < 4; ++i) peer.try_read(to, sizeof to);
      },
      [&](ShmStream& own) { EXPECT_FALSE(write_all(own, sent.data(), sent.size())); });
}

}  // namespace
}  // namespace corbel::transport::shm
