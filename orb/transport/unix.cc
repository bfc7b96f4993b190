#include "orb/transport/unix.h"

#include <sys/random.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "orb/transport/host_id.h"
#include "orb/transport/socket_stream.h"

namespace corbel::transport {
namespace {

struct Name {
  sockaddr_un address{};
  socklen_t size = 0;
  bool in_files() const { return address.sun_path[0] != 0; }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

// False if the path is too long for the system, or empty.
bool make_name(const std::string& path, Name& name) {
  if (path.empty() || path.size() >= sizeof name.address.sun_path) return false;
  name.address.sun_family = AF_UNIX;
  std::memcpy(name.address.sun_path, path.data(), path.size());
  const bool abstract = path[0] == '@';
  if (abstract) name.address.sun_path[0] = 0;
  name.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + (abstract ? 0 : 1));
  return true;
}

Descriptor new_socket() {
  return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

class UnixStream final : public SocketStream {
 public:
  explicit UnixStream(Descriptor socket) : SocketStream(std::move(socket)) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (getsockopt(descriptor(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return;
    identity_.uid = peer.uid;
    identity_.gid = peer.gid;
    identity_.pid = peer.pid;
  }
  std::string peer() const override { return "unix socket, process " + std::to_string(identity_.pid); }
  const PeerIdentity* identity() const override { return &identity_; }

 private:
  PeerIdentity identity_;
};

class UnixAcceptor final : public Acceptor {
 public:
  UnixAcceptor(Descriptor socket, std::string path, const Name& name)
      : socket_(std::move(socket)), path_(std::move(path)), name_(name) {}
  ~UnixAcceptor() override { remove_file(); }

  std::unique_ptr<Stream> accept(bool& exhausted) override {
    Descriptor socket = accept_socket(socket_.get(), exhausted);
    return socket ? std::make_unique<UnixStream>(std::move(socket)) : nullptr;
  }
  int descriptor() const override { return socket_.get(); }
  std::string address(const std::string&) const override { return host_id() + '/' + path_; }
  void stop() override {
    remove_file();
    ::shutdown(socket_.get(), SHUT_RDWR);
  }

 private:
  // A process that was forked, or a server that has taken the path over, keeps its file.
  void remove_file() {
    if (!name_.in_files() || process_ != ::getpid()) return;
    name_.address.sun_path[0] = 0;
    ::unlink(path_.c_str());
  }

  Descriptor socket_;
  const std::string path_;
  Name name_;
  const pid_t process_ = ::getpid();
};

class UnixTransport final : public Transport {
 public:
  explicit UnixTransport(std::string directory, long mode) : directory_(std::move(directory)), mode_(mode) {}

  const char* name() const override { return kUnix.name; }

  std::unique_ptr<Acceptor> listen(const std::string& address, std::string& why) override {
    const std::string path = !address.empty() ? address : own_path();
    Name name;
    Descriptor socket = new_socket();
    if (!make_name(path, name)) {
      why = "the path of a unix socket has 1 to 107 characters: " + path;
      return nullptr;
    }
    if (name.in_files()) remove_left_behind(path, name);
    if (!socket || ::bind(socket.get(), name.get(), name.size) != 0 ||
        (name.in_files() && mode_ >= 0 && ::chmod(path.c_str(), static_cast<mode_t>(mode_)) != 0) ||
        ::listen(socket.get(), SOMAXCONN) != 0) {
      why = "cannot listen at unix socket " + path + ": " + std::strerror(errno);
      return nullptr;
    }
    return std::make_unique<UnixAcceptor>(std::move(socket), path, name);
  }

  ConnectResult connect(const std::string& address, Deadline deadline) override {
    ConnectResult result;
    Name name;
    Descriptor socket = new_socket();
    const auto slash = address.find('/');
    if (slash == address.npos || !socket || !make_name(address.substr(slash + 1), name)) return result;
    if (connect_socket(socket.get(), name.get(), name.size, deadline, result.timed_out))
      result.stream = std::make_unique<UnixStream>(std::move(socket));
    else if (errno ==
             EAGAIN)  // a full queue of connections, which a socket that does not block cannot wait for
      result.why = "the server has more connections waiting than it can take";
    return result;
  }

  bool reachable(const std::string& address) override {
    return address.starts_with(host_id()) && address.size() > 16 && address[16] == '/';
  }

 private:
  std::string own_path() const {
    std::uint64_t random = 0;
    (void)!::getrandom(&random, sizeof random, 0);
    const std::string name = "corbel-" + std::to_string(::getpid()) + "-" + std::to_string(random);
    return directory_.empty() ? '@' + name : directory_ + '/' + name;
  }

  // A socket that a server has left behind is in nobody's use.
  static void remove_left_behind(const std::string& path, const Name& name) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return;
    const Descriptor probe = new_socket();
    if (probe && ::connect(probe.get(), name.get(), name.size) != 0 && errno == ECONNREFUSED)
      ::unlink(path.c_str());
  }

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
