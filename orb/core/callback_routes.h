// Connections of clients that offered to be called back on them, by the addresses where their objects are.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/ior/ior.h"

namespace corbel::core {

class ClientConnection;

// Thread-safe.
class CallbackRoutes {
 public:
  // An address leads to the connection that claimed it first, until that one ends: who comes later cannot
  // draw its calls away. Takes `most` addresses that the connection has not claimed yet; gives how many.
  std::size_t add(const std::vector<ior::Address>& addresses, const base::Ref<ClientConnection>& connection,
                  std::size_t most);
  void remove(const ClientConnection& connection);
  // Null if no connection leads there.
  base::Ref<ClientConnection> find(const std::vector<ior::Address>& addresses);
  bool empty() const { return size_.load(std::memory_order_acquire) == 0; }

 private:
  using Routes = std::multimap<std::string, base::Ref<ClientConnection>>;

  std::atomic<std::size_t> size_{0};
  base::Mutex mutex_;
  Routes routes_;  // of one address in the order of the claims
  std::unordered_map<const ClientConnection*, std::vector<Routes::iterator>> claims_;
};

}  // namespace corbel::core
