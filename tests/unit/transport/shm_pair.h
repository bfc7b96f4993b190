// Two ends of a connection through shared memory.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <memory>
#include <string>

#include "orb/transport/shm_stream.h"

namespace corbel::transport::shm {

inline Settings sleeping(std::size_t ring_size = 4096) {
  Settings settings;
  settings.ring_size = ring_size;
  settings.spin_time = 0;
  return settings;
}

struct Sockets {
  Descriptor client, server;
  Sockets() {
    int fd[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
    client = Descriptor(fd[0]);
    server = Descriptor(fd[1]);
  }
};

inline std::unique_ptr<ShmStream> client_end(Descriptor socket, const Settings& settings) {
  Descriptor passed;
  SharedMemory memory = SharedMemory::create(settings.ring_size, passed);
  EXPECT_TRUE(memory);
  EXPECT_TRUE(send_hello(socket.get(), passed.get(), settings.ring_size));
  return std::make_unique<ShmStream>(std::move(socket), std::move(memory), settings);
}

struct Pair {
  std::unique_ptr<ShmStream> client, server;
  explicit Pair(const Settings& settings = sleeping()) {
    Sockets sockets;
    client = client_end(std::move(sockets.client), settings);
    server = std::make_unique<ShmStream>(std::move(sockets.server), settings);
  }
};

inline IoResult write(Stream& to, const std::string& text) {
  const iovec part{const_cast<char*>(text.data()), text.size()};
  return to.try_write(&part, 1);
}

// All of it, waiting for room; false when the stream ends before.
inline bool write_all(ShmStream& to, const char* data, std::size_t size, std::size_t step = ~std::size_t{0}) {
  while (size != 0) {
    const iovec part{const_cast<char*>(data), std::min(size, step)};
    const auto [status, bytes] = to.try_write(&part, 1);
    if (status == Io::WouldBlock) {
      to.wait(false, true, base::kNoDeadline);
      continue;
    }
    if (status != Io::Ok) return false;
    data += bytes;
    size -= bytes;
  }
  return true;
}

// What arrives, `size` bytes or until the stream ends; `last` tells why it stopped.
inline std::string read_all(Stream& from, std::size_t size, Io* last = nullptr, std::size_t step = 65536) {
  std::string text;
  std::string buffer(step, '\0');
  while (text.size() < size) {
    const auto [status, bytes] = from.read(buffer.data(), std::min(step, size - text.size()));
    if (last) *last = status;
    if (status == Io::WouldBlock) continue;
    if (status != Io::Ok) break;
    text.append(buffer, 0, bytes);
  }
  return text;
}

inline std::string pattern(std::size_t size) {
  std::string text(size, '\0');
  std::uint32_t x = 12345;
  for (char& c : text) c = static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
  return text;
}

}  // namespace corbel::transport::shm
