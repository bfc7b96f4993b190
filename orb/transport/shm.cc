#include "orb/transport/shm.h"

#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>

#include "orb/base/mutex.h"
#include "orb/transport/close_aside.h"
#include "orb/transport/host_id.h"
#include "orb/transport/shm_stream.h"
#include "orb/transport/socket_stream.h"

namespace corbel::transport {
namespace {

using shm::Settings;
using shm::ShmStream;

// After the host's id. Another layout of the memory is another version, which this one does not connect to.
constexpr std::string_view kVersion = "/1/";
constexpr std::string_view kPrefix = "corbel-shm-";
constexpr int kMostAtOnce = 64;  // of other users, who may come without end

// The address of an abstract socket. False if the name is empty or too long.
bool make_name(std::string_view name, sockaddr_un& address, socklen_t& size) {
  address = {};
  address.sun_family = AF_UNIX;
  if (name.empty() || 1 + kPrefix.size() + name.size() > sizeof address.sun_path) return false;
  std::memcpy(address.sun_path + 1, kPrefix.data(), kPrefix.size());
  std::memcpy(address.sun_path + 1 + kPrefix.size(), name.data(), name.size());
  size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + kPrefix.size() + name.size());
  return true;
}

std::string unguessable_name() {
  std::uint64_t random[2]{};
  (void)!::getrandom(random, sizeof random, 0);
  std::string name;
  for (const std::uint64_t word : random)
    for (int shift = 60; shift >= 0; shift -= 4) name += "0123456789abcdef"[word >> shift & 15];
  return name;
}

// The name in an address of this host and version, else empty.
std::string_view name_here(std::string_view address) {
  const std::string& host = network_id();
  if (!address.starts_with(host)) return {};
  address.remove_prefix(host.size());
  return address.starts_with(kVersion) ? address.substr(kVersion.size()) : std::string_view();
}

bool is_of_same_user(int socket) {
  ucred who{};
  socklen_t size = sizeof who;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == ::geteuid();
}

bool may_share(int socket, const Settings& settings) { return settings.any_user || is_of_same_user(socket); }

// Servers of other users that have turned this one away: for a while they are reached in other ways.
// Thread-safe.
class Unwelcome {
 public:
  void note(const std::string& address) try {
    std::lock_guard lock(mutex_);
    if (until_.size() == kMost) until_.clear();
    until_[address] = base::now() + kTime;
  } catch (const std::bad_alloc&) {  // it is tried once more
  }
  bool at(const std::string& address) {
    std::lock_guard lock(mutex_);
    const auto found = until_.find(address);
    return found != until_.end() && base::now() < found->second;
  }

 private:
  static constexpr std::size_t kMost = 64;
  static constexpr std::int64_t kTime = 30'000'000'000;  // nanoseconds
  base::Mutex mutex_;
  std::map<std::string, Deadline> until_;
};

class ShmAcceptor final : public Acceptor {
 public:
  ShmAcceptor(Descriptor socket, std::string name, const Settings& settings)
      : socket_(std::move(socket)), name_(std::move(name)), settings_(settings) {}
  ~ShmAcceptor() override {
    if (!full_.load()) return;
    (void)socket_.release();  // the process's end closes them
    (void)refused_.release();
  }

  std::unique_ptr<Stream> accept(bool& exhausted) override {
    for (int i = 0; i < kMostAtOnce && !full_.load(); ++i) {
      Descriptor socket = accept_socket(socket_.get(), exhausted);
      if (!socket) return nullptr;
      if (may_share(socket.get(), settings_))
        return std::make_unique<ShmStream>(std::move(socket), settings_);
      refuse(std::move(socket));
    }
    return nullptr;  // the descriptor says that there are more
  }
  int descriptor() const override { return full_.load() ? -1 : socket_.get(); }
  std::string address(const std::string&) const override {
    return network_id() + std::string(kVersion) + name_;
  }
  void stop() override { ::shutdown(socket_.get(), SHUT_RDWR); }

 private:
  // Where too many do not close nobody else is let in either: the listening socket is closed, which cuts who
  // waits there. They and who comes later take other ways. Without a thread for that the refused one stays
  // open, and others are served.
  void refuse(Descriptor socket) {
    ::shutdown(socket.get(), SHUT_RDWR);
    if (close_aside(socket)) return;
    full_.store(true);
    if (replace_aside(socket_.get(), socket.get())) {
      refused_ = std::move(socket);
    } else {
      full_.store(false);
      (void)socket.release();
    }
  }

  Descriptor socket_;
  const std::string name_;
  const Settings settings_;
  std::atomic<bool> full_{false};
  Descriptor refused_;  // in place of which it was
};

class ShmTransport final : public Transport {
 public:
  explicit ShmTransport(const Settings& settings) : settings_(settings) {}

  const char* name() const override { return kShm.name; }

  std::unique_ptr<Acceptor> listen(const std::string& address, std::string& why) override {
    std::string name = address.empty() ? unguessable_name() : address;
    sockaddr_un bound;
    socklen_t size;
    if (!make_name(name, bound, size)) {
      why = "the name is too long: " + name;
      return nullptr;
    }
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket || ::bind(socket.get(), reinterpret_cast<sockaddr*>(&bound), size) != 0 ||
        ::listen(socket.get(), SOMAXCONN) != 0) {
      why = std::string("cannot listen: ") + std::strerror(errno);
      return nullptr;
    }
    return std::make_unique<ShmAcceptor>(std::move(socket), std::move(name), settings_);
  }

  bool reachable(const std::string& address) override {
    return !name_here(address).empty() && !unwelcome_->at(address);
  }

  // Needs no answer of the server's threads: the first message can be written at once.
  ConnectResult connect(const std::string& address, Deadline deadline) override {
    ConnectResult result;
    sockaddr_un to;
    socklen_t size;
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket || !make_name(name_here(address), to, size)) return result;
    refuse_descriptors(socket.get());
    for (;;) {
      if (deadline != base::kNoDeadline) {  // where more connections wait than the server can take
        const int ms = base::milliseconds_until(deadline);
        const timeval time{ms / 1000, ms % 1000 * 1000 + 1};
        ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
      }
      if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&to), size) == 0) break;
      if (errno == EINTR) continue;  // by a signal: with what is left of the time
      result.timed_out = errno == EAGAIN;
      return result;
    }
    if (!may_share(socket.get(), settings_)) {
      result.why = "the server belongs to another user: see -ORBshmUsers";
      return result;
    }
    Descriptor passed;
    shm::SharedMemory memory = shm::SharedMemory::create(settings_.ring_size, passed);
    if (!memory || !shm::send_hello(socket.get(), passed.get(), settings_.ring_size)) return result;
    std::function<void()> turned_away;
    if (settings_.any_user && !is_of_same_user(socket.get()))
      turned_away = [unwelcome = unwelcome_, address] { unwelcome->note(address); };
    result.stream =
        std::make_unique<ShmStream>(std::move(socket), std::move(memory), settings_, std::move(turned_away));
    return result;
  }

 private:
  const Settings settings_;
  const std::shared_ptr<Unwelcome> unwelcome_ = std::make_shared<Unwelcome>();
};

constexpr TransportOption kOptions[] = {
    {"shmSpin", "MICROSECONDS",
     "looks so long for an answer in shared memory before it sleeps (20; 0: sleeps)"},
    {"shmRingSize", "BYTES", "of shared memory in each direction of a connection (262144)"},
    {"shmUsers", "same|any", "whose processes may share memory with this one (same: its own user's)"},
    {nullptr, nullptr, nullptr}};

// False if the text is no number up to `most`.
bool read_number(const std::string& text, std::uint32_t most, std::uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value <= most;
}

std::unique_ptr<Transport> make_shm(const TransportSettings& given, std::string& why) {
  Settings settings;
  if (const std::string* spin = given.find(kOptions[0].name)) {
    std::uint32_t microseconds = 0;
    if (!read_number(*spin, 1'000'000, microseconds)) {
      why = "-ORBshmSpin takes microseconds, at most 1000000, not " + *spin;
      return nullptr;
    }
    settings.spin_time = microseconds * 1000LL;
  }
  if (const std::string* size = given.find(kOptions[1].name)) {
    std::uint32_t bytes = 0;
    if (!read_number(*size, std::numeric_limits<std::uint32_t>::max(), bytes) ||
        !shm::valid_ring_size(bytes)) {
      why = "-ORBshmRingSize takes a power of two from 4096 to 16777216, not " + *size;
      return nullptr;
    }
    settings.ring_size = bytes;
  }
  if (const std::string* users = given.find(kOptions[2].name)) {
    settings.any_user = *users == "any";
    if (!settings.any_user && *users != "same") {
      why = "-ORBshmUsers takes same or any, not " + *users;
      return nullptr;
    }
  }
  return std::make_unique<ShmTransport>(settings);
}

}  // namespace

const TransportKind kShm{"shm", kOptions, make_shm, true};

}  // namespace corbel::transport
