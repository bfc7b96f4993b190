// What a unix socket does for a writer that may wait a moment for room.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

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

TEST_F(UnixWrite, TakesAllInOneCallWhereThePeerReads) {
  std::size_t got = 0;
  std::thread peer([&] { got = read_up_to(text.size()); });
  IoResult result = write();
  // A peer that the system lets wait for longer than a moment makes it less.
  while (result.status == Io::Ok && result.bytes != text.size()) {
    text.erase(0, result.bytes);
    result = write();
  }
  writer->finish_writing();
  peer.join();
  EXPECT_EQ(result.status, Io::Ok);
  EXPECT_EQ(got, 1024u * 1024);
}

TEST_F(UnixWrite, GoesOnAfterAMomentWhereThePeerDoesNotRead) {
  const IoResult first = write();
  EXPECT_EQ(first.status, Io::Ok);
  EXPECT_LT(first.bytes, text.size());
  EXPECT_EQ(write().status, Io::WouldBlock);
}

TEST_F(UnixWrite, DoesNotWaitForRoomForMoreThanAFragment) {
  text.resize(16 * 1024 * 1024, 'x');
  ASSERT_EQ(write().status, Io::Ok);
  rusage before{}, after{};
  ASSERT_EQ(::getrusage(RUSAGE_THREAD, &before), 0);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(write().status, Io::WouldBlock);
  ASSERT_EQ(::getrusage(RUSAGE_THREAD, &after), 0);
  EXPECT_LT(after.ru_nvcsw - before.ru_nvcsw, 100) << "each slept";
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

}  // namespace
}  // namespace corbel::transport
