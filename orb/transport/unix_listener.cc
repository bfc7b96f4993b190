#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "orb/transport/host_id.h"
#include "orb/transport/unix.h"

namespace corbel::transport {
namespace {

// What a path leads to: another server may put its own there.
struct File {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const File&) const = default;
  static File of(const std::string& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 ? File{status.st_dev, status.st_ino} : File{};
  }
};

class UnixAcceptor final : public Acceptor {
 public:
  UnixAcceptor(Descriptor socket, std::string path, const UnixName& name, const File& file)
      : socket_(std::move(socket)), path_(std::move(path)), name_(name), file_(file) {}
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
    if (File::of(path_) == file_) ::unlink(path_.c_str());
  }

  Descriptor socket_;
  const std::string path_;
  UnixName name_;
  const File file_;
  const pid_t process_ = ::getpid();
};

std::string own_path(const std::string& directory) {
  std::uint64_t random = 0;
  (void)!::getrandom(&random, sizeof random, 0);
  const std::string name = "corbel-" + std::to_string(::getpid()) + "-" + std::to_string(random);
  return directory.empty() ? '@' + name : directory + '/' + name;
}

// A socket that a server has left behind is in nobody's use.
void remove_left_behind(const std::string& path, const UnixName& name) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return;
  const Descriptor probe = new_unix_socket();
  if (probe && ::connect(probe.get(), name.get(), name.size) != 0 && errno == ECONNREFUSED)
    ::unlink(path.c_str());
}

}  // namespace

std::unique_ptr<Acceptor> listen_unix(const std::string& address, const std::string& directory, long mode,
                                      std::string& why) {
  std::string path = address.empty() ? own_path(directory) : address;
  Descriptor socket = new_unix_socket();
  bool placed = true;
  // Clients have working directories of their own, and a server may leave its own.
  if (char here[PATH_MAX]; path[0] != '@' && path[0] != '/') {
    placed = ::getcwd(here, sizeof here) != nullptr;
    if (placed) path.insert(0, "/").insert(0, here);
  }
  UnixName name;
  if (!make_unix_name(path, name)) {
    why = "the path of a unix socket has 1 to 107 characters: " + path;
    return nullptr;
  }
  if (placed && name.in_files()) remove_left_behind(path, name);
  File file;
  const auto bind = [&] {
    if (::bind(socket.get(), name.get(), name.size) != 0) return false;
    if (name.in_files()) file = File::of(path);
    return true;
  };
  if (!placed || !socket || !bind() ||
      (name.in_files() && mode >= 0 && ::chmod(path.c_str(), static_cast<mode_t>(mode)) != 0) ||
      ::listen(socket.get(), SOMAXCONN) != 0) {
    why = "cannot listen at unix socket " + path + ": " + std::strerror(errno);
    return nullptr;
  }
  // Before it listened it could be taken for left behind.
  if (name.in_files() && File::of(path) != file) {
    why = "another server has taken the unix socket " + path;
    return nullptr;
  }
  return std::make_unique<UnixAcceptor>(std::move(socket), path, name, file);
}

}  // namespace corbel::transport
