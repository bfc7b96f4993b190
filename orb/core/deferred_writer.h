// Messages that nobody waits for (SYNC_NONE): threads of their own write them.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "orb/base/futex.h"
#include "orb/base/mutex.h"
#include "orb/base/ref.h"

namespace corbel::core {

class ClientConnection;

// Of one ORB. Thread-safe. Messages of one connection leave in the order they came in; a peer that does not
// read holds up a thread, of which there are a few, and its own messages.
class DeferredWriter {
 public:
  // `most_bytes` of one connection.
  explicit DeferredWriter(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}
  ~DeferredWriter() { stop(); }

  // False if there is no room for it, or no thread. An empty message stands for what was left with a writer
  // of the connection.
  bool post(ClientConnection& connection, std::string message);
  // Waits until everything is written, at most until the deadline.
  void drain(base::Deadline deadline);
  // Drops what is there; ends the connections that a thread is writing to.
  void stop();

 private:
  struct Item {
    base::Ref<ClientConnection> connection;
    std::string message;
  };
  static std::uint64_t cost(const std::string& message) { return message.size() + message.empty(); }
  static void* run(void* writer);
  void run();
  std::list<Item>::iterator next();
  bool take(std::list<Item>::iterator& item);
  bool spawn();

  const std::uint64_t most_bytes_;
  base::Mutex mutex_;  // guards what follows
  base::Condition changed_;
  std::list<Item> waiting_, writing_;
  std::map<const ClientConnection*, std::uint64_t> bytes_;  // of both; none of a connection without
  std::vector<pthread_t> threads_;
  std::size_t idle_ = 0;
  bool stopping_ = false;
};

}  // namespace corbel::core
