#include "orb/transport/socket_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>

#include "orb/base/thread_sanitizer.h"

namespace corbel::transport {
namespace {

#ifdef CORBEL_TSAN
// ThreadSanitizer learns from the C library's functions what one thread tells another through a socket.
ssize_t send_some(int socket, const void* data, std::size_t size, int flags) {
  return ::send(socket, data, size, flags);
}
ssize_t send_message(int socket, const msghdr& message, int flags) {
  return ::sendmsg(socket, &message, flags);
}
ssize_t receive(int socket, void* to, std::size_t size, int flags) { return ::recv(socket, to, size, flags); }
#else
// Where there are threads the C library brackets its own functions for pthread_cancel(), which takes longer
// than the way into the kernel.
ssize_t send_some(int socket, const void* data, std::size_t size, int flags) {
  return syscall(SYS_sendto, socket, data, size, flags, nullptr, 0);
}
ssize_t send_message(int socket, const msghdr& message, int flags) {
  return syscall(SYS_sendmsg, socket, &message, flags);
}
ssize_t receive(int socket, void* to, std::size_t size, int flags) {
  return syscall(SYS_recvfrom, socket, to, size, flags, nullptr, nullptr);
}
#endif

IoResult result(ssize_t n, Io nothing) {
  if (n > 0) return {Io::Ok, static_cast<std::size_t>(n)};
  if (n == 0) return {Io::Closed};
  if (errno == EAGAIN) return {nothing};
  return {errno == EINTR ? Io::WouldBlock : Io::Failed};
}

}  // namespace

Stream::~Stream() = default;

Readiness wait_ready(int descriptor, bool read, bool write, Deadline deadline) {
  pollfd p{descriptor, static_cast<short>((read ? POLLIN : 0) | (write ? POLLOUT : 0)), 0};
  for (;;) {
    const int n = ::poll(&p, 1, base::milliseconds_until(deadline));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return {};
    const bool broken = (p.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
    return {(p.revents & POLLIN) != 0 || (broken && read), (p.revents & POLLOUT) != 0 || (broken && write)};
  }
}

IoResult SocketStream::read(char* to, std::size_t size) {
  return result(receive(socket_.get(), to, size, 0), Io::TimedOut);
}

IoResult SocketStream::try_read(char* to, std::size_t size) {
  return result(receive(socket_.get(), to, size, MSG_DONTWAIT), Io::WouldBlock);
}

IoResult SocketStream::try_write(const iovec* parts, int count) { return send(parts, count, MSG_DONTWAIT); }

IoResult SocketStream::send(const iovec* parts, int count, int flags) {
  ssize_t n;
  if (count == 1) {
    n = send_some(socket_.get(), parts->iov_base, parts->iov_len, flags | MSG_NOSIGNAL);
  } else {
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(parts);
    message.msg_iovlen = static_cast<std::size_t>(count);
    n = send_message(socket_.get(), message, flags | MSG_NOSIGNAL);
  }
  if (n >= 0) return {Io::Ok, static_cast<std::size_t>(n)};
  return {errno == EAGAIN || errno == EINTR ? Io::WouldBlock : Io::Failed};
}

void SocketStream::set_read_timeout(int milliseconds) {
  if (milliseconds == read_timeout_) return;
  read_timeout_ = milliseconds;
  limit_reads(milliseconds);
}

bool SocketStream::limit_reads(int milliseconds) {
  const timeval t{milliseconds / 1000, milliseconds % 1000 * 1000};
  return setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t) == 0;
}

Descriptor accept_socket(int listening, bool& exhausted) {
  Descriptor socket(::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC));
  exhausted = !socket && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM);
  return socket;
}

bool connect_socket(int socket, const sockaddr* address, socklen_t size, Deadline deadline, bool& timed_out) {
  if (::connect(socket, address, size) != 0) {
    if (errno != EINPROGRESS) return false;
    if (!wait_ready(socket, false, true, deadline).writable) {
      timed_out = true;
      return false;
    }
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0) return false;
  }
  ::fcntl(socket, F_SETFL, 0);  // reads block; writes say MSG_DONTWAIT
  return true;
}

}  // namespace corbel::transport
