// The server's lists of its connections: links in the connections themselves, so that ten thousand idle ones
// cost no memory beside them and finding those that are served takes no walk over the others.
#pragma once

#include <cstddef>

namespace corbel::core {

struct ServerLinks;

struct ServerLink {
  ServerLinks* previous = nullptr;
  ServerLinks* next = nullptr;
  bool linked = false;
};

// What a connection brings along; of the server, guarded by its mutex.
struct ServerLinks {
  ServerLink all, serving, watched, holding;
};

// `Link` tells which of the links.
template <ServerLink ServerLinks::*Link>
class ServerList {
 public:
  bool insert(ServerLinks& item) {
    ServerLink& link = item.*Link;
    if (link.linked) return false;
    link = {nullptr, first_, true};
    if (first_) (first_->*Link).previous = &item;
    first_ = &item;
    ++size_;
    return true;
  }
  bool erase(ServerLinks& item) {
    ServerLink& link = item.*Link;
    if (!link.linked) return false;
    (link.previous ? (link.previous->*Link).next : first_) = link.next;
    if (link.next) (link.next->*Link).previous = link.previous;
    link = {};
    --size_;
    return true;
  }
  ServerLinks* first() const { return first_; }
  static ServerLinks* next(const ServerLinks& item) { return (item.*Link).next; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  ServerLinks* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace corbel::core
