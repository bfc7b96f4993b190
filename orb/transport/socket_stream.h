// The stream of a connected socket, of whatever family.
#pragma once

#include <sys/socket.h>

#include <corbel/transport/stream.h>

#include "orb/transport/descriptor.h"

namespace corbel::transport {

class SocketStream : public Stream {
 public:
  explicit SocketStream(Descriptor socket) : socket_(std::move(socket)) {}

  IoResult read(char* to, std::size_t size) override;
  IoResult try_read(char* to, std::size_t size) override;
  IoResult try_write(const iovec* parts, int count) override;
  void set_read_timeout(int milliseconds) override;
  bool limit_reads(int milliseconds) override;
  int descriptor() const override { return socket_.get(); }
  void interrupt() override { ::shutdown(socket_.get(), SHUT_RDWR); }
  void stop_reading() override { ::shutdown(socket_.get(), SHUT_RD); }
  void finish_writing() override { ::shutdown(socket_.get(), SHUT_WR); }

 protected:
  // As try_write(), with flags of send(2).
  [[gnu::noinline]] IoResult send(const iovec* parts, int count, int flags);

 private:
  Descriptor socket_;
  int read_timeout_ = 0;
};

// The next connection of a listening socket, empty if there is none; as Acceptor::accept().
Descriptor accept_socket(int listening, bool& exhausted);
// Connects a socket that does not block, which blocks afterwards. True with the socket connected.
bool connect_socket(int socket, const sockaddr* address, socklen_t size, Deadline deadline, bool& timed_out);

}  // namespace corbel::transport
