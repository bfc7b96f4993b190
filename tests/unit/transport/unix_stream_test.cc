// What a unix socket does for a writer that may wait a moment for room, and for whom it has no place yet.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "orb/transport/unix.h"

namespace corbel::transport {
namespace {

class UnixWrite : public testing::Test {
 protected:
  UnixWrite() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    writer = std::make_unique<UnixStream>(Descriptor(ends[0]));
    reader = std::make_unique<UnixStream>(Descriptor(ends[1]));
  }
  IoResult write() {
    const iovec part{text.data(), text.size()};
    return writer->write(&part, 1);
  }
  std::size_t read_up_to(std::size_t size) {
    std::string to(size, '\0');
    std::size_t got = 0;
    while (got < size) {
      const auto [status, bytes] = reader->read(to.data() + got, size - got);
      if (status != Io::Ok) break;
      got += bytes;
    }
    return got;
  }
  std::string text = std::string(1024 * 1024, 'x');  // more than a socket takes
  std::unique_ptr<UnixStream> writer, reader;
};

TEST_F(UnixWrite, TakesAllWhereThePeerReads) {
  const std::size_t all = text.size();
  std::size_t got = 0;
  std::thread peer([&] { got = read_up_to(all); });
  // Less where the system does not let the peer run.
  while (!text.empty()) {
    const auto [status, bytes] = write();
    ASSERT_TRUE(status == Io::Ok || status == Io::WouldBlock);
    text.erase(0, bytes);
  }
  writer->finish_writing();
  peer.join();
  EXPECT_EQ(got, all);
}

TEST_F(UnixWrite, GoesOnAfterAMomentWhereThePeerDoesNotRead) {
  const IoResult first = write();
  EXPECT_EQ(first.status, Io::Ok);
  EXPECT_LT(first.bytes, text.size());
  EXPECT_EQ(write().status, Io::WouldBlock);
}

// Whatever the parts in which it stands.
TEST_F(UnixWrite, KeepsTheOrderOfParts) {
  std::mt19937 random(1);
  std::vector<iovec> parts;
  text.resize(4 * 1024 * 1024);
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(random());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size =
        std::min<std::size_t>(random() % (parts.size() % 20 == 0 ? 400'000 : 5'000), text.size() - at);
    parts.push_back({text.data() + at, size});
    at += size;
  }
  std::string got(text.size(), '\0');
  std::thread peer([&] {
    for (std::size_t n = 0; n < got.size();) n += reader->read(got.data() + n, got.size() - n).bytes;
  });
  for (std::size_t first = 0; first < parts.size();) {
    auto [status, bytes] = writer->write(&parts[first], static_cast<int>(parts.size() - first));
    ASSERT_TRUE(status == Io::Ok || status == Io::WouldBlock);
    for (; first < parts.size() && bytes >= parts[first].iov_len; ++first) bytes -= parts[first].iov_len;
    if (first == parts.size()) break;
    parts[first].iov_base = static_cast<char*>(parts[first].iov_base) + bytes;
    parts[first].iov_len -= bytes;
  }
  peer.join();
  EXPECT_TRUE(got == text);
}

TEST_F(UnixWrite, IsInterrupted) {
  std::atomic<bool> ended{false};
  std::thread other([&] {
    while (!ended) writer->interrupt();
  });
  IoResult result{Io::Ok};
  while (result.status == Io::Ok || result.status == Io::WouldBlock) result = write();
  EXPECT_EQ(result.status, Io::Failed);
  ended = true;
  other.join();
}

// Two places in the queue of a socket that listens, both taken.
class FullQueue : public testing::Test {
 protected:
  FullQueue() {
    UnixName name;
    EXPECT_TRUE(make_unix_name(path, name));
    EXPECT_EQ(::bind(listening.get(), name.get(), name.size), 0);
    EXPECT_EQ(::listen(listening.get(), 1), 0);
    for (int i = 0; i < 2; ++i) waiting.push_back(connect(0));
    for (const ConnectResult& one : waiting) EXPECT_NE(one.stream, nullptr);
  }
  ConnectResult connect(std::int64_t milliseconds) {
    return transport->connect("ID/" + path, base::now() + milliseconds * 1'000'000);
  }
  const std::string path = "@corbel-full-queue-" + std::to_string(::getpid());
  const Descriptor listening{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  std::string why;
  const std::unique_ptr<Transport> transport = kUnix.make({}, why);
  std::vector<ConnectResult> waiting;
};

TEST_F(FullQueue, IsWaitedForUntilTheDeadline) {
  const base::Deadline begin = base::now();
  const ConnectResult late = connect(50);
  EXPECT_EQ(late.stream, nullptr);
  EXPECT_TRUE(late.timed_out);
  EXPECT_GE(base::now() - begin, 50'000'000);
}

TEST_F(FullQueue, IsWaitedForUntilThereIsAPlace) {
  std::thread server([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the other one waits by then, or need not
    const Descriptor accepted(::accept(listening.get(), nullptr, nullptr));
    EXPECT_TRUE(accepted);
  });
  EXPECT_NE(connect(10'000).stream, nullptr);
  server.join();
}

}  // namespace
}  // namespace corbel::transport
