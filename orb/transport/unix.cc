#include "orb/transport/unix.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "orb/base/ascii.h"
#include "orb/transport/close_aside.h"
#include "orb/transport/host_id.h"

namespace corbel::transport {

[[gnu::weak]] std::unique_ptr<Acceptor> listen_unix(const std::string& address, const std::string& directory,
                                                    long mode, std::string& why);

bool make_unix_name(const std::string& path, UnixName& name) {
  if (path.empty() || path.size() >= sizeof name.address.sun_path) return false;
  name.address.sun_family = AF_UNIX;
  std::memcpy(name.address.sun_path, path.data(), path.size());
  const bool abstract = path[0] == '@';
  if (abstract) name.address.sun_path[0] = 0;
  name.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + (abstract ? 0 : 1));
  return true;
}

Descriptor new_unix_socket() {
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket) refuse_descriptors(socket.get());
  return socket;
}

// The system cuts what is written into pieces of 32 KiB, and waits for room for each of them anew, so long.
// Its clock makes that up to 8 ms.
constexpr timeval kMomentForRoom{0, 1000};
// More than the largest fragment. Who takes each piece of that in the last moment has 400 ms; the connection
// waits for him otherwise then.
constexpr std::size_t kMostWaitedFor = 1536 * 1024;

UnixStream::UnixStream(Descriptor socket) : SocketStream(std::move(socket)) {
  setsockopt(descriptor(), SOL_SOCKET, SO_SNDTIMEO, &kMomentForRoom, sizeof kMomentForRoom);
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return;
  identity_.uid = peer.uid;
  identity_.gid = peer.gid;
  identity_.pid = peer.pid;
}

IoResult UnixStream::write(const iovec* parts, int count) {
  std::size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;
  return send(parts, count, size <= kMostWaitedFor ? 0 : MSG_DONTWAIT);
}

std::string UnixStream::peer() const { return "unix socket, process " + base::decimal(identity_.pid); }

namespace {

// Where the server's queue of connections is full the system keeps the thread until there is a place; a
// socket that does not block would not hear of one.
bool connect_until(int socket, const UnixName& name, Deadline deadline, bool& timed_out) {
  ::fcntl(socket, F_SETFL, 0);
  do {
    timeval left{};  // zero is for ever
    if (deadline != base::kNoDeadline) {
      const base::Deadline us = std::max<base::Deadline>((deadline - base::now()) / 1000, 1);
      left = {us / 1'000'000, us % 1'000'000};
    }
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &left, sizeof left);
    if (::connect(socket, name.get(), name.size) == 0) return true;
  } while (errno == EINTR);
  timed_out = errno == EAGAIN;
  return false;
}

class UnixTransport final : public Transport {
 public:
  explicit UnixTransport(std::string directory, long mode) : directory_(std::move(directory)), mode_(mode) {}

  const char* name() const override { return kUnix.name; }

  std::unique_ptr<Acceptor> listen(const std::string& address, std::string& why) override {
    if (listen_unix) return listen_unix(address, directory_, mode_, why);
    why = "this program has no server";
    return nullptr;
  }

  ConnectResult connect(const std::string& address, Deadline deadline) override {
    ConnectResult result;
    UnixName name;
    Descriptor socket = new_unix_socket();
    const auto slash = address.find('/');
    if (slash == address.npos || !socket || !make_unix_name(address.substr(slash + 1), name)) return result;
    if (connect_until(socket.get(), name, deadline, result.timed_out))
      result.stream = std::make_unique<UnixStream>(std::move(socket));
    else if (result.timed_out) result.why = "the server has more connections waiting than it can take";
    return result;
  }

  bool reachable(const std::string& address) override {
    return address.starts_with(host_id()) && address.size() > 16 && address[16] == '/';
  }

 private:
  const std::string directory_;
  const long mode_;  // negative: as the process makes files
};

constexpr TransportOption kUnixOptions[] = {
    {"unixTransportDirectory", "PATH",
     "where unix sockets without a path are made; else outside of the file system"},
    {"unixTransportPermission", "MODE", "of unix sockets, in octal; else as the process makes files"},
    {nullptr, nullptr, nullptr}};

std::unique_ptr<Transport> make_unix(const TransportSettings& settings, std::string& why) {
  const std::string* const directory = settings.find(kUnixOptions[0].name);
  const std::string* const mode = settings.find(kUnixOptions[1].name);
  long value = -1;
  if (mode) {
    const auto [end, error] = std::from_chars(mode->data(), mode->data() + mode->size(), value, 8);
    if (error != std::errc() || end != mode->data() + mode->size() || value < 0 || value > 0777) {
      why = "-ORBunixTransportPermission takes an octal number up to 777, not " + *mode;
      return nullptr;
    }
  }
  return std::make_unique<UnixTransport>(directory ? *directory : std::string(), value);
}

}  // namespace

const TransportKind kUnix{"unix", kUnixOptions, make_unix};

}  // namespace corbel::transport
