// A server that is nothing but a socket: it sees each message as it arrives and answers as the test says.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace streaming {

enum Type : char { Request, Reply, Cancel, LocateRequest, LocateReply, Close, Error, Fragment };

struct Piece {
  char minor;
  bool more;
  Type type;
  std::uint32_t id;
  std::string body;  // behind the GIOP header
  int connection;    // the how manieth
};

inline std::string number(std::uint32_t n) { return {reinterpret_cast<const char*>(&n), 4}; }

// A message of GIOP 1.2 in the host's byte order.
inline std::string message(Type type, const std::string& body) {
  const std::uint16_t probe = 1;
  std::string m("GIOP\1\2\0\0", 8);
  m[6] = *reinterpret_cast<const char*>(&probe);
  m[7] = type;
  return m + number(static_cast<std::uint32_t>(body.size())) + body;
}

class RawPeer {
 public:
  // Answers each piece with octets, empty: nothing. Called in the thread that reads.
  using Answer = std::function<std::string(const Piece&)>;

  explicit RawPeer(Answer answer) : answer_(std::move(answer)) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    listen(listener_, 8);
    socklen_t size = sizeof address;
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { accept_all(); });
  }
  ~RawPeer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    {
      std::lock_guard lock(mutex_);
      reads_ = true;
      for (const int s : sockets_) shutdown(s, SHUT_RDWR);
      changed_.notify_all();
    }
    for (std::thread& t : readers_) t.join();
    for (const int s : sockets_) close(s);
    close(listener_);
  }
  RawPeer(const RawPeer&) = delete;
  RawPeer& operator=(const RawPeer&) = delete;

  std::string url(const char* version = "1.2") const {
    return "corbaloc:iiop:" + std::string(version) + "@127.0.0.1:" + std::to_string(port_) + "/key";
  }
  // What has arrived so far.
  std::vector<Piece> pieces() {
    std::lock_guard lock(mutex_);
    return pieces_;
  }
  bool wait_for(const std::function<bool(const std::vector<Piece>&)>& enough) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return enough(pieces_); });
  }
  // Reads nothing until it is told to.
  void stop_reading(bool stop) {
    std::lock_guard lock(mutex_);
    reads_ = !stop;
    changed_.notify_all();
  }

 private:
  void accept_all() {
    for (int s; (s = accept(listener_, nullptr, nullptr)) >= 0;) {
      std::lock_guard lock(mutex_);
      sockets_.push_back(s);
      readers_.emplace_back([this, s, n = static_cast<int>(sockets_.size())] { read(s, n); });
    }
  }
  static bool receive(int s, char* to, std::size_t size) {
    return size == 0 || recv(s, to, size, MSG_WAITALL) == static_cast<ssize_t>(size);
  }
  void read(int s, int connection) {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return reads_; });
      }
      char header[12];
      std::uint32_t size;
      if (!receive(s, header, sizeof header)) return;
      std::memcpy(&size, header + 8, 4);
      Piece piece{header[5], (header[6] & 2) != 0,    static_cast<Type>(header[7]),
                  0,         std::string(size, '\0'), connection};
      if (!receive(s, piece.body.data(), size)) return;
      if (size >= 4) std::memcpy(&piece.id, piece.body.data(), 4);
      {
        std::lock_guard lock(mutex_);
        pieces_.push_back(piece);
        changed_.notify_all();
      }
      const std::string answer = answer_(piece);
      if (!answer.empty()) send(s, answer.data(), answer.size(), MSG_NOSIGNAL);
      if (answer.size() >= 12 && answer[answer.size() - 12 + 7] == Close) {
        shutdown(s, SHUT_WR);
      }
    }
  }

  const Answer answer_;
  int listener_;
  std::uint16_t port_ = 0;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool reads_ = true;
  std::vector<int> sockets_;
  std::vector<std::thread> readers_;
  std::vector<Piece> pieces_;
};

}  // namespace streaming
